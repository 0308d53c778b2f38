package cmd

import (
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/internal/plot"
)

// matchmakingOptions are the flags of bench matchmaking.
type matchmakingOptions struct {
	players   int
	doubling  float64
	deviation float64
	affinity  float64
	plot      string
	bench     bench.Matchmaking
}

func (o *matchmakingOptions) addFlags(flags *pflag.FlagSet) {
	numberFlag(flags, &o.players, "players", 50, 2, 1000, "number of players")
	numberFlag(flags, &o.bench.Pairs, "pairs", 1000, 1, 1_000_000, "pairs of games in a run")
	numberFlag(flags, &o.bench.Runs, "runs", 100, 2, 100_000, "number of runs")
	realFlag(flags, &o.doubling, "doubling", 130, 0, 10_000, "Elo points for twice the nodes, for players in an order")
	realFlag(flags, &o.deviation, "deviation", 30, 0, 10_000, "standard deviation of the strengths of close players, in Elo points")
	realFlag(flags, &o.affinity, "affinity", 10, 0, 10_000, "standard deviation of what two close players make of their difference, in Elo points")
	fileFlag(flags, &o.plot, "plot", false, "plot the errors to a file, as SVG")
	threadsFlag(flags, &o.bench.Threads, "0", "runs at the same time")
	flags.Uint64Var(&o.bench.Seed, "seed", 1, "random seed")
}

func newBenchMatchmaking() *cobra.Command {
	var o matchmakingOptions
	cmd := &cobra.Command{
		Use:   "matchmaking",
		Short: "Measure how well ways to choose opponents rank players",
		Long: `Bench matchmaking repeats a table of docs/weighing.md.

Players of known strength play pairs of games, whose results are drawn by chance. Opponents are
chosen at random, by ranking, by result, or in a mixture of all three, as train --weigh does.
After some pairs the ranks by their Elo ratings are compared with the true ones. The players
are, first, one program with 1,000 nodes, 1,200 nodes and so on; and second, players that are
close and some of which suit each other, so that they have no strict order.`,
		Example: "  yomikiri bench matchmaking --runs 1000 --plot matchmaking.svg",
		Args:    arguments(cobra.NoArgs),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd) }
	return cmd
}

func (o *matchmakingOptions) run(c *cobra.Command) error {
	const points = 40 // of a curve
	o.bench.Every = max(o.bench.Pairs/points, 1)
	var plots []plot.Plot
	for _, of := range []struct {
		title   string
		players func(rng *rand.Rand) bench.Rivals
	}{
		{fmt.Sprintf("%d players in an order, %g Elo for twice the nodes", o.players, o.doubling),
			func(*rand.Rand) bench.Rivals { return bench.Ordered(o.players, o.doubling) }},
		{fmt.Sprintf("%d close players, deviation %g Elo, affinity %g", o.players, o.deviation, o.affinity),
			func(rng *rand.Rand) bench.Rivals { return bench.Close(o.players, o.deviation, o.affinity, rng) }},
	} {
		o.bench.Players = of.players
		all, err := o.bench.Run(c.Context())
		if err != nil {
			return ended(c.Context(), err)
		}
		fmt.Fprintf(c.OutOrStdout(), "%s\n%s", of.title, o.bench.Text(all))
		p := o.bench.Figure(of.title, all)
		p.Width, p.Height = 620, 380
		plots = append(plots, p)
	}
	if o.plot == "" {
		return nil
	}
	svg, err := plot.Sheet("Errors of rank by the choice of opponents", len(plots), plots)
	if err != nil {
		return err
	}
	return writeFile(o.plot, svg)
}
