package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/db"
)

func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast the engines are",
		Args:  arguments(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchRetro(), newBenchGomoku(), newBenchSecondMoves(), newBenchTsume())
	return cmd
}

func newBenchRetro() *cobra.Command {
	b := bench.Retro{}
	var asJSON bool
	var cache int64
	cmd := &cobra.Command{
		Use:   "retro [GAME]",
		Short: "Measure the retrograde engine and the database",
		Long: `Bench retro measures moves and unmoves on one thread; the retrograde engine on all
threads, which solves in memory until the time is over; and, if there is a
database, probes of random positions on one thread with a warm cache: the default
cache and one of 16 MiB, or the one that --cache asks for.`,
		Args:              arguments(cobra.MaximumNArgs(1)),
		ValidArgsFunction: completeGames,
	}
	flags := cmd.Flags()
	flags.StringVar(&b.Database, "db", "", "directory of the database (default ./GAME.db if there is one)")
	flags.Int64Var(&cache, "cache", 0, "size of the cache in MiB")
	flags.IntVar(&b.Probes, "probes", 1_000_000, "number of different positions to probe")
	flags.DurationVar(&b.Time, "time", 2*time.Second, "about how long each measurement takes")
	flags.Uint64Var(&b.Seed, "seed", 1, "seed of the random choice")
	flags.BoolVar(&asJSON, "json", false, "write a JSON record for each measurement")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		spec := "dobutsu"
		if len(args) > 0 {
			spec = args[0]
		}
		var err error
		if b.Game, err = openGame(spec); err != nil {
			return err
		}
		if b.Probes < 1 || b.Time <= 0 || cache < 0 {
			return usageError{fmt.Errorf("--probes and --time must be positive, --cache not negative")}
		}
		if b.Database == "" {
			if _, err := db.ReadManifest(nil, defaultDB(b.Game)); err == nil {
				b.Database = defaultDB(b.Game)
			}
		}
		b.CacheSizes = []int64{db.DefaultCacheSize, 16 << 20}
		if cache > 0 {
			b.CacheSizes = []int64{cache << 20}
		}
		return b.Run(cmd.Context(), func(r bench.Result) {
			if asJSON {
				record(cmd.OutOrStdout(), r)
				return
			}
			cpu := ""
			if r.CPUNanoseconds > 0 {
				cpu = fmt.Sprintf(", %.0f ns of CPU time each", r.CPUNanoseconds)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%-34s %14s %s/s%s\n", r.Name, grouped(uint64(r.PerSecond)), r.Unit, cpu)
		})
	}
	return cmd
}
