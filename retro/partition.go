package retro

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

// Codes of values while solving; those from 2 on are given to values in the
// order in which they come up.
const (
	codeNone = 0 // no value: a hole, a finished position, or not reached
	codeDraw = 1 // not settled yet, and in the end a draw
	codes    = 2 // first code of the other values
)

// lists are positions of a partition by what is known of them.
type lists struct {
	won, lost []uint32 // slots
}

// held is news of a level that is not yet reached, from moves that leave the
// tier or end the game.
type held struct {
	win, decrement []uint32 // slots, as in messages of that kind
}

// partition is the part of a region that one owner keeps. For each slot of an
// open region it has
//
//	+---------+----------+-------+---------+
//	| reached | expanded | count | code    |
//	| 1 bit   | 1 bit    | 8 bit | 8 or 16 |
//	+---------+----------+-------+---------+
//
// of which the bits are gone once all positions are known. Behind the open part
// only the reached bit is kept, and codes and counts never exist.
//
// The count of an unsettled position is how many of its successors are not yet
// known to be won for the opponent at this level; the successors outside of the
// tier count as one. It is 0 for all other slots.
type partition struct {
	*region
	number int

	reached, expanded []uint64
	unexpanded        int // how many are reached but not expanded

	count  []uint8
	narrow []uint8  // codes while they fit
	wide   []uint16 // codes from the 257th on

	// initialised is where the pass over all slots of a tier has got to.
	initialised uint64

	now, next lists  // settled at this level, and at the next one
	held      []held // by level

	inbox   []*Batch
	waiting int // messages in the inbox
	queued  bool
}

func (p *partition) allocateBits() {
	words := p.slots() / 64
	p.reached = make([]uint64, words)
	if p.open {
		p.expanded = make([]uint64, words)
	}
}

func (p *partition) allocateValues(wide bool) {
	p.count = make([]uint8, p.slots())
	p.allocateCodes(wide)
}

func (p *partition) allocateCodes(wide bool) {
	if wide {
		p.wide = make([]uint16, p.slots())
	} else {
		p.narrow = make([]uint8, p.slots())
	}
}

func (p *partition) code(slot uint32) uint16 {
	if p.wide != nil {
		return p.wide[slot]
	}
	return uint16(p.narrow[slot])
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
	p.wide = make([]uint16, len(p.narrow))
	for i, c := range p.narrow {
		p.wide[i] = uint16(c)
	}
	p.narrow = nil
}

// hold keeps the best that is known of a slot until its level.
func (p *partition) hold(best games.Value, slot uint32) {
	level := best.Size()
	for len(p.held) <= level {
		p.held = append(p.held, held{})
	}
	h := &p.held[level]
	if best > games.Draw {
		h.win = append(h.win, slot)
	} else {
		h.decrement = append(h.decrement, slot)
	}
}

// unexpandedSlots appends up to n slots that are reached but not expanded, the
// first from the given word of the bitmaps on, marks them as expanded, and
// returns the word to go on with.
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

// news adds up what is known of a position from its successors.
type news struct {
	unknown int         // successors without a known value
	best    games.Value // of the moves with a known value, or Unfinished
	last    games.Value // the successor's value added last
	gain    int16       // of the move added last
}

func noNews() news { return news{best: games.Unfinished, last: games.Unfinished} }

// add takes in a move that gains something and leads to a position of value v for
// the opponent, or to one that is Unfinished.
func (n *news) add(v games.Value, gain int16) {
	if v == games.Unfinished {
		n.unknown++
	} else if v != n.last || gain != n.gain {
		n.last, n.gain = v, gain
		n.best = max(n.best, v.Backup(int(gain)))
	}
}

// count returns the count for the position: of successors that are not known,
// and one more for the best of the moves that are, unless it is sure to be told
// no later than the others.
func (n *news) count() (count int, hold bool) {
	if n.best == games.Unfinished {
		return n.unknown, false
	}
	// Nothing in the tier makes a position lost before level 2, so a loss in
	// 2 plies need not be waited for if other successors are.
	if n.unknown > 0 && n.best <= games.Loss(2) {
		return n.unknown, false
	}
	return n.unknown + 1, n.best != games.Draw
}

// block copies the codes of positions from a slot on to dst through a table. dst
// has one byte a position, or two if the table has wide codes.
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
