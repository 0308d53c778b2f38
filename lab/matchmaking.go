package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/lab/ranking"
)

// matchmakingOptions are the flags of matchmaking.
type matchmakingOptions struct {
	players    int
	doubling   float64
	deviation  float64
	affinity   float64
	plot       string
	experiment ranking.Experiment
}

func (o *matchmakingOptions) addFlags(flags *pflag.FlagSet) {
	ui.NumberFlag(flags, &o.players, "players", 50, 2, 1000, "number of players")
	ui.NumberFlag(flags, &o.experiment.Pairs, "pairs", 1000, 1, 1_000_000, "pairs of games in a run")
	ui.NumberFlag(flags, &o.experiment.Runs, "runs", 100, 2, 100_000, "number of runs")
	ui.RealFlag(flags, &o.doubling, "doubling", 130, 0, 10_000, "Elo points for twice the nodes, for players in an order")
	ui.RealFlag(flags, &o.deviation, "deviation", 30, 0, 10_000, "standard deviation of the strengths of close players, in Elo points")
	ui.RealFlag(flags, &o.affinity, "affinity", 10, 0, 10_000, "standard deviation of what two close players make of their difference, in Elo points")
	flags.StringVar(&o.plot, "plot", "", "plot the errors to a `file`, as SVG")
	ui.ThreadsFlag(flags, &o.experiment.Threads, "0", "runs at the same time")
	flags.Uint64Var(&o.experiment.Seed, "seed", 1, "random seed")
}

func newMatchmaking() *cobra.Command {
	var o matchmakingOptions
	cmd := &cobra.Command{
		Use:   "matchmaking",
		Short: "Measure how well ways to choose opponents rank players",
		Long: `Matchmaking repeats a table of docs/weighing.md.

Players of known strength play pairs of games, whose results are drawn by chance. Opponents are
chosen at random, by ranking, by result, or in a mixture of all three, as weigh does.
After some pairs the ranks by their Elo ratings are compared with the true ones. The players
are, first, one program with 1,000 nodes, 1,200 nodes and so on; and second, players that are
close and some of which suit each other, so that they have no strict order.`,
		Example: "  lab matchmaking --runs 1000 --plot matchmaking.svg",
		Args:    ui.NoArgs,
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd) }
	return cmd
}

func (o *matchmakingOptions) run(c *cobra.Command) error {
	const points = 40 // of a curve
	o.experiment.Every = max(o.experiment.Pairs/points, 1)
	var plots []plot.Plot
	for _, of := range []struct {
		title   string
		players func(rng *rand.Rand) ranking.Rivals
	}{
		{fmt.Sprintf("%d players in an order, %g Elo for twice the nodes", o.players, o.doubling),
			func(*rand.Rand) ranking.Rivals { return ranking.Ordered(o.players, o.doubling) }},
		{fmt.Sprintf("%d close players, deviation %g Elo, affinity %g", o.players, o.deviation, o.affinity),
			func(rng *rand.Rand) ranking.Rivals { return ranking.Close(o.players, o.deviation, o.affinity, rng) }},
	} {
		o.experiment.Players = of.players
		all, err := o.experiment.Run(c.Context())
		if err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s\n%s", of.title, o.experiment.Text(all))
		p := o.experiment.Figure(of.title, all)
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
	return ui.WriteFile(o.plot, svg)
}
