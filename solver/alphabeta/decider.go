package alphabeta

import (
	"context"

	"github.com/yomikiri/yomikiri/games"
)

// decider is a [games.Decider] that tries to search a position to the end.
type decider[P, M comparable] struct {
	game   games.Game[P, M]
	memory uint64
}

// NewDecider returns a decider for any game without scores. It finds results, not distances. memory is
// that of [Config]. It fails with [ErrUnsuited] as [New] does.
func NewDecider[P, M comparable](g games.Game[P, M], memory uint64) (games.Decider[P, M], error) {
	if _, err := New(g, Config[P]{Memory: 1}); err != nil {
		return nil, err
	}
	return &decider[P, M]{g, memory}, nil
}

func (d *decider[P, M]) Decide(ctx context.Context, p P, nodes uint64) (games.Advice[M], error) {
	a := games.Advice[M]{Bounds: games.Unbounded}
	s, err := New(d.game, Config[P]{Memory: d.memory, Nodes: max(nodes, 1)}) // a table of its own
	if err != nil {
		return a, err
	}
	r, err := s.Search(ctx, p)
	a.Nodes = r.Nodes
	if err != nil || r.Lower == games.Lost && r.Upper == games.Won {
		return a, err
	}
	a.Bounds, a.By = games.BoundsOfResults(r.Lower, r.Upper), "exhausted search"
	if r.Known() && r.Moved {
		a.Line = []M{r.Move}
	}
	return a, nil
}
