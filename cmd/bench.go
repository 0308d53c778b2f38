package cmd

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
)

func newBench(l plugins) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast the engines are",
		RunE:  ui.ShowHelp,
	}
	cmd.AddCommand(newBenchRetro(l), newBenchProbes(l), newBenchPerft(l))
	for _, p := range l {
		for _, bench := range p.Benches {
			cmd.AddCommand(bench())
		}
	}
	return cmd
}

// retroOptions are the flags of bench retro.
type retroOptions struct {
	ui.Printing
	db     string
	cache  uint64
	probes int
	time   time.Duration
	seed   uint64
}

func newBenchRetro(l plugins) *cobra.Command {
	var o retroOptions
	cmd := &cobra.Command{
		Use:   "retro [GAME]",
		Short: "Measure the retrograde engine and the database",
		Long: `Bench retro measures moves and unmoves on one thread; the retrograde engine on all
threads, which solves in memory until the time is over; and, if there is a database,
probes of random positions on one thread with a warm cache: the default cache and one of
16 MiB, or the one that --cache asks for.`,
		Example:           "  yomikiri bench retro dobutsu",
		Args:              ui.MostArgs(1),
		ValidArgsFunction: l.completeSolvable(),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.db, "db", "", "directory of the database, or its game (default ./GAME.db if there is one)")
	ui.MemoryFlag(flags, &o.cache, "cache", "", "size of the cache, such as 64MiB")
	ui.NumberFlag(flags, &o.probes, "probes", 1_000_000, 1, math.MaxInt32, "number of positions to probe")
	ui.TimeFlag(flags, &o.time, "time", "2s", "approximate time of each measurement")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed")
	o.JSONFlag(flags)
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.time == 0 {
			return ui.Usage(errors.New("--time 0: want a time above 0"))
		}
		if len(args) == 0 && len(l) > 0 {
			args = []string{l[0].Name}
		}
		g, err := l.open(ui.WithRules(flags, strings.Join(args, "")))
		if err != nil {
			return err
		}
		if o.db != "" {
			o.db = l.flagDirectory(o.db)
		} else if _, err := store.ReadManifest(nil, defaultDB(g.Rules)); err == nil {
			o.db = defaultDB(g.Rules)
		}
		return benchRetro(cmd, g, o)
	}
	return cmd
}

func benchRetro(cmd *cobra.Command, g *app.Game, o retroOptions) error {
	if _, err := number(cmd, g, ui.MemoryLimit(), o.Progress(cmd)); err != nil {
		return err
	}
	b := bench.Retro{
		Game: g, Database: o.db, CacheSizes: []int64{db.DefaultCacheSize, 16 << 20},
		Probes: o.probes, Time: o.time, Seed: o.seed,
	}
	if o.cache > 0 {
		b.CacheSizes = []int64{int64(o.cache)}
	}
	return b.Run(cmd.Context(), func(r bench.Measurement) {
		cpu := ""
		if r.CPUNanoseconds > 0 {
			cpu = fmt.Sprintf(", %.0f ns of CPU time each", r.CPUNanoseconds)
		}
		o.Result(cmd, r, fmt.Sprintf("%-34s %14s %s/s%s\n", r.Name, ui.Grouped(uint64(r.PerSecond)), r.Unit, cpu))
	})
}
