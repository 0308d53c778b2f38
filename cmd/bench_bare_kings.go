package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
)

// bareKingsOptions are the flags of bench bare-kings.
type bareKingsOptions struct {
	printing
	pieces, nodes, threads int
	memory                 uint64
	results                string // file
}

func newBenchBareKings() *cobra.Command {
	var o bareKingsOptions
	cmd := &cobra.Command{
		Use:   "bare-kings",
		Short: "Find the hands that mate a lone king",
		Long: `Bench bare-kings asks with which hands a lone king is mated (裸玉), on each of the 45
squares of half the board. The defender holds all other pieces. More in hand never hurts,
so one answer settles many hands. For each square it prints how many hands mate, do not,
and are not decided, and the hands with the fewest pieces that are known to mate.

The limit of nodes for a hand is 250 at first, and grows fourfold from round to round,
up to --nodes. With --results, the same command continues after an interrupt, or with a
higher limit.`,
		Example: "  yomikiri bench bare-kings --pieces 6 --results kings.jsonl",
		Args:    arguments(cobra.NoArgs),
	}
	flags := cmd.Flags()
	numberFlag(flags, &o.pieces, "pieces", 6, 0, 38, "most pieces in hand")
	numberFlag(flags, &o.nodes, "nodes", 1000, 1, math.MaxInt32, "node limit for a hand")
	memoryFlag(flags, &o.memory, "memory", "1GiB", "memory for the tables of all threads together")
	threadsFlag(flags, &o.threads, "0", "number of threads")
	fileFlag(flags, &o.results, "results", true, "append what is found to a file, as JSON records")
	o.flags(flags)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd) }
	return cmd
}

func (o *bareKingsOptions) run(cmd *cobra.Command) (err error) {
	b := bench.NewBareKings()
	b.Pieces, b.Nodes, b.Workers, b.Memory = o.pieces, uint64(o.nodes), o.threads, int64(o.memory)
	keep := func(bench.BareKing) error { return nil }
	if o.results != "" {
		f, err := openResults(o.results, "bench bare-kings 1", b.Add, func(err error) {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", cmd.Root().Name(), err)
		}, `{"sfen":`, `{"square":`)
		if err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, f.Close()) }()
		keep = func(k bench.BareKing) error { return f.add(k) }
	}
	progress, begin, round := o.progress(cmd), time.Now(), uint64(0)
	b.Progress = func(p bench.BareKingProgress) {
		if p.Nodes != round {
			begin, round = time.Now(), p.Nodes
		}
		progress.showDone(begin, fmt.Sprintf("hands with up to %s nodes", grouped(p.Nodes)), uint64(p.Done), uint64(p.Done+p.Open))
	}
	results, err := b.Run(cmd.Context(), keep)
	progress.done()
	if errors.Is(err, context.Canceled) && o.results != "" {
		return interruptedError{"interrupted; the same command continues"}
	}
	if err != nil {
		return err
	}
	total := bench.BareKingSquare{Square: "all"}
	for _, r := range results {
		if err := o.result(cmd, r, bareKingLine(r)); err != nil {
			return err
		}
		total.Mates += r.Mates
		total.NoMates += r.NoMates
		total.Unknown += r.Unknown
		total.Nodes += r.Nodes
	}
	return o.result(cmd, total, bareKingLine(total))
}

// bareKingLine is the result for a square as a line of text.
func bareKingLine(r bench.BareKingSquare) string {
	fewest := ""
	if len(r.Fewest) > 0 {
		fewest = "  first " + strings.Join(r.Fewest[:min(len(r.Fewest), 3)], " ")
		if n := len(r.Fewest) - 3; n > 0 {
			fewest += fmt.Sprintf(" and %d more", n)
		}
	}
	return fmt.Sprintf("%-3s  %7s mates  %7s no mates  %7s unknown%s\n", r.Square, grouped(uint64(r.Mates)), grouped(uint64(r.NoMates)), grouped(uint64(r.Unknown)), fewest)
}
