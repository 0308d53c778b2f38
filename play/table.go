package play

import (
	"sync/atomic"
	"unsafe"
)

// Table is a transposition table: what searches have found, by the hash of the position.
// Searches on any number of goroutines may share one, for one game and evaluation. An entry
// whose two words are of different positions is not found, since the first word is the hash
// combined with the second (Hyatt and Mann, "A lockless transposition table implementation for
// parallel search", ICGA Journal 25, 2002).
type Table struct {
	clusters []cluster
	age      atomic.Uint32
}

// cluster is a cache line of entries.
type cluster [4]slot

// slot is an entry: the hash combined with the data, and the data:
//
//	bits 63-32   31-16                    15-8    7-6     5-0
//	score        number of the move + 1   depth   bound   age
type slot struct{ mixed, data atomic.Uint64 }

// entry is the data of a slot.
type entry struct {
	score Score
	move  uint16 // 0 if there is none, otherwise its number among the moves plus 1
	depth int
	bound bound
}

// bound says how a score bounds that of a full search.
type bound uint8

const (
	atLeast bound = 1 << iota
	atMost
	exact = atLeast | atMost
)

// decides reports whether a score v of the entry's bound answers what a search with a window asks.
func (e *entry) decides(v, alpha, beta Score) bool {
	return e.bound == exact || e.bound == atLeast && v >= beta || e.bound == atMost && v <= alpha
}

const ages = 64

// NewTable returns a table of about the given number of bytes.
func NewTable(memory uint64) *Table {
	return &Table{clusters: make([]cluster, max(memory/uint64(unsafe.Sizeof(cluster{})), 1))}
}

// Clear forgets everything. It leaves memory alone that no search has touched.
func (t *Table) Clear() {
	if t.age.Load() == 0 {
		return
	}
	clear(t.clusters)
	t.age.Store(0)
}

// Full returns which share of the table the current search has filled, by a sample.
func (t *Table) Full() float64 {
	const sample = 250
	n, used := min(sample, len(t.clusters)), 0
	for i := range n {
		for j := range t.clusters[i] {
			data := t.clusters[i][j].data.Load()
			if data != 0 && uint32(data%ages) == t.age.Load()%ages {
				used++
			}
		}
	}
	return float64(used) / float64(n*len(cluster{}))
}

func (t *Table) at(key uint64) *cluster {
	return &t.clusters[(key>>32)*uint64(len(t.clusters))>>32]
}

// find returns the entry of a position.
func (t *Table) find(key uint64) (entry, bool) {
	c := t.at(key)
	for i := range c {
		data := c[i].data.Load()
		if data != 0 && c[i].mixed.Load()^data == key {
			return unpack(data), true
		}
	}
	return entry{}, false
}

// store stores an entry. It replaces what is known of the position, or else the entry of the
// cluster that is the least deep, one of an older search first.
func (t *Table) store(key uint64, e entry) {
	c := t.at(key)
	age := t.age.Load() % ages
	least, worth := 0, 1<<30
	for i := range c {
		data := c[i].data.Load()
		if data != 0 && c[i].mixed.Load()^data == key {
			old := unpack(data)
			if e.bound != exact && old.depth > e.depth+3 && uint32(data%ages) == age {
				return
			}
			if e.move == 0 {
				e.move = old.move
			}
			least = i
			break
		}
		w := -1
		if data != 0 {
			w = int(data >> 8 & 255)
			if uint32(data%ages) == age {
				w += 256
			}
		}
		if w < worth {
			least, worth = i, w
		}
	}
	data := uint64(uint32(e.score))<<32 | uint64(e.move)<<16 | uint64(e.depth)<<8 | uint64(e.bound)<<6 | uint64(age)
	c[least].mixed.Store(key ^ data)
	c[least].data.Store(data)
}

func unpack(data uint64) entry {
	return entry{Score(int32(data >> 32)), uint16(data >> 16), int(data >> 8 & 255), bound(data >> 6 & 3)}
}
