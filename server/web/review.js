// A review of the game: the record with its variations and mistakes, and the history of its
// values or, where they are not known, of estimates by a search.
import { chart } from './chart.js';
import { chip, Display } from './display.js';
import { anew, button, check, download, fromBase64, h, note, post, s, setting, toBase64 } from './dom.js';
import { byName, clear, isKnown, moveName, proved, provenBy, side, t, value } from './text.js';
import { leaves } from './tree.js';

const mostReviewed = 8; // moves that the server goes through at a time

const mostCandidates = 5;

/** bar draws an estimate in percent. */
const bar = (rate) => s('svg', { viewBox: '0 0 100 20', class: 'rate', 'aria-hidden': 'true' },
  s('rect', { x: 1, y: 1, width: 98, height: 18, rx: 5 }), s('rect', { x: 1, y: 1, width: 0.98 * rate, height: 18, rx: 5, class: 'part' }));

/** percent is an estimate as it is said: not finer than its error, and never as sure as a value. */
const percent = (rate) => Math.min(95, Math.max(5, 5 * Math.round(20 * rate)));

/** Review has the methods of Play that go through a game. */
export class Review extends Display {
  /** named is the name of the move that leads to a branch. */
  named(b) { return moveName(this.layout, b.move, b.parent.move); }

  /** estimates reports whether a search judges positions that have no value. */
  estimates() {
    return Boolean(this.game.levels) && !this.guessing && (!this.valued || this.hints()) && setting.get('estimates', false);
  }

  /** estimate asks for what is missing of the line, a few moves at a time. */
  async estimate() {
    if (this.estimating || !this.estimates() || !this.element.isConnected) return;
    const { line, ply } = this;
    const name = this.address;
    const position = this.root;
    const movesTo = (last) => line.slice(1, last + 1).map((b) => b.move.move).join(',');
    const judging = this.unjudged(line[ply]);
    const missing = line.findIndex((b) => !isKnown(b.node) && !b.review);
    if (!judging && missing < 0) return;
    this.estimating = true;
    try {
      if (judging) {
        const { candidates, ...answer } = await anew(`${name}/move`, { position, moves: movesTo(ply), lines: mostCandidates });
        const [best] = candidates;
        const wins = best?.value?.startsWith('win') && { value: 'win', proved_by: best.proved_by }; // then so does the position
        Object.assign(line[ply], { candidates, proved: answer.proved_by ? answer : wins || line[ply].proved });
      } else {
        const first = Math.max(0, missing - 1); // the move that led there is judged too
        const last = Math.min(first + mostReviewed, line.length - 1);
        const { rows } = await anew(`${name}/review`, { position, moves: movesTo(last), first });
        rows.forEach((row, i) => {
          line[first + i].review = row;
          if (row.proved_by) line[first + i].proved ??= row;
          if (row.move) line[first + i + 1].cost = row;
        });
      }
    } catch (e) { // it is not asked for again
      if (judging) line[ply].candidates = [];
      else for (const b of line) b.review ??= {};
      this.refuse(e);
    }
    this.estimating = false;
    if (!this.setting) this.show();
  }

  /** unjudged reports whether the best moves on a branch are wanted, and not yet known. */
  unjudged(b) { return !b.candidates && !isKnown(b.node) && !b.node.finished && b.node.moves.length > 0; }

  /** bestMoves lists the best moves where there are no values: with what is proven of them, or else with estimates. */
  bestMoves() {
    const { node, line, ply } = this;
    if (!this.game.levels || this.guessing || (this.valued && this.nodes.every(isKnown))) return [];
    const mover = this.mover(ply);
    const list = this.estimates() && !isKnown(node) ? line[ply].candidates : null;
    return [h('div', { class: 'card candidates' }, h('div', { class: 'row between' }, h('h2', {}, t('candidates')), check('estimates', t('estimates'), setting.get('estimates', false), (on) => (setting.set('estimates', on), this.show()), this.valued && !this.hints())),
    this.estimates() && this.unjudged(line[ply]) ? note(t('searching')) : null,
    list?.length ? h('ol', { id: 'candidates' }, list.map((c) => [node.moves.find((m) => m.move === c.move), c]).filter(([m]) => m).map(([m, c]) => {
      if (c.value) return this.moveItem(m, '', [chip(value(proved(c.value), this.game, mover)), h('span', { class: 'cost' }, t('provenShort', byName(c.proved_by)))]);
      if (this.proven(line[ply])) return this.moveItem(m, '', t('unknown'));
      const rate = percent((c.alike ? list[0] : c).estimate.win_rate);
      return this.moveItem(m, ' estimated', [bar(rate), h('span', { class: 'cost' }, c.alike ? t('alike') : t('rate', side(this.game, mover), rate))]);
    })) : null,
    list?.some((c) => c.estimate) ? note(t('estimateHelp')) : null)];
  }

  /** rate returns the estimated win rate of side 1 on a branch, that of its best candidate if these are known; null if there is none. */
  rate(b, ply) {
    const rate = b.candidates?.length ? b.candidates[0].estimate?.win_rate : b.review?.win_rate;
    if (rate == null || b.proved || isKnown(b.node) || !this.estimates()) return null;
    return this.turnOf(b.node, ply) === 1 ? rate : 1 - rate;
  }

  /** proven is what a search has proven of a branch that has no value of its own; null if nothing. */
  proven(b) { return b.proved && !isKnown(b.node) && this.estimates() ? proved(b.proved.value) : null; }

  provenText(b, ply) { return provenBy(b.proved, this.game, this.turnOf(b.node, ply)); }

  /** rateText says an estimated win rate of side 1. */
  rateText(rate) {
    return t('estimate', Math.abs(rate - 0.5) < 0.05 ? t('aboutEqual') : t('rate', side(this.game, rate < 0.5 ? 2 : 1), percent(Math.max(rate, 1 - rate))));
  }

  /** mistake says what the move that leads to a branch gives away: whose it is, its mark, and what; null if nothing. */
  mistake(b, ply) {
    const before = b.parent?.node;
    if (!before) return null;
    const by = this.turnOf(before, ply - 1);
    const m = b.move;
    if (isKnown(before) && isKnown(m)) {
      if (!this.hints()) return null;
      if (m.score != null) return m.score < before.score ? { by, mark: '?', text: t('gives', before.score - m.score) } : null;
      return m.preserves_result === false ? { by, mark: '?', text: t('became', t(before.category), t(m.category)) } : null;
    }
    if (!b.cost?.mark || !this.estimates()) return null;
    if (!b.cost.after) return { by, mark: b.cost.mark, text: t('costs', percent(b.cost.lost)) };
    const [was, is] = [b.cost.value, b.cost.after].map((text) => text && proved(text));
    if (was?.score != null && is.score != null) return { by, mark: b.cost.mark, text: t('gives', was.score - is.score) };
    const name = (v) => (v ? `${t(v.category)}${v.dtm ? ` ${v.dtm}` : ''}` : '?');
    return { by, mark: b.cost.mark, text: t('became', name(was), name(is)) };
  }

  /** instead names what was better than the last move, if that was a mistake. */
  instead() {
    const b = this.line[this.ply];
    const mistake = this.mistake(b, this.ply);
    if (!mistake) return '';
    const better = isKnown(b.move) && isKnown(b.parent.node) ? b.parent.node.moves.filter((m) => m.optimal).slice(0, 4).map((m) => moveName(this.layout, m, b.parent.move)).join(', ') : clear(this.layout, (b.cost.line ?? []).slice(0, 5).join(' '));
    return better && t('instead', this.named(b), better);
  }

  /** remarks are the mistakes of the line, as a record has them. */
  remarks() {
    return this.line.flatMap((b, ply) => {
      const mistake = this.mistake(b, ply);
      if (!mistake) return [];
      const before = b.parent;
      const known = isKnown(before.node);
      const best = known && before.node.moves?.find((m) => m.optimal);
      const rate = this.rate(before, ply - 1);
      const was = known ? t('provenBy', byName('database'), value(before.node, this.game, mistake.by).words)
        : this.proven(before) ? this.provenText(before, ply - 1) : rate !== null ? this.rateText(rate) : null;
      return [{ ply: ply - 1, mark: mistake.mark, comment: [was, mistake.text].filter(Boolean).join('; '), instead: best ? [best.move] : b.cost?.line ?? [] }];
    });
  }

  /** saveAnnotated offers the record of the line with what the review says. A record that was opened keeps what else it says. */
  async saveAnnotated(format) {
    const moves = this.movesTo();
    const { source } = this;
    const same = source && source.position === this.root && source.moves.join() === moves.join();
    try {
      const played = same ? { record: await toBase64(source.text), number: source.number } : { position: this.root, moves };
      const { file } = await post(`${this.address}/annotated`, { ...played, format, remarks: this.remarks() });
      download(`game.${format}`, fromBase64(file));
    } catch (e) {
      this.refuse(e);
      this.show();
    }
  }

  /** plotted returns what the chart shows of a ply. */
  plotted(b, ply) {
    const { node } = b;
    const mistake = this.mistake(b, ply);
    const move = b.move && `${this.named(b)}${mistake ? ` ${mistake.mark}, ${mistake.text}` : ''}`;
    const words = this.verdictText(ply);
    const proven = this.proven(b);
    if (proven) {
      const v = value(proven, this.game, this.turnOf(node, ply));
      return { css: v.css, dtm: proven.dtm ?? null, words: this.provenText(b, ply), move, mistake };
    }
    const rate = this.rate(b, ply);
    if (rate !== null) return { css: 'estimate', rate, words: this.rateText(rate), move, mistake };
    const v = value(node, this.game, this.turnOf(node, ply));
    if (node.score == null) return { css: v.css, dtm: node.dtm, words, move, mistake };
    const total = this.total(ply);
    return { css: value({ category: 'draw', score: total }, this.game, 1).css, total, words: this.aheadText(total), move, mistake };
  }

  /** total returns the points that side 1 gets more than side 2, from the first position on. */
  total(ply) {
    const { score } = this.nodes[ply];
    const won = this.layout?.style === 'pits' ? this.captured(ply) : [0, 0];
    return (this.mover(ply) === 1 ? score : -score) + won[0] - won[1];
  }

  aheadText(total) {
    return total === 0 ? t('even') : t('ahead', side(this.game, total > 0 ? 1 : 2), Math.abs(total));
  }

  history() {
    const estimates = this.estimates();
    if (!this.hints() && !estimates) return [];
    const points = this.line.map((b, ply) => this.plotted(b, ply));
    if (!this.valued && !points.some((p) => p.css !== 'unknown')) return [];
    return [h('div', { class: 'card' }, h('h2', {}, t('history')),
      chart(points, this.ply, [1, 2].map((n) => side(this.game, n)), (i) => this.go(i)),
      note(t('historyHelp', side(this.game, 1)), points.some((p) => p.rate != null) ? ` ${t('estimateHelp')}` : null))];
  }

  /** button goes to a branch. */
  button(b, ply) {
    const mistake = this.mistake(b, ply);
    return h('button', {
      'aria-current': ply === this.ply && this.line[ply] === b ? 'step' : null, class: mistake ? 'mistake' : null,
      onclick: () => (this.line[ply] === b ? this.go(ply) : this.visit(b)),
    }, `${ply} ${this.named(b)}`, mistake ? ` ${mistake.mark}, ${mistake.text}` : null);
  }

  /** variations lists what was tried instead of some branches, or after the last of them. */
  variations(branches, ply) {
    return branches.map((first) => {
      const list = [first];
      for (let b; (b = list.at(-1).latest ?? list.at(-1).children[0]);) list.push(b);
      return h('ol', { class: 'variation', 'aria-label': t('variation') }, list.map((b, i) => this.entry(b, ply + i, i > 0)));
    });
  }

  entry(b, ply, whole) {
    const others = whole && !this.guessing ? b.parent.children.filter((c) => c !== b) : [];
    return h('li', {}, this.button(b, ply), this.variations(others, ply));
  }

  record() {
    const line = this.guessing ? this.line.slice(0, this.ply + 1) : this.line;
    const mistakes = line.map((b, ply) => this.mistake(b, ply));
    const bad = (x) => x && x.mark !== '?!';
    const next = mistakes.findIndex((x, i) => bad(x) && i > this.ply);
    const to = next > 0 ? next : mistakes.findIndex(bad);
    const judged = line.length > 1 && mistakes.length > 1 && (this.hints() || this.estimates());
    const game = this.leave();
    return h('div', {}, h('ol', { class: 'record', 'aria-label': t('record') }, line.slice(1).map((b, i) => this.entry(b, i + 1, true))),
      this.guessing ? null : this.variations(line.at(-1).children, line.length),
      game && !this.guessing ? h('p', {}, button('do-main', t('backToGame', leaves(this.line)), () => this.visit(game))) : null,
      judged ? h('p', { class: 'row', id: 'mistakes' }, `${t('mistakes')}: ${[1, 2].map((n) => `${side(this.game, n)} ${mistakes.filter((x) => bad(x) && x.by === n).length}`).join(', ')} `,
        to > 0 ? button('do-mistake', t('nextMistake'), () => this.go(to)) : null) : null,
      judged && !this.guessing ? h('p', { class: 'row', id: 'annotated', role: 'group', 'aria-label': t('saveAnnotated') }, `${t('saveAnnotated')} `,
        this.game.formats?.map((format) => button(`do-annotated-${format}`, format, () => this.saveAnnotated(format), {
          disabled: this.estimates() && line.some((b) => !isKnown(b.node) && !b.review),
        }))) : null);
  }
}
