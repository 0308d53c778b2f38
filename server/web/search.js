// A game with a search: positions are played or set up, and then searched for a forced win.
import { anew, button, check, choice, download, get, h, note, say, setting } from './dom.js';
import { clear, family, handText, houseName, moveName, number, squareName, symbols, t } from './text.js';
import { Unsolved } from './unsolved.js';

/** The times in seconds that a search may take, as far as the server allows. */
export const times = (limit) => [10, 60, 600, 3600].filter((s) => s < limit).concat(limit);

/** branchOf returns a line that leaves another at a ply from 1, from the root position; null if it is not known. */
export const branchOf = (line, b) => (b.ply && b.line?.length ? [...line.slice(0, b.ply - 1), ...b.line] : null);

/** duration is a time in words. */
const duration = (seconds) => (seconds % 60 ? t('seconds', Math.round(10 * seconds) / 10) : t('minutes', seconds / 60));

/** Search is the view of a game whose positions are searched, not looked up. */
export class Search extends Unsolved {
  /** shown reports whether what was found is about a position of the game so far: that after found.before. */
  shown() { return this.found && this.root === this.found.root && this.found.before.every((move, i) => this.made[i]?.move === move); }

  /** since returns the moves after the position that was searched. */
  since() { return this.made.slice(this.found.before.length); }

  /** inLine reports whether the game so far is along the line that was found. */
  inLine() { return this.shown() && this.since().every((m, i) => m.move === this.found.line[i]); }

  /** play remembers that the tree has moves of the user, not only of lines that were found. */
  play(m, byMachine) {
    if (!this.running && this.made[this.ply]?.move !== m.move) this.mine = true;
    return super.play(m, byMachine);
  }

  /** searched says in links what was asked for, and after how many moves if these are the user's. */
  searched() { return [this.found.before.length || [], this.found.ask].flat(2).join(','); }

  /** where says too how hands are read: by hands, usually empty, for which see docs/api.md. */
  where(position) {
    const [path, query] = super.where(position);
    return [path, this.hands ? { ...query, hands: this.hands } : query];
  }

  /** ask remembers how hands were read. Where they are as given, they are so in all positions of the game. */
  async ask(position) {
    const node = await super.ask(position);
    this.noteHands(node.position, node.hands);
    return node;
  }

  noteHands(position, hands) {
    this.reads ??= new Map();
    if (hands) this.reads.set(position, hands);
    if (hands === 'given') this.hands = hands;
  }

  open(record) {
    this.noteHands(record.position, record.hands);
    return super.open({ ...record, hands: record.hands === 'given' ? 'given' : '' });
  }

  jump(text) {
    this.hands = '';
    return super.jump(text);
  }

  back(state) {
    if ((state.hands ?? '') === (this.hands ?? '')) super.back(state);
    else this.load(state, true);
  }

  /** state says too how hands are read, and what a search has found the line by, so that a link finds it again. */
  state() {
    return { ...super.state(), hands: this.hands, searched: this.shown() ? this.searched() : null };
  }

  async load(state, stepped) {
    this.hands = state.hands ?? '';
    await super.load(state, stepped);
    if (!this.nodes) return;
    const ask = state.searched?.split(',').filter(Boolean) ?? [];
    const after = /^\d+$/.test(ask[0]) ? Number(ask.shift()) : 0;
    this.mine = after > 0 || (state.searched == null && this.made.length > 0);
    if (state.searched == null || this.shown() || after >= this.nodes.length) return;
    const { root } = this;
    const moves = this.movesTo();
    const intended = ask.includes('judge') ? moves.slice(after).join(',') : '';
    try {
      const found = await this.patiently(get(this.address, { position: this.nodes[after].position, hands: this.hands, ...this.asked(ask), intended }));
      if (this.root !== root) return;
      this.found = { ...found, ask, root, before: moves.slice(0, after) };
      if (this.inLine() && this.since().length < found.line.length) {
        await super.load({ position: root, moves: [...this.found.before, ...found.line], ply: this.ply }, true); // with the same hands
        return;
      }
    } catch (e) {
      this.refuse(e);
    }
    this.show();
  }

  /** make opens as a record what is pasted into the field of the position and has several lines. */
  make() {
    super.make();
    this.parts.position.addEventListener('paste', (e) => {
      const text = e.clipboardData.getData('text');
      const records = this.pick('#records');
      if (!records || !text.trim().includes('\n')) return;
      e.preventDefault();
      records.open = true;
      const area = records.querySelector('textarea');
      area.value = text;
      area.dispatchEvent(new Event('input'));
      records.querySelector('form').requestSubmit();
    });
  }

  halt() {
    super.halt();
    this.searching?.abort();
    this.searching = null;
    clearInterval(this.clock);
  }

  can(what) { return this.game.asks?.includes(what); }

  /** wishes returns what the user has chosen to be found too. */
  wishes() {
    return [this.can('shortest') && setting.get('shortest', false) && ['shortest'],
      this.can('alternatives') && setting.get('alternatives', false) && ['alternatives', 'variations']].filter(Boolean).flat();
  }

  /** times returns the seconds to choose among, and limit those that a search may take. */
  times() { return times(this.game.limits?.seconds ?? 10); }

  limit() {
    const list = this.times();
    return Math.max(...list.filter((s) => s <= setting.get('searchTime', 10)), list[0]);
  }

  /** judging asks for a verdict by the house that is chosen. */
  judging() { return ['judge', this.game.houses?.slice(1).find((name) => name === setting.get('house'))].filter(Boolean); }

  /** asked asks for what is to be found, perhaps by a house. */
  asked(ask) {
    const rules = this.game.houses?.find((name) => ask.includes(name));
    return { ask: ask.filter((what) => what !== rules).join(','), rules };
  }

  panel() {
    const gomoku = family(this.game) === 'gomoku';
    const list = this.times();
    const wish = (name) => this.can(name) && check(`ask-${name}`, t(`ask_${name}`), setting.get(name, false), (on) => setting.set(name, on));
    const start = (id, text, ask, more) => button(id, text, () => this.search(ask()), { disabled: this.node.finished, ...more });
    return [h('div', { class: 'card' },
      h('p', {}, t(gomoku ? 'gomokuHelp' : 'tsumeHelp')),
      h('div', { class: 'row' }, wish('shortest'), wish('alternatives'),
        list.length > 1 && choice(t('searchTime'), 'search-time', list.map((s) => [s, duration(s)]), this.limit(), (v) => setting.set('searchTime', Number(v))),
        gomoku ? null : choice(t('hands'), 'hands', ['', 'given', 'rest'].map((v) => [v, t(`hands_${v || 'usual'}`)]), this.hands ?? '', (v) => this.read(v))),
      this.reads?.has(this.nodes[0].position) ? h('p', { class: 'faint', id: 'hands-read' }, t(`read_${this.reads.get(this.nodes[0].position)}`)) : null,
      h('p', { class: 'row' }, this.searching
        ? [button('do-stop', `■ ${t('stop')}`, () => { this.halt(); this.show(); }), h('span', { id: 'searching' }, t('searching'))]
        : [start('do-search', t(gomoku ? 'search' : 'searchMate'), () => this.wishes(), { class: 'primary' }),
          this.can('record') && start('do-record', t('kif'), () => [...new Set([...this.wishes(), 'variations', 'record'])]),
          this.can('judge') && start('do-judge', t('judge'), () => this.judging()),
          this.game.houses && choice(t('house'), 'house', this.game.houses.map((v) => [v, houseName(v)]), this.judging()[1], (v) => setting.set('house', v))]),
      this.shown() ? this.result() : null,
      this.inLine() && this.found.result.zone?.length ? note(t('zone')) : null)];
  }

  result() {
    const { result, line, ask } = this.found;
    const { length: after } = this.found.before;
    if (this.inLine() && this.since().length === line.length) this.found.known ??= { nodes: this.nodes.slice(after), made: this.since() };
    const { answer, length, by, moves, nodes, seconds, verdict, in_hand: left, rules } = result;
    const under = (house) => (!house || rules === 'default' ? '' : ` (${houseName(house)})`);
    const shortest = result.shortest || length === 1;
    const mate = () => [t(shortest ? 'mate' : line.length === length ? 'mateAtMost' : line.length ? 'mateLine' : 'mateNoLine', length, line.length),
      shortest ? '' : t('notShortest')].filter(Boolean).join(t('comma'));
    const [css, words] = {
      mate: () => ['win', mate()], 'no mate': () => ['loss', t('noMate')],
      win: () => ['win', moves ? t('forced', t(by), moves) : t('win')], none: () => ['draw', t('noForced')],
      sound: () => ['win', t('sound')], unsound: () => ['loss', t('unsound')],
    }[verdict ?? answer ?? result.result]?.() ?? ['unknown', t('limit')];
    const open = css === 'unknown' || result.incomplete || result.open?.length || (answer === 'mate' && !shortest && ask.includes('shortest'));
    const off = !this.inLine();
    return h('div', { id: 'result' },
      h('p', {}, h('span', { class: `value ${css}` }, verdict ? words + under(rules) : `${symbols[css]} ${words}`), left ? ` ${t('left', handText(left))}` : null, ' ',
        nodes ? h('span', { class: 'faint' }, t('nodes', number(nodes), seconds.toFixed(2))) : null),
      open ? this.longer() : null,
      answer === 'mate' && !shortest && !ask.includes('shortest') && this.can('shortest')
        ? h('p', {}, button('do-shortest', t('findShortest'), () => this.again([...ask, 'shortest']), { disabled: Boolean(this.searching) })) : null,
      this.list('faults', result.faults, (b) => `${t(`grade_${b.grade}`)}${t('colon')}${document.documentElement.lang === 'ja' ? b.japanese : b.kind}${under(b.rule?.by)}`),
      result.open?.length ? note(t('leftOpen', result.open.length)) : null,
      this.list('alternatives', result.alternatives, (b) => (b.length ? t(b.shortest ? 'mates' : 'matesAtMost', b.length) : t('limit'))),
      result.variations?.length ? h('details', {}, h('summary', {}, t('variations', result.variations.length)),
        this.list('variations', result.variations, (b) => t('pliesLeft', b.line.length))) : null,
      off && line.length ? h('p', {}, button('do-found', t('mainLine'), () => this.branch(line, 0))) : null);
  }

  /** longer says that a limit was reached, and what to do. */
  longer() {
    const { seconds, nodes } = this.game.limits ?? {};
    const next = this.times().find((s) => s > this.limit());
    const full = nodes && this.found.result.nodes >= nodes;
    return h('p', {}, next && !full
      ? button('do-longer', t('longer', duration(next)), () => { setting.set('searchTime', next); this.again(this.found.ask); }, { disabled: Boolean(this.searching) })
      : h('span', { class: 'faint' }, full ? t('most', number(nodes), 'nodes') : t('most', duration(seconds ?? 10), 'time')));
  }

  /** list is the lines that leave the line, with what words say of each. */
  list(name, entries, words) {
    if (!entries?.length) return null;
    return h('div', {}, name === 'variations' ? null : h('h2', {}, t(name)), h('ul', { class: 'lines', id: name }, entries.map((b) => {
      const at = b.ply && `${b.ply} ${this.nameAt(b.ply - 1, b.move ?? b.line[0])}`;
      const text = [at ?? (b.square && squareName(this.layout, b.square)), words(b)].filter(Boolean).join(' ');
      const moves = branchOf(this.found.line, b);
      return h('li', {}, moves ? h('button', { onclick: () => this.branch(moves, b.ply) }, text) : text);
    })));
  }

  /** nameAt is the name of a move after some moves of the line, if that was loaded. */
  nameAt(ply, move) {
    const { nodes, made } = this.found.known ?? {};
    const m = nodes?.[ply]?.moves.find((x) => x.move === move);
    return m ? moveName(this.layout, m, made[ply - 1]) : clear(this.layout, move);
  }

  /** read reads the hands of the root position in another way. */
  async read(hands) {
    await this.enter({ ...this.state(), hands, searched: null }, true);
  }

  /** branch goes to a line from the position that was searched, beside the moves of the user. */
  async branch(moves, ply) {
    const { root, before } = this.found;
    if (!this.mine) {
      await this.enter({ position: root, hands: this.hands, moves, ply, searched: this.searched() });
      return;
    }
    const { line } = this;
    try {
      let b = line[before.length];
      for (const text of moves) {
        const m = b.node.moves.find((x) => x.move === text);
        if (!m) break;
        b = b.after(m, await this.patiently(Promise.resolve(this.follow(b.node, m))));
      }
      if (this.line !== line) return;
      this.take(b.line(), before.length + ply);
    } catch (e) {
      this.refuse(e);
    }
    this.moved(this.state(), true);
    this.build();
  }

  /** again searches the position again that was searched. */
  async again(ask) {
    if (this.mine) await this.branch(ask.includes('judge') ? this.found.line : [], 0);
    else await this.load({ position: this.root, hands: this.hands, moves: ask.includes('judge') ? this.found.line : [], ply: 0 });
    await this.search(ask);
  }

  /** search asks for what is to be found from here, and goes to the first position of its line. */
  async search(ask) {
    const { position } = this.node;
    const before = this.movesTo(this.ply);
    const intended = ask.includes('judge') ? this.made.slice(this.ply).map((m) => m.move) : [];
    this.halt();
    const searching = (this.searching = new AbortController());
    const begin = Date.now();
    this.clock = setInterval(() => {
      const text = this.pick('#searching');
      if (text) text.textContent = `${t('searching')} ${t('seconds', Math.round((Date.now() - begin) / 1000))}`;
    }, 1000);
    this.problem = null;
    this.show();
    try {
      const found = await this.patiently(anew(this.address, {
        position, hands: this.hands, ...this.asked(ask), intended: intended.join(','), time: this.game.limits ? `${this.limit()}s` : '',
      }, searching.signal));
      if (this.searching !== searching) return;
      this.halt();
      const beside = this.mine && found.position === position;
      this.found = { ...found, ask: ask.filter((what) => what !== 'record'), root: beside ? this.root : found.position, before: beside ? before : [] };
      this.mine = beside;
      if (!beside) this.root = found.position;
      await this.branch(found.line, 0);
      say(this.pick('#result p')?.textContent ?? '');
      if (found.record) download('mate.kif', found.record, 'text/plain;charset=utf-8');
    } catch (e) {
      if (this.searching !== searching) return;
      this.halt();
      this.refuse(e);
      this.show();
    }
  }

  /** drawings: the numbers of the line's moves, where stones are put; else the next move. */
  drawings(preview) {
    if (preview || !this.shown()) return {};
    const next = this.made[this.ply];
    if (this.layout.style !== 'lines') {
      const mover = this.mover(this.ply);
      return next ? { arrow: [next.drop ? { side: mover, kind: next.drop } : next.squares[0], next.squares.at(-1)] } : {};
    }
    return this.inLine() ? { zone: this.found.result.zone, numbers: this.since().map((m, i) => [m.squares[0], String(i + 1)]) } : {};
  }
}
