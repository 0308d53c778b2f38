package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/lab/weigh"
	"github.com/yomikiri/yomikiri/play/learn"
)

func newWeighed() *cobra.Command {
	var o ui.Printing
	var file string
	cmd := &cobra.Command{
		Use:     "weighed FILE",
		Short:   "Show how a search for weights of data stands",
		Long:    "Weighed shows the state of weigh, OUT.weigh, whether it is done or not.",
		Example: "  lab weighed w.w.weigh --plot weights.svg",
		Args:    ui.ExactArgs(1),
	}
	cmd.Flags().StringVar(&file, "plot", "", "plot weights by progress to a `file`, as SVG")
	recordFlag(cmd.Flags(), &o)
	o.QuietFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		w, err := readWeighing(args[0])
		if err != nil {
			return err
		}
		if file != "" {
			if w.By != learn.ByProgress.String() {
				return usage("--plot draws weights by progress; these are of games")
			}
			svg, err := w.plot()
			if err != nil {
				return err
			}
			if err := ui.WriteFile(file, svg); err != nil {
				return err
			}
		}
		return o.Result(cmd, w, w.text())
	}
	return cmd
}

// readWeighing reads the state of a search for weights.
func readWeighing(name string) (*weighing, error) {
	s, err := weigh.Read(name)
	if err != nil {
		return nil, app.InputError{Err: err}
	}
	w := newWeighing(s)
	return &w, nil
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
	fmt.Fprintf(&b, "steps     %d of %d\ngames     %d\n\n", w.Step, w.Steps, w.Games)
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
		fmt.Fprintf(&b, "individual %-6d %8d %8d   %+.0f ± %.0f\n", i.Number, i.Step, i.Games, i.Elo, deviations95*i.Deviation)
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

// files returns the names of the files with the evaluations of all individuals, by number.
func (w *weighing) files(state string) (list []string) {
	dir := strings.TrimSuffix(state, stateSuffix) + individualsSuffix
	for i := range w.Individuals {
		list = append(list, weigh.File(dir, i))
	}
	return list
}

// plot draws the weights by progress, in percent.
func (w *weighing) plot() ([]byte, error) {
	const blue, brown, grey = "#0b5fa5", "#b3541e", "#555555"
	at := func(i int) float64 { return 100 * (float64(i) + 0.5) / float64(len(w.Mean)) }
	line := func(name, color string, dashed bool, y func(i int) float64) plot.Series {
		s := plot.Series{Name: name, Color: color, Dashed: dashed}
		for i := range w.Mean {
			s.Points = append(s.Points, plot.Point{X: at(i), Y: 100 * y(i)})
		}
		return s
	}
	p := plot.Plot{
		Title: fmt.Sprintf("%s: weights of positions by progress, step %d", w.Game, w.Step), X: "plies of the game, %", Y: "weight, %",
		XRange: [2]float64{0, 100}, YRange: [2]float64{0, 200},
		Series: []plot.Series{
			line("mean", blue, false, func(i int) float64 { return w.Mean[i] }),
			line("± deviation", blue, true, func(i int) float64 { return w.Mean[i] + w.Deviation[i] }),
			line("", blue, true, func(i int) float64 { return w.Mean[i] - w.Deviation[i] }),
			line("best individual", brown, false, func(i int) float64 { return w.Weights[i] }),
			line("no weights", grey, true, func(int) float64 { return 1 }),
		},
	}
	return p.SVG()
}
