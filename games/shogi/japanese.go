package shogi

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The names of the pieces in moves, as KIF records write them.
var moveNames = [kinds]string{
	Pawn: "歩", Lance: "香", Knight: "桂", Silver: "銀", Bishop: "角", Rook: "飛", Gold: "金", King: "玉",
	PromotedPawn: "と", PromotedLance: "成香", PromotedKnight: "成桂", PromotedSilver: "成銀", Horse: "馬", Dragon: "龍",
}

// Moves as the direction in which a piece goes, seen from its player.
const (
	goesUp = iota
	goesSideways
	goesBack
)

var directionNames = [...]string{"上", "寄", "引"}

// AppendJapanese appends the legal move m of the side to move to dst in
// Japanese notation, such as ▲2三金打, △同玉 or ▲3二銀右上不成. The board is that
// before the move; 同 takes the place of the square if the last move done went
// there. Pieces of a kind that could go to the same square are told apart as the
// Japan Shogi Association does: by 上, 寄 and 引 first, then by 直, 右 and 左; 打
// marks a drop only where a piece of the board could go there too.
func (b *Board) AppendJapanese(dst []byte, m Move) []byte {
	to := m.To()
	dst = append(dst, [...]string{"▲", "△"}[b.turn]...)
	if last := b.LastMove(); last != NoMove && last.To() == to {
		dst = append(dst, "同"...)
	} else {
		dst = append(dst, '0'+byte(to.File()))
		dst = append(dst, nth(kanjiDigits, to.Rank())...)
	}
	if m.IsDrop() {
		dst = append(dst, moveNames[m.Dropped()]...)
		if len(b.rivals(m.Dropped(), to)) > 0 {
			dst = append(dst, "打"...)
		}
		return dst
	}
	from := m.From()
	k := b.squares[from].Kind()
	dst = append(dst, moveNames[k]...)
	dst = b.appendOrigin(dst, from, to)
	switch {
	case m.Promotes():
		dst = append(dst, "成"...)
	case k.CanPromote() && (zone[b.turn].Has(from) || zone[b.turn].Has(to)):
		dst = append(dst, "不成"...)
	}
	return dst
}

// rivals returns the squares of the pieces of a kind that can legally go to a
// square.
func (b *Board) rivals(k Kind, to Square) []Square {
	var list [MaxMoves]Move
	var from []Square
	seen := Bitboard{}
	for _, m := range b.AppendMoves(list[:0]) {
		if !m.IsDrop() && m.To() == to && b.squares[m.From()].Kind() == k && !seen.Has(m.From()) {
			from = append(from, m.From())
			seen = seen.Or(squareBit[m.From()])
		}
	}
	return from
}

// directionOf returns how a piece of c moves between two squares.
func directionOf(c Color, from, to Square) int {
	switch a, b := rankFrom(c, from), rankFrom(c, to); {
	case b < a:
		return goesUp
	case b == a:
		return goesSideways
	}
	return goesBack
}

// fileFrom returns the file of a square as c counts, 1 on the right.
func fileFrom(c Color, s Square) int {
	if c == White {
		return 10 - s.File()
	}
	return s.File()
}

// straight reports whether a piece of kind k moves 直: straight up, next to
// others of its kind. Horses and dragons are right or left of each other.
func straight(c Color, k Kind, from, to Square) bool {
	return k != Horse && k != Dragon && from.File() == to.File() && directionOf(c, from, to) == goesUp
}

// appendOrigin appends what tells the piece on from apart from others of its
// kind that can go to the same square.
func (b *Board) appendOrigin(dst []byte, from, to Square) []byte {
	us := b.turn
	k := b.squares[from].Kind()
	direction := directionOf(us, from, to)
	// The others: how many there are on either side, in all and of those that
	// move in the same direction.
	others, same := 0, 0
	right, left, sameRight := true, true, true
	for _, s := range b.rivals(k, to) {
		if s == from {
			continue
		}
		others++
		right = right && fileFrom(us, from) < fileFrom(us, s)
		left = left && fileFrom(us, from) > fileFrom(us, s)
		if directionOf(us, s, to) == direction {
			same++
			sameRight = sameRight && fileFrom(us, from) < fileFrom(us, s)
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
	to        Square // NoSquare for 同
	kind      Kind
	from      Square // NoSquare unless given, as KIF does
	dropped   bool   // 打
	promotes  bool   // 成
	stays     bool   // 不成
	direction int    // goesUp to goesBack, -1 if not given
	side      rune   // 右, 左 or 直, 0 if not given
}

// ParseJapanese reads a move of the side to move in Japanese notation, with or
// without ▲ or △ before it, such as ▲2三金打, △同　玉, ７六歩 or ２二角成(88), the
// last with the square it comes from, as KIF records have it. It refuses what
// is not a legal move, and what could be more than one, and says why.
func (b *Board) ParseJapanese(text string) (Move, error) {
	m, err := b.parseJapanese(text)
	if err != nil {
		return NoMove, fmt.Errorf("move %q: %w", shorten(text), err)
	}
	return m, nil
}

func (b *Board) parseJapanese(text string) (Move, error) {
	const black, white = "▲☗▼", "△☖▽"
	text = strings.TrimSpace(text)
	mark, size := utf8.DecodeRuneInString(text)
	if c := strings.ContainsRune(white, mark); size > 1 && (c || strings.ContainsRune(black, mark)) {
		if c != (b.turn == White) {
			return NoMove, fmt.Errorf("%c, but %s is to move", mark, b.turn)
		}
		text = text[size:]
	}
	j, err := parseJapanese(text)
	if err != nil {
		return NoMove, err
	}
	if j.to == NoSquare {
		if b.LastMove() == NoMove {
			return NoMove, fmt.Errorf("同 (the square of the move before), but there is no move before")
		}
		j.to = b.LastMove().To()
	}
	return b.findJapanese(j)
}

// parseJapanese reads the text of a move.
func parseJapanese(text string) (japaneseMove, error) {
	j := japaneseMove{to: NoSquare, from: NoSquare, direction: -1}
	rest, same := strings.CutPrefix(text, "同")
	if same {
		rest = strings.TrimLeft(rest, " 　")
	} else {
		letters := []rune(text)
		if len(letters) < 2 {
			return j, fmt.Errorf("want a square and a piece, as in 7六歩 or 同銀")
		}
		file, rank := digitOf(letters[0]), digitOf(letters[1])
		if file == 0 || rank == 0 {
			return j, fmt.Errorf("%q is no square (1一 to 9九, or 同)", string(letters[:2]))
		}
		j.to = SquareAt(file, rank)
		rest = strings.TrimLeft(string(letters[2:]), " 　")
	}
	var err error
	if j.kind, rest, err = parseMoveName(rest); err != nil {
		return j, err
	}
	return j, j.parseSuffixes(rest)
}

// digitOf reads a digit from 1 to 9 in any of its forms, 0 if it is none.
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
func parseMoveName(text string) (Kind, string, error) {
	if rest, promoted := strings.CutPrefix(text, "成"); promoted {
		for k := PromotedPawn; k < kinds; k++ {
			if rest, ok := strings.CutPrefix(rest, diagramNames[k-Promoted]); ok && k > PromotedPawn && k < Horse {
				return k, rest, nil
			}
		}
	}
	letter, size := utf8.DecodeRuneInString(text)
	if k, ok := kindOfCharacter(letter); ok {
		return k, text[size:], nil
	}
	if text == "" {
		return NoKind, "", fmt.Errorf("the piece is missing behind the square")
	}
	return NoKind, "", fmt.Errorf("%q is no piece (玉 飛 角 金 銀 桂 香 歩 龍 馬 成銀 成桂 成香 と)", letter)
}

func (j *japaneseMove) parseSuffixes(text string) error {
	for text != "" {
		if text[0] == '(' {
			if len(text) != 4 || text[3] != ')' || digitOf(rune(text[1])) == 0 || digitOf(rune(text[2])) == 0 {
				return fmt.Errorf("%q, want the square the piece comes from, as in (77)", text)
			}
			j.from = SquareAt(int(text[1]-'0'), int(text[2]-'0'))
			return nil
		}
		if rest, ok := strings.CutPrefix(text, "不成"); ok {
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
		case '引':
			j.direction = goesBack
		case '右', '左', '直':
			j.side = letter
		default:
			return fmt.Errorf("%q at the end, want 成, 不成, 打, 上, 寄, 引, 右, 左, 直 or a square as in (77)", text)
		}
		text = text[size:]
	}
	return nil
}

// findJapanese returns the one legal move that fits j.
func (b *Board) findJapanese(j japaneseMove) (Move, error) {
	var list [MaxMoves]Move
	var fits, drops []Move
	for _, m := range b.AppendMoves(list[:0]) {
		switch {
		case m.To() != j.to:
		case m.IsDrop():
			if m.Dropped() == j.kind {
				drops = append(drops, m)
			}
		case b.squares[m.From()].Kind() == j.kind && m.Promotes() == j.promotes && b.fitsOrigin(j, m.From()):
			fits = append(fits, m)
		}
	}
	if j.dropped || len(fits) == 0 && j.plain() {
		if fits = drops; len(fits) == 0 && b.hands[b.turn].Has(j.kind&7) && j.kind < King {
			return NoMove, b.checkDrop(j.kind, j.to)
		}
	}
	if j.side != 0 && j.side != '直' && len(fits) > 1 {
		fits = b.outermost(fits, j.side)
	}
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		if j.from != NoSquare && !j.dropped {
			if err := b.CheckMove(MoveOf(j.from, j.to, j.promotes)); err != nil {
				return NoMove, err
			}
		}
		return NoMove, fmt.Errorf("%s, who is to move, has no legal move like that with a %s", b.turn, j.kind)
	}
	return NoMove, fmt.Errorf("this can be %v or %v; say which by 右, 左, 直, 上, 寄 or 引, or by the square it comes from", fits[0], fits[1])
}

// plain reports whether j says nothing that a drop cannot be.
func (j *japaneseMove) plain() bool {
	return j.from == NoSquare && j.direction < 0 && j.side == 0 && !j.promotes && !j.stays
}

// fitsOrigin reports whether a piece that comes from a square is what j means.
// Which one is 右 or 左 depends on the others.
func (b *Board) fitsOrigin(j japaneseMove, from Square) bool {
	return !j.dropped &&
		(j.from == NoSquare || j.from == from) &&
		(j.direction < 0 || j.direction == directionOf(b.turn, from, j.to)) &&
		(j.side != '直' || straight(b.turn, j.kind, from, j.to))
}

// outermost returns the moves of the pieces that come from the file farthest to
// a side.
func (b *Board) outermost(moves []Move, side rune) []Move {
	var best []Move
	for _, m := range moves {
		n := 0
		if len(best) > 0 {
			n = fileFrom(b.turn, m.From()) - fileFrom(b.turn, best[0].From())
		}
		if side == '右' {
			n = -n
		}
		if n > 0 {
			best = best[:0]
		}
		if n >= 0 {
			best = append(best, m)
		}
	}
	return best
}
