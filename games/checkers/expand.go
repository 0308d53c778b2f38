package checkers

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Expand implements [games.Expander].
func (g *Game) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	var at place
	var buffer [64]Move
	for _, i := range indices {
		status := games.Hole
		switch {
		case i == 0:
			status = games.Loss(0)
		case i < g.index.end:
			p := g.seek(&at, i)
			if jumpers := g.jumpers(&p); jumpers != 0 {
				status = games.Unfinished
				g.expandCaptures(&p, g.appendCaptures(buffer[:0], &p, jumpers), out)
			} else if moves := g.appendSteps(buffer[:0], &p); len(moves) == 0 {
				status = games.Loss(0)
			} else {
				status = games.Unfinished
				g.expandSteps(&p, at.class, moves, out)
			}
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

// expandSteps appends the successors of a position that has no capture.
func (g *Game) expandSteps(p *Position, c *class, moves []Move, out *games.Expansion) {
	out.Moves += len(moves)
	for _, m := range moves {
		q := g.play(*p, m)
		to := c.other
		if q.kings != p.kings && p.kings&(1<<m.from()) == 0 { // a man was crowned
			crowned := c.other.material
			crowned.oppositeMen--
			crowned.oppositeKings++
			to = g.index.of[g.index.place(crowned)]
		}
		q = g.turnedPosition(q)
		out.Successors = append(out.Successors, g.successor(to, &q))
	}
}

// expandCaptures appends the successors of a position that has captures. Several routes
// may lead to the same position.
func (g *Game) expandCaptures(p *Position, moves []Move, out *games.Expansion) {
	out.Moves += len(moves)
	begin := len(out.Successors)
	for _, m := range moves {
		q := g.turnedPosition(g.play(*p, m))
		s := games.NewSuccessor(0, games.Loss(0))
		if q.own != 0 {
			s = g.successor(g.index.of[g.index.place(q.material())], &q)
		}
		if !slices.Contains(out.Successors[begin:], s) {
			out.Successors = append(out.Successors, s)
		}
	}
}

func (g *Game) successor(c *class, p *Position) games.Successor {
	v := games.Unfinished
	if !g.canMove(p) {
		v = games.Loss(0)
	}
	return games.NewSuccessor(g.indexIn(c, p), v)
}

// Retract implements [games.Retractor]: it takes back steps. Captures and crownings lead
// from other tiers.
func (g *Game) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	var at place
	for _, i := range indices {
		p := g.seek(&at, i)
		q := g.turnedPosition(p) // the side that moved has come from lower squares
		g.retract(&q, at.class.other, out)
	}
}

func (g *Game) retract(p *Position, c *class, out *games.Predecessors) {
	empty := g.valid &^ (p.own | p.opposite)
	kings := p.own & p.kings
	men := p.own &^ kings
	for direction := range uint32(4) {
		by := stepOf(direction)
		// Squares that a piece came from in this direction.
		from := shifted(kings, direction^2, by) & empty
		if direction < 2 {
			from |= shifted(men, direction^2, by) & empty
		}
		for ; from != 0; from &= from - 1 {
			before := from & -from
			after := shifted(before, direction, by)
			q := Position{own: p.own ^ before ^ after, opposite: p.opposite, kings: p.kings}
			if kings&after != 0 {
				q.kings ^= before ^ after
			}
			if g.jumpers(&q) == 0 { // otherwise the step was illegal
				out.Indices = append(out.Indices, g.indexIn(c, &q))
			}
		}
	}
}
