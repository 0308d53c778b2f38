package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

func newBenchSecondMoves() *cobra.Command {
	b := bench.SecondMoves{}
	var directory string
	var o printing
	cmd := &cobra.Command{
		Use:   "second-moves",
		Short: "Try to prove gomoku won after each second move",
		Long: `Bench second-moves tries to prove, on one thread, that Black wins after a first stone in
the centre and each answer of White, mirror images left out. It searches threats first,
then quiet moves. Answers far from the centre come first. A win is reported once its proof
has been checked by plain rules; --time does not count that. The other answers come at the
end.

With --proofs each proof is written to a file in a directory, such as a1.proof, for
yomikiri check.`,
		Example: "  yomikiri bench second-moves --time 30m",
		Args:    arguments(cobra.NoArgs),
	}
	flags := cmd.Flags()
	timeFlag(flags, &b.Time, "time", "30m", "time for all moves together")
	memoryFlag(flags, &b.Memory, "memory", "4GiB", "memory for the searches; trees of wins are not counted")
	flags.StringVar(&directory, "proofs", "", "directory for the proof files, made if it does not exist")
	o.jsonFlag(flags)
	addRuleFlags(cmd, &gomoku.Family.Info)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if b.Game, err = gomoku.Family.Open(withRules(flags, "gomoku")); err != nil {
			return usageError{err}
		}
		if b.Time == 0 {
			return usageError{errors.New("--time 0: want a time above 0")}
		}
		b.By = "yomikiri " + version()
		if directory != "" {
			if err := os.MkdirAll(directory, 0o777); err != nil {
				return err
			}
			if err := checkOutput(filepath.Join(directory, "a1.proof"), true); err != nil {
				return fmt.Errorf("--proofs: %w", err)
			}
			b.Proof = func(move string, file []byte) error {
				return writeFile(filepath.Join(directory, move+".proof"), file)
			}
		}
		var all bench.SecondMove
		moves, won := 0, 0
		err = b.Run(cmd.Context(), func(m bench.SecondMove) {
			moves++
			all.Nodes += m.Nodes
			all.Seconds += m.Seconds
			result := "not proven"
			if m.Won {
				won++
				result = "won, proof of " + counted(m.Verified.Nodes, "node")
			}
			o.result(cmd, m, fmt.Sprintf("%-4s  %-24s %9s nodes  %7.1f s\n", m.Move, result, grouped(m.Nodes), m.Seconds))
		})
		if err == nil && !o.json {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d of %s proven won, %s, %.0f s\n",
				won, counted(uint64(moves), "second move"), counted(all.Nodes, "node"), all.Seconds)
		}
		return err
	}
	return cmd
}
