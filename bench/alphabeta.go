package bench

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
)

// AlphaBeta measures depth-limited searches on one thread, each with an empty table: of the
// start position, and of positions of random games.
type AlphaBeta[P, M comparable] struct {
	Game   games.Game[P, M]
	Config alphabeta.Config[P] // limits, memory, and a database if there is one
	// Positions is the number of positions of random games.
	Positions int
	Seed      uint64
}

// Searches summarizes searches.
type Searches struct {
	Name      string  `json:"name"`
	Searches  int     `json:"searches"`
	Nodes     uint64  `json:"nodes"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
	Depth     float64 `json:"depth"`   // on average
	Probes    uint64  `json:"probes"`  // nodes that are in the database
	Proven    int     `json:"proven"`  // searches that found the value
	Bounded   int     `json:"bounded"` // others that proved a bound
}

// Run does all searches and reports on the start position, then on the others together.
func (b AlphaBeta[P, M]) Run(ctx context.Context, report func(Searches)) error {
	r, err := b.search(ctx, "start position", []P{b.Game.Start()})
	if err != nil {
		return err
	}
	report(r)
	if b.Positions == 0 {
		return nil
	}
	if r, err = b.search(ctx, "positions of random games", b.random()); err != nil {
		return err
	}
	report(r)
	return nil
}

func (b AlphaBeta[P, M]) search(ctx context.Context, name string, list []P) (Searches, error) {
	sum := Searches{Name: name, Searches: len(list)}
	depth := 0
	for _, p := range list {
		s, err := alphabeta.New(b.Game, b.Config)
		if err != nil {
			return sum, err
		}
		r, err := s.Search(ctx, p)
		if err != nil {
			return sum, err
		}
		sum.Nodes += r.Nodes
		sum.Probes += r.Probes
		sum.Seconds += r.Time.Seconds()
		depth += r.Depth
		switch {
		case r.Known():
			sum.Proven++
		case r.Lower > games.Lost || r.Upper < games.Won:
			sum.Bounded++
		}
	}
	sum.Depth = float64(depth) / float64(len(list))
	sum.PerSecond = float64(sum.Nodes) / max(sum.Seconds, time.Nanosecond.Seconds())
	return sum, nil
}

// random returns unfinished positions of random games, each from a different part of a game.
func (b AlphaBeta[P, M]) random() []P {
	rng := rand.New(rand.NewPCG(b.Seed, 0))
	const longest = 200 // plies
	var list []P
	for len(list) < b.Positions {
		var game []P
		p := b.Game.Start()
		for len(game) < longest {
			moves := b.Game.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			game = append(game, p)
			p = b.Game.Play(p, moves[rng.IntN(len(moves))])
		}
		if len(game) == 0 {
			return nil // the start position is finished
		}
		list = append(list, game[len(list)*len(game)/b.Positions])
	}
	return list
}
