// Going through a database: how many positions have each value, and which they are.
import { alarm, anew, button, check, field, get, h, note, options, s } from './dom.js';
import { number, proved, reason, t } from './text.js';

const height = 90; // of the bars of a result
const width = 600;

/** countsOf sums up the counts of a manifest: unfinished positions by value, best first. */
export function countsOf(manifest) {
  const all = new Map();
  for (const slice of manifest.content.slices) {
    for (const c of slice.counts) all.set(c.value, (all.get(c.value) ?? 0) + c.positions - (c.finished ?? 0));
  }
  return manifest.content.values.filter((v) => all.get(v) > 0).map((v) => ({ value: v, count: all.get(v) }));
}

/** parsed returns the result and the size of a value such as "win in 3" or "-2". */
export function parsed(v) {
  const { category: result, dtm, score } = proved(v);
  return score == null ? { result, size: dtm ?? 0 } : { result, size: Math.abs(score), points: true };
}

/** valueText is a value for the side to move in words. */
export function valueText(v) {
  const { result, size, points } = parsed(v);
  if (points) return t(result === 'win' ? 'moverLeads' : 'moverTrails', size);
  return result === 'draw' || !size ? t(`mover_${result}`) : t(`mover_${result}_in`, size);
}

/** bars draws the counts, on a logarithmic scale: wins upwards, losses downwards, draws in the middle. */
export function bars(counts) {
  const list = counts.map((c) => ({ ...c, ...parsed(c.value) }));
  const farthest = Math.max(1, ...list.map((c) => c.size));
  const most = Math.max(...list.map((c) => c.count));
  const step = (width - 20) / (farthest + 1);
  const sum = (result) => list.filter((c) => c.result === result).reduce((n, c) => n + c.count, 0);
  return s('svg', { viewBox: `0 0 ${width} ${2 * height + 44}`, class: 'bars', role: 'img', 'aria-label': ['win', 'draw', 'loss'].map((r) => `${t(`mover_${r}`)}: ${number(sum(r))}`).join(', ') },
    list.map((c) => {
      const size = 3 + (height - 3) * (Math.log(1 + c.count) / Math.log(1 + most));
      const up = c.result === 'loss' ? 0 : c.result === 'draw' ? size / 2 : size;
      return s('rect', { x: 10 + c.size * step, y: 22 + height - up, width: Math.max(1, step * 0.8), height: size, class: c.result }, s('title', {}, `${valueText(c.value)}: ${number(c.count)}`));
    }),
    s('path', { d: `M0 ${22 + height}H${width}`, class: 'axis' }),
    s('text', { x: width - 8, y: 18, class: 'end' }, t('mover_win')), s('text', { x: width - 8, y: 2 * height + 38, class: 'end' }, t('mover_loss')));
}

/** browse lets a user go through a database, and calls jump with a position. memory keeps what was chosen. */
export function browse(game, memory, jump) {
  const name = encodeURIComponent(game.name);
  const passes = game.order !== 'score' && game.layout && !game.layout.derived; // whose move it is can be changed
  const body = h('div', {});
  const told = h('p', { id: 'browse-told', role: 'status' });
  const list = h('ol', { class: 'found', id: 'browse-found' });
  const show = () => {
    const { answer } = memory;
    told.className = '';
    told.textContent = answer ? `${valueText(answer.value)}: ${answer.positions.length ? t(answer.complete ? 'positions' : 'foundFirst', answer.positions.length) : t(answer.complete ? 'foundNone' : 'foundNoneYet')}` : '';
    list.replaceChildren(...(answer?.positions ?? []).map((p) => h('li', {}, h('button', { onclick: () => jump(p.position) }, p.position))));
  };
  const fail = (e) => {
    told.className = 'alert';
    told.textContent = reason(e);
  };
  const find = async (value) => {
    memory.value = value;
    told.className = '';
    told.textContent = t('searching');
    try {
      const answer = await anew(`${name}/positions`, { value, zugzwang: memory.zugzwang ? 1 : '' });
      const { longest } = (await get(`${name}/stats`)).content;
      if (!answer.positions.length && !memory.zugzwang && longest?.value === value) answer.positions.push(await get(name, { index: longest.index })); // the time was too short
      memory.answer = answer;
      show();
    } catch (e) {
      fail(e);
    }
  };
  async function fill() {
    const counts = await get(`${name}/stats`).then(countsOf);
    const longest = (result) => counts.filter((c) => parsed(c.value).result === result).sort((a, b) => parsed(b.value).size - parsed(a.value).size)[0];
    const select = h('select', { id: 'browse-value' }, options(counts.map((c) => [c.value, `${valueText(c.value)} (${number(c.count)})`]), memory.value));
    const extreme = (id, result) => longest(result) && button(id, t(id), () => {
      select.value = longest(result).value;
      find(select.value);
    });
    body.replaceChildren(h('div', {},
      bars(counts),
      note(t('countsHelp')),
      h('details', {}, h('summary', {}, t('countsTable')), h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('countsTable') }, h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('value')), h('th', { scope: 'col' }, t('count')))),
        h('tbody', {}, counts.map((c) => h('tr', {}, h('th', { scope: 'row' }, valueText(c.value)), h('td', {}, number(c.count)))))))),
      h('p', { class: 'row' }, extreme('longestWins', 'win'), extreme('longestLosses', 'loss'),
        button('randomPosition', t('randomPosition'), () => anew(`${name}/random`).then((a) => jump(a.position), fail))),
      h('form', { class: 'row', onsubmit: (e) => (e.preventDefault(), find(select.value)) }, field(t('value'), select),
        passes ? check('zugzwang', t('zugzwang'), memory.zugzwang, (on) => (memory.zugzwang = on)) : null,
        h('button', { type: 'submit', id: 'do-browse' }, t('listPositions'))),
      passes ? note(t('zugzwangHelp')) : null,
      told, list));
    show();
  }
  const open = () => fill().catch((e) => body.replaceChildren(alarm(reason(e))));
  if (memory.open) open();
  return h('details', { id: 'browse', open: memory.open, ontoggle: (e) => {
    if (e.target.open && !memory.open) open();
    memory.open = e.target.open;
  } }, h('summary', {}, t('browse')), body);
}
