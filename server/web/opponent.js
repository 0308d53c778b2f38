// An opponent that gives away no more than it is asked to.
import { t } from './text.js';

/** strengths lists what the opponent can be, for values like those of a node. */
export const strengths = (node) => [
  ['perfect', t('perfect')],
  ...(node.score != null ? [1, 2, 4, 8] : [2, 6, 12, 24]).map((n) => [String(n), t(node.score != null ? 'upToPoints' : 'upTo', n)]),
  ['keeps', t('keeps')],
  ['any', t('any')],
];

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
