// Drawings of pieces, each in a square from -50 to 50.
import { s } from './dom.js';

const eyes = (x, y, r = 4) => [-x, x].map((at) => [
  s('circle', { cx: at, cy: y, r, fill: '#2b2320' }),
  s('circle', { cx: at + r / 3, cy: y - r / 3, r: r / 3, fill: '#fff' }),
]);

const cheeks = (x, y, fill = '#f2967a') => [-x, x].map((at) => s('ellipse', { cx: at, cy: y, rx: 4.5, ry: 3, fill, opacity: 0.75 }));

const line = (d, width = 2, stroke = '#2b2320') => s('path', { d, fill: 'none', stroke, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });

const shape = (d, fill, stroke = 'none') => s('path', { d, fill, stroke, 'stroke-width': 1.5, 'stroke-linejoin': 'round' });

function lion() {
  const mane = Array.from({ length: 12 }, (_, i) => {
    const a = (i * Math.PI) / 6;
    return s('circle', { cx: 21 * Math.sin(a), cy: -21 * Math.cos(a), r: 10, fill: i % 2 ? '#b5651d' : '#c97a2b' });
  });
  return [
    mane,
    s('circle', { r: 23, fill: '#b5651d' }),
    [-15, 15].map((x) => [
      s('circle', { cx: x, cy: -17, r: 7, fill: '#e9a93c' }), s('circle', { cx: x, cy: -17, r: 3.5, fill: '#b5651d' }),
    ]),
    s('circle', { cy: 1, r: 20, fill: '#f6c453' }),
    s('ellipse', { cx: -5, cy: 9, rx: 7, ry: 6, fill: '#fde7b0' }),
    s('ellipse', { cx: 5, cy: 9, rx: 7, ry: 6, fill: '#fde7b0' }),
    eyes(8.5, -4), shape('M-4 3 H4 L0 7.5Z', '#6b3a1a'), line('M0 7.5 V10 M0 10 Q-3 13 -6 11 M0 10 Q3 13 6 11', 1.8),
    cheeks(14, 5),
  ];
}

function elephant() {
  return [
    [-1, 1].map((k) => [
      s('ellipse', { cx: 25 * k, cy: -3, rx: 14, ry: 18, fill: '#7f9db8' }),
      s('ellipse', { cx: 26 * k, cy: -2, rx: 8.5, ry: 12, fill: '#e3b7bd' }),
    ]),
    s('ellipse', { cy: -3, rx: 20, ry: 22, fill: '#94b1ca' }),
    shape('M-7.5 4 C-8 18 -8 25 -4 29 C1 34 10 32 11 25 C11.4 21.5 6 21 5.5 24 C5 26.5 2 26.5 1.8 23 C1.5 18 7 14 7.5 4Z', '#94b1ca', '#7f9db8'),
    line('M-4.5 13 Q-0.5 15 3.5 13 M-5 19 Q-2 21 1.5 19.5', 1.5, '#7390ab'),
    [-1, 1].map((k) => shape(`M${9 * k} 11 Q${14 * k} 15 ${15 * k} 22 Q${9 * k} 20 ${7.5 * k} 14Z`, '#fffdf4', '#c9c2b0')),
    line('M-6 -19 Q0 -16.5 6 -19', 1.5, '#7f9db8'),
    eyes(9.5, -4), cheeks(13.5, 5),
  ];
}

function giraffe() {
  return [
    [-1, 1].map((k) => [
      line(`M${7 * k} -20 L${9 * k} -33`, 4, '#e0a83c'), s('circle', { cx: 9.5 * k, cy: -34, r: 4.4, fill: '#7c4a21' }),
      s('ellipse', { cx: 22 * k, cy: -15, rx: 9.5, ry: 5, fill: '#f0bf52', transform: `rotate(${-22 * k} ${22 * k} -15)` }),
      s('ellipse', { cx: 22 * k, cy: -15, rx: 5.5, ry: 2.6, fill: '#e59f86', transform: `rotate(${-22 * k} ${22 * k} -15)` }),
    ]),
    shape('M-17 -16 C-17 -27 17 -27 17 -16 C17 -4 13 4 12 14 C11 25 -11 25 -12 14 C-13 4 -17 -4 -17 -16Z', '#f6cf63'),
    [[-9, -19, 4.5], [9.5, -17, 4], [0, -15, 3], [-13, -4, 3], [12.5, -1, 3]].map(([cx, cy, r]) => s('circle', { cx, cy, r, fill: '#b9762f' })),
    s('ellipse', { cy: 18, rx: 16.5, ry: 11.5, fill: '#fae6b4' }),
    [-5, 5].map((x) => s('ellipse', { cx: x, cy: 14, rx: 1.8, ry: 2.4, fill: '#8a5a2b' })),
    line('M-6 22 Q0 26 6 22', 1.8), eyes(8.5, -5), cheeks(13, 8),
  ];
}

function chick() {
  return [
    line('M-1 -24 Q-8 -32 -3 -35 M1 -24 Q2 -33 8 -33', 3, '#e4b21c'),
    s('circle', { cy: 3, r: 28, fill: '#fbe04e' }),
    [-1, 1].map((k) => shape(`M${24 * k} 2 Q${36 * k} 4 ${33 * k} 15 Q${25 * k} 18 ${20 * k} 11Z`, '#f2c832')),
    line('M-8 31 V35 M8 31 V35', 3.5, '#ef8a22'),
    s('ellipse', { cy: 17, rx: 14, ry: 11, fill: '#fff1a3' }),
    shape('M-8 2 Q0 -4 8 2 Q0 5 -8 2Z', '#f39a2b'), shape('M-8 2 Q0 5 8 2 Q0 11 -8 2Z', '#dd7a17'),
    eyes(11.5, -6, 4.4), cheeks(17.5, 3, '#f59f7f'),
  ];
}

function hen() {
  return [
    shape('M-11 -20 C-17 -31 -8 -36 -5 -29 C-6 -39 6 -39 5 -29 C8 -36 17 -31 11 -20Z', '#d9382f', '#b1241d'),
    s('circle', { cy: 4, r: 28, fill: '#fffdf6', stroke: '#d8cdb8', 'stroke-width': 1.5 }),
    [-1, 1].map((k) => [
      shape(`M${22 * k} 2 Q${37 * k} 0 ${36 * k} 16 Q${31 * k} 13 ${30 * k} 19 Q${25 * k} 15 ${22 * k} 20 Q${17 * k} 12 ${22 * k} 2Z`, '#efe5d0', '#d8cdb8'),
    ]),
    line('M-8 32 V36 M8 32 V36', 3.5, '#ef8a22'),
    shape('M-4 8 C-7 18 0 18 0 12 C0 18 7 18 4 8Z', '#d9382f'),
    shape('M-8 2 Q0 -4 8 2 Q0 5 -8 2Z', '#f6b02e'), shape('M-8 2 Q0 5 8 2 Q0 10 -8 2Z', '#df8c17'),
    eyes(11, -6, 4.4), line('M-15 -12 Q-11 -15 -7 -12 M7 -12 Q11 -15 15 -12', 1.6), cheeks(17.5, 3),
  ];
}

const animals = { lion, elephant, giraffe, chick, hen };

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
    s('g', { transform: `translate(0 ${up ? 3 : -2}) scale(.97)` }, animals[kind]()),
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

function wooden(kind, up) {
  const letters = [...kind.text];
  return s('g', { transform: up ? null : 'rotate(180)' },
    s('path', { d: koma, class: 'koma' }),
    s('text', { y: 26, class: kind.promoted ? 'kanji promoted' : 'kanji', 'font-size': letters.length > 1 ? 34 : 54 }, kind.text));
}

/** drawPiece draws a piece of a kind of the layout, pointing up or down. */
export function drawPiece(kind, side, up) {
  if (animals[kind.name] && kind.text === kind.name[0].toUpperCase()) return animal(kind.name, side, up);
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
