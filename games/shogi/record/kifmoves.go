package record

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// readMoves reads what follows the number of a line such as
// "   1 ７六歩(77)   ( 0:01/00:00:01)": a move, several, or the word for the ending. The
// number is -1 if there is none, as in KI2.
func (r *kifReader) readMoves(text string, number int, at func(string) int) {
	for text != "" {
		if !looksLikeMove(text) {
			r.readEnding(text, number, at)
			return
		}
		rest, err := r.readMove(text, number)
		if err != nil {
			r.fail(r.place(at(text), err))
			return
		}
		if r.board == nil || r.stopped {
			return
		}
		var spent time.Duration
		spent, rest = cutTime(trimBlanks(rest))
		if spent >= 0 && r.variation == nil {
			r.record.setTime(spent)
		}
		text = strings.TrimLeft(rest, blanks+"+")
		if next, after := cutNumber(text); next == r.next && looksLikeMove(after) {
			number, text = next, after
		} else if number >= 0 && !looksLikeMove(text) {
			return // a remark
		} else if number >= 0 {
			number = r.next
		}
	}
}

// readMove reads and makes a move, and returns what follows it.
func (r *kifReader) readMove(text string, number int) (string, error) {
	if !r.begin() {
		return "", nil
	}
	main := r.variation == nil
	if main && len(r.record.Moves) == 0 && !r.ended && !r.stopped {
		r.first, r.next = max(number, 0), max(number, 0)
		if number > 1 && r.rows == 0 {
			return "", errFirstNumber.Error(number)
		}
	}
	if r.stopped {
		r.next = max(number+1, r.next)
		return "", nil
	}
	if r.ended {
		return "", errAfterEnd.Error()
	}
	if number >= 0 && number != r.next {
		return "", errNumber.Error(number, r.next)
	}
	r.next++
	j, rest, err := scanJapanese(text)
	m := shogi.NoMove
	if err == nil {
		m, err = r.findMove(&j)
	}
	if err == nil && rest != "" && number >= 0 && !beginsWith(rest, blanks+"(（+"+blackMarks+whiteMarks) {
		err = errSuffix.Error(rest)
	}
	if err != nil {
		return "", errMove.Error(strings.Trim(strings.TrimSuffix(text, rest), blanks), err)
	}
	r.board.Do(m)
	if !main {
		r.variation.Moves = append(r.variation.Moves, m)
		return rest, nil
	}
	r.record.Moves = append(r.record.Moves, m)
	if len(r.record.Moves)%markEvery == 0 {
		r.marks = append(r.marks, r.board.Position())
	}
	return rest, nil
}

// findMove returns the legal move that fits j. Below a diagram that does not say which side is
// to move, the first move shows it.
func (r *kifReader) findMove(j *japaneseMove) (shogi.Move, error) {
	last := r.last
	if r.base > 0 {
		last = r.record.Moves[r.base-1].To()
	}
	m, err := j.find(r.board, last)
	if err == nil || r.hasTurn || r.rows == 0 || r.variation != nil || r.ply() > 0 {
		return m, err
	}
	other := r.setup
	other.turn = r.record.Start.Turn().Other()
	p, used, illegal := other.withoutExcess().position(r.hands)
	if illegal != nil {
		return m, err
	}
	b := shogi.NewBoard(p)
	n, none := j.find(b, last)
	if none != nil {
		return m, err
	}
	r.record.Start, r.record.Hands, r.board = p, used, b
	return n, nil
}

// isEnding reports whether text begins with a word for an ending.
func isEnding(text string) bool {
	_, _, known := endOfKIF(endingWord(text), shogi.Black)
	return known
}

// endingWord returns the word at the beginning of text, without the time after it.
func endingWord(text string) string {
	if at := strings.IndexAny(text, blanks+"(（+"); at >= 0 {
		text = text[:at]
	}
	return text
}

// readEnding reads the word that ends a line of play. A word that is not known ends it too if
// it has the number of the next move.
func (r *kifReader) readEnding(text string, number int, at func(string) int) {
	known := isEnding(text)
	if r.board == nil && (number >= 0 && !known && !namesMove(text) || !r.begin()) {
		return
	}
	if strings.HasPrefix(text, "まで") && r.variation == nil {
		r.record.summarise(text, r.turnAt(r.next))
		r.ended = r.ended || r.record.Ending != NoEnding
		return
	}
	if len(r.record.Moves) == 0 && r.variation == nil && !r.stopped && number >= 0 {
		r.first, r.next = number, number
	}
	switch {
	case !known && (number != r.next || namesMove(text) || beginsMove(text)):
		if (number < 0 || namesMove(text) || beginsMove(text)) && !r.stopped {
			r.fail(r.place(at(text), errNotMove.Error(text)))
		}
		return
	case r.ended:
		return
	}
	r.ended = true
	if number >= 0 {
		r.next = number
	}
	if v := r.variation; v != nil {
		v.Ending, v.Result, known = endOfKIF(endingWord(text), r.board.Turn())
		if !known {
			v.Ending = Other
		}
	} else if e, result, known := endOfKIF(endingWord(text), r.turnAt(r.next)); known {
		r.record.Ending, r.record.Result = e, result
	} else {
		r.record.Ending = Other
	}
}

// namesMove reports whether text that is no move has what only moves have: the square that the
// piece comes from, or a piece and 打.
func namesMove(text string) bool {
	before := ' '
	for at, letter := range text {
		if k, _ := kindOf(before); letter == '打' && k != shogi.NoKind && k < shogi.King {
			return true
		}
		before = letter
		if after := text[at:]; letter == '(' && len(after) > 3 && after[3] == ')' && digitOf(rune(after[1])) > 0 && digitOf(rune(after[2])) > 0 {
			return true
		}
	}
	return false
}

// beginsMove reports whether text is only half of a square.
func beginsMove(text string) bool {
	letter, size := utf8.DecodeRuneInString(text)
	return size == len(text) && digitOf(letter) > 0
}

// cutTime returns the time at the beginning of text, as in ( 0:16/00:01:05), and what follows
// it. The first is for the move, in minutes and seconds. The time is -1 if there is none.
func cutTime(text string) (time.Duration, string) {
	inside, rest, closed := cutBrackets(text)
	if !closed {
		return -1, text
	}
	inside, _, _ = strings.Cut(inside, "/")
	total := 0.0
	for part := range strings.SplitSeq(inside, ":") {
		n, err := strconv.ParseFloat(strings.Trim(part, blanks), 64)
		if err != nil || n < 0 || n > 1e6 {
			return -1, rest
		}
		total = 60*total + n
	}
	if total > 1e6 {
		return -1, rest
	}
	return (time.Duration(total*1000+0.5) * time.Millisecond), rest
}

// markEvery is the number of moves of the main line between positions that are kept, so that a
// variation begins after at most as many moves as are made again.
const markEvery = 16

// ply returns the number of moves before the position on the board.
func (r *kifReader) ply() int { return r.base + r.board.Ply() }

// goTo puts the position after ply moves of the main line on the board.
func (r *kifReader) goTo(ply int) {
	p, n := r.record.Start, ply/markEvery
	if n > 0 {
		p = r.marks[n-1]
	}
	r.base = n * markEvery
	r.board.Set(p)
	for _, m := range r.record.Moves[r.base:ply] {
		r.board.Do(m)
	}
}

// readVariation goes back to where a variation begins, as in 変化：5手. It leaves the line
// before it, if that is long enough, and otherwise the main line.
func (r *kifReader) readVariation(text string) {
	r.endVariation()
	r.stopped, r.ended = false, false
	digits := strings.IndexFunc(text, func(letter rune) bool { return letter >= '0' && letter <= '9' || letter >= '０' && letter <= '９' })
	number := -1
	if digits >= 0 {
		number, _ = cutNumber(leadingDigits(text[digits:]) + " ")
	}
	ply := number - max(r.first, 1)
	if number < 0 || ply < 0 || ply > max(r.ply(), len(r.record.Moves)) {
		r.fail(r.place(0, errVariation.Error(text)))
		ply = r.ply()
	}
	switch {
	case ply > r.ply():
		r.goTo(ply)
		r.left = 0
	case ply < r.base:
		r.goTo(ply)
	}
	for r.ply() > ply {
		r.board.Undo()
	}
	for r.left > 0 && ply <= r.record.Variations[r.left-1].Ply {
		r.left = r.record.Variations[r.left-1].Leaves
	}
	r.variation, r.next = &Variation{Leaves: r.left, Ply: ply}, number
}

// endVariation keeps the variation that was read, if there is one with moves.
func (r *kifReader) endVariation() {
	if r.variation != nil && len(r.variation.Moves) > 0 {
		r.record.Variations = append(r.record.Variations, *r.variation)
		r.left = len(r.record.Variations)
	}
}

// leadingDigits returns the digits at the beginning of text.
func leadingDigits(text string) string {
	for at, letter := range text {
		if !(letter >= '0' && letter <= '9' || letter >= '０' && letter <= '９') {
			return text[:at]
		}
	}
	return text
}

// finish completes the record.
func (r *kifReader) finish() Record {
	r.begin()
	r.endVariation()
	r.record.finish()
	r.record.Variations = ordered(r.record.Variations)
	return r.record
}
