package gomoku

import "math/bits"

// Tree is a forced win: the attacker's move, and an answer to whatever the
// defender replies. Trees are not changed once they are made, and share parts.
type Tree struct {
	// Move is the attacker's move.
	Move Square
	// Wins says that Move makes a line that wins. Then there is no more.
	Wins bool
	// Replies are the defender's replies that have an answer of their own.
	Replies []Reply
	// Otherwise is the answer to every other reply.
	Otherwise *Tree
}

// Reply is a defender's reply and how the attacker goes on.
type Reply struct {
	Move Square
	Then *Tree
}

// After returns how the attacker goes on after the defender's reply to t.Move,
// nil if t has ended.
func (t *Tree) After(reply Square) *Tree {
	for i := range t.Replies {
		if t.Replies[i].Move == reply {
			return t.Replies[i].Then
		}
	}
	return t.Otherwise
}

// Line returns the moves of both sides, the attacker's first, up to the one that
// wins, if the defender chooses the reply after which the win takes longest.
func (t *Tree) Line() []Square {
	line, _ := t.longest(nil)
	return line
}

// longest appends the longest line to dst. The number of moves is the length of
// the part appended.
func (t *Tree) longest(dst []Square) ([]Square, int) {
	dst = append(dst, t.Move)
	begin := len(dst)
	var best []Square
	for i := range t.Replies {
		line, _ := t.Replies[i].Then.longest([]Square{t.Replies[i].Move})
		if len(line) > len(best) {
			best = line
		}
	}
	dst = append(dst, best...)
	return dst, len(dst) - begin + 1
}

// Moves returns how many moves the attacker makes at most, the winning one
// included.
func (t *Tree) Moves() int { return (len(t.Line()) + 1) / 2 }

// Size returns the number of attacker's moves in the tree.
func (t *Tree) Size() int {
	n := 1
	for i := range t.Replies {
		n += t.Replies[i].Then.Size()
	}
	if t.Otherwise != nil {
		n += t.Otherwise.Size()
	}
	return n
}

// Zone returns the zone of a win: the squares that a defender's move must touch
// to have any effect. If t wins for the attacker, who is to move, with the
// stones on b, it still does after the defender has put a stone on any square
// outside the zone first.
//
// The zone has the squares that the attacker's moves and lines need, and the
// empty squares of each line in which the additional stone could help the
// defender to a four of his own: those free of the attacker's stones where at
// most two more stones are lacking for k, and one less for each reply to t that
// the defender was free to choose without effect. Defender's stones that t makes
// him place count. An additional stone can spoil its owner's line where the rule
// is exact, which does not help the defender.
//
// The board is as before when Zone returns.
func (t *Tree) Zone(b *Board, attacker Side) Set {
	var zone Set
	b.addLines(attacker.Opponent(), b.layout.k-1, &zone) // where the stone wins at once
	t.addZone(b, attacker, 0, &zone)
	return zone
}

// addZone adds the zone of t to zone. Free is how many stones the defender has
// placed anywhere before, besides the one in question.
func (t *Tree) addZone(b *Board, attacker Side, free int, zone *Set) {
	zone.Add(t.Move)
	if t.Wins {
		return
	}
	defender := attacker.Opponent()
	b.Place(t.Move, attacker)
	b.addLines(defender, b.layout.k-2-free, zone)
	for i := range t.Replies {
		r := &t.Replies[i]
		b.Place(r.Move, defender)
		r.Then.addZone(b, attacker, free, zone)
		b.Remove(r.Move, defender)
	}
	if !t.Otherwise.Wins {
		free++
	}
	t.Otherwise.addZone(b, attacker, free, zone)
	b.Remove(t.Move, attacker)
}

// addLines adds to set the empty squares of the windows that can become a line
// of the side and have at least so many stones.
func (b *Board) addLines(side Side, least int, set *Set) {
	for n := max(least, 0); n < b.layout.k; n++ {
		for i, w := range b.windows(side, n) {
			for ; w != 0; w &= w - 1 {
				window := 64*i + bits.TrailingZeros64(w)
				for e := b.empty(window); e != 0; e &= e - 1 {
					set.Add(b.layout.windows[window].square(bits.TrailingZeros32(e)))
				}
			}
		}
	}
}
