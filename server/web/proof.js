// A walk through a proof file: one move where the claim's side is to move, all replies where
// the other side is, down to what a certificate proves. It shows what is proven only once the
// proof was checked.
import { button, get, h, note, options } from './dom.js';
import { Play } from './play.js';
import { claimText, clear, proven, side, symbols, t } from './text.js';

const css = { win: 'win', loss: 'loss' };

/** Proof is the view of a proof file. */
export class Proof extends Play {
  load(state, stepped) {
    this.wanted = state;
    this.claim = state.claim || this.game.claims[0];
    return super.load({ ...state, position: '' }, stepped);
  }

  state() {
    return { moves: this.movesTo(), ply: this.ply, claim: this.claim === this.game.claims[0] ? '' : this.claim };
  }

  /** served asks again for what is shown, which depends on what was found out. */
  served(game) {
    this.game = game;
    this.load(this.nodes ? this.state() : this.wanted, true);
  }

  at(moves) {
    return this.patiently(get(`proof/${this.address}/node`, { claim: this.claim, path: moves.map((m) => m.move).join(',') }));
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
    const mover = this.mover(this.ply);
    const { proves } = this.node;
    return `${t('toMove', side(this.game, mover))}${proves ? `: ${proven(this.game, proves, mover)}` : ''}`;
  }

  /** claimText says what is claimed, and of whom. */
  claimText(claim) { return claimText(this.game, claim, this.mover(0)); }

  /** usual returns the kind that most moves lead to. */
  usual() {
    const kinds = this.node.move_kinds;
    return kinds.reduce((most, kind) => (kinds.filter((k) => k === kind).length > kinds.filter((k) => k === most).length ? kind : most), kinds[0]);
  }

  /** showLine asks for a line of play by the proof from here. */
  async showLine() {
    const { node } = this;
    this.problem = null;
    try {
      const line = await this.patiently(get(`proof/${this.address}/line`, { claim: this.claim, path: this.movesTo(this.ply).join(',') }));
      node.line = line.line;
    } catch (e) {
      this.refuse(e);
    }
    if (this.node === node) this.show();
  }

  panel() {
    const { node, game } = this;
    const claims = game.claims.length < 2 ? h('strong', {}, this.claimText(this.claim)) : h('select', {
      id: 'claim', 'aria-label': t('claim'),
      onchange: (e) => this.enter({ claim: e.target.value }),
    }, options(game.claims.map((c) => [c, this.claimText(c)]), this.claim));
    const checked = node.state === 'checked';
    return [h('div', { class: `card proof${checked ? ` by-${node.kind}` : ''}` }, h('p', {}, `${t('claim')}: `, claims),
      checked ? h('p', { id: 'proof-kind' }, t(`by_${node.kind}`, node.certificate_bytes ?? 0)) : null,
      checked && !node.finished && !node.line ? h('p', {}, button('do-proof-line', t('proofLine'), () => this.showLine())) : null,
      node.line ? h('p', { id: 'proof-line' }, node.line.length ? node.line.map((m, i) => h('span', {}, `${i + 1} ${clear(this.layout, m)} `)) : t('noLine')) : null,
      note([node.node ? t('node', node.node) : '', node.rank && node.proves === 'win' ? t('rank', node.rank) : ''].filter(Boolean).join(', ')))];
  }

  moveList() {
    const { node } = this;
    if (!node.moves.length) return h('div', {});
    const usual = this.usual();
    const checked = node.state === 'checked';
    const heading = node.kind === 'replies' ? t('replies', node.moves.length) : t('answer');
    return h('div', { class: 'card moves' }, h('h2', {}, heading, checked ? h('small', {}, ` ${t('then', t(`is_${usual}`))}`) : null), h('ol', { class: 'proof' }, node.moves.map((m, i) => this.moveItem(m, '', checked && node.move_kinds[i] !== usual ? h('span', { class: `kind is-${node.move_kinds[i]}` }, t(`is_${node.move_kinds[i]}`)) : null))));
  }

  drawings(preview) {
    const { node } = this;
    if (preview || this.layout.style === 'pits' || node.state !== 'checked') return {};
    if (node.line && this.layout.style === 'lines') return { numbers: node.line.map((square, i) => [square, String(i + 1)]) };
    if (node.moves.length === 1 && node.kind !== 'replies') { // the answer
      const [m] = node.moves;
      const from = m.drop ? { side: this.mover(this.ply), kind: m.drop } : m.squares?.[0];
      return m.squares?.length === 1 && !m.drop ? { numbers: [[from, '!']] } : m.squares ? { arrow: [from, m.squares.at(-1)] } : {};
    }
    const usual = this.usual(); // equal marks would say nothing
    return { numbers: node.moves.filter((m, i) => m.squares?.length === 1 && !m.drop && node.move_kinds[i] !== usual)
      .map((m) => [m.squares[0], node.move_kinds[node.moves.indexOf(m)] === 'certificate' ? '◆' : '•']) };
  }
}
