package gomoku

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
)

// The protocol by which the managers of gomoku tournaments (Piskvork, Gomocup) talk
// to playing programs is lines of text on standard input and output:
//
//	START n          a new game on n x n squares: OK, or ERROR
//	RECTSTART x,y    a new game on x columns and y rows
//	RESTART          a new game on the same board
//	BEGIN            move first: x,y
//	TURN x,y         the opponent has moved there: x,y
//	PLAY x,y         move there: x,y
//	BOARD, x,y,f, …, DONE    a position (f: 1 own, 2 opponent's): x,y
//	SWAP2BOARD, x,y, …, DONE a swap opening of 0, 3 or 5 stones: x,y x,y x,y for the
//	                         first three, x,y to move, or SWAP
//	TAKEBACK x,y     take a stone from the board: OK
//	STOP             end the search: the move so far (YXSTOP is the same)
//	INFO key value   timeout_turn, timeout_match, time_left (milliseconds), max_memory
//	                 (bytes), max_node (positions for a move), and rule (0, or 1: exactly five) count; the rest is ignored
//	ABOUT            name and version
//	END              ends the session
//
// Coordinates count from 0 at the top left. Other commands are answered by UNKNOWN, wrong
// ones by ERROR with the reason; neither changes anything. INFO has no answer: an error in
// one is reported before the next move, as MESSAGE, or as ERROR if it is a rule that the
// program cannot play.

func newGomocup() *cobra.Command {
	var files []string
	var openings string
	var c Config
	cmd := &cobra.Command{
		Use:   "gomocup [--proof FILE ...]",
		Short: "Play gomoku for a tournament manager (Gomocup protocol)",
		Long: `Gomocup plays gomoku on boards of 5 to 20 squares a side, where five or more in a row
win, or exactly five. It speaks the protocol of Gomocup and Piskvork on standard input
and output: START, RECTSTART, RESTART, BEGIN, TURN, PLAY, BOARD, SWAP2BOARD, TAKEBACK,
STOP, INFO, ABOUT and END. It plays as yomikiri play gomoku --level 10 does, for most of its
time: forced wins by fours or threats if it finds one, and otherwise what a search likes
best of the moves that do not lose by such a win of the opponent. It says so when it plays
a forced win, but does not verify it as yomikiri gomoku does. Of INFO it obeys
timeout_turn, timeout_match, time_left, max_memory, max_node (positions for a move, which
some managers send), and rule if that is 0 (five or more) or 1 (exactly five). It does not
play on after five, renju or Caro (2, 4 and 8).

With --proof it plays by proof files, without a search, wherever one of them has the
position or a mirror image, whatever the moves before it. Of the board without stones it
plays the first move that all proofs share. It says of each move which file has it. A swap
opening (SWAP2BOARD) it answers without proofs: what they prove does not begin with one.

With --book it plays by an opening book where that has the position and no win is known.

Tournament managers start a program without arguments, by a name that begins with pbrain-.
Copy or link the program to such a name, and it runs this command.`,
		Example: "  printf 'START 15\\nBEGIN\\nEND\\n' | yomikiri gomocup\n" +
			"  ln -s \"$(command -v yomikiri)\" pbrain-yomikiri\n" +
			"  yomikiri gomocup --proof proofs/*.proof",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(files) > 0 {
				files, args = append(files, args...), nil
			}
			return ui.NoArgs(cmd, args)
		},
	}
	prooffile.Flag(cmd.Flags(), &files, "to play by; more files may follow it")
	ui.BookFlag(cmd.Flags(), &openings)
	ui.SeedFlag(cmd.Flags(), &c.Seed)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var err error
		if c.Book, err = app.ReadBook(openings); err != nil {
			return err
		}
		if len(files) > 0 {
			c.OpenProofs = func() (map[string]*prooffile.Set, error) {
				return prooffile.Open(cmd, files, &gomoku.Family.Info, Players())
			}
		}
		return Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), c)
	}
	return cmd
}

// Players returns a function that returns players for proofs of the games that the
// protocol has.
func Players() func(h *proof.Header) (app.ProofPlayer, error) {
	players := map[string]app.ProofPlayer{}
	return func(h *proof.Header) (p app.ProofPlayer, err error) {
		if p := players[h.Game]; p != nil {
			return p, nil
		}
		if g, err := gomoku.Family.Open(h.Game); err != nil || g.Rules().K != 5 || min(g.Rules().Rows, g.Rules().Columns) < 5 {
			return nil, ui.Usage(fmt.Errorf("the proof is about %s; gomocup plays five in a row on boards of 5 to 20 squares a side", h.Game))
		}
		p, err = app.PlayBy(gomokurules.Open)(h.Game, nil)
		players[h.Game] = p
		return p, err
	}
}
