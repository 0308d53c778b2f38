package shogi

import (
	"slices"
	"strings"
	"unicode"
)

// ParseUSI reads a legal move of the side to move in USI notation, such as "7g7f",
// "8h2b+" or "P*5e". Errors say why a move is not legal.
func (b *Board) ParseUSI(text string) (Move, error) {
	m, err := parseUSI(text)
	if err == nil {
		err = b.CheckMove(m)
	}
	if err != nil {
		return NoMove, errMoveText.Error(shorten(text), err)
	}
	return m, nil
}

func parseUSI(text string) (Move, error) {
	if len(text) == 4 && text[1] == '*' {
		k, ok := kindOfLetter(rune(text[0]))
		if !ok || k == King {
			return NoMove, errDropLetter.Error(text[:1], errMoveWanted.Error())
		}
		to, err := parseSquare(text[2:])
		return DropOf(k, to), err
	}
	squares, promotes := strings.CutSuffix(text, "+")
	if len(squares) != 4 || squares[1] == '*' {
		return NoMove, errMoveWanted.Error()
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
		return 0, errNotSquare.Error(text)
	}
	return SquareAt(int(text[0]-'0'), int(text[1]-'a')+1), nil
}

// Legal reports whether m is a legal move of the side to move.
func (b *Board) Legal(m Move) bool { return b.CheckMove(m) == nil }

// CheckMove returns nil if m is a legal move of the side to move, and otherwise an
// error that says why not.
func (b *Board) CheckMove(m Move) error {
	to := m.To()
	if m.IsDrop() {
		if to >= squares || m.Promotes() {
			return errNoDrop.Error(uint16(m))
		}
		return b.checkDrop(Kind(m>>7&127), to)
	}
	from := m.From()
	if from >= squares || to >= squares {
		return errNoMove.Error(uint16(m))
	}
	us := b.turn & 1
	piece := b.squares[from]
	k := piece.Kind()
	switch {
	case !b.color[us].Has(from):
		return errNoPiece.Error(us, from)
	case !attacksOf(piece, from, b.occupied()).Has(to):
		return errCannotGo.Error(k, from, to)
	case b.color[us].Has(to):
		return errOwnPiece.Error(us, to)
	case m.Promotes() && !k.CanPromote():
		return errNeverUp.Error(k)
	case m.Promotes() && !zone[us].Has(from) && !zone[us].Has(to):
		return errNoZone.Error(from, to, us)
	case !m.Promotes() && deadFor(us, k).Has(to):
		return errMustGoUp.Error(k, to)
	case k == King:
		if !b.flights(us, b.occupied()).Has(to) {
			return errIntoCheck.Error(to)
		}
		return nil
	case !b.parries(to):
		return errStillCheck.Error(us, b.checkers.First())
	}
	// A pinned piece cannot parry another check, nor leave its line.
	if b.pinned(us, b.occupied()).Has(from) && (b.InCheck() || !rayThrough(b.king[us], from).Has(to)) {
		return errPinned.Error(k, from, us)
	}
	return nil
}

// parries reports whether moving or dropping a piece other than the king to the square to
// leaves the side to move without its present check, if there is one.
func (b *Board) parries(to Square) bool {
	if b.checkers.Empty() {
		return true
	}
	return b.checkers.single() && between(b.king[b.turn&1], b.checkers.First()).or(b.checkers).Has(to)
}

func (b *Board) checkDrop(k Kind, to Square) error {
	us := b.turn & 1
	switch {
	case k == NoKind || k >= King:
		return errNotDropped.Error(k)
	case !b.hands[us].Has(k):
		return errNotInHand.Error(us, k)
	case b.squares[to] != NoPiece:
		return errNotEmpty.Error(to)
	case deadFor(us, k).Has(to):
		return errDeadDrop.Error(k, to)
	case k == Pawn && filesOf(b.roles[us][rolePawn]).Has(to):
		return errPawnOnFile.Error(us, to.File())
	case !b.parries(to):
		return errStillCheck.Error(us, b.checkers.First())
	case k == Pawn && b.pawnDrops(us, squareBit[to]).Empty():
		return errPawnMate.Error()
	}
	return nil
}

// ParsePosition reads a position and the moves that follow it, as in the USI command
// "position" and as programs copy it:
//
//	startpos
//	position startpos moves 7g7f 3c3d
//	sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//	4k4/9/9/9/9/9/9/9/9_b_G_1 moves G*5b resign
//
// The words position and sfen are optional, _ may stand for a blank, and a last resign or win
// is skipped. It returns the position before the moves, and the moves, which are legal. If one
// is not, it returns those before it, and the error. The hands are those that are given.
func ParsePosition(text string) (Position, []Move, error) {
	p, moves, _, err := ParsePositionWith(text, GivenHands)
	return p, moves, err
}

// ParsePositionWith is [ParsePosition] with the hands that are meant, see [Hands.Read]. It also returns
// how they were read.
func ParsePositionWith(text string, h Hands) (p Position, list []Move, used Hands, err error) {
	fields := Fields(text)
	if len(fields) > 0 && fields[0] == "position" {
		fields = fields[1:]
	}
	var moves []string
	if at := slices.Index(fields, "moves"); at >= 0 {
		fields, moves = fields[:at], fields[at+1:]
	}
	if last := len(moves) - 1; last >= 0 && (moves[last] == "resign" || moves[last] == "win") {
		moves = moves[:last]
	}
	switch {
	case len(fields) == 1 && fields[0] == "startpos":
		p = Start()
	case len(fields) > 0 && fields[0] == "sfen":
		p, err = ParseSFEN(strings.Join(fields[1:], " "))
	default:
		p, err = ParseSFEN(strings.Join(fields, " "))
	}
	if err != nil {
		return Position{}, nil, UsualHands, err
	}
	p, used = h.Read(p, Written{})
	b := NewBoard(p)
	for i, text := range moves {
		m, err := b.ParseUSI(text)
		if err != nil {
			return p, list, used, errMoveNumber.Error(i+1, err)
		}
		b.Do(m)
		list = append(list, m)
	}
	return p, list, used, nil
}

// Fields splits a position and its moves into words. Between them are blanks, or _ as in
// addresses of web pages.
func Fields(text string) []string {
	return strings.FieldsFunc(text, func(letter rune) bool { return letter == '_' || unicode.IsSpace(letter) })
}
