import assert from 'node:assert/strict';
import { test } from 'node:test';

const { Branch, leaves } = await import('../web/tree.js');

const moves = (line) => line.slice(1).map((b) => b.move.move).join('');

/** game returns the root of a tree with the game abc. */
function game() {
  const root = new Branch('');
  [...'abc'].reduce((b, move) => b.after({ move }, b.node + move), root);
  return root;
}

test('a move that leaves the line keeps what it leaves', () => {
  const root = game();
  const other = root.find(['a']).after({ move: 'x' }, 'ax');
  assert.equal(moves(other.line()), 'ax');
  assert.equal(leaves(other.line()), 2);
  assert.equal(moves(other.parent.children[0].line()), 'a' + 'b', 'c was not shown after b yet');
  assert.equal(moves(root.find([...'abc']).line()), 'abc');
  assert.equal(moves(root.find(['a']).line()), 'abc', 'what was shown last comes back');
  assert.equal(leaves(root.line()), -1);
  assert.equal(root.find(['a', 'z']), null);
});

test('a move that was made before leads to the same branch', () => {
  const root = game();
  const a = root.find(['a']);
  assert.equal(root.after({ move: 'a' }, 'other'), a);
  assert.equal(a.node, 'a');
  assert.deepEqual(root.find(['a', 'b']).path().map((b) => b.node), ['', 'a', 'ab']);
});
