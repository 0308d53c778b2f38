package solver

import (
	"hash/maphash"

	"github.com/yomikiri/yomikiri/proof"
)

// Index holds the positions that fragments prove, each with the first fragment that has it.
// Fragments of neighbouring leaves have most of their positions in common. So a back end
// remembers the positions it has written, and a later fragment rests on those where it can.
// The front end indexes the fragments that it has accepted. If a new one rests on a
// position that is in none of them, its job is done again, and the next fragment must not
// rest on others.
//
// An Index holds only hashes, 20 to 40 bytes for each position. If two positions have the
// same hash, nothing false is proven: the joiner compares the positions, and fails.
type Index struct {
	seed  maphash.Seed
	first map[uint64]uint32
	limit int // of positions
}

// MaxIndexed is how many positions the index of a front end may have, and how many those of
// all back ends of a process may have together.
const MaxIndexed = 1 << 24

// NewIndex returns an index of at most limit positions.
func NewIndex(limit int) *Index {
	return &Index{seed: maphash.MakeSeed(), first: map[uint64]uint32{}, limit: limit}
}

// Key returns the key of a canonical position in a fragment whose outcome is o.
func (x *Index) Key(position []byte, attackerToMove bool, o Outcome) uint64 {
	k := maphash.Bytes(x.seed, position) + uint64(o)<<1
	if attackerToMove {
		k++
	}
	return k
}

// NodeKey returns the key of a node of a fragment.
func (x *Index) NodeKey(n *proof.Node, o Outcome) uint64 {
	return x.Key(n.Position, AttackerToMove(n, o), o)
}

// AttackerToMove reports whether the attacker is to move at a node of a fragment whose
// outcome is o. The claimant is the attacker if he wins, else the defender.
func AttackerToMove(n *proof.Node, o Outcome) bool {
	claimant := n.Kind == proof.Or || n.Kind == proof.Certified
	return claimant == (o == Proven)
}

// Has returns the first fragment that has a position.
func (x *Index) Has(key uint64) (fragment uint32, ok bool) {
	fragment, ok = x.first[key]
	return fragment, ok
}

// Add adds the positions of a fragment, as far as there is room.
func (x *Index) Add(fragment uint32, keys []uint64) {
	for _, k := range keys {
		if x.Full() {
			return
		}
		if _, ok := x.first[k]; !ok {
			x.first[k] = fragment
		}
	}
}

// Full reports whether the index has no more room.
func (x *Index) Full() bool { return len(x.first) >= x.limit }

// Keys returns the keys of the positions that a fragment proves by itself.
func (x *Index) Keys(fragment []byte, o Outcome) (list []uint64, err error) {
	err = ReadFragment(fragment, nil, func(n *proof.Node) error {
		if !IsKnown(n) {
			list = append(list, x.NodeKey(n, o))
		}
		return nil
	})
	return list, err
}
