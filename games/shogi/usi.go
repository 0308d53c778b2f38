package shogi

import (
	"fmt"
	"slices"
	"strings"
)

// ParseUSI reads a move of the side to move in USI notation, such as "7g7f",
// "8h2b+" or "P*5e". It refuses what is not a legal move, and says why.
func (b *Board) ParseUSI(text string) (Move, error) {
	m, err := parseUSI(text)
	if err == nil {
		err = b.CheckMove(m)
	}
	if err != nil {
		return NoMove, fmt.Errorf("move %q: %w", shorten(text), err)
	}
	return m, nil
}

func parseUSI(text string) (Move, error) {
	const want = "want two squares as in 7g7f or 8h2b+, or a piece and a square as in P*5e"
	if len(text) == 4 && text[1] == '*' {
		k, ok := kindOfLetter(rune(text[0]))
		if !ok || k == King {
			return NoMove, fmt.Errorf("%q is no piece to drop (P, L, N, S, G, B or R); %s", text[:1], want)
		}
		to, err := parseSquare(text[2:])
		return DropOf(k, to), err
	}
	squares, promotes := strings.CutSuffix(text, "+")
	if len(squares) != 4 || squares[1] == '*' {
		return NoMove, fmt.Errorf("%s", want)
	}
	from, err := parseSquare(squares[:2])
	if err != nil {
		return NoMove, err
	}
	to, err := parseSquare(squares[2:])
	return MoveOf(from, to, promotes), err
}

func parseSquare(text string) (Square, error) {
	if text[0] < '1' || text[0] > '9' || text[1] < 'a' || text[1] > 'i' {
		return 0, fmt.Errorf("%q is no square (1a to 9i)", text)
	}
	return SquareAt(int(text[0]-'0'), int(text[1]-'a')+1), nil
}

// Legal reports whether m is a legal move of the side to move.
func (b *Board) Legal(m Move) bool {
	var list [MaxMoves]Move
	return slices.Contains(b.AppendMoves(list[:0]), m)
}

// CheckMove returns nil if m is a legal move of the side to move, and otherwise
// what is wrong with it.
func (b *Board) CheckMove(m Move) error {
	if b.Legal(m) {
		return nil
	}
	to := m.To()
	if to >= squares || !m.IsDrop() && m.From() >= squares {
		return fmt.Errorf("no square of the board")
	}
	if m.IsDrop() {
		return b.explainDrop(m.Dropped(), to)
	}
	from := m.From()
	piece := b.squares[from]
	k := piece.Kind()
	targets := Bitboard{}
	if piece != NoPiece {
		targets = attacksOf(piece, from, b.occupied())
	}
	switch {
	case piece == NoPiece || piece.Color() != b.turn:
		return fmt.Errorf("%s, who is to move, has no piece on %v", b.turn, from)
	case !targets.Has(to):
		return fmt.Errorf("the %s on %v cannot go to %v", k, from, to)
	case b.color[b.turn].Has(to):
		return fmt.Errorf("%s has a piece on %v itself", b.turn, to)
	case m.Promotes() && !k.CanPromote():
		return fmt.Errorf("a %s does not promote", k)
	case m.Promotes() && !zone[b.turn].Has(from) && !zone[b.turn].Has(to):
		return fmt.Errorf("neither %v nor %v lies in the promotion zone of %s", from, to, b.turn)
	case !m.Promotes() && deadFor(b.turn, k).Has(to):
		return fmt.Errorf("a %s on %v could never move, so it must promote", k, to)
	case k == King:
		return fmt.Errorf("the king would be in check on %v", to)
	}
	return b.explainCheck()
}

func (b *Board) explainCheck() error {
	if b.InCheck() {
		return fmt.Errorf("%s's king would still be in check from %v", b.turn, b.checkers.First())
	}
	return fmt.Errorf("%s's king would be in check", b.turn)
}

func (b *Board) explainDrop(k Kind, to Square) error {
	switch {
	case k == NoKind || k >= King || !b.hands[b.turn].Has(k):
		return fmt.Errorf("%s, who is to move, has no %s in hand", b.turn, k)
	case b.squares[to] != NoPiece:
		return fmt.Errorf("%v is not empty", to)
	case deadFor(b.turn, k).Has(to):
		return fmt.Errorf("a %s on %v could never move", k, to)
	case k == Pawn && filesOf(b.roles[b.turn][rolePawn]).Has(to):
		return fmt.Errorf("%s has an unpromoted pawn on file %d already", b.turn, to.File())
	case b.InCheck() && (!b.checkers.single() || !Between(b.king[b.turn], b.checkers.First()).Has(to)):
		return b.explainCheck()
	}
	return fmt.Errorf("the dropped pawn would mate, which is against the rules")
}

// ParsePosition reads a position as the USI command "position" has it, with
// the moves that follow it:
//
//	startpos
//	startpos moves 7g7f 3c3d
//	sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//	sfen 4k4/9/9/9/9/9/9/9/9 b G 1 moves G*5b
//
// The word sfen may be missing. It returns the position before the moves, and
// the moves, all legal.
func ParsePosition(text string) (Position, []Move, error) {
	fields := strings.Fields(text)
	var moves []string
	if at := slices.Index(fields, "moves"); at >= 0 {
		fields, moves = fields[:at], fields[at+1:]
	}
	var p Position
	var err error
	switch {
	case len(fields) == 1 && fields[0] == "startpos":
		p = Start()
	case len(fields) > 0 && fields[0] == "sfen":
		p, err = ParseSFEN(strings.Join(fields[1:], " "))
	default:
		p, err = ParseSFEN(strings.Join(fields, " "))
	}
	if err != nil {
		return Position{}, nil, err
	}
	b := NewBoard(p)
	list := make([]Move, 0, len(moves))
	for i, text := range moves {
		m, err := b.ParseUSI(text)
		if err != nil {
			return Position{}, nil, fmt.Errorf("after moves, number %d: %w", i+1, err)
		}
		b.Do(m)
		list = append(list, m)
	}
	return p, list, nil
}
