package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/lab/judge"
	"github.com/yomikiri/yomikiri/play"
)

// judgeOptions are the flags of judge.
type judgeOptions struct {
	dir, weights    string
	leaves, threads int
	memory          uint64
	limitedGames
	ui.Printing
	jitter     string
	drift      bool
	plots      string
	checkpoint string
}

// limitedGames are the flags of games that players with few nodes play against themselves.
type limitedGames struct {
	games, nodes, random, plies int
	seed                        uint64
}

func (o *limitedGames) addFlags(flags *pflag.FlagSet, random int) {
	ui.NumberFlag(flags, &o.nodes, "nodes", 200, 1, 1_000_000_000, "positions that the players of the games look at for a move")
	ui.NumberFlag(flags, &o.random, "random-plies", random, 0, 1000, "random moves before each game")
	ui.NumberFlag(flags, &o.plies, "plies", 200, 1, 100_000, "most plies of a game")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed")
}

func (o *judgeOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of a database: play games and compare with true values")
	ui.NumberFlag(flags, &o.leaves, "leaves", 20_000, 1, 1_000_000_000, "how many leaves the search of a position counts at least")
	ui.ThreadsFlag(flags, &o.threads, "0", "games to measure at the same time")
	ui.MemoryFlag(flags, &o.memory, "memory", "64MiB", "memory for the searches, shared by the threads")
	flags.StringVar(&o.weights, "weights", "", "`file` of weights instead of those of the game")
	ui.NumberFlag(flags, &o.games, "games", 1000, 1, 10_000_000, "games to play, with --db")
	o.limitedGames.addFlags(flags, 6)
	flags.StringVar(&o.jitter, "jitter", "", "`LIST` of jitters, such as 0,33,99: how often each gives the true result away")
	flags.BoolVar(&o.drift, "drift", false, "with --jitter: a move that is chosen becomes the best so far even if it is worse")
	flags.StringVar(&o.plots, "plots", "", "`directory` for plots, as SVG")
	ui.FileFlag(flags, &o.checkpoint, "checkpoint", true, "file that keeps what is measured of games of files: the same command goes on from there")
	o.QuietFlag(flags)
}

func newJudge() *cobra.Command {
	var o judgeOptions
	cmd := &cobra.Command{
		Use:   "judge GAME [FILE ...]",
		Short: "Measure the measures of difficulty and resignation",
		Long: `Judge repeats the tables of docs/judging-tables.md and docs/resignation.md.

With records of games it fits models of resignation, with each game judged by a model of the
others. With --checkpoint it goes on where it was stopped.

With --db it plays games between limited players and compares with the true values: how often
moves give the result away, and whether the measures of a lost position tell that the opponent
is about to do so. Where the database does not hold the start position, games begin in positions
drawn from it. Intervals are by game; a position that occurs in several games counts once.`,
		Example: "  lab judge shogi games/*.kif --plots plots\n" +
			"  lab judge dobutsu --db dobutsu.db --games 3000\n" +
			"  lab judge dobutsu --db dobutsu.db --jitter 0,33,99,300",
		Args: ui.LeastArgs(1),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if (o.dir == "") == (len(args) == 1) {
			return usage("want either files of games or --db")
		}
		if o.drift && o.jitter == "" {
			return usage("--drift wants --jitter")
		}
		if err := ui.RefuseIdle(cmd.Flags(),
			ui.Idle{When: o.dir == "", Why: "on files of games: it is for games that are played, with --db DIR", Flags: []string{"games", "nodes", "random-plies", "plies", "jitter"}},
			ui.Idle{When: o.dir != "", Why: "with --db: want files of games", Flags: []string{"plots", "checkpoint"}},
			ui.Idle{When: o.jitter != "", Why: "with --jitter, which measures no positions", Flags: []string{"leaves"}},
		); err != nil {
			return err
		}
		return o.run(cmd, args[0], args[1:])
	}
	return cmd
}

func (o *judgeOptions) run(c *cobra.Command, spec string, files []string) (err error) {
	g, d, done, err := openOver(c.Context(), spec, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	w, err := app.ReadWeights(o.weights)
	if err != nil {
		return err
	}
	pruning := play.AllPruning
	pruning.Extensions = false // as [measure.Measure]: players see what it sees
	newSearch := func() (engine, error) { return search(g, w, o.memory/uint64(o.threads), pruning) }
	if _, err := newSearch(); err != nil {
		return err
	}
	show, shown := status(c, o.Printing)
	defer shown()
	j := judge.Judge[app.Position, app.Move]{Game: g, Search: newSearch, Leaves: uint64(o.leaves), Threads: o.threads}
	j.Checkpoint, j.Of = o.checkpoint, fmt.Sprintf("%s, %d bytes, weights %s", ui.Version(), o.memory/uint64(o.threads), w.Digest())
	j.Progress = func(unit string, done, all uint64) { show("%d of %d %s", done, all, unit) }
	if d != nil {
		return o.errors(c, g, j, d)
	}
	return o.records(c, g, j, files)
}

// records measures games that users name.
func (o *judgeOptions) records(c *cobra.Command, g *app.Game, j judge.Judge[app.Position, app.Move], files []string) error {
	list, _, err := playedGames(c, g, files)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	r, err := j.Resigning(c.Context(), list)
	if errors.Is(err, judge.ErrOther) {
		return ui.Usage(err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nresigned   %d games of more than %d plies; %d left out, since the search saw the end\n", r.Games, judge.Before[0], r.Decided)
	var figures []judge.Figure
	if samples := r.Samples(); len(r.At[0]) < folds {
		fmt.Fprintf(out, "           models want at least %d\n", folds)
	} else {
		if err := printResigning(out, r, o.seed); err != nil {
			return err
		}
		m, err := judge.FitResignation(samples, judge.ByUp)
		if err != nil {
			return err
		}
		if figures, err = r.Figures(m, o.seed); err != nil {
			return err
		}
	}
	if o.plots == "" {
		return nil
	}
	return writeFigures(o.plots, figures...)
}

// place is where a game stands: its file, and its number there, from 1.
type place struct {
	file   string
	number int
}

// playedGames reads games, names the files and games that it cannot read, and prints how many there are. It fails if there
// are none.
func playedGames(c *cobra.Command, g *app.Game, files []string) (list []judge.Played[app.Position, app.Move], places []place, err error) {
	bad := 0
	for _, name := range files {
		if err := context.Cause(c.Context()); err != nil {
			return nil, nil, err
		}
		found, err := records.ReadFile(g, name)
		if err != nil {
			fmt.Fprintln(c.ErrOrStderr(), err)
			bad++
		}
		for i, r := range found {
			if r.Err != nil {
				fmt.Fprintf(c.ErrOrStderr(), "%s: %v\n", name, r.Err)
				bad++
				continue
			}
			list = append(list, judge.Played[app.Position, app.Move]{From: r.From, Moves: r.Moves, Resigned: r.Resigned})
			places = append(places, place{name, i + 1})
		}
	}
	if len(list) == 0 {
		return nil, nil, usage("none of the %d files has a game that could be read", len(files))
	}
	fmt.Fprintf(c.OutOrStdout(), "games      %d read, %d not\n", len(list), bad)
	return list, places, nil
}

// models are those of resignations that are compared, the first with all others.
var models = [][]judge.Predictor{{judge.ByScore}, {judge.ByUp}, {judge.ByDown}, {judge.ByScore, judge.Up}, {judge.ByScore, judge.Down}}

func printResigning(out io.Writer, r *judge.Resigning, seed uint64) error {
	fmt.Fprintf(out, "\n%-14s %22s %22s %22s\n", "plies before", "win rate", "b*", "b* of the other window")
	for i, before := range judge.Before {
		fmt.Fprintf(out, "%-14d %22v %22v %22v\n", before,
			judge.Mean(r.At[i], seed, func(s *judge.Sample) float64 { return play.WinRate(s.Score) }),
			judge.Mean(r.At[i], seed, func(s *judge.Sample) float64 { return s.Up }),
			judge.Mean(r.At[i], seed, func(s *judge.Sample) float64 { return s.Down }))
	}
	samples := r.Samples()
	var judged [][]float64
	fmt.Fprintf(out, "\n%-34s %20s %20s %20s %20s\n", "model", "precision", "recall", fmt.Sprintf("mean at -%d", judge.Before[0]), "mean at 0")
	for _, set := range models {
		p, err := judge.CrossValidate(samples, folds, set...)
		if err != nil {
			return err
		}
		judged = append(judged, p)
		fmt.Fprintf(out, "%-34s", predictorNames(set))
		for _, of := range qualities[:4] {
			fmt.Fprintf(out, " %20v", comparison(samples, seed, of, p, nil))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "\n%-34s %10s %24s %26s\n", "model", "likelihood", "more than the first", "recall, more than the first")
	for i, set := range models {
		q := judge.QualityOf(samples, judged[i])
		fmt.Fprintf(out, "%-34s %10.4f", predictorNames(set), q.Likelihood)
		if i > 0 {
			for _, of := range []quality{qualities[4], qualities[1]} {
				v := comparison(samples, seed, of, judged[i], judged[0])
				fmt.Fprintf(out, " %26s", fmt.Sprintf("%+.4f [%+.4f, %+.4f]", v.Value, v.Low, v.High))
			}
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "(%d folds by game; the likelihood is the mean logarithm a position)\n\n", folds)
	for _, set := range models {
		m, err := judge.FitResignation(samples, set...)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-34s", predictorNames(set))
		if len(set) == 1 {
			mean, deviation := m.Normal()
			fmt.Fprintf(out, " mean %.1f, deviation %.1f\n", mean, deviation)
			continue
		}
		fmt.Fprintf(out, " constant %.4f, weights %.6f and %.4f\n", m.Constant, m.Weights[0], m.Weights[1])
	}
	return nil
}

// quality is a number of a [judge.Quality].
type quality func(judge.Quality) float64

var qualities = []quality{
	func(q judge.Quality) float64 { return q.Precision },
	func(q judge.Quality) float64 { return q.Recall },
	func(q judge.Quality) float64 { return q.Before },
	func(q judge.Quality) float64 { return q.Resigned },
	func(q judge.Quality) float64 { return q.Likelihood },
}

// comparison returns a quality of probabilities, by how much it exceeds that of others if these are not
// nil, with its interval.
func comparison(samples []judge.Sample, seed uint64, of quality, p, others []float64) interval.Interval {
	return interval.Of(len(samples), func(i int) int { return samples[i].Game }, judge.Draws, seed, func(drawn []int) float64 {
		some := make([]judge.Sample, len(drawn))
		pick := func(from []float64) float64 {
			list := make([]float64, len(drawn))
			for k, i := range drawn {
				some[k], list[k] = samples[i], from[i]
			}
			return of(judge.QualityOf(some, list))
		}
		if others == nil {
			return pick(p)
		}
		return pick(p) - pick(others)
	})
}

// folds is into how many parts games are dealt.
const folds = 10

func predictorNames(set []judge.Predictor) string {
	var names []string
	for _, p := range set {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// errors plays games and compares with true values.
func (o *judgeOptions) errors(c *cobra.Command, g *app.Game, j judge.Judge[app.Position, app.Move], d app.Database) error {
	jitters := []int{0}
	measured := o.jitter == ""
	if !measured {
		jitters = nil
		for text := range strings.SplitSeq(o.jitter, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return usage("--jitter %q: want whole numbers with commas between", o.jitter)
			}
			jitters = append(jitters, n)
		}
		j.Leaves = 0 // nothing is measured
	}
	draw, err := drawStart(c.Context(), g, d)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	var first *judge.Found
	for _, jitter := range jitters {
		e := judge.Errors[app.Position, app.Move]{
			Judge: j, Games: o.games, Nodes: uint64(o.nodes), Choice: play.Choice{Jitter: play.Score(jitter), Drift: o.drift},
			RandomPlies: o.random, Plies: o.plies, Seed: o.seed,
			Value: trueValue(g, d), Start: draw,
		}
		f, err := e.Run(c.Context())
		if errors.Is(err, judge.ErrNoStart) {
			return usage("--random-plies %d: %w", o.random, err)
		}
		if err != nil {
			return err
		}
		printGiven(out, jitter, f, first, o.seed)
		if first == nil {
			first = f
		}
		if !measured {
			continue
		}
		erred := 0
		for _, l := range f.Lost {
			if l.Resigned {
				erred++
			}
		}
		fmt.Fprintf(out, "\n%d lost positions; the opponent erred at once after %d\n", len(f.Lost), erred)
		sets := [][]judge.Predictor{{judge.ByScore}, {judge.Up}, {judge.Down}, {judge.ByScore, judge.Up}, {judge.ByScore, judge.Down}}
		areas, err := f.Areas(folds, o.seed, sets...)
		if errors.Is(err, judge.ErrOneKind) {
			fmt.Fprintln(out, "too few for a model of when the opponent errs")
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-34s %s\n", "predictor of the error", "area under the curve, interval of 95 %")
		for i, set := range sets {
			fmt.Fprintf(out, "%-34s %v\n", predictorNames(set), areas[i])
		}
	}
	return nil
}

// drawStart returns a function that draws positions of a database, nil if it holds the start position.
func drawStart(ctx context.Context, g *app.Game, d app.Database) (func(rng *rand.Rand) (app.Position, error), error) {
	if _, known, err := d.Value(g.Start()); known || err != nil {
		return nil, err
	}
	return func(rng *rand.Rand) (app.Position, error) {
		p, _, err := d.Draw(ctx, rng)
		if errors.Is(err, db.ErrNoneDrawn) {
			err = app.InputError{Err: err}
		}
		return p, err
	}, nil
}

// printGiven prints how often games with jitter give results away, and how much more than the first.
func printGiven(out io.Writer, jitter int, f, first *judge.Found, seed uint64) {
	moves := 0
	for _, g := range f.Games {
		moves += g.Moves
	}
	fmt.Fprintf(out, "jitter %-4d %d games, %d of them different, %d moves\n", jitter, len(f.Games), f.Distinct, moves)
	for _, of := range []struct {
		name  string
		value func(judge.Given) float64
	}{
		{"moves that give the result away", func(g judge.Given) float64 { return float64(g.Given) }},
		{"points lost a move", func(g judge.Given) float64 { return g.Points }},
	} {
		fmt.Fprintf(out, "%34s  %v", of.name, f.Mean(of.value, nil, seed))
		if first != nil {
			v := f.Mean(of.value, first, seed)
			fmt.Fprintf(out, ", %+.4f [%+.4f, %+.4f] more than the first", v.Value, v.Low, v.High)
		}
		fmt.Fprintln(out)
	}
}
