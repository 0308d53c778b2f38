package games

// Game is what every game offers. P is a position and M a move: small values
// that can be compared with ==, copied and kept.
//
// A position says whose turn it is. All methods are pure functions of their
// arguments and safe for concurrent use.
type Game[P, M comparable] interface {
	// Name returns the game with those rule options that are not the usual
	// ones, such as "dobutsu" or "dobutsu:drops=none". [Open] reads it.
	Name() string

	// Start returns the position in which a game begins.
	Start() P

	// Outcome returns the value of p for the side to move, and true, if the
	// rules decide the game in p without a further choice; otherwise
	// [Unfinished] and false. A position in which the side to move has no
	// legal move is always finished.
	Outcome(p P) (Value, bool)

	// AppendMoves appends the legal moves of the side to move to dst, without
	// repetition and in a fixed order. A finished position has none.
	AppendMoves(dst []M, p P) []M

	// Play returns the position after the legal move m in p. What it returns
	// for any other move is not specified.
	Play(p P, m M) P

	// AppendPosition appends the text of p to dst. ParsePosition reads it.
	AppendPosition(dst []byte, p P) []byte

	// ParsePosition reads a position. It refuses text that is not in the
	// game's notation, and positions that cannot be under the game's rules,
	// with an error that names the place and the reason. A finished position
	// is fine.
	ParsePosition(text string) (P, error)

	// AppendMove appends the text of the legal move m in p to dst. ParseMove
	// reads it.
	AppendMove(dst []byte, p P, m M) []byte

	// ParseMove reads a move in position p. It refuses what is not a legal
	// move there, and says why.
	ParseMove(p P, text string) (M, error)
}

// Indexer is the capability to number the positions of a game. Retrograde
// analysis and databases need it.
type Indexer[P comparable] interface {
	// Tiers returns the tiers of the index space in dependency order. They
	// are adjacent ranges, the first starting at 0.
	Tiers() []Tier

	// Index returns the number of p, the same for all positions that the game
	// treats as equal (mirror images, colours swapped). It fails if p has
	// none, and says why. An index is below 1<<48.
	Index(p P) (uint64, error)

	// Position returns the canonical position with the given number, and
	// false if there is none: the index is a hole, or out of range.
	Position(index uint64) (P, bool)
}

// Tier is a range of indices. A move leads from a position into the same tier
// or an earlier one.
type Tier struct {
	// Name tells tiers apart for people and in databases, such as "20" for
	// 20 stones. It may be empty where there is but one.
	Name string
	// Start is the first index.
	Start uint64
	// Size is the number of indices.
	Size uint64
	// Open is the number of indices from Start on that may hold an unfinished
	// position. All positions behind them are finished.
	Open uint64
}

// Canonicalizer is the capability to name one of several equal positions.
// Without it every position stands for itself.
type Canonicalizer[P comparable] interface {
	// Canonical returns the position that stands for p and all its equals. It
	// has the same value.
	Canonical(p P) P
}

// Drawer is the capability to draw a board. Without it the position's text has
// to do.
type Drawer[P comparable] interface {
	// AppendBoard appends a drawing of p, some lines of text, each ended by a
	// newline.
	AppendBoard(dst []byte, p P) []byte
}

// Finisher is the capability to show how a finished position is finished. A
// game has it if its rules let [Game.Outcome] decide a position in which the
// winner's last move is still to be made.
type Finisher[P, M comparable] interface {
	// AppendFinishing appends to dst the moves by which the side to move ends
	// the game from the finished position p. There are some exactly if the
	// outcome of p is a win in one ply. [Game.Play] need not accept them;
	// [Game.AppendMove] does.
	AppendFinishing(dst []M, p P) []M
}

// Orderer is the capability to choose the order of values. Without it values
// are ordered by distance.
type Orderer interface {
	Order() Order
}

// Gainer is the capability to win points by a move itself, for games whose
// values are scores. Without it no move gains anything.
type Gainer[P, M comparable] interface {
	// Gain returns what the side to move wins at once by the legal move m.
	Gain(p P, m M) int
}

// Scorer is the capability to say how much is still at stake. A game has it if
// its values are scores of a known sum.
type Scorer[P comparable] interface {
	// Remaining returns what both sides together will still win from p on. A
	// score of v then ends in (Remaining+v)/2 for the side to move.
	Remaining(p P) int
}
