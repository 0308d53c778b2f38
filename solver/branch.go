package solver

import "github.com/yomikiri/yomikiri/games"

// newBrancher returns the [games.Brancher] of a game.
func newBrancher[P, M comparable](g games.Game[P, M]) games.Brancher[P, M] {
	if t, ok := g.(games.Threats[P, M]); ok {
		return t.NewBrancher()
	}
	return &plain[P, M]{game: g}
}

// plain is the [games.Brancher] of a game without [games.Threats]: all moves, and
// nothing is known but finished positions.
type plain[P, M comparable] struct {
	game  games.Game[P, M]
	moves []M
}

func (b *plain[P, M]) AppendBranches(dst []games.Branch[M], p P, attackerToMove bool) ([]games.Branch[M], bool) {
	b.moves = b.game.AppendMoves(b.moves[:0], p)
	for _, m := range b.moves {
		branch := games.Branch[M]{Move: m, Proof: 1, Disproof: 1}
		if v, finished := b.game.Outcome(b.game.Play(p, m)); finished {
			if attackerWins(v, !attackerToMove) {
				branch.Proof, branch.Disproof = 0, unproven
			} else {
				branch.Proof, branch.Disproof = unproven, 0
			}
		}
		dst = append(dst, branch)
	}
	return dst, true
}

func (b *plain[P, M]) AppendCertificate(dst []byte, _ P, _ bool) ([]byte, bool) { return dst, false }

// attackerWins reports whether the attacker has won a finished position of value
// v for the side to move.
func attackerWins(v games.Value, attackerToMove bool) bool {
	if attackerToMove {
		return v.Result() == games.Won
	}
	return v.Result() == games.Lost
}
