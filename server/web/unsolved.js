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

  /** decide offers a promotion at its square. */
  decide(list) {
    const promotes = list.find((m) => list.some((x) => m.move === `${x.move}+`));
    if (list.length !== 2 || !promotes || !this.board) {
      super.decide(list);
      return;
    }
    const stays = list.find((m) => m !== promotes);
    this.board.offer(promotes.squares.at(-1), [[t('promote'), () => this.play(promotes)], [t('stay'), () => this.play(stays)]]);
  }

  lineLabel() { return t('playFound'); }
}
