package dfpn

// Hand is the multiset of pieces that the attacker holds in hand: small counts
// side by side, each below a guard bit that is zero ([Hands.Guards]).
type Hand uint32

// covers reports whether a holds at least as many pieces of every kind as b. All counts
// are subtracted at once: a count that is too small borrows from its guard bit (Lamport,
// "Multiple byte processing with full-word instructions", 1975).
func covers(a, b, guards Hand) bool { return ((a|guards)-b)&guards == guards }

// Hands is an optional capability of a [Cursor], for games in which the attacker
// holds pieces that can only help: with more in hand it still wins, in no more
// plies, if everything else is equal. One result then settles the position for
// many hands (proof pieces and disproof pieces: Nagai 2002, section 3.4). Without
// this capability all hands are 0.
//
// The engine looks for it once per search. All cursors of a table must agree.
type Hands interface {
	Cursor

	// RootHand returns the attacker's hand in the current position, as in a
	// [Child].
	RootHand() Hand

	// Guards returns the guard bits of all hands, one above each count. It is
	// not 0 and never changes.
	Guards() Hand

	// Lift returns the bound of the current position, given the bound of the
	// child after m, which settles the current position: both are proven, or
	// both disproven. The bound of a proof is a smallest hand for which it still holds,
	// the bound of a disproof a largest one.
	Lift(m Move, bound Hand, proven bool) Hand

	// Join returns the bound of the current position, given the bounds of all its
	// children: bounds[i] belongs to node.Children[i]. All are proven and the
	// defender is to move, or all are disproven and the attacker is. It may
	// overwrite bounds.
	Join(node *Node, bounds []Hand, proven bool) Hand
}
