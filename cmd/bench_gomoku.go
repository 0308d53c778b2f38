package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

func newBenchGomoku() *cobra.Command {
	b := bench.Gomoku{}
	var o printing
	cmd := &cobra.Command{
		Use:   "gomoku [PUZZLES]",
		Short: "Measure how long searches for threats take",
		Long: `Bench gomoku measures, on one thread, how long searches for continuous fours, for
threats in threat space and for continuous threats take in middle-game positions. The
positions are from games of the program against itself after random openings.

With a file of puzzles it also measures the search for continuous fours in each, and
fails if a puzzle has another solution than the file says. The fields of a line are
separated by tabs: id, rule (freestyle or exact5), size, side to move (b or w), stones,
claim, number of the attacker's moves.`,
		Args: arguments(cobra.MaximumNArgs(1)),
	}
	flags := cmd.Flags()
	numberFlag(flags, &b.Positions, "positions", 1000, 0, 1_000_000, "number of middle-game positions; 0 for the puzzles alone")
	numberFlag(flags, &b.Repeat, "repeat", 3, 1, 1_000_000, "how often to repeat each search; the fastest time counts")
	flags.Uint64Var(&b.Nodes, "nodes", 10_000, "node limit of a search for continuous threats; 0 for none")
	flags.Uint64Var(&b.Seed, "seed", 1, "random seed")
	o.jsonFlag(flags)
	addRuleFlags(cmd, &gomoku.Family.Info)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if b.Game, err = gomoku.Family.Open(withRules(flags, "gomoku")); err != nil {
			return usageError{err}
		}
		if b.Positions == 0 && len(args) == 0 {
			return usageError{errors.New("--positions 0 and no puzzles: there is nothing to measure")}
		}
		if len(args) > 0 {
			if b.Puzzles, err = readPuzzles(cmd, args[0]); err != nil {
				return err
			}
		}
		return b.Run(cmd.Context(), func(l bench.Latency) {
			o.result(cmd, l, fmt.Sprintf("%-31s %5d searches, %4d wins; median %s, 90 %% %s, longest %s; %s a minute\n",
				l.Name, l.Searches, l.Wins, short(l.Median), short(l.Ninety), short(l.Longest), grouped(uint64(l.PerMinute))))
		})
	}
	return cmd
}

func readPuzzles(cmd *cobra.Command, name string) ([]bench.GomokuPuzzle, error) {
	text, err := readInput(cmd, name)
	if err != nil {
		return nil, err
	}
	list, err := bench.ReadGomokuPuzzles(bytes.NewReader(text))
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", name, err)}
	}
	return list, nil
}

// short formats a time much shorter than a second.
func short(seconds float64) string {
	return time.Duration(seconds * 1e9).Round(100 * time.Nanosecond).String()
}
