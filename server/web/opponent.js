// An opponent that gives away no more than it is asked to, or that searches.
import { t } from './text.js';

const byValues = (scores) => [
  ['perfect', t('perfect')],
  ...(scores ? [1, 2, 4, 8] : [2, 6, 12, 24]).map((n) => [String(n), t(scores ? 'upToPoints' : 'upTo', n)]),
  ['keeps', t('keeps')],
  ['any', t('any')],
];

/** strengths lists what the opponent can be: by values if there are any, and levels of a search. */
export const strengths = (game, valued) => [
  ...(valued ? byValues(game.order === 'score') : []),
  ...Array.from({ length: game.levels ?? 0 }, (_, i) => [`level${i + 1}`, t({ 1: 'weakest', [game.levels]: 'strongest' }[i + 1] ?? 'level', i + 1)]),
];

/** levelOf returns the level of a search that a strength means; 0 if it goes by values. */
export const levelOf = (strength) => Number(/^level(\d+)$/.exec(strength)?.[1] ?? 0);

/** loss is what a move gives away: points, or plies; Infinity for the result. */
function loss(node, m) {
  if (m.score != null) return node.score - m.score;
  if (!m.preserves_result) return Infinity;
  return Math.abs((m.dtm ?? 0) - (node.dtm ?? 0));
}

/** chooseMove returns a move of the strength that was chosen, none where values are not known. */
export function chooseMove(node, strength) {
  const known = node.moves.filter((m) => m.category !== 'unknown');
  const list = {
    perfect: () => known.filter((m) => m.optimal),
    keeps: () => known.filter((m) => m.preserves_result),
    any: () => known,
  }[strength] ?? (() => known.filter((m) => loss(node, m) <= Number(strength)));
  const moves = list();
  return moves[Math.floor(Math.random() * moves.length)] ?? null;
}
