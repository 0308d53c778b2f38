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

const animals = ['lion', 'elephant', 'giraffe', 'chick', 'hen'];

// A tile points forward. The faces stay upright, so that both sides can be read.
function animal(kind, side, up) {
  return [
    s('g', { transform: up ? null : 'rotate(180)' },
      use('tile', { class: `tile side${side}` }), use(`${kind}-steps`, { class: 'step' })),
    s('g', { transform: `translate(0 ${up ? 3 : -2}) scale(.97)` }, use(kind)),
  ];
}

function mark(side) {
  return side === 1
    ? use('cross', { class: 'cross' })
    : s('circle', { r: 28, class: 'ring' });
}

function disc(side) {
  return [
    s('circle', { r: 42, class: `disc side${side}` }),
    s('circle', { r: 31, class: `rim side${side}` }),
    side === 1 ? use('star', { class: 'emblem' })
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
  king ? use('crown', { class: `crown side${side}` }) : s('circle', { r: 17, class: `ridge side${side}` }),
];

const letters = (text, css, y, size) => s('text', { y, class: css, 'font-size': [...text].length > 1 ? 0.63 * size : size }, text);

const wooden = ({ text, promoted }, up) => s('g', { transform: up ? null : 'rotate(180)' },
  use('koma', { class: 'koma' }), letters(text, promoted ? 'kanji promoted' : 'kanji', 26, 54));

// What the side above writes otherwise on its pieces.
const above = { 帥: '將', 仕: '士', 相: '象', 俥: '車', 傌: '馬', 炮: '砲', 兵: '卒', 楚: '漢', 卒: '兵' };

const written = (set, { text }, side) => s('g', { class: `written ${set} side${side}` },
  s('circle', { r: 45 }), s('circle', { r: 38, class: 'inner' }), letters((side === 2 && above[text]) || text, 'kanji', 19, 54));

const figures = { '♚': 'king', '♛': 'queen', '♜': 'rook', '♝': 'bishop', '♞': 'knight', '♟': 'pawn' };
const others = /^(commoner|silver|fers|alfil|fersAlfil|cannon|archbishop|chancellor|amazon|centaur|bers|dragonHorse|knibis|biskni|kniroo|rookni)\b/;

/** figure draws a piece of chess, or a disc with its letter where there is no drawing. */
function figure({ name, text, promoted }, side, alone) {
  const drawn = figures[text] ?? others.exec(name)?.[0];
  return s('g', { class: `figure side${side}` },
    drawn ? use(drawn) : [s('circle', { r: 40 }), alone || text === '●' ? s('circle', { r: 29, class: 'inner' }) : letters(text, 'letter', 19, 54)],
    promoted && s('circle', { cx: 32, cy: -32, r: 7 }));
}

/** picture is a small picture of a piece beside a text. */
export const picture = (layout, kind, side) => s('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true', class: layout.style }, drawPiece(layout, kind, side, side === 1));

/** drawPiece draws a piece of a kind of a layout, pointing up or down. */
export function drawPiece({ set, kinds }, kind, side, up) {
  if (kind.name === 'wall') return use('wall', { class: 'wall' });
  if (set === 'chess') return figure(kind, side, kinds.length === 2);
  if (set === 'xiangqi' || set === 'janggi') return written(set, kind, side);
  if (set !== 'shogi' && animals.includes(kind.name)) return animal(kind.name, side, up);
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
