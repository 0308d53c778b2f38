import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.mjs';

const { chooseMove, levelOf, strengths } = await import('../web/opponent.js');

/** moves returns the moves that are chosen in a hundred tries. */
const chosen = (node, strength) => [...new Set(Array.from({ length: 100 }, () => chooseMove(node, strength)?.move))].sort();

const won = {
  category: 'win', dtm: 5,
  moves: [
    { move: 'a', category: 'loss', dtm: 4, optimal: true, preserves_result: true },
    { move: 'b', category: 'loss', dtm: 8, preserves_result: true },
    { move: 'c', category: 'draw' },
    { move: 'd', category: 'unknown' },
  ],
};

test('the opponent gives away no more than it is asked to', () => {
  assert.deepEqual(chosen(won, 'perfect'), ['a']);
  assert.deepEqual(chosen(won, 'keeps'), ['a', 'b']);
  assert.deepEqual(chosen(won, '2'), ['a']);
  assert.deepEqual(chosen(won, '6'), ['a', 'b']);
  assert.deepEqual(chosen(won, 'any'), ['a', 'b', 'c']);
});

test('points are given away by scores', () => {
  const node = { score: 3, moves: [{ move: 'a', score: 3, optimal: true }, { move: 'b', score: 2 }, { move: 'c', score: -5 }] };
  assert.deepEqual(chosen(node, '1'), ['a', 'b']);
  assert.deepEqual(chosen(node, '8'), ['a', 'b', 'c']);
});

test('without a value no move is chosen', () => {
  assert.equal(chooseMove({ moves: [{ move: 'a', category: 'unknown' }] }, 'any'), null);
  assert.equal(chooseMove({ moves: [] }, 'perfect'), null);
});

test('strengths: by values where there are some, and levels of a search', () => {
  assert.deepEqual(strengths({ order: 'score' }, true).map(([v]) => v), ['perfect', '1', '2', '4', '8', 'keeps', 'any']);
  assert.deepEqual(strengths({ levels: 3 }, false), [['level1', 'level 1 (beginner)'], ['level2', 'level 2'], ['level3', 'level 3 (strong)']]);
  assert.deepEqual(strengths({}, false), []);
});

test('a level is told from other strengths', () => {
  assert.deepEqual(['level7', 'perfect', '6', 'level'].map(levelOf), [7, 0, 0, 0]);
});
