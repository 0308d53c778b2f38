// A walk through a proof file: one move where the claim's side is to move, all replies where
// the other side is, down to what a certificate proves. It shows what is proven only once the
// proof was checked.
import { get, h } from './dom.js';
import { Play } from './play.js';
import { claimText, proven, side, symbols, t } from './text.js';

const css = { win: 'win', loss: 'loss' };

/** Proof is the view of a proof file. */
export class Proof extends Play {
  load(state, stepped) {
    this.wanted = state;
    this.claim = state.claim || this.game.claims[0];
    return super.load({ ...state, position: '' }, stepped);
  }

  state() {
    return { moves: this.made.map((m) => m.move), ply: this.ply, claim: this.claim === this.game.claims[0] ? '' : this.claim };
  }

  /** served asks again for what is shown, which depends on what was found out. */
  served(game) {
    this.game = game;
    this.load(this.nodes ? this.state() : this.wanted, true);
  }

  at(moves) {
    return this.patiently(get(`proof/${encodeURIComponent(this.game.name)}`, { claim: this.claim.replaceAll(' ', '_'), path: moves.map((m) => m.move).join(',') }));
  }

  ask() { return this.at([]); }

  follow(node, m, path) { return this.at([...path, m]); }

  get writable() { return false; }

  hints() { return false; }

  answer() { /* there is no opponent */ }

  playersRow() { return h('div', {}); }

  history() { return []; }

  find() { return null; }

  askAll() { return Promise.resolve(); }

  nextMove() { return this.node.moves[0] ?? null; }

  lineLabel() { return t('playFound'); }

  verdict() {
    const { proves } = this.node;
    return h('div', { class: `verdict ${proves ? css[proves] ?? 'draw' : 'unknown'}` }, proves ? h('span', { class: 'big', 'aria-hidden': 'true' }, symbols[proves]) : null,
      h('span', { id: 'verdict-text' }, this.verdictText(), h('span', { class: 'probing' }, t('probing'))));
  }

  verdictText() {
    const mover = side(this.game, this.mover(this.ply));
    const { proves } = this.node;
    return `${t('toMove', mover)}${proves ? `: ${proven(this.game, proves)}` : ''}`;
  }

  panel() {
    const { node, game } = this;
    const claims = game.claims.length < 2 ? h('strong', {}, claimText(this.claim)) : h('select', {
      id: 'claim', 'aria-label': t('claim'),
      onchange: (e) => { this.moved({ claim: e.target.value }, true); this.load({ claim: e.target.value, moves: [] }); },
    }, game.claims.map((c) => h('option', { value: c, selected: c === this.claim }, claimText(c))));
    const checked = node.state === 'checked';
    return [h('div', { class: `card proof${checked ? ` by-${node.kind}` : ''}` }, h('p', {}, `${t('claim')}: `, claims),
      checked ? h('p', { id: 'proof-kind' }, t(`by_${node.kind}`, node.certificate_bytes ?? 0)) : null,
      h('p', { class: 'faint' }, [node.node ? t('node', node.node) : '', node.rank && node.proves === 'win' ? t('rank', node.rank) : ''].filter(Boolean).join(', ')))];
  }

  moveList() {
    const { node } = this;
    if (!node.moves.length) return h('div', {});
    return h('div', { class: 'card moves' }, h('h2', {}, t('moves')), h('ol', { class: 'proof' }, node.moves.map((m, i) => h('li', {}, h('button', {
      type: 'button', class: 'move', 'data-move': m.move, onclick: () => this.play(m),
      onpointerenter: (e) => e.pointerType === 'mouse' && this.preview(m), onpointerleave: () => this.preview(null),
    }, h('span', { class: 'name' }, m.move), node.state === 'checked' ? h('span', { class: `kind is-${node.move_kinds[i]}` }, t(`is_${node.move_kinds[i]}`)) : null)))));
  }

  drawings(preview) {
    const { node } = this;
    if (preview || this.layout.style === 'pits' || node.state !== 'checked') return {};
    return { numbers: node.moves.length < 2 || !node.moves[0].squares ? [] : node.moves.filter((m) => m.squares.length === 1 && !m.drop)
      .map((m) => [m.squares[0], node.move_kinds[node.moves.indexOf(m)] === 'certificate' ? '◆' : '•']) };
  }
}
