package main

import (
	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/games/gomoku/gomocup"
)

func newGomocup() *cobra.Command {
	return &cobra.Command{
		Use:   "gomocup",
		Short: "Play gomoku for a tournament manager (Gomocup protocol)",
		Long: `Gomocup plays gomoku on boards of 5 to 19 squares a side, under the rules of five
or more and of exactly five. It speaks the protocol of Gomocup and Piskvork on
standard input and output: START, RECTSTART, RESTART, BEGIN, TURN, BOARD,
TAKEBACK, INFO, ABOUT and END. It plays the forced win where it finds one, stops
the opponent's, and looks a few plies ahead otherwise.`,
		Example: "  printf 'START 15\\nBEGIN\\nEND\\n' | yomikiri gomocup",
		Args:    arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return gomocup.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(),
				gomocup.About{Name: "yomikiri", Version: version()})
		},
	}
}
