package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/lab/judge"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/review"
)

// marksOptions are the flags of marks.
type marksOptions struct {
	dir, weights    string
	leaves, threads int
	memory          uint64
	last            int
	effort          uint64
	doubt           float64
	seed            uint64
	ui.Printing
}

func (o *marksOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of a database with true values")
	flags.Uint64Var(&o.effort, "effort", 0, "positions to search for the true value of one that the database does not hold, as analyze decides positions")
	ui.NumberFlag(flags, &o.leaves, "leaves", 20_000, 1, 1_000_000_000, "how many leaves the search of a position counts at least")
	ui.NumberFlag(flags, &o.last, "last", 0, 0, 100_000, "positions at the end of each game to go through; 0 for all")
	flags.Float64Var(&o.doubt, "doubt", -1, "mark nothing that loses less of the win rate by estimates, instead of what the game says")
	ui.ThreadsFlag(flags, &o.threads, "0", "games to go through at the same time")
	ui.MemoryFlag(flags, &o.memory, "memory", "64MiB", "memory for the searches, shared by the threads")
	flags.StringVar(&o.weights, "weights", "", "`file` of weights instead of those of the game")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed of the intervals")
	o.QuietFlag(flags)
}

func newMarks() *cobra.Command {
	var o marksOptions
	cmd := &cobra.Command{
		Use:   "marks GAME FILE ...",
		Short: "Compare what analyze says with true values",
		Long: `Marks repeats the tables of docs/marks.md.

It goes through games as analyze does, and compares with true values: those of a database
(--db), and those that are found with more effort (--effort). It prints how many positions
analyze decides, which moves have marks and whether these lose anything, and how often moves
that lose so much by estimates really do. Its last lines have the sum of the scores of a position
and of the next one, on average, which needs no true values. Intervals are by game.`,
		Example: "  lab marks connect4:size=5x5 c5.games --db c5.db\n" +
			"  lab marks othello o.games --last 21 --effort 1000000000\n" +
			"  lab marks shogi games/*.kif",
		Args: ui.LeastArgs(2),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1:]) }
	return cmd
}

func (o *marksOptions) run(c *cobra.Command, spec string, files []string) (err error) {
	g, d, done, err := openOver(c.Context(), spec, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	w, err := app.ReadWeights(o.weights)
	if err != nil {
		return err
	}
	e, err := w.Of(g)
	if err != nil {
		return err
	}
	list, _, err := playedGames(c, g, files)
	if err != nil {
		return err
	}
	pruning := play.AllPruning
	pruning.Extensions = false // as analyze
	show, shown := status(c, o.Printing)
	defer shown()
	m := judge.Marks[app.Position, app.Move]{
		Judge: judge.Judge[app.Position, app.Move]{
			Game: g, Threads: o.threads,
			Search:   func() (engine, error) { return search(g, w, o.memory/uint64(o.threads), pruning) },
			Progress: func(unit string, done, all uint64) { show("%d of %d %s", done, all, unit) },
		},
		Review: review.Config[app.Position, app.Move]{Leaves: uint64(o.leaves), Calibration: e.Set.Calibration},
		Last:   o.last,
		Truth: func(ctx context.Context, s engine, p app.Position) (games.Bounds, error) {
			if d != nil {
				if v, known, err := d.Value(p); known || err != nil {
					return games.BoundsOf(v), err
				}
			}
			if o.effort == 0 {
				return games.Unbounded, nil
			}
			a, err := s.Decide(ctx, p, o.effort)
			return a.Bounds, err
		},
	}
	if o.doubt >= 0 {
		m.Review.Calibration.Doubt = o.doubt
	}
	moves, err := m.Run(c.Context(), list)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	printMarks(out, moves, o.seed)
	return nil
}

func printMarks(out io.Writer, list []judge.MarkedMove, seed uint64) {
	unfinished := func(x *judge.MarkedMove) bool { return x.ProvedBy != play.ByRules || x.Move != "" }
	share := func(of func(x *judge.MarkedMove) (bool, bool)) string {
		v, n := judge.MarkedShare(list, seed, func(x *judge.MarkedMove) (float64, bool) {
			yes, ok := of(x)
			if yes {
				return 1, ok
			}
			return 0, ok
		})
		if n == 0 {
			return "none"
		}
		return fmt.Sprintf("%v of %d", v, n)
	}
	fmt.Fprintf(out, "\npositions with a value, not finished: %s\n", share(func(x *judge.MarkedMove) (bool, bool) { return x.Value != nil, unfinished(x) }))
	for last := 4; last <= 24; last += 4 {
		fmt.Fprintf(out, "%9d plies or less before the end: %s\n", last, share(func(x *judge.MarkedMove) (bool, bool) { return x.Value != nil, unfinished(x) && x.Left <= last }))
	}
	fmt.Fprintf(out, "of those with a true result: %s\n", share(func(x *judge.MarkedMove) (bool, bool) {
		_, known := x.Truth.Result()
		return x.Value != nil, known && unfinished(x)
	}))
	wrong := 0
	for i := range list {
		if list[i].Wrong {
			wrong++
			fmt.Fprintf(out, "wrong      %s is %v, not %v\n", list[i].Text, list[i].Truth, *list[i].Value)
		}
	}
	fmt.Fprintf(out, "wrong values: %d\n", wrong)

	fmt.Fprintf(out, "\n%-22s %8s %8s %8s\n", "mark", "keeps", "loses", "unknown")
	for _, by := range []string{"values", "estimates"} {
		for _, mark := range []review.Mark{"", review.Inaccuracy, review.Mistake, review.Blunder} {
			var n [3]int
			for i := range list {
				if x := &list[i]; x.Move != "" && x.Mark == mark && (x.After != nil) == (by == "values") && x.Plies == 0 {
					n[x.Fate]++
				}
			}
			name := string(mark)
			if mark == "" {
				name = "none"
			}
			fmt.Fprintf(out, "%-22s %8d %8d %8d\n", "by "+by+", "+name, n[judge.Keeps], n[judge.Loses], n[judge.Unknown])
		}
	}

	for i := range list {
		if x := &list[i]; x.Fate == judge.Keeps && x.Mark != "" && x.Plies == 0 {
			fmt.Fprintf(out, "kept       %s: %s%s keeps the value (%v), and costs %.2f of the win rate\n", x.Text, x.Move, x.Mark, x.Truth, x.Lost)
		}
	}

	fmt.Fprintf(out, "\n%-22s truly lose something\n", "lost by estimates")
	edges := []float64{0, 0.01, 0.05, 0.10, 0.15, 0.20, 0.30, 0.40, 0.50, 0.75, 1.01}
	for i := range edges[1:] {
		low, high := edges[i], edges[i+1]
		fmt.Fprintf(out, "%-22s %s\n", fmt.Sprintf("%.2f to %.2f", low, min(high, 1)), share(func(x *judge.MarkedMove) (bool, bool) {
			return x.Fate == judge.Loses, x.Move != "" && x.After == nil && x.Fate != judge.Unknown && x.Lost >= low && x.Lost < high
		}))
	}

	fmt.Fprintf(out, "\n%-22s true result\n", "win rate by estimates")
	for i := range 10 {
		low, high := float64(i)/10, float64(i+1)/10
		v, n := judge.MarkedShare(list, seed, func(x *judge.MarkedMove) (float64, bool) {
			r, known := x.Truth.Result()
			return (float64(r) + 1) / 2, known && x.WinRate != nil && *x.WinRate >= low && (*x.WinRate < high || i == 9)
		})
		if n > 0 {
			fmt.Fprintf(out, "%-22s %v of %d\n", fmt.Sprintf("%.1f to %.1f", low, high), v, n)
		}
	}

	fmt.Fprintf(out, "\n%-36s mean of the sum\n", "score of a position and of the next")
	for _, of := range []struct {
		name string
		sum  func(x *judge.MarkedMove) (float64, bool)
	}{
		{"as printed", func(x *judge.MarkedMove) (float64, bool) { return *x.Sum, true }},
		{"as searched", func(x *judge.MarkedMove) (float64, bool) { return x.Searched, true }},
		{"as searched, both to an even depth", func(x *judge.MarkedMove) (float64, bool) { return x.Searched, x.Depths[0]%2+x.Depths[1]%2 == 0 }},
		{"as searched, both to an odd depth", func(x *judge.MarkedMove) (float64, bool) { return x.Searched, x.Depths[0]%2+x.Depths[1]%2 == 2 }},
	} {
		v, n := judge.MarkedShare(list, seed, func(x *judge.MarkedMove) (float64, bool) {
			if x.Sum == nil {
				return 0, false
			}
			return of.sum(x)
		})
		fmt.Fprintf(out, "%-36s %.1f [%.1f, %.1f] of %d\n", of.name, v.Value, v.Low, v.High, n)
	}
}
