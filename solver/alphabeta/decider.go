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

// NewDecider returns a decider for any game without scores. It finds results, and distances only of wins
// in one ply and losses in two. memory is that of [Config]. It fails with [ErrUnsuited] as [New] does.
func NewDecider[P, M comparable](g games.Game[P, M], memory uint64) (games.Decider[P, M], error) {
	if _, err := New(g, Config[P]{Memory: 1}); err != nil {
		return nil, err
	}
	return &decider[P, M]{g, memory}, nil
}

// SearchesAll implements [games.PlainDecider].
func (*decider[P, M]) SearchesAll() {}

// short looks for a win in one ply and a loss in two: a search of positions that are not quiet may not come to them.
func (d *decider[P, M]) short(p P, a *games.Advice[M]) bool {
	a.By = exhausted
	if m, ok := d.wins(p, a); ok {
		a.Bounds, a.Line = games.BoundsOf(games.Win(1)), []M{m}
		return true
	}
	moves := d.game.AppendMoves(nil, p)
	for _, m := range moves {
		q := d.game.Play(p, m)
		if _, finished := d.game.Outcome(q); finished {
			return false
		}
		if _, ok := d.wins(q, a); !ok {
			return false
		}
	}
	a.Bounds, a.Line = games.BoundsOf(games.Loss(2)), moves[:1]
	return true
}

// wins returns a move that wins at once.
func (d *decider[P, M]) wins(p P, a *games.Advice[M]) (win M, ok bool) {
	for _, m := range d.game.AppendMoves(nil, p) {
		a.Nodes++
		if v, finished := d.game.Outcome(d.game.Play(p, m)); finished && v == games.Loss(0) {
			return m, true
		}
	}
	return win, false
}

// exhausted names the proof that nothing else is left.
const exhausted = "exhausted search"

func (d *decider[P, M]) Decide(ctx context.Context, p P, nodes uint64) (games.Advice[M], error) {
	a := games.Advice[M]{Bounds: games.Unbounded}
	if d.short(p, &a) {
		return a, nil
	}
	s, err := New(d.game, Config[P]{Memory: d.memory, Nodes: max(nodes, 1)}) // a table of its own
	if err != nil {
		return a, err
	}
	r, err := s.Search(ctx, p)
	a.Nodes += r.Nodes
	if err != nil || r.Lower == games.Lost && r.Upper == games.Won {
		a.By = ""
		return a, err
	}
	a.Bounds = games.BoundsOfResults(r.Lower, r.Upper)
	if r.Known() && r.Moved {
		a.Line = []M{r.Move}
	}
	return a, nil
}
