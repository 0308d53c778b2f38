package nim

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/solver"
)

// Sums is what nim has beyond other games: Bouton's theory, and a
// second set of rules.
var Sums = app.Extra[Game, Position, Move]{
	Brancher: func(g Game) solver.Brancher[Position, Move] { return brancher{g} },
	Attack:   bySums,
	Check:    checkSecond,
	Verify:   verify,
	Player:   app.PlayBy(openSecond),
	Search:   sumPage,
}

// Commands are the commands of nim alone.
var Commands = []func() *cobra.Command{newSum}

func newSum() *cobra.Command {
	return &cobra.Command{
		Use:   "nimsum POSITION",
		Short: "Print the nim-sum of a position",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := read(args[0])
			if err == nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), p.sum())
			}
			return err
		},
	}
}

func (p Position) sum() uint8 { return p[0] ^ p[1] ^ p[2] }

// brancher tries only the attacker's moves that leave a nim-sum of 0, if there are any.
type brancher struct{ Game }

func (b brancher) AppendBranches(dst []solver.Branch[Move], p Position, attackerToMove bool) ([]solver.Branch[Move], bool) {
	wins := attackerToMove && p.sum() != 0
	for _, m := range b.AppendMoves(nil, p) {
		if q := b.Play(p, m); !wins || q.sum() == 0 {
			branch := solver.Branch[Move]{Move: m, Proof: 1, Disproof: 1}
			if _, finished := b.Outcome(q); finished && attackerToMove {
				branch.Proof, branch.Disproof = 0, solver.Unproven
			} else if finished {
				branch.Proof, branch.Disproof = solver.Unproven, 0
			}
			dst = append(dst, branch)
		}
	}
	return dst, !wins
}

func (brancher) AppendCertificate(dst []byte, _ Position, _ bool) ([]byte, bool) { return dst, false }
