// The moves that were tried from a position, as a tree: a game with its variations.

/** Branch is a position of the tree: node, as the server describes it, and the move that led there. */
export class Branch {
  constructor(node, move = null, parent = null) {
    Object.assign(this, { node, move, parent, children: [] });
    this.latest = null; // the child that was shown last
    this.review = null; // what a search says of the position, and of the move made there
    this.proved = null; // what a search has proven of the position: value and proved_by
    this.cost = null; // what a search says of the move that led here
  }

  /** after returns the branch after a move, which leads to a node. */
  after(move, node) {
    let next = this.children.find((c) => c.move.move === move.move);
    if (!next) this.children.push(next = new Branch(node, move, this));
    return next;
  }

  /** path returns the branches from the root to this one. */
  path() {
    const list = [];
    for (let b = this; b; b = b.parent) list.unshift(b);
    return list;
  }

  /** line returns the path and what was shown after it, which is shown again. */
  line() {
    for (let b = this; b.parent; b = b.parent) b.parent.latest = b;
    const list = this.path();
    for (let b = this.latest; b; b = b.latest) list.push(b);
    return list;
  }

  /** find returns the branch after moves, null if they were not tried. */
  find(moves) {
    return moves.reduce((b, text) => b?.children.find((c) => c.move.move === text) ?? null, this);
  }
}

/** leaves returns where a line leaves the one that was there first, -1 if it does not. */
export const leaves = (line) => line.findIndex((b) => b.parent && b.parent.children[0] !== b);
