// The visual value history of a game: how its value changed from move to move.
import { s } from './dom.js';
import { t } from './text.js';

const width = 600;
const height = 190;
const left = 92; // room for the names of the sides
const middle = 95;
const reach = 82; // from the middle to the farthest value
const even = 16; // the half of the band of draws
const least = 40; // from the middle to the farthest win

/**
 * heights returns where to plot values: above the middle what is good for side 1. Wins and
 * losses are the farther from the middle the nearer the end is. Estimates stay between them.
 */
export function heights(points) {
  const plies = points.flatMap((p) => (p?.dtm != null ? [p.dtm] : []));
  const longest = Math.max(10, ...plies);
  const highest = Math.max(4, ...points.map((p) => Math.abs(p?.total ?? 0)));
  return points.map((p) => {
    if (!p) return null;
    if (p.rate != null) return middle - (2 * p.rate - 1) * least;
    if (p.total != null) return middle - (p.total / highest) * reach;
    const sign = { win: 1, loss: -1 }[p.css] ?? 0;
    if (sign === 0 || p.dtm == null) return middle - sign * reach;
    return middle - sign * (reach - (p.dtm / longest) * (reach - least));
  });
}

const shapes = {
  win: 'M0 -8L7.500 5H-7.500Z', loss: 'M0 8L7.500 -5H-7.500Z', draw: 'M-6 -6H6V6H-6Z', unknown: 'M-3 -3H3V3H-3Z',
  estimate: 'M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z',
};

/**
 * chart draws the values of a game. Points have the class of who wins, words, the move that
 * led there, and what is known: dtm, total, the points that side 1 gets more in the whole game, or
 * only rate, an estimate of how often side 1 wins. They are null where nothing is to be shown.
 */
export function chart(points, at, labels, choose) {
  const ys = heights(points);
  const step = (width - left - 16) / Math.max(points.length - 1, 10);
  const x = (i) => left + i * step;
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'group', 'aria-label': t('history') },
    s('rect', { x: 0, y: 5, width, height: middle - 5, class: 'above' }),
    s('rect', { x: 0, y: middle, width, height: middle - 5, class: 'below' }),
    points.some((p) => p?.total != null) ? [] : s('rect', { x: 0, y: middle - even, width, height: 2 * even, class: 'between' }),
    s('path', { d: `M0 ${middle}H${width}`, class: 'axis' }),
    s('text', { x: 10, y: 36, class: 'end' }, labels[0]), s('text', { x: 10, y: height - 24, class: 'end' }, labels[1]));
  const curves = { curve: '', 'curve estimate': '' };
  ys.forEach((y, i) => {
    if (y === null) return;
    const kind = points[i].rate != null || points[i - 1]?.rate != null ? 'curve estimate' : 'curve';
    if (i && ys[i - 1] !== null) curves[kind] += `M${x(i - 1)} ${ys[i - 1]}L${x(i)} ${y}`;
  });
  svg.append(...Object.entries(curves).map(([name, d]) => s('path', { d, class: name })));
  points.forEach((p, i) => {
    if (!p) return;
    const text = `${i}${p.move ? ` ${p.move}` : ''}: ${p.words}`;
    svg.append(s('g', {
      transform: `translate(${x(i)} ${ys[i]})`, class: `point ${p.css}${i === at ? ' now' : ''}`, role: 'button', tabindex: i === at ? '0' : '-1',
      'aria-label': text, onclick: () => choose(i),
      onkeydown: (e) => (e.key === 'Enter' || e.key === ' ') && (e.preventDefault(), choose(i)),
    }, s('title', {}, text), s('rect', { x: -step / 2, y: 5 - ys[i], width: step, height: height - 10, class: 'hit' }), s('path', { d: shapes[p.css] }), p.mistake ? s('text', { x: 0, y: ys[i] < 40 ? 26 : -14, class: 'mistake', 'text-anchor': 'middle' }, p.mistake.mark) : []));
  });
  return svg;
}
