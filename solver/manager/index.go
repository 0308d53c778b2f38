package manager

import (
	"hash/maphash"

	"github.com/yomikiri/yomikiri/proof"
)

// index holds the positions that fragments prove, each with the first fragment that has it.
// Fragments of neighbouring leaves have most of their positions in common. So a back end
// remembers the positions it has written, and a later fragment rests on those where it can.
// The front end indexes the fragments that it has accepted. If a new one rests on a
// position that is in none of them, its job is done again, and the next fragment must not
// rest on others.
//
// An index holds only hashes, 20 to 40 bytes for each position. If two positions have the
// same hash, nothing false is proven: the joiner compares the positions, and fails.
type index struct {
	seed  maphash.Seed
	first map[uint64]uint32
	limit int // of positions
}

// maxIndexed is how many positions the index of a front end may have, and how many those of
// all back ends of a process may have together.
const maxIndexed = 1 << 24

func newIndex(limit int) *index {
	return &index{seed: maphash.MakeSeed(), first: map[uint64]uint32{}, limit: limit}
}

// key returns the key of a canonical position in a fragment whose outcome is o.
func (x *index) key(position []byte, attackerToMove bool, o Outcome) uint64 {
	k := maphash.Bytes(x.seed, position) + uint64(o)<<1
	if attackerToMove {
		k++
	}
	return k
}

// nodeKey returns the key of a node of a fragment.
func (x *index) nodeKey(n *proof.Node, o Outcome) uint64 {
	return x.key(n.Position, attackerToMove(n, o), o)
}

// attackerToMove reports whether the attacker is to move at a node of a fragment whose
// outcome is o. The claimant is the attacker if he wins, else the defender.
func attackerToMove(n *proof.Node, o Outcome) bool {
	claimant := n.Kind == proof.Or || n.Kind == proof.Certified
	return claimant == (o == Proven)
}

// has returns the first fragment that has a position.
func (x *index) has(key uint64) (fragment uint32, ok bool) {
	fragment, ok = x.first[key]
	return fragment, ok
}

// add adds the positions of a fragment, as far as there is room.
func (x *index) add(fragment uint32, keys []uint64) {
	for _, k := range keys {
		if x.full() {
			return
		}
		if _, ok := x.first[k]; !ok {
			x.first[k] = fragment
		}
	}
}

func (x *index) full() bool { return len(x.first) >= x.limit }

// keys returns the keys of the positions that a fragment proves by itself.
func (x *index) keys(fragment []byte, o Outcome) (list []uint64, err error) {
	err = readFragment(fragment, anyHeader, func(n *proof.Node) error {
		if !isKnown(n) {
			list = append(list, x.nodeKey(n, o))
		}
		return nil
	})
	return list, err
}
