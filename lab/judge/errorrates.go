package judge

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/play"
)

// Decision is a position in which some moves keep the true result and others do not.
type Decision[P comparable] struct {
	// Group is the same for positions of a game.
	Group    int
	Position P
}

// ErrorRates measures how often players choose a move that gives the true result away, all in the same positions.
type ErrorRates[P, M comparable] struct {
	Game games.Game[P, M]
	// Value returns the true value of an unfinished position.
	Value func(p P) (games.Value, error)
	// Progress, if not nil, is told of positions.
	Progress games.Progress
}

// value returns the value of a position, finished or not.
func (e *ErrorRates[P, M]) value(p P) (games.Value, error) {
	if v, finished := e.Game.Outcome(p); finished {
		return v, nil
	}
	return e.Value(p)
}

// keeps returns whether a move keeps the result of a position with value v.
func (e *ErrorRates[P, M]) keeps(p P, m M, v games.Value) (bool, error) {
	next, err := e.value(e.Game.Play(p, m))
	gain := 0
	if s, ok := games.As[games.Scorer[P, M]](e.Game); ok {
		gain = s.Gain(p, m)
	}
	return next.Backup(gain).Result() >= v.Result(), err
}

// IsDecision reports whether an unfinished position is a [Decision]. Positions that are won in one ply are
// not: every search finds these moves.
func (e *ErrorRates[P, M]) IsDecision(p P) (bool, error) {
	v, err := e.value(p)
	if err != nil || v.Result() == games.Lost || v == games.Win(1) {
		return false, err
	}
	kept, lost := false, false
	for _, m := range e.Game.AppendMoves(nil, p) {
		keeps, err := e.keeps(p, m, v)
		if err != nil {
			return false, err
		}
		kept, lost = kept || keeps, lost || !keeps
	}
	return kept && lost, nil
}

// Played returns the decisions of games that s plays against itself with a limit of nodes, after some random moves.
// It chooses among moves of about the same score by chance, so that the games differ. A game ends once a position
// repeats.
func (e *ErrorRates[P, M]) Played(ctx context.Context, s play.Engine[P, M], count int, nodes uint64, randomPlies, plies int, seed uint64) (list []Decision[P], err error) {
	g := e.Game
	for number := range count {
		rng := rand.New(rand.NewPCG(seed, uint64(number)))
		p, seen := g.Start(), map[P]bool{}
		for ply := range plies {
			if _, finished := g.Outcome(p); finished || seen[p] {
				break
			}
			seen[p] = true
			if ply < randomPlies {
				moves := g.AppendMoves(nil, p)
				p = g.Play(p, moves[rng.IntN(len(moves))])
				continue
			}
			ok, err := e.IsDecision(p)
			if err != nil {
				return nil, err
			}
			if ok {
				list = append(list, Decision[P]{number, p})
			}
			s.Clear()
			r, err := s.Search(ctx, play.Query[P, M]{From: p, Limits: play.Limits{Nodes: nodes}, Choice: play.Choice{Jitter: 33, Seed: rng.Uint64()}})
			if err != nil {
				return nil, err
			}
			p = g.Play(p, r.Best().Moves[0])
		}
		if e.Progress != nil {
			e.Progress("positions", uint64(number+1), uint64(count))
		}
	}
	return list, nil
}

// ErrNoDecisions is returned if there is no position to measure.
var ErrNoDecisions = errors.New("there is no position in which the result could be given away")

// Run returns for each decision and each search whether the move that it chooses gives the result away.
func (e *ErrorRates[P, M]) Run(ctx context.Context, list []Decision[P], l play.Limits, searches []play.Engine[P, M]) ([][]bool, error) {
	if len(list) == 0 {
		return nil, ErrNoDecisions
	}
	given := make([][]bool, len(searches))
	for i, d := range list {
		v, err := e.value(d.Position)
		if err != nil {
			return nil, err
		}
		for k, s := range searches {
			s.Clear()
			r, err := s.Search(ctx, play.Query[P, M]{From: d.Position, Limits: l})
			if err != nil {
				return nil, err
			}
			keeps, err := e.keeps(d.Position, r.Best().Moves[0], v)
			if err != nil {
				return nil, err
			}
			given[k] = append(given[k], !keeps)
		}
		if e.Progress != nil {
			e.Progress("positions", uint64(i+1), uint64(len(list)))
		}
	}
	return given, nil
}

// ErrorRate returns the share of decisions that searches give away on average, minus that of others if there are
// any in base, with its interval by group.
func ErrorRate[P comparable](list []Decision[P], given, base [][]bool, seed uint64) interval.Interval {
	count := func(searches [][]bool) []int {
		n := make([]int, len(list))
		for _, given := range searches {
			for i := range n {
				if given[i] {
					n[i]++
				}
			}
		}
		return n
	}
	counts, bases := count(given), count(base)
	return interval.Of(len(list), func(i int) int { return list[i].Group }, 400, seed, func(drawn []int) float64 {
		n, b := 0, 0
		for _, i := range drawn {
			n += counts[i]
			b += bases[i]
		}
		return float64(n)/float64(len(given)*len(drawn)) - float64(b)/float64(max(len(base), 1)*len(drawn))
	})
}

// RankCorrelation returns Spearman's correlation of two numbers that each of several things has, with its
// interval by thing.
func RankCorrelation(x, y []float64, seed uint64) interval.Interval {
	return interval.Of(len(x), nil, 400, seed, func(drawn []int) float64 {
		var a, b []float64
		for _, i := range drawn {
			a, b = append(a, x[i]), append(b, y[i])
		}
		return stat.Correlation(ranksOf(a), ranksOf(b), nil)
	})
}

// ranksOf returns the rank of each number. Equal ones share the mean of their ranks.
func ranksOf(list []float64) []float64 {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(list[i], list[j]) })
	ranks := make([]float64, len(list))
	for begin := 0; begin < len(order); {
		end := begin + 1
		for end < len(order) && list[order[end]] == list[order[begin]] {
			end++
		}
		for _, i := range order[begin:end] {
			ranks[i] = float64(begin+end-1) / 2
		}
		begin = end
	}
	return ranks
}
