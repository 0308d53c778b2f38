import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

/** Element is what the scripts need of one. */
class Element {
  constructor() {
    Object.assign(this, { attributes: {}, listeners: {}, children: [] });
  }

  setAttribute(name, value) { this.attributes[name] = String(value); }

  addEventListener(name, listener) { this.listeners[name] = listener; }

  append(...children) { this.children.push(...children); }

  /** all returns the elements of a class below this one. */
  all(word) {
    const below = this.children.filter((c) => c instanceof Element);
    return below.flatMap((c) => [...(c.attributes.class?.split(' ').includes(word) ? [c] : []), ...c.all(word)]);
  }
}

document.createElement = document.createElementNS = () => new Element();
const { h } = await import('../web/dom.js');
const { chart } = await import('../web/chart.js');
const { drawPiece, drawStones } = await import('../web/pieces.js');

test('attributes and children that are not there are left out', () => {
  let clicks = 0;
  const e = h('p', { id: 'x', hidden: true, class: null, title: undefined, disabled: false, onclick: () => clicks++ }, 'a', [null, ['b', false]], 0);
  assert.deepEqual([e.attributes, e.children], [{ id: 'x', hidden: '' }, ['a', 'b', 0]]);
  e.listeners.click();
  assert.equal(clicks, 1);
});

test('the chart has a point for each known value, which is chosen by mouse and keys', () => {
  const chosen = [];
  const points = [{ css: 'draw', words: 'draw' }, null, { css: 'win', dtm: 3, words: 'won', move: 'a1' }, { css: 'loss', dtm: 3, words: 'lost', mistake: { mark: '??' } }];
  const svg = chart(points, 2, ['up', 'down'], (i) => chosen.push(i));
  const drawn = svg.all('point');
  assert.deepEqual(drawn.map((p) => p.attributes.tabindex), ['-1', '0', '-1']);
  assert.equal(svg.all('now').length, 1);
  assert.equal(drawn[1].attributes['aria-label'], '2 a1: won');
  drawn[2].listeners.click();
  for (const k of ['Enter', 'x', ' ']) drawn[0].listeners.keydown({ key: k, preventDefault() {} });
  assert.deepEqual(chosen, [3, 0, 0]);
  assert.equal(svg.all('curve')[0].attributes.d.match(/L/g).length, 1, 'the line is broken where nothing is known');
  assert.deepEqual(svg.all('mistake').map((e) => e.children), [['??']]);
});

test('estimates look unlike values', () => {
  const points = [{ css: 'win', dtm: 3, words: 'won' }, { css: 'estimate', rate: 0.7, words: '~70 %' }, { css: 'estimate', rate: 0.6, words: '~60 %' }];
  const svg = chart(points, 0, ['up', 'down'], () => {});
  const [curve, dashed] = svg.all('curve').map((e) => e.attributes);
  assert.equal(curve.d, '');
  assert.equal(dashed.class, 'curve estimate');
  assert.equal(dashed.d.match(/L/g).length, 2);
  assert.equal(svg.all('point')[1].attributes.class, 'point estimate');
});

test('stones lie within their pit, none on another', () => {
  for (const count of [0, 1, 2, 5, 17, 48]) {
    const stones = drawStones(count, 40).map((e) => [e.attributes.cx, e.attributes.cy, e.attributes.r].map(Number));
    for (const [x, y, r] of stones) assert.ok(Math.hypot(x, y) + r <= 40, `${count}: ${x}, ${y}`);
    assert.equal(new Set(stones.map(String)).size, count);
  }
});

test('each kind of piece has a drawing of its own', () => {
  const drawn = ['lion', 'mark', 'disc', 'stone', 'man', 'pawn'].map((name) => JSON.stringify(drawPiece({}, { name, text: '歩' }, 1, true)));
  assert.equal(new Set(drawn).size, drawn.length);
  const kinds = [{ name: 'king', text: '♚' }, { name: 'archbishop', text: 'A' }, { name: 'piece Z', text: 'Z' }];
  const of = (set, n) => kinds.map((kind) => JSON.stringify(drawPiece({ set, kinds }, kind, n, true)));
  assert.deepEqual(of('chess', 1).map((text) => /#p-(\w+)|"letter"/.exec(text)[0]), ['#p-king', '#p-archbishop', '"letter"']);
  assert.ok(of('xiangqi', 2).every((text) => text.includes('written xiangqi side2')));
});
