// <yomikiri-board> draws any board as SVG. Its squares and hands are buttons that mouse,
// touch and keyboard reach; it sends "choose" when one is chosen and "point" when one is
// pointed at, with the name of the square, or {kind, side} of a piece in hand.
import { calm, h, s } from './dom.js';
import { drawPiece, drawStones } from './pieces.js';
import { rowName } from './text.js';

const U = 100; // a square, or how far hexagons are apart
const R = U / Math.sqrt(3); // from the middle of a hexagon to its corners
const gap = 14; // between the board and the hands

/** key is the name of a place: a square, or {kind, side} of a piece in hand. */
export const key = (place) => (typeof place === 'string' ? place : `${place.side}*${place.kind}`);

const hexagon = (x, y, css = null) => s('polygon', {
  points: [[0, -R], [U / 2, -R / 2], [U / 2, R / 2], [0, R], [-U / 2, R / 2], [-U / 2, -R / 2]].map(([dx, dy]) => `${x + dx},${y + dy}`).join(' '), class: css,
});

class YomikiriBoard extends HTMLElement {
  /** lay sets the layout and makes the parts that stay. */
  lay(layout, flipped = false) {
    const focused = this.contains(document.activeElement) ? document.activeElement.dataset.place : null;
    this.layout = layout;
    this.flipped = flipped;
    this.columns = layout.columns.length;
    this.rows = layout.rows.length;
    this.hands = layout.kinds.filter((k) => k.hand).map((k) => k.name);
    this.held ??= [[], []];
    this.kinds = new Map(layout.kinds.map((k) => [k.name, k]));
    this.buttons = new Map();
    this.places = new Map();
    this.className = `board ${layout.style} ${layout.set ?? ''}`;
    this.#measure();
    this.svg = s('svg', {
      viewBox: `0 0 ${this.width} ${this.height}`, role: 'group', tabindex: null,
      onkeydown: (e) => this.#key(e), onpointerleave: () => this.#point(null),
    });
    this.ground = s('g', { class: 'ground', 'aria-hidden': 'true' }, this.#ground());
    this.under = s('g', { 'aria-hidden': 'true' });
    this.pieceLayer = s('g', { class: 'pieces', 'aria-hidden': 'true' });
    this.over = s('g', { class: 'over', 'aria-hidden': 'true' });
    const cells = s('g', { class: 'cells' });
    for (const square of layout.squares.filter(Boolean)) {
      const [x, y] = this.#center(square);
      cells.append(this.#button(square, x, y, U, U));
    }
    for (const side of [1, 2]) {
      this.held[side - 1].forEach((kind) => {
        const [x, y] = this.#slot(side, kind);
        cells.append(this.#button({ side, kind }, x, y, this.#slotWidth(side), U));
      });
    }
    this.svg.append(this.ground, this.under, s('g', { class: 'ground', 'aria-hidden': 'true' }, this.#labels()), this.pieceLayer, this.over, cells);
    this.replaceChildren(this.svg);
    cells.firstChild.setAttribute('tabindex', '0');
    if (focused) this.#focus(focused);
    return this;
  }

  #measure() {
    const { columns, rows } = this;
    this.look = this.layout.style;
    const hands = this.hands.length > 0;
    const beside = hands && this.look !== 'chequered'; // labels are to the right of the board and above it, as in shogi
    const labelled = this.layout.rows.some(Boolean);
    this.checkered = this.layout.squares.includes('');
    this.size = this.look === 'pits' ? 26 : 16 + 2 * this.columns + (this.look === 'hexagons' ? rows : 0); // of the labels' font: the more squares, the smaller all is drawn
    const label = 1.3 * this.size;
    this.left = this.look === 'pits' ? 120 : labelled && !beside && this.look !== 'columns' ? label + 12 : 12;
    this.right = this.look === 'pits' ? 120 : beside ? label + 4 : 12;
    this.beside = beside;
    const below = labelled && !beside ? label + 10 : 12;
    this.top = hands ? this.#tray(2) + gap * 2 + (beside ? label : 0) : this.look === 'hexagons' ? label + 22 : 12;
    this.bottom = hands ? this.#tray(1) + gap * 2 + (beside ? 0 : below) : below;
    this.under1 = beside ? gap : below + 4; // from the board to the hand below it
    if (this.look === 'pits') this.top = this.bottom = 84;
    // Rows of hexagons overlap, and each is half a hexagon to the right of the one above.
    [this.half, this.step, this.shift] = this.look === 'hexagons' ? [R, 1.5 * R, U / 2] : [U / 2, U, 0];
    // The middle of the river, which can be turned.
    const { river } = this.layout;
    this.river = river && this.top + (this.flipped ? rows - river : river) * U;
    this.boardBottom = this.top + (rows - 1) * this.step + 2 * this.half;
    this.width = this.left + columns * U + (rows - 1) * this.shift + this.right;
    this.height = this.boardBottom + this.bottom;
  }

  /** tray is the height of the hand of a side, at that edge where it is if the board is not turned. */
  #tray(edge) { return this.held[(edge === 1) === !this.flipped ? 0 : 1].length ? U : 20; }

  #slotWidth(side) { return Math.min(U, (this.columns * U) / this.held[side - 1].length); }

  /** place returns the column and row in which a square is drawn. */
  #cell(square) {
    let i = this.layout.squares.indexOf(square);
    if (this.flipped) i = this.layout.squares.length - 1 - i;
    return [i % this.columns, Math.floor(i / this.columns)];
  }

  #center(square) {
    return this.#middle(this.#cell(square));
  }

  #middle([x, y]) {
    return [this.left + (x + 0.5) * U + y * this.shift, this.top + this.half + y * this.step];
  }

  #slot(side, kind) {
    const below = (side === 1) !== this.flipped;
    const x = (this.held[side - 1].indexOf(kind) + 0.5) * this.#slotWidth(side);
    return [this.left + (below ? x : this.columns * U - x), below ? this.boardBottom + this.under1 + U / 2 : gap / 2 + U / 2];
  }

  #where(place) {
    return typeof place === 'string' ? this.#center(place) : this.#slot(place.side, place.kind);
  }

  #button(place, x, y, width, height) {
    const b = s('g', {
      role: 'button', tabindex: '-1', class: 'cell', transform: `translate(${x} ${y})`,
      onpointerdown: () => { this.entered = false; },
      onclick: () => this.#send('choose', place),
      onpointerenter: (e) => e.pointerType === 'mouse' && this.#point(place),
      onfocus: () => {
        this.entered = b.matches(':focus-visible'); // by keyboard: then arrows move between squares
        this.#point(this.entered ? place : null);
      },
      onblur: () => this.#point(null),
    }, this.look === 'hexagons' ? hexagon(0, 0) : s('rect', { x: -width / 2, y: -height / 2, width, height, rx: 8 }));
    b.dataset.place = key(place);
    this.buttons.set(key(place), b);
    this.places.set(key(place), place);
    return b;
  }

  #send(name, place) {
    this.dispatchEvent(new CustomEvent(name, { detail: place, bubbles: true }));
  }

  #point(place) {
    const name = place && key(place);
    if (name === this.pointed) return;
    this.pointed = name;
    this.#send('point', place);
  }

  #key(e) {
    const active = e.target.closest?.('.cell');
    if (!active) return;
    if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      this.entered = true;
      this.#send('choose', this.places.get(active.dataset.place));
      return;
    }
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (!direction || !this.entered) return;
    e.preventDefault();
    e.stopPropagation();
    this.#move(active, direction);
  }

  /** move gives the focus to the nearest button in a direction. */
  #move(active, [dx, dy]) {
    const [x, y] = this.#where(this.places.get(active.dataset.place));
    let best = null;
    let least = Infinity;
    // Rows of dark squares are shifted: the way up or down leads now to the left, now to the right.
    // That of hexagons keeps to the column.
    const lean = this.checkered ? 8 * (-1) ** Math.round(y / U) : this.shift ? 8 * dy : 0;
    const aside = lean && dy ? 0.4 : 3;
    for (const [name, place] of this.places) {
      const [px, py] = this.#where(place);
      const along = (px - x) * dx + (py - y) * dy;
      const across = Math.abs((px - x - lean) * dy) + Math.abs((py - y) * dx);
      if (along > 1 && along + aside * across < least && !this.buttons.get(name).hasAttribute('aria-disabled')) {
        least = along + aside * across;
        best = name;
      }
    }
    if (best) this.#focus(best);
  }

  #focus(name) {
    for (const b of this.buttons.values()) b.setAttribute('tabindex', '-1');
    const b = this.buttons.get(name);
    b.setAttribute('tabindex', '0');
    b.focus();
  }

  #ground() {
    const { left, top, columns, rows } = this;
    const right = left + columns * U;
    const bottom = top + rows * U;
    const parts = [];
    const rule = (d) => s('path', { d, class: 'rule' });
    const dark = this.layout.squares.filter((square, i) => (this.checkered ? square : this.look === 'chequered' && (i + Math.floor(i / columns) * (columns + 1) + rows) % 2));
    const box = (x, y, width, height, css, rx = 6) => s('rect', { x, y, width, height, rx, class: css });
    switch (this.look) {
      case 'pits':
        parts.push(box(4, 4, this.width - 8, this.height - 8, 'wood', 60));
        parts.push(...this.layout.squares.map((square) => this.#circle(square, 45, 'pit')), ...[0, 1].map((i) => box(i ? this.width - 108 : 22, top + 18, 86, rows * U - 36, 'store', 43)));
        break;
      case 'lines':
        parts.push(box(left - 8, top - 8, columns * U + 16, rows * U + 16, 'wood'));
        for (let i = 0; i < columns; i++) {
          const bank = i % (columns - 1) && this.river ? `V${this.river - U / 2}m0 ${U}` : '';
          parts.push(rule(`M${left + (i + 0.5) * U} ${top + U / 2}${bank}V${bottom - U / 2}`));
        }
        for (let i = 0; i < rows; i++) parts.push(rule(`M${left + U / 2} ${top + (i + 0.5) * U}H${right - U / 2}`));
        parts.push(...this.#stars(), ...this.#palaces());
        break;
      case 'columns':
        parts.push(box(left - 6, top - 6, columns * U + 12, rows * U + 12, 'frame', 18));
        parts.push(...this.layout.squares.map((square) => this.#circle(square, 43, 'hole')));
        break;
      case 'hexagons':
        parts.push(...this.#hexagons());
        break;
      default:
        parts.push(box(left - 6, top - 6, columns * U + 12, rows * U + 12, dark.length ? 'light' : this.hands.length ? 'field' : 'paper', 10));
        if (dark.length) {
          parts.push(...dark.map((square) => {
            const [x, y] = this.#center(square);
            return box(x - U / 2, y - U / 2, U, U, 'dark', 0);
          }));
          break;
        }
        for (let i = 1; i < columns; i++) parts.push(rule(`M${left + i * U} ${top}V${bottom}`));
        for (let i = 1; i < rows; i++) parts.push(rule(`M${left} ${top + i * U}H${right}`));
    }
    if (this.hands.length) {
      parts.push(...[[2, gap / 2], [1, bottom + this.under1]].map(([edge, y]) => box(left - 6, y - 4, columns * U + 12, this.#tray(edge) + 8, 'tray', 12)));
    }
    return parts;
  }

  #hexagons() {
    const [a, b] = [U / 2, R / 2];
    const [right, bottom] = [this.columns - 1, this.rows - 1];
    const edge = (side, cell, d) => s('path', { d, class: `edge side${side}`, transform: `translate(${this.#middle(cell)})` });
    return [
      ...this.layout.squares.map((square) => hexagon(...this.#center(square), 'hexagon')),
      ...this.layout.columns.flatMap((_, x) => [
        edge(1, [x, 0], `M${-a} ${-b}L0 ${-R}L${a} ${-b}`), edge(1, [x, bottom], `M${-a} ${b}L0 ${R}L${a} ${b}`)]),
      ...this.layout.rows.flatMap((_, y) => [
        edge(2, [0, y], `M${-a} ${-b}V${b}L0 ${R}`), edge(2, [right, y], `M${a} ${b}V${-b}L0 ${-R}`)]),
    ];
  }

  #palaces() {
    const { palaces = [], river, set } = this.layout;
    const middle = (this.left + this.left + this.columns * U) / 2;
    return [
      ...palaces.map((corners) => {
        const [[x1, y1], [x2, y2]] = corners.map((square) => this.#center(square));
        return s('path', { d: `M${x1} ${y1}L${x2} ${y2}M${x2} ${y1}L${x1} ${y2}`, class: 'rule' });
      }),
      ...(river && set === 'xiangqi' ? [[-1, '楚河'], [1, '漢界']].map(([k, text]) => s('text', { x: middle + 2 * k * U, y: this.river + 17, class: 'river' }, text)) : []),
    ];
  }

  #stars() {
    if (this.columns < 13 || this.rows < 13) return [];
    const at = (n) => [3, (n - 1) / 2, n - 4].filter(Number.isInteger);
    return at(this.columns).flatMap((x) => at(this.rows).map((y) => s('circle', {
      cx: this.left + (x + 0.5) * U, cy: this.top + (y + 0.5) * U, r: 8, class: 'star',
    })));
  }

  #labels() {
    const { layout, columns, rows, left, top, size } = this;
    const label = (x, at, text) => s('text', { x, y: at, class: 'label', 'font-size': size }, text);
    const order = (list) => (this.flipped ? [...list].reverse() : list);
    const y = this.beside ? top - 14 : this.boardBottom + size + 8;
    const shift = (rows - 1) * this.shift;
    const letters = (right, at) => order(layout.columns).map((text, i) => label(left + (i + 0.5) * U + right, at, text));
    const list = [...letters(shift, y), ...(shift ? letters(0, top - 20) : [])];
    const x = this.beside ? left + columns * U + 8 + 0.6 * size : left - 12 - 0.6 * size;
    if (this.look !== 'columns') {
      list.push(...order(layout.rows).map((text, i) => label(x + i * this.shift, top + this.half + i * this.step + 0.35 * size, rowName(layout, text))));
    }
    if (this.look === 'pits') {
      list.push(...layout.squares.map((square) => {
        const [cx, row] = this.#cell(square);
        return label(left + (cx + 0.5) * U, row ? top + rows * U + 26 : top - 8, square);
      }));
    } else if (this.checkered) {
      list.push(...layout.squares.filter(Boolean).map((square) => {
        const [x, y] = this.#center(square);
        return s('text', { x: x - 47, y: y - 32, class: 'corner', 'font-size': 19 }, square);
      }));
    }
    return list;
  }

  /**
   * show draws a position. What it takes, besides board:
   *   moved      squares of the last move; a piece slides along them
   *   marks      value shown on a place: key to {css, symbol, number, best}
   *   chosen     keys of the places chosen so far for a move
   *   targets    keys of the places that can be chosen
   *   dots       those of them that are drawn: a dot, or a ring around a piece
   *   zone       squares that are hatched
   *   numbers    text on a square, such as the number of a move of a line
   *   arrow      [place, square] of a move to point out
   *   stores     stones captured by the side below and the one above
   *   ghost      the position is only a preview
   *   all        all pieces of the hands can be chosen
   *   name       returns what screen readers say of a place
   */
  show(view) {
    const { board, moved = [], targets = new Set(), ghost = false } = view;
    if (!ghost) this.#hold(board, view.all);
    this.classList.toggle('ghost', ghost);
    this.svg.setAttribute('aria-label', view.label ?? '');
    this.under.replaceChildren(...moved.map((q) => this.#tint(q, 'moved')), ...(view.zone ?? []).map((q) => this.#hatch(q)));
    const chosen = view.chosen ?? [];
    this.under.append(...chosen.map((name) => this.#tint(this.places.get(name), 'chosen')));
    const at = new Map();
    this.pieceLayer.replaceChildren();
    for (const piece of board.pieces) {
      const place = piece.square || { side: piece.side, kind: piece.kind };
      if (!this.buttons.has(key(place))) continue; // a preview leaves the hands as they are
      at.set(key(place), piece);
      this.pieceLayer.append(this.#piece(piece, place, board, view.marks?.has(key(place))));
    }
    if (view.stores) this.pieceLayer.append(...this.#stores(view.stores));
    if (this.look === 'pits') this.pieceLayer.append(...this.#counts(at));
    this.over.replaceChildren();
    if (this.look === 'lines' && moved.length) this.over.append(this.#circle(moved.at(-1), 9, 'last'));
    for (const name of view.dots ?? []) this.over.append(this.#circle(this.places.get(name), ...(at.has(name) ? [43, 'goal taken'] : [13, 'goal'])));
    for (const [place, mark] of view.marks ?? []) this.over.append(this.#mark(place, mark, at.has(place)));
    for (const [square, text] of view.numbers ?? []) this.over.append(this.#number(square, text, at.get(square)));
    if (view.arrow) this.over.append(this.#arrow(view.arrow));
    for (const [name, b] of this.buttons) {
      const place = this.places.get(name);
      const inHand = typeof place !== 'string';
      b.classList.toggle('target', targets.has(name));
      b.ariaDisabled = inHand && !at.has(name) && !view.all ? 'true' : null;
      b.ariaPressed = chosen.includes(name) ? 'true' : null;
      b.setAttribute('aria-label', view.name?.(place, at.get(name)) ?? name);
    }
    if (!ghost && view.slide) this.#slide(view.slide);
  }

  /** hold makes room for the pieces in hand, or for all that can be. */
  #hold(board, all) {
    const held = [1, 2].map((side) => this.hands.filter((kind) => all || board.pieces.some((p) => !p.square && p.kind === kind && p.side === side)));
    if (JSON.stringify(held) === JSON.stringify(this.held)) return;
    this.held = held;
    this.lay(this.layout, this.flipped);
  }

  /** offer puts buttons on a square, each with its words and its action. They stay until the next offer. */
  offer(square, list) {
    this.querySelector('.offer')?.remove();
    if (!list.length) return;
    const offer = h('div', { class: 'offer', role: 'group' }, list.map(([words, action]) => h('button', { class: 'primary', onclick: action }, words)));
    this.append(offer);
    const cell = this.buttons.get(square).getBoundingClientRect();
    const { left, top, width } = this.getBoundingClientRect();
    offer.style.left = `${Math.max(0, Math.min(cell.left - left + (cell.width - offer.offsetWidth) / 2, width - offer.offsetWidth))}px`;
    offer.style.top = `${cell.top - top + (cell.height - offer.offsetHeight) / 2}px`;
    offer.firstChild.focus({ preventScroll: true });
  }

  /** tiny reports whether squares are too small on the screen to be sure which one a finger means. */
  tiny() { return !this.entered && this.buttons.values().next().value.getBoundingClientRect().width < 24; }

  #tint(place, css) {
    const [x, y] = this.#where(place);
    if (this.look === 'hexagons') return hexagon(x, y, css);
    if (this.look === 'lines' && css === 'chosen') return this.#circle(place, 24, css);
    const round = this.look === 'pits' || this.look === 'columns';
    const half = round ? 47 : 48;
    return s('rect', { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: round ? 47 : 6, class: css });
  }

  #hatch(square) {
    const [x, y] = this.#center(square);
    return s('path', {
      class: 'zone', transform: `translate(${x} ${y})`,
      d: 'M-48 -20L-20 -48M-48 16L16 -48M-40 44L44 -40M-8 48L48 -8M28 48L48 28',
    });
  }

  #piece(piece, place, board, marked) {
    const [x, y] = this.#where(place);
    const up = (piece.side === 1) !== this.flipped;
    const g = s('g', { transform: `translate(${x} ${y})`, class: 'piece' });
    g.dataset.place = key(place);
    if (this.look === 'pits') {
      g.append(...drawStones(piece.count ?? 1, 39, this.layout.squares.indexOf(place)));
      return g;
    }
    // A piece with a mark is smaller, so that the mark covers nothing of it.
    const size = (typeof place === 'string' ? 1 : this.#slotWidth(piece.side) / U * 0.92) * (marked ? 0.76 : 1);
    const drawn = s('g', { class: 'drawn', transform: size < 1 || marked ? `translate(0 ${marked ? -12 : 0}) scale(${size})` : null });
    drawn.append(...[drawPiece(this.layout, this.kinds.get(piece.kind), piece.side, up)].flat(Infinity));
    g.append(drawn);
    if ((piece.count ?? 1) > 1) {
      g.append(s('g', { transform: `translate(${this.#slotWidth(piece.side) * 0.32} -28)` },
        s('circle', { r: 17, class: 'badge' }), s('text', { y: 9, class: 'count' }, String(piece.count))));
    }
    if (piece.square === '' && piece.side === board.turn) g.classList.add('own');
    return g;
  }

  #counts(at) {
    return this.layout.squares.map((square) => {
      const [x, y] = this.#center(square);
      const [, row] = this.#cell(square);
      return s('text', { x: x + 36, y: y + (row ? 46 : -28), class: 'seeds' }, String(at.get(square)?.count ?? (at.has(square) ? 1 : 0)));
    });
  }

  #stores([below, above]) {
    const y = this.top + (this.rows * U) / 2;
    return [[above, 65], [below, this.width - 65]].map(([n, x]) => s('g', { transform: `translate(${x} ${y})` },
      drawStones(n, 34), s('text', { y: 74, class: 'seeds' }, String(n))));
  }

  #circle(place, r, css) {
    const [cx, cy] = this.#where(place);
    return s('circle', { cx, cy, r, class: css });
  }

  #arrow([from, to]) {
    const [x1, y1] = this.#where(from);
    const [x2, y2] = this.#center(to);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    return s('path', {
      class: 'arrow', transform: `translate(${x1} ${y1}) rotate(${turn})`,
      d: `M12 -7H${length - 44}V-20L${length - 8} 0L${length - 44} 20V7H12Z`,
    });
  }

  #number(square, text, piece) {
    const [x, y] = this.#center(square);
    return s('g', { transform: `translate(${x} ${y})`, class: piece ? `number side${piece.side}` : 'number' },
      piece ? null : s('circle', { r: 26, class: 'badge' }), s('text', { y: 13 }, text));
  }

  /** mark draws a value: below a piece, or in the middle of an empty square. */
  #mark(place, v, occupied) {
    const [x, y] = this.#where(this.places.get(place));
    const text = `${v.symbol}${v.number}`;
    const size = this.hands.length ? 23 : occupied && this.look !== 'pits' ? 28 : 30;
    const width = Math.max(text.length * size * 0.62 + 14, size * 1.6);
    const down = this.look === 'pits' ? 103 * (this.#cell(place)[1] ? 1 : -1) : occupied ? 38 : 0;
    return s('g', { transform: `translate(${x} ${y + down})`, class: `mark ${v.css}${v.best ? ' best' : ''}` },
      s('rect', { x: -width / 2, y: -size * 0.66, width, height: size * 1.32, rx: size * 0.4 }),
      s('text', { y: size * 0.35, 'font-size': size }, text));
  }

  /** slide moves the piece on the last square from where it was. */
  #slide(from) {
    if (calm() || !from.to || this.look === 'pits') return;
    const piece = [...this.pieceLayer.children].find((g) => g.dataset.place === from.to)?.firstChild;
    const [x, y] = this.#center(from.to);
    let [fx, fy] = [x, y];
    if (from.place) [fx, fy] = this.#where(from.place);
    else if (this.look === 'columns') fy = this.top - U / 2;
    if (!piece || (fx === x && fy === y)) return;
    piece.animate([{ transform: `translate(${fx - x}px, ${fy - y}px)` }, { transform: 'none' }],
      { duration: 200, easing: this.look === 'columns' ? 'ease-in' : 'ease-out' });
  }
}

customElements.define('yomikiri-board', YomikiriBoard);
