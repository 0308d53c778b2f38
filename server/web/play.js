// The explorer of a game: a position with its moves, the game that led there, and an
// opponent.
import './board.js';
import { chart } from './chart.js';
import { calm, get, h, s, say, setting, slowly } from './dom.js';
import { chooseMove, strengths } from './opponent.js';
import { setUp } from './setup.js';
import { pieceName, side, signed, t, title, value } from './text.js';

export const chip = (v) => h('span', { class: `value ${v.css}` }, h('span', { 'aria-hidden': 'true' }, `${v.symbol} ${v.number}`), h('span', { class: 'unseen' }, v.words));

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

/** Play is the explorer of one game. */
export class Play {
  /** state is where to begin: position, moves, and ply if not all are made. */
  constructor(game, state, moved) {
    this.game = game;
    this.layout = game.layout;
    this.moved = moved; // is told the state whenever it changes
    this.flipped = false;
    this.element = h('div', { class: 'play' }, h('p', { class: 'probing' }, t('probing')));
    this.load(state);
  }

  /** writable: positions can be pasted; editable: they can be set up by hand. */
  get writable() { return true; }

  get editable() { return this.writable && Boolean(this.layout); }

  get node() { return this.nodes[this.ply]; }

  /** mover returns the side to move at a ply. */
  mover(ply) {
    const turn = this.nodes[ply]?.board?.turn;
    return this.layout && !this.layout.relative && turn ? turn : 1 + (ply % 2);
  }

  ask(position) {
    const query = { position: position.replaceAll(' ', '_') };
    if (this.layout) query.board = 1;
    return this.patiently(get(encodeURIComponent(this.game.name), query));
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
    const turn = (this.turn = {}); // a later call makes this one stale
    const root = position || this.game.start;
    try {
      const nodes = [await this.ask(root)];
      const made = [];
      for (const text of moves) {
        const last = nodes.at(-1);
        const m = last.moves.find((x) => x.move === text) ?? await this.find(last, text);
        if (!m) {
          this.problem = t('badMove', text);
          break;
        }
        nodes.push(await this.follow(last, m, made));
        made.push(m);
        if (this.turn !== turn) return;
      }
      if (this.turn !== turn) return;
      this.root = root;
      Object.assign(this, { nodes, made, ply: Math.min(ply, made.length), chosen: null, setting: null });
    } catch (e) {
      if (this.turn !== turn) return;
      this.fail(e);
      return;
    }
    this.element.classList.remove('editing');
    this.build();
    if (!stepped) this.answer();
  }

  /** find returns the move of another spelling. */
  async find(node, text) {
    const answer = await get(encodeURIComponent(this.game.name), { position: node.position.replaceAll(' ', '_'), moves: text }).catch(() => null);
    return answer && node.moves.find((m) => m.position === answer.position);
  }

  fail(e) {
    if (this.nodes) {
      this.problem = e.message || t('offline');
      this.moved(this.state(), false);
      this.show();
      return;
    }
    this.element.replaceChildren(h('div', { class: 'card' }, h('h1', {}, title(this.game)), h('p', { role: 'alert', class: 'alert' }, e.message || t('offline')),
      h('p', {}, h('a', { href: `?game=${encodeURIComponent(this.game.name)}` }, t('first')))));
  }

  /** build makes the parts of the page that stay. */
  build() {
    const { game } = this;
    this.board = this.layout ? document.createElement('yomikiri-board') : null;
    this.parts = {};
    const part = (name, tag, attributes) => (this.parts[name] = h(tag, { id: name, ...attributes }));
    const button = (name, symbol, action, attributes) => h('button', {
      type: 'button', id: `do-${name}`, title: t(name), 'aria-label': t(name), onclick: action, ...attributes,
    }, symbol);
    this.parts.line = h('button', { type: 'button', id: 'do-line', onclick: () => (this.running ? this.halt() : this.run()) });
    const input = h('input', { id: 'position', name: 'position', autocomplete: 'off', spellcheck: 'false', 'aria-label': t('paste') });
    this.parts.position = input;
    this.element.replaceChildren(
      h('section', { class: 'stage' },
        part('players', 'div', {}),
        this.board ?? part('plain', 'pre', {}),
        h('div', { class: 'controls', role: 'toolbar', 'aria-label': t('moves') },
          button('first', icon('M6 5V19M19 5L9 12L19 19Z'), () => this.go(0)), button('back', icon('M17 5L7 12L17 19Z'), () => this.go(this.ply - 1)),
          button('forward', icon('M7 5L17 12L7 19Z'), () => this.go(this.ply + 1)), button('last', icon('M18 5V19M5 5L15 12L5 19Z'), () => this.go(this.made.length)),
          this.parts.line,
          this.board && button('flip', icon('M8 20V5M4 9L8 4L12 9M16 4V19M12 15L16 20L20 15', true), () => this.turnBoard()),
          this.editable && button('setup', t('setup'), () => this.edit()))),
      h('section', { class: 'side' },
        part('editor', 'div', {}),
        h('h1', {}, title(game), game.rules_text ? h('small', {}, game.rules_text) : null),
        part('alert', 'p', { role: 'alert', class: 'alert', hidden: true }),
        part('verdict', 'div', {}),
        part('choice', 'div', {}),
        part('panel', 'div', {}),
        part('moves', 'div', {}),
        part('game', 'div', {}),
        part('history', 'div', {}),
        h('form', { class: 'row', hidden: !this.writable, onsubmit: (e) => (e.preventDefault(), this.jump(input.value.trim())) },
          h('label', {}, h('span', {}, t('position')), input), h('button', { type: 'submit' }, t('go')),
          h('button', { type: 'button', id: 'do-link', onclick: (e) => this.copy(e.target) }, t('link'))),
        this.board && h('details', {}, h('summary', {}, t('asText')), part('text', 'div', {})),
        h('p', { class: 'faint' }, t('keys'))));
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

  /** jump goes to a position that was pasted. */
  async jump(text) {
    if (!text) return;
    try {
      const { position } = await this.ask(text);
      this.moved({ position }, true);
      await this.load({ position });
    } catch (e) {
      this.problem = e.message || t('offline');
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

  state() {
    return {
      position: this.root === this.game.start ? '' : this.root,
      moves: this.made.map((m) => m.move), ply: this.ply,
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
    this.ply = ply;
    this.chosen = null;
    this.problem = '';
    if (turned) this.lay();
    this.show(slide);
  }

  /** play makes a move. */
  async play(m, byMachine = false) {
    if (this.busy || this.node.moves.indexOf(m) < 0) return;
    if (!byMachine && !this.running) this.halt();
    this.busy = true;
    const from = this.node;
    try {
      const next = await this.follow(from, m, this.made.slice(0, this.ply));
      if (this.node !== from) return;
      if (this.made[this.ply]?.move !== m.move) {
        this.made.length = this.ply;
        this.nodes.length = this.ply + 1;
        this.made.push(m);
        this.nodes.push(next);
      }
      const mover = this.mover(this.ply);
      this.arrive(this.ply + 1, { to: m.squares?.at(-1), place: m.drop ? { side: mover, kind: m.drop } : m.squares?.length > 1 ? m.squares[0] : null });
      this.moved(this.state(), !this.running);
      say(`${side(this.game, mover)}: ${m.move}. ${this.verdictText()}`);
    } catch (e) {
      this.problem = e.message || t('offline');
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
    if (this.running || !this.controls(mover) || this.ply < this.made.length || this.node.finished) return;
    const { node } = this;
    this.timer = setTimeout(() => {
      const m = chooseMove(node, setting.get('strength', 'perfect'));
      if (m && this.node === node) this.play(m, true);
    }, 500);
  }

  controls(n) { return setting.get(`machine${n}`, false); }

  /** run plays the best line to its end. */
  async run() {
    this.running = true;
    this.show();
    for (let m; this.running && (m = this.nextMove());) {
      await this.play(m, true);
      await new Promise((done) => setTimeout(done, 650));
    }
    this.running = false;
    this.show();
  }

  /** nextMove is the one with which the line goes on; play that goes round in circles ends. */
  nextMove() {
    const { node } = this;
    const seen = this.nodes.slice(0, this.ply + 1).filter((n) => n.position === node.position).length;
    return node.category === 'unknown' || node.finished || seen > 1 ? null : node.moves[0];
  }

  halt() {
    clearTimeout(this.timer);
    this.running = false;
  }

  /** candidates returns the moves that a place can begin, or end once one is chosen. */
  candidates(place, first = this.chosen) {
    const { moves } = this.node;
    const mover = this.mover(this.ply);
    if (typeof place !== 'string') return place.side === mover ? moves.filter((m) => m.drop === place.kind) : [];
    if (first) {
      return moves.filter((m) => (typeof first === 'string' ? m.squares?.[0] === first && !m.drop && m.squares.length > 1 : m.drop === first.kind) && m.squares.at(-1) === place);
    }
    const exact = moves.filter((m) => !m.drop && m.squares?.[0] === place);
    if (exact.length || this.layout.style !== 'columns') return exact;
    const column = (square) => this.layout.squares.indexOf(square) % this.layout.columns.length;
    return moves.filter((m) => column(m.squares[0]) === column(place));
  }

  /** choose is a click on a square or a piece in hand. */
  choose(place) {
    if (this.setting) {
      this.setting.choose(place);
      return;
    }
    const same = this.chosen && JSON.stringify(this.chosen) === JSON.stringify(place);
    const list = this.chosen ? this.candidates(place) : [];
    if (!same && list.length) {
      this.decide(list);
      return;
    }
    const begun = same ? [] : this.candidates(place, null);
    if (begun.length && typeof place === 'string' && begun.every((m) => m.squares.length === 1)) {
      this.decide(begun);
      return;
    }
    this.chosen = begun.length ? place : null;
    this.show();
  }

  /** decide plays the only move of a list, or asks which one is meant. */
  decide(list) {
    if (list.length === 1) {
      this.play(list[0]);
      return;
    }
    this.parts.choice.replaceChildren(h('div', { class: 'row choice', role: 'group', 'aria-label': t('choose') }, t('choose'),
      list.map((m) => h('button', { type: 'button', onclick: () => this.play(m) }, m.move, ' ', chip(value(m))))));
    this.parts.choice.querySelector('button').focus();
  }

  /** point previews the move that a place would make. */
  point(place) {
    if (this.setting || !this.board) return;
    const list = place && this.node ? this.candidates(place) : [];
    const only = this.chosen || (place && typeof place === 'string' && list.every((m) => m.squares.length === 1)) ? list : [];
    this.preview(only.length === 1 ? only[0] : null);
    if (list.length < 9) this.fetchAhead(list);
  }

  /** fetchAhead asks for what may be asked for next. */
  fetchAhead(list) {
    for (const m of list) Promise.resolve(this.follow(this.node, m, this.made.slice(0, this.ply))).catch(() => {});
  }

  /** preview shows the position after a move, or the real one again. */
  async preview(m) {
    if (!this.board || (this.previewed ?? null) === m) return;
    this.previewed = m;
    if (!m) {
      this.draw();
      return;
    }
    for (const row of this.parts.moves.querySelectorAll('.move')) row.classList.toggle('pointed', row.dataset.move === m.move);
    const next = await Promise.resolve(this.follow(this.node, m, this.made.slice(0, this.ply))).catch(() => null);
    if (this.previewed === m && next?.board) this.draw(next, m);
  }

  // What follows shows the state.

  show(slide) {
    if (this.setting) return;
    const { parts, node } = this;
    this.previewed = null;
    this.draw(null, null, slide);
    if (parts.plain) parts.plain.textContent = node.position;
    parts.alert.hidden = !this.problem;
    parts.alert.textContent = this.problem ?? '';
    parts.choice.replaceChildren();
    parts.line.textContent = this.running ? `■ ${t('stop')}` : this.lineLabel();
    parts.line.setAttribute('aria-pressed', this.running);
    parts.verdict.replaceChildren(this.verdict());
    parts.moves.replaceChildren(this.moveList());
    parts.history.replaceChildren(...this.history());
    parts.game.replaceChildren(this.record());
    parts.players.replaceChildren(this.playersRow());
    if (document.activeElement !== parts.position) parts.position.value = node.position;
    const able = { first: this.ply > 0, back: this.ply > 0, forward: this.ply < this.made.length, last: this.ply < this.made.length };
    for (const [name, on] of Object.entries(able)) this.element.querySelector(`#do-${name}`).disabled = !on;
    parts.line.disabled = !this.running && !this.nextMove();
    parts.panel.replaceChildren(...this.panel());
    if (parts.text) parts.text.replaceChildren(this.boardText());
  }

  lineLabel() { return t('playLine'); }

  /** panel is what other views show in addition. */
  panel() { return []; }

  hints() { return setting.get('hints', true); }

  /** best returns the best value of the moves that each place begins or ends. */
  marks() {
    const marks = new Map();
    const mover = this.mover(this.ply);
    const { moves } = this.node;
    const add = (name, m) => {
      if (!marks.has(name)) marks.set(name, { ...value(m), best: m.optimal });
    };
    for (const m of moves) { // best first
      if (!m.squares) continue;
      if (this.chosen) {
        const fits = typeof this.chosen === 'string' ? !m.drop && m.squares[0] === this.chosen : m.drop === this.chosen.kind;
        if (fits) add(m.squares.at(-1), m);
      } else {
        add(m.drop ? `${mover}*${m.drop}` : m.squares[0], m);
      }
    }
    return marks;
  }

  draw(next = null, preview = null, slide = null) {
    if (!this.board || this.setting) return;
    const { node, ply } = this;
    const marks = this.marks();
    const turned = next && this.layout.relative;
    const last = preview ?? (ply > 0 ? this.made[ply - 1] : null);
    const seen = next?.board ?? node.board;
    const over = this.layout.relative && !preview; // the last move was made from the other side
    const moved = (last?.squares ?? []).map((q) => (over ? this.opposite(q) : q));
    this.board.show({
      board: turned ? this.turned(seen) : seen,
      moved, slide, ghost: Boolean(next), chosen: this.chosen,
      targets: new Set(marks.keys()),
      marks: this.hints() && !next ? marks : new Map(),
      stores: this.layout.style === 'pits' ? this.stores() : null,
      ...this.drawings(next),
      label: `${t('board')}. ${this.verdictText()}`,
      name: (place, piece) => this.placeText(place, next ? this.pieceAt(place) : piece, marks),
    });
  }

  /** opposite returns the square that the other side sees where this one sees a square. */
  opposite(square) {
    const { squares } = this.layout;
    return squares[squares.length - 1 - squares.indexOf(square)];
  }

  /** turned returns a board of a relative layout with the sides exchanged. */
  turned(board) {
    return { turn: board.turn, pieces: board.pieces.map((p) => ({ ...p, side: 3 - p.side, square: this.opposite(p.square) })) };
  }

  /** drawings is what other views draw on the board in addition. */
  drawings() { return {}; }

  pieceAt(place) {
    return this.node.board.pieces.find((p) => (typeof place === 'string' ? p.square === place : !p.square && p.kind === place.kind && p.side === place.side));
  }

  /** placeText is what a screen reader says of a place. */
  placeText(place, piece, marks) {
    const name = typeof place === 'string' ? place : t('hand', side(this.game, place.side));
    let what = t('empty');
    if (this.layout.style === 'pits') what = t('stones', piece?.count ?? (piece ? 1 : 0));
    else if (piece) what = `${side(this.game, piece.side)} ${pieceName(piece.kind)}${piece.count > 1 ? ` ×${piece.count}` : ''}`;
    else if (typeof place !== 'string') what = `${pieceName(place.kind)} ×0`;
    const v = marks.get(typeof place === 'string' ? place : `${place.side}*${place.kind}`);
    return `${name}: ${what}${v ? `, ${this.hints() ? v.words : t('onMove')}` : ''}`;
  }

  /** totals returns the stones on the board at each ply. */
  stones(ply) {
    return this.nodes[ply].board.pieces.reduce((sum, p) => sum + (p.count ?? 1), 0);
  }

  /** captured returns the stones that both sides have won by a ply. */
  captured(ply) {
    const won = [0, 0];
    for (let i = 1; i <= ply; i++) won[(i - 1) % 2] += this.stones(i - 1) - this.stones(i);
    return won;
  }

  stores() {
    const [one, two] = this.captured(this.ply);
    return this.flipped ? [two, one] : [one, two];
  }

  verdictText() {
    const { node } = this;
    const mover = side(this.game, this.mover(this.ply));
    const other = side(this.game, 3 - this.mover(this.ply));
    const v = value(node);
    if (node.finished && node.moves.length === 0 && node.score == null) {
      const result = { win: t('wins', mover), loss: t('wins', other), draw: t('isDraw') }[node.category];
      return `${t('over')}: ${result}`;
    }
    if (node.finished) return `${t('over')}: ${v.words}`;
    if (node.category === 'unknown') return `${t('toMove', mover)}`;
    let what;
    if (node.score != null) what = node.score === 0 ? t('even') : t('willLead', node.score > 0 ? mover : other, Math.abs(node.score));
    else if (node.category === 'draw') what = t('willDraw');
    else what = t('willWin', node.category === 'win' ? mover : other, node.dtm);
    return `${t('toMove', mover)}: ${what}`;
  }

  verdict() {
    const v = value(this.node);
    return h('div', { class: `verdict ${v.css}` },
      v.css === 'unknown' ? null : h('span', { class: 'big', 'aria-hidden': 'true' }, `${v.symbol} ${v.number}`),
      h('span', { id: 'verdict-text' }, this.verdictText(), this.node.reason ? h('small', {}, this.node.reason) : null,
        h('span', { class: 'probing' }, t('probing'))));
  }

  /** cost says what a move gives away. */
  cost(m) {
    const { node } = this;
    if (m.optimal) return t('best');
    if (m.score != null) return t('gives', node.score - m.score);
    if (!m.preserves_result) return node.category === 'win' ? t('loses') : t('losesDraw');
    if (m.dtm == null || node.dtm == null) return '';
    return node.category === 'win' ? t('slower', m.dtm - node.dtm) : t('sooner', node.dtm - m.dtm);
  }

  moveList() {
    const { node } = this;
    if (!node.moves.length) return h('p', { class: 'faint' }, t('noMoves'));
    const hints = this.hints();
    return h('div', { class: 'card moves' },
      h('div', { class: 'row between' }, h('h2', {}, t('moves')),
        h('label', { class: 'check' }, h('input', {
          type: 'checkbox', id: 'hints', checked: hints, onchange: (e) => (setting.set('hints', e.target.checked), this.show(), this.element.querySelector('#hints').focus()),
        }), t('hints'))),
      h('ol', { class: hints ? null : 'bare' }, (hints ? node.moves : [...node.moves].sort((a, b) => (a.move < b.move ? -1 : 1))).map((m) => h('li', {}, h('button', {
        type: 'button', class: `move${hints && m.optimal ? ' best' : ''}`, 'data-move': m.move,
        onclick: () => this.play(m),
        onpointerenter: (e) => e.pointerType === 'mouse' && this.preview(m), onpointerleave: () => this.preview(null),
        onfocus: (e) => e.target.matches(':focus-visible') && this.preview(m), onblur: () => this.preview(null),
      }, h('span', { class: 'name' }, m.move), hints ? chip(value(m)) : null, hints ? h('span', { class: 'cost' }, this.cost(m)) : null)))));
  }

  history() {
    const points = this.nodes.map((n, i) => {
      const mover = this.mover(i);
      const move = this.made[i - 1]?.move;
      const words = `${t('toMove', side(this.game, mover))}, ${value(n).words}`;
      if (n.category === 'unknown') return { category: 'unknown', words, move };
      if (n.score != null) {
        const won = this.layout?.style === 'pits' ? this.captured(i) : [0, 0];
        const total = (mover === 1 ? n.score : -n.score) + won[0] - won[1];
        return { total, words: t('points', signed(total)), move };
      }
      const category = mover === 1 ? n.category : { win: 'loss', loss: 'win' }[n.category] ?? n.category;
      return { category, dtm: n.dtm, words, move };
    });
    return [h('div', { class: 'card' }, h('h2', {}, t('history')),
      chart(points, this.ply, [1, 2].map((n) => side(this.game, n)), (i) => this.go(i)),
      h('p', { class: 'faint' }, t('historyHelp', side(this.game, 1))))];
  }

  record() {
    return h('ol', { class: 'record', 'aria-label': t('move') }, this.made.map((m, i) => h('li', {}, h('button', {
      type: 'button', 'aria-current': i + 1 === this.ply ? 'step' : null, onclick: () => this.go(i + 1),
    }, `${i + 1} ${m.move}`))));
  }

  playersRow() {
    const who = (n) => h('label', {}, h('span', {}, side(this.game, n)), h('select', {
      id: `player${n}`, onchange: (e) => (setting.set(`machine${n}`, e.target.value === '1'), this.halt(), this.show(), this.answer()),
    }, [[0, t('you')], [1, t('machine')]].map(([v, text]) => h('option', { value: v, selected: this.controls(n) === Boolean(v) }, text))));
    const strength = setting.get('strength', 'perfect');
    return h('div', { class: 'row players' }, who(1), who(2), this.controls(1) || this.controls(2) ? h('label', {}, h('span', {}, t('strength')),
      h('select', { id: 'strength', onchange: (e) => setting.set('strength', e.target.value) },
        strengths(this.node).map(([v, text]) => h('option', { value: v, selected: v === strength }, text)))) : null,
    h('button', { type: 'button', id: 'do-restart', onclick: () => this.restart() }, t('restart')));
  }

  restart() {
    this.moved({}, true);
    this.load({});
  }

  boardText() {
    const rows = [];
    const at = new Map(this.node.board.pieces.filter((p) => p.square).map((p) => [p.square, p]));
    for (const square of this.layout.squares) {
      const piece = at.get(square);
      if (piece) rows.push(h('li', {}, `${square}: ${this.layout.style === 'pits' ? t('stones', piece.count ?? 1) : `${side(this.game, piece.side)} ${pieceName(piece.kind)}`}`));
    }
    for (const piece of this.node.board.pieces.filter((p) => !p.square)) {
      rows.push(h('li', {}, `${t('hand', side(this.game, piece.side))}: ${pieceName(piece.kind)} ×${piece.count ?? 1}`));
    }
    return h('div', {}, h('p', {}, this.verdictText()), h('p', {}, h('code', {}, this.node.position)), h('ul', {}, rows));
  }

  /** edit sets up a position by hand. */
  edit() {
    this.halt();
    this.chosen = null;
    const end = (position) => {
      this.setting = null;
      this.element.classList.remove('editing');
      this.parts.editor.replaceChildren();
      if (!position) {
        this.lay();
        this.show();
        return;
      }
      this.moved({ position }, true);
      this.load({ position });
    };
    this.flipped = false;
    this.board.lay(this.layout, false);
    this.element.classList.add('editing');
    this.setting = setUp(this.game, this.board, this.node.board, this.parts.editor, end);
    if (!calm()) this.parts.editor.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }

  /** press is a key that is pressed anywhere but in a field or on the board. */
  press(key) {
    const action = {
      ArrowLeft: () => this.go(this.ply - 1), ArrowRight: () => this.go(this.ply + 1), Home: () => this.go(0), End: () => this.go(this.made.length),
      f: () => this.board && this.turnBoard(), h: () => (setting.set('hints', !setting.get('hints', true)), this.show()),
    }[key];
    if (action && this.nodes && !this.setting) action();
    return Boolean(action);
  }
}
