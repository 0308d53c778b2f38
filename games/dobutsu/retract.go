package dobutsu

import (
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// retractor retracts positions.
type retractor struct {
	reader
	view view
}

// Retract implements [games.Retractor].
func (g *Game) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	x := retractor{reader: reader{g: g}}
	for _, index := range indices {
		if index-x.begin >= x.end-x.begin {
			x.readRun(index)
			x.makeView(&x.view)
		}
		x.readChicks(index - x.begin)
		begin := len(out.Indices)
		c := x.seen(&x.view, kindChick)
		x.view.men[kindChick] = c
		out.Indices = x.predecessors(out.Indices)
		if x.view.even && c.mirrored() == c {
			out.Indices = dedupe(out.Indices, begin)
		}
	}
}

// predecessors appends the positions in which the side to move of the view can make a
// move that leads there. It could not capture the lion before: so whatever attacks the
// lion now has just moved, and did not attack it before.
func (x *retractor) predecessors(dst []uint64) []uint64 {
	dst = slices.Grow(dst, 128)
	v, g := &x.view, x.g
	e, gi, c := v.men[kindElephant], v.men[kindGiraffe], v.men[kindChick]
	empty := g.all &^ (v.occupied | c.both())
	attackers := v.attackers | c.mine()&^c.hens()&v.chickAttacks | c.mine()&c.hens()&v.henAttacks
	movers := rescuers(attackers)
	put := func(e, gi, c packed) { dst = append(dst, g.index.rankOf(v.pair, e, gi, c)) }
	// unmove appends the position with these animals, and those in which the
	// move to the square of bit captured one.
	unmove := func(bit uint32, e, gi, c packed) {
		put(e, gi, c)
		taken := packed(bit) << theirsShift
		if e.hand() != 0 {
			put(e-mineInHand|taken, gi, c)
		}
		if gi.hand() != 0 {
			put(e, gi-mineInHand|taken, c)
		}
		if c.hand() != 0 {
			put(e, gi, c-mineInHand|taken|packed(bit)<<hensShift)
			if g.farChicks || bit&g.home == 0 {
				put(e, gi, c-mineInHand|taken)
			}
		}
	}
	for set := e.mine() & movers; set != 0; set &= set - 1 {
		bit, sq := set&-set, bits.TrailingZeros32(set)
		for from := g.stepsTo[kindElephant][sq] & empty &^ g.stepsTo[kindElephant][v.theirLion]; from != 0; from &= from - 1 {
			unmove(bit, e^packed(bit|from&-from), gi, c)
		}
		if g.drops {
			put(e^packed(bit)+mineInHand, gi, c)
		}
	}
	for set := gi.mine() & movers; set != 0; set &= set - 1 {
		bit, sq := set&-set, bits.TrailingZeros32(set)
		for from := g.stepsTo[kindGiraffe][sq] & empty &^ g.stepsTo[kindGiraffe][v.theirLion]; from != 0; from &= from - 1 {
			unmove(bit, e, gi^packed(bit|from&-from), c)
		}
		if g.drops {
			put(e, gi^packed(bit)+mineInHand, c)
		}
	}
	for set := c.mine() & c.hens() & movers; set != 0; set &= set - 1 {
		bit, sq := set&-set, bits.TrailingZeros32(set)
		for from := g.stepsTo[kindHen][sq] & empty &^ g.stepsTo[kindHen][v.theirLion]; from != 0; from &= from - 1 {
			unmove(bit, e, gi, c^packed(bit|from&-from)*(1+1<<hensShift))
		}
		if from := bit >> files & empty; bit&g.far != 0 && from != 0 {
			unmove(bit, e, gi, c^packed(bit|from)^packed(bit)<<hensShift)
		}
	}
	for set := c.mine() &^ c.hens() & movers; set != 0; set &= set - 1 {
		bit := set & -set
		if from := bit >> files & empty; bit&g.far == 0 && from != 0 {
			unmove(bit, e, gi, c^packed(bit|from))
		}
		if g.drops {
			put(e, gi, c^packed(bit)+mineInHand)
		}
	}
	if attackers == 0 {
		dst = x.lionPredecessors(dst, empty)
	}
	return dst
}

// lionPredecessors appends the positions in which the lion of the side to move
// stands elsewhere and steps to where it is.
func (x *retractor) lionPredecessors(dst []uint64, empty uint32) []uint64 {
	v, g := &x.view, x.g
	bit := uint32(1) << v.lion
	for from := g.steps[kindLion][v.lion] & empty; from != 0; from &= from - 1 {
		lion := bits.TrailingZeros32(from)
		pair := &g.index.pairs[lion][v.theirLion]
		if !pair.legal || pair.base >= g.index.open {
			continue
		}
		put := func(l layout) {
			l.lion = lion
			dst = append(dst, g.rankWithLions(&l))
		}
		put(v.layout)
		for k := range kindHen {
			if v.men[k].hand() == 0 {
				continue
			}
			before := v.layout
			before.men[k] += packed(bit)<<theirsShift - mineInHand
			if k != kindChick || g.farChicks || bit&g.home == 0 {
				put(before)
			}
			if k == kindChick {
				before.men[k] |= packed(bit) << hensShift
				put(before)
			}
		}
	}
	return dst
}
