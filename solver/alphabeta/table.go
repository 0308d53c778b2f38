package alphabeta

import (
	"unsafe"

	"github.com/yomikiri/yomikiri/games"
)

// table is a transposition table of clusters. Most positions are in none; the tags, which are
// close together, show this without reading the entries. It begins small, and has four times the
// size when an entry would be lost, until it has that of the memory.
type table[P, M comparable] struct {
	hash    func(*P) uint64
	entries []entry[P, M]
	tags    []uint16 // of the entries, parts of their hashes; 0 if empty
	used    int      // entries that are not empty
	most    uint64   // clusters of the whole memory
	shift   uint     // there are now most>>shift
	age     uint8
}

const (
	cluster = 4
	// begins is the largest size in bytes of a new table.
	begins = 1 << 20
	// A table grows only if one entry in sparse is used. With fewer, hardly any cluster is full.
	sparse = 4
)

// entry holds what is known of a position, whatever the path to it.
type entry[P, M comparable] struct {
	position     P
	move         M // the best, if moved
	score        int16
	lower, upper games.Result
	depth        int8 // of score, which is missing if kind is 0
	kind         bound
	age          uint8
	moved        bool
}

// bound says how a score bounds that of a full search to the same depth.
type bound uint8

const (
	atLeast bound = 1 << iota
	atMost
	exact = atLeast | atMost
)

func (t *table[P, M]) init(memory uint64, hash func(*P) uint64) {
	bytes := (uint64(unsafe.Sizeof(entry[P, M]{})) + 2) * cluster
	t.hash, t.most = hash, max(memory/bytes, 1)
	for t.most>>t.shift*bytes > begins {
		t.shift += 2
	}
	t.allocate()
}

func (t *table[P, M]) allocate() {
	n := t.most >> t.shift * cluster
	t.entries, t.tags, t.used = make([]entry[P, M], n), make([]uint16, n), 0
}

// grow makes the table four times as large. Until it returns, the old entries take memory too.
func (t *table[P, M]) grow() {
	entries, tags := t.entries, t.tags
	t.shift -= 2
	t.allocate()
	for i := range entries {
		if e := &entries[i]; tags[i] != 0 {
			*t.place(t.hash(&e.position), &e.position) = *e
		}
	}
}

// cluster returns the first entry of the cluster where a position belongs.
func (t *table[P, M]) cluster(hash uint64) int {
	return int(hash % uint64(len(t.entries)/cluster) * cluster)
}

func tagOf(hash uint64) uint16 { return uint16(hash>>48) | 1 }

// find returns the entry of a position, or nil.
func (t *table[P, M]) find(hash uint64, p *P) *entry[P, M] {
	first := t.cluster(hash)
	for i, tag := range t.tags[first : first+cluster] {
		if tag == tagOf(hash) && t.entries[first+i].position == *p {
			return &t.entries[first+i]
		}
	}
	return nil
}

// place returns the entry in which to store a position. If it held another position it is
// cleared. The entries that were found before are not part of the table any more if it grows.
func (t *table[P, M]) place(hash uint64, p *P) *entry[P, M] {
	if e := t.find(hash, p); e != nil {
		return e
	}
	first := t.cluster(hash)
	least := first
	for i := first; i < first+cluster; i++ {
		if t.worth(i) < t.worth(least) {
			least = i
		}
	}
	switch {
	case t.tags[least] == 0:
		t.used++
	case t.shift > 0 && t.used >= len(t.entries)/sparse:
		t.grow()
		return t.place(hash, p)
	}
	t.tags[least] = tagOf(hash)
	e := &t.entries[least]
	*e = entry[P, M]{position: *p, lower: games.Lost, upper: games.Won}
	return e
}

// worth orders the entries of a cluster by how much work replacing them would lose.
func (t *table[P, M]) worth(i int) int {
	if t.tags[i] == 0 {
		return -1
	}
	e := &t.entries[i]
	w := int(e.depth)
	if e.age == t.age {
		w += 2 * MaxDepth
	}
	return w
}
