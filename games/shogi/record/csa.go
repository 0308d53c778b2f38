package record

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// csaNames are the pieces in CSA records.
var csaNames = [...]string{
	shogi.Pawn: "FU", shogi.Lance: "KY", shogi.Knight: "KE", shogi.Silver: "GI", shogi.Bishop: "KA", shogi.Rook: "HI", shogi.Gold: "KI", shogi.King: "OU",
	shogi.PromotedPawn: "TO", shogi.PromotedLance: "NY", shogi.PromotedKnight: "NK", shogi.PromotedSilver: "NG", shogi.Horse: "UM", shogi.Dragon: "RY",
}

func kindOfCSA(name string) (shogi.Kind, error) {
	if k := slices.Index(csaNames[:], name); k > 0 {
		return shogi.Kind(k), nil
	}
	return shogi.NoKind, fmt.Errorf("%q is not a piece (FU KY KE GI KI KA HI OU TO NY NK NG UM RY)", name)
}

// csaReader reads CSA records statement by statement.
type csaReader struct {
	records []Record
	record  Record
	setup   setup
	started bool // part of this record has been read
	placed  bool // part of its start position has
	board   *shogi.Board
	ended   bool
}

// ParseCSA reads a file in the CSA format, versions 1 to 3, in UTF-8 or Shift_JIS.
// Lines with / separate its records. Headers, comments and times are skipped. Errors
// about a line are a [SyntaxError].
func ParseCSA(data []byte) ([]Record, error) {
	text, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("CSA: %w", err)
	}
	var r csaReader
	number := 0
	for i, line := range lines(text) {
		number = i + 1
		if column, err := r.readLine(line); err != nil {
			return nil, fmt.Errorf("CSA: %w", &SyntaxError{number, column, err})
		}
	}
	if err := r.finish(); err != nil {
		return nil, fmt.Errorf("CSA: %w", &SyntaxError{number, 0, err})
	}
	return r.records, nil
}

func (r *csaReader) finish() error {
	if !r.started {
		if len(r.records) == 0 {
			return fmt.Errorf("the file has no record")
		}
		return nil
	}
	if r.board == nil {
		return fmt.Errorf("the record ends without a side to move (a line with + or -)")
	}
	*r = csaReader{records: append(r.records, r.record)}
	return nil
}

// readLine reads a line. For an error, column is its position in characters, from 1, or 0 for
// the whole line.
func (r *csaReader) readLine(line string) (column int, err error) {
	line = strings.TrimRight(line, " \t")
	switch {
	case line == "", line[0] == '\'':
		return 0, nil
	case line == "/":
		return 0, r.finish()
	}
	r.started = true
	switch line[0] {
	case 'V':
		return 0, nil
	case 'N':
		if !strings.HasPrefix(line, "N+") && !strings.HasPrefix(line, "N-") {
			return 2, fmt.Errorf("want N+ or N- and the name of a player")
		}
		return 0, nil
	case '$':
		if !strings.Contains(line, ":") {
			return utf8.RuneCountInString(line) + 1, fmt.Errorf("want : after the name of a header")
		}
		return 0, nil
	}
	// Several statements may share a line.
	column = 1
	for _, statement := range strings.Split(line, ",") {
		if at, err := r.readStatement(statement); err != nil {
			return column + at, err
		}
		column += utf8.RuneCountInString(statement) + 1
	}
	return 0, nil
}

// readStatement reads a statement. For an error, it also returns the number of characters
// before it.
func (r *csaReader) readStatement(text string) (int, error) {
	switch {
	case text == "+", text == "-":
		return 0, r.begin(text)
	case text == "", text[0] == 'T':
		return 0, nil
	case text[0] == 'P':
		if r.board != nil {
			return 0, fmt.Errorf("a position after the side to move")
		}
		return r.readPlacement(text)
	case r.board == nil:
		return 0, fmt.Errorf("%.300q, want a position (PI, P1 to P9, P+ or P-) and the side to move (+ or -) first", text)
	case r.ended:
		return 0, fmt.Errorf("%.300q after the end of the game", text)
	case text[0] == '%':
		return 0, r.readEnding(text[1:])
	case text[0] == '+', text[0] == '-':
		return r.readMove(text)
	}
	return 0, fmt.Errorf("%.300q is not a statement of CSA (moves begin with + or -, endings with %%, comments with ')", text)
}

func (r *csaReader) begin(sign string) error {
	if r.board != nil {
		return fmt.Errorf("the side to move is given twice")
	}
	if !r.placed {
		return fmt.Errorf("a position (PI, P1 to P9, P+ or P-) must come before the side to move")
	}
	if sign == "-" {
		r.setup.turn = shogi.White
	}
	p, err := r.setup.position()
	if err != nil {
		return err
	}
	r.record.Start = p
	r.board = shogi.NewBoard(p)
	return nil
}

func (r *csaReader) readPlacement(text string) (int, error) {
	if r.setup.rest {
		return 0, fmt.Errorf("%.300q after 00AL, which gives away all other pieces", text)
	}
	r.placed = true
	switch {
	case strings.HasPrefix(text, "PI"):
		r.setup = setupOf(shogi.Start())
		return r.readRemoved(text)
	case strings.HasPrefix(text, "P+"):
		return r.readPieces(text, shogi.Black)
	case strings.HasPrefix(text, "P-"):
		return r.readPieces(text, shogi.White)
	case len(text) > 1 && text[1] >= '1' && text[1] <= '9':
		return r.readRank(text, int(text[1]-'0'))
	}
	return 1, fmt.Errorf("%.300q, want PI, P1 to P9, P+ or P-", text)
}

// readRank reads a line such as "P1-KY-KE * ".
func (r *csaReader) readRank(text string, rank int) (int, error) {
	rest := text[2:]
	for file := 9; file >= 1; file-- {
		at := len(text) - len(rest)
		field := rest[:min(3, len(rest))]
		rest = rest[len(field):]
		if strings.TrimSpace(field) == "*" {
			continue
		}
		if len(field) < 3 {
			return at, fmt.Errorf("rank %d: want 9 squares of three characters each, got %d", rank, 9-file)
		}
		k, err := kindOfCSA(field[1:])
		if err == nil && field[0] != '+' && field[0] != '-' {
			err = fmt.Errorf("%q, want a piece with + or - before it, or * for an empty square", field)
		}
		if err != nil {
			return at, err
		}
		c := shogi.Black
		if field[0] == '-' {
			c = shogi.White
		}
		r.setup.board[shogi.SquareAt(file, rank)] = shogi.PieceOf(c, k)
	}
	if rest != "" {
		return len(text) - len(rest), fmt.Errorf("rank %d has more than 9 squares", rank)
	}
	return 0, nil
}

// readRemoved reads the pieces missing from the usual start position, as in
// "PI82HI22KA".
func (r *csaReader) readRemoved(text string) (int, error) {
	for at := 2; at < len(text); at += 4 {
		s, k, err := parseCSAPiece(text[at:])
		if err == nil && (s == shogi.NoSquare || r.setup.board[s].Kind() != k) {
			err = fmt.Errorf("no such piece stands there at the start")
		}
		if err != nil {
			return at, err
		}
		r.setup.board[s] = shogi.NoPiece
	}
	return 0, nil
}

// readPieces reads pieces on squares and in the hand, as in "P+55OU00FU".
func (r *csaReader) readPieces(text string, c shogi.Color) (int, error) {
	for at := 2; at < len(text); at += 4 {
		if text[at:] == "00AL" {
			r.setup.rest, r.setup.restOf = true, c
			return 0, nil
		}
		s, k, err := parseCSAPiece(text[at:])
		switch {
		case err != nil:
		case s == shogi.NoSquare && k >= shogi.King:
			err = fmt.Errorf("a %s cannot be in hand", k)
		case s == shogi.NoSquare && r.setup.hands[c].Count(k) == k.InSet():
			err = fmt.Errorf("a set has only %d pieces of the kind %s", k.InSet(), k)
		case s == shogi.NoSquare:
			r.setup.hands[c] = r.setup.hands[c].With(k)
		case r.setup.board[s] != shogi.NoPiece:
			err = fmt.Errorf("there is a piece on the square already")
		default:
			r.setup.board[s] = shogi.PieceOf(c, k)
		}
		if err != nil {
			return at, err
		}
	}
	return 0, nil
}

// parseCSAPiece reads a square and a piece, as in 55OU; 00 is the hand, returned as NoSquare.
func parseCSAPiece(text string) (shogi.Square, shogi.Kind, error) {
	if len(text) < 4 {
		return 0, 0, fmt.Errorf("%q, want a square and a piece, as in 55OU", text)
	}
	s, err := parseCSASquare(text[:2])
	if err != nil {
		return 0, 0, err
	}
	k, err := kindOfCSA(text[2:4])
	return s, k, err
}

func parseCSASquare(text string) (shogi.Square, error) {
	if text == "00" {
		return shogi.NoSquare, nil
	}
	if text[0] < '1' || text[0] > '9' || text[1] < '1' || text[1] > '9' {
		return 0, fmt.Errorf("%q is not a square (11 to 99, 00 for the hand)", text)
	}
	return shogi.SquareAt(int(text[0]-'0'), int(text[1]-'0')), nil
}

// readMove reads a move such as +7776FU or -0055KA. The piece is named as it is after the
// move.
func (r *csaReader) readMove(text string) (int, error) {
	if len(text) != 7 {
		return 0, fmt.Errorf("%.300q, want a move as in +7776FU, or +0055FU for a drop", text)
	}
	if (text[0] == '-') != (r.board.Turn() == shogi.White) {
		return 0, fmt.Errorf("%q, but %s is to move", text, r.board.Turn())
	}
	from, err := parseCSASquare(text[1:3])
	if err != nil {
		return 1, err
	}
	to, k, err := parseCSAPiece(text[3:])
	if err != nil {
		return 3, err
	}
	m := shogi.DropOf(k, to)
	switch {
	case to == shogi.NoSquare:
		return 3, fmt.Errorf("no move goes to the hand")
	case from == shogi.NoSquare:
	default:
		before := r.board.At(from).Kind()
		promotes := before.CanPromote() && k == before+shogi.Promoted
		if before != shogi.NoKind && before != k && !promotes {
			return 5, fmt.Errorf("on %v stands a %s, which does not become a %s", from, before, k)
		}
		m = shogi.MoveOf(from, to, promotes)
	}
	if err := r.board.CheckMove(m); err != nil {
		return 0, fmt.Errorf("move %q: %w", text, err)
	}
	r.board.Do(m)
	r.record.Moves = append(r.record.Moves, m)
	return 0, nil
}

func (r *csaReader) readEnding(name string) error {
	mate, ok := csaEndings[name]
	if !ok {
		return fmt.Errorf("%%%.300s is not an ending of CSA (such as %%TORYO, %%TSUMI or %%CHUDAN)", name)
	}
	r.record.Mate, r.ended = mate, true
	return nil
}
