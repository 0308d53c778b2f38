package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
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
	return shogi.NoKind, errCSAPiece.Error(name)
}

// csaReader reads CSA records statement by statement.
type csaReader struct {
	hands   shogi.Hands // how they are read
	records []Record
	line    int // from 1
	csaRecord
}

// csaRecord is a record while it is read.
type csaRecord struct {
	record  Record
	setup   setup
	placed  bool         // part of the start position has been read
	board   *shogi.Board // nil before the side to move or the first move
	ended   bool
	stopped bool // by an error
}

// csaTags are the names that KIF has for headers of CSA.
var csaTags = map[string]string{"EVENT": "棋戦", "SITE": "場所", "START_TIME": "開始日時", "END_TIME": "終了日時", "TIME_LIMIT": "持ち時間", "OPENING": "戦型"}

// ParseCSA reads a file in the CSA format, versions 1 to 3, in any encoding that [Decode]
// knows. Lines with / separate its records. Commas may stand for ends of lines.
// A record that cannot be read to its end has an error, see [Record]; ParseCSA fails if there
// is no record at all. Errors about a line are a [SyntaxError].
func ParseCSA(data []byte) ([]Record, error) { return parseCSA(data, shogi.UsualHands) }

func parseCSA(data []byte, h shogi.Hands) ([]Record, error) {
	r := csaReader{hands: h}
	for i, line := range lines(Decode(data)) {
		r.line = i + 1
		r.readLine(strings.Trim(line, blanks))
	}
	r.finish()
	if len(r.records) == 0 {
		return nil, errNoCSA.Error()
	}
	return r.records, nil
}

// opensCSA reports whether a line is the first of a record.
func opensCSA(line string) bool {
	return line != "" && (line[0] == 'V' || line[0] == 'N' || line[0] == 'P')
}

// over reports whether the record has moves or an ending.
func (r *csaRecord) over() bool { return r.ended || len(r.record.Moves) > 0 }

// fail keeps the first error. The rest of the record is skipped.
func (r *csaReader) fail(column int, err error) {
	if r.record.Err == nil {
		r.record.Err = fmt.Errorf("CSA: %w", &SyntaxError{r.line, column, err})
	}
	r.stopped = true
}

// finish ends a record, if there is one.
func (r *csaReader) finish() {
	if r.placed && r.board == nil && !r.stopped {
		if err := r.begin(shogi.Black); err != nil {
			r.fail(0, err)
		}
	}
	if r.placed || r.board != nil || r.record.Err != nil {
		r.record.finish()
		r.records = append(r.records, r.record)
	}
	r.csaRecord = csaRecord{}
}

// readLine reads the statements of a line.
func (r *csaReader) readLine(line string) {
	if strings.HasPrefix(line, "/") && line[1:] != "" && line[1] != ',' || strings.HasPrefix(line, "#") {
		return
	}
	column := 1 // in characters
	for line != "" {
		statement, rest := cutStatement(line)
		text := strings.Trim(statement, blanks)
		if text == "/" || r.over() && opensCSA(text) {
			r.finish()
		}
		if text != "/" && !r.readHeader(text) {
			if !strings.HasPrefix(text, "P") || strings.HasPrefix(text, "P+") || strings.HasPrefix(text, "P-") {
				text = squeeze(text)
			}
			if at, err := r.readStatement(text); err != nil {
				r.fail(column+at, err)
			}
		}
		line = rest
		column += utf8.RuneCountInString(statement) + 1
	}
}

// cutStatement cuts a line after its first statement. A comment goes to the end of the line, and a
// name or another header to what looks like a statement, since it may have commas.
func cutStatement(line string) (statement, rest string) {
	if strings.HasPrefix(line, "'") {
		return line, ""
	}
	statement, rest, _ = strings.Cut(line, ",")
	if at := len(line) - len(trimBlanks(line)); at < len(line) && strings.IndexByte("N$", line[at]) >= 0 {
		for rest != "" {
			next, after, _ := strings.Cut(rest, ",")
			if next = strings.Trim(next, blanks); next != "" && (isCSA(next) || next[0] == '\'') {
				break
			}
			statement, rest = line[:len(line)-len(after)], after
		}
		statement = strings.TrimSuffix(statement, ",")
	}
	return statement, rest
}

// readHeader reads a comment or a statement that says nothing about the moves. It returns false for
// another one.
func (r *csaReader) readHeader(text string) bool {
	switch {
	case strings.HasPrefix(text, "'CSA encoding="), strings.HasPrefix(text, "V"):
	case strings.HasPrefix(text, "'"):
		text = strings.TrimPrefix(text[1:], "*")
		if !r.stopped {
			r.record.Comments = addComment(r.record.Comments, len(r.record.Moves), strings.Trim(text, blanks))
		}
	case strings.HasPrefix(text, "N+"):
		r.record.Names[shogi.Black] = strings.Trim(text[2:], blanks)
	case strings.HasPrefix(text, "N-"):
		r.record.Names[shogi.White] = strings.Trim(text[2:], blanks)
	case strings.HasPrefix(text, "$"):
		if name, value, ok := cutHeader(text[1:]); ok {
			r.record.Tags = append(r.record.Tags, Tag{cmp.Or(csaTags[name], name), value})
		}
	default:
		return false
	}
	return true
}

// readStatement reads a statement. For an error, it also returns the number of characters
// before it.
func (r *csaReader) readStatement(text string) (int, error) {
	switch {
	case text == "":
		return 0, nil
	case text[0] == '%':
		if !r.ended && (r.board != nil || r.begin(shogi.Black) == nil) {
			r.ended = true
			r.record.endCSA(text[1:], r.board.Turn())
		}
		return 0, nil
	case r.stopped:
		return 0, nil
	case text == "+", text == "-":
		return 0, r.readTurn(csaColor(text))
	case text[0] == 'T':
		if seconds, err := strconv.ParseFloat(text[1:], 64); err == nil && seconds >= 0 && seconds < 1e6 {
			r.record.setTime(time.Duration(seconds*1000+0.5) * time.Millisecond)
		}
		return 0, nil
	case text[0] == 'P' && r.board == nil:
		return r.readPlacement(text)
	case r.ended:
		return 0, errCSAEnd.Error(text)
	case text[0] == '+', text[0] == '-':
		return r.readMove(text)
	case r.board == nil:
		return 0, nil // such as a line of a server's greeting
	}
	return 0, errStatement.Error(text)
}

func csaColor(text string) shogi.Color {
	if text[0] == '-' {
		return shogi.White
	}
	return shogi.Black
}

func (r *csaReader) readTurn(c shogi.Color) error {
	if r.board != nil && c != r.board.Turn() {
		return errTurnTwice.Error()
	}
	return r.begin(c)
}

// begin fixes the start position, the first time it is called. Without one it is the usual
// one.
func (r *csaReader) begin(turn shogi.Color) error {
	if r.board != nil {
		return nil
	}
	if !r.placed {
		r.setup = setupOf(shogi.Start())
	}
	r.setup.turn = turn
	p, used, err := r.setup.position(r.hands)
	if err != nil {
		return err
	}
	r.record.Start, r.record.Hands = p, used
	r.board = shogi.NewBoard(p)
	return nil
}

func (r *csaReader) readPlacement(text string) (int, error) {
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
	return 1, errPlacement.Error(text)
}

// readRank reads a line such as "P1-KY-KE * ". A program may have removed blanks.
func (r *csaReader) readRank(text string, rank int) (int, error) {
	at := 2
	for file := 9; file >= 1; file-- {
		at = len(text) - len(trimBlanks(text[at:]))
		switch {
		case at < len(text) && text[at] == '*':
			at++
			continue
		case at+3 > len(text):
			return at, errShortRank.Error(rank, 9-file)
		case text[at] != '+' && text[at] != '-':
			return at, errRankPiece.Error(text[at : at+3])
		}
		k, err := kindOfCSA(text[at+1 : at+3])
		if err != nil {
			return at + 1, err
		}
		r.setup.board[shogi.SquareAt(file, rank)] = shogi.PieceOf(csaColor(text[at:]), k)
		at += 3
	}
	// Some programs end a rank with a dot.
	if rest := trimBlanks(text[at:]); rest != "" && strings.IndexByte("*+-", rest[0]) >= 0 {
		return at, errLongRank.Error(rank)
	}
	return 0, nil
}

// readRemoved reads the pieces missing from the usual start position, as in
// "PI82HI22KA".
func (r *csaReader) readRemoved(text string) (int, error) {
	for at := 2; at < len(text); at += 4 {
		s, k, err := parseCSAPiece(text[at:])
		if err == nil && (s == shogi.NoSquare || r.setup.board[s].Kind() != k) {
			err = errNotThere.Error()
		}
		if err != nil {
			return at, err
		}
		r.setup.board[s] = shogi.NoPiece
	}
	return 0, nil
}

// readPieces reads pieces on squares and in the hand, as in "P+55OU00FU". Without any, the hand is
// empty.
func (r *csaReader) readPieces(text string, c shogi.Color) (int, error) {
	r.setup.written.Hand[c] = r.setup.written.Hand[c] || text[2:] == ""
	for at := 2; at < len(text); at += 4 {
		if text[at:] == "00AL" {
			r.setup.written.Rest = [2]bool{c == shogi.Black, c == shogi.White}
			return 0, nil
		}
		s, k, err := parseCSAPiece(text[at:])
		switch {
		case err != nil:
		case s == shogi.NoSquare && k >= shogi.King:
			err = errNeverHeld.Error(k)
		case s == shogi.NoSquare && r.setup.hands[c].Count(k) == k.InSet():
			err = errSetHas.Error(k.InSet(), k)
		case s == shogi.NoSquare:
			r.setup.hands[c], r.setup.written.Hand[c] = r.setup.hands[c].With(k), true
		case r.setup.board[s] != shogi.NoPiece:
			err = errTaken.Error()
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
		return 0, 0, errCSAPlace.Error(text)
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
		return 0, errCSASquare.Error(text)
	}
	return shogi.SquareAt(int(text[0]-'0'), int(text[1]-'0')), nil
}

// readMove reads a move such as +7776FU or -0055KA. The piece is named as it is after the
// move.
func (r *csaReader) readMove(text string) (int, error) {
	if len(text) != 7 {
		return 0, errCSAMove.Error(text)
	}
	if err := r.begin(csaColor(text)); err != nil {
		return 0, err
	}
	if csaColor(text) != r.board.Turn() {
		return 0, errCSATurn.Error(text, r.board.Turn())
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
		return 3, errToHand.Error()
	case from == shogi.NoSquare:
	default:
		before := r.board.At(from).Kind()
		promotes := before.CanPromote() && k == before+shogi.Promoted
		if before != shogi.NoKind && before != k && !promotes {
			return 5, errBecomes.Error(from, before, k)
		}
		m = shogi.MoveOf(from, to, promotes)
	}
	if err := r.board.CheckMove(m); err != nil {
		return 0, errMove.Error(text, err)
	}
	r.board.Do(m)
	r.record.Moves = append(r.record.Moves, m)
	return 0, nil
}
