package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/play/learn/weigh"
)

// showState shows how a search for weights of the data stands.
func (o *trainOptions) showState(c *cobra.Command, game string) error {
	w, err := readWeighing(o.show, game)
	if err != nil {
		return err
	}
	if o.plot != "" {
		if w.By != learn.ByProgress.String() {
			return usageError{errors.New("--plot draws weights by progress; these are of games")}
		}
		svg, err := w.plot()
		if err != nil {
			return err
		}
		if err := writeFile(o.plot, svg); err != nil {
			return err
		}
	}
	return o.result(c, w, w.text())
}

// readWeighing reads the state of a search for weights of a game.
func readWeighing(name, game string) (*weighing, error) {
	s, err := weigh.Read(name)
	if err != nil {
		return nil, usageError{err}
	}
	if s.Settings.Game != game {
		return nil, usageError{fmt.Errorf("%s is of %s, not of %s", name, s.Settings.Game, game)}
	}
	w := newWeighing(s)
	return &w, nil
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
