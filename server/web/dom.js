// Small helpers to build elements and to ask the server.

const SVG = 'http://www.w3.org/2000/svg';

function fill(e, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value === true ? '' : value);
  }
  e.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

/** h makes an HTML element. Attributes that begin with "on" are listeners. A button submits nothing unless its type says so. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), tag === 'button' ? { type: 'button', ...attributes } : attributes, children);

/** button makes a button with a text. */
export const button = (id, text, onclick, more) => h('button', { id, onclick, ...more }, text);

/** note makes a paragraph that is not to be seen first. */
export const note = (...children) => h('p', { class: 'faint' }, children);

/** field is a control with its name, and check a box to tick, of which change is told. */
export const field = (name, control) => h('label', {}, h('span', {}, name), control);

export const check = (id, name, checked, change, disabled) => h('label', { class: 'check' },
  h('input', { type: 'checkbox', id, checked, disabled, onchange: (e) => change(e.target.checked) }), name);

/** alarm makes a paragraph that is to be seen first. */
export const alarm = (text) => h('p', { class: 'alert', role: 'alert' }, text);

/** options are those of a choice: values, or each with what is said of it. */
export const options = (list, chosen) => list.map((o) => [o].flat()).map(([v, text = v]) => h('option', { value: v, selected: String(v) === String(chosen) }, text));

/** choice is a field to choose one of several options, of which change is told. */
export const choice = (name, id, list, chosen, change) => field(name, h('select', { id, onchange: (e) => change(e.target.value) }, options(list, chosen)));

/** s makes an SVG element. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const answers = new Map();
const mostAnswers = 4000;

/** Refusal is an answer of the server that is not one: a code, a reason, and an id in its log. */
class Refusal extends Error {
  constructor({ code, message, japanese, id }) {
    super(message);
    Object.assign(this, { code, japanese, id });
  }
}

async function ask(path, options) {
  const response = await fetch(path, options).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (answer?.error?.code === 'damaged') document.dispatchEvent(new Event('damaged'));
  if (!answer || answer.error) throw new Refusal(answer?.error ?? { code: 'offline' });
  return answer;
}

/** pathOf returns the path of the API, from here, with what is asked for, where _ is a blank. */
function pathOf(path, query) {
  const text = new URLSearchParams(Object.entries(query).filter(([, v]) => v !== '' && v !== undefined)).toString().replaceAll('+', '_');
  return `api/v1/${path}${text ? `?${text}` : ''}`;
}

/** keep remembers what the server answers. */
export function keep(path, query, answer) {
  const url = pathOf(path, query);
  if (answers.size >= mostAnswers) answers.delete(answers.keys().next().value);
  answers.set(url, answer);
  answer.catch(() => answers.delete(url));
}

/** get asks for a path of the API, once: what it answers changes only with the status of what is served. */
export function get(path, query = {}) {
  const url = pathOf(path, query);
  if (!answers.has(url)) keep(path, query, ask(url));
  return answers.get(url);
}

/** anew asks for a path of the API that answers otherwise each time. */
export const anew = (path, query = {}, signal) => ask(pathOf(path, query), { signal });

/** again asks for a path of the API and forgets the answers so far if this one is another. */
export async function again(path) {
  const url = pathOf(path, {});
  const [before, now] = await Promise.all([answers.get(url), ask(url)]);
  if (JSON.stringify(before) !== JSON.stringify(now)) {
    answers.clear();
    answers.set(url, Promise.resolve(now));
  }
  return now;
}

/** send sends a text or a file to a path of the API. */
export const send = (path, body, type = 'application/octet-stream') => ask(`api/v1/${path}`, { method: 'POST', headers: { 'Content-Type': type }, body });

/** post sends JSON to a path of the API. */
export const post = (path, body) => send(path, JSON.stringify(body), 'application/json');

/** download offers bytes or a text as a file. */
export function download(name, data, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([data], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** toBase64 writes a text or a file as JSON can have it, and fromBase64 reads the bytes of one. */
export async function toBase64(data) {
  const bytes = new Uint8Array(await new Blob([data]).arrayBuffer());
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''));
}

export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** slowly calls show if a promise takes longer than a moment, and hide when it is done. */
export async function slowly(promise, show, hide) {
  const timer = setTimeout(show, 180);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    hide();
  }
}

/** setting reads and writes what stays from visit to visit. */
export const setting = {
  get(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`yomikiri.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`yomikiri.${name}`, JSON.stringify(value));
    } catch { /* it lasts as long as the page */ }
  },
};

/** say has screen readers read a text. */
export function say(text) {
  document.getElementById('live').textContent = text;
}

/** calm reports whether the user wants no motion. */
export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
