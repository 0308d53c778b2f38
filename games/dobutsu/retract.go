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

// runUnmove is an unmove in a run: of a step of an elephant, a giraffe or the lion, or of a
// drop of an elephant or giraffe.
type runUnmove struct {
	before   images
	from, to uint32 // bits of squares; from is 0 for a drop
}

// maxRunUnmoves is more than a run can have: steps of four animals and the lion, with
// whatever they captured, and drops.
const maxRunUnmoves = (4*4+8)*takings + 4

// retractor finds predecessors. It keeps the unmoves of a run for the following positions of
// the run.
type retractor struct {
	reader
	view  view
	hands [takings]uint64 // how many animals of each kind in hand the last move can have captured

	// The unmoves of the run, except those of chicks and hens. The first are the steps that
	// captured nothing, or a chick or hen.
	listed         bool
	unmoves, steps int // numbers of them
	list           [maxRunUnmoves]runUnmove

	placed  uint32 // the squares for which placing is set
	placing placing

	// The images before steps of chicks and hens that captured an elephant or a giraffe, by
	// the square they went to; known has the squares whose images are set.
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
			x.hands[tookElephant], x.hands[tookGiraffe] = x.view.e.hand(), x.view.g.hand()
			x.listed, x.placed, x.known = false, ^uint32(0), [takings]uint32{}
		}
		x.seeChicks(&x.view, index-x.begin)
		begin := len(out.Indices)
		out.Indices = x.predecessors(out.Indices)
		if x.view.isEven() {
			out.Indices = dedupe(out.Indices, begin)
		}
	}
}

// listUnmoves lists the moves that can have led to positions of the run, except those of
// chicks and hens. The side that moved could not capture the lion before its move, so an
// animal that attacks the lion now has just moved, and did not attack it before.
func (x *retractor) listUnmoves() {
	v, g := &x.view, x.g
	x.listed, x.unmoves = true, 0
	movers := rescuers(v.attackers)
	put := func(took int, k kind, from, to uint32) {
		u := &x.list[x.unmoves]
		x.unmoves++
		u.from, u.to = from, to
		x.setBefore(&u.before, took, k, from, to)
	}
	for took := range takings {
		if took != tookNone && x.hands[took] == 0 {
			continue
		}
		for k, w := range [2]packed{v.e, v.g} {
			for set := w.mine() & movers; set != 0; set &= set - 1 {
				from := g.stepsTo[k][bits.TrailingZeros32(set)] &^ (v.occupied | g.stepsTo[k][v.theirLion])
				for ; from != 0; from &= from - 1 {
					put(took, kind(k), from&-from, set&-set)
				}
			}
		}
		if 1<<v.lion&movers != 0 {
			for from := g.steps[kindLion][v.lion] &^ v.occupied; from != 0; from &= from - 1 {
				if pair := x.pairBefore(from & -from); pair.legal && pair.base < g.index.open {
					put(took, kindLion, from&-from, 1<<v.lion)
				}
			}
		}
		if took == tookNone {
			x.steps = x.unmoves
		}
	}
	if !g.drops {
		return
	}
	for k, w := range [2]packed{v.e, v.g} {
		for set := w.mine() & movers; set != 0; set &= set - 1 {
			put(tookNone, kind(k), 0, set&-set)
		}
	}
}

// pairBefore returns the pair of lion squares before my lion stepped from the square of from.
func (x *retractor) pairBefore(from uint32) *lionPair {
	return &x.g.index.pairs[bits.TrailingZeros32(from)&31][x.view.theirLion&31]
}

// setBefore sets b to the images before an animal of kind k went from the square of from to
// that of to and captured took there.
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
	placing := &x.placing
	if v.both != x.placed {
		x.placed = v.both
		placing.set(f)
	}
	states := [2]uint64{placing.states(0, f), placing.states(1, f)}
	dst = slices.Grow(dst, 256)
	list := dst[len(dst):cap(dst)]
	n := 0

	// chickTaken appends the positions before a step to the square of bit that captured a
	// chick or hen.
	chickTaken := func(m *images, bit uint32, f flock) {
		f.hand--
		list[n] = m.index(&g.index, f.with(chick{bit, 1}))
		n++
		if g.farChicks || bit&g.home == 0 {
			list[n] = m.index(&g.index, f.with(chick{bit, 0}))
			n++
		}
	}
	// A chick or hen that attacks the lion has made the move itself.
	chickAttackers := v.chickAttackers()
	if chickAttackers == 0 {
		if !x.listed {
			x.listUnmoves()
		}
		for i := range x.list[:x.unmoves] {
			u := &x.list[i]
			b := &u.before
			index := b.first + placing.squares(b.flipped, b.free) + states[b.flipped&1]
			if b.symmetric {
				index = min(index, b.mirror.first+placing.squares(1, b.mirror.free)+states[1])
			}
			list[n] = index
			n += isZero(u.from & v.both) // no branch: it would be unpredictable
		}
		if f.hand != 0 {
			for i := range x.list[:x.steps] {
				if u := &x.list[i]; u.from&v.both == 0 {
					chickTaken(&u.before, u.to, f)
				}
			}
		}
	}

	movers := rescuers(v.attackers | chickAttackers)
	empty := g.all &^ (v.occupied | v.both)
	pairs := f.n == 2 && !v.images.symmetric
	for set := v.both &^ v.theirs & movers; set != 0; set &= set - 1 {
		bit, sq := set&-set, bits.TrailingZeros32(set)&31
		// The chick or hen that moved is x from here on.
		f := f
		if f.x.bit != bit {
			f = f.exchanged()
		}
		// Before, it was a hen on the squares in the lower half, and a chick in the upper.
		hen := f.x.state == 3
		var from uint64
		if hen {
			from = uint64(g.stepsTo[kindHen][sq] & empty &^ v.henAttacks)
		}
		if hen == (bit&g.far != 0) {
			from |= uint64(g.stepsTo[kindChick][sq]&empty) << 32
		}
		for ; from != 0; from &= from - 1 {
			at := bits.TrailingZeros64(from)
			f.x = chick{1 << (at & 31), 3 - uint32(at>>5)}
			if pairs {
				list[n] = v.images.first + f.pairDigit(v.images.free)
			} else {
				list[n] = v.images.index(&g.index, f)
			}
			n++
			for took := tookElephant; took < takings; took++ {
				if x.hands[took] == 0 {
					continue
				}
				b := &x.chickSteps[sq][took]
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
		if g.drops && !hen {
			f.x.bit = bit
			f.hand++
			list[n] = v.images.index(&g.index, f.without(bit))
			n++
		}
	}
	return dst[:len(dst)+n]
}
