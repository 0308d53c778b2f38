// Setting up a position by hand.
import { button, h, note, post } from './dom.js';
import { picture } from './pieces.js';
import { pieceName, reason, side, t } from './text.js';

/**
 * setUp lets a user change a board, and calls end with the position or, if there is none, with the
 * board as it was left. A draft is such a board. look looks a position up, or returns null where there
 * are no values.
 */
export function setUp(game, board, start, draft, editor, end, look) {
  const { layout } = game;
  const pits = layout.style === 'pits';
  let { turn, pieces } = draft ?? start;
  const { state } = start; // such as castlings; the server leaves out what does not fit
  let changed = Boolean(draft);
  let brush = pits ? 1 : { kind: layout.kinds[0].name, side: 1 };
  let position = null;
  let latest = null;

  const status = h('p', { id: 'setup-status', role: 'status' });
  const accept = button('setup-accept', t('explore'), () => end(position), { class: 'primary', disabled: true });
  const palette = h('div', { class: 'palette', role: 'group', 'aria-label': t('setup') });

  const sideOf = (square) => (layout.squares.indexOf(square) < layout.columns.length ? 2 : 1);

  async function check() {
    const call = (latest = {});
    accept.disabled = true;
    position = null;
    try {
      const answer = await post(`${encodeURIComponent(game.name)}/board`, { turn, pieces, state });
      if (call !== latest) return;
      const missing = await Promise.resolve(look(answer.position)).then(() => null, (e) => e);
      if (call !== latest) return;
      if (missing && missing.code !== 'not_held') throw missing;
      ({ position } = answer);
      accept.disabled = Boolean(missing) && !game.levels;
      status.className = missing ? 'alert' : 'fine';
      status.textContent = missing ? t('legalNotHeld') : t('legal');
    } catch (e) {
      if (call !== latest) return;
      status.className = 'alert';
      status.textContent = reason(e);
    }
  }

  function show() {
    board.show({
      board: { turn, pieces }, all: true, targets: new Set(layout.squares), label: t('setup'),
      stores: pits ? [0, 0] : null,
      name: (place, piece) => `${typeof place === 'string' ? place : t('hand', side(game, place.side))}: ${
        piece ? `${side(game, piece.side)} ${pieceName(game, piece.kind)} ${piece.count ?? ''}` : typeof place === 'string' ? t('empty') : pieceName(game, place.kind)}`,
    });
    check();
  }

  /** change puts the brush on a square, or a piece into a hand. */
  function choose(place) {
    changed = true;
    const inHand = typeof place !== 'string';
    const here = (p) => (inHand ? !p.square && p.kind === place.kind && p.side === place.side : p.square === place);
    const old = pieces.find(here);
    if (pits || inHand) {
      const step = pits ? brush : brush === null ? -1 : 1;
      const count = Math.max(0, (old ? old.count ?? 1 : 0) + step);
      pieces = pieces.filter((p) => !here(p));
      if (count && inHand) pieces.push({ kind: place.kind, side: place.side, count });
      else if (count) pieces.push({ kind: layout.kinds[0].name, side: sideOf(place), square: place, count });
    } else {
      pieces = pieces.filter((p) => !here(p));
      const same = old && brush && old.kind === brush.kind && old.side === brush.side;
      if (brush && !same) pieces.push({ ...brush, square: place });
    }
    show();
  }

  function paint() {
    const item = (name, label, chosen, pick, picture) => h('button', {
      class: 'brush', id: `brush-${name}`, title: label, 'aria-label': label, 'aria-pressed': chosen, onclick: () => (pick(), paint(), palette.querySelector(`#brush-${name}`).focus()),
    }, picture);
    if (pits) {
      palette.replaceChildren(
        item('add', t('add'), brush === 1, () => (brush = 1), `＋ ${t('add')}`),
        item('take', t('take'), brush === -1, () => (brush = -1), `− ${t('take')}`));
      return;
    }
    palette.replaceChildren(...[1, 2].map((n) => h('div', { class: 'row' }, layout.kinds.map((kind) => item(
      `${n}-${kind.name.replaceAll(' ', '-')}`, `${side(game, n)} ${pieceName(game, kind.name)}`, brush?.kind === kind.name && brush.side === n,
      () => (brush = { kind: kind.name, side: n }),
      picture(layout, kind, n))))),
    item('erase', t('erase'), brush === null, () => (brush = null), `✕ ${t('erase')}`));
  }

  /** cancel leaves the board for another time if it was changed. */
  const cancel = () => end(null, changed ? { turn, pieces } : null);
  const mark = () => mover?.querySelectorAll('input').forEach((e) => (e.checked = Number(e.value) === turn));
  const mover = layout.derived || layout.relative ? null : h('fieldset', { class: 'row' }, [1, 2].map((n) => h('label', { class: 'check' },
    h('input', { type: 'radio', name: 'turn', value: n, checked: n === turn, onchange: () => ((turn = n), (changed = true), show()) }), t('toMove', side(game, n)))));
  editor.replaceChildren(h('div', { class: 'card editor' }, h('h2', {}, t('setup')),
    note(t(pits ? 'setupPits' : 'setupHelp'), layout.kinds.some((k) => k.hand) ? ` ${t('setupHands')}` : null), palette, mover,
    h('div', { class: 'row' }, accept,
      button('setup-clear', t('clear'), () => ((pieces = []), (changed = true), show())),
      button('setup-reset', t('setupReset'), () => (({ turn, pieces } = start), (changed = false), mark(), show())),
      h('button', { onclick: cancel }, t('cancel'))), status));
  paint();
  show();
  return { choose, cancel, board: () => ({ turn, pieces }) };
}
