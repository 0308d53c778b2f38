package shogi

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// csaNames are the pieces in CSA records.
var csaNames = [kinds]string{
	Pawn: "FU", Lance: "KY", Knight: "KE", Silver: "GI", Bishop: "KA", Rook: "HI", Gold: "KI", King: "OU",
	PromotedPawn: "TO", PromotedLance: "NY", PromotedKnight: "NK", PromotedSilver: "NG", Horse: "UM", Dragon: "RY",
}

func kindOfCSA(name string) (Kind, error) {
	for k := Pawn; k < kinds; k++ {
		if csaNames[k] == name {
			return k, nil
		}
	}
	return NoKind, fmt.Errorf("%q is no piece (FU KY KE GI KI KA HI OU TO NY NK NG UM RY)", name)
}

// csaHeaders are the names of headers in CSA and in KIF.
var csaHeaders = []struct{ csa, kif string }{
	{"EVENT", "棋戦"}, {"SITE", "場所"}, {"START_TIME", "開始日時"}, {"END_TIME", "終了日時"},
	{"TIME_LIMIT", "持ち時間"}, {"OPENING", "戦型"},
}

// csaReader reads CSA records statement by statement.
type csaReader struct {
	records []Record
	record  Record
	setup   Position
	started bool // anything of this record is read
	placed  bool // something of the board is
	rest    bool // P+00AL or P-00AL is read
	board   *Board
	ended   bool
}

// ParseCSA reads the records of a file in the CSA format, versions 1 to 3, in
// UTF-8 or Shift_JIS; there is a line with / between records. Comments and times
// are left out. It refuses what it cannot read and moves that are not legal
// with a [SyntaxError].
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

// finish ends a record.
func (r *csaReader) finish() error {
	if !r.started {
		if len(r.records) == 0 {
			return fmt.Errorf("there is no record")
		}
		return nil
	}
	if r.board == nil {
		return fmt.Errorf("the record ends without a side to move (a line with + or -)")
	}
	*r = csaReader{records: append(r.records, r.record)}
	return nil
}

// readLine reads a line. An error comes with the character where it is.
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
		return r.readName(line)
	case '$':
		name, value, ok := strings.Cut(line[1:], ":")
		if !ok {
			return utf8.RuneCountInString(line) + 1, fmt.Errorf("want : behind the name of a header")
		}
		for _, h := range csaHeaders {
			if h.csa == name {
				name = h.kif
			}
		}
		r.addHeader(name, value)
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

func (r *csaReader) readName(line string) (int, error) {
	switch {
	case strings.HasPrefix(line, "N+"):
		r.addHeader(playerNames[Black], line[2:])
	case strings.HasPrefix(line, "N-"):
		r.addHeader(playerNames[White], line[2:])
	default:
		return 2, fmt.Errorf("want N+ or N- and the name of a player")
	}
	return 0, nil
}

func (r *csaReader) addHeader(name, value string) {
	r.record.Headers = append(r.record.Headers, Header{strings.TrimSpace(name), strings.TrimSpace(value)})
}

// readStatement reads a statement. An error comes with the number of characters
// before it.
func (r *csaReader) readStatement(text string) (int, error) {
	switch {
	case text == "+", text == "-":
		return 0, r.begin(text)
	case text == "", text[0] == 'T':
		return 0, nil
	case text[0] == 'P':
		if r.board != nil {
			return 0, fmt.Errorf("a position behind the side to move")
		}
		return r.readPlacement(text)
	case r.board == nil:
		return 0, fmt.Errorf("%q, want a position (PI, P1 to P9, P+ or P-) and the side to move (+ or -) first", shorten(text))
	case r.ended:
		return 0, fmt.Errorf("%q behind the end of the game", shorten(text))
	case text[0] == '%':
		return 0, r.readEnding(text[1:])
	case text[0] == '+', text[0] == '-':
		return r.readMove(text)
	}
	return 0, fmt.Errorf("%q is no statement of CSA (moves begin with + or -, endings with %%, comments with ')", shorten(text))
}

// begin settles the start position.
func (r *csaReader) begin(sign string) error {
	if r.board != nil {
		return fmt.Errorf("the side to move is given twice")
	}
	if !r.placed {
		return fmt.Errorf("there is no position (PI, P1 to P9, P+ or P-) before the side to move")
	}
	if sign == "-" {
		r.setup.turn = White
	}
	if err := r.setup.check(); err != nil {
		return err
	}
	r.record.Start = r.setup
	r.board = NewBoard(r.setup)
	return nil
}

func (r *csaReader) readPlacement(text string) (int, error) {
	if r.rest {
		return 0, fmt.Errorf("%q behind 00AL, which gives away all that is left", shorten(text))
	}
	r.placed = true
	switch {
	case strings.HasPrefix(text, "PI"):
		r.setup = Start()
		return r.readRemoved(text)
	case strings.HasPrefix(text, "P+"):
		return r.readPieces(text, Black)
	case strings.HasPrefix(text, "P-"):
		return r.readPieces(text, White)
	case len(text) > 1 && text[1] >= '1' && text[1] <= '9':
		return r.readRank(text, int(text[1]-'0'))
	}
	return 1, fmt.Errorf("%q, want PI, P1 to P9, P+ or P-", shorten(text))
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
			return at, fmt.Errorf("rank %d ends after %d squares, want 9 of three characters each", rank, 9-file)
		}
		k, err := kindOfCSA(field[1:])
		if err == nil && field[0] != '+' && field[0] != '-' {
			err = fmt.Errorf("%q, want a piece with + or - before it, or * for an empty square", field)
		}
		if err != nil {
			return at, err
		}
		c := Black
		if field[0] == '-' {
			c = White
		}
		r.setup.board[SquareAt(file, rank)] = PieceOf(c, k)
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
		if err == nil && (s == NoSquare || r.setup.board[s].Kind() != k) {
			err = fmt.Errorf("there is no such piece on the square at the start")
		}
		if err != nil {
			return at, err
		}
		r.setup.board[s] = NoPiece
	}
	return 0, nil
}

// readPieces reads pieces on squares and in the hand, as in "P+55OU00FU".
func (r *csaReader) readPieces(text string, c Color) (int, error) {
	for at := 2; at < len(text); at += 4 {
		if text[at:] == "00AL" {
			if err := r.giveRest(c); err != nil {
				return at, err
			}
			return 0, nil
		}
		s, k, err := parseCSAPiece(text[at:])
		switch {
		case err != nil:
		case s == NoSquare && k >= King:
			err = fmt.Errorf("a %s cannot be in hand", k)
		case s == NoSquare && r.setup.hands[c].Count(k) == inAll[k]:
			err = fmt.Errorf("more than %d pieces of the kind %s in one hand", inAll[k], k)
		case s == NoSquare:
			r.setup.hands[c] = r.setup.hands[c].With(k)
		case r.setup.board[s] != NoPiece:
			err = fmt.Errorf("there is a piece on the square already")
		default:
			r.setup.board[s] = PieceOf(c, k)
		}
		if err != nil {
			return at, err
		}
	}
	return 0, nil
}

func (r *csaReader) giveRest(c Color) error {
	var used [King + 1]int
	for _, piece := range r.setup.board {
		used[piece.Kind().Unpromoted()]++
	}
	for k := Pawn; k <= Gold; k++ {
		if used[k] += r.setup.hands[Black].Count(k) + r.setup.hands[White].Count(k); used[k] > inAll[k] {
			return fmt.Errorf("there are %d pieces of the kind %s, but a set has %d", used[k], k, inAll[k])
		}
	}
	r.setup = r.setup.WithRest(c)
	r.rest = true
	return nil
}

// parseCSAPiece reads a square and a piece, as in 55OU; the square 00 is the hand,
// NoSquare.
func parseCSAPiece(text string) (Square, Kind, error) {
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

func parseCSASquare(text string) (Square, error) {
	if text == "00" {
		return NoSquare, nil
	}
	if text[0] < '1' || text[0] > '9' || text[1] < '1' || text[1] > '9' {
		return 0, fmt.Errorf("%q is no square (11 to 99, 00 for the hand)", text)
	}
	return SquareAt(int(text[0]-'0'), int(text[1]-'0')), nil
}

// readMove reads a move such as +7776FU or -0055KA: the piece is what arrives.
func (r *csaReader) readMove(text string) (int, error) {
	if len(text) != 7 {
		return 0, fmt.Errorf("%q, want a move as in +7776FU, or +0055FU for a drop", shorten(text))
	}
	if (text[0] == '-') != (r.board.Turn() == White) {
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
	m := DropOf(k, to)
	switch {
	case to == NoSquare:
		return 3, fmt.Errorf("no move goes to the hand")
	case from == NoSquare:
	default:
		before := r.board.At(from).Kind()
		promotes := before.CanPromote() && k == before+Promoted
		if before != NoKind && before != k && !promotes {
			return 5, fmt.Errorf("on %v stands a %s, which does not become a %s", from, before, k)
		}
		m = MoveOf(from, to, promotes)
	}
	if err := r.board.CheckMove(m); err != nil {
		return 0, fmt.Errorf("move %q: %w", text, err)
	}
	r.board.Do(m)
	r.record.Moves = append(r.record.Moves, m)
	return 0, nil
}

func (r *csaReader) readEnding(name string) error {
	r.ended = true
	for e := Resignation; e < endings; e++ {
		if endingNames[e].csa == name && name != "" {
			r.record.End = e
			return nil
		}
	}
	switch name {
	case "+ILLEGAL_ACTION", "-ILLEGAL_ACTION":
		r.record.End = IllegalMoveBefore
		if (name[0] == '-') == (r.board.Turn() == White) {
			r.record.End = IllegalMove
		}
	case "HIKIWAKE":
		r.record.End = Impasse
	case "MATTA", "ERROR", "MAX_MOVES":
		r.record.End = Interruption
	default:
		return fmt.Errorf("%%%s is no ending of CSA (such as %%TORYO, %%TSUMI or %%CHUDAN)", shorten(name))
	}
	return nil
}
