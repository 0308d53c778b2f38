// What the explorer shows of the state: the board with its marks, the verdict, the moves, the
// history and the players.
import { button, check, choice, h, note, setting } from './dom.js';
import { picture } from './pieces.js';
import { moveName, pieceName, provenBy, reason, refusal, side, squareName, status, t, value } from './text.js';

export const chip = (v) => h('span', { class: `value ${v.css}` }, h('span', { 'aria-hidden': 'true' }, `${v.symbol} ${v.number}`), h('span', { class: 'unseen' }, v.words));

/** Display has the methods of Play that show its state. */
export class Display {
  /** address is the game's in the API. */
  get address() { return encodeURIComponent(this.game.name); }

  /** pick returns an element of the page, and refuse says what the server has refused. */
  pick(selector) { return this.element.querySelector(selector); }

  refuse(e) { this.problem = () => reason(e); }

  show(slide) {
    if (!this.setting) this.keepFocus(() => this.update(slide));
  }

  /** keepFocus calls change, and gives the focus to what takes the place of the element that had it. */
  keepFocus(change) {
    const had = document.activeElement;
    const inside = this.element.contains(had);
    const name = inside && Object.keys(this.parts ?? {}).find((n) => this.parts[n].contains(had));
    const { place, move } = had?.dataset ?? {};
    change();
    if (!inside || (document.activeElement === had && !had.disabled)) return;
    if (document.contains(had) && !had.disabled) {
      had.focus({ preventScroll: true }); // it was put back
      return;
    }
    const find = (selector, within = this.element) => within?.querySelector(selector);
    const next = (place && find(`.cell[data-place="${place}"]`)) || (had.id && find(`#${CSS.escape(had.id)}:not(:disabled)`))
      || (move && find(`[data-move="${CSS.escape(move)}"]`, this.parts[name]))
      || (name && find(':is(button, a, select, [tabindex="0"]):not(:disabled)', this.parts[name]))
      || find('.controls button:not(:disabled)');
    next?.focus({ preventScroll: true });
  }

  update(slide) {
    const { parts, node } = this;
    this.previewed = null;
    this.board?.offer(null, []);
    this.draw(null, null, slide);
    if (parts.plain) parts.plain.textContent = node.position;
    parts.alert.hidden = !this.problem;
    parts.alert.textContent = this.problem?.() ?? '';
    parts.opened.textContent = this.openedText();
    parts.status.textContent = status(this.game);
    parts.status.className = `status ${this.game.state ?? ''}`;
    if (this.game.reason) parts.status.append(h('small', {}, ` ${refusal(this.game, this.game.reason, this.mover(0))}`));
    parts.choice.replaceChildren();
    parts.tap.textContent = this.tapped?.() ?? '';
    const unplaced = this.board ? node.moves.filter((m) => this.isUnplaced(m)) : [];
    parts.tap.append(...unplaced.flatMap((m) => [' ', h('button', { 'data-move': m.move, onclick: () => this.play(m) }, this.nameOf(m))]));
    if (this.marked) parts.tap.append(' ', button('do-confirm', t('confirm'), () => this.decide(this.marked.moves)));
    parts.line.textContent = this.running ? `■ ${t('stop')}` : this.lineLabel();
    parts.line.setAttribute('aria-pressed', this.running);
    const estimate = this.estimateText();
    const instead = this.instead();
    parts.verdict.replaceChildren(this.verdict(), estimate && h('p', { id: 'estimate', class: 'estimate' }, estimate), instead && h('p', { id: 'instead' }, instead));
    parts.best.replaceChildren(...this.bestMoves());
    parts.training.replaceChildren(...this.training());
    parts.moves.replaceChildren(this.moveList());
    parts.history.replaceChildren(...this.history());
    parts.game.replaceChildren(this.record());
    parts.players.replaceChildren(this.playersRow());
    parts.sides?.replaceChildren(...this.sides());
    if (document.activeElement !== parts.position) parts.position.value = node.position;
    const able = { first: this.ply > 0, back: this.ply > 0, forward: this.ply < this.made.length, last: this.ply < this.made.length };
    for (const [name, on] of Object.entries(able)) this.pick(`#do-${name}`).disabled = !on;
    parts.line.disabled = !this.running && (Boolean(this.guessing) || !this.nextMove());
    parts.line.hidden = parts.line.disabled && !this.valued;
    parts.panel.replaceChildren(...this.panel());
    if (parts.text) parts.text.replaceChildren(this.boardText());
    this.estimate();
  }

  /** openedText is what the record of the game that was opened says of it: its players and its result. */
  openedText() {
    const { title, points, resigned, position, moves } = this.opened ?? {};
    if (position !== this.root) return '';
    const first = this.mover(0);
    const winner = points == null ? moves.length % 2 === 1 : points > 0; // who resigns is to move
    const result = points === 0.5 ? t('isDraw') : points != null || resigned ? t('hasWon', side(this.game, winner ? first : 3 - first)) : '';
    return [title, result && t('result', result) + (resigned ? ` (${t('resigned')})` : '')].filter(Boolean).join(' · ');
  }

  /** taken is the time that a side has taken so far in the game that was opened. */
  taken(n) {
    const { seconds, position, moves } = this.opened ?? {};
    if (!seconds || position !== this.root || !this.made.slice(0, this.ply).every((m, i) => m.move === moves[i])) return '';
    const s = Math.round(seconds.slice(0, this.ply).reduce((sum, x, i) => sum + (this.mover(i) === n ? x : 0), 0));
    return ` ${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
  }

  lineLabel() { return t('playLine'); }

  /** panel is what other views show in addition. */
  panel() { return []; }

  /** hints reports whether values are shown. */
  hints() { return !this.guessing && setting.get('hints', true); }

  /** nameOf is a move of the position in the chosen language. */
  nameOf(m) { return moveName(this.layout, m, this.made[this.ply - 1]); }

  /** valueOf says how to show the value of a move. */
  valueOf(m) { return value(m, this.game, this.mover(this.ply)); }

  /** marks returns the best value of the moves that go on with each place. */
  marks() {
    const marks = new Map();
    const { chosen } = this;
    const add = (name, m) => {
      if (!marks.has(name)) marks.set(name, { ...this.valueOf(m), best: m.optimal });
    };
    const moves = this.begun(chosen); // best first
    for (const m of moves) add(this.steps(m)[chosen.length], m);
    if (chosen.length) for (const m of moves) if (this.end(m)) add(this.end(m), m);
    return marks;
  }

  /** isUnplaced reports whether a move puts nothing on an empty square and moves no piece, such as a pass or a swap. */
  isUnplaced(m) {
    const steps = this.steps(m);
    return !steps.length || (this.layout.style !== 'pits' && steps.length === 1 && Boolean(this.pieceAt(steps[0])));
  }

  /**
   * dots returns the targets that are drawn: those of the piece that was chosen, or the squares where a
   * stone can be placed, unless they are all that are empty.
   */
  dots(marks) {
    const squares = [...marks.keys()].filter((name) => this.layout.squares.includes(name) && (this.chosen.length || !this.pieceAt(name)));
    if (this.chosen.length) return squares;
    const placed = this.node.moves.every((m) => this.steps(m).length < 2);
    const all = this.layout.squares.filter(Boolean).length - this.node.board.pieces.length;
    return placed && this.layout.style !== 'pits' && squares.length < all ? squares : [];
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
      moved, slide, ghost: Boolean(next), chosen: this.marked ? [...this.chosen, this.marked.name] : this.chosen,
      targets: new Set(marks.keys()), dots: this.hints() || next ? [] : this.dots(marks),
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

  placeName(place) {
    return typeof place === 'string' ? squareName(this.layout, place) : t('hand', side(this.game, place.side));
  }

  /** placeText is what a screen reader says of a place. */
  placeText(place, piece, marks) {
    const name = this.placeName(place);
    let what = t('empty');
    if (this.layout.style === 'pits') what = t('stones', piece?.count ?? (piece ? 1 : 0));
    else if (piece) what = `${side(this.game, piece.side)} ${pieceName(this.game, piece.kind)}${piece.count > 1 ? ` ×${piece.count}` : ''}`;
    else if (typeof place !== 'string') what = `${pieceName(this.game, place.kind)} ×0`;
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

  verdictText(ply = this.ply) {
    const node = this.nodes[ply];
    const mover = side(this.game, this.mover(ply));
    const v = value(node, this.game, this.mover(ply));
    if (this.isOver(node)) return `${t('over')}: ${this.resultText(node, ply)}`;
    if (v.css === 'unknown' || !this.hints()) return t('toMove', mover);
    return `${t('toMove', mover)}: ${node.category === 'draw' && node.score == null ? t('willDraw') : v.words}`;
  }

  /** isOver reports whether nothing is left to hide: the game has ended, by the rules. */
  isOver(node) { return node.finished && !node.moves.length; }

  /** resultText says how a game has ended. */
  resultText(node, ply) {
    if (node.score != null) return this.aheadText(this.total(ply));
    if (node.category === 'draw') return t('isDraw');
    return t('hasWon', side(this.game, node.category === 'win' ? this.mover(ply) : 3 - this.mover(ply)));
  }

  /** estimateText says what is proven of the position, or what a search thinks of it or of the computer's last move. */
  estimateText() {
    const { judged, ply } = this;
    const b = this.line[ply];
    if (this.proven(b)) return this.provenText(b, ply);
    if (this.estimates() && this.unjudged(b)) return ''; // the search that lists candidates says it
    const rate = this.rate(b, ply);
    if (rate !== null) return this.rateText(rate);
    if (this.guessing || (this.valued && !this.hints())) return '';
    if (!judged || (!judged.estimate && !judged.proved_by && !judged.chosen_by) || judged.ply !== ply - 1 || judged.position !== this.nodes[ply - 1].position || judged.move !== this.made[ply - 1].move) return '';
    if (judged.chosen_by) return t('byBook');
    if (judged.proved_by) return provenBy(judged, this.game, this.mover(ply - 1));
    const { win_rate: own } = judged.estimate;
    return this.rateText(this.mover(ply - 1) === 1 ? own : 1 - own);
  }

  verdict() {
    const v = value(this.hints() || this.isOver(this.node) ? this.node : null, this.game, this.mover(this.ply));
    return h('div', { class: `verdict ${v.css}` },
      v.css === 'unknown' ? null : h('span', { class: 'big', 'aria-hidden': 'true' }, `${v.symbol} ${v.number}`),
      h('span', { id: 'verdict-text' }, this.verdictText(), this.node.refused ? h('small', {}, reason(this.node.refused)) : null,
        h('span', { class: 'probing' }, t('probing'))));
  }

  /** cost says what a move gives away in a node. */
  cost(m, node = this.node) {
    if (m.category === 'unknown') return '';
    if (m.optimal) return t('best');
    if (m.score != null) return t('gives', node.score - m.score);
    if (!m.preserves_result) return node.category === 'win' ? t('loses') : t('losesDraw');
    if (m.dtm == null || node.dtm == null) return '';
    return node.category === 'win' ? t('slower', m.dtm - node.dtm) : t('sooner', node.dtm - m.dtm);
  }

  moveList() {
    const { node } = this;
    if (!node.moves.length) return note(t('noMoves'));
    const hints = this.hints();
    return h('div', { class: 'card moves' },
      h('div', { class: 'row between' }, h('h2', {}, t('moves')),
        this.valued && check('hints', t('hints'), hints, (on) => (setting.set('hints', on), this.show(), this.pick('#hints').focus()), Boolean(this.guessing))),
      h('ol', { class: hints ? null : 'bare' }, (hints ? node.moves : [...node.moves].sort((a, b) => (a.move < b.move ? -1 : 1)))
        .map((m) => this.moveItem(m, hints && m.optimal ? ' best' : '', hints ? [chip(this.valueOf(m)), h('span', { class: 'cost' }, this.cost(m))] : null))));
  }

  /** moveItem is a move of a list, with what is said of it. */
  moveItem(m, css, words) {
    return h('li', {}, h('button', {
      class: `move${css}`, 'data-move': m.move,
      onclick: () => this.play(m),
      onpointerenter: (e) => e.pointerType === 'mouse' && this.preview(m), onpointerleave: () => this.preview(null),
      onfocus: (e) => e.target.matches(':focus-visible') && this.preview(m), onblur: () => this.preview(null),
    }, h('span', { class: 'name' }, this.nameOf(m)), words));
  }

  /** sides says which player is to move, and the pieces that each has on the board and in hand. */
  sides() {
    const { kinds, style, relative } = this.layout;
    const { pieces } = this.node.board;
    const turn = this.isOver(this.node) ? 0 : this.mover(this.ply);
    const name = (n) => h('b', {}, n === turn ? t('toMove', side(this.game, n)) : side(this.game, n));
    if (style === 'pits' || relative) return turn ? [h('p', { class: 'turn' }, name(turn))] : [];
    const sum = (list) => list.reduce((n, p) => n + (p.count ?? 1), 0);
    const item = (kind, n, count) => [picture(this.layout, kind, n),
      h('span', { class: 'unseen' }, pieceName(this.game, kind.name)), `×${count}`];
    return [1, 2].map((n) => {
      const own = pieces.filter((p) => p.side === n && p.kind !== 'wall');
      const placed = own.filter((p) => p.square);
      const counts = (list) => kinds.map((k) => [k, sum(list.filter((p) => p.kind === k.name))]).filter(([, count]) => count);
      const hand = counts(own.filter((p) => !p.square));
      return h('p', { class: `side${n}${n === turn ? ' turn' : ''}` }, name(n), ' ',
        kinds.length > 2 ? t('pieceCount', sum(placed)) : (placed.length ? counts(placed) : [[kinds[0], 0]]).map(([k, count]) => [item(k, n, count), ' ']),
        hand.length ? [' + ', hand.map(([k, count]) => [item(k, n, count), ' '])] : null, style === 'hexagons' ? t(`edges${n}`) : null, h('span', { class: 'clock' }, this.taken(n)));
    });
  }

  playersRow() {
    const list = this.strengths();
    if (!list.length) return h('div', {});
    const choose = (id, name, v) => {
      setting.set(name, v);
      this.halt();
      this.show();
      this.pick(`#${id}`).focus();
      this.answer();
    };
    const who = (n) => choice(side(this.game, n), `player${n}`, [[0, t('you')], [1, t('machine')]], Number(this.controls(n)), (v) => choose(`player${n}`, `machine${n}`, v === '1'));
    return h('div', { class: 'row players' }, who(1), who(2), this.controls(1) || this.controls(2)
      ? choice(t('strength'), 'strength', list, this.strength(), (v) => choose('strength', 'strength', v)) : null,
    button('do-restart', t('restart'), () => this.restart()));
  }

  restart() { this.enter({}); }

  boardText() {
    const taken = [...this.board.places.values()].map((place) => [place, this.pieceAt(place)]).filter(([, piece]) => piece);
    return h('div', {}, h('p', {}, this.verdictText()), h('p', {}, h('code', {}, this.node.position)), h('ul', {}, taken.map(([place, piece]) => h('li', {}, this.placeText(place, piece, new Map())))));
  }
}
