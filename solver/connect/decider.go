package connect

import (
	"context"
	"errors"

	"github.com/yomikiri/yomikiri/games"
)

// Rules are the rules of a game for [NewDecider].
type Rules[P, M comparable] interface {
	games.Game[P, M]
	games.Connection[P, M]
	// Settled reports whether from a position on the game is [games.Monotone], even if there is a move that is not
	// before.
	Settled(p P) bool
}

// decider is a [games.Decider] that searches positions by virtual connections.
type decider[P, M comparable] struct {
	game   Rules[P, M]
	board  Board
	field  *field
	moves  [games.MaxSquares]M
	memory uint64
}

// NewDecider returns a decider of who wins a game. It says nothing of how long that takes, and shows a move of the
// winner if it is to move. memory is how many bytes it may take.
func NewDecider[G Rules[P, M], P, M comparable](g G, memory uint64) (games.Decider[P, M], error) {
	d := &decider[P, M]{game: g, board: BoardOf(g, g), memory: memory}
	d.field = newField(d.board)
	for _, m := range g.AppendMoves(nil, g.Start()) {
		d.moves[g.Square(m)] = m
	}
	return d, nil
}

// BoardOf returns the board of a game.
func BoardOf[P, M comparable](g games.Game[P, M], rules games.Connection[P, M]) Board {
	b := Board{Beside: rules.Beside, Edges: rules.Edges}
	for _, m := range g.AppendMoves(nil, g.Start()) {
		b.Squares = b.Squares.With(rules.Square(m))
	}
	b.Weigh = func(at games.Placement, weights *[games.MaxSquares]float64) { rules.Weigh(rules.Place(at), weights) }
	return b
}

// errLimit says that a search has come to its limit.
var errLimit = errors.New("a limit of a search by connections")

// cost is how many positions that a [games.Decider] may search are worth one of this search, where there are some empty
// squares: links are between all pairs of them, and are found after each move.
func cost(empty int) uint64 { return uint64(empty*empty*empty*empty/costScale) + 1 }

const costScale = 400

func (d *decider[P, M]) Decide(ctx context.Context, p P, nodes uint64) (games.Advice[M], error) {
	a := games.Advice[M]{Bounds: games.Unbounded}
	at := d.game.Placement(p)
	cost := cost(d.board.Squares.Minus(at.Stones[0]).Minus(at.Stones[1]).Len())
	if err := ctx.Err(); err != nil || !d.game.Settled(p) || cost > nodes {
		return a, err
	}
	s := newSearch(d.field, d.board.Weigh, DefaultLimits)
	winner, err := s.Solve(at, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if (s.Nodes()+1)*cost > nodes || s.Bytes() > d.memory {
			return errLimit
		}
		return nil
	})
	a.Nodes = s.Nodes() * cost
	switch {
	case errors.Is(err, errLimit):
		return a, nil
	case err != nil:
		return a, err
	}
	result := games.Lost
	if winner == at.ToMove {
		result = games.Won
		a.Line = []M{d.moves[s.Move(at)]}
	}
	a.Bounds, a.By = games.BoundsOf(result.Value()), "connections"
	return a, nil
}
