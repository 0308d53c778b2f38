package games

// Unproven is the largest proof or disproof number. As a proof number it says
// that the attacker does not win, as a disproof number that he does.
const Unproven = 1 << 30

// Branch is a move and a [Brancher]'s judgement of the position after it.
type Branch[M comparable] struct {
	Move M
	// Proof estimates the work of proving that the attacker wins, and Disproof of
	// proving that he does not. Both are at least 1 and below [Unproven]; or, if the
	// result is known, one is 0 and the other Unproven.
	Proof, Disproof uint32
}

// Threats is the capability to see more in a position than the rules say at
// once, for searches that ask whether a side, the attacker, can force a win.
// Without it a search looks at all moves and knows finished positions only.
type Threats[P, M comparable] interface {
	// NewBrancher returns a Brancher, which belongs to one goroutine.
	NewBrancher() Brancher[P, M]
}

// Brancher judges positions for a search that asks whether the attacker wins. It
// must be right: what it says is known has a proof, and a search that looked at
// all moves would find the same. Asked about a position again it may know more, or
// less.
type Brancher[P, M comparable] interface {
	// AppendBranches appends to dst the moves of the unfinished position p that
	// are worth a look, with a judgement of each.
	//
	// Of the defender's moves it may leave out only those after which the
	// attacker is known to win: because he does so at once, or because the move
	// lies outside the zone of a win that he has if the defender passes. Of the
	// attacker's moves it may leave out any, but unless all those left out are
	// known not to win it must return false: then that the others fail proves
	// nothing. If it returns false with the defender to move, it has given the
	// position up for the attacker, which proves nothing either.
	AppendBranches(dst []Branch[M], p P, attackerToMove bool) (branches []Branch[M], complete bool)
	// AppendCertificate appends to dst a certificate that the attacker cannot
	// win from the unfinished position p, and reports whether there is one. The
	// rules with which a proof is checked must know such certificates.
	AppendCertificate(dst []byte, p P, attackerToMove bool) ([]byte, bool)
}
