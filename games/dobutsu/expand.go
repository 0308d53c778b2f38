package dobutsu

import (
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// runMove is a move by the opponent in a view: a step of an elephant, a giraffe or the lion,
// or a drop of an elephant or giraffe.
type runMove struct {
	images
	ending uint64 // the outcome it leads to, if no chick or hen attacks
	bit    uint32 // where it goes
	lion   uint8  // 1 for a step of the lion
	step   int    // 1 for a step, 0 for a drop
}

// placedMove is a run's move with the squares of chicks and hens added to its indices. Their
// states are still to be added before the smaller index is chosen.
type placedMove struct {
	first, mirror, ending uint64
	bit                   uint32
	flipped               uint8 // 1 if first is of the mirror image
	lion                  uint8
}

// contact is a run's move to the square of a chick or hen. The state of the other one is
// still to be added to the index.
type contact struct {
	first, ending uint64
	bit           uint32
	captured      uint8 // 0 for the first chick or hen, 1 for the second
	lion          uint8
}

// maxRunMoves is more than a run can have.
const maxRunMoves = 64

// expander expands positions.
type expander struct {
	reader
	view   view
	viewed bool

	// The moves of the run: steps and drops of elephants and giraffes, and steps of
	// the lion. without has, by square, the images after a chick or hen has captured the
	// other side's elephant or giraffe on that square.
	moves   int // number of them
	list    [maxRunMoves]runMove
	without [32]images

	// The moves to squares without a chick or hen, with these on the board, and
	// the others.
	placed      uint32
	placing     placing
	quiet       int
	quietList   [maxRunMoves]placedMove
	contacts    int
	contactList [maxRunMoves]contact
}

// rescuers returns the squares to which a move, or from which an unmove, leaves a lion
// without attackers: all squares if nothing attacks it, the attacker's square if there is
// only one, or none.
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

// stuck reports whether the side that is mine in the view may be unable, after the opponent's
// move, to step with an animal other than its lion. That move can capture one animal but
// cannot block any.
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

// dedupe removes duplicates from list[begin:], keeping the first of each. Lists are so short
// that comparing all pairs is quick.
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

// playedSuccessors is a slow version of successors that is also right if the side to move
// afterwards has no move.
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
	x.viewed, x.placed, x.moves = true, ^uint32(0), 0
	own := v.e.theirs() | v.g.theirs()
	men := [...]packed{v.e, v.g}
	add := func(bit uint32, step, k int, w packed) {
		to := x.addMove(bit, step)
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
		sq, bit := bits.TrailingZeros32(to), to&-to
		m := x.addMove(bit, 1)
		m.lion = 1
		m.set(&g.index, &g.index.pairs[v.lion][sq], taken(v.e, bit), taken(v.g, bit), x.chicks)
		switch {
		case g.steps[kindLion][v.lion]&bit != 0 ||
			v.e.mine()&g.stepsTo[kindElephant][sq]|v.g.mine()&g.stepsTo[kindGiraffe][sq] != 0:
			m.ending = capturable
		case g.try && g.home&bit != 0:
			m.ending = tried
		}
	}
	for set := v.e.mine() | v.g.mine(); set != 0; set &= set - 1 {
		x.without[bits.TrailingZeros32(set)].set(&g.index, v.pair, taken(v.e, set&-set), taken(v.g, set&-set), x.chicks)
	}
}

// addMove adds a move to the list of the run.
func (x *expander) addMove(bit uint32, step int) *runMove {
	m := &x.list[x.moves]
	x.moves++
	m.bit, m.step, m.lion, m.ending = bit, step, 0, 0
	return m
}

// taken returns the animals of a kind after the opponent has moved to the square of bit and
// captured mine, if there was one.
func taken(w packed, bit uint32) packed {
	if w.mine()&bit != 0 {
		return w&^at(bit) + theirsInHand
	}
	return w
}

// place prepares the moves of the run for positions with chicks and hens on the squares
// of the one in view.
func (x *expander) place() {
	f := x.view.flock
	x.placed = x.view.both
	p := &x.placing
	p.set(f)
	// Which moves are quiet is unpredictable from one placement to the next, so there is no
	// branch.
	quiet, contacts := 0, 0
	for i := range x.list[:x.moves] {
		m := &x.list[i]
		q := &x.quietList[quiet&(maxRunMoves-1)]
		q.first, q.mirror, q.ending = m.first+p.squares(m.flipped, m.free), noIndex, m.ending
		q.bit, q.flipped, q.lion = m.bit, m.flipped, m.lion
		if m.symmetric {
			q.mirror = m.mirror.first + p.squares(1, m.mirror.free)
		}
		x.contactList[contacts&(maxRunMoves-1)].first = uint64(i) // for the loop below
		free := isZero(m.bit & x.placed)
		quiet += free
		contacts += m.step &^ free
	}
	x.quiet, x.contacts = quiet, contacts
	f.x.state, f.y.state, f.hand = 0, 0, 0
	for i := range x.contactList[:contacts] {
		c := &x.contactList[i]
		m := &x.list[c.first&(maxRunMoves-1)]
		c.first, c.ending, c.bit, c.lion, c.captured = m.index(&x.g.index, f.without(m.bit)), m.ending, m.bit, m.lion, 0
		if m.bit == f.y.bit {
			c.captured = 1
		}
	}
}

// isZero returns 1 for an empty set and 0 for others.
func isZero(set uint32) int { return int((uint64(set) - 1) >> 63) }

// successors appends the positions after the opponent's moves in the view. The opponent is
// the side to move.
func (x *expander) successors(dst []games.Successor) []games.Successor {
	v, g := &x.view, x.g
	if !x.viewed {
		x.listMoves()
	}
	if v.both != x.placed {
		x.place()
	}
	f := v.flock
	dst = slices.Grow(dst, 2*maxRunMoves)
	list := dst[len(dst):cap(dst)]
	capturable := capturable // in a register

	// Where the lion can be captured after a move to a square: if another animal than the
	// lion moves, and if the lion steps into the attack of a chick or hen.
	stepsX, stepsY := g.chickSteps[f.x.state&3][x.placing.at[0]&63], g.chickSteps[f.y.state&3][x.placing.at[1]&63]
	mineX, mineY := -(f.x.state >> 1), -(f.y.state >> 1)
	safe := rescuers(v.attackers | v.chickAttackers())
	dangerous := [2]uint32{^safe, stepsX&mineX | stepsY&mineY}
	states := [2]uint64{x.placing.states(0, f), x.placing.states(1, f)}
	quiet := x.quietList[:x.quiet]
	n := len(quiet)
	for i := range list[:n] {
		m := &quiet[i]
		ending := m.ending
		if m.bit&dangerous[m.lion&1] != 0 {
			ending = capturable
		}
		list[i] = games.Successor(min(m.first+states[m.flipped&1], m.mirror+states[1]) | ending)
	}
	others := [2]uint64{uint64(f.y.state<<1 + f.hand), uint64(f.x.state<<1 + f.hand)}
	mine := [2]int{int(f.x.state >> 1), int(f.y.state >> 1)}
	for i := range x.contactList[:x.contacts] {
		m := &x.contactList[i]
		ending := m.ending
		if m.bit&dangerous[m.lion&1] != 0 {
			ending = capturable
		}
		list[n] = games.Successor(m.first + others[m.captured&1] | ending)
		n += mine[m.captured&1]
	}

	// put appends the position with these chicks and hens after a step or drop of one of
	// them to the square of bit.
	put := func(x *images, bit uint32, f flock) {
		s := x.index(&g.index, f)
		if bit&safe == 0 {
			s |= capturable
		}
		list[n] = games.Successor(s)
		n++
	}
	men := v.e.mine() | v.g.mine()
	targets := g.all&^(v.occupied|v.theirs) | men
	chicks := [2]chick{f.x, f.y}
	pairs := f.n == 2 && !v.images.symmetric
	// Where the first chick or hen steps is in the lower half, the second in the upper.
	for set := uint64(stepsX&^mineX&targets) | uint64(stepsY&^mineY&targets)<<32; set != 0; set &= set - 1 {
		to := bits.TrailingZeros64(set)
		bit := uint32(1) << (to & 31)
		state := chicks[to>>5&1].state
		if bit&g.home != 0 {
			state = 1 // now a hen
		}
		other := chicks[to>>5&1^1]
		f := flock{chick{bit, state}, other, f.n, f.hand}
		switch {
		case bit&men != 0:
			put(&x.without[to&31], bit, f)
		case bit == other.bit:
			put(&v.images, bit, flock{f.x, chick{}, 1, f.hand})
		case pairs:
			s := v.images.first + f.pairDigit(v.images.free)
			if bit&safe == 0 {
				s |= capturable
			}
			list[n] = games.Successor(s)
			n++
		default:
			put(&v.images, bit, f)
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
