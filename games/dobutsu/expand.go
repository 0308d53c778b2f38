package dobutsu

import (
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Moves and their inverses are made on the board as the opponent of the side to
// move sees it, turned and, if the index wants that, mirrored. No move but the
// lion's changes that view, so only squares change from move to move.

// view is such a board: what was theirs is mine.
type view struct {
	layout
	pair  *lionPair
	table *[1 << squares]uint16 // how squares are moved
	empty uint16
	even  bool // the board is its own mirror image

	// The side to move can neither step with its lion nor drop: one move more,
	// and it may have none at all.
	walled bool

	evenHigh bool // it is but for chicks and hens

	// What the rank of a position with the same elephants, and of one with
	// the same giraffes too, has in common with the board's own.
	elephant, elephants       uint32 // digit E and number on the board
	behindElephants           uint16 // squares of lions and elephants
	elephantGiraffe, giraffes uint32 // digits E and G, number of giraffes on the board
	behindGiraffes            uint16 // squares of lions, elephants and giraffes
}

// prepare makes the view of the opponent of the position that was read.
func (r *reader) prepare() *view {
	v := &r.view
	if v.pair == nil {
		v.pair = &r.g.index.pairs[squares-1-r.theirLion][squares-1-r.lion]
		v.prepareHigh(&r.layout)
	}
	c := r.men[kindChick].swapped(v.table)
	v.men[kindChick] = c
	v.empty = allSquares &^ v.behindGiraffes &^ c.both()
	v.even = v.evenHigh && c.moved(&mirrored) == c
	e, gi := v.men[kindElephant], v.men[kindGiraffe]
	v.walled = steps[kindLion][v.lion]&^(e.mine()|gi.mine()|c.mine()) == 0 && (e.hand()|gi.hand()|c.hand() == 0 || !r.g.drops)
	return v
}

// prepareHigh sets all but what chicks and hens change.
func (v *view) prepareHigh(l *layout) {
	v.table = &turned
	if v.pair.mirror {
		v.table = &flipped
	}
	v.lion = bits.TrailingZeros16(v.table[1<<l.theirLion])
	v.theirLion = bits.TrailingZeros16(v.table[1<<l.lion])
	e, gi := l.men[kindElephant].swapped(v.table), l.men[kindGiraffe].swapped(v.table)
	v.men[kindElephant], v.men[kindGiraffe] = e, gi
	v.elephant, v.elephants = digit(v.pair.occupied, e)
	v.behindElephants = v.pair.occupied | e.both()
	v.elephantGiraffe, v.giraffes = digit(v.behindElephants, gi)
	v.elephantGiraffe += v.elephant * cohortOf[(v.elephants|v.giraffes<<2)&63].giraffes
	v.behindGiraffes = v.behindElephants | gi.both()
	v.evenHigh = v.pair.symmetric && e.moved(&mirrored) == e && gi.moved(&mirrored) == gi
}

// index returns the index of the board with other animals.
func (v *view) index(e, gi, c packed) uint64 {
	if e != v.men[kindElephant] || v.pair.symmetric {
		return v.pair.rankOf(e, gi, c)
	}
	high, giraffes, occupied := v.elephantGiraffe, v.giraffes, v.behindGiraffes
	if gi != v.men[kindGiraffe] {
		high, giraffes = digit(v.behindElephants, gi)
		high += v.elephant * cohortOf[(v.elephants|giraffes<<2)&63].giraffes
		occupied = v.behindElephants | gi.both()
	}
	low, chicks := chickDigit(occupied, c)
	x := &cohortOf[(v.elephants|giraffes<<2|chicks<<4)&63]
	return v.pair.base + uint64(x.base+high*x.chicks+low)
}

// rescuers returns the squares that an animal must come from or go to if the
// capture of a lion is to be undone or prevented: all if nothing attacks the
// lion, the square of a sole attacker, or none.
func rescuers(attackers uint16) uint16 {
	switch {
	case attackers == 0:
		return allSquares
	case attackers&(attackers-1) == 0:
		return attackers
	}
	return 0
}

var (
	capturable = uint64(games.NewSuccessor(0, games.Win(1)))
	tried      = uint64(games.NewSuccessor(0, games.Loss(0)))
)

// Expand implements [games.Expander].
func (g *Game) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	r := reader{g: g}
	for _, index := range indices {
		status := games.Hole
		if r.read(index) {
			status = g.outcome(&r.layout)
		}
		if status == games.Unfinished {
			begin := len(out.Successors)
			v := r.prepare()
			if v.walled {
				out.Successors = g.playedSuccessors(&r.layout, out.Successors)
			} else {
				out.Successors = g.successors(v, out.Successors)
			}
			out.Moves += len(out.Successors) - begin
			if len(out.Successors) == begin {
				status = games.Loss(0)
			}
			if v.even {
				out.Successors = dedupe(out.Successors, begin)
			}
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

func (g *Game) outcome(l *layout) games.Value {
	switch {
	case steps[kindLion][l.lion]>>l.theirLion&1 != 0 || l.attackers(l.theirLion) != 0:
		return games.Win(1)
	case g.try && homeRank>>l.theirLion&1 != 0:
		return games.Loss(0)
	}
	return games.Unfinished
}

// dedupe removes repetitions behind begin, keeping the first of equals. Lists
// are so short that comparing all is quick.
func dedupe[T comparable](list []T, begin int) []T {
	kept := begin
	for _, x := range list[begin:] {
		if !slices.Contains(list[begin:kept], x) {
			list[kept] = x
			kept++
		}
	}
	return list[:kept]
}

// playedSuccessors does what successors does, slowly but without regard to who can
// move afterwards.
func (g *Game) playedSuccessors(l *layout, dst []games.Successor) []games.Successor {
	p := l.position()
	for _, m := range g.AppendMoves(nil, p) {
		q := g.Play(p, m)
		index, _ := g.Index(q) // legal moves lead to positions that have one
		outcome, _ := g.Outcome(q)
		dst = append(dst, games.NewSuccessor(index, outcome))
	}
	return dst
}

// successors appends the positions that the moves of the opponent in v, whose
// turn it was, lead to.
func (g *Game) successors(v *view, dst []games.Successor) []games.Successor {
	dst = slices.Grow(dst, 64)
	e, gi, c := v.men[kindElephant], v.men[kindGiraffe], v.men[kindChick]
	safe := rescuers(v.attackers(v.theirLion))
	targets := v.empty | e.mine() | gi.mine() | c.mine()
	// put appends the position with these animals after a step or drop to the
	// square of bit.
	put := func(bit uint16, e, gi, c packed) {
		s := v.index(e, gi, c)
		if bit&safe == 0 {
			s |= capturable
		}
		dst = append(dst, games.Successor(s))
	}
	// The opponent steps in the other direction: to where it could come from.
	for set := e.theirs(); set != 0; set &= set - 1 {
		from := set & -set
		for to := stepsTo[kindElephant][bits.TrailingZeros16(set)] & targets; to != 0; to &= to - 1 {
			bit := to & -to
			put(bit, e&^at(bit)^packed(from|bit)<<theirsShift, gi&^at(bit), c&^at(bit))
		}
	}
	for set := gi.theirs(); set != 0; set &= set - 1 {
		from := set & -set
		for to := stepsTo[kindGiraffe][bits.TrailingZeros16(set)] & targets; to != 0; to &= to - 1 {
			bit := to & -to
			put(bit, e&^at(bit), gi&^at(bit)^packed(from|bit)<<theirsShift, c&^at(bit))
		}
	}
	for set := c.theirs() & c.hens(); set != 0; set &= set - 1 {
		from := set & -set
		for to := stepsTo[kindHen][bits.TrailingZeros16(set)] & targets; to != 0; to &= to - 1 {
			bit := to & -to
			put(bit, e&^at(bit), gi&^at(bit), c&^at(bit)^packed(from|bit)*(1<<theirsShift|1<<hensShift))
		}
	}
	for set := c.theirs() &^ c.hens(); set != 0; set &= set - 1 {
		from := set & -set
		if bit := from >> 3 & targets; bit != 0 {
			promoted := packed(bit & homeRank)
			put(bit, e&^at(bit), gi&^at(bit), c&^at(bit)^packed(from|bit)<<theirsShift|promoted<<hensShift)
		}
	}
	if g.drops {
		dropTargets := [kindHen]uint16{v.empty, v.empty, v.empty}
		if !g.farChicks {
			dropTargets[kindChick] &^= homeRank
		}
		for k := range kindHen {
			if v.men[k].theirHand() == 0 {
				continue
			}
			for to := dropTargets[k]; to != 0; to &= to - 1 {
				bit := to & -to
				men := v.men
				men[k] |= packed(bit) << theirsShift
				put(bit, men[kindElephant], men[kindGiraffe], men[kindChick])
			}
		}
	}
	for to := steps[kindLion][v.theirLion] & targets; to != 0; to &= to - 1 {
		dst = append(dst, g.lionSuccessor(v, bits.TrailingZeros16(to)))
	}
	return dst
}

// lionSuccessor returns the position after the opponent's lion steps to a
// square.
func (g *Game) lionSuccessor(v *view, to int) games.Successor {
	taken := at(1 << (to & 15))
	after := layout{lion: v.lion, theirLion: to, men: [kindHen]packed{
		v.men[kindElephant] &^ taken, v.men[kindGiraffe] &^ taken, v.men[kindChick] &^ taken,
	}}
	s := g.rankWithLions(&after)
	switch {
	case steps[kindLion][v.lion]>>to&1 != 0 || after.attackers(to) != 0:
		s |= capturable
	case g.try && homeRank>>to&1 != 0:
		s |= tried
	}
	return games.Successor(s)
}

// rankWithLions returns the index of a position whose lions have moved.
func (g *Game) rankWithLions(l *layout) uint64 {
	pair := &g.index.pairs[l.lion][l.theirLion]
	e, gi, c := l.men[kindElephant], l.men[kindGiraffe], l.men[kindChick]
	if pair.mirror {
		e, gi, c = e.moved(&mirrored), gi.moved(&mirrored), c.moved(&mirrored)
	}
	return pair.rankOf(e, gi, c)
}

// Retract implements [games.Retractor].
func (g *Game) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	r := reader{g: g}
	for _, index := range indices {
		r.read(index)
		begin := len(out.Indices)
		v := r.prepare()
		out.Indices = g.predecessors(v, out.Indices)
		if v.even {
			out.Indices = dedupe(out.Indices, begin)
		}
	}
}

// inHand is one animal in the hand of the side to move.
const inHand packed = 1 << handShift

// predecessors appends the positions in which the side to move of v can make a
// move that leads to v. It could not capture the lion there: so whatever
// attacks the lion now has just moved, and did not attack it before.
func (g *Game) predecessors(v *view, dst []uint64) []uint64 {
	dst = slices.Grow(dst, 128)
	e, gi, c := v.men[kindElephant], v.men[kindGiraffe], v.men[kindChick]
	attackers := v.attackers(v.theirLion)
	movers := rescuers(attackers)
	put := func(e, gi, c packed) { dst = append(dst, v.index(e, gi, c)) }
	// unmove appends the position with these animals, and those in which the
	// move to the square of bit captured one.
	unmove := func(bit uint16, e, gi, c packed) {
		put(e, gi, c)
		taken := packed(bit) << theirsShift
		if e.hand() != 0 {
			put(e-inHand|taken, gi, c)
		}
		if gi.hand() != 0 {
			put(e, gi-inHand|taken, c)
		}
		if c.hand() != 0 {
			put(e, gi, c-inHand|taken|packed(bit)<<hensShift)
			if g.farChicks || bit&homeRank == 0 {
				put(e, gi, c-inHand|taken)
			}
		}
	}
	for set := e.mine() & movers; set != 0; set &= set - 1 {
		bit, sq := set&-set, bits.TrailingZeros16(set)
		for from := stepsTo[kindElephant][sq] & v.empty &^ stepsTo[kindElephant][v.theirLion]; from != 0; from &= from - 1 {
			unmove(bit, e^packed(bit|from&-from), gi, c)
		}
		if g.drops {
			put(e^packed(bit)+inHand, gi, c)
		}
	}
	for set := gi.mine() & movers; set != 0; set &= set - 1 {
		bit, sq := set&-set, bits.TrailingZeros16(set)
		for from := stepsTo[kindGiraffe][sq] & v.empty &^ stepsTo[kindGiraffe][v.theirLion]; from != 0; from &= from - 1 {
			unmove(bit, e, gi^packed(bit|from&-from), c)
		}
		if g.drops {
			put(e, gi^packed(bit)+inHand, c)
		}
	}
	for set := c.mine() & c.hens() & movers; set != 0; set &= set - 1 {
		bit, sq := set&-set, bits.TrailingZeros16(set)
		for from := stepsTo[kindHen][sq] & v.empty &^ stepsTo[kindHen][v.theirLion]; from != 0; from &= from - 1 {
			unmove(bit, e, gi, c^packed(bit|from&-from)*(1+1<<hensShift))
		}
		if from := bit >> 3 & v.empty; bit&farRank != 0 && from != 0 {
			unmove(bit, e, gi, c^packed(bit|from)^packed(bit)<<hensShift)
		}
	}
	for set := c.mine() &^ c.hens() & movers; set != 0; set &= set - 1 {
		bit := set & -set
		if from := bit >> 3 & v.empty; bit&farRank == 0 && from != 0 {
			unmove(bit, e, gi, c^packed(bit|from))
		}
		if g.drops {
			put(e, gi, c^packed(bit)+inHand)
		}
	}
	if attackers == 0 {
		dst = g.lionPredecessors(v, dst)
	}
	return dst
}

// lionPredecessors appends the positions in which the lion of the side to move
// stands elsewhere and steps to where it is.
func (g *Game) lionPredecessors(v *view, dst []uint64) []uint64 {
	bit := uint16(1) << v.lion
	for from := steps[kindLion][v.lion] & v.empty; from != 0; from &= from - 1 {
		lion := bits.TrailingZeros16(from)
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
			before.men[k] += packed(bit)<<theirsShift - inHand
			if k != kindChick || g.farChicks || bit&homeRank == 0 {
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
