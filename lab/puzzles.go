package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/lab/judge"
	"github.com/yomikiri/yomikiri/lab/uct"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/puzzle"
)

// puzzlesOptions are the flags of puzzles.
type puzzlesOptions struct {
	dir                                 string
	count, nodes, level, playouts, many int
	seed                                uint64
	threads                             int
	ui.Printing
}

func (o *puzzlesOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of the database with the true values")
	ui.NumberFlag(flags, &o.count, "count", 2000, 2, 10_000_000, "number of puzzles")
	ui.NumberFlag(flags, &o.nodes, "nodes", 300, 1, 1_000_000_000, "positions that the search with weights made by hand looks at")
	ui.NumberFlag(flags, &o.many, "many-nodes", 20_000, 1, 1_000_000_000, "positions that a second such search looks at")
	ui.NumberFlag(flags, &o.level, "level", 4, 1, play.Levels, "strength of an opponent")
	ui.NumberFlag(flags, &o.playouts, "playouts", 300, 1, 1_000_000, "playouts of a player by playouts")
	flags.Uint64Var(&o.seed, "seed", 1001, "of random numbers, by which positions are drawn and players choose")
	ui.ThreadsFlag(flags, &o.threads, "0", "puzzles to rank at the same time")
	o.QuietFlag(flags)
}

func newPuzzles() *cobra.Command {
	var o puzzlesOptions
	cmd := &cobra.Command{
		Use:   "puzzles GAME --db DIR",
		Short: "Measure how well the rank of puzzles tells where players err",
		Long: `Puzzles repeats a table of docs/puzzles.md.

It makes puzzles as yomikiri puzzles does, and lets players solve them that the rank knows
nothing of: a search with weights made by hand, with few nodes and with many, an opponent that
chooses at random, and a player by playouts. For each it compares how well the rank, its parts,
and the distance alone tell where the player errs: by the chance that of two puzzles, one that
it solves and one that it does not, the latter has the larger number. Puzzles to win and those
to save a draw are apart. The distance of the latter is that of the longest loss by another
move. Intervals are of 95 % by puzzle.`,
		Example: "  lab puzzles dobutsu --db dobutsu.db",
		Args:    ui.ExactArgs(1),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.dir == "" {
			return usage("want --db DIR for the true values")
		}
		return o.run(cmd, args[0])
	}
	return cmd
}

// drawnPuzzle is a puzzle of a game without types.
type drawnPuzzle = puzzle.Puzzle[app.Position, app.Move]

// solving is a player that solves puzzles.
type solving struct {
	name  string
	solve func(ctx context.Context, p *drawnPuzzle) (app.Move, error)
}

func (o *puzzlesOptions) run(c *cobra.Command, spec string) (err error) {
	g, d, done, err := openOver(c.Context(), spec, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if d.DB().Manifest().Content.Order != games.ByDistance.String() {
		return usage("%s has no distances to compare the rank with", o.dir)
	}
	players, err := o.players(g)
	if err != nil {
		return err
	}
	show, shown := status(c, o.Printing)
	defer shown()
	progress := func(unit string, done, all uint64) { show("%d of %d %s", done, all, unit) }
	f := puzzle.Finder[app.Position, app.Move]{Game: g, Database: d, Wins: true, Saves: true, Progress: progress}
	list, _, err := f.Find(c.Context(), o.count, o.seed)
	if errors.Is(err, puzzle.ErrFew) || errors.Is(err, db.ErrNoneDrawn) {
		return app.InputError{Err: err}
	}
	if err != nil {
		return err
	}
	r := puzzle.Ranker[app.Position, app.Move]{Game: g, Progress: progress}
	for range o.threads {
		e, err := search(g, app.Weights{}, puzzle.TableMemory, play.AllPruning)
		if err != nil {
			return err
		}
		r.Engines = append(r.Engines, e)
	}
	if err := r.Rank(c.Context(), list); err != nil {
		return err
	}
	var aims [2][]drawnPuzzle
	for _, x := range list {
		if x.Win() {
			aims[0] = append(aims[0], x)
		} else {
			aims[1] = append(aims[1], x)
		}
	}
	for i, name := range []string{"win", "save a draw"} {
		for _, player := range players {
			var erred []bool
			for k := range aims[i] {
				m, err := player.solve(c.Context(), &aims[i][k])
				if err == nil {
					err = c.Context().Err()
				}
				if err != nil {
					return err
				}
				erred = append(erred, m != aims[i][k].Move)
				progress("puzzles solved by "+player.name, uint64(k+1), uint64(len(aims[i])))
			}
			o.show(c.OutOrStdout(), fmt.Sprintf("%d puzzles to %s", len(aims[i]), name), player.name, aims[i], erred)
		}
	}
	return nil
}

// players returns players that have nothing to do with the rank.
func (o *puzzlesOptions) players(g *app.Game) (list []solving, err error) {
	searched := func(name string, w app.Weights, l play.Limits, budget play.Score) error {
		e, err := search(g, w, 1<<20, play.AllPruning)
		list = append(list, solving{name, func(ctx context.Context, p *drawnPuzzle) (app.Move, error) {
			e.Clear()
			r, err := e.Search(ctx, play.Query[app.Position, app.Move]{From: p.Position, Limits: l, Choice: play.Choice{Budget: budget, Seed: o.seed + p.Index}})
			if err != nil {
				return app.Move{}, err
			}
			return r.Best().Moves[0], nil
		}})
		return err
	}
	made, err := app.ReadWeights(app.MadeWeights)
	if err != nil {
		return nil, err
	}
	for _, nodes := range []int{o.nodes, o.many} {
		if err := searched(fmt.Sprintf("made by hand, %d nodes", nodes), made, play.Limits{Nodes: uint64(nodes)}, 0); err != nil {
			return nil, err
		}
	}
	limits, choice, _ := play.Level(o.level)
	if err := searched(fmt.Sprintf("level %d", o.level), app.Weights{}, limits, choice.Budget); err != nil {
		return nil, err
	}
	s, err := uct.New(g.Board, uct.Config{Playouts: o.playouts})
	switch {
	case errors.Is(err, uct.ErrScores):
		return list, nil
	case err != nil:
		return nil, err
	}
	return append(list, solving{fmt.Sprintf("%d playouts", o.playouts), func(ctx context.Context, p *drawnPuzzle) (app.Move, error) {
		tried, err := s.Search(ctx, p.Position, nil, o.seed+p.Index)
		if err != nil {
			return app.Move{}, err
		}
		return tried[0].Move, nil
	}}), nil
}

// show prints how well numbers tell where a player errs.
func (o *puzzlesOptions) show(out io.Writer, puzzles, player string, list []drawnPuzzle, erred []bool) {
	wrong := 0
	for _, is := range erred {
		if is {
			wrong++
		}
	}
	fmt.Fprintf(out, "%s, %s: errs in %d\n", puzzles, player, wrong)
	if wrong == 0 || wrong == len(erred) {
		return
	}
	names := []string{"distance", "rank", "errors", "nodes", "traps", "legal moves"}
	numbers := make([][]float64, len(names))
	for i := range list {
		x := &list[i]
		plies, _ := x.Plies()
		nodes := float64(x.Nodes)
		if x.Depth == 0 {
			nodes = puzzle.MostNodes + 1
		}
		for k, v := range []float64{float64(plies), x.Rank, x.Errors, nodes, float64(x.Traps) / float64(x.Legal-1), float64(x.Legal)} {
			numbers[k] = append(numbers[k], v)
		}
	}
	for k, p := range judge.Predictions(erred, o.seed, numbers...) {
		line := fmt.Sprintf("  %-12s %v", names[k], p.Area)
		if k > 0 {
			line += "  " + moreThan(p.More)
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}

// moreThan is a difference with its interval.
func moreThan(v interval.Interval) string {
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", v.Value, v.Low, v.High)
}
