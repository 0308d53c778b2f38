package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/puzzle"
)

// puzzlesOptions are the flags of puzzles.
type puzzlesOptions struct {
	dir, out          string
	only              string
	count, candidates int
	threads           int
	seed              uint64
	ui.Printing
}

// What puzzles ask for.
const (
	aimWin  = "win"
	aimSave = "save"
)

// mostPuzzles is the most that are ranked at a time.
const mostPuzzles = 10_000_000

func (o *puzzlesOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of the database, or its game (default ./GAME.db)")
	ui.NumberFlag(flags, &o.count, "count", 100, 1, mostPuzzles, "number of puzzles")
	ui.NumberFlag(flags, &o.candidates, "candidates", 0, 0, mostPuzzles, "find and rank so many, and keep the hardest --count of them (default: --count)")
	ui.CheckedFlag(flags, "only", "aim", "", "only puzzles to win, or only those to save a draw: "+aimWin+" or "+aimSave, func(text string) error {
		if o.only = text; text != aimWin && text != aimSave {
			return fmt.Errorf("%q: want %s or %s", text, aimWin, aimSave)
		}
		return nil
	})
	ui.FileFlag(flags, &o.out, "out", false, "write the puzzles to a file, as JSON records, one on a line")
	flags.Uint64Var(&o.seed, "seed", 1, "of random numbers, by which positions are drawn")
	ui.ThreadsFlag(flags, &o.threads, "0", "puzzles to rank at the same time")
	o.Flags(flags)
}

func newPuzzles(l plugins) *cobra.Command {
	var o puzzlesOptions
	cmd := &cobra.Command{
		Use:   "puzzles GAME|DATABASE",
		Short: "Make puzzles: positions with one winning or saving move",
		Long: `Puzzles draws positions from a database until it has found a number of puzzles: positions
in which exactly one move wins, or exactly one saves a draw. It ranks them by how hard the move
is to find, from 0 to 1, and prints the hardest first; docs/puzzles.md says how. Two moves that
lead to the same position or to mirror images count as two.

With --out, the puzzles are written to a file, with which the page trains: serve --puzzles FILE.
If the database has hardly any, or the command is interrupted, nothing is written. The same
seed gives the same puzzles, with any number of threads.`,
		Example: "  yomikiri puzzles dobutsu\n" +
			"  yomikiri puzzles dobutsu --count 10000 --out dobutsu.puzzles\n" +
			"  yomikiri puzzles checkers.db --only save --count 20 --candidates 2000",
		Args:              ui.ExactArgs(1),
		ValidArgsFunction: l.completeSolvable(),
	}
	flags := cmd.Flags()
	o.addFlags(flags)
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.candidates == 0 {
			o.candidates = o.count
		}
		if o.candidates < o.count {
			return ui.Usage(fmt.Errorf("--candidates %d: want at least the %d of --count", o.candidates, o.count))
		}
		n, err := l.database(flags, args[0], o.dir)
		if err != nil {
			return err
		}
		g, err := n.open(cmd)
		if err != nil {
			return err
		}
		return o.run(cmd, g, n.dir)
	}
	return cmd
}

// puzzleRecord is a puzzle as JSON, also in files.
type puzzleRecord struct {
	Game     string      `json:"game"`
	Index    uint64      `json:"index"`
	Position string      `json:"position"`
	Aim      string      `json:"aim"`
	Move     string      `json:"move"`
	DTM      *int        `json:"dtm"`
	Second   games.Value `json:"second"`
	Legal    int         `json:"legal"`
	Rank     float64     `json:"rank"`
	Errors   float64     `json:"errors"`
	Depth    int         `json:"depth,omitempty"`
	Nodes    uint64      `json:"nodes,omitempty"`
	Traps    int         `json:"traps"`
}

// puzzleFile is what was written to a file.
type puzzleFile struct {
	Game       string  `json:"game"`
	Drawn      int     `json:"drawn"` // positions
	Candidates int     `json:"candidates"`
	Wins       int     `json:"wins"`
	Saves      int     `json:"saves"`
	Seconds    float64 `json:"seconds"`
	File       string  `json:"file"`
}

func (o *puzzlesOptions) run(c *cobra.Command, part *app.Game, dir string) (err error) {
	begin := time.Now()
	g, d, done, err := judgedGame(c, part, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	progress := o.Progress(c)
	list, drawn, err := o.make(c.Context(), g, d, progress.Since(begin))
	progress.Done()
	switch {
	case errors.Is(err, context.Canceled):
		return ui.Interrupted("interrupted; no puzzles are written")
	case errors.Is(err, puzzle.ErrFew) || errors.Is(err, db.ErrNoneDrawn):
		return ui.Unknown(err.Error())
	case errors.Is(err, play.ErrNoFeatures):
		return ui.Usage(fmt.Errorf("puzzles are ranked by searches, and %w", err))
	case err != nil:
		return err
	}
	if o.out == "" {
		return o.print(c, g, list)
	}
	var text bytes.Buffer
	f := puzzleFile{Game: part.Name(), Drawn: drawn, Candidates: o.candidates, File: o.out}
	for i := range list {
		if list[i].Win() {
			f.Wins++
		} else {
			f.Saves++
		}
		if err := ui.WriteRecord(&text, newPuzzleRecord(g, &list[i])); err != nil {
			return err
		}
	}
	if err := ui.WriteFile(o.out, text.Bytes()); err != nil {
		return err
	}
	f.Seconds = time.Since(begin).Seconds()
	return o.Result(c, f, f.text(&list[0]))
}

// boxed is a puzzle of a game without types.
type boxed = puzzle.Puzzle[app.Position, app.Move]

// make finds and ranks puzzles, the hardest first. It also returns how many positions were drawn.
func (o *puzzlesOptions) make(ctx context.Context, g *app.Game, d app.Database, progress games.Progress) ([]boxed, int, error) {
	r := puzzle.Ranker[app.Position, app.Move]{Game: g, Progress: progress}
	for range o.threads {
		e, err := g.Search(play.Config[app.Position]{Memory: puzzle.TableMemory, Pruning: play.AllPruning})
		if err != nil {
			return nil, 0, err
		}
		r.Engines = append(r.Engines, e)
	}
	f := puzzle.Finder[app.Position, app.Move]{Game: g, Database: d, Wins: o.only != aimSave, Saves: o.only != aimWin, Progress: progress}
	list, drawn, err := f.Find(ctx, o.candidates, o.seed)
	if err == nil {
		err = r.Rank(ctx, list)
	}
	if err != nil {
		return nil, drawn, err
	}
	return list[:o.count], drawn, nil
}

func newPuzzleRecord(g *app.Game, p *boxed) puzzleRecord {
	r := puzzleRecord{
		Game: g.Rules.Whole().String(), Index: p.Index, Position: g.PositionText(p.Position), Aim: aimSave, Move: g.MoveText(p.Position, p.Move), Second: p.Second, Legal: p.Legal,
		Rank: p.Rank, Errors: p.Errors, Depth: p.Depth, Nodes: p.Nodes, Traps: p.Traps,
	}
	if p.Win() {
		r.Aim = aimWin
	}
	if plies, ok := p.Value.Plies(); ok {
		r.DTM = &plies
	}
	return r
}

// print prints puzzles as a table, or as records.
func (o *puzzlesOptions) print(c *cobra.Command, g *app.Game, list []boxed) error {
	var b bytes.Buffer
	if !o.JSON {
		fmt.Fprintf(&b, "%-5s  %-10s  %6s  %5s  %5s  %-10s %s\n", "rank", "value", "errors", "depth", "traps", "move", "position")
	}
	for i := range list {
		p := &list[i]
		r := newPuzzleRecord(g, p)
		if o.JSON {
			if err := ui.WriteRecord(&b, r); err != nil {
				return err
			}
			continue
		}
		depth := "-"
		if p.Depth > 0 {
			depth = fmt.Sprint(p.Depth)
		}
		fmt.Fprintf(&b, "%.3f  %-10v  %6.2f  %5s  %5d  %-10s %s\n", p.Rank, p.Value, p.Errors, depth, p.Traps, r.Move, r.Position)
	}
	_, err := c.OutOrStdout().Write(b.Bytes())
	return err
}

// text says what was written, and which puzzle is the hardest.
func (f *puzzleFile) text(hardest *boxed) string {
	var t ui.Table
	t.Line("game", "%s", f.Game)
	var kinds []string
	if f.Wins > 0 {
		kinds = append(kinds, ui.Grouped(uint64(f.Wins))+" with one winning move")
	}
	if f.Saves > 0 {
		kinds = append(kinds, ui.Grouped(uint64(f.Saves))+" with one move that saves the draw")
	}
	t.Prose("puzzles", "%s: %s", ui.Grouped(uint64(f.Wins+f.Saves)), strings.Join(kinds, ", "))
	if n := f.Wins + f.Saves; n < f.Candidates {
		t.Line("ranked", "%s", ui.Grouped(uint64(f.Candidates)))
	}
	t.Line("drawn", "%s", ui.Counted(uint64(f.Drawn), "position"))
	t.Line("hardest", "rank %.3f, number %d", hardest.Rank, hardest.Index)
	t.Line("file", "%s", f.File)
	t.Line("time", "%s", ui.Seconds(time.Duration(f.Seconds*float64(time.Second))))
	return t.String()
}
