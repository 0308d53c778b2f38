package record

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// ParseKIF reads records in the KIF format (柿木形式) or KI2, in any encoding that [Decode]
// knows. The start position is given by a diagram or, without one, by a handicap (手合割), and
// otherwise is the usual one. Below a diagram the side not to move holds no more than is left
// of a set, whatever its hand says: problems are often careless about it. Hands that are missing
// are read as [shogi.Hands.Read] says. Lines that say
// nothing about the moves are skipped, and so is a remark after the name of a handicap. A record that cannot be read to its end has an error,
// see [Record]; ParseKIF fails if there is no record at all. Errors about a line are a
// [SyntaxError]. A bookmark (&) is read as a line of the comment.
func ParseKIF(data []byte) ([]Record, error) { return parseKIF(data, shogi.UsualHands) }

func parseKIF(data []byte, h shogi.Hands) ([]Record, error) {
	var records []Record
	var previous *kifReader // complete, unless its variations come after headers
	r := newKIFReader(h)
	finish := func(r *kifReader) {
		if r != nil && !r.empty() {
			records = append(records, r.finish())
		}
	}
	for i, line := range lines(Decode(data)) {
		text := strings.Trim(line, blanks)
		switch {
		case r.board != nil && opensRecord(text), r.opensDiagram(text):
			finish(previous)
			previous, r = r, newKIFReader(h)
		case previous != nil && r.empty() && goesOn(text):
			previous.take(r)
			previous, r = nil, previous
		}
		r.line = i + 1
		r.read(line)
		r.closed = r.closed || r.rows == 9 && !strings.HasPrefix(text, "|")
	}
	finish(previous)
	finish(r)
	if len(records) == 0 {
		return nil, errNoKIF.Error()
	}
	return records, nil
}

// opensRecord reports whether a line after moves belongs to another record.
func opensRecord(text string) bool {
	name, _, ok := cutHeader(text)
	switch name {
	case "手合割", "開始日時", "棋戦", "先手", "後手", "下手", "上手", "作者", "作品名":
		return ok
	}
	_, hand := handOf(name)
	return ok && hand || strings.HasPrefix(text, "|") || strings.HasPrefix(text, "# ----") || strings.HasPrefix(text, "#KIF")
}

// opensDiagram reports whether a line below a whole diagram belongs to another one: a row, or a hand
// that was given above it.
func (r *kifReader) opensDiagram(text string) bool {
	if r.board != nil || r.rows < 9 {
		return false
	}
	name, _, ok := cutHeader(text)
	c, hand := handOf(name)
	return r.closed && strings.HasPrefix(text, "|") || ok && hand && r.given[c]
}

// goesOn reports whether a line after headers belongs to the record before them. The numbers of
// files above a diagram are no move.
func goesOn(text string) bool {
	number, rest := cutNumber(text)
	return strings.HasPrefix(text, "変化") || number > 1 && strings.Trim(rest, blanks+"0123456789０１２３４５６７８９") != ""
}

// kifReader reads a record line by line.
type kifReader struct {
	record Record
	line   int         // from 1
	hands  shogi.Hands // how they are read

	setup        setup   // from the diagram
	rows         int     // of the diagram, so far
	closed       bool    // another line has come after its rows
	given        [2]bool // whose hands were, above the diagram
	handErr      error   // of a line with a hand, which counts if there is a diagram
	hasTurn      bool    // setup has the side to move
	hasHandicap  bool
	handicap     string
	handicapLine int
	last         shogi.Square // where the move before the first went; 同 may mean it

	board *shogi.Board     // nil before the moves
	base  int              // moves of the main line before those that were made on it
	marks []shogi.Position // of the main line, after each markEvery moves
	// first is the number of the first move, 0 if none has one, and next that of the next
	// move of the line of play.
	first, next int
	variation   *Variation // that is read, nil in the main line
	left        int        // the number of the line that is read or was read last, as [Variation.Leaves]
	stopped     bool       // by an error, until the next variation
	ended       bool       // until the next variation
}

func newKIFReader(h shogi.Hands) *kifReader { return &kifReader{hands: h, last: shogi.NoSquare} }

// empty reports whether nothing says that there is a record.
func (r *kifReader) empty() bool {
	return r.board == nil && r.rows == 0 && !r.hasHandicap && r.record.Err == nil
}

// place says where an error is.
func (r *kifReader) place(column int, err error) error {
	return fmt.Errorf("KIF: %w", &SyntaxError{r.line, column, err})
}

// fail keeps the first error. The rest of the line of play is skipped.
func (r *kifReader) fail(err error) {
	if r.record.Err == nil {
		r.record.Err = err
	}
	r.stopped = true
}

// read reads a line.
func (r *kifReader) read(line string) {
	text := strings.Trim(line, blanks)
	at := func(rest string) int { // the column where rest begins
		return utf8.RuneCountInString(strings.TrimRight(line, blanks)) - utf8.RuneCountInString(rest) + 1
	}
	number, rest := cutNumber(text)
	switch {
	case text == "", text[0] == '#', strings.HasPrefix(text, "+-"), strings.HasPrefix(squeeze(text), "９８７"), strings.HasPrefix(squeeze(text), "987654321"):
		return
	case text[0] == '*':
		if text = text[1:]; strings.HasPrefix(text, "&") {
			text = " " + text // it is no bookmark
		}
		r.readComment(text)
		return
	case text[0] == '&':
		r.readComment(text)
		return
	case strings.HasPrefix(text, "変化"):
		if r.board != nil {
			r.readVariation(text)
		}
		return
	case strings.HasPrefix(text, "まで"):
		if r.board != nil && r.variation == nil {
			r.record.summarise(text, r.turnAt(r.next))
			r.ended = r.ended || r.record.Ending != NoEnding
		}
		return
	case strings.HasPrefix(text, "手数"):
		r.readLast(text)
		return
	case text[0] == '|', strings.HasPrefix(text, "｜"):
		if r.board == nil {
			r.readRow(strings.Replace(text, "｜", "|", 1), at(text))
		}
		return
	case text == "先手番", text == "下手番":
		r.setTurn(shogi.Black)
		return
	case text == "後手番", text == "上手番":
		r.setTurn(shogi.White)
		return
	case number >= 0:
		r.readMoves(rest, number, at)
		return
	}
	if _, _, err := scanJapanese(text); err == nil || looksMarked(text) {
		r.readMoves(text, -1, at)
	} else if name, value, ok := cutHeader(text); ok {
		r.readHeader(name, value, at)
	} else if r.damaged(text) && r.begin() {
		r.fail(r.place(at(text), errKIFLine.Error(text)))
	}
}

// damaged reports whether a line that cannot be read may have been one with moves: it has
// something of a move behind its first letter or a mark.
func (r *kifReader) damaged(text string) bool {
	if r.empty() || r.ended {
		return false
	}
	for at, letter := range text {
		if marked := strings.ContainsRune(blackMarks+whiteMarks, letter); at > 0 && !marked {
			continue
		} else if marked && at == 0 && r.board != nil {
			return true
		}
		if _, _, err := scanJapanese(strings.TrimPrefix(text[at:], string(letter))); err == nil {
			return true
		}
	}
	return (r.board != nil || r.rows == 9) && namesMove(text)
}

// squeeze returns text without blanks.
func squeeze(text string) string {
	return strings.Map(func(letter rune) rune {
		if strings.ContainsRune(blanks, letter) {
			return -1
		}
		return letter
	}, text)
}

// cutNumber returns the number of a move at the beginning of a line and what follows it, or
// -1 if there is none.
func cutNumber(text string) (int, string) {
	number, digits := 0, 0
	squares := [2]int{-1, -1} // where the last two digits begin
	for at, letter := range text {
		size := utf8.RuneLen(letter)
		if letter >= '０' && letter <= '９' {
			letter -= '０' - '0'
		}
		if letter < '0' || letter > '9' {
			break
		}
		number = min(10*number+int(letter-'0'), math.MaxInt32)
		digits = at + size
		squares = [2]int{squares[1], at}
	}
	if digits == 0 {
		return -1, text
	}
	rest := text[digits:]
	if beginsWith(rest, blanks+".．:：)、") {
		return number, strings.TrimLeft(rest, blanks+".．:：)、")
	}
	// A square may follow without a blank.
	for _, at := range squares {
		if at < 0 {
			continue
		}
		if _, _, err := scanJapanese(text[at:]); err == nil {
			if at == 0 {
				return -1, text
			}
			number, _ := cutNumber(text[:at] + " ")
			return number, text[at:]
		}
	}
	if _, _, err := scanJapanese(rest); err != nil && !isEnding(rest) {
		return -1, text
	}
	return number, rest
}

// beginsWith reports whether text begins with one of letters. It looks at no more of text than
// that, since lines may have any number of moves.
func beginsWith(text, letters string) bool {
	letter, size := utf8.DecodeRuneInString(text)
	return size > 0 && strings.ContainsRune(letters, letter)
}

// looksMarked reports whether text begins with the mark of a player and what may be a square.
func looksMarked(text string) bool {
	mark, size := utf8.DecodeRuneInString(text)
	next, _ := utf8.DecodeRuneInString(trimBlanks(text[size:]))
	return strings.ContainsRune(blackMarks+whiteMarks, mark) && (next == '同' || digitOf(next) > 0)
}

// looksLikeMove reports whether text begins with a square, other than a number of two digits, or 同.
func looksLikeMove(text string) bool {
	text = strings.TrimLeft(text, blanks+blackMarks+whiteMarks)
	first, size := utf8.DecodeRuneInString(text)
	second, after := utf8.DecodeRuneInString(text[size:])
	if first == '同' || digitOf(first) <= 0 || digitOf(second) <= 0 {
		return first == '同'
	}
	number := first < utf8.RuneSelf && second < utf8.RuneSelf
	next, _ := utf8.DecodeRuneInString(trimBlanks(text[size+after:]))
	return !number || next >= utf8.RuneSelf && next != utf8.RuneError
}

// cutHeader splits a header at its colon.
func cutHeader(text string) (name, value string, ok bool) {
	at := strings.IndexAny(text, ":：")
	if at <= 0 {
		return text, "", false
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	return strings.Trim(text[:at], blanks), strings.Trim(text[at+size:], blanks), true
}

func (r *kifReader) setTurn(c shogi.Color) {
	if r.board == nil {
		r.setup.turn, r.hasTurn = c, true
	}
}

// readComment reads a line of a comment on the moves before it.
func (r *kifReader) readComment(text string) {
	text = strings.TrimRight(text, blanks)
	switch v := r.variation; {
	case r.stopped: // the moves before it were not read
	case v != nil:
		v.Comments = addComment(v.Comments, len(v.Moves), text)
	default:
		r.record.Comments = addComment(r.record.Comments, len(r.record.Moves), text)
	}
}

// take takes what was read after the moves by another reader that found no record.
func (r *kifReader) take(other *kifReader) {
	for c, name := range other.record.Names {
		r.record.Names[c] = cmp.Or(r.record.Names[c], name)
	}
	r.record.Tags = append(r.record.Tags, other.record.Tags...)
	for _, text := range commentAt(other.record.Comments, 0) {
		r.readComment(text)
	}
}

// readLast reads a line such as 手数＝84 ▲６二角成 まで below a diagram.
func (r *kifReader) readLast(text string) {
	_, move, ok := strings.Cut(strings.Replace(text, "=", "＝", 1), "＝")
	if _, move = cutNumber(strings.Trim(move, blanks)); ok && r.board == nil {
		if j, _, err := scanJapanese(move); err == nil {
			r.last = j.to
		}
	}
}

func (r *kifReader) readRow(text string, column int) {
	r.rows++
	if r.rows > 9 {
		r.fail(r.place(column, errRow.Error(r.rows)))
	} else if at, err := r.setup.parseRow(text, r.rows); err != nil {
		r.fail(r.place(column+at-1, err))
	}
}

// handOf returns whose hand a header gives.
func handOf(name string) (shogi.Color, bool) {
	switch name {
	case "先手の持駒", "下手の持駒", "先手の持ち駒", "下手の持ち駒":
		return shogi.Black, true
	case "後手の持駒", "上手の持駒", "後手の持ち駒", "上手の持ち駒":
		return shogi.White, true
	}
	return shogi.Black, false
}

func (r *kifReader) readHeader(name, value string, at func(string) int) {
	if c, ok := handOf(name); ok {
		r.readHand(c, value, at(value))
		return
	}
	switch name {
	case "先手", "下手":
		r.record.Names[shogi.Black] = value
	case "後手", "上手":
		r.record.Names[shogi.White] = value
	case "手番":
		switch value {
		case "先手", "下手", "先手番", "下手番":
			r.setTurn(shogi.Black)
		case "後手", "上手", "後手番", "上手番":
			r.setTurn(shogi.White)
		case "":
		default:
			if r.board == nil {
				r.fail(r.place(0, errTurn.Error(value)))
			}
		}
	case "手合割":
		if r.board == nil {
			r.handicap, r.handicapLine, r.hasHandicap = value, r.line, true
		}
	default:
		if strings.HasPrefix(value, "//") {
			return // an address
		}
		r.record.Tags = append(r.record.Tags, Tag{name, value})
	}
}

func (r *kifReader) readHand(c shogi.Color, value string, column int) {
	r.given[c] = r.given[c] || r.rows == 0
	h, rest, at, err := parseHand(value)
	if err == nil && rest && r.setup.written.Rest[c.Other()] {
		at, err = 1, errBothRest.Error()
	}
	switch {
	case r.board != nil:
	case err != nil:
		r.handErr = r.place(column+at-1, err)
	case rest:
		r.setup.written.Rest[c] = true
	default:
		r.setup.hands[c], r.setup.written.Hand[c] = h, value != ""
	}
}

// begin fixes the start position, the first time it is called. It fails if there is none.
func (r *kifReader) begin() bool {
	if r.board != nil || r.record.Err != nil {
		return r.board != nil
	}
	p, used, err := r.start()
	if err != nil {
		r.fail(err)
		return false
	}
	r.record.Start, r.record.Hands, r.board = p, used, shogi.NewBoard(p)
	return true
}

func (r *kifReader) start() (shogi.Position, shogi.Hands, error) {
	given, known := handicap(r.handicap)
	if r.rows == 0 {
		switch {
		case r.handicap == "":
			given = shogi.Start()
		case !known:
			return given, shogi.UsualHands, fmt.Errorf("KIF: %w", &SyntaxError{r.handicapLine, 5, errHandicap.Error(r.handicap)})
		}
		start := setupOf(given)
		if r.hasTurn {
			start.turn = r.setup.turn
		}
		return start.position(r.hands)
	}
	if r.rows < 9 {
		return given, shogi.UsualHands, r.place(0, errRows.Error(r.rows))
	}
	if r.handErr != nil {
		return given, shogi.UsualHands, r.handErr
	}
	r.setup.written.Problem = strings.Contains(r.handicap, "詰将棋")
	if usual := setupOf(given); known && !r.hasTurn && usual.board == r.setup.board {
		r.setup.turn = given.Turn()
	}
	p, used, err := r.setup.withoutExcess().position(r.hands)
	if err != nil && !r.hasTurn {
		// Only the other side can be to move if this one could take the king.
		other := r.setup
		other.turn = shogi.White
		if q, used, err := other.withoutExcess().position(r.hands); err == nil {
			return q, used, nil
		}
	}
	if err != nil {
		_, _, err = r.setup.position(r.hands)
		err = r.place(0, err)
	}
	return p, used, err
}

// turnAt returns the side to move before the move with a number.
func (r *kifReader) turnAt(number int) shogi.Color {
	return r.record.Start.Turn() ^ shogi.Color((number-r.first)&1)
}
