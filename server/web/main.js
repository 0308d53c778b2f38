// The page: what is served, which game is shown, and the link that says so.
import { Play } from './play.js';
import { Proof } from './proof.js';
import { Search } from './search.js';
import { Unsolved } from './unsolved.js';
import { again, alarm, button, get, h, setting } from './dom.js';
import { family, fullTitle, link, number, otherLanguage, outcome, reason, rulesText, status, symbols, t, title, value } from './text.js';

let games = [];
let view = null;

const views = { database: Play, search: Search, game: Unsolved, proof: Proof };

const isShown = (game, state) => game.name === (game.kind === 'proof' ? state.proof : state.name);

function readLink() {
  const query = new URLSearchParams(location.search);
  const moves = query.get('moves') ? query.get('moves').replaceAll(' ', '+').split(',') : []; // a + may come unescaped
  const ply = /^\d+$/.test(query.get('ply')) ? Number(query.get('ply')) : moves.length;
  return { name: query.get('game'), proof: query.get('proof'), claim: query.get('claim') ?? '', position: query.get('position') ?? '', hands: query.get('hands') ?? '', moves, ply, searched: query.get('searched') };
}

/** writeLink puts the state of a game into the page's link, in a new entry of the history if it has one. */
function writeLink(game, { position, hands, claim, moves = [], ply = moves.length, searched }, entry) {
  let text = link(game);
  for (const [name, v] of Object.entries({ claim, position, hands })) if (v) text += `&${name}=${encodeURIComponent(v)}`;
  if (moves.length) text += `&moves=${moves.map(encodeURIComponent).join(',')}`;
  if (ply < moves.length) text += `&ply=${ply}`;
  if (searched != null) text += `&searched=${searched}`;
  history[entry ? 'pushState' : 'replaceState'](null, '', text);
}

function header() {
  const current = readLink();
  const game = games.find((g) => isShown(g, current));
  document.title = game ? `${fullTitle(game)} – yomikiri` : 'yomikiri';
  document.getElementById('header').replaceChildren(
    h('a', { href: './', class: 'brand' }, h('span', { lang: 'ja' }, '読み切り'), h('b', {}, 'yomikiri')),
    h('nav', { 'aria-label': t('games') }, h('details', { class: 'menu' },
      h('summary', {}, h('span', { class: 'faint' }, t('games')), game ? h('b', {}, fullTitle(game)) : null),
      h('div', {}, Object.keys(views).map((kind) => [kind, games.filter((g) => g.kind === kind)]).filter(([, list]) => list.length).map(([kind, list]) => h('section', {},
        h('h2', {}, t(`menu_${kind}`)), list.map((g) => h('a', {
          href: link(g), 'aria-current': isShown(g, current) ? 'page' : null,
        }, fullTitle(g)))))))),
    button('do-theme', '◐', nextTheme, { title: t('theme'), 'aria-label': t('theme') }),
    button('do-language', t('language'), switchLanguage));
}

/** switchLanguage writes the page again; a game that is shown stays as it is. */
function switchLanguage() {
  otherLanguage();
  if (view?.nodes) {
    header();
    view.translate();
  } else {
    route();
  }
  document.getElementById('do-language').focus();
}

function nextTheme() {
  const dark = document.documentElement.dataset.theme === 'dark' || (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  setting.set('theme', dark ? 'light' : 'dark');
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
}

function home(unknown) {
  const card = ([g, ...parts]) => {
    const verdict = h('span', { class: 'value' });
    const picture = h('div', { class: `game-${family(g)}`, inert: true });
    const [path, query] = {
      database: ['', { position: g.start, board: g.layout && 1 }],
      proof: ['/node', {}],
    }[g.kind] ?? ['/board', { board: 1 }];
    const name = `${g.kind === 'proof' ? 'proof/' : ''}${encodeURIComponent(g.name)}`;
    const unvalued = (e) => (g.kind === 'database' ? get(`${name}/board`, query) : Promise.reject(e));
    get(name + path, query).catch(unvalued).then((a) => {
        const v = value(setting.get('hints', true) ? a : null, g, a.turn || 1);
        if (a.proves) {
          verdict.className = `value ${{ win: 'win', loss: 'loss' }[a.proves] ?? 'draw'}`;
          verdict.textContent = `${symbols[a.proves]} ${outcome(g, a.proves, a.board?.turn ?? 1)}`;
        } else if (v.css !== 'unknown') {
          verdict.className = `value ${v.css}`;
          verdict.textContent = `${v.symbol} ${v.words}`;
        }
        if (!a.board) return;
        const board = document.createElement('yomikiri-board').lay(g.layout);
        board.show({ board: a.board, stores: g.layout.style === 'pits' ? [0, 0] : null });
        picture.append(board);
      }).catch(() => {});
    const about = [h('p', { class: 'row between' }, verdict, h('span', { class: 'faint' }, g.kind === 'database' ? t(g.positions ? 'positions' : 'menu_game', number(g.positions ?? 0)) : t(`menu_${g.kind}`))),
      g.state ? h('p', { class: `status ${g.state}` }, status(g)) : null];
    const head = h('h2', {}, title(g), g.rules_text ? h('small', {}, ` ${rulesText(g)}`) : null, g.kind === 'proof' ? h('small', {}, ` ${g.name}`) : null);
    const inside = (...list) => h('a', { class: 'card game', href: link(g) }, list);
    if (!parts.length) return inside(head, picture, about);
    // The databases of parts of a game are listed on its card.
    return h('div', { class: 'group' }, inside(head, picture, about), h('ul', {}, parts.map((p) => h('li', {}, h('a', { href: link(p) }, rulesText(p) || title(p)),
      h('span', { class: 'faint' }, ` ${t('positions', number(p.positions))}`), p.state ? h('span', { class: `status ${p.state}` }, ` ${status(p)}`) : null))));
  };
  /** A whole game comes first, and else the largest part of it. */
  const groups = Map.groupBy(games, (g) => (g.kind === 'proof' || !g.part_of ? `${g.kind === 'proof'}${g.name}` : `false${g.part_of}`));
  const cards = [...groups.values()].map((list) => list.toSorted((a, b) => Boolean(a.positions) - Boolean(b.positions) || b.positions - a.positions)).map(card);
  return h('div', { class: 'home' }, unknown ? alarm(t('noGame', unknown)) : null, h('h1', {}, t('tagline')), h('p', {}, t('intro')),
    games.length ? h('div', { class: 'cards' }, cards) : h('p', {}, t('none')));
}

function route() {
  const state = readLink();
  const game = games.find((g) => isShown(g, state));
  view?.halt?.();
  header();
  const main = document.getElementById('main');
  document.body.className = game ? `game-${family(game)}` : '';
  if (!game) {
    view = null;
    main.replaceChildren(home(state.name ?? state.proof));
    return;
  }
  view = new views[game.kind](game, state, (s, entry) => writeLink(game, s, entry));
  main.replaceChildren(view.element);
}

/** closeMenu closes the list of games, and reports whether it was open. */
function closeMenu() {
  const menu = document.querySelector('.menu[open]');
  menu?.removeAttribute('open');
  return menu;
}

/** turn goes to what the address says. */
function turn() {
  route();
  document.getElementById('main').focus({ preventScroll: true });
}

document.addEventListener('click', (e) => {
  if (!e.target.closest?.('.menu')) closeMenu();
  const a = e.target.closest?.('a:is([href^="?"], [href="./"])');
  if (!a || e.button || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  history.pushState(null, '', a.href);
  turn();
  scrollTo(0, 0);
});

addEventListener('popstate', () => {
  const state = readLink();
  if (view && isShown(view.game, state)) view.back(state);
  else turn();
});

addEventListener('keydown', (e) => {
  if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key !== 'Escape' && e.target.matches?.('input, select, textarea')) return;
  if (e.key === 'Escape') {
    const menu = closeMenu();
    menu?.querySelector('summary').focus();
    if (menu) return;
  }
  if (view?.press?.(e.key)) e.preventDefault();
});

/** listed returns the games of an answer. A whole game comes before the part of it that has a database. */
const listed = (answer) => answer.games.flatMap((g) => (g.whole ? [{ ...g, ...g.whole, positions: 0, whole: null }, g] : [g]));

/** refresh asks what was found out, and shows it. */
async function refresh() {
  const answer = await again('games').then(listed, () => []);
  if (!answer.some((g, i) => g.state !== games[i]?.state)) return;
  games = answer;
  if (!view) route();
  else view.served(games.find((g) => g.kind === view.game.kind && g.name === view.game.name) ?? view.game);
}

/** watch refreshes the page as long as something is being checked. */
async function watch() {
  while (games.some((g) => g.state === 'checking')) {
    await new Promise((done) => setTimeout(done, 1000));
    await refresh();
  }
}

document.addEventListener('damaged', refresh); // an answer has found it

const theme = setting.get('theme', '');
if (theme) document.documentElement.dataset.theme = theme;
get('games').then((answer) => {
  games = listed(answer);
  route();
  watch();
}).catch((e) => {
  document.getElementById('main').replaceChildren(alarm(reason(e)));
});
