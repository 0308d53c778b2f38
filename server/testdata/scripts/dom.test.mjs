import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from './page.mjs';

const { again, anew, get, setting } = await import('../web/dom.js');

test('an answer is asked for once', async () => {
  const asked = serve({ 'api/v1/games': { games: 1 } });
  assert.deepEqual(await get('games'), { games: 1 });
  assert.deepEqual(await get('games'), { games: 1 });
  assert.deepEqual(asked, ['api/v1/games']);
});

test('empty parameters are left out, others are escaped, blanks with _', async () => {
  const asked = serve({ 'api/v1/x?position=a_b%2F%2B': {} });
  await get('x', { position: 'a b/+', moves: '', level: undefined });
  assert.deepEqual(asked, ['api/v1/x?position=a_b%2F%2B']);
});

test('a move of the computer is asked for each time', async () => {
  let n = 0;
  const asked = serve({ 'api/v1/x/move': () => ({ n: ++n }) });
  assert.deepEqual([await anew('x/move', {}), await anew('x/move', {})], [{ n: 1 }, { n: 2 }]);
  assert.equal(asked.length, 2);
});

test('a refusal has the code and the words of the server, and is not kept', async () => {
  serve({ 'api/v1/refused': { error: { code: 'bad_move', message: 'move "z9"', id: 'r7' } } });
  await assert.rejects(get('refused'), { code: 'bad_move', message: 'move "z9"', id: 'r7' });
  serve({ 'api/v1/refused': { fine: true } });
  assert.deepEqual(await get('refused'), { fine: true });
});

test('a server that does not answer is offline', async () => {
  serve({});
  await assert.rejects(get('nowhere'), { code: 'offline' });
});

test('another state of what is served makes the page forget', async () => {
  let state = 'checking';
  const asked = serve({ 'api/v1/games2': () => ({ state }), 'api/v1/y': { y: 1 } });
  await get('games2');
  await get('y');
  await again('games2');
  await get('y');
  assert.equal(asked.filter((p) => p === 'api/v1/y').length, 1, 'nothing had changed');
  state = 'checked';
  assert.deepEqual(await again('games2'), { state });
  await get('y');
  assert.equal(asked.filter((p) => p === 'api/v1/y').length, 2);
});

test('settings stay, and what cannot be read is as if unset', () => {
  setting.set('hints', false);
  assert.equal(setting.get('hints', true), false);
  localStorage.setItem('yomikiri.broken', '{');
  assert.equal(setting.get('broken', 7), 7);
  assert.equal(setting.get('never set', 'x'), 'x');
});
