package tsume

import "github.com/yomikiri/yomikiri/dfpn"

// expansions keeps the children of positions that were expanded lately, because df-pn comes
// back to open positions, and finding checks and replies takes half of its time. The
// children lie in a ring, where new ones overwrite the oldest.
//
//	slots   key (64) | hand (32) | length (32) | at (64)
//	ring    children
type expansions struct {
	slots []expansion
	ring  []dfpn.Child
	next  uint64 // number of children ever put in the ring; those skipped at its end count too
	opens int    // number of positions before there was a ring
}

// expansion says where the children of a position are.
type expansion struct {
	key    uint64
	hand   dfpn.Hand
	length uint32
	at     uint64 // as next
}

const (
	expansionBits = 12
	ringLength    = 8 << expansionBits // children; with the slots 0.9 MiB, for the cache of a core
	// ringAfter is the number of positions before there is a ring. A small search ends
	// without one.
	ringAfter = 256
)

// find appends the children of a position to dst, and returns dst itself if they are not
// known.
func (x *expansions) find(dst []dfpn.Child, key uint64, hand dfpn.Hand) []dfpn.Child {
	if x.slots == nil {
		return dst
	}
	s := x.slot(key, hand)
	if s.key != key || s.hand != hand || x.next-s.at > ringLength {
		return dst
	}
	at := s.at % ringLength
	return append(dst, x.ring[at:at+uint64(s.length)]...)
}

// keep keeps the children of a position.
func (x *expansions) keep(children []dfpn.Child, key uint64, hand dfpn.Hand) {
	if x.slots == nil {
		if x.opens++; x.opens < ringAfter {
			return
		}
		x.slots, x.ring = make([]expansion, 1<<expansionBits), make([]dfpn.Child, ringLength)
	}
	n := uint64(len(children))
	if left := ringLength - x.next%ringLength; left < n {
		x.next += left
	}
	copy(x.ring[x.next%ringLength:], children)
	*x.slot(key, hand) = expansion{key, hand, uint32(n), x.next}
	x.next += n
}

func (x *expansions) slot(key uint64, hand dfpn.Hand) *expansion {
	return &x.slots[(key^uint64(hand)*0x9e3779b97f4a7c15)*0x9e3779b97f4a7c15>>(64-expansionBits)]
}
