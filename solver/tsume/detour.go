package tsume

import (
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// barred are positions with the attacker to move that the attacker may not reach, nor with
// less in hand. A mate that is none without them is a detour. More in hand still helps, so
// that results hold for many hands as ever.
type barred struct {
	hands map[uint64][]shogi.Hand
	salt  uint64 // added to all keys
	plain uint64 // added to the keys of the results in table
	// table has results of the same problem without barred positions: what is no mate there
	// is none with them.
	table *dfpn.Table
}

// newBarred returns the positions of a line that have the attacker to move.
func newBarred(p Problem, places []shogi.Position, table *dfpn.Table, futile Futile) *barred {
	x := &barred{hands: map[uint64][]shogi.Hand{}, salt: 0x9e3779b97f4a7c15, plain: saltOf(p, false) ^ futile.salt(), table: table}
	keys := shogi.KeysOf(table.Seed())
	for i := 0; i < len(places); i += 2 {
		p := places[i]
		key := shogi.NewBoardWithKeys(p, keys).Key()
		x.hands[key] = append(x.hands[key], p.Hand(p.Turn()))
		for _, y := range [...]uint64{key, uint64(p.Hand(shogi.Black))<<32 | uint64(p.Hand(shogi.White))} {
			x.salt = (x.salt ^ y) * 0xbf58476d1ce4e5b9
			x.salt ^= x.salt >> 29
		}
	}
	return x
}

// find returns a barred hand of the position with the key that covers a hand.
func (x *barred) find(key uint64, hand shogi.Hand) (shogi.Hand, bool) {
	for _, h := range x.hands[key] {
		if h.Larger(hand) == h {
			return h, true
		}
	}
	return 0, false
}

// detourCursor returns a cursor for which the attacker may not reach barred positions. Its
// keys differ from those of all other cursors, so that they may share a table. Interpositions
// are counted, since the futile ones may lead to a barred position.
func detourCursor(p Problem, x *barred) *cursor {
	c := newCursor(p, true, x.table)
	c.barred, c.salt = x, c.salt^x.salt
	return c
}

// expandBarred expands a position that the attacker may not reach, or that is no mate even if it
// may reach all. It reports whether the position is one.
func (c *cursor) expandBarred(n *dfpn.Node, hand dfpn.Hand) bool {
	key := c.board.Key()
	if n.Or {
		if h, ok := c.barred.find(key, shogi.Hand(hand)); ok {
			n.Status, n.Bound = dfpn.Lost, dfpn.Hand(h)
			return true
		}
	}
	bound, ok := c.barred.table.Disproof(key^c.barred.plain, hand)
	if ok {
		n.Status, n.Bound = dfpn.Lost, bound
	}
	return ok
}
