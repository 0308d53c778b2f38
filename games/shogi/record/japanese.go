package record

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// The names of the pieces in moves, as KIF records write them.
var moveNames = [...]string{
	shogi.Pawn: "歩", shogi.Lance: "香", shogi.Knight: "桂", shogi.Silver: "銀", shogi.Bishop: "角", shogi.Rook: "飛", shogi.Gold: "金", shogi.King: "玉",
	shogi.PromotedPawn: "と", shogi.PromotedLance: "成香", shogi.PromotedKnight: "成桂", shogi.PromotedSilver: "成銀", shogi.Horse: "馬", shogi.Dragon: "龍",
}

// The direction of a move, as its player sees it.
const (
	goesUp = iota
	goesSideways
	goesBack
)

var directionNames = [...]string{"上", "寄", "引"}

// AppendJapanese appends the legal move m, which has not been made, to dst in
// Japanese notation, such as ▲2三金打, △同玉 or ▲3二銀右上不成. 同 replaces the square
// if the last move went there. Pieces of a kind that could go to the same square are
// distinguished by the rules of the Japan Shogi Association: by 上, 寄 and 引 first,
// then by 直, 右 and 左; 打 marks a drop only if a piece on the board could go there
// too.
func AppendJapanese(dst []byte, b *shogi.Board, m shogi.Move) []byte {
	to := m.To()
	dst = append(dst, [...]string{"▲", "△"}[b.Turn()]...)
	if last := b.LastMove(); last != shogi.NoMove && last.To() == to {
		dst = append(dst, "同"...)
	} else {
		dst = append(dst, '0'+byte(to.File()))
		dst = append(dst, digit(kanjiDigits, to.Rank())...)
	}
	if m.IsDrop() {
		dst = append(dst, moveNames[m.Dropped()]...)
		if len(rivals(b, m.Dropped(), to)) > 0 {
			dst = append(dst, "打"...)
		}
		return dst
	}
	from := m.From()
	k := b.At(from).Kind()
	dst = append(dst, moveNames[k]...)
	dst = appendOrigin(dst, b, from, to)
	switch {
	case m.Promotes():
		dst = append(dst, "成"...)
	case k.CanPromote() && (from.InZone(b.Turn()) || to.InZone(b.Turn())):
		dst = append(dst, "不成"...)
	}
	return dst
}

// rivals returns the squares of the pieces of a kind that can legally go to a
// square.
func rivals(b *shogi.Board, k shogi.Kind, to shogi.Square) []shogi.Square {
	var list [shogi.MaxMoves]shogi.Move
	var from []shogi.Square
	for _, m := range b.AppendMoves(list[:0]) {
		if !m.IsDrop() && m.To() == to && b.At(m.From()).Kind() == k && !slices.Contains(from, m.From()) {
			from = append(from, m.From())
		}
	}
	return from
}

// directionOf returns how a piece of c moves between two squares.
func directionOf(c shogi.Color, from, to shogi.Square) int {
	switch a, b := from.RankFor(c), to.RankFor(c); {
	case b < a:
		return goesUp
	case b == a:
		return goesSideways
	}
	return goesBack
}

// straight reports whether a piece of kind k moves 直: straight up, next to
// others of its kind. Horses and dragons are right or left of each other.
func straight(c shogi.Color, k shogi.Kind, from, to shogi.Square) bool {
	return k != shogi.Horse && k != shogi.Dragon && from.File() == to.File() && directionOf(c, from, to) == goesUp
}

// appendOrigin appends what distinguishes the piece on from among those of its kind
// that can go to the same square.
func appendOrigin(dst []byte, b *shogi.Board, from, to shogi.Square) []byte {
	us := b.Turn()
	k := b.At(from).Kind()
	direction := directionOf(us, from, to)
	// others is the number of other pieces, and same the number of those that move in the
	// same direction. right and left say whether the piece is the outermost of all, sameRight
	// whether it is the rightmost of same.
	others, same := 0, 0
	right, left, sameRight := true, true, true
	for _, s := range rivals(b, k, to) {
		if s == from {
			continue
		}
		others++
		right = right && from.FileFor(us) < s.FileFor(us)
		left = left && from.FileFor(us) > s.FileFor(us)
		if directionOf(us, s, to) == direction {
			same++
			sameRight = sameRight && from.FileFor(us) < s.FileFor(us)
		}
	}
	switch {
	case others == 0:
		return dst
	case same == 0:
		return append(dst, directionNames[direction]...)
	case straight(us, k, from, to):
		return append(dst, "直"...)
	case right:
		return append(dst, "右"...)
	case left:
		return append(dst, "左"...)
	case sameRight:
		dst = append(dst, "右"...)
	default:
		dst = append(dst, "左"...)
	}
	return append(dst, directionNames[direction]...)
}

// japaneseMove is what the text of a move says.
type japaneseMove struct {
	mark      rune         // ▲ or another, 0 if not given
	player    shogi.Color  // by the mark
	to        shogi.Square // NoSquare for 同 alone
	same      bool         // 同 beside the square
	kind      shogi.Kind
	from      shogi.Square // NoSquare unless given, as KIF does
	dropped   bool         // 打
	promotes  bool         // 成
	stays     bool         // 不成
	direction int          // goesUp to goesBack, -1 if not given
	side      rune         // 右, 左 or 直, 0 if not given
}

// The marks of the players.
const (
	blackMarks = "▲☗▼"
	whiteMarks = "△☖▽"
)

// scanJapanese reads the move at the beginning of text and returns what follows it.
func scanJapanese(text string) (j japaneseMove, rest string, err error) {
	j = japaneseMove{to: shogi.NoSquare, from: shogi.NoSquare, direction: -1}
	mark, size := utf8.DecodeRuneInString(text)
	if white := strings.ContainsRune(whiteMarks, mark); size > 1 && (white || strings.ContainsRune(blackMarks, mark)) {
		j.mark = mark
		if white {
			j.player = shogi.White
		}
		text = trimBlanks(text[size:])
	}
	rest, same := strings.CutPrefix(text, "同")
	if after := trimBlanks(rest); same && looksLikeMove(after) { // the square is given too
		text, same, j.same = after, false, true
	}
	if !same {
		file, size := utf8.DecodeRuneInString(text)
		rank, next := utf8.DecodeRuneInString(text[size:])
		if next == 0 {
			return j, "", errWanted.Error()
		}
		if digitOf(file) == 0 || digitOf(rank) == 0 {
			return j, "", errSquare.Error(string([]rune{file, rank}))
		}
		j.to = shogi.SquareAt(digitOf(file), digitOf(rank))
		rest = text[size+next:]
		if after, also := strings.CutPrefix(trimBlanks(rest), "同"); also {
			rest, j.same = after, true
		}
	}
	if j.kind, rest, err = parseMoveName(trimBlanks(rest)); err != nil {
		return j, "", err
	}
	rest, err = j.scanSuffixes(rest)
	return j, rest, err
}

// trimBlanks returns text without blanks at its beginning.
func trimBlanks(text string) string { return strings.TrimLeft(text, blanks) }

// blanks are blanks within a line.
const blanks = " \t　\u00a0"

// digitOf returns the digit from 1 to 9 that letter is in any form, or 0 if it is not one.
func digitOf(letter rune) int {
	if letter >= '1' && letter <= '9' {
		return int(letter - '0')
	}
	for _, digits := range []string{wideDigits, kanjiDigits} {
		if at := strings.IndexRune(digits, letter); at >= 0 {
			return at/3 + 1
		}
	}
	return 0
}

// parseMoveName reads the name of a piece at the beginning of text.
func parseMoveName(text string) (shogi.Kind, string, error) {
	if rest, promoted := strings.CutPrefix(text, "成"); promoted {
		letter, size := utf8.DecodeRuneInString(rest)
		if k, ok := kindOf(letter); ok && k.CanPromote() {
			return k + shogi.Promoted, rest[size:], nil
		}
	}
	letter, size := utf8.DecodeRuneInString(text)
	if k, ok := kindOf(letter); ok {
		return k, text[size:], nil
	}
	if text == "" {
		return shogi.NoKind, "", errNoPiece.Error()
	}
	return shogi.NoKind, "", errPiece.Error(letter)
}

// scanSuffixes reads what follows the piece and returns what follows that.
func (j *japaneseMove) scanSuffixes(text string) (string, error) {
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "不成"); ok {
			j.stays, text = true, rest
			continue
		}
		if rest, ok := strings.CutPrefix(text, "成らず"); ok {
			j.stays, text = true, rest
			continue
		}
		letter, size := utf8.DecodeRuneInString(text)
		switch letter {
		case '打':
			j.dropped = true
		case '成':
			j.promotes = true
		case '生':
			j.stays = true
		case '上', '行', '入':
			j.direction = goesUp
		case '寄':
			j.direction = goesSideways
		case '引', '下':
			j.direction = goesBack
		case '右', '左', '直':
			j.side = letter
		case '(', '（':
			return j.scanOrigin(text)
		default:
			return text, nil
		}
		text = text[size:]
	}
	return "", nil
}

// cutBrackets returns what is in the brackets with which text begins, and what follows them. If
// there are none that are closed, inside goes to the next bracket.
func cutBrackets(text string) (inside, rest string, closed bool) {
	if !beginsWith(text, "(（") {
		return "", text, false
	}
	_, size := utf8.DecodeRuneInString(text)
	inside = text[size:]
	end := strings.IndexAny(inside, "(（)）")
	if end < 0 || !beginsWith(inside[end:], ")）") {
		return inside[:max(end, 0)], text, false
	}
	_, size = utf8.DecodeRuneInString(inside[end:])
	return inside[:end], inside[end+size:], true
}

// scanOrigin reads the square that the piece comes from, as in (77), or (00) for a drop.
func (j *japaneseMove) scanOrigin(text string) (string, error) {
	inside, rest, closed := cutBrackets(text)
	file, size := utf8.DecodeRuneInString(inside)
	rank, next := utf8.DecodeRuneInString(inside[size:])
	switch {
	case closed && inside == "00":
		return rest, nil
	case closed && size+next == len(inside) && digitOf(file) > 0 && digitOf(rank) > 0:
		j.from = shogi.SquareAt(digitOf(file), digitOf(rank))
		return rest, nil
	case strings.ContainsAny(inside, ":/"):
		return text, nil // a time
	}
	return "", errOrigin.Error(text)
}

// find returns the one legal move that fits j. last is the square that 同 means before the
// first move of the board.
func (j *japaneseMove) find(b *shogi.Board, last shogi.Square) (shogi.Move, error) {
	if j.mark != 0 && j.player != b.Turn() {
		return shogi.NoMove, errMark.Error(j.mark, b.Turn())
	}
	to := j.to
	if m := b.LastMove(); m != shogi.NoMove {
		last = m.To()
	}
	if j.same && to != last {
		return shogi.NoMove, errNotSame.Error(to)
	}
	if to == shogi.NoSquare {
		if to = last; to == shogi.NoSquare {
			return shogi.NoMove, errFirstSame.Error()
		}
	}
	var list [shogi.MaxMoves]shogi.Move
	var fits, drops []shogi.Move
	for _, m := range b.AppendMoves(list[:0]) {
		switch {
		case m.To() != to:
		case m.IsDrop():
			if m.Dropped() == j.kind {
				drops = append(drops, m)
			}
		case b.At(m.From()).Kind() == j.kind && m.Promotes() == j.promotes && j.fitsOrigin(b, m.From(), to):
			fits = append(fits, m)
		}
	}
	if j.dropped || len(fits) == 0 && j.plain() {
		if fits = drops; len(fits) == 0 && j.kind < shogi.King && b.Hand(b.Turn()).Has(j.kind) {
			return shogi.NoMove, b.CheckMove(shogi.DropOf(j.kind, to))
		}
	}
	if j.side != 0 && j.side != '直' && len(fits) > 1 {
		fits = outermost(b, fits, j.side)
	}
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		if j.from != shogi.NoSquare && !j.dropped {
			if err := b.CheckMove(shogi.MoveOf(j.from, to, j.promotes)); err != nil {
				return shogi.NoMove, err
			}
		}
		return shogi.NoMove, errNoFit.Error(b.Turn(), j.kind)
	}
	return shogi.NoMove, errTwoFit.Error(fits[0], fits[1])
}

// plain reports whether nothing in j rules out a drop.
func (j *japaneseMove) plain() bool {
	return j.from == shogi.NoSquare && j.direction < 0 && j.side == 0 && !j.promotes && !j.stays
}

// fitsOrigin reports whether a piece that goes from a square to another fits j, apart from 右
// and 左, which depend on the other pieces.
func (j *japaneseMove) fitsOrigin(b *shogi.Board, from, to shogi.Square) bool {
	return !j.dropped &&
		(j.from == shogi.NoSquare || j.from == from) &&
		(j.direction < 0 || j.direction == directionOf(b.Turn(), from, to)) &&
		(j.side != '直' || straight(b.Turn(), j.kind, from, to))
}

// outermost returns the moves of the pieces that come from the file farthest to
// a side.
func outermost(b *shogi.Board, moves []shogi.Move, side rune) []shogi.Move {
	away := func(m shogi.Move) int {
		if side == '右' {
			return -m.From().FileFor(b.Turn())
		}
		return m.From().FileFor(b.Turn())
	}
	most := away(slices.MaxFunc(moves, func(m, n shogi.Move) int { return away(m) - away(n) }))
	return slices.DeleteFunc(moves, func(m shogi.Move) bool { return away(m) < most })
}
