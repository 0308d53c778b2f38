package dfpn

// Move is a move of a game as its [Cursor] writes it. The engine hands it back
// and compares it, nothing else.
type Move uint32

// Hand is a bundle of what the attacker holds in hand, in games that know such a
// thing: small counts side by side, each below a guard bit that is zero (see
// [Cursor.Guards]). A game without hands uses 0 for all of them.
type Hand uint32

// covers reports whether a holds at least as much as b of everything. Without
// guard bits only equal hands cover one another. All counts are subtracted at
// once: a guard bit that is borrowed from stands above a count that is too small
// (Lamport, "Multiple byte processing with full-word instructions", 1975).
func covers(a, b, guards Hand) bool {
	if guards == 0 {
		return a == b
	}
	return ((a|guards)-b)&guards == guards
}

// Status says whether the rules decide a node.
type Status uint8

// The statuses of a node.
const (
	Open Status = iota // both sides have something left to try
	Won                // the attacker has won
	Lost               // the attacker cannot win any more
)

// Child is a position one move further, as [Cursor.Expand] describes it.
type Child struct {
	// Key is a 64-bit hash of everything that makes the position except the
	// attacker's hand: two positions with the same key and the same hand are
	// taken for the same one. It says whose turn it is.
	Key uint64
	// Hand is the attacker's hand.
	Hand Hand
	// Move leads there.
	Move Move
	// Proof and Disproof are the proof and disproof numbers from which the
	// search starts while nothing is known of the child, at least 1 (df-pn+:
	// Nagai & Imai, "Application of df-pn+ to Othello endgames", 1999; Nagai
	// 2002).
	Proof, Disproof uint16
	// Group, from 1 to 63, is the same for children that are much alike: of
	// each group one child at a time is searched, the first that is not
	// settled, and the next one only after it. Those that wait count for
	// little. 0 is no group.
	Group uint8
}

// Node is what [Cursor.Expand] tells of a position. The engine keeps nodes and
// reuses their memory.
type Node struct {
	// Or is true if the attacker is to move. Children have the opposite.
	Or bool
	// Status is the decision of the rules, or what the cursor has found out
	// without a search.
	Status Status
	// Length is the number of plies to the win, if Status is Won.
	Length uint16
	// Move is the first move of the win, if Length is above 0.
	Move Move
	// Bound is, if the node is Won, a least hand that suffices to win in the
	// same number of plies, and if it is Lost a greatest hand with which it
	// still is. A game without hands leaves it at 0.
	Bound Hand
	// Children are the positions after all moves, if Status is Open; then
	// there is at least one. Expand appends to it.
	Children []Child
}

// A Cursor stands on a position of a game and walks along its moves. It belongs
// to one goroutine. The engine calls each method at most a few times per node:
// moves come and go in batches.
//
// The attacker tries to reach a won node, the defender to prevent it for ever.
// To reach the same position again does not help the attacker. For the opposite
// rule, where repetition is the defender's loss, exchange the two: let Or and
// Status tell of the other side, and read [Proven] as [Disproven].
type Cursor interface {
	// Root returns the key and the hand of the current position, as they
	// would stand in a [Child].
	Root() (key uint64, hand Hand)

	// Guards returns the bits that stand guard in a [Hand], one above each
	// count, or 0 if hands are not compared. If it is not 0 the game promises
	// that whoever wins with a hand does so with any that covers it, in no
	// more plies, the rest of the position being equal.
	Guards() Hand

	// Expand describes the current position. All fields of node are zero and
	// its Children empty when it is called.
	Expand(node *Node)

	// Do makes a move of the current position, Undo takes back the last one,
	// which was m.
	Do(m Move)
	Undo(m Move)
}

// Bounder is the capability of a [Cursor] to say how far a result depends on the
// hand. With it a proof also holds for positions with a hand in which useless
// things are missing, and a disproof where useless things have been added
// (proof pieces and disproof pieces: Nagai 2002, section 3.4). Without it results
// hold for the hand they were found with and those that the dominance of hands
// gives.
type Bounder interface {
	Cursor

	// Lift returns a bound for the current position from the bound of the
	// child that settles it: the child after m is proven (disproven) with
	// bound, and this settles the current position in the same way.
	Lift(m Move, bound Hand, proven bool) Hand

	// Join returns a bound for the current position from those of all its
	// children: bounds[i] belongs to node.Children[i], and they are all
	// proven, the defender being to move, or all disproven, the attacker
	// being to move. It may overwrite bounds.
	Join(node *Node, bounds []Hand, proven bool) Hand
}
