package threat

import "github.com/yomikiri/yomikiri/games/gomoku"

// claims, if set, verifies each claim of a search as it is made: see the package comment.
// It panics if a claim is false; by names the source of the claim.
var claims interface {
	// win verifies that the attacker, to move, wins by t, unless t is nil.
	win(b *gomoku.Board, attacker gomoku.Side, t *Tree, by string)
	// winsAfter verifies that t also wins after each of the defender's replies.
	winsAfter(b *gomoku.Board, attacker gomoku.Side, t *Tree, replies gomoku.Set, by string)
	// held verifies that the attacker cannot win.
	held(b *gomoku.Board, attacker gomoku.Side, attackerToMove bool, by string)
}

func claimWin(b *gomoku.Board, attacker gomoku.Side, t *Tree, by string) {
	if claims != nil {
		claims.win(b, attacker, t, by)
	}
}

func claimHeld(b *gomoku.Board, attacker gomoku.Side, attackerToMove bool, by string) {
	if claims != nil {
		claims.held(b, attacker, attackerToMove, by)
	}
}
