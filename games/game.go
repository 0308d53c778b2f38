package games

import (
	"fmt"
	"strings"
)

// Game is implemented by every game; all its methods are REQUIRED. P is a position and
// M a move: small values that can be compared with ==, copied and kept.
//
// A position says whose turn it is. All methods are pure functions of their
// arguments and safe for concurrent use.
type Game[P, M comparable] interface {
	// Name returns the game with its non-default rule options, such as "dobutsu" or
	// "dobutsu:drops=none"; see [Rules.String].
	Name() string

	// Start returns the position in which a game begins.
	Start() P

	// Outcome returns the value of p for the side to move, and true, if the
	// rules decide the game in p without a further choice; otherwise
	// [Unfinished] and false. A position in which the side to move has no
	// legal move is always finished. The value is a score if the game has
	// scores, else Draw, Loss(0), Win(0), or Win(1) (see [Finisher]).
	Outcome(p P) (Value, bool)

	// AppendMoves appends the legal moves of the side to move to dst, without
	// repetition and in a fixed order. A finished position has none.
	AppendMoves(dst []M, p P) []M

	// Play returns the position after the legal move m in p. What it returns
	// for any other move is not specified.
	Play(p P, m M) P

	// AppendPosition appends the text of p to dst. ParsePosition reads it.
	AppendPosition(dst []byte, p P) []byte

	// ParsePosition reads a position. It refuses text that is not in the game's notation, and
	// impossible positions, with an error that names the place and the reason. Finished
	// positions are accepted. It may also accept spellings other than that of AppendPosition.
	ParsePosition(text string) (P, error)

	// AppendMove appends the text of the legal move m in p to dst. The moves
	// of a position have different texts.
	AppendMove(dst []byte, p P, m M) []byte
}

// MoveParser is OPTIONAL: it reads moves. Without it the texts of all legal moves are
// compared, so other spellings are not read, and errors do not say why a move is
// illegal. Use the function [ParseMove].
type MoveParser[P, M comparable] interface {
	// ParseMove reads a move in position p. It refuses illegal moves and says why.
	ParseMove(p P, text string) (M, error)
}

// ParseMove reads a move in position p.
func ParseMove[P, M comparable](g Game[P, M], p P, text string) (M, error) {
	if parser, ok := g.(MoveParser[P, M]); ok {
		return parser.ParseMove(p, text)
	}
	return FindMove(g, p, text, func(name string) bool { return name == text })
}

// FindMove returns the first legal move in p for whose text matches returns true. If there is
// none, the error quotes text, the user's input.
func FindMove[P, M comparable](g Game[P, M], p P, text string, matches func(name string) bool) (M, error) {
	var none M
	if v, finished := g.Outcome(p); finished {
		return none, fmt.Errorf("move %q: the game is over (%v)", text, v)
	}
	var names []string
	for _, m := range g.AppendMoves(nil, p) {
		name := string(g.AppendMove(nil, p, m))
		if matches(name) {
			return m, nil
		}
		names = append(names, name)
	}
	const most = 20
	if len(names) > most {
		names = append(names[:most], "...")
	}
	return none, fmt.Errorf("move %q: not one of the legal moves: %s", text, strings.Join(names, " "))
}

// PlayMoves returns the position after moves that are given as text.
func PlayMoves[P, M comparable](g Game[P, M], p P, moves []string) (P, error) {
	_, p, err := ParseMoves(g, p, moves)
	return p, err
}

// ParseMoves returns moves that are given as text, and the position after them. If one cannot be
// read, it returns those before.
func ParseMoves[P, M comparable](g Game[P, M], p P, moves []string) (list []M, after P, err error) {
	for i, text := range moves {
		m, err := ParseMove(g, p, text)
		if err != nil {
			return list, p, fmt.Errorf("move %d: %w, in position %q", i+1, err, g.AppendPosition(nil, p))
		}
		list = append(list, m)
		p = g.Play(p, m)
	}
	return list, p, nil
}

// Indexer is OPTIONAL: it numbers the positions of a game for retrograde analysis and
// databases. Without it [Number] numbers the reachable positions, which takes memory and
// time whenever a database is opened.
type Indexer[P comparable] interface {
	// Tiers returns the tiers of the index space in dependency order. They
	// are adjacent ranges, the first starting at 0.
	Tiers() []Tier

	// Index returns the index of p. It is below 1<<48, and the same for all positions that
	// the game treats as equal (mirror images, colours swapped). If p has no index, the error
	// says why.
	Index(p P) (uint64, error)

	// Position returns the canonical position with the given number, and
	// false if there is none: the index is a hole, or out of range.
	Position(index uint64) (P, bool)
}

// Tier is a range of indices. A move leads from a position into the same tier
// or an earlier one.
type Tier struct {
	// Name is the name of the tier in messages and databases, such as "20" for 20
	// stones. It may be empty if there is only one.
	Name string
	// Start is the first index.
	Start uint64
	// Size is the number of indices.
	Size uint64
	// Open is the number of indices from Start on that may hold an unfinished
	// position. All positions after them are finished.
	Open uint64
	// Children has the numbers, in ascending order, of the other tiers that have unfinished
	// positions to which moves from this tier may lead; nil stands for all earlier tiers. Values do
	// not depend on it. Without it the tiers form a chain: processes that share the tiers of a game
	// solve them one after another, and each needs the values of all tiers before.
	Children []int
}

// Canonicalizer is OPTIONAL: it picks one of several equivalent positions. Without it every
// position stands for itself.
type Canonicalizer[P comparable] interface {
	// Canonical returns the position that stands for p and all its equals. It
	// has the same value.
	Canonical(p P) P
}

// Drawer is OPTIONAL: it draws a board. Without it a [Describer] is drawn by its layout, and a position of
// other games is shown as text only.
type Drawer[P comparable] interface {
	// AppendBoard appends a drawing of p, some lines of text, each ended by a
	// newline.
	AppendBoard(dst []byte, p P) []byte
}

// Finisher is OPTIONAL: it lists the last moves of a game that counts as over before the last
// move is made. It is for games whose [Game.Outcome] is a win in one ply, such as taking a
// king; without it that move is missing from lines of play.
type Finisher[P, M comparable] interface {
	// AppendFinishing appends to dst the moves by which the side to move ends
	// the game from the finished position p. There is at least one exactly if the outcome of
	// p is a win in one ply. [Game.Play] need not accept them; [Game.AppendMove] does.
	AppendFinishing(dst []M, p P) []M
}

// Layerer is OPTIONAL: it shows that a game always ends. Without it proof-number search has
// to be df-pn, and a proof file can prove wins but not that a side holds (never loses).
type Layerer[P comparable] interface {
	// Layer returns a number that every move increases, such as the number of
	// stones on the board.
	Layer(p P) int
}

// Scorer is OPTIONAL: it gives a game scores as values: the points that the side to move will
// still win minus those of the opponent. Without it values are wins, draws and losses with
// their distance.
type Scorer[P, M comparable] interface {
	// Gain returns the points that the legal move m in p wins at once for the side to move,
	// minus those that it gives to the opponent.
	Gain(p P, m M) int

	// Remaining returns the points that both sides together will still win from p on. If the
	// score of p is v, the side to move will win (Remaining+v)/2 of them.
	Remaining(p P) int
}

// OrderOf returns how the values of g are ordered: by score if it is a [Scorer].
func OrderOf[P, M comparable](g Game[P, M]) Order {
	if _, ok := As[Scorer[P, M]](g); ok {
		return ByScore
	}
	return ByDistance
}

// FinalScore returns the score of two sides at the end of the game. won has the points that
// they have won before the position, and v is what the first of them gains from then on. A
// side may get half a point, if what remains is shared. It returns nil if the game is not a
// [games.Scorer].
func FinalScore[P, M comparable](g Game[P, M], p P, v Value, won [2]int) *[2]float64 {
	s, ok := As[Scorer[P, M]](g)
	if !ok {
		return nil
	}
	remaining := s.Remaining(p)
	return &[2]float64{float64(won[0]) + float64(remaining+int(v))/2, float64(won[1]) + float64(remaining-int(v))/2}
}
