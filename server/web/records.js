// Games from elsewhere: pasted, or opened from a file, in the notations that the server reads.
import { field, h, send } from './dom.js';
import { reason, t } from './text.js';

/** opener lets a user give the text of games, and calls open with one and where it is from. memory keeps what was given. */
export function opener(game, memory, open) {
  const text = h('textarea', { id: 'record-text', rows: 4, spellcheck: 'false', 'aria-label': t('recordText'), oninput: () => (memory.text = text.value) });
  text.value = memory.text ?? '';
  const told = h('p', { id: 'record-told', role: 'status' });
  const list = h('ol', { class: 'found' });
  const show = () => {
    list.replaceChildren(...(memory.records ?? []).map((r, i) => h('li', {}, h('button', {
      id: `record-${i + 1}`, onclick: () => open({ ...r, source: { text: memory.source, number: i + 1 } }),
    }, [r.title || `${i + 1}`, t('moveCount', r.moves.length), r.error && '⚠'].filter(Boolean).join(' · ')))));
  };
  async function read(body) {
    told.className = '';
    told.textContent = '';
    try {
      const { records } = await send(`${encodeURIComponent(game.name)}/records`, body);
      memory.source = body;
      memory.records = records.length > 1 ? records : null;
      show();
      if (records.length === 1) open({ ...records[0], source: { text: body, number: 1 } });
      else told.textContent = t('recordCount', records.length);
    } catch (e) {
      told.className = 'alert';
      told.textContent = reason(e.code === 'bad_request' ? { ...e, code: 'bad_record', message: e.message } : e);
    }
  }
  show();
  return h('details', { id: 'records', open: memory.open, ontoggle: (e) => (memory.open = e.target.open) }, h('summary', {}, t('openGame')),
    h('form', { onsubmit: (e) => (e.preventDefault(), read(text.value)) }, text,
      h('p', { class: 'row' }, h('button', { type: 'submit', id: 'do-open' }, t('openRecord')),
        field(t('recordFile'), h('input', { type: 'file', id: 'record-file', onchange: (e) => e.target.files[0] && read(e.target.files[0]) })))),
    told, list);
}
