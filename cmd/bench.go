package cmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/db"
)

func newBench(l plugins) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast the engines are",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newBenchRetro(l), newBenchAlphaBeta(l))
	for _, p := range l {
		for _, bench := range p.benches {
			cmd.AddCommand(bench())
		}
	}
	return cmd
}

// retroOptions are what the user chose for bench retro.
type retroOptions struct {
	db     string
	cache  int64
	probes int
	time   time.Duration
	seed   uint64
	json   bool
}

func newBenchRetro(l plugins) *cobra.Command {
	var o retroOptions
	var cache string
	cmd := &cobra.Command{
		Use:   "retro [GAME]",
		Short: "Measure the retrograde engine and the database",
		Long: `Bench retro measures moves and unmoves on one thread; the retrograde engine on all
threads, which solves in memory until the time is over; and, if there is a database,
probes of random positions on one thread with a warm cache: the default cache and one of
16 MiB, or the one that --cache asks for.`,
		Args:              arguments(cobra.MaximumNArgs(1)),
		ValidArgsFunction: l.completeSolvable(),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.db, "db", "", "directory of the database (default ./GAME.db if there is one)")
	flags.StringVar(&cache, "cache", "", "size of the cache, such as 64MiB")
	flags.IntVar(&o.probes, "probes", 1_000_000, "number of positions to probe")
	flags.DurationVar(&o.time, "time", 2*time.Second, "approximate time of each measurement")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed")
	flags.BoolVar(&o.json, "json", false, "print a JSON record for each measurement")
	addRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && len(l) > 0 {
			args = []string{l[0].info.Name}
		}
		g, err := l.openArgument(flags, strings.Join(args, ""))
		if err != nil {
			return err
		}
		if o.probes < 1 || o.time <= 0 {
			return usageError{errors.New("--probes and --time must be positive")}
		}
		if cache != "" {
			bytes, err := parseBytes(cache)
			if err != nil {
				return usageError{fmt.Errorf("--cache %w", err)}
			}
			o.cache = int64(bytes)
		}
		if o.db == "" {
			if _, err := db.ReadManifest(nil, defaultDB(g.rules())); err == nil {
				o.db = defaultDB(g.rules())
			}
		}
		return g.benchRetro(cmd, o)
	}
	return cmd
}

func (t *typed[G, P, M]) benchRetro(cmd *cobra.Command, o retroOptions) error {
	memory, err := memoryLimit("")
	if err != nil {
		return err
	}
	if _, err := t.number(cmd, memory, newProgress(cmd.ErrOrStderr(), o.json, false)); err != nil {
		return err
	}
	b := bench.Retro[P, M]{
		Game: t.Game, Indexer: t.indexer, Database: o.db, CacheSizes: []int64{db.DefaultCacheSize, 16 << 20},
		Probes: o.probes, Time: o.time, Seed: o.seed,
	}
	if o.cache > 0 {
		b.CacheSizes = []int64{o.cache}
	}
	return b.Run(cmd.Context(), func(r bench.Result) {
		if o.json {
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
