package threat

import "github.com/yomikiri/yomikiri/games/gomoku"

// Tree is a forced win: the attacker's move, and an answer to each reply of the
// defender. Trees do not change once they are made, and share parts.
type Tree struct {
	// Move is the attacker's move.
	Move gomoku.Square
	// Wins says that Move makes a line and ends the tree.
	Wins bool
	// Together says that replies with the same answer were proven with all their
	// stones on the board at once.
	Together bool
	// Replies are the defender's replies that have their own answer.
	Replies []Reply
	// Otherwise is the answer to every other reply.
	Otherwise *Tree
}

// Reply is a defender's reply and the attacker's answer.
type Reply struct {
	Move gomoku.Square
	Then *Tree
}

// After returns the attacker's answer to a reply to t.Move, or nil if t has ended.
func (t *Tree) After(reply gomoku.Square) *Tree {
	for i := range t.Replies {
		if t.Replies[i].Move == reply {
			return t.Replies[i].Then
		}
	}
	return t.Otherwise
}

// Moves returns an upper bound on the number of moves that the attacker makes if he follows t,
// the winning one included.
func (t *Tree) Moves() int { return t.moves(map[*Tree]int{}) }

// moves is Moves with the known numbers of shared trees.
func (t *Tree) moves(known map[*Tree]int) int {
	if t.Wins {
		return 1
	}
	n, ok := known[t]
	if !ok {
		n = t.Otherwise.moves(known)
		for i := range t.Replies {
			n = max(n, t.Replies[i].Then.moves(known))
		}
		n++
		known[t] = n
	}
	return n
}

// Size returns the number of attacker's moves in the tree; shared parts count once.
func (t *Tree) Size() int {
	seen := map[*Tree]bool{}
	t.collect(seen)
	return len(seen)
}

func (t *Tree) collect(seen map[*Tree]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	for i := range t.Replies {
		t.Replies[i].Then.collect(seen)
	}
	t.Otherwise.collect(seen)
}

// Zone returns the relevance zone of a win: the squares on which an additional stone
// of the defender's may have an effect. If t wins for the attacker, who is to move,
// with the stones on b, it still wins after the defender has first placed a stone on
// any square outside the zone.
//
// The zone has the squares that the attacker's moves and lines need, and the empty squares
// of each line in which the additional stone could give the defender a four: lines without
// the attacker's stones that lack at most two stones, and one more for each reply that t
// answers by Otherwise. Stones that t forces the defender to place count. Under the exact
// rule an additional stone can spoil its owner's line, which does not help him.
//
// Zone restores the board.
func (t *Tree) Zone(b *gomoku.Board, attacker gomoku.Side) gomoku.Set {
	z := zoner{board: b, attacker: attacker, key: b.Key()}
	b.AddGaps(attacker.Opponent(), b.K()-1, &z.zone) // where the stone wins at once
	z.add(t, gomoku.NoSquare, 0)
	return z.zone
}

// relevant returns the empty squares of the zone of t, which are the only replies that
// matter. If by is not empty this is a claim, and by names its source.
func (t *Tree) relevant(b *gomoku.Board, attacker gomoku.Side, by string) gomoku.Set {
	zone, empty := t.Zone(b, attacker), b.EmptySquares()
	zone.Intersect(&empty)
	if claims != nil && by != "" {
		empty.RemoveAll(&zone)
		claims.winsAfter(b, attacker, t, empty, by)
	}
	return zone
}

// zoner computes a zone.
type zoner struct {
	board    *gomoku.Board // with marks
	key      gomoku.Key    // of the board with them
	attacker gomoku.Side
	zone     gomoku.Set
	done     map[zoned]bool // parts that were added before
}

// zoned is a part of a tree on a board.
type zoned struct {
	tree *Tree
	key  gomoku.Key
	free int
}

// add adds the zone of t. Free is the number of stones that the defender has already
// placed anywhere, besides the additional one. Reply is his last one if it is on the board;
// then the lines elsewhere were added before.
func (z *zoner) add(t *Tree, reply gomoku.Square, free int) {
	z.zone.Add(t.Move)
	if t.Wins {
		return
	}
	b, defender := z.board, z.attacker.Opponent()
	if len(t.Replies) > 1 {
		at := zoned{t, z.key, free}
		if z.done[at] {
			return
		}
		if z.done == nil {
			z.done = map[zoned]bool{}
		}
		z.done[at] = true
	}
	z.mark(t.Move, z.attacker)
	if reply == gomoku.NoSquare {
		b.AddGaps(defender, b.K()-2-free, &z.zone)
	} else {
		b.AddGapsNear(reply, defender, b.K()-2-free, &z.zone)
	}
	for i := range t.Replies {
		r := &t.Replies[i]
		empty := b.IsEmpty(r.Move) // if not, t was found where there was no stone
		if empty {
			z.mark(r.Move, defender)
		}
		z.add(r.Then, r.Move, free)
		if empty {
			z.mark(r.Move, defender)
		}
	}
	if !t.Otherwise.Wins {
		free++
	}
	z.add(t.Otherwise, gomoku.NoSquare, free)
	z.mark(t.Move, z.attacker)
}

// mark puts a stone on the board, or takes it back.
func (z *zoner) mark(s gomoku.Square, side gomoku.Side) {
	z.board.Mark(s, side)
	key := z.board.StoneKey(s, side)
	z.key[0] ^= key[0]
	z.key[1] ^= key[1]
}
