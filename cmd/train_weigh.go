package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/play/learn/weigh"
	"github.com/yomikiri/yomikiri/play/match"
)

// weighOptions are the flags of train that weigh parts of the data.
type weighOptions struct {
	parts  learn.Parts // Whole if nothing is weighed
	search weigh.Config
	final  int
}

func (o *weighOptions) addFlags(flags *pflag.FlagSet) {
	d := &weigh.Default
	checkedFlag(flags, "weigh", "progress|games", "", "learn how much parts of the data should count from games of the evaluations that result: positions by progress, or games", func(text string) error {
		for _, o.parts = range []learn.Parts{learn.ByProgress, learn.ByGame} {
			if text == o.parts.String() {
				return nil
			}
		}
		return fmt.Errorf("%q: want progress or games", text)
	})
	numberFlag(flags, &o.search.Individuals, "individuals", d.Individuals, 2, 10_000, "evaluations that play each other, with --weigh")
	numberFlag(flags, &o.search.Steps, "steps", d.Steps, 1, 1_000_000, "individuals to replace, one after the other; a search goes on if there are more than before")
	realFlag(flags, &o.search.Deviation, "sigma", d.Deviation, 1e-6, 10, "standard deviation of the first weights of the data")
	realFlag(flags, &o.search.Share, "alpha", d.Share, 1e-6, 1, "by how much each step changes the distribution of the weights")
	numberFlag(flags, &o.search.Best, "best", d.Best, 1, 10_000, "individuals whose deviation counts for it")
	numberFlag(flags, &o.search.FirstGames, "first-games", d.FirstGames, 2, 1_000_000, "games of each of the first individuals")
	numberFlag(flags, &o.search.Games, "step-games", d.Games, 2, 1_000_000, "games of each of the others; half of them if it is the last then")
	numberFlag(flags, &o.final, "final-games", 2000, 0, 10_000_000, "games against an evaluation that learned from the same data without weights")
}

// The files of a search for weights are beside the one with the weights.
const (
	stateSuffix       = ".weigh"
	individualsSuffix = ".individuals"
)

// weighed is the result of a search for weights of the data.
type weighed struct {
	weighing
	// Final are matches against the evaluation without weights.
	Final []finalMatch `json:"final"`
}

type finalMatch struct {
	Of string `json:"of"`
	matchJSON
}

// weighData searches for weights of the data, and returns the evaluation of the best individual. plain is the one
// fitted without weights.
func (o *trainOptions) weighData(c *cobra.Command, g *app.Game, x *learn.Examples, plain *play.Evaluation, fit learn.Config) (*weighed, *play.Evaluation, error) {
	ctx := c.Context()
	shown, begin := o.progress(c), time.Now()
	defer shown.done()
	field := &weigh.Players[app.Position, app.Move]{
		Search: g.Search,
		Arena:  match.Arena[app.Position, app.Move]{Game: g.Board, RandomPlies: o.random, Seed: o.fit.Seed, Threads: o.threads},
		Set:    plain.Set, Examples: x, Fit: fit, Nodes: uint64(o.nodes), Dir: o.out + individualsSuffix,
		Made: func(done, all int) { shown.showDone(begin, "individuals made", uint64(done), uint64(all)) },
	}
	cfg := o.weigh.search
	cfg.Game, cfg.Division = g.Name(), o.weigh.parts.String()
	cfg.Parts, cfg.Seed, cfg.Signature, cfg.File = x.Parts(), o.fit.Seed, field.Signature(), o.out+stateSuffix
	if o.weigh.parts == learn.ByProgress {
		cfg.Parts = learn.ProgressParts
	}
	first := -1
	cfg.Progress = func(s *weigh.State) {
		if first < 0 {
			first, begin = s.Pairs, time.Now()
		}
		p := newWeighProgress(s, first, time.Since(begin))
		shown.show(p.text, p)
	}
	s, err := weigh.Search(ctx, field, cfg)
	if errors.Is(err, weigh.ErrState) {
		err = usageError{err}
	}
	if err != nil {
		return nil, nil, err
	}
	w := &weighed{weighing: newWeighing(s), Final: []finalMatch{}}
	best, first := s.Ranked()[0], s.BestFirst()
	if err := field.Make(ctx, s, []int{best, first}); err != nil {
		return nil, nil, err
	}
	mean, err := field.Fitted(ctx, s.Distribution.Mean)
	if err != nil {
		return nil, nil, err
	}
	for _, of := range []struct {
		name string
		e    *play.Evaluation
	}{
		{"best", field.Evaluation(best)}, {"best of the first", field.Evaluation(first)}, {"mean weights", mean},
	} {
		if o.weigh.final == 0 {
			break
		}
		// The openings are others than those of the search.
		cfg := match.Config[app.Position, app.Move]{
			Players: [2]func() (player, error){field.Player(of.e), field.Player(plain)},
			Pairs:   (o.weigh.final + 1) / 2, Threads: o.threads, RandomPlies: o.random, Seed: o.fit.Seed + 1,
			File:     fmt.Sprintf("%s.final-%d-%s", o.out, s.Step, strings.ReplaceAll(of.name, " ", "-")),
			Settings: fmt.Sprintf("train: final match of the %s, search %016x", of.name, s.Signature),
		}
		begin := time.Now()
		cfg.Progress = func(r *match.Result) {
			shown.show(func() string { return matchStatus(r, 2*cfg.Pairs, begin) }, matchRecord(r))
		}
		r, err := match.Play(ctx, g.Board, cfg)
		if errors.Is(err, match.ErrFile) {
			err = usageError{err}
		}
		if err != nil {
			return nil, nil, err
		}
		w.Final = append(w.Final, finalMatch{of.name, matchRecord(r)})
	}
	return w, field.Evaluation(best), nil
}

// weighProgress is how far a search for weights is.
type weighProgress struct {
	Seconds float64 `json:"seconds"`
	Step    int     `json:"step"`
	Steps   int     `json:"steps"`
	Games   int     `json:"games"`
	Most    int     `json:"games_at_most"`
	Rate    float64 `json:"games_per_second"`
	Left    float64 `json:"seconds_left_at_most"`
	Memory  uint64  `json:"memory"`
}

// newWeighProgress returns the progress of a search that began with a number of pairs some time ago.
func newWeighProgress(s *weigh.State, first int, took time.Duration) weighProgress {
	p := weighProgress{Seconds: took.Seconds(), Step: s.Step, Steps: s.Settings.Steps, Games: 2 * s.Pairs, Most: s.Most(), Memory: memory.Resident()}
	if games := 2 * (s.Pairs - first); games > 0 {
		p.Rate = float64(games) / p.Seconds
		p.Left = float64(p.Most-p.Games) / p.Rate
	}
	return p
}

func (p weighProgress) text() string {
	left := ""
	if p.Rate > 0 {
		left = fmt.Sprintf(", %.1f a second, ~%s left", p.Rate, seconds(time.Duration(p.Left*float64(time.Second))))
	}
	return fmt.Sprintf("%s  step %d of %d, %s of at most %s games%s, %s", seconds(time.Duration(p.Seconds*float64(time.Second))), p.Step, p.Steps,
		grouped(uint64(p.Games)), grouped(uint64(p.Most)), left, size(p.Memory))
}

func (w *weighed) text() string {
	if w == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + w.weighing.text())
	if len(w.Final) > 0 {
		fmt.Fprintf(&b, "\nagainst the evaluation that learned without weights\n")
	}
	for _, m := range w.Final {
		fmt.Fprintf(&b, "%-18s %.3f ± %.3f in %s\n", m.Of, m.Score, m.Error, counted(uint64(m.Games), "game"))
	}
	return b.String()
}

// weighing is what a state of a search for weights shows.
type weighing struct {
	Game     string `json:"game"`
	By       string `json:"by"`
	Step     int    `json:"step"`
	Steps    int    `json:"steps"`
	Games    int    `json:"games"`
	Complete bool   `json:"complete"`
	// Mean and Deviation are those of the distribution of weights, by part of the data.
	Mean      []float64 `json:"mean"`
	Deviation []float64 `json:"deviation"`
	// Individuals are all, best first. The weights are those of the best that plays.
	Individuals []weighingIndividual `json:"individuals"`
	Best        int                  `json:"best"`
	Weights     []float64            `json:"weights"`
}

type weighingIndividual struct {
	Number    int     `json:"number"`
	Step      int     `json:"step"`
	Elo       float64 `json:"elo"`
	Deviation float64 `json:"elo_deviation"`
	Games     int     `json:"games"`
	Replaced  bool    `json:"replaced"`
}

func newWeighing(s *weigh.State) weighing {
	best := s.Ranked()[0]
	w := weighing{
		Game: s.Settings.Game, By: s.Settings.Division, Step: s.Step, Steps: s.Settings.Steps, Games: 2 * s.Pairs, Complete: s.Done,
		Mean: s.Distribution.Mean, Deviation: s.Distribution.Deviation, Best: best, Weights: s.Individuals[best].Weights,
	}
	for i, r := range s.Elo() {
		w.Individuals = append(w.Individuals, weighingIndividual{i, s.Individuals[i].Step, r.Elo, r.Deviation, 2 * s.Standings.Pairs(i), !slices.Contains(s.Alive, i)})
	}
	slices.SortStableFunc(w.Individuals, func(a, b weighingIndividual) int { return cmp.Compare(b.Elo, a.Elo) })
	return w
}

func (w *weighing) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, data weighed by %s\n", w.Game, w.By)
	fmt.Fprintf(&b, "steps     %d of %d\ngames     %s\n\n", w.Step, w.Steps, grouped(uint64(w.Games)))
	fmt.Fprintf(&b, "drawn in steps  individuals  play  mean Elo  best\n")
	for _, g := range w.generations() {
		play, sum := 0, 0.0
		for _, i := range g.individuals {
			sum += i.Elo
			if !i.Replaced {
				play++
			}
		}
		fmt.Fprintf(&b, "%-14s  %11d  %4d  %8.0f  %4.0f\n", g.name, len(g.individuals), play, sum/float64(len(g.individuals))+0, g.individuals[0].Elo)
	}
	fmt.Fprintf(&b, "\nbest that play       step    games   Elo\n")
	shown := 0
	for _, i := range w.Individuals {
		const most = 10
		if i.Replaced || shown == most {
			continue
		}
		shown++
		fmt.Fprintf(&b, "individual %-6d %8d %8s   %+.0f ± %.0f\n", i.Number, i.Step, grouped(uint64(i.Games)), i.Elo, deviations95*i.Deviation)
	}
	order := make([]int, len(w.Mean))
	for i := range order {
		order[i] = i
	}
	what := "part of a game"
	if len(order) > learn.ProgressParts {
		const most = 10
		what = "game"
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(w.Mean[j], w.Mean[i]) })
		order = append(order[:most:most], order[len(order)-most:]...)
	}
	fmt.Fprintf(&b, "\n%-14s    mean  deviation    best\n", what)
	for _, i := range order {
		name := fmt.Sprint(i + 1)
		if w.By == learn.ByProgress.String() {
			name = fmt.Sprintf("%.0f to %.0f %%", 100*float64(i)/float64(len(w.Mean)), 100*float64(i+1)/float64(len(w.Mean)))
		}
		fmt.Fprintf(&b, "%-14s  %6.3f     %6.3f  %6.3f\n", name, w.Mean[i], w.Deviation[i], w.Weights[i])
	}
	return b.String()
}

// deviations95 is how many standard errors are on each side of an interval of 95 %.
const deviations95 = 1.96

// generation is the individuals drawn in some steps, best first.
type generation struct {
	name        string
	individuals []weighingIndividual
}

// generations returns the first individuals, and the others in about ten groups.
func (w *weighing) generations() (list []generation) {
	const groups = 10
	size := max((w.Step+groups-1)/groups, 1)
	for low, high := 0, 0; low <= w.Step; low, high = high+1, min(high+size, w.Step) {
		g := generation{name: fmt.Sprint(low)}
		if high > low {
			g.name = fmt.Sprintf("%d to %d", low, high)
		}
		for _, i := range w.Individuals {
			if i.Step >= low && i.Step <= high {
				g.individuals = append(g.individuals, i)
			}
		}
		list = append(list, g)
	}
	return list
}
