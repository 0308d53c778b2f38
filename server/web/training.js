// Training: the next move is guessed, that of the game or any that is as good, with hints.
import { anew, button, choice, field, h, options, say } from './dom.js';
import { Review } from './review.js';
import { isKnown, side, squareName, t } from './text.js';

/** Training has the methods of Play that let a user guess. */
export class Training extends Review {
  /** guesses reports whether the next move is to be guessed: guessing is 1, 2 or 3, for a side or both. */
  guesses() {
    return Boolean(this.guessing & this.mover(this.ply)) && this.answers().length > 0;
  }

  /** answers returns the moves that are right: those that keep what can be had, or else that of the game. */
  answers() {
    const { node } = this;
    if (isKnown(node)) return node.moves.filter((m) => (m.score != null || node.category === 'loss' ? m.optimal : m.preserves_result));
    return this.made.slice(this.ply, this.ply + 1);
  }

  /** train begins to let the moves of a side be guessed, or ends it. */
  train(side) {
    this.halt();
    Object.assign(this, { guessing: side, guessed: { right: 0, tried: 0 }, tried: null, told: null, chosen: [] });
    if (side && this.isOver(this.node) && this.ply > 0) this.go(0);
    else this.show();
    this.pick('#guess').focus();
    this.goOn();
  }

  /** puzzle goes to a puzzle, of a level if that is not empty, and lets its move be guessed. */
  async puzzle(level) {
    this.level = level;
    const { guessing, guessed } = this;
    Object.assign(this, { guessing: 3, guessed: guessed ?? { right: 0, tried: 0 } }); // so that no value is seen before the puzzle is there
    try {
      const { position, aim } = await anew(`${this.address}/puzzle`, { level });
      await this.jump(position);
      this.train(this.mover(this.ply));
      if (guessing) this.guessed = guessed;
      this.told = () => t(aim === 'win' ? 'puzzleWin' : 'puzzleSave');
      say(this.told());
    } catch (e) {
      this.guessing = guessing;
      this.refuse(e);
    }
    this.show();
    this.pick('#do-puzzle')?.focus();
  }

  /** puzzles lets a user ask for puzzles, if there are some. */
  puzzles() {
    if (!this.game.puzzles) return null;
    const level = h('select', { id: 'puzzle-level' }, options([['', t('puzzleAny')], 1, 2, 3, 4, 5], this.level ?? ''));
    return h('p', { class: 'row' }, field(t('puzzleLevel'), level),
      button('do-puzzle', t('puzzle'), () => this.puzzle(level.value)));
  }

  /** goOn makes the moves of the game that are not to be guessed. */
  goOn() {
    if (!this.guessing || this.guesses() || this.ply >= this.made.length) return;
    const { node } = this;
    this.timer = setTimeout(() => {
      if (this.node !== node || !this.guessing) return;
      this.go(this.ply + 1);
      this.goOn();
    }, 700);
  }

  /** guess judges a move. A right one is made, or that of the game. */
  async guess(m) {
    const { node } = this;
    const next = this.made[this.ply];
    const right = this.answers().some((x) => x.move === m.move);
    if (this.tried !== node) {
      this.tried = node;
      this.hinted = 0;
      this.guessed.tried++;
      if (right) this.guessed.right++;
    }
    const name = this.nameOf(m);
    const inGame = next && this.nameOf(next);
    const cost = isKnown(m) ? this.cost(m, node) : '';
    const same = next?.move === m.move;
    this.told = () => [t(right ? 'rightGuess' : 'wrongGuess', name), cost && `(${cost})`, next && right ? t(same ? 'asInGame' : 'inGame', inGame) : same ? t('asInGame') : ''].filter(Boolean).join(' ');
    say(this.told());
    this.chosen = [];
    if (!right && !same) {
      this.show();
      return;
    }
    if (next) this.go(this.ply + 1);
    else await this.play(m, true);
    this.goOn();
  }

  /** hint tells more each time: how many moves are right, where one begins, and which it is. */
  hint() {
    const { node } = this;
    const next = this.made[this.ply];
    const answers = this.answers();
    const best = answers.find((m) => m.move === next?.move) ?? answers[0];
    const steps = this.layout ? this.steps(best) : [];
    if (this.helped !== node) this.hinted = 0;
    this.helped = node;
    this.hinted++;
    const what = this.hinted === 1 && isKnown(node) ? t('hintCount', answers.length, node.moves.length)
      : this.hinted <= 2 && steps.length > 1 ? t('hintFrom', best.drop ? t('hand', side(this.game, this.mover(this.ply))) : squareName(this.layout, steps[0])) : t('hintMove', this.nameOf(best));
    if (this.hinted > 1 && steps.length > 1) this.chosen = [steps[0]];
    this.told = () => what;
    say(what);
    this.show();
  }

  training() {
    if (!this.writable || (!this.valued && !this.made.length && !this.guessing)) return [];
    const puzzles = this.puzzles();
    const choose = choice(t('guess'), 'guess', [t('guessOff'), side(this.game, 1), side(this.game, 2), t('guessBoth')].map((text, i) => [i, text]), this.guessing, (v) => this.train(Number(v)));
    if (!this.guessing) return [h('p', { class: 'row' }, choose), puzzles].filter(Boolean);
    const open = this.guesses();
    return [h('div', { class: 'card' }, h('p', { class: 'row' }, choose,
      button('do-hint', t('hint'), () => this.hint(), { disabled: !open })), puzzles,
    h('p', { id: 'guess-told' }, this.told?.() ?? t(open ? 'guessHelp' : 'nothingToGuess')),
    h('p', { class: 'faint', id: 'guess-count' }, t('guessCount', this.guessed.right, this.guessed.tried)))];
  }
}
