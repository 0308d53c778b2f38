package solver

import "github.com/yomikiri/yomikiri/games"

// Unproven is the largest proof or disproof number. As a proof number it says that
// the attacker does not win, as a disproof number that he does.
const Unproven = 1 << 30

// Branch is a move and what a [Brancher] says about the position after it.
type Branch[M comparable] struct {
	Move M
	// Proof estimates the work to prove that the attacker wins, Disproof that he
	// does not: at least 1 and below [Unproven]. If the answer is known, one is 0 and
	// the other Unproven.
	Proof, Disproof uint32
}

// Brancher adds knowledge beyond the rules to searches that ask whether the attacker can
// force a win. Without one a search tries all moves and recognises only terminal
// positions.
//
// It must be right: a search of all moves would confirm its claims. Asked about a position
// again it may claim more, or less; but a search can be repeated, and helpers keep its order,
// only if its claims depend on the position alone. It belongs to one goroutine.
type Brancher[P, M comparable] interface {
	// AppendBranches appends to dst the moves of the unfinished position p that
	// are worth searching, with a judgement of each.
	//
	// It may leave out moves of the defender after which the attacker is known to
	// win: at once, or because the move lies outside the relevance zone of a win
	// after a null move. It may leave out any moves of the attacker, but must
	// return false unless they are known not to win: then the failure of the
	// others proves nothing. With the defender to move, false means that the moves
	// it returns must be proven before it can give the others: then it is asked again.
	// If it returns no moves then, it has given the position up for the attacker, which
	// proves nothing either.
	AppendBranches(dst []Branch[M], p P, attackerToMove bool) (branches []Branch[M], complete bool)
	// AppendCertificate appends to dst a certificate that the attacker cannot win
	// from the unfinished position p, and reports whether there is one. The rules
	// that check proofs must support such certificates. A position that AppendBranches
	// has judged to be held should have one, and its canonical image too; otherwise the
	// position is searched again to write its proof.
	AppendCertificate(dst []byte, p P, attackerToMove bool) ([]byte, bool)
}

// allMoves is the [Brancher] of a game that has none of its own.
type allMoves[P, M comparable] struct {
	game  games.Game[P, M]
	moves []M
}

func (b *allMoves[P, M]) AppendBranches(dst []Branch[M], p P, attackerToMove bool) ([]Branch[M], bool) {
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

func (b *allMoves[P, M]) AppendCertificate(dst []byte, _ P, _ bool) ([]byte, bool) {
	return dst, false
}

// attackerWins reports whether the attacker has won a terminal position of value
// v for the side to move.
func attackerWins(v games.Value, attackerToMove bool) bool {
	if attackerToMove {
		return v.Result() == games.Won
	}
	return v.Result() == games.Lost
}
