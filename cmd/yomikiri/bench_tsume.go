package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/dfpn"
)

func newBenchTsume() *cobra.Command {
	b := bench.Tsume{}
	var memory int64
	var asJSON, asCSV bool
	var plot string
	cmd := &cobra.Command{
		Use:   "tsume [zuko|muso|FILE ...]",
		Short: "Measure how fast sets of shogi mate problems are solved",
		Long: `Bench tsume solves sets of mate problems one after the other: zuko and muso, which
come with the program, or files as for yomikiri tsume. Without an argument it
solves zuko. It writes a line for each problem and the total. With one thread and
no limit but --nodes the total of nodes is a signature: only a change of the search
changes it.`,
	}
	flags := cmd.Flags()
	flags.DurationVar(&b.Time, "time", 0, "time for each problem (0: no limit)")
	flags.Uint64Var(&b.Options.Nodes, "nodes", 1_000_000, "positions to search for each problem (0: no limit)")
	flags.Int64Var(&memory, "memory", 256, "size of the table in MiB")
	flags.IntVar(&b.Options.Threads, "threads", 1, "threads")
	flags.BoolVar(&b.Options.Shortest, "shortest", false, "find the shortest mates")
	flags.BoolVar(&asJSON, "json", false, "write a JSON record for each problem")
	flags.BoolVar(&asCSV, "csv", false, "write comma-separated values")
	flags.StringVar(&plot, "plot", "", "write a cactus plot to this file (SVG)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if memory < 1 || b.Options.Threads < 1 || b.Time < 0 || asJSON && asCSV {
			return usageError{errors.New("--memory and --threads must be positive, --time not negative; --json and --csv exclude one another")}
		}
		b.Memory = memory << 20
		if len(args) == 0 {
			args = []string{"zuko"}
		}
		for _, arg := range args {
			entries, err := bench.TsumeSet(arg)
			if err != nil {
				if entries, err = readProblems(cmd.InOrStdin(), []string{arg}); err != nil {
					return usageError{err}
				}
			}
			b.Problems = append(b.Problems, entries...)
		}
		w := benchWriter{out: cmd.OutOrStdout(), asJSON: asJSON}
		if asCSV {
			w.csv = csv.NewWriter(w.out)
		}
		if err := w.header(); err != nil {
			return err
		}
		total, err := b.Run(cmd.Context(), w.result)
		if err != nil {
			return err
		}
		if err := w.total(&total); err != nil || plot == "" {
			return err
		}
		cactus := total.Cactus(strings.Join(args, ", "))
		svg, err := cactus.SVG()
		if err != nil {
			return err
		}
		return os.WriteFile(plot, svg, 0o644)
	}
	return cmd
}

// benchWriter writes results of bench tsume as text, JSON or CSV.
type benchWriter struct {
	out    io.Writer
	asJSON bool
	csv    *csv.Writer
}

func (w *benchWriter) header() error {
	if w.csv == nil {
		return nil
	}
	return w.csv.Write([]string{"problem", "declared", "outcome", "length", "seconds", "nodes", "nodes_per_second", "table_use"})
}

func (w *benchWriter) result(r bench.TsumeResult) error {
	s := &r.Solution
	speed := float64(s.Nodes) / max(s.Time.Seconds(), 1e-6)
	switch {
	case w.asJSON:
		return record(w.out, struct {
			Name     string  `json:"name"`
			Declared int     `json:"declared,omitempty"`
			Outcome  string  `json:"outcome"`
			Length   int     `json:"length,omitempty"`
			Seconds  float64 `json:"seconds"`
			Nodes    uint64  `json:"nodes"`
			Full     float64 `json:"table_use"`
		}{r.Entry.Name, r.Entry.Declared, outcomeNames[s.Outcome], s.Length, s.Time.Seconds(), s.Nodes, s.Full})
	case w.csv != nil:
		return w.csv.Write([]string{
			r.Entry.Name, strconv.Itoa(r.Entry.Declared), outcomeNames[s.Outcome], strconv.Itoa(s.Length),
			fmt.Sprintf("%.3f", s.Time.Seconds()), strconv.FormatUint(s.Nodes, 10), fmt.Sprintf("%.0f", speed), fmt.Sprintf("%.4f", s.Full),
		})
	}
	outcome := outcomeNames[s.Outcome]
	if s.Outcome == dfpn.Proven {
		outcome = fmt.Sprintf("mate in %d", s.Length)
	}
	_, err := fmt.Fprintf(w.out, "%-20s %-14s %9.2f s %14s nodes %11s nodes/s  table %4.1f %%\n",
		r.Entry.Name, outcome, s.Time.Seconds(), grouped(s.Nodes), grouped(uint64(speed)), 100*s.Full)
	return err
}

func (w *benchWriter) total(t *bench.TsumeTotal) error {
	switch {
	case w.asJSON:
		return record(w.out, t)
	case w.csv != nil:
		w.csv.Flush()
		return w.csv.Error()
	}
	_, err := fmt.Fprintf(w.out, "solved %d of %d (%d mates) in %s, %s nodes/s, table at most %.1f %% full\nsignature %d\n",
		t.Solved, t.Problems, t.Mates, t.Time.Round(10*time.Millisecond), grouped(uint64(t.NodesPerSecond())), 100*t.Full, t.Nodes)
	return err
}
