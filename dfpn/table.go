package dfpn

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync/atomic"
)

// Table is a transposition table: it keeps what a search has found out about
// positions, in bounded memory. Where it is full, the entry that took the least
// work makes room (as Nagai's garbage collection of small trees does in bulk,
// thesis 2002), so no entry can be relied on to be there; but what is there is
// true. Any number of goroutines may use one table at a time, searches of the
// same game and with the same attacker only.
//
// A line is as long as a line of a processor's cache and holds two entries of 28
// bytes:
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
// Writers lock a line by making its version odd; readers read again when the
// version has changed meanwhile (a sequence lock: Lameter, "Effective
// synchronization on Linux/NUMA systems", 2005). A line whose generation is not
// that of the table is empty, so that emptying a table takes no time. Entries of
// a position stand in any of a few adjacent lines, in more if it has many; slots
// fill in order, and the first empty one ends a lookup.
type Table struct {
	lines      []line
	starts     uint64 // lines in which a key may begin its window
	generation uint32
	guards     Hand
}

type line [8]atomic.Uint64

const (
	lineBytes = 64
	// window is the number of adjacent lines where a position may stand.
	window = 4
	// A position that is met with many hands has many entries. Where they fill
	// crowd slots of its window, the window is as wide as wideWindow lines.
	crowd      = window
	wideWindow = 16
)

// NewTable returns an empty table of at most so many bytes.
func NewTable(size int64) (*Table, error) {
	n := size / lineBytes
	if n < window {
		return nil, fmt.Errorf("dfpn: a table of %d bytes is too small: at least %d are needed", size, window*lineBytes)
	}
	return &Table{lines: newLines(int(n)), starts: uint64(n) - window + 1, generation: 1}, nil
}

// Size returns the size of the table in bytes.
func (t *Table) Size() int64 { return int64(len(t.lines)) * lineBytes }

// Clear empties the table. No search may use it meanwhile.
func (t *Table) Clear() {
	if t.generation++; t.generation == 0 { // 4 thousand million searches later
		for i := range t.lines {
			t.lines[i][0].Store(0)
		}
		t.generation = 1
	}
}

// Full returns how full the table is, from 0 to 1, by a sample of its lines.
func (t *Table) Full() float64 {
	const sample = 1000
	n := min(sample, len(t.lines))
	used := 0
	for i := range n {
		l := &t.lines[i*(len(t.lines)/n)]
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
	repeatFlag = 4 // disproofs that hold on a path only have been found
	depthShift = 4
	maxDepth   = 1<<12 - 1
)

// entry is what the table knows of a position.
type entry struct {
	kind   kind
	repeat bool   // see repeatFlag
	depth  uint16 // least depth at which it was met
	length uint16
	hand   Hand
	// proof and disproof numbers, if open
	proof, disproof uint32
	move            Move   // that wins, if a proof and the attacker's turn
	amount          uint32 // nodes searched in and below it
}

func (e *entry) meta() uint64 {
	m := uint64(e.amount)<<32 | uint64(e.length)<<16 | uint64(e.depth)<<depthShift | uint64(e.kind)
	if e.repeat {
		m |= repeatFlag
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

func (t *Table) start(key uint64) int {
	high, _ := bits.Mul64(key*0x9e3779b97f4a7c15, t.starts)
	return int(high)
}

// touch begins to load the first line of each child, so that the lookups that
// follow do not wait one after the other. What it returns means nothing.
func (t *Table) touch(children []Child) uint64 {
	touched := uint64(0)
	for i := range children {
		touched |= t.lines[t.start(children[i].Key)][7].Load()
	}
	return touched
}

// read returns the entry in a slot of a line if it has the key.
func (t *Table) read(l *line, slot int, key uint64) (entry, bool) {
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

// inWindow reports whether a position may stand in line i, if its window begins
// at start and entries of it have been met before line i.
func (t *Table) inWindow(i, start, entries int) bool {
	return i < start+window || entries >= crowd && i < min(start+wideWindow, len(t.lines))
}

// lookup returns what is known of a position for a search of wins in at most
// limit plies. If that is no proof and no disproof, and no exact entry is there,
// e.kind is unknown, and the numbers are the given ones raised by what is known
// with other hands: with less in hand, proving is not easier, and disproving not
// harder with more.
func (t *Table) lookup(key uint64, hand Hand, limit uint16, proofNumber, disproofNumber uint32) (e entry) {
	e = entry{depth: maxDepth, proof: proofNumber, disproof: disproofNumber}
	start, entries := t.start(key), 0
	for i := start; t.inWindow(i, start, entries); i++ {
		l := &t.lines[i]
		if uint32(l[0].Load()>>32) != t.generation {
			return e
		}
		key0, key1 := l[1].Load(), l[2].Load()
		if key0 == key {
			entries++
			if found, ok := t.read(l, 0, key); ok && e.use(&found, hand, limit, t.guards) {
				return e
			}
		}
		if key1 == key {
			entries++
			if found, ok := t.read(l, 1, key); ok && e.use(&found, hand, limit, t.guards) {
				return e
			}
		}
		if key1 == 0 {
			return e
		}
	}
	return e
}

// use takes what another entry of the same key says of the position with the
// given hand, and reports whether that settles it.
func (e *entry) use(found *entry, hand Hand, limit uint16, guards Hand) bool {
	switch found.kind {
	case proof:
		if found.length <= limit && covers(hand, found.hand, guards) {
			*e = *found
			return true
		}
	case disproof:
		if found.length >= limit && covers(found.hand, hand, guards) {
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
		case e.kind == unknown && covers(found.hand, hand, guards):
			e.proof = max(e.proof, found.proof)
		case e.kind == unknown && covers(hand, found.hand, guards):
			e.disproof = max(e.disproof, found.disproof)
		}
	}
	return false
}

// store writes what is known of a position with hand exact. A proof or disproof
// has the hand of e; it takes the place of the open entry of the position.
func (t *Table) store(key uint64, exact Hand, e *entry) {
	start := t.start(key)
again:
	entries := 0
	bestLine, bestSlot, bestKey, bestMeta := -1, 0, uint64(0), uint64(0)
	least := ^uint32(0)
scan:
	for i := start; t.inWindow(i, start, entries); i++ {
		l := &t.lines[i]
		header := l[0].Load()
		if uint32(header>>32) != t.generation {
			bestLine, bestSlot, bestKey, bestMeta = i, 0, 0, 0
			break
		}
		for slot := range 2 {
			other, meta := l[1+slot].Load(), l[6+slot].Load()
			if other == key {
				entries++
				if found, ok := t.read(l, slot, key); ok {
					switch found.compare(e, exact, t.guards) {
					case useless:
						return
					case replaceable:
						bestLine, bestSlot, bestKey, bestMeta = i, slot, key, found.meta()
						break scan
					}
				}
			}
			if other == 0 {
				bestLine, bestSlot, bestKey, bestMeta = i, slot, 0, 0
				break scan
			}
			if amount := uint32(meta >> 32); amount < least || bestLine < 0 {
				least = amount
				bestLine, bestSlot, bestKey, bestMeta = i, slot, other, meta
			}
		}
	}
	if !t.write(bestLine, bestSlot, bestKey, bestMeta, key, e) {
		goto again
	}
}

// verdict says what an entry is to a new one of the same key.
type verdict uint8

const (
	independent verdict = iota // both are needed
	replaceable                // the new one says all that it says
	useless                    // it says all that the new one says
)

func (e *entry) compare(next *entry, exact, guards Hand) verdict {
	switch {
	case e.kind == open:
		if e.hand == exact {
			return replaceable
		}
	case e.kind != next.kind:
	case e.kind == proof:
		if e.length <= next.length && covers(next.hand, e.hand, guards) {
			return useless
		}
		if e.length >= next.length && covers(e.hand, next.hand, guards) {
			return replaceable
		}
	case e.kind == disproof:
		if e.length >= next.length && covers(e.hand, next.hand, guards) {
			return useless
		}
		if e.length <= next.length && covers(next.hand, e.hand, guards) {
			return replaceable
		}
	}
	return independent
}

// write puts an entry into a slot if that still holds what was seen there.
func (t *Table) write(i, slot int, seenKey, seenMeta, key uint64, e *entry) bool {
	l := &t.lines[i]
	header := l[0].Load()
	for header&1 != 0 || !l[0].CompareAndSwap(header, header+1) {
		runtime.Gosched()
		header = l[0].Load()
	}
	current := uint32(header>>32) == t.generation
	if current && (l[1+slot].Load() != seenKey || l[6+slot].Load() != seenMeta) ||
		!current && seenKey != 0 {
		l[0].Store(header)
		return false
	}
	if !current {
		l[2].Store(0)
		l[7].Store(0)
	}
	hands := l[3].Load()
	shift := 32 * slot
	l[1+slot].Store(key)
	l[3].Store(hands&^(0xffffffff<<shift) | uint64(e.hand)<<shift)
	l[4+slot].Store(e.numbers())
	l[6+slot].Store(e.meta())
	l[0].Store(uint64(t.generation)<<32 | uint64(uint32(header)+2))
	return true
}
