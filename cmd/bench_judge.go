package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/measure"
)

// judgeOptions are the flags of bench judge.
type judgeOptions struct {
	analyzeOptions
	limitedGames
	jitter string
	drift  bool
	plots  string
}

// limitedGames are the flags of games that players with few nodes play against themselves.
type limitedGames struct {
	games, nodes, random, plies int
	seed                        uint64
}

func (o *limitedGames) addFlags(flags *pflag.FlagSet, random int) {
	numberFlag(flags, &o.nodes, "nodes", 200, 1, 1_000_000_000, "positions that the players of the games look at for a move")
	numberFlag(flags, &o.random, "random-plies", random, 0, 1000, "random moves before each game")
	numberFlag(flags, &o.plies, "plies", 200, 1, 100_000, "most plies of a game")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed")
}

func (o *judgeOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of a database: play games and compare with true values")
	numberFlag(flags, &o.leaves, "leaves", 20_000, 1, 1_000_000_000, "how many leaves the search of a position counts at least")
	threadsFlag(flags, &o.threads, "0", "games to measure at the same time")
	memoryFlag(flags, &o.memory, "memory", "64MiB", "memory for the searches, shared by the threads")
	flags.StringVar(&o.weights, "weights", "", "`file` of weights instead of those of the game")
	numberFlag(flags, &o.games, "games", 1000, 1, 10_000_000, "games to play, with --db")
	o.limitedGames.addFlags(flags, 6)
	flags.StringVar(&o.jitter, "jitter", "", "`LIST` of jitters, such as 0,33,99: how often each gives the true result away")
	flags.BoolVar(&o.drift, "drift", false, "with --jitter: a move that is chosen becomes the best so far even if it is worse")
	flags.StringVar(&o.plots, "plots", "", "`directory` for plots, as SVG")
	o.quietFlag(flags)
}

func newBenchJudge(l plugins) *cobra.Command {
	var o judgeOptions
	cmd := &cobra.Command{
		Use:   "judge GAME [FILE ...]",
		Short: "Measure the measures of difficulty, resignation and phase",
		Long: `Bench judge repeats the tables of docs/judging-tables.md and docs/resignation.md.

With records of games it fits models of resignation, with each game judged by a model of the
others, and finds where the phases of games meet.

With --db it plays games between limited players and compares with the true values: how often
moves give the result away, and whether the measures of a lost position tell that the opponent
is about to do so. Where the database does not hold the start position, games begin in positions
drawn from it. Intervals are by game; a position that occurs in several games counts once.`,
		Example: "  yomikiri bench judge shogi games/*.kif --plots plots\n" +
			"  yomikiri bench judge dobutsu --db dobutsu.db --games 3000\n" +
			"  yomikiri bench judge dobutsu --db dobutsu.db --jitter 0,33,99,300",
		Args: arguments(cobra.MinimumNArgs(1)),
	}
	o.addFlags(cmd.Flags())
	addRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if (o.dir == "") == (len(args) == 1) {
			return usageError{errors.New("want either files of games or --db")}
		}
		if o.drift && o.jitter == "" {
			return usageError{errors.New("--drift wants --jitter")}
		}
		g, err := l.openJudged(cmd, args[0], &o.dir)
		if err != nil {
			return err
		}
		return o.run(cmd, g, args[1:])
	}
	return cmd
}

func (o *judgeOptions) run(c *cobra.Command, part *app.Game, files []string) (err error) {
	g, d, done, err := judgedGame(c, part, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	cfg, err := o.reviewConfig(g, d)
	if err != nil {
		return err
	}
	shown, begin := o.progress(c), time.Now()
	j := bench.Judge[app.Position, app.Move]{Game: g, Search: cfg.Search, Leaves: cfg.Leaves, Threads: o.threads}
	j.Progress = func(done, all int) { shown.showDone(begin, "games", uint64(done), uint64(all)) }
	defer shown.done()
	if d != nil {
		return ended(c.Context(), o.errors(c, g, j, d))
	}
	return ended(c.Context(), o.records(c, g, j, files))
}

// records measures games that users name.
func (o *judgeOptions) records(c *cobra.Command, g *app.Game, j bench.Judge[app.Position, app.Move], files []string) error {
	list, bad, err := playedGames(c, g, files)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return usageError{fmt.Errorf("none of %s has a game that could be read", counted(uint64(len(files)), "file"))}
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "games      %d read, %d not\n", len(list), bad)
	phases, err := j.Phases(c.Context(), list, bookPlies)
	if err != nil {
		return err
	}
	printPhases(out, phases, o.seed)
	r, err := j.Resigning(c.Context(), list)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nresigned   %s of more than %d plies; %d left out, since the search saw the end\n", counted(uint64(r.Games), "game"), bench.Before[0], r.Decided)
	var figures []bench.Figure
	if samples := r.Samples(); len(r.At[0]) < folds {
		fmt.Fprintf(out, "           models want at least %d\n", folds)
	} else {
		if err := printResigning(out, r, o.seed); err != nil {
			return err
		}
		m, err := measure.FitResignation(samples, measure.ByUp)
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
	f, err := phases.Figure()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.plots, 0o755); err != nil {
		return err
	}
	for _, f := range append(figures, f) {
		if err := writeFile(filepath.Join(o.plots, f.Name), f.SVG); err != nil {
			return err
		}
	}
	return nil
}

// playedGames reads games, and names the files and games that it cannot read.
func playedGames(c *cobra.Command, g *app.Game, files []string) (list []bench.Played[app.Position, app.Move], bad int, err error) {
	for _, name := range files {
		if err := context.Cause(c.Context()); err != nil {
			return nil, 0, err
		}
		records, err := readRecordFile(g, name)
		if err != nil {
			fmt.Fprintln(c.ErrOrStderr(), err)
			bad++
		}
		for _, r := range records {
			if r.err != nil {
				fmt.Fprintf(c.ErrOrStderr(), "%s: %v\n", name, r.err)
				bad++
				continue
			}
			list = append(list, bench.Played[app.Position, app.Move]{From: r.From, Moves: r.Moves, Resigned: r.Resigned})
		}
	}
	return list, bad, nil
}

func printPhases(out io.Writer, p *bench.Phases, seed uint64) {
	row := func(name, form string, numbers []float64) {
		fmt.Fprintf(out, "%-36s %6d", name, len(numbers))
		for _, q := range []float64{0.25, 0.5, 0.75} {
			v := bench.Quantile(numbers, q, seed)
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

// models are those of resignations that are compared, the first with all others.
var models = [][]measure.Predictor{{measure.ByScore}, {measure.ByUp}, {measure.ByDown}, {measure.ByScore, measure.Up}, {measure.ByScore, measure.Down}}

func printResigning(out io.Writer, r *bench.Resigning, seed uint64) error {
	fmt.Fprintf(out, "\n%-14s %22s %22s %22s\n", "plies before", "win rate", "b*", "b* of the other window")
	for i, before := range bench.Before {
		fmt.Fprintf(out, "%-14d %22v %22v %22v\n", before,
			bench.Mean(r.At[i], seed, func(s *measure.Sample) float64 { return play.WinRate(s.Score) }),
			bench.Mean(r.At[i], seed, func(s *measure.Sample) float64 { return s.Up }),
			bench.Mean(r.At[i], seed, func(s *measure.Sample) float64 { return s.Down }))
	}
	samples := r.Samples()
	var judged [][]float64
	fmt.Fprintf(out, "\n%-34s %20s %20s %20s %20s\n", "model", "precision", "recall", fmt.Sprintf("mean at -%d", bench.Before[0]), "mean at 0")
	for _, set := range models {
		p, err := measure.CrossValidate(samples, folds, set...)
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
		q := measure.QualityOf(samples, judged[i])
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
		m, err := measure.FitResignation(samples, set...)
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

// quality is a number of a [measure.Quality].
type quality func(measure.Quality) float64

var qualities = []quality{
	func(q measure.Quality) float64 { return q.Precision },
	func(q measure.Quality) float64 { return q.Recall },
	func(q measure.Quality) float64 { return q.Before },
	func(q measure.Quality) float64 { return q.Resigned },
	func(q measure.Quality) float64 { return q.Likelihood },
}

// comparison returns a quality of probabilities, by how much it exceeds that of others if these are not
// nil, with its interval.
func comparison(samples []measure.Sample, seed uint64, of quality, p, others []float64) bench.Interval {
	return measure.IntervalOf(len(samples), func(i int) int { return samples[i].Game }, bench.Draws, seed, func(drawn []int) float64 {
		some := make([]measure.Sample, len(drawn))
		pick := func(from []float64) float64 {
			list := make([]float64, len(drawn))
			for k, i := range drawn {
				some[k], list[k] = samples[i], from[i]
			}
			return of(measure.QualityOf(some, list))
		}
		if others == nil {
			return pick(p)
		}
		return pick(p) - pick(others)
	})
}

// folds is into how many parts games are dealt.
const folds = 10

func predictorNames(set []measure.Predictor) string {
	var names []string
	for _, p := range set {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// errors plays games and compares with true values.
func (o *judgeOptions) errors(c *cobra.Command, g *app.Game, j bench.Judge[app.Position, app.Move], d app.Database) error {
	jitters := []int{0}
	measured := o.jitter == ""
	if !measured {
		jitters = nil
		for text := range strings.SplitSeq(o.jitter, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return usageError{fmt.Errorf("--jitter %q: want whole numbers with commas between", o.jitter)}
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
	var first *bench.Found
	for _, jitter := range jitters {
		e := bench.Errors[app.Position, app.Move]{
			Judge: j, Games: o.games, Nodes: uint64(o.nodes), Choice: play.Choice{Jitter: play.Score(jitter), Drift: o.drift},
			RandomPlies: o.random, Plies: o.plies, Seed: o.seed,
			Value: trueValue(g, d), Start: draw,
		}
		f, err := e.Run(c.Context())
		if errors.Is(err, bench.ErrNoStart) {
			return usageError{fmt.Errorf("--random-plies %d: %w", o.random, err)}
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
		sets := [][]measure.Predictor{{measure.ByScore}, {measure.Up}, {measure.Down}, {measure.ByScore, measure.Up}, {measure.ByScore, measure.Down}}
		areas, err := f.Areas(folds, o.seed, sets...)
		if errors.Is(err, measure.ErrOneKind) {
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
			err = usageError{err}
		}
		return p, err
	}, nil
}

// printGiven prints how often games with jitter give results away, and how much more than the first.
func printGiven(out io.Writer, jitter int, f, first *bench.Found, seed uint64) {
	moves := 0
	for _, g := range f.Games {
		moves += g.Moves
	}
	fmt.Fprintf(out, "jitter %-4d %d games, %d of them different, %d moves\n", jitter, len(f.Games), f.Distinct, moves)
	for _, of := range []struct {
		name  string
		value func(bench.Given) float64
	}{
		{"moves that give the result away", func(g bench.Given) float64 { return float64(g.Given) }},
		{"points lost a move", func(g bench.Given) float64 { return g.Points }},
	} {
		fmt.Fprintf(out, "%34s  %v", of.name, f.Mean(of.value, nil, seed))
		if first != nil {
			v := f.Mean(of.value, first, seed)
			fmt.Fprintf(out, ", %+.4f [%+.4f, %+.4f] more than the first", v.Value, v.Low, v.High)
		}
		fmt.Fprintln(out)
	}
}
