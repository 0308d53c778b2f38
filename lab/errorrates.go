package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/lab/judge"
	"github.com/yomikiri/yomikiri/play"
)

// errorsOptions are the flags of errors.
type errorsOptions struct {
	dir       string
	weights   []string
	weighed   string
	limits    []string
	positions int
	limitedGames
	ui.Printing
}

func (o *errorsOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of the database with the true values")
	flags.StringSliceVar(&o.weights, "weights", []string{app.MadeWeights}, "`files` of weights to compare with the first, or made for those made by hand")
	flags.StringVar(&o.weighed, "weighed", "", "state of a search for weights of data (`OUT.weigh` of weigh): compare all its individuals too, by the step in which they were drawn")
	flags.StringSliceVar(&o.limits, "limits", []string{"0", "100", "1000"}, "numbers of `nodes` to search with; 0 is one ply and the quiescence search")
	ui.NumberFlag(flags, &o.games, "games", 300, 0, 10_000_000, "games to take decisions from; the first weights play them")
	ui.NumberFlag(flags, &o.positions, "positions", 3000, 0, 10_000_000, "positions of the database to take decisions from")
	o.limitedGames.addFlags(flags, 4)
	o.QuietFlag(flags)
}

func newErrors() *cobra.Command {
	var o errorsOptions
	cmd := &cobra.Command{
		Use:   "errors GAME --db DIR",
		Short: "Measure how often evaluations give the true result away",
		Long: `Errors repeats tables of docs/learning.md and docs/weighing.md.

It takes decisions from games and from positions of a database: positions in which some moves
keep the true result and others give it away, without those that are won at once. A search with
each of the weights chooses a move in all of them. The rates are followed by their intervals of
95 % by game, and by the difference to the first weights in the same positions.`,
		Example: "  lab errors dobutsu --db dobutsu.db --weights made,1.w,2.w",
		Args:    ui.ExactArgs(1),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.dir == "" {
			return usage("want --db DIR for the true values")
		}
		if len(o.weights) == 0 || o.games == 0 && o.positions == 0 {
			return usage("want --weights, and --games or --positions")
		}
		if err := ui.RefuseIdle(cmd.Flags(),
			ui.Idle{When: o.games == 0, Why: "with --games 0: no games are played", Flags: []string{"nodes", "random-plies", "plies"}},
		); err != nil {
			return err
		}
		return o.run(cmd, args[0])
	}
	return cmd
}

func (o *errorsOptions) run(c *cobra.Command, spec string) (err error) {
	g, d, done, err := openOver(c.Context(), spec, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	var limits []play.Limits
	for _, text := range o.limits {
		n, err := strconv.ParseUint(text, 10, 40)
		if err != nil {
			return usage("--limits: %q: want a whole number", text)
		}
		l := play.Limits{Nodes: n}
		if n == 0 {
			l.Depth = 1
		}
		limits = append(limits, l)
	}
	names, memory := o.weights, uint64(1<<20)
	var weighed *weighing
	if o.weighed != "" {
		if weighed, err = readWeighing(o.weighed); err != nil {
			return err
		}
		if weighed.Game != g.Name() {
			return usage("%s is of %s, not of %s", o.weighed, weighed.Game, g.Name())
		}
		names, memory = append(slices.Clone(names), weighed.files(o.weighed)...), 1<<16
	}
	var searches []engine
	for _, name := range names {
		w, err := app.ReadWeights(name)
		if err != nil {
			return err
		}
		s, err := search(g, w, memory, play.AllPruning)
		if err != nil {
			return err
		}
		searches = append(searches, s)
	}
	show, shown := status(c, o.Printing)
	defer shown()
	unit := "games"
	rates := judge.ErrorRates[app.Position, app.Move]{
		Game: g, Value: trueValue(g, d),
		Progress: func(_ string, done, all uint64) { show("%d of %d %s", done, all, unit) },
	}
	played, err := rates.Played(c.Context(), searches[0], o.games, uint64(o.nodes), o.random, o.plies, o.seed)
	if err != nil {
		return err
	}
	drawn, err := o.drawDecisions(c, &rates, d)
	if err != nil {
		return err
	}
	unit = "positions"
	out := c.OutOrStdout()
	for _, from := range []struct {
		name string
		list []judge.Decision[app.Position]
	}{{"games", played}, {"database", drawn}} {
		if len(from.list) == 0 {
			continue
		}
		fmt.Fprintf(out, "decisions of %s: %d\n%8s  %-24s %-24s %s\n", from.name, len(from.list), "nodes", "weights", "given away", "difference")
		for i, l := range limits {
			given, err := rates.Run(c.Context(), from.list, l, searches)
			if err != nil {
				return err
			}
			print := func(name string, given, base [][]bool) {
				line := fmt.Sprintf("%8s  %-24s %-24v", o.limits[i], name, judge.ErrorRate(from.list, given, nil, o.seed))
				if len(base) > 0 {
					v := judge.ErrorRate(from.list, given, base, o.seed)
					line += fmt.Sprintf(" %+.3f [%+.3f, %+.3f]", v.Value, v.Low, v.High)
				}
				fmt.Fprintln(out, strings.TrimRight(line, " "))
			}
			for k, name := range o.weights {
				print(name, given[k:k+1], given[:min(k, 1)])
			}
			if weighed != nil {
				weighed.showErrors(out, given[len(o.weights):], o.seed, print)
			}
		}
	}
	return nil
}

// showErrors shows what the individuals of a search give away, by the step in which they were drawn, with the
// difference to the first ones. given has the individuals by number.
func (w *weighing) showErrors(out io.Writer, given [][]bool, seed uint64, show func(name string, given, base [][]bool)) {
	var first [][]bool
	for _, group := range w.generations() {
		var list [][]bool
		elo := 0.0
		for _, i := range group.individuals {
			list = append(list, given[i.Number])
			elo += i.Elo / float64(len(group.individuals))
		}
		show(fmt.Sprintf("steps %-10s %+4.0f Elo", group.name, elo), list, first)
		if first == nil {
			first = list
		}
	}
	var elo, kept []float64
	for _, i := range w.Individuals {
		n := 0
		for _, lost := range given[i.Number] {
			if !lost {
				n++
			}
		}
		elo, kept = append(elo, i.Elo), append(kept, float64(n))
	}
	v := judge.RankCorrelation(elo, kept, seed)
	fmt.Fprintf(out, "%8s  rank correlation of Elo and decisions kept: %+.3f [%+.3f, %+.3f]\n", "", v.Value, v.Low, v.High)
}

// trueValue returns a function that looks up values in a database, which has to hold them.
func trueValue(g *app.Game, d app.Database) func(p app.Position) (games.Value, error) {
	return func(p app.Position) (games.Value, error) {
		v, known, err := d.Value(p)
		if err == nil && !known {
			err = fmt.Errorf("the database does not hold %q", g.PositionText(p))
		}
		return v, err
	}
}

// drawDecisions draws positions of a database, and returns those that are decisions.
func (o *errorsOptions) drawDecisions(c *cobra.Command, rates *judge.ErrorRates[app.Position, app.Move], d app.Database) (list []judge.Decision[app.Position], err error) {
	rng := rand.New(rand.NewPCG(o.seed, 1))
	for i := range o.positions {
		p, _, err := d.Draw(c.Context(), rng)
		if errors.Is(err, db.ErrNoneDrawn) {
			return nil, app.InputError{Err: err}
		}
		if err != nil {
			return nil, err
		}
		ok, err := rates.IsDecision(p)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, judge.Decision[app.Position]{Group: i, Position: p})
		}
	}
	return list, nil
}
