import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

const { countsOf, parsed, valueText } = await import('../web/browse.js');

test('counts are of unfinished positions of all slices, best first', () => {
  const slice = (...counts) => ({ counts });
  const content = {
    values: ['win in 1', 'draw', 'loss in 2'],
    slices: [slice({ value: 'draw', positions: 3, finished: 1 }, { value: 'loss in 0', positions: 9, finished: 9 }), slice({ value: 'win in 1', positions: 4 }, { value: 'draw', positions: 5 })],
  };
  assert.deepEqual(countsOf({ content }), [{ value: 'win in 1', count: 4 }, { value: 'draw', count: 7 }]);
});

test('values of all kinds', () => {
  assert.deepEqual(['win in 12', 'loss', 'draw', '+3', '-10'].map(parsed), [
    { result: 'win', size: 12 }, { result: 'loss', size: 0 }, { result: 'draw', size: 0 },
    { result: 'win', size: 3, points: true }, { result: 'loss', size: 10, points: true },
  ]);
  assert.deepEqual(['win in 12', 'loss', 'draw', '-1'].map(valueText), ['side to move wins in 12', 'side to move loses', 'draw', 'side to move gets 1 point less']);
});
