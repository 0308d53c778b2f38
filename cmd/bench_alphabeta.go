package cmd

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
)

// alphaBetaOptions are the flags of bench alpha-beta.
type alphaBetaOptions struct {
	printing
	db        string
	memory    uint64
	positions int
	nodes     uint64
	time      time.Duration
	seed      uint64
}

func newBenchAlphaBeta(l plugins) *cobra.Command {
	var o alphaBetaOptions
	cmd := &cobra.Command{
		Use:   "alpha-beta GAME",
		Short: "Measure depth-limited searches",
		Long: `Bench alpha-beta searches the start position of a game and positions of random games, each
for some time, on one thread, with an empty table, and over a database if there is one.`,
		Example:           "  yomikiri bench alpha-beta checkers\n  yomikiri bench alpha-beta checkers --size 6x6 --db 6x6.db",
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: l.completeProvable(),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.db, "db", "", "directory of a database of the game, or of a part of it, or the name of the game (default none)")
	memoryFlag(flags, &o.memory, "memory", "64MiB", "size of the table")
	numberFlag(flags, &o.positions, "positions", 10, 0, math.MaxInt32, "number of positions of random games")
	flags.Uint64Var(&o.nodes, "nodes", 0, "node limit of a search; 0 for none")
	timeFlag(flags, &o.time, "time", "1s", "time of a search; 0 for no limit")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed")
	o.jsonFlag(flags)
	addRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if o.time == 0 && o.nodes == 0 {
			return usageError{errors.New("--time 0 and --nodes 0: want a limit")}
		}
		var g instance
		if o.db == "" {
			g, err = l.openArgument(flags, args[0])
		} else {
			g, o.db, err = l.openSolved(cmd, args[0], o.db)
		}
		if err != nil {
			return err
		}
		return g.benchAlphaBeta(cmd, o)
	}
	return cmd
}

func (t *typed[G, P, M]) benchAlphaBeta(cmd *cobra.Command, o alphaBetaOptions) (err error) {
	b := bench.AlphaBeta[P, M]{
		Game: t.family.New(t.asked), Positions: o.positions, Seed: o.seed,
		Config: alphabeta.Config[P]{Nodes: o.nodes, Time: o.time, Memory: o.memory},
	}
	if o.db != "" {
		d, prober, err := t.openProber(cmd, o.db)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.Close()) }()
		b.Config.Database = db.NewEndgame(prober)
	}
	err = b.Run(cmd.Context(), func(s bench.Searches) {
		o.result(cmd, s, fmt.Sprintf("%-25s  searches %3d, depth %4.1f, %12s nodes/s, %2.0f %% of them in the database; proven: values %d, other bounds %d\n",
			s.Name, s.Searches, s.Depth, grouped(uint64(s.PerSecond)), 100*float64(s.Probes)/float64(max(s.Nodes, 1)), s.Proven, s.Bounded))
	})
	if errors.Is(err, alphabeta.ErrUnsuited) {
		return usageError{err}
	}
	return err
}
