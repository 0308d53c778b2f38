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
	before   [takings]images // as far as known
	known    [takings]bool
	from, to uint32 // bits of squares; from is 0 for a drop
	kind     kind
}

// maxRunUnmoves is the number of steps and drops that four animals can have made.
const maxRunUnmoves = 20

// retractor retracts positions. What it finds out about the unmoves of a run it keeps
// for the positions of the run that follow.
type retractor struct {
	reader
	view view

	unmoves, lionUnmoves int // numbers of them
	list                 [maxRunUnmoves]runUnmove
	lionList             [8]runUnmove

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
			x.listUnmoves()
		}
		x.seeChicks(&x.view, index-x.begin)
		begin := len(out.Indices)
		out.Indices = x.predecessors(out.Indices)
		if x.view.isEven() {
			out.Indices = dedupe(out.Indices, begin)
		}
	}
}

// listUnmoves lists the moves that can have led to positions of the run, but those of
// chicks and hens. The side that moved could not capture the lion before: whatever
// attacks it now has just moved, and did not attack it before.
func (x *retractor) listUnmoves() {
	v, g := &x.view, x.g
	x.unmoves, x.lionUnmoves = 0, 0
	x.known = [takings]uint32{}
	put := func(m *runUnmove, k kind, from, to uint32) {
		m.known, m.kind, m.from, m.to = [takings]bool{}, k, from, to
	}
	for k, w := range [2]packed{v.e, v.g} {
		for set := w.mine(); set != 0; set &= set - 1 {
			from := g.stepsTo[k][bits.TrailingZeros32(set)] &^ (v.occupied | g.stepsTo[k][v.theirLion])
			for ; from != 0; from &= from - 1 {
				put(&x.list[x.unmoves], kind(k), from&-from, set&-set)
				x.unmoves++
			}
			if g.drops {
				put(&x.list[x.unmoves], kind(k), 0, set&-set)
				x.unmoves++
			}
		}
	}
	for from := g.steps[kindLion][v.lion] &^ v.occupied; from != 0; from &= from - 1 {
		if pair := x.pairBefore(from & -from); pair.legal && pair.base < g.index.open {
			put(&x.lionList[x.lionUnmoves], kindLion, from&-from, 1<<v.lion)
			x.lionUnmoves++
		}
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
	placing := placingOf(f)
	states := placing.states(f)
	dst = slices.Grow(dst, 256)
	list := dst[len(dst):cap(dst)]
	n := 0

	// put appends the position before a step or drop which left chicks and hens alone.
	put := func(m *runUnmove, took int) {
		b := &m.before[took]
		if !m.known[took] {
			m.known[took] = true
			x.setBefore(b, took, m.kind, m.from, m.to)
		}
		i := b.first + placing.squares(b.flipped, b.free) + states[b.flipped&1]
		if b.symmetric {
			i = min(i, b.mirror.first+placing.squares(1, b.mirror.free)+states[1])
		}
		list[n] = i
		n++
	}
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
	unmove := func(m *runUnmove) {
		put(m, tookNone)
		if m.from == 0 {
			return
		}
		if v.e.hand() != 0 {
			put(m, tookElephant)
		}
		if v.g.hand() != 0 {
			put(m, tookGiraffe)
		}
		if f.hand != 0 {
			chickTaken(&m.before[tookNone], m.to, f)
		}
	}
	attackers := v.attackers | v.chickAttackers()
	movers := rescuers(attackers)
	for i := range x.list[:x.unmoves] {
		if m := &x.list[i]; m.to&movers != 0 && m.from&v.both == 0 {
			unmove(m)
		}
	}
	if attackers == 0 {
		for i := range x.lionList[:x.lionUnmoves] {
			if m := &x.lionList[i]; m.from&v.both == 0 {
				unmove(m)
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
