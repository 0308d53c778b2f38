package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/gomoku/gomocup"
	"github.com/yomikiri/yomikiri/vct"
)

func newGomocup() *cobra.Command {
	return &cobra.Command{
		Use:   "gomocup",
		Short: "Play gomoku for a tournament manager (Gomocup protocol)",
		Long: `Gomocup plays gomoku on boards of 5 to 19 squares a side, where five or more in a row
win, or exactly five. It speaks the protocol of Gomocup and Piskvork on standard input
and output: START, RECTSTART, RESTART, BEGIN, TURN, BOARD, TAKEBACK, INFO, ABOUT and END.
It plays forced wins by continuous fours or threats if it finds one, stops those of the
opponent, and otherwise looks a few plies ahead. Of INFO it obeys rule and timeout_turn.`,
		Example: "  printf 'START 15\\nBEGIN\\nEND\\n' | yomikiri gomocup",
		Args:    arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return gomocup.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(),
				gomocup.Config{Name: "yomikiri", Version: version(), NewProver: threatProver})
		},
	}
}

// threatProver returns a search for victories by continuous threats.
func threatProver(g *gomoku.Game) func(context.Context, gomoku.Position) *gomoku.Tree {
	const nodes, tableSize = 50_000, 64 << 20
	s, err := vct.NewSearcher(g, vct.Config{Nodes: nodes, TableSize: tableSize})
	if err != nil {
		panic(err) // the table is large enough
	}
	return func(ctx context.Context, p gomoku.Position) *gomoku.Tree {
		r, _ := s.Search(ctx, p) // it fails only with its context
		return r.Tree
	}
}
