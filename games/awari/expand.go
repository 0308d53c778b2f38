package awari

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// runMove is a move of all positions of a run, which have the same row of the mover.
type runMove struct {
	pit      int
	added    row // to the opponent's pits
	shift    uint8
	stones   int    // of the opponent, who is to move next, before captures
	own      row    // after the move
	rank     uint64 // of own
	first    uint64 // what the index has besides the rank of the opponent's row, without captures
	multiple uint64 // of that rank
}

// expander expands positions.
type expander struct {
	place
	moves int // number of them
	list  [pits]runMove
}

// Expand implements [games.Expander].
func (g *Game) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	var x expander
	end := g.index.tier[g.stones+1]
	for _, i := range indices {
		status := games.Hole
		if i < end {
			if i-x.begin >= x.end-x.begin {
				g.index.seekRun(&x.place, i)
				x.listMoves(&g.index)
			}
			status = g.expand(&x, i-x.begin, out)
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

// listMoves lists the moves of the run.
func (x *expander) listMoves(t *index) {
	x.moves = 0
	for pit := range pits {
		n := x.own.pit(pit)
		if n == 0 {
			continue
		}
		s := &sowings[pit][n]
		m := &x.list[x.moves]
		x.moves++
		*m = runMove{pit: pit, added: s.opposite, shift: s.shift, stones: x.n - x.m + s.opposite.stones(), own: x.own&^(0xff<<(8*pit)) + s.own}
		m.rank, m.multiple = m.own.rank(), t.rows[x.n-m.stones]
		m.first = t.group[x.n][m.stones] + m.rank
	}
}

// expand appends the successors of a position of the run, with an opponent's row of this
// rank, and returns its status.
func (g *Game) expand(x *expander, rank uint64, out *games.Expansion) games.Value {
	p := Position{x.own, g.index.row(x.n-x.m, rank)}
	if g.slam != legalIfOnly || p.own == 0 {
		if v, finished := g.Outcome(p); finished {
			return v
		}
	}
	begin := len(out.Successors)
	out.Successors, out.Gains = slices.Grow(out.Successors, pits), slices.Grow(out.Gains, pits)
	for i := range x.list[:x.moves] {
		m := &x.list[i]
		if m.added == 0 && p.opposite != 0 {
			g.add(Position{p.opposite, m.own}, m.first+rank*m.multiple, 0, out)
			continue
		}
		left := p.opposite + m.added
		captured := left & capturable(left, m.shift)
		if left -= captured; left == 0 {
			switch s := g.play(p, m.pit); {
			case !s.starve:
				g.add(s.next, g.index.of(s.next, x.n, s.next.own.stones()), 0, out)
			case !g.mustFeed(p):
				g.addStarving(s, begin, out)
			}
			continue
		}
		// Captured stones are the opponent's, so the other row keeps its multiple.
		n := captured.stones()
		g.add(Position{left, m.own}, g.index.group[x.n-n][m.stones-n]+m.rank+left.rank()*m.multiple, n, out)
	}
	out.Moves += len(out.Successors) - begin
	return games.Unfinished
}

// add appends the position that a move leads to.
func (g *Game) add(next Position, index uint64, gain int, out *games.Expansion) {
	v := games.Unfinished
	if g.slam != legalIfOnly {
		v, _ = g.Outcome(next)
	}
	out.Successors = append(out.Successors, games.NewSuccessor(index, v))
	out.Gains = append(out.Gains, int16(gain))
}

// addStarving appends what a move that ends the game leads to. Several may lead
// to the empty board; the successors of the position begin at begin.
func (g *Game) addStarving(s sown, begin int, out *games.Expansion) {
	v, _ := g.Outcome(s.next)
	successor := games.NewSuccessor(g.index.of(s.next, s.next.Stones(), 0), v)
	if j := slices.Index(out.Successors[begin:], successor); j >= 0 {
		out.Gains[begin+j] = max(out.Gains[begin+j], int16(s.gain))
		out.Moves++
		return
	}
	out.Successors = append(out.Successors, successor)
	out.Gains = append(out.Gains, int16(s.gain))
}

// Retract implements [games.Retractor] by reverse sowing: from each empty pit of
// the side that has moved, stones are taken back one a pit, until a pit is empty.
func (g *Game) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	var at place
	for _, i := range indices {
		opposite := g.index.seek(&at, i)
		// The side to move is the one that was sown to.
		g.retract(opposite, at.own, at.n, out)
	}
}

// retract appends the predecessors of the position with these rows of the side
// that has moved, and of the other.
func (g *Game) retract(own, opposite row, n int, out *games.Predecessors) {
	for from := range pits {
		if own.pit(from) != 0 {
			continue
		}
		before := Position{own, opposite}
		table := &sowings[from]
		for k := 1; k <= n; k++ {
			s := &table[k]
			// The stone that fell last is the first one to be missing.
			step, stepOpposite := s.own-table[k-1].own, s.opposite-table[k-1].opposite
			if before.own&(step*0xff) == 0 && before.opposite&(stepOpposite*0xff) == 0 {
				break
			}
			before.own -= step
			before.opposite -= stepOpposite
			if s.shift != noShift && !g.quiet(opposite, s.shift) {
				continue
			}
			p := Position{before.own + row(k)<<(8*from), before.opposite}
			out.Indices = append(out.Indices, g.index.of(p, n, p.own.stones()))
		}
	}
}

// quiet reports whether a last stone that fell into a pit of this row, after it
// was sown, captured nothing.
func (g *Game) quiet(r row, shift uint8) bool {
	captured := r & capturable(r, shift)
	return captured == 0 || g.slam == noCapture && captured == r
}
