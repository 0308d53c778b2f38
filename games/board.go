package games

import (
	"fmt"
	"slices"
)

// Describer is OPTIONAL: it describes boards and moves as data, so that a program can draw
// them, let users make moves by clicks, and let them set up positions. Without it the
// explorer shows positions and moves as text.
type Describer[P, M comparable] interface {
	// Layout returns what all boards of the game have in common.
	Layout() Layout

	// Board describes p.
	Board(p P) Board

	// SetUp returns the position of a board. It refuses impossible ones with an error that
	// says why, as [Game.ParsePosition] does. The order of the pieces does not matter.
	// SetUp of what Board returns is the same position.
	SetUp(b Board) (P, error)

	// Trace returns what m does on the board. The move m is legal in p, or one that a
	// [Finisher] returns for p. Moves that differ only in a promotion have the same trace.
	Trace(p P, m M) Trace
}

// Style is a way to draw a board.
type Style string

// The styles.
const (
	Grid      Style = "grid"      // pieces on squares
	Chequered Style = "chequered" // pieces on squares of two colours: the last one of the first column is dark
	Lines     Style = "lines"     // stones or pieces where lines cross
	Columns   Style = "columns"   // discs that fall to the bottom of their column
	Pits      Style = "pits"      // stones in pits: a row of side 2, and below it a row of side 1
	Hexagons  Style = "hexagons"  // stones on a rhombus: side 1 connects top and bottom, side 2 left and right
)

// Set is a way to draw pieces.
type Set string

// The sets.
const (
	ChessSet   Set = "chess"   // figures, and discs with letters: those of side 1 are white, those of side 2 black
	ShogiSet   Set = "shogi"   // wedges with characters, which point to the other side
	XiangqiSet Set = "xiangqi" // discs with characters: those of side 1 are red, those of side 2 black
	JanggiSet  Set = "janggi"  // the same in blue and red
)

// Layout is what all boards of a game have in common.
type Layout struct {
	Style Style `json:"style"`
	// Columns and Rows are the labels of the columns from the left and of the rows from the
	// top, as side 1 sees the board. Empty labels are not shown; if all are empty, the names
	// of the squares are.
	Columns []string `json:"columns"`
	Rows    []string `json:"rows"`
	// Squares are the names of the squares, row by row from the top. A square that no piece
	// ever stands on, such as the light ones of checkers, has an empty name.
	Squares []string `json:"squares"`
	// Kinds are the kinds of pieces, and Set is how they look. Without a set that depends on their names alone.
	Kinds []PieceKind `json:"kinds"`
	Set   Set         `json:"set,omitempty"`
	// River is the number of rows above the river of a board of lines, and Palaces are the corners of its palaces: the upper
	// left and the lower right one.
	River   int         `json:"river,omitempty"`
	Palaces [][2]string `json:"palaces,omitempty"`
	// Derived says that the pieces show who is to move: SetUp ignores Turn.
	Derived bool `json:"derived,omitempty"`
	// Relative says that positions are seen from the side to move, which is always side 1.
	Relative bool `json:"relative,omitempty"`
}

// PieceKind is a kind of piece.
type PieceKind struct {
	// Name is the English name, such as "lion".
	Name string `json:"name"`
	// Text stands for the piece where there is no drawing of it: one or two letters, or a
	// Japanese character.
	Text string `json:"text"`
	// Hand says that such pieces can be in hand, and Promoted that this is the promoted
	// side of another kind.
	Hand     bool `json:"hand,omitempty"`
	Promoted bool `json:"promoted,omitempty"`
}

// Board is a position as data.
type Board struct {
	// Turn is the side to move: 1, which begins the game, or 2.
	Turn int `json:"turn"`
	// Pieces are the pieces on the squares in the order of [Layout.Squares], then those
	// in hand.
	Pieces []Piece `json:"pieces"`
	// State is what else the position says, such as which pieces can castle, in words of the game. SetUp leaves out what
	// does not fit the pieces.
	State string `json:"state,omitempty"`
}

// Piece is a piece, or several equal ones.
type Piece struct {
	Kind string `json:"kind"`
	// Side is 1 or 2. The stones of a pit belong to the side that sows them.
	Side int `json:"side"`
	// Square is the name of a square, or empty if the piece is in hand.
	Square string `json:"square,omitempty"`
	// Count is how many there are in a pit or a hand; 0 means 1.
	Count int `json:"count,omitempty"`
}

// Trace is what a move does on the board.
type Trace struct {
	// Drop is the kind of the piece that comes from the hand, empty if none does.
	Drop string `json:"drop,omitempty"`
	// Squares are the squares that a user clicks to make the move: the piece's origin, the
	// squares it passes if it has a choice of routes, and its destination. A drop or a sowing
	// has one square.
	Squares []string `json:"squares"`
}

// NewLayout returns the layout of a board whose squares are called by their column and row,
// such as a1.
func NewLayout(style Style, columns, rows []string, kinds ...PieceKind) Layout {
	l := Layout{Style: style, Columns: columns, Rows: rows, Kinds: kinds}
	for _, row := range rows {
		for _, column := range columns {
			l.Squares = append(l.Squares, column+row)
		}
	}
	return l
}

// Labels returns n labels, one character each, that count up from first, or down if step
// is -1.
func Labels(n int, first rune, step int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = string(first + rune(i*step))
	}
	return list
}

// Place returns the pieces of b on the board, indexed as [Layout.Squares], and the pieces in
// hand. An empty square has an empty Kind. Place refuses squares, kinds, sides and counts
// that the layout does not have.
func (l *Layout) Place(b Board) (squares, hand []Piece, err error) {
	squares = make([]Piece, len(l.Squares))
	if !l.Derived && !l.Relative && b.Turn != 1 && b.Turn != 2 {
		return nil, nil, fmt.Errorf("side %d to move, want 1 or 2", b.Turn)
	}
	for _, piece := range b.Pieces {
		i := -1
		if piece.Square != "" {
			i = slices.Index(l.Squares, piece.Square)
		}
		if err := l.check(piece, i); err != nil {
			return nil, nil, err
		}
		piece.Count = max(piece.Count, 1)
		same := func(x Piece) bool { return x.Kind == piece.Kind && x.Side == piece.Side }
		switch {
		case i < 0 && slices.ContainsFunc(hand, same):
			return nil, nil, fmt.Errorf("the hand of side %d has two entries for the kind %s, want one with a count", piece.Side, piece.Kind)
		case i < 0:
			hand = append(hand, piece)
		case squares[i].Kind != "":
			return nil, nil, fmt.Errorf("two pieces on %s", piece.Square)
		default:
			squares[i] = piece
		}
	}
	return squares, hand, nil
}

// check refuses a piece that no board of the layout can have. The number square is negative
// if the piece is in hand or if its square does not exist.
func (l *Layout) check(piece Piece, square int) error {
	const mostInHand = 99
	k := slices.IndexFunc(l.Kinds, func(k PieceKind) bool { return k.Name == piece.Kind })
	switch {
	case k < 0:
		return fmt.Errorf("%q is not a kind of pieces of this game", piece.Kind)
	case square < 0 && piece.Square != "":
		return fmt.Errorf("%q is not a square", piece.Square)
	case piece.Side != 1 && piece.Side != 2:
		return fmt.Errorf("side %d of a %s, want 1 or 2", piece.Side, piece.Kind)
	case l.Style == Pits && square >= 0 && (piece.Side == 1) != (square >= len(l.Columns)):
		return fmt.Errorf("side %d has no stones in %s: it is a pit of the other side", piece.Side, piece.Square)
	case square < 0 && !l.Kinds[k].Hand:
		return fmt.Errorf("a %s cannot be in hand", piece.Kind)
	case piece.Count < 0 || piece.Count > mostInHand:
		return fmt.Errorf("%d of the kind %s in one place, want 1 to %d", piece.Count, piece.Kind, mostInHand)
	case piece.Count > 1 && square >= 0 && l.Style != Pits:
		return fmt.Errorf("%d pieces on %s, want one", piece.Count, piece.Square)
	}
	return nil
}
