package dobutsu

import (
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// runMove is a move of the opponent in a view with an elephant, a giraffe or the lion:
// a step, or a drop.
type runMove struct {
	images
	bit      uint32 // where it goes
	to       uint8
	drop     bool
	attacked bool // a lion there is attacked by another animal than a chick or hen
}

// placedMove is a run's move with chicks and hens on some squares. Their state is still
// to be added to the smaller index.
type placedMove struct {
	board, mirror uint64
	bit           uint32
	move          uint8 // number of the run's move
}

// maxRunMoves is more than a run can have.
const maxRunMoves = 64

// expander expands positions.
type expander struct {
	reader
	view   view
	viewed bool

	// The moves of the run: steps and drops of elephants and giraffes, and steps of
	// the lion. What the other side's elephants and giraffes leave when captured by
	// a chick or hen is in without, by square.
	moves, lionMoves int // numbers of them
	list             [maxRunMoves]runMove
	lionList         [8]runMove
	without          [32]images

	// The moves to squares without a chick or hen, with these on the board, and
	// the others.
	placed         uint32
	quiet          int
	quietList      [maxRunMoves]placedMove
	lionQuiet      int
	lionQuietList  [8]placedMove
	contacts       int
	contactList    [maxRunMoves]uint8
	lionContacts   int
	lionContactLst [8]uint8
}

// rescuers returns the squares that an animal must come from or go to if the
// capture of a lion is to be undone or prevented: all if nothing attacks the
// lion, the square of a sole attacker, or none.
func rescuers(attackers uint32) uint32 {
	switch {
	case attackers == 0:
		return ^uint32(0)
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
	x := expander{reader: reader{g: g}}
	for _, index := range indices {
		if index-x.begin >= x.end-x.begin {
			x.readRun(index)
			x.makeView(&x.view)
			x.viewed = false
		}
		x.readChicks(index - x.begin)
		status := games.Hole
		if !x.hole() {
			status = x.outcome()
		}
		if status == games.Unfinished {
			begin := len(out.Successors)
			c := x.seen(&x.view, kindChick)
			x.view.men[kindChick] = c
			if x.view.locked && x.view.around&^c.mine() == 0 && (!g.drops || c.hand() == 0) {
				out.Successors = g.playedSuccessors(&x.layout, out.Successors)
			} else {
				out.Successors = x.successors(out.Successors)
			}
			out.Moves += len(out.Successors) - begin
			if len(out.Successors) == begin {
				status = games.Loss(0)
			}
			if x.view.even && c.mirrored() == c {
				out.Successors = dedupe(out.Successors, begin)
			}
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

// outcome returns the outcome of the position that was read, if its side to move has a
// move.
func (x *expander) outcome() games.Value {
	v := &x.view
	c := x.men[kindChick]
	lion := x.theirLion
	switch {
	case v.captured, c.mine()&^c.hens()&x.g.stepsTo[kindChick][lion]|c.mine()&c.hens()&x.g.stepsTo[kindHen][lion] != 0:
		return games.Win(1)
	case x.g.try && x.g.home>>lion&1 != 0:
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

// listMoves lists the moves of the run.
func (x *expander) listMoves() {
	v, g := &x.view, x.g
	x.viewed, x.placed = true, 0
	x.moves, x.lionMoves = 0, 0
	e, gi := v.men[kindElephant], v.men[kindGiraffe]
	own := e.theirs() | gi.theirs()
	add := func(bit uint32, drop bool, e, gi packed) {
		m := &x.list[x.moves]
		x.moves++
		m.images, m.bit, m.drop = g.index.imagesOf(v.pair, e, gi), bit, drop
	}
	// take returns the other side's animals after the capture of one on a square.
	take := func(w packed, bit uint32) packed {
		if w.mine()&bit != 0 {
			return w&^at(bit) + theirsInHand
		}
		return w
	}
	// The opponent steps in the other direction: to where it could come from.
	for set := e.theirs(); set != 0; set &= set - 1 {
		from := set & -set
		for to := g.stepsTo[kindElephant][bits.TrailingZeros32(set)] &^ (own | 1<<v.theirLion); to != 0; to &= to - 1 {
			bit := to & -to
			add(bit, false, take(e, bit)^packed(from|bit)<<theirsShift, take(gi, bit))
		}
	}
	for set := gi.theirs(); set != 0; set &= set - 1 {
		from := set & -set
		for to := g.stepsTo[kindGiraffe][bits.TrailingZeros32(set)] &^ (own | 1<<v.theirLion); to != 0; to &= to - 1 {
			bit := to & -to
			add(bit, false, take(e, bit), take(gi, bit)^packed(from|bit)<<theirsShift)
		}
	}
	if g.drops {
		for to := g.all &^ v.occupied; to != 0; to &= to - 1 {
			bit := to & -to
			if e.theirHand() > 0 {
				add(bit, true, e-theirsInHand|packed(bit)<<theirsShift, gi)
			}
			if gi.theirHand() > 0 {
				add(bit, true, e, gi-theirsInHand|packed(bit)<<theirsShift)
			}
		}
	}
	for to := g.steps[kindLion][v.theirLion] &^ own; to != 0; to &= to - 1 {
		bit := to & -to
		m := &x.lionList[x.lionMoves]
		x.lionMoves++
		sq := bits.TrailingZeros32(to)
		e, gi := take(e, bit), take(gi, bit)
		m.images = g.index.imagesOf(&g.index.pairs[v.lion][sq], e, gi)
		m.bit, m.to = bit, uint8(sq)
		m.attacked = g.steps[kindLion][v.lion]>>sq&1 != 0 ||
			e.mine()&g.stepsTo[kindElephant][sq]|gi.mine()&g.stepsTo[kindGiraffe][sq] != 0
	}
	for set := e.mine() | gi.mine(); set != 0; set &= set - 1 {
		bit := set & -set
		x.without[bits.TrailingZeros32(set)] = g.index.imagesOf(v.pair, take(e, bit), take(gi, bit))
	}
}

// place prepares the moves of the run for positions with chicks and hens on these
// squares.
func (x *expander) place(both uint32, board, mirror *spots) {
	x.placed = both
	t := &x.g.index
	put := func(m *runMove, i int) placedMove {
		return placedMove{
			board:  t.first(&m.board, board.onBoard) + board.digit(m.board.free) - board.state,
			mirror: t.first(&m.mirror, mirror.onBoard) + mirror.digit(m.mirror.free) - mirror.state,
			bit:    m.bit, move: uint8(i),
		}
	}
	x.quiet, x.contacts = 0, 0
	for i := range x.list[:x.moves] {
		if m := &x.list[i]; m.bit&both == 0 {
			x.quietList[x.quiet] = put(m, i)
			x.quiet++
		} else if !m.drop {
			x.contactList[x.contacts] = uint8(i)
			x.contacts++
		}
	}
	x.lionQuiet, x.lionContacts = 0, 0
	for i := range x.lionList[:x.lionMoves] {
		if m := &x.lionList[i]; m.bit&both == 0 {
			x.lionQuietList[x.lionQuiet] = put(m, i)
			x.lionQuiet++
		} else {
			x.lionContactLst[x.lionContacts] = uint8(i)
			x.lionContacts++
		}
	}
}

// successors appends the positions that the moves of the opponent in the view, whose
// turn it was, lead to.
func (x *expander) successors(dst []games.Successor) []games.Successor {
	v, g := &x.view, x.g
	c := v.men[kindChick]
	if !x.viewed {
		x.listMoves()
		x.placed = ^uint32(0)
	}
	board, mirror := chickSpotsOf(c), chickSpotsOf(c.mirrored())
	both := c.both()
	if both != x.placed {
		x.place(both, &board, &mirror)
	}
	dst = slices.Grow(dst, 2*maxRunMoves)
	list := dst[len(dst):cap(dst)]
	n := 0

	pawns, hens := c.mine()&^c.hens(), c.mine()&c.hens()
	safe := rescuers(v.attackers | pawns&v.chickAttacks | hens&v.henAttacks)
	for i := range x.quietList[:x.quiet] {
		m := &x.quietList[i]
		s := min(m.board+board.state, m.mirror+mirror.state)
		if m.bit&safe == 0 {
			s |= capturable
		}
		list[n] = games.Successor(s)
		n++
	}
	// put appends the position with these chicks after a step or drop to the square
	// of bit.
	put := func(x *images, bit uint32, c packed) {
		s := g.index.index(x, c)
		if bit&safe == 0 {
			s |= capturable
		}
		list[n] = games.Successor(s)
		n++
	}
	for _, i := range x.contactList[:x.contacts] {
		if m := &x.list[i]; c.mine()&m.bit != 0 {
			put(&m.images, m.bit, c&^at(m.bit)+theirsInHand)
		}
	}

	// A lion is safe or not by itself.
	ending := func(s uint64, m *runMove) games.Successor {
		switch {
		case m.attacked || pawns&g.stepsTo[kindChick][m.to&31]|hens&g.stepsTo[kindHen][m.to&31] != 0:
			s |= capturable
		case g.try && g.home&m.bit != 0:
			s |= tried
		}
		return games.Successor(s)
	}
	for i := range x.lionQuietList[:x.lionQuiet] {
		m := &x.lionQuietList[i]
		list[n] = ending(min(m.board+board.state, m.mirror+mirror.state), &x.lionList[m.move&7])
		n++
	}
	for _, i := range x.lionContactLst[:x.lionContacts] {
		if m := &x.lionList[i&7]; c.mine()&m.bit != 0 {
			list[n] = ending(g.index.index(&m.images, c&^at(m.bit)+theirsInHand), m)
			n++
		}
	}

	men := v.men[kindElephant].mine() | v.men[kindGiraffe].mine()
	targets := g.all&^(v.occupied|c.theirs()) | men
	for set := c.theirs(); set != 0; set &= set - 1 {
		from := set & -set
		sq := bits.TrailingZeros32(set)
		hen := c.hens()&from != 0
		reach := g.stepsTo[kindChick][sq]
		if hen {
			reach = g.stepsTo[kindHen][sq]
		}
		for to := reach & targets; to != 0; to &= to - 1 {
			bit := to & -to
			moved := packed(from|bit) << theirsShift
			if hen {
				moved |= packed(from|bit) << hensShift
			} else if bit&g.home != 0 {
				moved |= packed(bit) << hensShift
			}
			switch {
			case bit&men != 0:
				put(&x.without[bits.TrailingZeros32(to)], bit, c^moved)
			case bit&c.mine() != 0:
				put(&v.images, bit, (c&^at(bit)+theirsInHand)^moved)
			default:
				put(&v.images, bit, c^moved)
			}
		}
	}
	if g.drops && c.theirHand() > 0 {
		drops := g.all &^ (v.occupied | both)
		if !g.farChicks {
			drops &^= g.home
		}
		for to := drops; to != 0; to &= to - 1 {
			bit := to & -to
			put(&v.images, bit, c-theirsInHand|packed(bit)<<theirsShift)
		}
	}
	return dst[:len(dst)+n]
}
