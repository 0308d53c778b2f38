import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import './page.mjs';

const { byName, claimText, clear, fullTitle, handText, link, moveName, otherLanguage, outcome, proven, provenBy, reason, refusal, rowName, rulesText, side, squareName, status, t, value } = await import('../web/text.js');

/** inJapanese runs a test in the other language. */
function inJapanese(run) {
  otherLanguage();
  try {
    run();
  } finally {
    otherLanguage();
  }
}

test('gaps are filled, and one of a thing is singular', () => {
  assert.equal(t('willWin', 'X', 3), 'X wins in 3 plies');
  assert.equal(t('slower', 1), '1 ply slower');
  assert.equal(t('slower', 11), '11 plies slower');
  assert.equal(t('ahead', 'X', 1), 'X is 1 point ahead');
  assert.equal(t('wins', '$&'), '$& wins', 'what fills a gap is not a pattern');
  inJapanese(() => assert.equal(t('slower', 1), '1 手遅い'));
});

test('a value says who wins, whoever is to move', () => {
  const game = { name: 'dobutsu' };
  const sente = { css: 'win', symbol: '▲', number: '78', words: 'Sente wins in 78 plies' };
  assert.deepEqual(value({ category: 'win', dtm: 78 }, game, 1), sente);
  assert.deepEqual(value({ category: 'loss', dtm: 78 }, game, 2), sente);
  assert.deepEqual(value({ category: 'loss', dtm: 78 }, game, 1), { css: 'loss', symbol: '▼', number: '78', words: 'Gote wins in 78 plies' });
  assert.deepEqual(value({ category: 'draw' }, game, 2), { css: 'draw', symbol: '=', number: '', words: 'draw' });
  assert.deepEqual(value({ category: 'win' }, game, 2), { css: 'loss', symbol: '▼', number: '', words: 'Gote wins' });
  assert.deepEqual(value({ category: 'loss', score: -3 }, game, 1), { css: 'loss', symbol: '▼', number: '3', words: 'Gote gets 3 points more from here' });
  assert.deepEqual(value({ category: 'loss', score: -3 }, game, 2), { css: 'win', symbol: '▲', number: '3', words: 'Sente gets 3 points more from here' });
  assert.equal(value({ category: 'draw', score: 0 }, game, 1).words, 'even');
  for (const unknown of [null, undefined, {}, { category: 'unknown' }]) assert.equal(value(unknown, game, 1).css, 'unknown');
  inJapanese(() => assert.equal(value({ category: 'loss', dtm: 78 }, game, 2).words, '先手が 78 手で勝ち'));
});

test('players have the names of their game', () => {
  assert.equal(side({ name: 'shogi' }, 1), 'Black');
  assert.equal(side({ name: 'awari:stones=6' }, 2), 'North');
  assert.equal(side({ name: 'nim' }, 2), 'Second');
  assert.equal(side({ name: 'p.proof', game: 'gomoku:size=9x9' }, 2), 'White');
  inJapanese(() => assert.equal(side({ name: 'dobutsu' }, 2), '後手'));
});

test('links and titles tell a proof from a game', () => {
  assert.equal(link({ kind: 'proof', name: 'a&b' }), '?proof=a%26b');
  assert.equal(link({ kind: 'database', name: 'awari:stones=6' }), '?game=awari%3Astones%3D6');
  assert.equal(fullTitle({ kind: 'proof', name: 'x.proof', title: 'Gomoku' }), 'x.proof');
  assert.equal(fullTitle({ kind: 'database', name: 'awari:stones=6', title: 'Awari', rules_text: 'stones=6' }), 'Awari 6 stones');
  assert.equal(fullTitle({ kind: 'database', name: 'chess:pieces=KQvKR', title: 'Chess', rules_text: 'pieces=KQvKR' }), 'Chess KQvKR');
});

test('a database that was not verified makes its proof conditional', () => {
  const game = { kind: 'proof', name: 'p', state: 'checked', checksum: 'c', verification: { state: 'unverified' } };
  assert.equal(status(game), 'the proof was checked, it is right if the database is');
  assert.equal(proven(game, 'win', 1), 'First wins, proven if the database is right');
  game.verification.state = 'verified';
  assert.equal(status(game), 'the proof was checked');
  assert.equal(proven(game, 'win', 1), 'First wins, proven');
  assert.equal(status({ kind: 'search' }), '');
});

test('a database says when and by what it was verified', () => {
  assert.equal(status({ kind: 'database', state: 'intact', verification: { state: 'verified', at: '2026-08-01T10:00:00Z', by: 'yomikiri 0.1' } }),
    'checksums are right, verified on 2026-08-01 by yomikiri 0.1');
});

test('reasons: the words of the server in English, known ones in Japanese', () => {
  const refused = { code: 'bad_position', message: '3 x and 1 o, want as many', id: 'r1' };
  assert.equal(reason(refused), '3 x and 1 o, want as many [r1]');
  assert.equal(reason({ code: 'offline' }), 'The server does not answer.');
  inJapanese(() => {
    assert.equal(reason({ code: 'bad_position', message: refused.message }), 'この局面は使えません (先手が 3 個、後手が 1 個です。同数か、先手が一つ多くなければなりません)');
    assert.equal(reason({ code: 'bad_move', message: 'move "z9"' }), 'この手は指せません (「z9」)');
    assert.equal(reason({ code: 'new_code', message: 'as the server says' }), 'as the server says');
  });
});

test('a proof names the player, not the mover', () => {
  const game = { kind: 'proof', name: 'x.proof', game: 'gomoku:size=9x9' };
  assert.equal(claimText(game, 'mover wins', 1), 'Black wins');
  assert.equal(claimText(game, 'other holds', 1), 'White does not lose');
  assert.equal(claimText(game, 'mover holds', 2), 'White does not lose');
  assert.deepEqual(['win', 'loss', 'draw', 'win or draw', 'loss or draw'].map((proves) => outcome(game, proves, 2)),
    ['White wins', 'Black wins', 'draw', 'White does not lose', 'Black does not lose']);
  inJapanese(() => assert.equal(claimText(game, 'mover wins', 1), '黒の勝ち'));
});

test('moves and squares of shogi are Japanese on the Japanese page', () => {
  const shogi = { columns: ['9', '8'] };
  const drop = { move: 'G*5b', japanese: '▲5二金', squares: ['5b'], drop: 'gold' };
  const take = { move: '6a5b', japanese: '△5二玉', squares: ['6a', '5b'] };
  assert.equal(moveName(shogi, drop), 'G*5b');
  assert.equal(squareName(shogi, '5b'), '5b');
  assert.equal(handText('2PG'), '2PG');
  inJapanese(() => {
    assert.equal(moveName(shogi, drop), '▲５二金');
    assert.equal(moveName(shogi, take, drop), '△同玉');
    assert.equal(moveName(null, { move: 'b2' }), 'b2');
    assert.equal(squareName(shogi, '5b'), '５二');
    assert.equal(squareName({ columns: ['a', 'b'], set: 'shogi' }, 'b2'), 'b2');
    assert.equal(rowName(shogi, 'i'), '九');
    assert.equal(handText('2PG'), '歩2金');
  });
});

test('squares of large boards have capitals, and what has proven a value has a name', () => {
  assert.equal(clear({ style: 'lines' }, 'l9 i10 swap'), 'L9 I10 swap');
  assert.equal(moveName({ style: 'hexagons' }, { move: 'i1' }), 'I1');
  assert.equal(squareName({ style: 'grid' }, 'f5'), 'f5');
  assert.equal(provenBy({ value: 'draw', proved_by: 'exhausted search' }, { name: 'x' }, 1), 'Proven by full search: draw');
  inJapanese(() => assert.equal(byName('pairing'), 'ペアリング'));
});

test('rule options and refusals are Japanese on the Japanese page', () => {
  const game = { kind: 'database', name: 'checkers:size=6x6,pieces=4', title: 'Checkers', rules_text: 'size=6x6,pieces=4', game: 'checkers' };
  assert.equal(rulesText(game), '6×6, 4 pieces');
  const refused = 'claim 1 (mover wins): node 1, position "x": proof refused: y';
  assert.equal(refusal(game, refused, 1), 'Black wins, node 1, position "x": proof refused: y');
  inJapanese(() => {
    assert.equal(fullTitle(game), 'チェッカー 6×6、駒 4 個');
    assert.equal(refusal(game, refused, 2), '「白の勝ち」の節点 1、局面 "x": proof refused: y');
    assert.equal(reason({ code: 'bad_position', message: 'white, the defender, has no king on the board', japanese: '受方の玉がありません' }), 'この局面は使えません (受方の玉がありません)');
    assert.equal(reason({ code: 'bad_record', message: 'the text: PDN line 2: "e4": want a move' }), '棋譜に読めないところがあります (2 行目)');
  });
});

test('a word is defined once', () => {
  const dir = new URL('../web/', import.meta.url);
  const text = readFileSync(new URL('text.js', dir), 'utf8');
  const names = [...text.slice(0, text.indexOf('\nconst pieces')).matchAll(/(?<=[{,]\s*|^ +)'?(\w+(?: \w+)*)'?: \['/gm)].map((m) => m[1]);
  assert.ok(names.length > 150, `${names.length}`);
  assert.deepEqual(names.filter((n, i) => names.indexOf(n) !== i), []);
});
