// A game whose positions have no values: it is played, by people and perhaps by the computer.
import { h } from './dom.js';
import { Play } from './play.js';
import { t } from './text.js';

/** Unsolved is the view of such a game. */
export class Unsolved extends Play {
  get valued() { return false; }

  where(position) {
    const [path, query] = super.where(position);
    return [`${path}/board`, query];
  }

  askAll() { return Promise.resolve(); }

  hints() { return false; }

  nextMove() { return this.made[this.ply] ?? null; }

  /** moveList: without a board, moves are made there. */
  moveList() { return this.layout ? h('div', {}) : super.moveList(); }

  history() { return []; }

  lineLabel() { return t('playFound'); }
}
