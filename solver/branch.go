package solver

import "github.com/yomikiri/yomikiri/games"

// What a game knows beyond its rules. The types are declared in package games as long
// as a game's own package implements them.
type (
	// Threats is the capability to see more in a position than the rules say.
	Threats[P, M comparable] = games.Threats[P, M]
	// Brancher judges positions for a search.
	Brancher[P, M comparable] = games.Brancher[P, M]
	// Branch is a move and a judgement of the position after it.
	Branch[M comparable] = games.Branch[M]
)

// Unproven is the largest proof or disproof number.
const Unproven = games.Unproven

// newBrancher returns the [Brancher] of a game.
func newBrancher[P, M comparable](g games.Game[P, M]) Brancher[P, M] {
	if t, ok := g.(Threats[P, M]); ok {
		return t.NewBrancher()
	}
	return &plain[P, M]{game: g}
}

// plain is the [Brancher] of a game without [Threats]: all moves, and only finished
// positions are known.
type plain[P, M comparable] struct {
	game  games.Game[P, M]
	moves []M
}

func (b *plain[P, M]) AppendBranches(dst []Branch[M], p P, attackerToMove bool) ([]Branch[M], bool) {
	b.moves = b.game.AppendMoves(b.moves[:0], p)
	for _, m := range b.moves {
		branch := Branch[M]{Move: m, Proof: 1, Disproof: 1}
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
