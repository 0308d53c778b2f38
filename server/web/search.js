// A game with a search: positions are played or set up, and then searched for a forced win.
import { get, h, say } from './dom.js';
import { family, number, reason, t } from './text.js';
import { Unsolved } from './unsolved.js';

/** Search is the view of a game whose positions are searched, not looked up. */
export class Search extends Unsolved {
  /** line reports whether the game so far is along the line that was found. */
  inLine() {
    return this.found && this.root === this.found.position && this.made.every((m, i) => m.move === this.found.line[i]);
  }

  panel() {
    const gomoku = family(this.game) === 'gomoku';
    const along = this.inLine();
    return [h('div', { class: 'card' },
      h('p', {}, t(gomoku ? 'gomokuHelp' : 'tsumeHelp')),
      h('p', {}, h('button', {
        type: 'button', id: 'do-search', class: 'primary', disabled: this.node.finished || this.searching, onclick: () => this.search(),
      }, this.searching ? t('searching') : t('search'))),
      along ? this.result() : null,
      along && this.found.result.zone?.length ? h('p', { class: 'faint' }, t('zone')) : null)];
  }

  result() {
    const { answer, result, length, shortest, by, moves, nodes, seconds } = this.found.result;
    const words = {
      mate: () => ['win', t(shortest ? 'mate' : 'mateAtMost', length)], 'no mate': () => ['loss', t('noMate')], nomate: () => ['loss', t('noMate')],
      win: () => ['win', moves ? t('forced', t(by), moves) : t('win')], none: () => ['draw', t('noForced')],
    }[answer ?? result]?.() ?? ['unknown', t('limit')];
    return h('p', { id: 'result' }, h('span', { class: `value ${words[0]}` }, `${{ win: '▲', loss: '▼', draw: '＝' }[words[0]] ?? '?'} ${words[1]}`), ' ',
      nodes ? h('span', { class: 'faint' }, t('nodes', number(nodes), seconds.toFixed(2))) : null);
  }

  /** search asks for a forced win from here, and goes to the first position of its line. */
  async search() {
    const { position } = this.node;
    this.halt();
    this.searching = true;
    this.problem = null;
    this.show();
    try {
      this.found = await this.patiently(get(encodeURIComponent(this.game.name), { position: position.replaceAll(' ', '_') }));
      this.searching = false;
      const state = { position: this.found.position, moves: this.found.line, ply: 0 };
      this.moved(state, true);
      await this.load(state);
      say(this.element.querySelector('#result')?.textContent ?? '');
    } catch (e) {
      this.searching = false;
      this.problem = () => reason(e);
      this.show();
    }
  }

  /** drawings: the numbers of the line's moves, where stones are put; else the next move. */
  drawings(preview) {
    if (preview || !this.inLine()) return {};
    const next = this.made[this.ply];
    if (this.layout.style !== 'lines') {
      const mover = this.mover(this.ply);
      return next ? { arrow: [next.drop ? { side: mover, kind: next.drop } : next.squares[0], next.squares.at(-1)] } : {};
    }
    return { zone: this.found.result.zone, numbers: this.made.map((m, i) => [m.squares[0], String(i + 1)]) };
  }
}
