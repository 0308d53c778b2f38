package engine

import (
	"bytes"
	"math/bits"
	"unsafe"

	"github.com/yomikiri/yomikiri/games"
)

// Codes of values while solving. Those from 2 on are assigned in the order in which
// values come up.
const (
	codeNone  = 0 // no value: a hole, a finished position, or not reached
	codeDraw  = 1 // not settled yet; a draw if it stays so
	firstCode = 2 // first code of the other values, and first number of deferred ones
)

// lineBytes is the size of a cache line.
const lineBytes = 64

// frontier lists the slots of a partition newly proven won or lost.
type frontier struct {
	won, lost []uint32
}

// partition is a part of a region with one owner. For each slot of an open region
// it has
//
//	+---------+----------+-------+---------+
//	| reached | expanded | count | code    |
//	| 1 bit   | 1 bit    | 8 bit | 8 or 16 |
//	+---------+----------+-------+---------+
//
// In an open region, reaching a finished position sets its expanded bit only; an unfinished
// one has the reached bit, and the expanded bit once it is expanded. A closed region has
// the reached bit only. The bits are freed once all positions are known.
//
// The count of an unsettled position is the number of its successors not yet known to be won
// for the opponent; those whose values are known from the start count as one. It is 0 for all
// other slots. What the code means depends on the count:
//
//	count 0       the code of the value, or codeNone
//	count > 0     the number of the value that is deferred for the position, or codeDraw
//
// While the tier is initialised, both may hold a summary instead: see values.go. In a game of one tier
// both share a byte as long as they fit: see joint.
type partition struct {
	*region
	number int
	remote bool // it belongs to a peer, and has no arrays here

	reached, expanded []uint64
	unexpanded        int // slots reached but not expanded

	count  []uint8
	narrow []uint8  // codes while they fit; states, if joint is set
	wide   []uint16 // all codes, once one needs two bytes
	joint  *joint   // how counts and codes share a byte, nil if they do not

	// While the tier is initialised: initialised is the next slot to expand. Slots whose
	// successors lack values have a summary until these come. In memory remembered marks them;
	// on disk they are all those from summed on.
	initialised, summed uint64
	remembered          []uint64 // bits of slots, or nil

	now, next frontier // at this level, and at the next one
	deferred  []uint64 // number of deferred updates, by the number of their value

	inbox   []*Batch // accepted and not yet applied
	waiting int      // messages in the inbox
	queued  bool     // it is in the ready list of its owner

	store store
}

func (p *partition) allocateCodes(wide bool) {
	if wide {
		p.wide = make([]uint16, p.slots())
	} else {
		p.narrow = make([]uint8, p.slots())
	}
}

// enough is the number of messages of a kind at which the owner applies them, so that loading the
// array into the cache pays off: one for each 16 bytes of it.
func (p *partition) enough(kind messageKind) int {
	perMessage := uint64(16) // slots
	switch {
	case kind == kindReach && p.open:
		perMessage = 16 * 8 / 2 // two bits a slot
	case kind == kindReach:
		perMessage = 16 * 8
	}
	return int(min(p.slots()/perMessage, applyAt))
}

// warm loads the array that all waiting messages are about into the cache, if they need many of its lines: memory
// delivers lines several times as fast in order. What it returns keeps the compiler from dropping the loads.
func (p *partition) warm(kind messageKind) uint64 {
	switch {
	case 8*p.waiting < p.enough(kind):
		return 0
	case kind == kindReach:
		return load(p.reached) | load(p.expanded)
	case p.joint != nil:
		return load(p.narrow)
	}
	return load(p.count)
}

// load reads each line of an array.
func load[T uint8 | uint64](array []T) (all uint64) {
	for i := 0; i < len(array); i += lineBytes / int(unsafe.Sizeof(array[0])) {
		all |= uint64(array[i])
	}
	return all
}

// hasCodes reports whether the codes are in memory.
func (p *partition) hasCodes() bool { return p.narrow != nil || p.wide != nil }

func (p *partition) code(slot uint32) uint16 {
	if p.wide != nil {
		return p.wide[slot]
	}
	return uint16(p.narrow[slot])
}

// replaceByCodes replaces slots by their codes.
func (p *partition) replaceByCodes(slots []uint32) {
	if p.wide != nil {
		for i, slot := range slots {
			slots[i] = uint32(p.wide[slot])
		}
		return
	}
	for i, slot := range slots {
		slots[i] = uint32(p.narrow[slot])
	}
}

func (p *partition) setCode(slot uint32, code uint16) {
	if p.wide != nil {
		p.wide[slot] = code
	} else {
		p.narrow[slot] = uint8(code)
	}
}

// widen makes room for codes above 255.
func (p *partition) widen() {
	if p.narrow == nil {
		return
	}
	p.split()
	p.wide = make([]uint16, len(p.narrow))
	for i, c := range p.narrow {
		p.wide[i] = uint16(c)
	}
	p.narrow = nil
}

// advance makes the next frontier the current one.
func (p *partition) advance() {
	p.now, p.next = p.next, frontier{won: p.now.won[:0], lost: p.now.lost[:0]}
	p.store.advance()
}

// frontierNow returns the positions of the level whose predecessors get messages of a kind.
func (p *partition) frontierNow(kind messageKind) storedSlots {
	f := storedSlots{slots: &p.now.lost, stored: p.store.frontier(kind)}
	if kind == kindDecrement {
		f.slots = &p.now.won
	}
	return f
}

// deferUpdate counts an update that is deferred to the level of a value.
func (p *partition) deferUpdate(number uint16) {
	p.deferred = grown(p.deferred, int(number))
	p.deferred[number]++
}

// unsettle makes a slot that of an unsettled position, with the number of the value that is deferred
// for it, or codeDraw. codes is the number of codes in use.
func (p *partition) unsettle(slot uint32, count int, number uint16, codes int) {
	if p.joint != nil {
		if s := p.joint.state(count, number, codes); s > 0 {
			p.narrow[slot] = s
			return
		}
		p.split()
	}
	p.count[slot] = uint8(min(count, mostCount))
	p.setNumber(slot, number)
}

// setNumber makes the number of a value the code of a slot.
func (p *partition) setNumber(slot uint32, number uint16) {
	if number > 255 {
		p.widen()
	}
	p.setCode(slot, number)
}

// deferredSlots appends the slots for which a value is deferred, unless they are settled.
func (p *partition) deferredSlots(dst []uint32, number uint16) []uint32 {
	if p.joint != nil {
		return p.joint.deferredSlots(dst, p.narrow, number)
	}
	if p.wide != nil {
		for slot, code := range p.wide {
			if code == number && p.count[slot] > 0 {
				dst = append(dst, uint32(slot))
			}
		}
		return dst
	}
	for slot := 0; ; slot++ {
		n := bytes.IndexByte(p.narrow[slot:], byte(number))
		if n < 0 {
			return dst
		}
		if slot += n; p.count[slot] > 0 {
			dst = append(dst, uint32(slot))
		}
	}
}

// unexpandedSlots appends up to n slots that are reached but not expanded, from the
// given word of the bitmaps on, and marks them as expanded. It also returns the
// word to continue with.
func (p *partition) unexpandedSlots(dst []uint32, n, word int) ([]uint32, int) {
	for ; word < len(p.reached) && len(dst) < n; word++ {
		for set := p.reached[word] &^ p.expanded[word]; set != 0; set &= set - 1 {
			if len(dst) == n {
				return dst, word
			}
			dst = append(dst, uint32(word*64+bits.TrailingZeros64(set)))
			p.expanded[word] |= set & -set
			p.unexpanded--
		}
	}
	return dst, word
}

// summary accumulates the known values of the moves of a position.
type summary struct {
	unknown int         // moves to positions without a known value
	best    games.Value // of the other moves, or Unfinished
}

func newSummary() summary { return summary{best: games.Unfinished} }

// add adds a move of value v, which is Unfinished if the value is not known.
func (n *summary) add(v games.Value) {
	unknown := 0
	if v == games.Unfinished {
		unknown = 1 // no branch: the order is unpredictable
	}
	n.unknown += unknown
	n.best = max(n.best, v) // Unfinished is less than any value
}

// count returns the count of the position, and whether its best known value is an update to
// defer. Each successor that is not known counts one. The known ones together count one, which
// the deferred update takes away, unless that is certain not to be the last to go.
func (n *summary) count() (count int, later bool) {
	if n.best == games.Unfinished {
		return n.unknown, false
	}
	// Nothing in the tier makes a position lost before level 2, and deferred updates come first
	// in a level. So where other successors are unknown, a loss in 2 plies would never be last.
	if n.unknown > 0 && n.best <= games.Loss(2) {
		return n.unknown, false
	}
	return n.unknown + 1, n.best != games.Draw
}

// block copies the codes from a slot on to dst, mapped by a table. dst has width
// bytes a position.
func (p *partition) block(slot uint32, table []uint16, width int, dst []byte) {
	if p.narrow != nil && width == 1 {
		for i, c := range p.narrow[slot:][:len(dst)] {
			dst[i] = byte(table[c])
		}
		return
	}
	for i := range uint32(len(dst) / width) {
		code := table[p.code(slot+i)]
		if width == 1 {
			dst[i] = byte(code)
		} else {
			dst[2*i], dst[2*i+1] = byte(code), byte(code>>8)
		}
	}
}
