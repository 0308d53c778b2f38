package cmd

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/export"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/retro"
)

// statsOptions are the flags of stats.
type statsOptions struct {
	csv     bool
	plot    string // file
	parquet string // file
	threads int
	ui.Printing
}

func (o *statsOptions) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.csv, "csv", false, "print the table as CSV")
	o.Printing.Flags(flags)
	ui.ThreadsFlag(flags, &o.threads, "0", "number of threads that count classes of material")
	ui.PlotFlag(flags, &o.plot, "draw the counts")
	ui.CheckedFlag(flags, "parquet", "file", "", "write the counts by tier and value to a file, as Parquet", func(text string) error {
		o.parquet = text
		return ui.CheckOutput(text, false)
	})
}

func newStats(l plugins) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use:   "stats DATABASE|GAME",
		Short: "Count the positions of a database by value",
		Long: `Stats counts the positions of a database by value. The database is a directory, or that
of a game in its default place, ./GAME.db. It also says whether the database was verified,
as query does.

A database by classes of material is read, and each class is counted for both sides: its
positions, and how many there are when like pieces are told apart, as other programs count.`,
		Example: "  yomikiri stats dobutsu\n  yomikiri stats dobutsu.db --csv\n" +
			"  yomikiri stats dobutsu.db --plot distances.svg\n  yomikiri stats dobutsu.db --parquet counts.parquet",
		Args: ui.ExactArgs(1),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := l.database(cmd.Flags(), args[0], "")
		if err != nil {
			return err
		}
		return o.run(cmd, l, n.dir)
	}
	return cmd
}

func (o *statsOptions) run(cmd *cobra.Command, l plugins, dir string) error {
	if o.csv && o.JSON {
		return ui.Usage(errors.New("--csv and --json exclude each other"))
	}
	m, err := store.ReadManifest(nil, dir)
	if err != nil {
		return unfinished(cmd, dir, err)
	}
	if l, err = l.carrying(m.Content.Game, m.Content.Rules); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	leftOut, err := l.leftOut(m.Content.Game, m.Content.Rules)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	// If the values are damaged or gone, the manifest has the counts all the same.
	v, unopened := verificationOf(dir)
	if unopened != nil {
		v = db.Verification{State: db.Unverified}
	}
	var classes []db.ClassCount
	if unopened == nil {
		if classes, err = o.classes(cmd, l, dir); err != nil {
			return err
		}
	}
	known := solved{m, leftOut}
	head := databaseLine(dir, v) + rulesLine(&m.Content) + leftOutLine(leftOut)
	switch {
	case o.csv && classes != nil:
		err = classesCSV(cmd.OutOrStdout(), classes)
	case o.csv:
		err = statsCSV(cmd.OutOrStdout(), &m.Content)
	case classes != nil:
		err = o.Result(cmd, statistics{known, v, classes}, head+classesTable(&m.Content, classes))
	default:
		_, rules, unknown := l.rules(m.Content.Game)
		err = o.Result(cmd, statistics{known, v, nil}, head+statsTable(&m.Content, unknown != nil || rules.IsWhole()))
	}
	if err == nil && o.plot != "" {
		err = ui.WritePlot(o.plot, statsPlot(m))
	}
	if err == nil && o.parquet != "" {
		err = ui.WriteWith(cmd.Context(), o.parquet, func(w io.Writer) error { return export.WriteCounts(w, &m.Content) })
	}
	return errors.Join(err, unopened)
}

// statistics are the manifest of a database, what is known of its verification, and its classes of material.
type statistics struct {
	solved
	Verification db.Verification `json:"verification"`
	Classes      []db.ClassCount `json:"classes,omitempty"`
}

// classes counts the classes of material of a database, nil if it is not by classes.
func (o *statsOptions) classes(cmd *cobra.Command, l plugins, dir string) (list []db.ClassCount, err error) {
	d, err := store.Open(dir, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	p, rules, err := l.rules(d.Manifest().Content.Game)
	if err != nil || rules.IsWhole() || d.Manifest().Content.IsCompact() || d.Manifest().Content.Positions != string(retro.All) {
		return nil, nil // the manifest says enough
	}
	g, err := p.Under(rules, rules.Whole())
	if err != nil || !g.Numbered() { // without an index of its own it has no classes
		return nil, err
	}
	u, err := g.Universe()
	if err != nil || u.Classed == nil || len(u.Classed.Classes()) == 0 {
		return nil, err
	}
	progress := o.Progress(cmd)
	defer progress.Done()
	return d.Census(cmd.Context(), u, db.CensusOptions{Threads: o.threads, Progress: progress.Since(time.Now())})
}

// rows returns the lines of a table of classes: one for each side to move. What holds for one side of a class with the same
// pieces on both sides holds for the other.
func rows(classes []db.ClassCount) (list []db.ClassCount) {
	for _, c := range classes {
		list = append(list, c)
		if c.Both {
			c.Side = 3 - c.Side
			list = append(list, c)
		}
	}
	return list
}

// distance writes the largest distance to a result, nothing if there is none.
func distance(plies int) string {
	if plies < 0 {
		return ""
	}
	return strconv.Itoa(plies)
}

var sideLetters = [3]string{1: "w", 2: "b"}

func classesCSV(w io.Writer, classes []db.ClassCount) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"table", "pieces", "side", "win", "draw", "loss", "positions_win", "positions_draw", "positions_loss", "longest_win", "longest_loss"}}
	for _, c := range rows(classes) {
		line := []string{c.Name, strconv.Itoa(c.Pieces), sideLetters[c.Side]}
		for _, n := range []uint64{c.Labelled.Won, c.Labelled.Drawn, c.Labelled.Lost, c.Positions.Won, c.Positions.Drawn, c.Positions.Lost} {
			line = append(line, strconv.FormatUint(n, 10))
		}
		lines = append(lines, append(line, distance(c.Win), distance(c.Loss)))
	}
	return out.WriteAll(lines)
}

func classesTable(c *db.Content, classes []db.ClassCount) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s positions\n\n", c.Game, c.Positions)
	fmt.Fprintf(&b, "%-12s %4s %13s %13s %13s %4s %4s\n", "class", "side", "won", "drawn", "lost", "win", "loss")
	for _, c := range rows(classes) {
		fmt.Fprintf(&b, "%-12s %4s %13s %13s %13s %4s %4s\n", c.Name, sideLetters[c.Side],
			ui.Grouped(c.Positions.Won), ui.Grouped(c.Positions.Drawn), ui.Grouped(c.Positions.Lost), distance(c.Win), distance(c.Loss))
		if c.Labelled != c.Positions {
			fmt.Fprintf(&b, "%-17s %13s %13s %13s\n", "  told apart", ui.Grouped(c.Labelled.Won), ui.Grouped(c.Labelled.Drawn), ui.Grouped(c.Labelled.Lost))
		}
	}
	b.WriteString("\nWin and loss are the largest distances in plies. Told apart: like pieces count as different ones.\n")
	return b.String()
}

// sections returns what to count: each tier, or the only one.
func sections(c *db.Content) []db.Tier {
	if len(c.Tiers) == 1 {
		return c.Tiers
	}
	total := c.Total()
	total.Name = "all"
	return append(append([]db.Tier{}, c.Tiers...), total)
}

// rulesLine has the digest of the rules that a database carries.
func rulesLine(c *db.Content) string {
	if c.Rules == "" {
		return ""
	}
	return fmt.Sprintf("rules     %s\n", c.RulesDigest)
}

// statsTable returns the counts as a table. The start position matters only if the whole
// game is solved.
func statsTable(c *db.Content, whole bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s positions", c.Game, c.Positions)
	if whole {
		fmt.Fprintf(&b, "; start position: %v", c.StartValue)
	}
	b.WriteByte('\n')
	for _, s := range sections(c) {
		if s.Name != "" {
			fmt.Fprintf(&b, "\ntier %s\n", s.Name)
		}
		var positions uint64
		for _, n := range s.Counts {
			positions += n.Positions
		}
		fmt.Fprintf(&b, "%-14s %14s %14s %8s\n", "value", "positions", "of them over", "percent")
		for _, n := range s.Counts {
			fmt.Fprintf(&b, "%-14v %14s %14s %8.3f\n", n.Value, ui.Grouped(n.Positions), ui.Grouped(n.Finished),
				100*float64(n.Positions)/float64(positions))
		}
		fmt.Fprintf(&b, "%-14s %14s %14s\n", "all", ui.Grouped(positions), ui.Grouped(positions-s.Unfinished))
	}
	return b.String()
}

func statsCSV(w io.Writer, c *db.Content) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"slice", "result", "plies", "score", "positions", "finished"}); err != nil {
		return err
	}
	for _, s := range c.Tiers {
		for _, n := range s.Counts {
			plies, score := "", ""
			if d, ok := n.Value.Plies(); ok {
				plies = strconv.Itoa(d)
			} else if c.Order == games.ByScore.String() {
				score = strconv.Itoa(int(n.Value))
			}
			err := out.Write([]string{s.Name, n.Value.Result().String(), plies, score,
				strconv.FormatUint(n.Positions, 10), strconv.FormatUint(n.Finished, 10)})
			if err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// statsPlot draws the number of positions over the distance, wins and losses as
// two series.
func statsPlot(m *db.Manifest) *plot.Plot {
	total := m.Content.Total()
	wins := plot.Series{Name: "won", Color: "#2a6f97"}
	losses := plot.Series{Name: "lost", Color: "#bc4749"}
	scores := plot.Series{Name: "positions", Color: "#2a6f97"}
	for _, n := range total.Counts {
		plies, ok := n.Value.Plies()
		point := plot.Point{X: float64(plies), Y: float64(n.Positions)}
		switch {
		case !ok && m.Content.Order == games.ByScore.String():
			scores.Points = append(scores.Points, plot.Point{X: float64(n.Value), Y: float64(n.Positions)})
		case !ok:
		case n.Value.Result() == games.Won:
			wins.Points = append(wins.Points, point)
		default:
			losses.Points = append(losses.Points, point)
		}
	}
	p := &plot.Plot{
		Title: m.Content.Game + ": positions by distance", X: "plies to the end", Y: "positions",
		Series: []plot.Series{wins, losses}, LogY: true,
	}
	if m.Content.Order == games.ByScore.String() {
		p.Title, p.X, p.Series = m.Content.Game+": positions by score", "score", []plot.Series{scores}
	}
	return p
}
