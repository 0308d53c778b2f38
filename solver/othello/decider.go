package othello

import (
	"context"
	"errors"
	"math"
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/solver"
)

const (
	// positionsPerNode is how many positions a search of the end may look at for each that a [games.Decider] may:
	// they cost so much less than those of a search for any game.
	positionsPerNode = 10
	// decidedEmpties and decidedPositions say how many positions are needed at least to find the score of a position
	// with so many empty squares; a square more doubles that, and one less halves it. With fewer nothing is tried.
	decidedEmpties   = 14
	decidedPositions = 100_000
)

// decider is a [games.Decider] that searches a position to the end.
type decider struct {
	board  *board
	memory uint64
}

// NewDecider returns a decider of positions with few empty squares: it finds their scores, or bounds of them. memory
// is how many bytes it may take.
func NewDecider(g *othello.Game, memory uint64) (games.Decider[othello.Position, othello.Move], error) {
	return &decider{newBoard(g), memory}, nil
}

func (d *decider) Decide(ctx context.Context, p othello.Position, nodes uint64) (games.Advice[othello.Move], error) {
	a := games.Advice[othello.Move]{Bounds: games.Unbounded}
	if err := ctx.Err(); err != nil {
		return a, err
	}
	own, opposite := p.Sets()
	empties := bits.OnesCount64(d.board.all &^ (own | opposite))
	limit := nodes * positionsPerNode
	if float64(limit) < math.Ldexp(decidedPositions, empties-decidedEmpties) {
		return a, nil
	}
	s := newSearch(d.board, d.memory) // results of its own
	s.ctx, s.limit = ctx, max(limit, 1)
	lower, upper, best := s.score(own, opposite)
	a.Nodes = s.nodes/positionsPerNode + 1
	if s.err != nil && !errors.Is(s.err, solver.ErrLimit) {
		return a, s.err
	}
	if lower > -mostPoints {
		a.Lower = games.Score(lower)
	}
	if upper < mostPoints {
		a.Upper = games.Score(upper)
	}
	if lower == upper {
		a.Bounds = games.BoundsOf(games.Score(lower))
	}
	if a.Bounds == games.Unbounded {
		return a, nil
	}
	a.By = "exact endgame"
	if lower > -mostPoints || lower == upper {
		a.Line = append(a.Line, best)
	}
	if lower == upper && s.err == nil {
		after := d.board.game.Play(p, best)
		a.Line = append(a.Line, s.best(after, -lower)...)
	}
	return a, nil
}

// score finds the score of an unfinished position, and a move that gets at least lower. At a limit it returns the
// bounds so far.
func (s *search) score(own, opposite uint64) (lower, upper int, best othello.Move) {
	moves := s.moves(own, opposite)
	if moves == 0 {
		lower, upper, _ = s.score(opposite, own)
		return -upper, -lower, othello.Pass
	}
	empties := bits.OnesCount64(s.all &^ (own | opposite))
	lower, upper = -mostPoints, mostPoints
	first := uint8(noMove)
	for points := s.guess(own, opposite, moves, min(max(empties-tableEmpties, 0), guessDepth), lower, upper); lower < upper; {
		move := uint8(noMove)
		score := s.each(own, opposite, moves, points-1, empties, first, &move)
		if s.err != nil {
			break
		}
		first = move
		if score >= points {
			lower, best, points = score, othello.Move(move), score+1
		} else {
			upper, points = score, score
		}
	}
	if lower == -mostPoints { // any move gets that
		best = othello.Move(bits.TrailingZeros64(moves))
	}
	return lower, upper, best
}

// best returns a line of best play from a position with a known score, up to the limit of the search.
func (s *search) best(p othello.Position, score int) (line []othello.Move) {
	for {
		own, opposite := p.Sets()
		moves, move := s.moves(own, opposite), uint8(othello.Pass)
		if moves != 0 {
			empties := bits.OnesCount64(s.all &^ (own | opposite))
			if s.each(own, opposite, moves, score-1, empties, noMove, &move); s.err != nil {
				return line
			}
		} else if s.moves(opposite, own) == 0 {
			return line
		}
		line = append(line, othello.Move(move))
		p, score = s.game.Play(p, othello.Move(move)), -score
	}
}
