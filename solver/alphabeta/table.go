package alphabeta

import (
	"unsafe"

	"github.com/yomikiri/yomikiri/games"
)

// table is a transposition table: clusters of entries, of which one belongs to the depth
// of a search and the others are replaced more easily.
type table[P, M comparable] struct {
	entries []entry[P, M]
	age     uint8
}

const cluster = 4

// entry is what is known of a position, on whatever path it is reached.
type entry[P, M comparable] struct {
	position     P
	move         M // the best, if moved
	score        int16
	lower, upper games.Result
	depth        int8 // of score, which is missing if kind is 0
	kind         bound
	age          uint8
	used, moved  bool
}

// bound says how a score bounds that of a full search to the same depth.
type bound uint8

const (
	atLeast bound = 1 << iota
	atMost
	exact = atLeast | atMost
)

func (t *table[P, M]) init(memory uint64) {
	n := memory / uint64(unsafe.Sizeof(entry[P, M]{})) / cluster
	t.entries = make([]entry[P, M], max(n, 1)*cluster)
}

// cluster returns the entries where a position belongs.
func (t *table[P, M]) cluster(hash uint64) []entry[P, M] {
	at := hash % uint64(len(t.entries)/cluster) * cluster
	return t.entries[at : at+cluster]
}

// find returns the entry of a position, or nil.
func (t *table[P, M]) find(hash uint64, p *P) *entry[P, M] {
	list := t.cluster(hash)
	for i := range list {
		if e := &list[i]; e.used && e.position == *p {
			return e
		}
	}
	return nil
}

// place returns the entry to write a position to. If it is of another position it is
// empty.
func (t *table[P, M]) place(hash uint64, p *P) *entry[P, M] {
	if e := t.find(hash, p); e != nil {
		return e
	}
	list := t.cluster(hash)
	least := &list[0]
	for i := range list {
		if e := &list[i]; t.worth(e) < t.worth(least) {
			least = e
		}
	}
	*least = entry[P, M]{position: *p, lower: games.Lost, upper: games.Won, used: true}
	return least
}

// worth orders the entries of a cluster by how much work would be lost.
func (t *table[P, M]) worth(e *entry[P, M]) int {
	if !e.used {
		return -1
	}
	w := int(e.depth)
	if e.age == t.age {
		w += 2 * MaxDepth
	}
	return w
}
