package awari

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Expand implements [games.Expander].
func (g *Game) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	var at place
	end := g.index.tier[g.stones+1]
	for _, i := range indices {
		status := games.Hole
		if i < end {
			opposite := g.index.seek(&at, i)
			status = g.expand(Position{at.own, opposite}, &at, out)
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

// expand appends the successors of a position and returns its status.
func (g *Game) expand(p Position, at *place, out *games.Expansion) games.Value {
	if v, finished := g.Outcome(p); finished {
		return v
	}
	begin := len(out.Successors)
	for pit := range pits {
		if p.own.pit(pit) == 0 {
			continue
		}
		switch s := g.play(p, pit); {
		case !s.starve:
			g.add(s, at.n, out)
		case !g.mustFeed(p):
			g.addStarving(s, begin, out)
		}
	}
	return games.Unfinished
}

// add appends what a move leads to from a position of n stones.
func (g *Game) add(s sown, n int, out *games.Expansion) {
	n -= s.gain
	i := g.index.of(s.next, n, s.next.own.stones())
	v := games.Unfinished
	if g.slam != legalIfOnly {
		v, _ = g.Outcome(s.next)
	}
	out.Successors = append(out.Successors, games.NewSuccessor(i, v))
	out.Gains = append(out.Gains, int16(s.gain))
	out.Moves++
}

// addStarving appends what a move that ends the game leads to. Several may lead
// to the empty board; the successors of the position begin at begin.
func (g *Game) addStarving(s sown, begin int, out *games.Expansion) {
	v, _ := g.Outcome(s.next)
	successor := games.NewSuccessor(g.index.of(s.next, s.next.Stones(), 0), v)
	out.Moves++
	if j := slices.Index(out.Successors[begin:], successor); j >= 0 {
		out.Gains[begin+j] = max(out.Gains[begin+j], int16(s.gain))
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
