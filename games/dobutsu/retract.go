package dobutsu

import (
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// What a step captured: nothing or a chick, an elephant, or a giraffe.
const (
	tookNone = iota
	tookElephant
	tookGiraffe
	takings
)

// runUnmove is a move in a run that can be taken back, with an elephant, a giraffe or
// the lion: a step, or a drop.
type runUnmove struct {
	before images
	from   uint32 // bit of a square; 0 for a drop
}

// maxUnmoves is the number of steps that a lion can have made, with all that they can have
// captured.
const maxUnmoves = 8 * takings

// mover is an elephant, a giraffe or the lion that can have made the last move.
type mover struct {
	kind           kind
	to, from       uint32 // bit of its square, and the squares it can have come from
	listed         bool
	unmoves, steps int // numbers of them; the first are the steps that captured nothing or a chick
	list           [maxUnmoves]runUnmove
}

// retractor retracts positions. What it finds out about the unmoves of a run it keeps
// for the positions of the run that follow.
type retractor struct {
	reader
	view view

	movers int // number of them
	list   [5]mover

	// The images before steps of chicks and hens which captured an elephant or a
	// giraffe, by the square they went to; known are those squares that have them.
	chickSteps [32][takings]images
	known      [takings]uint32
}

// Retract implements [games.Retractor].
func (g *Game) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	x := retractor{reader: reader{g: g}}
	for _, index := range indices {
		if index-x.begin >= x.end-x.begin {
			x.readRun(index)
			x.makeView(&x.view)
			x.listMovers()
		}
		x.seeChicks(&x.view, index-x.begin)
		begin := len(out.Indices)
		out.Indices = x.predecessors(out.Indices)
		if x.view.isEven() {
			out.Indices = dedupe(out.Indices, begin)
		}
	}
}

// listMovers lists the animals that can have led to positions of the run with the last
// move, but chicks and hens. The side that moved could not capture the lion before:
// whatever attacks it now has just moved, and did not attack it before.
func (x *retractor) listMovers() {
	v, g := &x.view, x.g
	x.movers = 0
	x.known = [takings]uint32{}
	add := func(k kind, from, to uint32) {
		m := &x.list[x.movers]
		x.movers++
		m.kind, m.from, m.to, m.listed = k, from, to, false
	}
	for k, w := range [2]packed{v.e, v.g} {
		for set := w.mine(); set != 0; set &= set - 1 {
			add(kind(k), g.stepsTo[k][bits.TrailingZeros32(set)]&^(v.occupied|g.stepsTo[k][v.theirLion]), set&-set)
		}
	}
	from := g.steps[kindLion][v.lion] &^ v.occupied
	for set := from; set != 0; set &= set - 1 {
		if pair := x.pairBefore(set & -set); !pair.legal || pair.base >= g.index.open {
			from &^= set & -set
		}
	}
	add(kindLion, from, 1<<v.lion)
}

// listUnmoves lists the moves that an animal can have made.
func (x *retractor) listUnmoves(m *mover) {
	m.listed, m.unmoves = true, 0
	add := func(took int, from uint32) {
		u := &m.list[m.unmoves]
		m.unmoves++
		u.from = from
		x.setBefore(&u.before, took, m.kind, from, m.to)
	}
	hands := [takings]uint64{1, x.view.e.hand(), x.view.g.hand()}
	for took, hand := range hands {
		for from := m.from; from != 0 && hand != 0; from &= from - 1 {
			add(took, from&-from)
		}
		if took == tookNone {
			m.steps = m.unmoves
		}
	}
	if x.g.drops && m.kind != kindLion {
		add(tookNone, 0)
	}
}

// pairBefore returns the lions before the lion which is mine stepped from a square.
func (x *retractor) pairBefore(from uint32) *lionPair {
	return &x.g.index.pairs[bits.TrailingZeros32(from)&31][x.view.theirLion&31]
}

// setBefore sets the images before an animal of some kind went from one square to another
// and took something there.
func (x *retractor) setBefore(b *images, took int, k kind, from, to uint32) {
	v := &x.view
	e, g, pair := v.e, v.g, v.pair
	moved := packed(from | to)
	switch k {
	case kindElephant:
		e ^= moved
	case kindGiraffe:
		g ^= moved
	case kindLion:
		pair = x.pairBefore(from)
	}
	taken := packed(to)<<theirsShift - mineInHand
	switch {
	case took == tookElephant:
		e += taken
	case took == tookGiraffe:
		g += taken
	case from == 0 && k == kindElephant:
		e += mineInHand
	case from == 0 && k == kindGiraffe:
		g += mineInHand
	}
	b.set(&x.g.index, pair, e, g, x.chicks)
}

// predecessors appends the positions in which the side to move of the view can make a
// move that leads there.
func (x *retractor) predecessors(dst []uint64) []uint64 {
	v, g := &x.view, x.g
	f := v.flock
	var placing placing
	placing.set(f)
	states := [2]uint64{placing.states(0, f), placing.states(1, f)}
	dst = slices.Grow(dst, 256)
	list := dst[len(dst):cap(dst)]
	n := 0

	// chickTaken appends the positions before a step to a square which captured a chick
	// or hen.
	chickTaken := func(m *images, bit uint32, f flock) {
		f.hand--
		list[n] = m.index(&g.index, f.with(chick{bit, 1}))
		n++
		if g.farChicks || bit&g.home == 0 {
			list[n] = m.index(&g.index, f.with(chick{bit, 0}))
			n++
		}
	}
	movers := rescuers(v.attackers | v.chickAttackers())
	for i := range x.list[:x.movers] {
		m := &x.list[i]
		if m.to&movers == 0 {
			continue
		}
		if !m.listed {
			x.listUnmoves(m)
		}
		for i := range m.list[:m.unmoves] {
			u := &m.list[i]
			b := &u.before
			index := b.first + placing.squares(b.flipped, b.free) + states[b.flipped&1]
			if b.symmetric {
				index = min(index, b.mirror.first+placing.squares(1, b.mirror.free)+states[1])
			}
			list[n] = index
			n += isZero(u.from & v.both) // no branch: chicks and hens come in no order
		}
		if f.hand != 0 {
			for i := range m.list[:m.steps] {
				if u := &m.list[i]; u.from&v.both == 0 {
					chickTaken(&u.before, m.to, f)
				}
			}
		}
	}

	// unstep appends the positions before a step of a chick or hen to a square; before
	// it, chicks and hens were f.
	unstep := func(bit uint32, f flock) {
		list[n] = v.images.index(&g.index, f)
		n++
		before := &x.chickSteps[bits.TrailingZeros32(bit)&31]
		for took, in := range [takings]uint64{tookElephant: v.e.hand(), tookGiraffe: v.g.hand()} {
			if in == 0 {
				continue
			}
			b := &before[took]
			if x.known[took]&bit == 0 {
				x.known[took] |= bit
				x.setBefore(b, took, kindChick, 0, bit)
			}
			list[n] = b.index(&g.index, f)
			n++
		}
		if f.hand != 0 {
			chickTaken(&v.images, bit, f)
		}
	}
	empty := g.all &^ (v.occupied | v.both)
	for set := v.both &^ v.theirs & movers; set != 0; set &= set - 1 {
		bit := set & -set
		// The chick or hen that moved is x from here on.
		f := f
		if f.x.bit != bit {
			f = f.exchanged()
		}
		hen := f.x.state == 3
		if hen {
			for from := g.stepsTo[kindHen][bits.TrailingZeros32(set)] & empty &^ v.henAttacks; from != 0; from &= from - 1 {
				f.x.bit = from & -from
				unstep(bit, f)
			}
		}
		if from := bit >> files & empty; from != 0 && hen == (bit&g.far != 0) {
			f.x = chick{from, 2}
			unstep(bit, f)
		}
		if g.drops && !hen {
			f.x.bit = bit
			f.hand++
			list[n] = v.images.index(&g.index, f.without(bit))
			n++
		}
	}
	return dst[:len(dst)+n]
}
