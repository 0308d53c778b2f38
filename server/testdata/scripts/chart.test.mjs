import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

const { heights } = await import('../web/chart.js');

test('up is good for the first side, and nearer the end is farther out', () => {
  const [near, far, draw, lost] = heights([{ css: 'win', dtm: 1 }, { css: 'win', dtm: 69 }, { css: 'draw' }, { css: 'loss', dtm: 3 }]);
  assert.ok(near < far && far < draw && draw < lost, `${[near, far, draw, lost]}`);
});

test('a win that is far away is far from a draw', () => {
  const [win, draw, loss] = heights([{ css: 'win', dtm: 69 }, { css: 'draw' }, { css: 'loss', dtm: 78 }]);
  assert.ok(draw - win >= 40 && loss - draw >= 40, `${[win, draw, loss]}`);
});

test('what is not known is not drawn', () => assert.deepEqual(heights([null]), [null]));

test('points are drawn by their number', () => {
  const [more, less, even, behind] = heights([{ total: 8 }, { total: 2 }, { total: 0 }, { total: -8 }]);
  assert.ok(more < less && less < even && even < behind);
  assert.equal(even - more, behind - even);
});

test('an estimate is never as far from the middle as a win', () => {
  const [win, sure, even, lost] = heights([{ css: 'win', dtm: 900 }, { rate: 1 }, { rate: 0.5 }, { rate: 0 }]);
  assert.ok(win <= sure && sure < even && even < lost);
  assert.equal(even - sure, lost - even);
});
