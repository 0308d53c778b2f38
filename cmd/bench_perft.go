package cmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
)

// perftOptions are the flags of bench perft.
type perftOptions struct {
	ui.Printing
	depth int
}

func newBenchPerft(l plugins) *cobra.Command {
	var o perftOptions
	cmd := &cobra.Command{
		Use:   "perft GAME [POSITION]",
		Short: "Count the sequences of moves from a position",
		Long: `Bench perft counts the sequences of --depth legal moves from a position, the start position if
none is given, for each first move and in all. A game ends where its rules say so: no
sequence goes on from there. The counts of chess programs are the same, so two programs
that agree on a few positions agree on the rules.`,
		Example:           "  yomikiri bench perft chess --depth 4",
		Args:              ui.LeastArgs(1),
		ValidArgsFunction: l.completeGames(),
	}
	flags := cmd.Flags()
	ui.NumberFlag(flags, &o.depth, "depth", 4, 1, 100, "number of moves")
	o.JSONFlag(flags)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := l.game(cmd.Flags(), args[0], "")
		if err != nil {
			return err
		}
		g, err := n.open(cmd)
		if err != nil {
			return err
		}
		return benchPerft(cmd, g, args[1:], o)
	}
	return cmd
}

// perftCount is a record of bench perft, for a first move or, without one, for all.
type perftCount struct {
	Game     string  `json:"game"`
	Position string  `json:"position"`
	Depth    int     `json:"depth"`
	Move     string  `json:"move,omitempty"`
	Count    uint64  `json:"count"`
	Seconds  float64 `json:"seconds,omitempty"`
}

func benchPerft(cmd *cobra.Command, g *app.Game, args []string, o perftOptions) error {
	p := g.Start()
	if len(args) > 0 {
		var err error
		if p, err = readPosition(g.Board, args); err != nil {
			return err
		}
	}
	c := perftCount{Game: g.Name(), Position: g.PositionText(p), Depth: o.depth}
	begin, all := time.Now(), uint64(0)
	var failed error
	err := g.Sequences(cmd.Context(), p, o.depth, func(first app.Move, n uint64) {
		all += n
		x := c
		x.Move, x.Count = strings.TrimSpace(string(g.AppendMove(nil, p, first))), n
		if err := o.Result(cmd, x, fmt.Sprintf("%-12s %s\n", x.Move, ui.Grouped(n))); failed == nil {
			failed = err
		}
	})
	switch {
	case failed != nil:
		return failed
	case cmd.Context().Err() != nil:
		return ui.Interrupted("interrupted")
	case err != nil:
		return err
	}
	c.Count, c.Seconds = all, time.Since(begin).Seconds()
	return o.Result(cmd, c, fmt.Sprintf("%-12s %s in %.2f s, %.1f million a second\n", "all", ui.Grouped(all), c.Seconds, float64(all)/c.Seconds/1e6))
}
