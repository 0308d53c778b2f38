import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {} };
const { branchOf, times } = await import('../web/search.js');

test('a search may take as long as the server allows', () => {
  assert.deepEqual(times(10), [10]);
  assert.deepEqual(times(90), [10, 60, 90]);
  assert.deepEqual(times(2), [2]);
});

test('a branch follows the line up to its ply', () => {
  const line = ['a', 'b', 'c'];
  assert.deepEqual(branchOf(line, { ply: 3, move: 'x', line: ['x', 'y'] }), ['a', 'b', 'x', 'y']);
  assert.deepEqual(branchOf(line, { ply: 1, line: ['v'] }), ['v']);
  for (const unknown of [{ ply: 1, move: 'z' }, { square: '5b' }]) assert.equal(branchOf(line, unknown), null);
});
