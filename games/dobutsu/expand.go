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
	step     int  // 1 for a step, 0 for a drop
	attacked bool // a lion there is attacked by another animal than a chick or hen
}

// placedMove is a run's move with chicks and hens on some squares. Their state is still
// to be added to the smaller index.
type placedMove struct {
	first, mirror uint64
	bit           uint32
	flipped       uint8 // 1 if first is of the mirror image
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
	placed          uint32
	quiet           int
	quietList       [maxRunMoves]placedMove
	lionQuiet       int
	lionQuietList   [8]placedMove
	contacts        int
	contactList     [maxRunMoves]uint8
	lionContacts    int
	lionContactList [8]uint8
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
		v := &x.view
		x.seeChicks(v, index-x.begin)
		status := x.outcome(index)
		if status == games.Unfinished {
			begin := len(out.Successors)
			if v.locked && v.around&^(v.both&^v.theirs) == 0 && (!g.drops || v.flock.hand == 0) && x.stuck() {
				x.read(index)
				out.Successors = g.playedSuccessors(&x.layout, out.Successors)
			} else {
				out.Successors = x.successors(out.Successors)
			}
			out.Moves += len(out.Successors) - begin
			if len(out.Successors) == begin {
				status = games.Draw
			}
			if v.isEven() {
				out.Successors = dedupe(out.Successors, begin)
			}
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

// outcome returns the outcome of the position in view, if its side to move has a move.
func (x *expander) outcome(index uint64) games.Value {
	v, g := &x.view, x.g
	chicks := v.both &^ v.hens
	switch {
	case x.image < 0, x.image == 0 && !x.read(index),
		!g.farChicks && (chicks&v.theirs&g.home|chicks&^v.theirs&g.far) != 0:
		return games.Hole
	case v.captured, v.theirs&(v.theirChickAttacks&^v.hens|v.theirHenAttacks&v.hens) != 0:
		return games.Win(1)
	case g.try && g.far>>v.lion&1 != 0:
		return games.Loss(0)
	}
	return games.Unfinished
}

// stuck reports whether the side to move after the view may be unable to step with an
// animal other than its lion: the opponent can capture one, and can block none.
func (x *expander) stuck() bool {
	v, g := &x.view, x.g
	mine := v.both &^ v.theirs
	own := 1<<v.lion | v.e.mine() | v.g.mine() | mine
	n := 0
	for k, set := range [...]uint32{v.e.mine(), v.g.mine(), mine &^ v.hens, mine & v.hens} {
		for ; set != 0; set &= set - 1 {
			if g.steps[k][bits.TrailingZeros32(set)]&^own != 0 {
				n++
			}
		}
	}
	return n < 2
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
	x.viewed, x.placed = true, ^uint32(0)
	x.moves, x.lionMoves = 0, 0
	own := v.e.theirs() | v.g.theirs()
	men := [...]packed{v.e, v.g}
	add := func(bit uint32, step, k int, w packed) {
		to := &x.list[x.moves]
		x.moves++
		to.bit, to.step = bit, step
		after := [...]packed{taken(v.e, bit), taken(v.g, bit)}
		after[k] += w - men[k]
		to.set(&g.index, v.pair, after[0], after[1], x.chicks)
	}
	// The opponent steps in the other direction: to where it could come from.
	for k, w := range men {
		for set := w.theirs(); set != 0; set &= set - 1 {
			from := set & -set
			for to := g.stepsTo[k][bits.TrailingZeros32(set)] &^ (own | 1<<v.theirLion); to != 0; to &= to - 1 {
				add(to&-to, 1, k, w^packed(from|to&-to)<<theirsShift)
			}
		}
		if !g.drops || w.theirHand() == 0 {
			continue
		}
		for to := g.all &^ v.occupied; to != 0; to &= to - 1 {
			add(to&-to, 0, k, w-theirsInHand|packed(to&-to)<<theirsShift)
		}
	}
	for to := g.steps[kindLion][v.theirLion] &^ own; to != 0; to &= to - 1 {
		sq := bits.TrailingZeros32(to)
		m := &x.lionList[x.lionMoves]
		x.lionMoves++
		m.bit, m.to = 1<<sq, uint8(sq)
		m.set(&g.index, &g.index.pairs[v.lion][sq], taken(v.e, m.bit), taken(v.g, m.bit), x.chicks)
		m.attacked = g.steps[kindLion][v.lion]>>sq&1 != 0 ||
			v.e.mine()&g.stepsTo[kindElephant][sq]|v.g.mine()&g.stepsTo[kindGiraffe][sq] != 0
	}
	for set := v.e.mine() | v.g.mine(); set != 0; set &= set - 1 {
		x.without[bits.TrailingZeros32(set)].set(&g.index, v.pair, taken(v.e, set&-set), taken(v.g, set&-set), x.chicks)
	}
}

// taken returns the animals of a kind after the opponent has moved to a square, where it
// captures what is mine.
func taken(w packed, bit uint32) packed {
	if w.mine()&bit != 0 {
		return w&^at(bit) + theirsInHand
	}
	return w
}

// place prepares the moves of the run for positions with chicks and hens on the squares
// of the one in view.
func (x *expander) place() {
	x.placed = x.view.both
	placing := placingOf(x.view.flock)
	put := func(m *runMove, i int) placedMove {
		p := placedMove{m.first + placing[m.flipped&1].squares(m.free), noIndex, m.bit, m.flipped, uint8(i)}
		if m.symmetric {
			p.mirror = m.mirror.first + placing[1].squares(m.mirror.free)
		}
		return p
	}
	// Where they stand differs from one placement to the next, so there is no branch.
	quiet, contacts := 0, 0
	for i := range x.list[:x.moves] {
		m := &x.list[i]
		x.quietList[quiet&(maxRunMoves-1)] = put(m, i)
		x.contactList[contacts&(maxRunMoves-1)] = uint8(i)
		free := isZero(m.bit & x.placed)
		quiet += free
		contacts += m.step &^ free
	}
	x.quiet, x.contacts = quiet, contacts
	quiet, contacts = 0, 0
	for i := range x.lionList[:x.lionMoves] {
		m := &x.lionList[i]
		x.lionQuietList[quiet&7] = put(m, i)
		x.lionContactList[contacts&7] = uint8(i)
		free := isZero(m.bit & x.placed)
		quiet += free
		contacts += 1 - free
	}
	x.lionQuiet, x.lionContacts = quiet, contacts
}

// isZero returns 1 for an empty set and 0 for others.
func isZero(set uint32) int { return int((uint64(set) - 1) >> 63) }

// successors appends the positions that the moves of the opponent in the view, whose
// turn it was, lead to.
func (x *expander) successors(dst []games.Successor) []games.Successor {
	v, g := &x.view, x.g
	if !x.viewed {
		x.listMoves()
	}
	if v.both != x.placed {
		x.place()
	}
	f := v.flock
	states := f.placedStates()
	mine := v.both &^ v.theirs
	dst = slices.Grow(dst, 2*maxRunMoves)
	list := dst[len(dst):cap(dst)]
	n := 0

	safe := rescuers(v.attackers | v.chickAttackers())
	for i := range x.quietList[:x.quiet] {
		m := &x.quietList[i]
		s := min(m.first+states[m.flipped&1], m.mirror+states[1])
		if m.bit&safe == 0 {
			s |= capturable
		}
		list[n] = games.Successor(s)
		n++
	}
	// put appends the position with these chicks after a step or drop to the square
	// of bit.
	put := func(x *images, bit uint32, f flock) {
		s := x.index(&g.index, f)
		if bit&safe == 0 {
			s |= capturable
		}
		list[n] = games.Successor(s)
		n++
	}
	for _, i := range x.contactList[:x.contacts] {
		if m := &x.list[i]; mine&m.bit != 0 {
			put(&m.images, m.bit, f.without(m.bit))
		}
	}

	// A lion is safe or not by itself.
	ending := func(s uint64, m *runMove) games.Successor {
		switch {
		case m.attacked || mine&(g.stepsTo[kindChick][m.to&31]&^v.hens|g.stepsTo[kindHen][m.to&31]&v.hens) != 0:
			s |= capturable
		case g.try && g.home&m.bit != 0:
			s |= tried
		}
		return games.Successor(s)
	}
	for i := range x.lionQuietList[:x.lionQuiet] {
		m := &x.lionQuietList[i]
		list[n] = ending(min(m.first+states[m.flipped&1], m.mirror+states[1]), &x.lionList[m.move&7])
		n++
	}
	for _, i := range x.lionContactList[:x.lionContacts] {
		if m := &x.lionList[i&7]; mine&m.bit != 0 {
			list[n] = ending(m.index(&g.index, f.without(m.bit)), m)
			n++
		}
	}

	men := v.e.mine() | v.g.mine()
	targets := g.all&^(v.occupied|v.theirs) | men
	for set := v.theirs; set != 0; set &= set - 1 {
		from := set & -set
		// The chick or hen that steps is x from here on.
		f := f
		if f.x.bit != from {
			f = f.exchanged()
		}
		state := f.x.state
		for to := g.stepsTo[kindChick+kind(state&1)][bits.TrailingZeros32(set)&31] & targets; to != 0; to &= to - 1 {
			bit := to & -to
			f.x = chick{bit, state}
			if bit&g.home != 0 {
				f.x.state = 1 // now a hen
			}
			switch {
			case bit&men != 0:
				put(&x.without[bits.TrailingZeros32(to)&31], bit, f)
			case bit == f.y.bit:
				put(&v.images, bit, flock{f.x, chick{}, 1, f.hand})
			default:
				put(&v.images, bit, f)
			}
		}
	}
	if g.drops && g.theirHand(f) > 0 {
		drops := g.all &^ (v.occupied | v.both)
		if !g.farChicks {
			drops &^= g.home
		}
		for to := drops; to != 0; to &= to - 1 {
			put(&v.images, to&-to, f.with(chick{to & -to, 0}))
		}
	}
	return dst[:len(dst)+n]
}
