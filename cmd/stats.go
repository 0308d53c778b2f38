package cmd

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/plot"
)

// statsOptions are the flags of stats.
type statsOptions struct {
	csv  bool
	plot string // file
	ui.Printing
}

func (o *statsOptions) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.csv, "csv", false, "print the table as CSV")
	o.JSONFlag(flags)
	ui.PlotFlag(flags, &o.plot, "draw the counts")
}

func newStats(l plugins) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use:   "stats DATABASE|GAME",
		Short: "Count the positions of a database by value",
		Long: `Stats counts the positions of a database by value. The database is a directory, or that
of a game in its default place, ./GAME.db. It also says whether the database was verified,
as query does.`,
		Example: "  yomikiri stats dobutsu\n  yomikiri stats dobutsu.db --csv\n" +
			"  yomikiri stats dobutsu.db --plot distances.svg",
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
	m, err := db.ReadManifest(nil, dir)
	if err != nil {
		return unfinished(cmd, dir, err)
	}
	// If the values are damaged or gone, the manifest has the counts all the same.
	v, unopened := verificationOf(dir)
	if unopened != nil {
		v = db.Verification{State: db.Unverified}
	}
	if o.csv {
		err = statsCSV(cmd.OutOrStdout(), &m.Content)
	} else {
		_, rules, unknown := l.rules(m.Content.Game)
		err = o.Result(cmd, verifiedManifest{m, v}, databaseLine(dir, v)+statsTable(&m.Content, unknown != nil || rules.IsWhole()))
	}
	if err == nil && o.plot != "" {
		err = ui.WritePlot(o.plot, statsPlot(m))
	}
	return errors.Join(err, unopened)
}

// verifiedManifest is the manifest of a database, and what is known of its verification.
type verifiedManifest struct {
	*db.Manifest
	Verification db.Verification `json:"verification"`
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
