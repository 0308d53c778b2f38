package shogi

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func newBenchTsume() *cobra.Command {
	var c benchTsume
	var memory uint64
	cmd := &cobra.Command{
		Use:   "tsume [SET|FILE ...]",
		Short: "Measure the solver of mate problems on sets of problems",
		Long: `Bench tsume solves the problems of a set one after the other, each with an empty table.
It prints the answer, the length found, the declared length if that is another, nodes,
time and how full the table was, and the totals of the set.

Two sets are built in: zuko (Itō Kanju, Shōgi Zukō, 1755), the default, and muso (Itō
Sōkan, Shōgi Musō, 1734). Their declared lengths are the traditional ones.

The signature is the number of nodes of the whole set. It is printed only if every run
gives the same number: on one thread, and with no search stopped by the clock, so use
--nodes instead of --time. A change that is not meant to affect the search must not
change it.`,
		Example: "  yomikiri bench tsume zuko muso --plot solved.svg\n" +
			"  yomikiri bench tsume zuko --time 0 --nodes 100000 --totals",
		ValidArgs: bench.TsumeSets(),
	}
	flags := cmd.Flags()
	ui.TimeFlag(flags, &c.config.Options.Time, "time", "4s", "time limit for a problem; 0 for none")
	flags.Uint64Var(&c.config.Options.Nodes, "nodes", 0, "node limit for a problem; 0 for none")
	ui.MemoryFlag(flags, &memory, "memory", defaultTsumeMemory, "size of the table")
	ui.ThreadsFlag(flags, &c.config.Options.Threads, "1", "number of threads")
	flags.BoolVar(&c.config.Options.Shortest, "shortest", false, "find the shortest mate and prove that none is shorter")
	flags.BoolVar(&c.config.Options.CountFutile, "count-futile", false, "count futile interpositions in the length")
	flags.BoolVar(&c.config.Options.Composed, "composed", false, composedUsage)
	flags.BoolVar(&c.csv, "csv", false, "write the results as comma-separated values, and the totals to stderr")
	c.JSONFlag(flags)
	flags.BoolVar(&c.onlyTotals, "totals", false, "print only the totals")
	ui.PlotFlag(flags, &c.plot, "draw a cactus plot")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c.config.Memory = int64(memory)
		if err := checkComposed(c.config.Options); err != nil {
			return err
		}
		if c.csv && c.JSON {
			return ui.Usage(errors.New("--csv and --json exclude each other"))
		}
		if len(args) == 0 {
			args = []string{"zuko"}
		}
		var sets [][]tsume.Entry
		for _, name := range args {
			set, err := benchSet(cmd, name)
			if err != nil {
				return err
			}
			sets = append(sets, set)
		}
		c.out, c.totals = cmd.OutOrStdout(), cmd.OutOrStdout()
		if c.csv {
			c.totals = cmd.ErrOrStderr()
			if !c.onlyTotals {
				if err := bench.WriteTsumeHeader(c.out); err != nil {
					return err
				}
			}
		}
		for i, name := range args {
			c.config.Problems = sets[i]
			name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
			results, total, err := c.run(cmd, name)
			if err != nil {
				return err
			}
			c.series = append(c.series, bench.TsumeSeries(name, plotColors[i%len(plotColors)], results))
			if err := c.writeTotal(name, total); err != nil {
				return err
			}
		}
		if c.plot != "" {
			return ui.WritePlot(c.plot, bench.TsumePlot(c.series))
		}
		return nil
	}
	return cmd
}

// benchSet returns a built-in set, or the set in a file.
func benchSet(cmd *cobra.Command, name string) ([]tsume.Entry, error) {
	if slices.Contains(bench.TsumeSets(), name) {
		return bench.TsumeSet(name)
	}
	set, err := readSet(cmd, name, tsume.Reading{})
	for _, entry := range set {
		if entry.Err != nil {
			return nil, ui.Usage(entry.Err)
		}
	}
	return set, err
}

// plotColors are the colours of the sets in a plot.
var plotColors = []string{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b"}

// benchTsume measures sets and prints the results.
type benchTsume struct {
	ui.Printing
	config          bench.Tsume
	csv, onlyTotals bool
	plot            string
	out, totals     io.Writer
	series          []plot.Series
}

// run measures a set.
func (c *benchTsume) run(cmd *cobra.Command, name string) ([]bench.TsumeResult, bench.TsumeTotal, error) {
	var results []bench.TsumeResult
	var failure error
	width := 0
	for _, entry := range c.config.Problems {
		width = max(width, len(entry.ID))
	}
	total, err := c.config.Run(cmd.Context(), func(r bench.TsumeResult) {
		results = append(results, r)
		if failure == nil && !c.onlyTotals {
			failure = c.writeResult(r, width)
		}
	})
	if cmd.Context().Err() != nil {
		return nil, total, ui.Interrupted(fmt.Sprintf("interrupted after %d of %s of %s", len(results), ui.Counted(uint64(len(c.config.Problems)), "problem"), name))
	}
	if err == nil {
		err = failure
	}
	return results, total, err
}

func (c *benchTsume) writeResult(r bench.TsumeResult, width int) error {
	if c.csv {
		return r.WriteCSV(c.out)
	}
	if c.JSON {
		return ui.WriteRecord(c.out, r)
	}
	answer := r.Answer
	switch {
	case r.Length > 0 && (c.config.Options.Shortest && !r.Shortest || r.Line < r.Length):
		answer = fmt.Sprintf("%s in at most %d", r.Answer, r.Length)
	case r.Length > 0:
		answer = fmt.Sprintf("%s in %d", r.Answer, r.Length)
	}
	remark := ""
	if 0 < r.Line && r.Line < r.Length {
		remark = fmt.Sprintf("  main line %d", r.Line)
	}
	if composedShorter(&r.Solution) {
		remark = fmt.Sprintf("  %d as composers count", r.Composed)
	}
	if r.Declared > 0 && !r.AsDeclared() {
		remark += fmt.Sprintf("  declared %d", r.Declared)
	}
	_, err := fmt.Fprintf(c.out, "%-*s  %-19s %13s nodes %8.3f s %11s nodes/s  table %5.1f %%%s\n",
		width, r.ID, answer, ui.Grouped(r.Nodes), r.Seconds, ui.Grouped(uint64(r.PerSecond)), 100*r.TableFull, remark)
	return err
}

func (c *benchTsume) writeTotal(name string, t bench.TsumeTotal) error {
	if c.JSON {
		return ui.WriteRecord(c.totals, struct {
			Set string `json:"set"`
			bench.TsumeTotal
		}{name, t})
	}
	signature := "none: it needs one thread, and no search that the clock ends"
	if t.Signature > 0 {
		signature = ui.Grouped(t.Signature)
	}
	shortest := ""
	if c.config.Options.Shortest {
		shortest = fmt.Sprintf("%d proven shortest, ", t.Shortest)
	}
	_, err := fmt.Fprintf(c.totals, "%s: %d of %s solved: %s (%s%d as long as declared), %d without mate\n"+
		"%s nodes in %.2f s, %s nodes/s, table up to %.1f %% full\nsignature %s\n",
		name, t.Mates+t.NoMates, ui.Counted(uint64(t.Problems), "problem"), ui.Counted(uint64(t.Mates), "mate"), shortest, t.AsDeclared, t.NoMates,
		ui.Grouped(t.Nodes), t.Seconds, ui.Grouped(uint64(t.PerSecond)), 100*t.TableFull, signature)
	return err
}
