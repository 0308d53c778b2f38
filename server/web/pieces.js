// Drawings of pieces, each in a square from -50 to 50.
import { s } from './dom.js';

let loaded = null;

/** use is a drawing of pieces.svg, which is put into the page when one is first needed. */
function use(name, attributes) {
  loaded ??= fetch(new URL('pieces.svg', import.meta.url)).then((response) => response.text()).then((text) => {
    const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
    documentElement.setAttribute('hidden', '');
    document.body.append(documentElement);
  }).catch(() => { loaded = null; });
  return s('use', { href: `#p-${name}`, ...attributes });
}

// Where an animal can step, forward being up.
const steps = {
  lion: [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]],
  elephant: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  giraffe: [[0, -1], [-1, 0], [1, 0], [0, 1]],
  chick: [[0, -1]],
  hen: [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [0, 1]],
};

// A tile points forward. The faces stay upright, so that both sides can be read.
const tile = 'M-4 -46.5 Q0 -48 4 -46.5 L38 -36 Q44 -34 44 -28 V37 Q44 45 36 45 H-36 Q-44 45 -44 37 V-28 Q-44 -34 -38 -36Z';

function animal(kind, side, up) {
  return [
    s('g', { transform: up ? null : 'rotate(180)' },
      s('path', { d: tile, class: `tile side${side}` }),
      steps[kind].map(([x, y]) => s('circle', { cx: 38.5 * x, cy: y < 0 ? (x === 0 ? -41.5 : -31) : 39 * y, r: 3, class: 'step' }))),
    s('g', { transform: `translate(0 ${up ? 3 : -2}) scale(.97)` }, use(kind)),
  ];
}

function mark(side) {
  return side === 1
    ? s('path', { d: 'M-26 -26 L26 26 M26 -26 L-26 26', class: 'cross' })
    : s('circle', { r: 28, class: 'ring' });
}

function disc(side) {
  return [
    s('circle', { r: 42, class: `disc side${side}` }),
    s('circle', { r: 31, class: `rim side${side}` }),
    side === 1 ? s('path', { d: 'M0 -17 L5 -5.5 L17 -4.5 L8 3.5 L11 16 L0 9 L-11 16 L-8 3.5 L-17 -4.5 L-5 -5.5Z', class: 'emblem' })
      : s('circle', { r: 12, class: 'emblem hollow' }),
  ];
}

const stone = (side) => [
  s('circle', { r: 45, class: `stone side${side}` }),
  s('ellipse', { cx: -14, cy: -17, rx: 15, ry: 10, class: 'shine', transform: 'rotate(-35 -14 -17)' }),
];

const man = (side, king) => [
  s('circle', { r: 37, class: `stone side${side}` }),
  s('circle', { r: 29, class: `ridge side${side}` }),
  king ? s('path', { d: 'M-18 14 L-23 -10 L-9 1 L0 -17 L9 1 L23 -10 L18 14Z', class: `crown side${side}` }) : s('circle', { r: 17, class: `ridge side${side}` }),
];

const koma = 'M0 -45 L29 -34 L38 44 H-38 L-29 -34Z';

const letters = (text, css, y, size) => s('text', { y, class: css, 'font-size': [...text].length > 1 ? 0.63 * size : size }, text);

const wooden = ({ text, promoted }, up) => s('g', { transform: up ? null : 'rotate(180)' },
  s('path', { d: koma, class: 'koma' }), letters(text, promoted ? 'kanji promoted' : 'kanji', 26, 54));

// What the side above writes otherwise on its pieces.
const others = { 帥: '將', 仕: '士', 相: '象', 俥: '車', 傌: '馬', 炮: '砲', 兵: '卒', 楚: '漢', 卒: '兵' };

const written = (set, { text }, side) => s('g', { class: `written ${set} side${side}` },
  s('circle', { r: 45 }), s('circle', { r: 38, class: 'inner' }), letters((side === 2 && others[text]) || text, 'kanji', 19, 54));

const figures = { '♚': 'king', '♛': 'queen', '♜': 'rook', '♝': 'bishop', '♞': 'knight', '♟': 'pawn' };

// Pieces that move as two others, or now as one and now as the other.
const pairs = {
  archbishop: ['bishop', 'knight'], chancellor: ['rook', 'knight'], amazon: ['queen', 'knight'], centaur: ['knight', 'commoner'], bers: ['rook', 'fers'],
  dragonHorse: ['bishop', 'fers'], knibis: ['knight', 'bishop'], biskni: ['bishop', 'knight'], kniroo: ['knight', 'rook'], rookni: ['rook', 'knight'],
};

const own = ['commoner', 'silver', 'fers', 'alfil', 'cannon'];

/** figure draws a piece of chess, or a disc with its letter where there is no other piece. */
function figure({ name, text, promoted }, side, alone) {
  const [base] = name.split(' from ');
  const pair = pairs[base];
  const single = figures[text] ?? (own.includes(base) ? base : { fersAlfil: 'alfil' }[base]);
  let drawn = [s('circle', { r: 40 }), alone || text === '●' ? s('circle', { r: 29, class: 'inner' }) : letters(text, 'letter', 19, 54)];
  if (pair) drawn = [use(pair[0], { transform: 'translate(-9 0)' }), use(pair[1], { transform: 'translate(22 14) scale(.62)' })];
  else if (single) drawn = [use(single)];
  if (promoted) drawn.push(s('circle', { cx: 32, cy: -32, r: 7 }));
  return s('g', { class: `figure side${side}` }, drawn);
}

/** drawPiece draws a piece of a kind of a layout, pointing up or down. */
export function drawPiece({ set, kinds }, kind, side, up) {
  if (kind.name === 'wall') return s('path', { d: 'M-46 -46H46V46H-46ZM-46 -46L46 46M46 -46L-46 46', class: 'wall' });
  if (set === 'chess') return figure(kind, side, kinds.length === 2);
  if (set === 'xiangqi' || set === 'janggi') return written(set, kind, side);
  if (set !== 'shogi' && steps[kind.name]) return animal(kind.name, side, up);
  if (kind.name === 'mark') return mark(side);
  if (kind.name === 'disc') return disc(side);
  if (kind.name === 'stone') return stone(side);
  if (kind.name === 'man' || (kind.name === 'king' && kind.promoted)) return man(side, kind.promoted);
  return wooden(kind, up);
}

/** drawStones draws stones in a pit, in a spiral like the seeds of a sunflower. */
export function drawStones(count, radius, seed = 0) {
  const list = [];
  const r = Math.min(11.5, (radius * 0.92) / Math.sqrt(Math.max(count, 5)));
  for (let i = 0; i < count; i++) {
    const far = count === 1 ? 0 : (radius - r - 2) * Math.sqrt((i + 0.5) / Math.max(count, 3));
    const a = i * 2.399963;
    list.push(s('circle', { cx: far * Math.cos(a), cy: far * Math.sin(a), r, class: `seed c${(i + seed) % 4}` }));
  }
  return list;
}
