package cmd

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/cmd/ui"
)

// probesOptions are the flags of bench probes.
type probesOptions struct {
	ui.Printing
	against string
	cache   uint64
	probes  int
	seed    uint64
}

func newBenchProbes(l plugins) *cobra.Command {
	o := probesOptions{cache: 1 << 20}
	cmd := &cobra.Command{
		Use:   "probes DATABASE",
		Short: "Measure what lookups in a database cost",
		Long: `Bench probes measures, on one thread and beginning with an empty cache, the CPU time and the
blocks read of a lookup: of random positions, and of all moves of the positions along games
of best play. With --against, the values must be those of another database of the game.`,
		Example: "  yomikiri bench probes small.db --against full.db",
		Args:    ui.ExactArgs(1),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.against, "against", "", "directory of a database with the same values")
	ui.MemoryFlag(flags, &o.cache, "cache", "1MiB", "size of the cache, such as 64MiB")
	ui.NumberFlag(flags, &o.probes, "probes", 1_000_000, 1, math.MaxInt32, "number of lookups")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed")
	o.JSONFlag(flags)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, _, err := l.openDirectory(cmd, args[0])
		if err != nil {
			return err
		}
		return benchProbes(cmd, g, args[0], o)
	}
	return cmd
}

func benchProbes(cmd *cobra.Command, g *app.Game, dir string, o probesOptions) error {
	if _, err := number(cmd, g, ui.MemoryLimit(), o.Progress(cmd)); err != nil {
		return err
	}
	b := bench.Probes{
		Game: g, Database: dir, Against: o.against,
		CacheSize: int64(o.cache), Probes: o.probes, Seed: o.seed,
	}
	return b.Run(cmd.Context(), func(r bench.ProbeCost) {
		compared := ""
		if r.Compared > 0 {
			compared = fmt.Sprintf(", %s values are the same", ui.Grouped(r.Compared))
		}
		o.Result(cmd, r, fmt.Sprintf("%-22s %12s lookups, %9.2f µs and %6.4f blocks each%s\n", r.Name, ui.Grouped(r.Probes), r.CPUMicroseconds, r.Blocks, compared))
	})
}
