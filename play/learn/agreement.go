package learn

import (
	"context"
	"fmt"
	"math"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// Agreement says how well an evaluation predicts the moves that were played.
type Agreement struct {
	// Positions is how many were looked at.
	Positions int `json:"positions"`
	// Quiet is the share of positions in which the move played was the best by a quiescence search of
	// each move. It counts 1/n where n moves are equally good.
	Quiet float64 `json:"quiet"`
	// Search is the share in which a search of Nodes positions chose the move played.
	Search float64 `json:"search"`
	Nodes  uint64  `json:"nodes"`
	// LogLikelihood is the mean logarithm of the probability of the move played, if moves are chosen
	// with probabilities proportional to exp(score/Temperature) by the scores of the quiescence searches.
	// Temperature is the one that fits best, from 1 to 10,000.
	LogLikelihood float64 `json:"log_likelihood"`
	Temperature   float64 `json:"temperature"`
}

// certain limits scores that count as certain, so that a mate that was not seen has a likelihood.
const certain play.Score = 3000

// Agree measures the agreement in at most most positions, as many as possible spread evenly over the games
// that a fit with this HeldOut holds out, where there is a choice among moves. If ctx ends it returns its
// error. progress, if not nil, is called after each position.
func Agree[P, M comparable](ctx context.Context, g games.Game[P, M], e *play.Evaluation, list []Game[P, M], heldOut, most int, nodes uint64, progress games.Progress) (*Agreement, error) {
	s, err := play.New(g, play.Config[P]{Evaluation: e, Memory: min(nodes*64, 16<<20), Pruning: play.AllPruning})
	if err != nil {
		return nil, err
	}
	a := &agreement[P, M]{game: g, search: s, Agreement: Agreement{Nodes: nodes}}
	a.scorer, _ = g.(games.Scorer[P, M])
	plies := 0
	for i := range list {
		if Held(list[i].Group, heldOut) {
			plies += len(list[i].Moves)
		}
	}
	step, at := max(1, float64(plies)/float64(most)), 0
	for i := range list {
		x := &list[i]
		if !Held(x.Group, heldOut) {
			continue
		}
		p := x.From
		for ply, m := range x.Moves {
			if float64(at) >= float64(a.tried)*step {
				a.tried++
				if err := a.add(ctx, x, ply, p, m); err != nil {
					return nil, err
				}
				if progress != nil {
					progress("positions held out", uint64(a.tried), uint64(min(most, plies)))
				}
			}
			p = g.Play(p, m)
			at++
		}
	}
	return a.result(), nil
}

// Held reports whether a fit with this HeldOut holds out the games of a group.
func Held(group, heldOut int) bool { return group%heldOut == heldOut-1 }

// agreement adds up an [Agreement].
type agreement[P, M comparable] struct {
	Agreement
	game   games.Game[P, M]
	scorer games.Scorer[P, M] // nil if the game has none
	search *play.Searcher[P, M]
	tried  int
	moves  []M
	// lists are the scores of all moves of a position, beginning with the one played, less its score.
	lists [][]float64
}

// add adds the position before the given ply of a game.
func (a *agreement[P, M]) add(ctx context.Context, x *Game[P, M], ply int, p P, played M) error {
	a.moves = a.game.AppendMoves(a.moves[:0], p)
	if len(a.moves) < 2 {
		return nil
	}
	base := a.quiet(p, played)
	list := []float64{0}
	better, equal := false, 1
	for _, m := range a.moves {
		if m == played {
			continue
		}
		v := a.quiet(p, m)
		better = better || v > base
		if v == base {
			equal++
		}
		list = append(list, float64(v-base))
	}
	a.lists = append(a.lists, list)
	a.Positions++
	if !better {
		a.Quiet += 1 / float64(equal)
	}
	a.search.Clear()
	r, err := a.search.Search(ctx, play.Query[P, M]{From: x.From, Moves: x.Moves[:ply], Limits: play.Limits{Nodes: a.Nodes}})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("ply %d: %w", ply+1, err)
	}
	if r.Best().Moves[0] == played {
		a.Search++
	}
	return nil
}

// quiet returns the score of a move by a quiescence search.
func (a *agreement[P, M]) quiet(p P, m M) (v play.Score) {
	next := a.game.Play(p, m)
	if value, finished := a.game.Outcome(next); finished {
		v = -play.ScoreOf(value)
	} else {
		v, _ = a.search.Quiet(next, play.Window{})
		v = -v
	}
	if a.scorer != nil {
		v += play.Score(a.scorer.Gain(p, m)) * play.Point
	}
	return min(max(v, -certain), certain)
}

func (a *agreement[P, M]) result() *Agreement {
	if a.Positions == 0 {
		return &a.Agreement
	}
	n := float64(a.Positions)
	a.Quiet /= n
	a.Search /= n
	// The likelihood is concave in 1/temperature, so that it has one maximum in its logarithm too.
	low, high := 0.0, math.Log(10_000)
	for range 40 {
		third := (high - low) / 3
		if a.likelihood(math.Exp(low+third)) < a.likelihood(math.Exp(high-third)) {
			low += third
		} else {
			high -= third
		}
	}
	a.Temperature = math.Exp((low + high) / 2)
	a.LogLikelihood = a.likelihood(a.Temperature)
	return &a.Agreement
}

// likelihood returns the mean logarithm of the probabilities of the moves played.
func (a *agreement[P, M]) likelihood(temperature float64) (mean float64) {
	for _, list := range a.lists {
		most := 0.0
		for _, v := range list {
			most = max(most, v)
		}
		sum := 0.0
		for _, v := range list {
			sum += math.Exp((v - most) / temperature)
		}
		mean -= most/temperature + math.Log(sum)
	}
	return mean / float64(len(a.lists))
}
