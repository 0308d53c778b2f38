package dfpn

// Move is a move of a game in the encoding of its [Cursor]. The engine only hands moves
// back and compares them.
type Move uint32

// Status says whether a node is decided without a search.
type Status uint8

// The statuses of a node.
const (
	Open Status = iota // to be searched
	Won                // the attacker has won
	Lost               // the attacker cannot win
)

// Child is a position one move further, as [Cursor.Expand] describes it.
type Child struct {
	// Key is a 64-bit hash of the position, including the side to move, but
	// not of the attacker's hand. Positions with equal keys and hands are
	// treated as the same position, so keys should depend on [Table.Seed].
	Key uint64
	// Hand is the attacker's hand if the cursor implements [Hands], and 0
	// otherwise.
	Hand Hand
	// Move leads to the child.
	Move Move
	// Proof and Disproof are the initial proof and disproof numbers of a child
	// that has not been searched yet, at least 1: an initialisation heuristic
	// (df-pn+: Nagai & Imai, "Application of df-pn+ to Othello endgames",
	// 1999; Nagai 2002).
	Proof, Disproof uint16
	// Group, from 1 to 63, marks children that are much alike. Only the first
	// unsettled child of a group is searched; the others wait for it and count
	// for little. 0 means no group.
	Group uint8
}

// Node describes a position: [Cursor.Expand] fills it in. The engine keeps nodes
// and reuses their memory.
type Node struct {
	// Or is true if the attacker is to move. Sides alternate: the children
	// have the opposite.
	Or bool
	// Status says whether the position is decided, by the rules or by what the cursor
	// found without a search.
	Status Status
	// Incomplete says that the cursor left out moves of the attacker that may win. A
	// disproof that rests on such a node is not sure ([Result.Sure]). Moves of
	// the defender may only be left out if they lose or the node is Lost.
	Incomplete bool
	// Length is the number of plies to the win if Status is Won.
	Length uint16
	// Least is the number of plies of the shortest win that the cursor cannot rule out if
	// Status is Open, moves that it left out included. 0 is always right; more spares a search
	// for wins of limited length its last plies.
	Least uint16
	// Move is the move that decides the node, if Status is not Open and there
	// is such a move. It is required for a win whose Length is above 0.
	Move Move
	// Bound is for cursors with [Hands]: if the node is Won, a smallest hand
	// that still wins in Length plies; if it is Lost, a largest hand that still
	// loses.
	Bound Hand
	// Children are the positions after all moves if Status is Open, at least
	// one. Expand appends to Children.
	Children []Child
}

// A Cursor stands on a position of a game and walks along its moves. It belongs
// to one goroutine. All methods are required. The engine calls each method at most a few
// times per node: moves come in batches.
//
// The attacker tries to reach a won node, the defender to avoid that forever, so
// repeating a position does not help the attacker. If repetition loses for the
// defender instead, swap the sides: let Or and Status speak for the other side
// and read [Proven] as [Disproven].
//
// [Hands] is optional.
type Cursor interface {
	// Root returns the key of the current position, as in a [Child].
	Root() uint64

	// Expand describes the current position. When it is called, node is zero
	// except for the capacity of Children.
	Expand(node *Node)

	// Do makes a move of the current position.
	Do(m Move)
	// Undo takes back the last move, which was m.
	Undo(m Move)
}
