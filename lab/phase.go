package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/lab/judge"
)

// phaseOptions are the flags of phase.
type phaseOptions struct {
	labels, plots string
	seed          uint64
}

func (o *phaseOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.labels, "labels", "", "`file` of where people say that the phases meet, to compare with, as CSV")
	flags.StringVar(&o.plots, "plots", "", "`directory` for a plot, as SVG")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed")
}

func newPhase() *cobra.Command {
	var o phaseOptions
	cmd := &cobra.Command{
		Use:   "phase GAME FILE ...",
		Short: "Measure where the phases of games meet",
		Long: `Phase measures where the phases of games meet, by how the influence of the pieces spreads,
and compares with what people say of the same games: a table for each of them, and one for the
games of which all say something. Intervals are by game.

A file of --labels has CSV under the fields file, game, judge, middle and end: a game by its
file, as it is given here, and its number there, which begins at 1; who says so; and the plies
after which the middle game and the endgame begin, empty where he cannot tell.`,
		Example: "  lab phase shogi games/*.kif --plots plots\n" +
			"  lab phase shogi games/*.kif --labels labels.csv",
		Args: ui.LeastArgs(2),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1:]) }
	return cmd
}

func (o *phaseOptions) run(c *cobra.Command, spec string, files []string) (err error) {
	g, _, done, err := openOver(c.Context(), spec, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	list, places, err := playedGames(c, g, files)
	if err != nil {
		return err
	}
	labels, err := readLabels(o.labels, list, places)
	if err != nil {
		return err
	}
	j := judge.Judge[app.Position, app.Move]{Game: g}
	phases, err := j.Phases(c.Context(), list, bookPlies)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	printPhases(out, phases, o.seed)
	printLabels(out, phases, labels, o.seed)
	if o.plots == "" {
		return nil
	}
	f, err := phases.Figure()
	if err != nil {
		return err
	}
	return writeFigures(o.plots, f)
}

// writeFigures writes figures to a directory.
func writeFigures(dir string, figures ...judge.Figure) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range figures {
		if err := ui.WriteFile(filepath.Join(dir, f.Name), f.SVG); err != nil {
			return err
		}
	}
	return nil
}

// readLabels reads a file of labels of games, which are found by their places.
func readLabels(name string, list []judge.Played[app.Position, app.Move], places []place) ([]judge.Label, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, ui.Usage(err)
	}
	defer f.Close()
	numbers := map[place]int{}
	for i, at := range places {
		numbers[at] = i
	}
	labels, err := judge.ReadLabels(f, func(file string, game int) (int, int, error) {
		i, ok := numbers[place{file, game}]
		if !ok {
			return 0, 0, fmt.Errorf("game %d of %q is not among the games", game, file)
		}
		return i, len(list[i].Moves), nil
	})
	if err != nil {
		return nil, usage("%s: %w", name, err)
	}
	return labels, nil
}

// bookPlies is where the opening may end at the earliest, as in analyze.
const bookPlies = 20

func printPhases(out io.Writer, p *judge.Phases, seed uint64) {
	row := func(name, form string, numbers []float64) {
		fmt.Fprintf(out, "%-36s %6d", name, len(numbers))
		for _, q := range []float64{0.25, 0.5, 0.75} {
			v := judge.Quantile(numbers, q, seed)
			fmt.Fprintf(out, " %18s", fmt.Sprintf(form+" ["+form+", "+form+"]", v.Value, v.Low, v.High))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "\n%-36s %6s %18s %18s %18s\n", "phases", "games", "quartile", "median", "quartile")
	row(fmt.Sprintf("E ≥ %.3f from ply %d on", p.Threshold, bookPlies), "%.0f", p.Middle())
	row("largest drop later", "%.0f", p.End())
	row("share of the plies after the opening", "%.2f", p.Between())
	for _, third := range p.ByLength(3) {
		if n := len(third.Games); n >= 10 {
			name := fmt.Sprintf("%d to %d plies: ", third.Games[0].Plies, third.Games[n-1].Plies)
			row(name+"E", "%.0f", third.Middle())
			row(name+"drop", "%.0f", third.End())
		}
	}
}

// printLabels compares with labels: all of each judge, and then those of the games that all judges have labelled.
func printLabels(out io.Writer, p *judge.Phases, labels []judge.Label, seed uint64) {
	judges := judge.Judges(labels)
	for _, who := range judges {
		printAgreement(out, p, labels, who, seed)
	}
	if common := judge.OfAll(labels); len(judges) > 1 && len(common) > 0 {
		fmt.Fprintf(out, "\nGames that all have labelled:\n")
		for _, who := range judges {
			printAgreement(out, p, common, who, seed)
		}
	}
}

func printAgreement(out io.Writer, p *judge.Phases, labels []judge.Label, who string, seed uint64) {
	middle, end := p.Agreements(labels, who, seed)
	fmt.Fprintf(out, "\n%-24s %22s %22s\n", fmt.Sprintf("%s, %s", who, ui.Counted(uint64(middle.Games), "game")), "opening ends", "endgame begins")
	for i, name := range []string{"at most 2 plies apart", "3 to 5", "6 to 10", "more"} {
		fmt.Fprintf(out, "%-24s %22d %22d\n", name, middle.Within[i], end.Within[i])
	}
	fmt.Fprintf(out, "%-24s %22d %22d\n", "one has no boundary", middle.Unclear, end.Unclear)
	fmt.Fprintf(out, "%-24s %22v %22v\n", "share of at most 5", middle.AtMost5, end.AtMost5)
}
