package engine

import "bytes"

// joint says how the count and the code of a slot share a byte, its state, which halves the memory of
// a partition. A game of one tier, where all positions are unsettled at once, begins so in memory. A
// partition whose codes and counts do not fit is split.
//
//	+---------------------------+--------+-----------------------------------------+
//	| codes of settled          | unused | unsettled positions: numbers of a count |
//	| positions, from 0 upwards |        | and a code, from 255 downwards          |
//	+---------------------------+--------+-----------------------------------------+
type joint struct {
	lowest      int         // state of an unsettled position, 256 if there is none
	count, code [256]uint8  // by state
	after       [256]uint16 // state after a decrement, and whether that settles the position
	states      [][]uint8   // by code and count; 0 for none
}

const (
	// endless stands for the count of a position that is won by a deferred update: no decrements take it to 0, since
	// the update is one of those that it counts. Apart from states it is mostCount.
	endless   = mostCount + 1
	mostCount = 255
	// lastMove in joint.after marks a decrement that settles a position.
	lastMove = 1 << 8
)

func newJoint() *joint {
	j := &joint{lowest: 256}
	for s := range j.code {
		j.code[s], j.after[s] = uint8(s), uint16(s)
	}
	return j
}

// state returns the state of an unsettled position, or 0 if there is no room for it beside the codes
// in use.
func (j *joint) state(count int, code uint16, codes int) uint8 {
	if int(code) < len(j.states) && j.states[code] != nil {
		if s := j.states[code][count]; s > 0 {
			return s
		}
	}
	if code > 255 || j.lowest <= codes {
		return 0
	}
	after := uint16(codeNone) | lastMove
	if count > 1 && count != endless {
		next := j.state(count-1, code, codes)
		if next == 0 || j.lowest <= codes {
			return 0
		}
		after = uint16(next)
	}
	j.lowest--
	s := uint8(j.lowest)
	if count == endless {
		after = uint16(s)
	}
	j.count[s], j.code[s], j.after[s] = uint8(min(count, mostCount)), uint8(code), after
	for len(j.states) <= int(code) {
		j.states = append(j.states, nil)
	}
	if j.states[code] == nil {
		j.states[code] = make([]uint8, endless+1)
	}
	j.states[code][count] = s
	return s
}

// win gives a code to the unsettled ones of some slots, puts these into list, and returns their number.
func (j *joint) win(states []uint8, slots []uint32, code uint8, list []uint32) (n int) {
	lowest := j.lowest
	for _, slot := range slots {
		s, unsettled := states[slot], 0
		if int(s) >= lowest {
			s, unsettled = code, 1 // no branch: the order is unpredictable
		}
		states[slot] = s
		list[n] = slot
		n += unsettled
	}
	return n
}

// decrement lowers the counts of slots, puts those at 0 into list, and returns their number. They have
// codeNone until they get a code.
func (j *joint) decrement(states []uint8, slots []uint32, list []uint32) (n int) {
	after := &j.after
	for _, slot := range slots {
		s := after[states[slot]]
		states[slot] = uint8(s)
		list[n] = slot
		n += int(s / lastMove)
	}
	return n
}

// deferredSlots appends the slots for which a value is deferred.
func (j *joint) deferredSlots(dst []uint32, states []uint8, number uint16) []uint32 {
	for s := j.lowest; s < 256; s++ {
		if uint16(j.code[s]) != number {
			continue
		}
		for slot := 0; ; slot++ {
			n := bytes.IndexByte(states[slot:], uint8(s))
			if n < 0 {
				break
			}
			slot += n
			dst = append(dst, uint32(slot))
		}
	}
	return dst
}

// split gives the counts and codes of a partition arrays of their own.
func (p *partition) split() {
	if p.joint == nil {
		return
	}
	p.count = make([]uint8, len(p.narrow))
	for slot, s := range p.narrow {
		p.count[slot] = p.joint.count[s]
	}
	p.dropCounts()
}

// dropCounts leaves only the codes of states.
func (p *partition) dropCounts() {
	if p.joint == nil {
		return
	}
	for slot, s := range p.narrow {
		p.narrow[slot] = p.joint.code[s]
	}
	p.joint = nil
}

// undefer takes away the value that is deferred for a slot.
func (p *partition) undefer(slot uint32, codes int) {
	if p.joint == nil {
		p.setCode(slot, codeDraw)
		return
	}
	p.unsettle(slot, int(p.joint.count[p.narrow[slot]]), codeDraw, codes)
}

// join is the inverse of split, if the counts and codes fit. endlessly says of a deferred value whether
// its positions are won.
func (p *partition) join(codes int, endlessly func(number uint8) bool) {
	if p.count == nil || p.narrow == nil {
		return
	}
	j, states := newJoint(), make([]uint8, len(p.narrow))
	for slot, code := range p.narrow {
		count := int(p.count[slot])
		if count == 0 {
			states[slot] = code
			continue
		}
		if code > codeDraw && endlessly(code) {
			count = endless
		}
		s := j.state(count, uint16(code), codes)
		if s == 0 {
			return
		}
		states[slot] = s
	}
	p.count, p.narrow, p.joint = nil, states, j
}
