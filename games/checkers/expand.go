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
	other := g.turnedPosition(*p) // as the opponent sees it
	// A step of a king changes only the last part of an index, which is the rank of the kings of the side that moves.
	begin, free := uint64(0), board(0)
	if kings := p.own & p.kings; kings != 0 {
		opposite := other.own & other.kings
		free = g.valid &^ ((other.own | other.opposite) &^ other.kings)
		begin = g.menIn(c.other, &other) + rank(opposite, free)*c.other.oppositeKings
		free &^= opposite
	}
	for _, m := range moves {
		from := board(1) << m.from()
		if p.kings&from != 0 {
			direction := m.direction(0)
			step := g.turned(from | shifted(from, direction, stepOf(direction)))
			q := Position{own: other.own, opposite: other.opposite ^ step, kings: other.kings ^ step}
			out.Successors = append(out.Successors, games.NewSuccessor(begin+rank(q.opposite&q.kings, free), g.stuck(&q)))
			continue
		}
		q := g.play(*p, m)
		to := c.other
		if q.kings != p.kings { // a man was crowned
			crowned := c.other.material
			crowned.oppositeMen--
			crowned.oppositeKings++
			to = g.index.of[g.index.place(crowned)]
		}
		q = g.turnedPosition(q)
		out.Successors = append(out.Successors, games.NewSuccessor(g.indexIn(to, &q), g.stuck(&q)))
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
			s = games.NewSuccessor(g.indexIn(g.index.of[g.index.place(q.material())], &q), g.stuck(&q))
		}
		if !slices.Contains(out.Successors[begin:], s) {
			out.Successors = append(out.Successors, s)
		}
	}
}

// stuck returns the outcome of a position in which the side to move has a piece: it has lost if it cannot move.
func (g *Game) stuck(p *Position) games.Value {
	if g.canMove(p) {
		return games.Unfinished
	}
	return games.Loss(0)
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
	begin := g.menIn(c, p) // also before a step of a king
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
			q, first := Position{own: p.own ^ before ^ after, opposite: p.opposite, kings: p.kings}, begin
			if kings&after != 0 {
				q.kings ^= before ^ after
			}
			if g.jumpers(&q) != 0 { // the step was illegal
				continue
			}
			if kings&after == 0 {
				first = g.menIn(c, &q)
			}
			out.Indices = append(out.Indices, first+g.kingsIn(c, &q))
		}
	}
}
