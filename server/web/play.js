// The explorer of a game: a position with its moves, the game that led there, and an
// opponent.
import { key } from './board.js';
import { browse } from './browse.js';
import { chip } from './display.js';
import { anew, calm, field, get, h, keep, note, post, s, say, setting, slowly } from './dom.js';
import { chooseMove, levelOf, strengths } from './opponent.js';
import { opener } from './records.js';
import { setUp } from './setup.js';
import { leftOutText, link, reason, rulesText, side, t, title } from './text.js';
import { Training } from './training.js';
import { Branch, leaves } from './tree.js';

const icon = (d, open) => s('svg', { viewBox: '0 0 24 24', class: open ? 'icon open' : 'icon', 'aria-hidden': 'true' }, s('path', { d }));

/** afterLast returns the position after a move that ends the game without one, such as taking a lion. */
function afterLast(node, move) {
  const pieces = node.board && node.board.pieces.filter((p) => p.square !== move.squares?.at(-1))
    .map((p) => (p.square === move.squares?.[0] ? { ...p, square: move.squares.at(-1) } : p));
  return {
    position: '', category: 'loss', dtm: 0, score: null, finished: true, moves: [],
    board: node.board && { turn: 3 - node.board.turn, pieces },
  };
}

/** unvalued returns the node of a position that the database does not hold. */
const unvalued = (place, refused) => ({
  category: 'unknown', ...place, refused, moves: place.moves.map((m) => ({ category: 'unknown', ...m })),
});

/** Play is the explorer of one game. */
export class Play extends Training {
  /** state is where to begin: position, moves, and ply if not all are made. */
  constructor(game, state, moved) {
    super();
    this.game = game;
    this.layout = game.layout;
    this.moved = moved; // is told the state whenever it changes
    this.flipped = false;
    this.given = {}; // what tools were given: the text of games,
    this.browsed = {}; // and what of the database was looked at
    this.tools = null;
    this.guessing = 0; // whose moves are to be guessed: those of a side, or of both; see training.js
    this.element = h('div', { class: 'play' }, h('p', { class: 'probing' }, t('probing')));
    this.load(state);
  }

  /** writable: positions can be pasted; editable: they can be set up by hand. */
  get writable() { return true; }

  get editable() { return this.writable && Boolean(this.layout); }

  /** valued: positions have values, at least some. */
  get valued() { return true; }

  get node() { return this.nodes[this.ply]; }

  /** turnOf returns the side to move in a node at a ply. */
  turnOf(node, ply) {
    const turn = node?.board?.turn;
    return this.layout && !this.layout.relative && turn ? turn : 1 + (ply % 2);
  }

  /** mover returns the side to move at a ply. */
  mover(ply) { return this.turnOf(this.nodes[ply], ply); }

  /** where returns the path of a position in the API. */
  where(position) {
    return [this.address, { position, board: this.layout ? 1 : '' }];
  }

  /** ask asks for a position; without its value if it is withheld, or if there is none but an opponent. */
  async ask(position) {
    const [path, query] = this.where(position);
    return this.patiently(get(path, query).catch(async (e) => {
      if (e.code !== 'damaged' && (e.code !== 'not_held' || !this.game.levels)) throw e;
      return unvalued(await get(`${path}/board`, query), e);
    }));
  }

  /** askAll asks for all positions of a game at once, so that no more need be asked for. */
  async askAll(root, moves) {
    const question = { line: { position: root, moves }, moves: true, board: Boolean(this.layout) };
    const { answers } = await this.patiently(post(this.address, question));
    answers.forEach((a, i) => keep(...this.where(i ? a.position : root), Promise.resolve(a)));
  }

  /** patiently shows that an answer is awaited. */
  patiently(answer) { return slowly(answer, () => this.wait(true), () => this.wait(false)); }

  /** follow returns the node after a move of one, which path leads to. */
  follow(node, m) { return m.position ? this.ask(m.position) : afterLast(node, m); }

  wait(on) {
    this.element.classList.toggle('waiting', on);
    this.element.setAttribute('aria-busy', on);
  }

  /** load goes to a position and the moves after it. After a step back the computer waits. */
  async load({ position = '', moves = [], ply = moves.length }, stepped = false) {
    this.halt();
    this.problem = null; // or a function that says what is wrong, in the language of the moment
    const turn = (this.turn = {}); // a later call makes this one stale
    const root = position || this.game.start;
    try {
      if (moves.length && !this.nodes) await this.askAll(root, moves).catch(() => {}); // if a move is wrong, those before are shown
      const nodes = [await this.ask(root)];
      const made = [];
      for (const text of moves) {
        const last = nodes.at(-1);
        const m = last.moves.find((x) => x.move === text) ?? await this.find(last, text);
        if (!m) {
          this.problem = () => t('badMove', text);
          break;
        }
        nodes.push(await this.follow(last, m, made));
        made.push(m);
        if (this.turn !== turn) return;
      }
      if (this.turn !== turn) return;
      this.root = root;
      const tree = new Branch(nodes[0]);
      this.take(made.reduce((b, m, i) => b.after(m, nodes[i + 1]), tree).line(), Math.min(ply, made.length));
    } catch (e) {
      if (this.turn !== turn) return;
      this.fail(e);
      return;
    }
    this.build();
    if (!stepped) this.answer();
  }

  /** enter goes to a state that the history of the browser is to have. */
  enter(state, stepped) {
    this.moved(state, true);
    return this.load(state, stepped);
  }

  /** back returns to a state of the browser's history, which leaves the tree as it is if that has the moves. */
  back(state) {
    const { position = '', moves = [], ply = moves.length } = state;
    const known = this.writable && (position || this.game.start) === this.root && this.line?.[0].find(moves);
    if (!known) {
      this.load(state, true);
      return;
    }
    this.halt();
    this.turn = {};
    this.problem = null;
    this.take(known.path(), Math.min(ply, moves.length));
    this.build();
  }

  /** translate writes everything again, in another language; what is being set up stays. */
  translate() {
    const draft = this.setting?.board();
    this.setting = null;
    this.tools = null;
    this.element.classList.remove('editing');
    this.build();
    if (draft) this.edit(draft);
  }

  /** take shows a line of the tree, at a ply. */
  take(line, ply) {
    Object.assign(this, { line, nodes: line.map((b) => b.node), made: line.slice(1).map((b) => b.move), ply, chosen: [], marked: null, tapped: null, setting: null });
    this.element.classList.remove('editing');
  }

  /** visit goes to a branch of the tree, which may lie on another line. */
  visit(branch) {
    if (this.setting) return;
    const ply = branch.path().length - 1;
    this.halt();
    if (this.line[ply] !== branch) this.take(branch.line(), this.ply);
    this.arrive(ply);
    this.moved(this.state(), false);
  }

  /** leave returns where the line leaves the game, and the game from there; null if it does not. */
  leave() {
    const at = leaves(this.line);
    return at < 0 ? null : this.line[at].parent.children[0];
  }

  /** served takes what was found out about the game. Values of a damaged database are taken back. */
  served(game) {
    const damaged = game.state === 'damaged' && this.game.state !== game.state;
    this.game = game;
    if (!this.nodes) return;
    if (damaged) this.load(this.state(), true);
    else this.show();
  }

  /** find returns the move of another spelling. */
  async find(node, text) {
    const answer = await get(this.address, { position: node.position, moves: text }).catch(() => null);
    return answer && node.moves.find((m) => m.position === answer.position);
  }

  fail(e) {
    if (this.nodes) {
      this.refuse(e);
      this.moved(this.state(), false);
      this.show();
      return;
    }
    this.element.replaceChildren(h('div', { class: 'card' }, h('h1', {}, title(this.game)), h('p', { role: 'alert', class: 'alert' }, reason(e)),
      h('p', {}, h('a', { href: link(this.game) }, t('first')))));
  }

  /** build makes the parts of the page that stay. */
  build() { this.keepFocus(() => this.make()); }

  make() {
    const { game } = this;
    this.board = this.layout ? document.createElement('yomikiri-board') : null;
    this.parts = {};
    const part = (name, tag = 'div', attributes = {}) => (this.parts[name] = h(tag, { id: name, ...attributes }));
    const button = (name, symbol, action, attributes) => h('button', {
      id: `do-${name}`, title: t(name), 'aria-label': t(name), onclick: action, ...attributes,
    }, symbol);
    this.parts.line = h('button', { id: 'do-line', onclick: () => (this.running ? (this.halt(), this.show()) : this.run()) });
    const input = h('input', { id: 'position', name: 'position', autocomplete: 'off', spellcheck: 'false', 'aria-label': t('paste') });
    this.parts.position = input;
    this.tools ??= [
      this.writable && game.formats && opener(game, this.given, (record) => this.open(record)),
      game.kind === 'database' && browse(game, this.browsed, (position) => this.jump(position)),
    ];
    this.element.replaceChildren(
      h('section', { class: 'stage' },
        part('players'),
        this.board ? [this.board, part('tap', 'p', { role: 'status' }), part('sides')] : [part('plain', 'pre'), part('tap', 'p')],
        h('div', { class: 'controls', role: 'toolbar', 'aria-label': t('moves') },
          button('first', icon('M6 5V19M19 5L9 12L19 19Z'), () => this.go(0)), button('back', icon('M17 5L7 12L17 19Z'), () => this.go(this.ply - 1)),
          button('forward', icon('M7 5L17 12L7 19Z'), () => this.go(this.ply + 1)), button('last', icon('M18 5V19M5 5L15 12L5 19Z'), () => this.go(this.made.length)),
          this.parts.line,
          this.board && button('flip', icon('M8 20V5M4 9L8 4L12 9M16 4V19M12 15L16 20L20 15', true), () => this.turnBoard()),
          this.editable && button('setup', t('setup'), () => this.edit()))),
      h('section', { class: 'side' },
        part('editor'),
        h('h1', {}, title(game), game.rules_text ? h('small', {}, rulesText(game)) : null),
        game.left_out ? note(leftOutText(game.left_out)) : null,
        part('opened', 'p', { class: 'faint' }),
        part('status', 'p', { class: 'status' }),
        part('alert', 'p', { role: 'alert', class: 'alert', hidden: true }),
        part('verdict'),
        part('choice'),
        part('best'),
        part('training'),
        part('panel'),
        part('moves'),
        part('game'),
        part('history'),
        h('form', { class: 'row', hidden: !this.writable, onsubmit: (e) => (e.preventDefault(), this.jump(input.value.trim())) },
          field(t('position'), input), h('button', { type: 'submit' }, t('go')),
          h('button', { id: 'do-link', onclick: (e) => this.copy(e.target) }, t('link'))),
        this.tools,
        this.board && h('details', {}, h('summary', {}, t('asText')), part('text')),
        note(t('keys'))));
    if (this.board) {
      this.board.id = 'board';
      this.board.addEventListener('choose', (e) => this.choose(e.detail));
      this.board.addEventListener('point', (e) => this.point(e.detail));
    }
    this.lay();
    this.show();
  }

  lay() {
    if (!this.board) return;
    this.board.lay(this.layout, this.upsideDown());
  }

  /** upsideDown: in a relative layout the side to move is below, so every other position is turned. */
  upsideDown() {
    return this.flipped !== Boolean(this.layout.relative && this.ply % 2);
  }

  turnBoard() {
    this.flipped = !this.flipped;
    this.lay();
    this.show();
  }

  /** open shows a game of a record, with estimates where there are no values. */
  async open(record) {
    const { position, hands, moves, error, japanese, source } = record;
    this.source = source && !error ? { ...source, position, moves } : null;
    this.opened = record;
    if (!this.valued) setting.set('estimates', true);
    const state = { position: position === this.game.start ? '' : position, hands, moves, ply: 0 };
    await this.enter(state, true);
    if (error) this.problem = () => reason({ code: 'bad_record', message: error, japanese });
    this.show();
  }

  /** jump goes to a position that was pasted. */
  async jump(text) {
    if (!text) return;
    try {
      const { position } = await this.ask(text);
      await this.enter({ position });
    } catch (e) {
      this.refuse(e);
      this.show();
    }
  }

  async copy(button) {
    const link = location.href;
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      prompt(t('link'), link);
    }
    button.textContent = t('copied');
    setTimeout(() => (button.textContent = t('link')), 1500);
  }

  /** movesTo writes the moves up to a ply. */
  movesTo(ply) { return this.made.slice(0, ply).map((m) => m.move); }

  state() {
    return {
      position: this.root === this.game.start ? '' : this.root,
      moves: this.movesTo(), ply: this.ply,
    };
  }

  /** go shows the position after some of the moves. */
  go(ply) {
    if (this.setting || ply < 0 || ply > this.made.length || ply === this.ply) return;
    this.halt();
    this.arrive(ply);
    this.moved(this.state(), false);
  }

  arrive(ply, slide) {
    const turned = this.layout?.relative && (ply - this.ply) % 2;
    Object.assign(this, { ply, chosen: [], marked: null, tapped: null, problem: null });
    if (turned) this.lay();
    this.show(slide);
  }

  /** play makes a move, or judges it as a guess. */
  async play(m, byMachine = false) {
    if (this.busy || this.node.moves.indexOf(m) < 0) return;
    if (!byMachine && this.guesses()) {
      this.guess(m);
      return;
    }
    if (!byMachine && !this.running) this.halt();
    this.busy = true;
    const from = this.node;
    const name = this.nameOf(m);
    try {
      const next = await this.after(m);
      if (this.node !== from) return;
      if (this.made[this.ply]?.move !== m.move) this.take(this.line[this.ply].after(m, next).line(), this.ply);
      const mover = this.mover(this.ply);
      this.arrive(this.ply + 1, { to: m.squares?.at(-1), place: m.drop ? { side: mover, kind: m.drop } : m.squares?.length > 1 ? m.squares[0] : null });
      this.moved(this.state(), !this.running);
      say(`${side(this.game, mover)}: ${name}. ${this.verdictText()}. ${this.estimateText()}`);
    } catch (e) {
      this.refuse(e);
      this.show();
      return;
    } finally {
      this.busy = false;
    }
    this.answer();
  }

  /** answer lets the computer move if it is its turn, at the end of the line. */
  answer() {
    clearTimeout(this.timer);
    const mover = this.mover(this.ply);
    if (this.running || !this.controls(mover) || this.ply < this.made.length) return;
    const { node } = this;
    this.timer = setTimeout(async () => {
      const thinking = (this.thinking = new AbortController());
      try {
        const m = await this.reply(thinking.signal);
        if (m && this.node === node && !thinking.signal.aborted) this.play(m, true);
      } catch (e) {
        if (this.node !== node || thinking.signal.aborted) return;
        this.refuse(e);
        this.show();
        if (e.code === 'busy') this.answer();
      }
    }, 500);
  }

  /** reply returns the computer's move: by values if there are some and it is to go by them, or else by a search. */
  async reply(signal) {
    const { node, ply, game } = this;
    const strength = this.strength();
    const level = levelOf(strength) || (node.category === 'unknown' ? game.levels : 0);
    if (!level && strength === 'perfect' && node.score != null) return this.following();
    if (!level || node.finished) return chooseMove(node, level ? 'perfect' : strength);
    const moves = this.movesTo(ply).join(',');
    const chosen = await this.patiently(anew(`${encodeURIComponent(game.name)}/move`, { position: this.root, moves, level }, signal));
    this.judged = { ...chosen, ply };
    return node.moves.find((m) => m.move === chosen.move) ?? null;
  }

  strengths() { return strengths(this.game, this.valued); }

  /** strength returns what was chosen, in this game or another, or what this game begins with. */
  strength() {
    const chosen = setting.get('strength', '');
    return this.strengths().some(([v]) => v === chosen) ? chosen : this.valued ? 'perfect' : 'level5';
  }

  controls(n) { return this.strengths().length > 0 && setting.get(`machine${n}`, false); }

  /** run plays the best line to its end. */
  async run() {
    this.running = true;
    if (await this.following()) this.moved(this.state(), true); // one entry for the whole line
    this.show();
    for (let m; (m = await this.following()) && this.running;) {
      await this.play(m, true);
      await new Promise((done) => setTimeout(done, 650));
      if (!this.running) return; // what ended it has shown what there is
    }
    this.running = false;
    this.show();
  }

  /** nextMove is the one with which the line goes on; play that goes round in circles ends. */
  nextMove() {
    const { node } = this;
    const seen = this.nodes.slice(0, this.ply).some((n, i) => n.position === node.position && (this.ply - i) % 2 === 0);
    return node.category === 'unknown' || seen ? null : node.moves[0] ?? null;
  }

  /**
   * following is nextMove, or a better one: among moves of the same score, that which the
   * server's line begins with brings captures nearer.
   */
  async following() {
    const { node } = this;
    const m = this.nextMove();
    if (!m || node.score == null) return m;
    const line = await get(`${this.address}/line`, { position: node.position }).catch(() => null);
    return node.moves.find((x) => x.move === line?.moves[0]) ?? m;
  }

  halt() {
    clearTimeout(this.timer);
    this.thinking?.abort();
    this.running = false;
  }

  /** steps returns the keys of the places to choose, one after the other, to make a move. */
  steps(m) {
    return m.drop ? [key({ side: this.mover(this.ply), kind: m.drop }), ...m.squares] : m.squares ?? [];
  }

  /** end returns where the piece ends that a move takes along several squares; none if the last is where an arrow or a wall goes. */
  end(m) { return m.move.includes('/') ? null : this.steps(m).at(-1); }

  /** begun returns the moves that some places begin, and do not yet end. */
  begun(chosen) {
    return this.node.moves.filter((m) => this.steps(m).length > chosen.length && chosen.every((name, i) => this.steps(m)[i] === name));
  }

  /**
   * candidates returns the moves that a place goes on with, after those chosen before, or
   * that end there: of a capture along several squares the last one will do.
   */
  candidates(place, chosen = this.chosen) {
    const name = key(place);
    const moves = this.begun(chosen);
    const next = moves.filter((m) => this.steps(m)[chosen.length] === name);
    if (next.length) return next;
    if (chosen.length) return moves.filter((m) => this.end(m) === name);
    if (this.layout.style !== 'columns') return [];
    const column = (square) => this.layout.squares.indexOf(square) % this.layout.columns.length;
    return moves.filter((m) => column(m.squares[0]) === column(place));
  }

  /** choose is a click on a square or a piece in hand. */
  choose(place) {
    if (this.setting) {
      this.setting.choose(place);
      return;
    }
    const name = key(place);
    const { marked } = this;
    this.marked = this.tapped = null;
    if (marked?.name === name) {
      this.decide(marked.moves);
      return;
    }
    const before = this.chosen;
    const again = this.chosen.length === 1 && this.chosen[0] === name;
    let list = again ? [] : this.candidates(place);
    if (!list.length) {
      this.chosen = [];
      list = again ? [] : this.candidates(place);
    }
    const n = this.chosen.length;
    const goOn = list.every((m) => this.steps(m)[n] === name && this.steps(m).length > n + 1);
    if (list.length && (!goOn || (n && list.length === 1))) {
      if (!this.board.tiny()) {
        this.decide(list);
        return;
      }
      this.marked = { name, moves: list };
      this.tapped = () => t('tapAgain', this.placeName(place));
    } else if (list.length) {
      this.chosen.push(name);
    } else if (!again) {
      this.tapped = () => this.whyNot(place, before);
    }
    this.show();
  }

  /** whyNot says why a tap has chosen nothing. */
  whyNot(place, before) {
    if (this.isOver(this.node)) return t('over');
    const piece = this.pieceAt(place);
    const moves = this.node.moves.some((m) => this.steps(m).length > 1);
    if (moves && !before.length && piece && piece.side !== this.mover(this.ply)) return t('toMove', side(this.game, this.mover(this.ply)));
    if (moves && !before.length && piece) return t('cannotMove', this.placeName(place));
    return t('notLegal', [...before, place].map((x) => this.placeName(this.board.places.get(key(x)))).join(' → '));
  }

  /** decide plays the only move of a list, or asks which one is meant. */
  decide(list) {
    if (list.length === 1) {
      this.play(list[0]);
      return;
    }
    this.parts.choice.replaceChildren(h('div', { class: 'row choice', role: 'group', 'aria-label': t('choose') }, t('choose'),
      list.map((m) => h('button', { onclick: () => this.play(m) }, this.nameOf(m), ' ', this.hints() ? chip(this.valueOf(m)) : null))));
    this.parts.choice.querySelector('button').focus();
  }

  /** point previews the move that a place would make. */
  point(place) {
    if (this.setting || !this.board?.svg) return; // it is being built
    const list = place && this.node ? this.candidates(place) : [];
    const ends = this.chosen.length || list.every((m) => this.steps(m).length === 1);
    this.preview(ends && list.length === 1 ? list[0] : null);
    if (list.length < 9) this.fetchAhead(list);
  }

  /** after returns the node after a move from here. */
  async after(m) { return this.follow(this.node, m, this.made.slice(0, this.ply)); }

  /** fetchAhead asks for what may be asked for next. */
  fetchAhead(list) {
    for (const m of list) this.after(m).catch(() => {});
  }

  /** preview shows the position after a move, or the real one again. */
  async preview(m) {
    if (!this.board?.svg || (this.previewed ?? null) === m) return;
    this.previewed = m;
    if (!m) {
      this.draw();
      return;
    }
    for (const row of this.parts.moves.querySelectorAll('.move')) row.classList.toggle('pointed', row.dataset.move === m.move);
    const next = await this.after(m).catch(() => null);
    if (this.previewed === m && next?.board) this.draw(next, m);
  }

  /** edit sets up a position by hand, beginning with what was not finished. */
  edit(draft = this.draft) {
    this.halt();
    this.chosen = [];
    const end = (position, left) => {
      this.setting = null;
      this.element.classList.remove('editing');
      this.draft = position ? null : left;
      if (!position) {
        this.parts.editor.replaceChildren();
        this.lay();
        this.show();
        this.pick('#do-setup').focus();
        return;
      }
      this.enter({ position }).then(() => this.pick('#do-setup')?.focus());
    };
    this.flipped = false;
    this.board.lay(this.layout, false);
    this.element.classList.add('editing');
    this.setting = setUp(this.game, this.board, this.node.board, draft, this.parts.editor, end, (position) => (this.valued ? get(...this.where(position)) : null));
    this.parts.editor.querySelector('.brush').focus({ preventScroll: true }); // what had the focus is hidden
    this.parts.editor.scrollIntoView({ block: 'nearest', behavior: calm() ? 'instant' : 'smooth' });
  }

  /** press is a key that is pressed anywhere but in a field or on the board. */
  press(key) {
    if (key === 'Escape' && this.setting) {
      this.setting.cancel();
      return true;
    }
    const action = {
      ArrowLeft: () => this.go(this.ply - 1), ArrowRight: () => this.go(this.ply + 1), Home: () => this.go(0), End: () => this.go(this.made.length),
      f: () => this.board && this.turnBoard(), h: () => (setting.set('hints', !setting.get('hints', true)), this.show()),
    }[key];
    if (action && this.nodes && !this.setting) action();
    return Boolean(action);
  }
}
