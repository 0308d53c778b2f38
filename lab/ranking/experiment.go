package ranking

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"

	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/lab/interval"
)

// Experiment measures how well few games rank players of known strength, by the way in which opponents are
// chosen (figures 5 and 6 of Sato and Takahashi, 「対局に基づいた教師データの重要度の学習」, IPSJ Journal 55 (2014)).
type Experiment struct {
	// Players returns the players of a run.
	Players func(rng *rand.Rand) Rivals
	// Pairs of games are played in each run, and the ranks are compared after each Every of them.
	Pairs, Every int
	Runs         int
	Threads      int
	Seed         uint64
}

// Rivals has the chance of each player to win a game against each other.
type Rivals [][]float64

// Ordered returns players with the strengths of one program at 1,000 nodes, 1,200 nodes and so on, if twice as
// many nodes are worth some Elo points.
func Ordered(players int, doubling float64) Rivals {
	return rivals(players, func(n int) float64 { return doubling * math.Log2(1+float64(n)/5) }, func() float64 { return 0 })
}

// Close returns players whose strengths have a normal distribution. Each pair of them deviates from what their
// strengths say, with another one, so that they cannot be brought into an order. Both deviations are in Elo
// points.
func Close(players int, deviation, affinity float64, rng *rand.Rand) Rivals {
	elo := make([]float64, players)
	for i := range elo {
		elo[i] = deviation * rng.NormFloat64()
	}
	return rivals(players, func(n int) float64 { return elo[n] }, func() float64 { return affinity * rng.NormFloat64() })
}

func rivals(players int, elo func(n int) float64, affinity func() float64) Rivals {
	r := make(Rivals, players)
	for a := range r {
		r[a] = make([]float64, players)
		for b := range a {
			p := 1 / (1 + math.Pow(10, (elo(b)-elo(a)-affinity())/400))
			r[a][b], r[b][a] = p, 1-p
		}
	}
	return r
}

// ranks returns the true rank of each player: by the points that it would win in games with all others.
func (r Rivals) ranks() []int {
	points, all := make([]Rating, len(r)), make([]int, len(r))
	for a := range r {
		all[a] = a
		for b, p := range r[a] {
			if a != b {
				points[a].Elo += p
			}
		}
	}
	return places(Ranked(points, all))
}

// places returns the rank of each player from a list of players, best first.
func places(ranked []int) []int {
	place := make([]int, len(ranked))
	for rank, n := range ranked {
		place[n] = rank
	}
	return place
}

// RankErrors are the mean distances of the ranks of players from their true ranks.
type RankErrors struct {
	Method Matchmaking
	// Errors follow each other as the ranks were compared, with intervals of 95 % by run.
	Errors []interval.Interval
}

// Run measures all ways. If ctx ends it returns its error.
func (m *Experiment) Run(ctx context.Context) (all []RankErrors, err error) {
	for method := AtRandom; method <= Mixed; method++ {
		runs := make([][]float64, m.Runs)
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(max(m.Threads, 1))
		for i := range runs {
			group.Go(func() error {
				runs[i] = m.run(method, i)
				return ctx.Err()
			})
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
		r := RankErrors{Method: method}
		for k := range runs[0] {
			var list []float64
			for _, errors := range runs {
				list = append(list, errors[k])
			}
			const deviations = 1.96
			mean, deviation := stat.MeanStdDev(list, nil)
			half := deviations * stat.StdErr(deviation, float64(len(list)))
			r.Errors = append(r.Errors, interval.Interval{Value: mean, Low: mean - half, High: mean + half})
		}
		all = append(all, r)
	}
	return all, nil
}

// run lets players play, and returns the mean errors of their ranks.
func (m *Experiment) run(method Matchmaking, number int) (errors []float64) {
	rng := rand.New(rand.NewPCG(m.Seed, uint64(number)))
	players := m.Players(rng)
	truth := players.ranks()
	var s Standings
	s.Grow(len(players))
	entrants, all := make([]Entrant, len(players)), make([]int, len(players))
	for i := range all {
		all[i] = i
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] }) // the order of equal ones
	var ratings []Rating
	for pair := range m.Pairs {
		a, b := method.Next(rng, entrants)
		half := 0
		for range 2 {
			if rng.Float64() < players[a][b] {
				half += 2
			}
		}
		s.Add(a, b, half)
		entrants[a].Last = half/2 - 1
		entrants[b].Last = 1 - half/2
		entrants[a].Pairs++
		entrants[b].Pairs++
		ratings = s.Ratings(ratings)
		for i, rank := range places(Ranked(ratings, all)) {
			entrants[i].Rank = rank
		}
		if (pair+1)%m.Every == 0 {
			sum := 0.0
			for i, e := range entrants {
				sum += math.Abs(float64(e.Rank - truth[i]))
			}
			errors = append(errors, sum/float64(len(players)))
		}
	}
	return errors
}

// Figure draws the errors by the number of pairs.
func (m *Experiment) Figure(title string, all []RankErrors) plot.Plot {
	colors := []string{"#555555", "#b3541e", "#2e7d32", "#0b5fa5"}
	p := plot.Plot{Title: title, X: "pairs of games", Y: "mean error of rank"}
	for _, r := range all {
		s := plot.Series{Name: r.Method.String(), Color: colors[r.Method]}
		for i, e := range r.Errors {
			s.Points = append(s.Points, plot.Point{X: float64((i + 1) * m.Every), Y: e.Value})
		}
		p.Series = append(p.Series, s)
	}
	return p
}

// Text returns a table of the errors, at four numbers of pairs.
func (m *Experiment) Text(all []RankErrors) string {
	text, n := fmt.Sprintf("%-8s", "pairs"), len(all[0].Errors)
	var at []int
	for _, quarter := range []int{1, 2, 3, 4} {
		if i := n*quarter/4 - 1; i >= 0 {
			at = append(at, i)
			text += fmt.Sprintf("  %-12d", (i+1)*m.Every)
		}
	}
	text = strings.TrimRight(text, " ") + "\n"
	for _, r := range all {
		text += fmt.Sprintf("%-8v", r.Method)
		for _, i := range at {
			e := r.Errors[i]
			text += fmt.Sprintf("  %5.2f ± %4.2f", e.Value, e.High-e.Value)
		}
		text += "\n"
	}
	return text
}
