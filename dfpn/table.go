package dfpn

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
)

// Table is a transposition table: it keeps search results in bounded memory. The
// replacement policy drops the entry that took the least search, as Nagai's garbage
// collection of small trees does in bulk (thesis 2002). So an entry may vanish, but an
// entry that is present is correct. Any number of goroutines may share a table, for
// searches of the same game, if keys distinguish all that matters, such as who attacks.
//
// A cluster fills a cache line with two entries of 28 bytes:
//
//	word 0   generation (32) | version (32)
//	word 1   key of entry 0 (64)
//	word 2   key of entry 1 (64)
//	word 3   hand of entry 1 (32) | hand of entry 0 (32)
//	word 4   entry 0: proof number (32) | disproof number (32); or move (32) | 0
//	word 5   the same of entry 1
//	word 6   entry 0: amount of search (32) | length (16) | depth (12) | flags (4)
//	word 7   the same of entry 1
//
// Writers lock a cluster by making its version odd; readers try again if the
// version has changed in the meantime (a sequence lock: Lameter, "Effective
// synchronization on Linux/NUMA systems", 2005). A cluster of another generation
// than the table's is empty, so clearing the table takes no time. A position's
// bucket is a few adjacent clusters, more if the position has many entries. Slots
// fill in order, and the first empty one ends a lookup.
type Table struct {
	clusters   []cluster
	starts     uint64 // clusters in which a bucket may start
	generation uint32
	seed       games.Seed    // of the keys of its positions
	guards     atomic.Uint64 // of the hands, plus handsKnown; 0 before the first search

	// collapse moves the clusters to huge pages, once collapseAt of them are used;
	// nil if there is nothing to move. used counts clusters until then.
	collapse func()
	used     atomic.Uint32
}

type cluster [8]atomic.Uint64

const (
	clusterBytes = 64
	// bucket is the number of adjacent clusters in which a position may be.
	bucket = 4
	// A position that is met with many hands has many entries. Once it has
	// crowded entries, its bucket is wideBucket clusters.
	crowded    = bucket
	wideBucket = 16

	handsKnown = 1 << 32

	// collapseAt is the number of used clusters at which the table moves to huge pages.
	// Before that, with each cluster on a different page of 4 KiB at worst, it takes at
	// most 64 MiB.
	collapseAt = 1 << 14
)

// NewTable returns an empty table of at most size bytes, with the seed of the process.
func NewTable(size int64) (*Table, error) {
	n := size / clusterBytes
	if n < bucket {
		return nil, fmt.Errorf("dfpn: a table of %d bytes is too small; the minimum is %d", size, bucket*clusterBytes)
	}
	clusters, collapse := newClusters(int(n))
	return &Table{clusters: clusters, starts: uint64(n) - bucket + 1, generation: 1, seed: games.ProcessSeed(), collapse: collapse}, nil
}

// NewFixedTable is NewTable with [games.FixedSeed]: searches take the same nodes in every run.
func NewFixedTable(size int64) (*Table, error) {
	t, err := NewTable(size)
	if err == nil {
		t.seed = games.FixedSeed
	}
	return t, err
}

// Seed returns the seed from which cursors compute the keys of positions. Entries mean nothing
// under the keys of another seed.
func (t *Table) Seed() games.Seed { return t.seed }

// Rekey empties the table and gives it another seed. No search may use the table meanwhile.
func (t *Table) Rekey(seed games.Seed) {
	t.Clear()
	t.seed = seed
}

// use counts a cluster that is used for the first time, and moves the table to huge
// pages when collapseAt of them are used.
func (t *Table) use() {
	if t.collapse != nil && t.used.Load() < collapseAt && t.used.Add(1) == collapseAt {
		go t.collapse()
	}
}

// Size returns the size of the table in bytes.
func (t *Table) Size() int64 { return int64(len(t.clusters)) * clusterBytes }

// Clear empties the table; the next search may be of another game. No search may
// use the table meanwhile.
func (t *Table) Clear() {
	t.guards.Store(0)
	if t.generation++; t.generation == 0 { // after 2^32 searches
		for i := range t.clusters {
			t.clusters[i][0].Store(0)
		}
		t.generation = 1
	}
}

// Full estimates how full the table is, from 0 to 1, by a sample of its clusters.
func (t *Table) Full() float64 {
	const sample = 1000
	n := min(sample, len(t.clusters))
	used := 0
	for i := range n {
		l := &t.clusters[i*(len(t.clusters)/n)]
		if uint32(l[0].Load()>>32) != t.generation {
			continue
		}
		for slot := range 2 {
			if l[1+slot].Load() != 0 {
				used++
			}
		}
	}
	return float64(used) / float64(2*n)
}

// adopt sets the guard bits of the table, and reports false if it already has others.
// Without hands they are 0.
func (t *Table) adopt(guards Hand) bool {
	known := handsKnown | uint64(guards)
	return t.guards.CompareAndSwap(0, known) || t.guards.Load() == known
}

// covers is the function covers with the guard bits of the table.
func (t *Table) covers(a, b Hand) bool { return covers(a, b, Hand(t.guards.Load())) }

// kind says what an entry holds.
type kind uint8

const (
	unknown  kind = iota // nothing
	open                 // proof and disproof number of exactly this position
	proof                // won in at most length plies with any hand that covers the entry's
	disproof             // not won in length plies with any hand that the entry's covers
)

const (
	kindMask   = 3
	repeatFlag = 4
	unsureFlag = 8
	depthShift = 4
	maxDepth   = 1<<12 - 1
)

// entry is what the table holds about a position.
type entry struct {
	kind   kind
	repeat bool   // disproofs that only hold on some path have been found
	unsure bool   // the disproof rests on an incomplete node
	depth  uint16 // least depth at which the position was met
	length uint16
	hand   Hand
	// proof and disproof numbers, if open
	proof, disproof uint32
	move            Move   // the move that settles the position; in a twin, the depth that it depends on
	amount          uint32 // nodes searched in and below the position
}

func (e *entry) settled() bool { return e.kind == proof || e.kind == disproof }

func (e *entry) meta() uint64 {
	m := uint64(e.amount)<<32 | uint64(e.length)<<16 | uint64(e.depth)<<depthShift | uint64(e.kind)
	if e.repeat {
		m |= repeatFlag
	}
	if e.unsure {
		m |= unsureFlag
	}
	return m
}

func (e *entry) numbers() uint64 {
	if e.kind == open {
		return uint64(e.proof)<<32 | uint64(e.disproof)
	}
	return uint64(e.move) << 32
}

func unpack(hand Hand, numbers, meta uint64) entry {
	e := entry{
		kind:   kind(meta & kindMask),
		repeat: meta&repeatFlag != 0,
		unsure: meta&unsureFlag != 0,
		depth:  uint16(meta >> depthShift & maxDepth),
		length: uint16(meta >> 16),
		hand:   hand,
		amount: uint32(meta >> 32),
	}
	if e.kind == open {
		e.proof, e.disproof = uint32(numbers>>32), uint32(numbers)
	} else {
		e.move = Move(numbers >> 32)
	}
	return e
}

func clampDepth(depth int) uint16 { return uint16(min(depth, maxDepth)) }

func (t *Table) start(key uint64) int {
	high, _ := bits.Mul64(key*0x9e3779b97f4a7c15, t.starts)
	return int(high)
}

// prefetch begins to load the first cluster of each child, so that the lookups
// that follow do not wait one after the other. It also makes keys [nonzero]. The
// result has no meaning.
func (t *Table) prefetch(children []Child) uint64 {
	loaded := uint64(0)
	for i := range children {
		c := &children[i]
		c.Key = nonzero(c.Key)
		loaded |= t.clusters[t.start(c.Key)][7].Load()
	}
	return loaded
}

// read returns the entry in a slot of a cluster if it has the key.
func (t *Table) read(l *cluster, slot int, key uint64) (entry, bool) {
	for {
		header := l[0].Load()
		if header&1 == 0 {
			if uint32(header>>32) != t.generation || l[1+slot].Load() != key {
				return entry{}, false
			}
			hands, numbers, meta := l[3].Load(), l[4+slot].Load(), l[6+slot].Load()
			if l[0].Load() == header {
				return unpack(Hand(hands>>(32*slot)), numbers, meta), true
			}
		}
		runtime.Gosched()
	}
}

// inBucket reports whether cluster i belongs to the bucket that starts at start,
// if the clusters before i hold the given number of entries of the position.
func (t *Table) inBucket(i, start, entries int) bool {
	return i < start+bucket || entries >= crowded && i < min(start+wideBucket, len(t.clusters))
}

// lookup returns what is known about a position in a search for wins in at most
// limit plies. If nothing settles the position and it has no entry of its own,
// the kind is unknown, and the numbers are the given ones raised by entries with
// other hands: a proof is no easier with less in hand, nor a disproof with more.
func (t *Table) lookup(at position, limit uint16, proofNumber, disproofNumber uint32) (e entry) {
	e = entry{depth: maxDepth, proof: proofNumber, disproof: disproofNumber}
	start, entries := t.start(at.key), 0
	for i := start; t.inBucket(i, start, entries); i++ {
		l := &t.clusters[i]
		if uint32(l[0].Load()>>32) != t.generation {
			return e
		}
		key0, key1 := l[1].Load(), l[2].Load()
		if key0 == at.key {
			entries++
			if found, ok := t.read(l, 0, at.key); ok && t.apply(&e, &found, at.hand, limit) {
				return e
			}
		}
		if key1 == at.key {
			entries++
			if found, ok := t.read(l, 1, at.key); ok && t.apply(&e, &found, at.hand, limit) {
				return e
			}
		}
		if key1 == 0 {
			return e
		}
	}
	return e
}

// Disproof reports whether the table knows that a position is not won in any number of plies, and
// with which hand; that hand covers the given one. key and hand are as in a [Child].
func (t *Table) Disproof(key uint64, hand Hand) (bound Hand, ok bool) {
	e := t.lookup(position{nonzero(key), hand}, Unlimited, 1, 1)
	return e.hand, e.kind == disproof && !e.unsure
}

// NotWon reports whether the table knows that a position of a cursor without [Hands] is not won in limit
// plies, and in how many it is not. The key is as in a [Child].
func (t *Table) NotWon(key uint64, limit uint16) (length uint16, ok bool) {
	e := t.lookup(position{key: nonzero(key)}, limit, 1, 1)
	return e.length, e.kind == disproof && !e.unsure
}

// KeepNotWon keeps that a position is not won in so many plies, which took a search of amount nodes, for
// searches of other kinds that share the table.
func (t *Table) KeepNotWon(key uint64, length uint16, amount uint64) {
	t.store(position{key: nonzero(key)}, &entry{kind: disproof, length: length, amount: uint32(min(amount, math.MaxUint32))})
}

// apply updates e, for a position with the given hand, from found, an entry with the same
// key. It reports whether found settles the position.
func (t *Table) apply(e, found *entry, hand Hand, limit uint16) bool {
	switch found.kind {
	case proof:
		if found.length <= limit && t.covers(hand, found.hand) {
			*e = *found
			return true
		}
	case disproof:
		if found.length >= limit && t.covers(found.hand, hand) {
			*e = *found
			return true
		}
	case open:
		switch {
		case found.hand == hand:
			p, d := max(e.proof, found.proof), max(e.disproof, found.disproof)
			if e.kind == unknown {
				p, d = found.proof, found.disproof
			}
			*e = *found
			e.proof, e.disproof = p, d
		case e.kind == unknown && t.covers(found.hand, hand):
			e.proof = max(e.proof, found.proof)
		case e.kind == unknown && t.covers(hand, found.hand):
			e.disproof = max(e.disproof, found.disproof)
		}
	}
	return false
}

// store writes what is known about a position. The hand of e is the bound of a
// proof or disproof; either replaces the open entry of the position.
func (t *Table) store(at position, e *entry) {
	for {
		v, needed := t.victim(at, e)
		if !needed || t.write(v, at.key, e) {
			return
		}
	}
}

// victim is a slot to be overwritten, with its key and meta word when it was chosen; the
// key is 0 if it was empty.
type victim struct {
	cluster, slot int
	key, meta     uint64
}

// victim chooses the slot for an entry: one that the entry supersedes, else an
// empty one, else the one with the least work. It returns false if another entry
// already says as much.
func (t *Table) victim(at position, e *entry) (least victim, needed bool) {
	start, entries := t.start(at.key), 0
	least.cluster = -1
	for i := start; t.inBucket(i, start, entries); i++ {
		l := &t.clusters[i]
		if uint32(l[0].Load()>>32) != t.generation {
			return victim{cluster: i}, true
		}
		for slot := range 2 {
			key, meta := l[1+slot].Load(), l[6+slot].Load()
			if key == 0 {
				return victim{cluster: i, slot: slot}, true
			}
			if key == at.key {
				entries++
				if found, ok := t.read(l, slot, key); ok {
					switch t.compare(&found, e, at.hand) {
					case useless:
						return victim{}, false
					case superseded:
						return victim{i, slot, key, found.meta()}, true
					}
				}
			}
			if least.cluster < 0 || uint32(meta>>32) < uint32(least.meta>>32) {
				least = victim{i, slot, key, meta}
			}
		}
	}
	return least, true
}

// verdict compares an old entry with a new one of the same key.
type verdict uint8

const (
	independent verdict = iota // both are needed
	superseded                 // the new one says all that the old one says
	useless                    // the old one says all that the new one says
)

// compare compares an old entry with a new one of a position with the given hand.
func (t *Table) compare(old, e *entry, hand Hand) verdict {
	switch {
	case old.kind == open:
		if old.hand == hand {
			return superseded
		}
	case old.kind != e.kind:
	case old.kind == proof:
		if old.length <= e.length && t.covers(e.hand, old.hand) {
			return useless
		}
		if old.length >= e.length && t.covers(old.hand, e.hand) {
			return superseded
		}
	case old.kind == disproof:
		if old.length >= e.length && t.covers(old.hand, e.hand) && (!old.unsure || e.unsure) {
			return useless
		}
		if old.length <= e.length && t.covers(e.hand, old.hand) && (old.unsure || !e.unsure) {
			return superseded
		}
	}
	return independent
}

// write overwrites a victim, unless it has changed since it was chosen.
func (t *Table) write(v victim, key uint64, e *entry) bool {
	l := &t.clusters[v.cluster]
	header := l[0].Load()
	for header&1 != 0 || !l[0].CompareAndSwap(header, header+1) {
		runtime.Gosched()
		header = l[0].Load()
	}
	current := uint32(header>>32) == t.generation
	if current && (l[1+v.slot].Load() != v.key || l[6+v.slot].Load() != v.meta) ||
		!current && v.key != 0 {
		l[0].Store(header)
		return false
	}
	if !current {
		t.use()
		l[2].Store(0)
		l[7].Store(0)
	}
	hands := l[3].Load()
	shift := 32 * v.slot
	l[1+v.slot].Store(key)
	l[3].Store(hands&^(0xffffffff<<shift) | uint64(e.hand)<<shift)
	l[4+v.slot].Store(e.numbers())
	l[6+v.slot].Store(e.meta())
	l[0].Store(uint64(t.generation)<<32 | uint64(uint32(header)+2))
	return true
}
