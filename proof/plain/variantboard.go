package plain

import (
	"strconv"
	"strings"
)

// A vman is what is on a square: a piece, with what it was before it was promoted if that matters, a wall, or nothing.
type vman struct {
	kind, origin byte // letters, 0 for none
	side         int
}

const vwall = '*'

// A vboard is a position of a variant as moves are made on it.
type vboard struct {
	game    *variant
	squares [120]vman
	hands   [2]['z' + 1]int
	turn    int
	kings   [2]int    // of those that may castle, -1 for none
	rooks   [2][2]int // those that they may castle with, to the right as white sees it and to the left
	passing [120]bool // squares on which a piece can be captured that has just passed them
	passed  int       // where it is, -1 for none
	checks  [2]int    // that a side must still give
	passes  int       // moves in a row that only passed
}

func (b *vboard) taken(s int) bool { return b.squares[s].kind != 0 }

func (b *vboard) isPiece(s int) bool { return b.taken(s) && b.squares[s].kind != vwall }

func (b *vboard) owns(side, s int) bool { return b.isPiece(s) && b.squares[s].side == side }

// all returns the squares of the board.
func (b *vboard) all() int { return b.game.ranks * b.game.files }

// men returns the squares of the pieces of a side, of one kind unless that is 0.
func (b *vboard) men(side int, kind byte) (squares []int) {
	for s := range b.all() {
		if b.owns(side, s) && (kind == 0 || b.squares[s].kind == kind) {
			squares = append(squares, s)
		}
	}
	return squares
}

// put puts a piece on a square. It remembers what it was if it can be that again.
func (b *vboard) put(s, side int, kind, origin byte) {
	g := b.game
	kept := origin != 0 && g.pieces[origin].promoted == kind
	for by := range 2 {
		kept = kept || origin != 0 && origin == g.mainPawn(by) && g.is("capturesToHand") && !g.is("dropLoop") && g.among(of("promotionPieceTypes", by), kind)
	}
	if !kept {
		origin = 0
	}
	b.squares[s] = vman{kind, origin, side}
}

// around returns the squares next to a square, the diagonal ones last.
func (g *variant) around(s int) (squares []int) {
	for _, d := range [8][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		if to := g.step(s, 0, d[0], d[1]); to >= 0 {
			squares = append(squares, to)
		}
	}
	return squares
}

// beside returns the squares next to a square, without the diagonal ones.
func (g *variant) beside(s int) (squares []int) {
	for _, to := range g.around(s) {
		if to%g.files == s%g.files || to/g.files == s/g.files {
			squares = append(squares, to)
		}
	}
	return squares
}

// attackers returns the pieces of a side that could capture on a square.
func (b *vboard) attackers(s, side int) (from []int) {
	for _, at := range b.men(side, 0) {
		for _, to := range b.reach(toCapture, b.squares[at].kind, side, at, false) {
			if to == s {
				from = append(from, at)
				break
			}
		}
	}
	return from
}

// royal returns the square of the king of a side, -1 for none.
func (b *vboard) royal(side int) int {
	if b.game.king != 0 {
		if kings := b.men(side, b.game.king); len(kings) > 0 {
			return kings[0]
		}
	}
	return -1
}

func (b *vboard) checked(side int) bool {
	s := b.royal(side)
	return s >= 0 && len(b.attackers(s, 1-side)) > 0
}

// facing returns whether nothing is between the kings on a file or rank.
func (b *vboard) facing() bool {
	g := b.game
	white, black := b.royal(0), b.royal(1)
	if white < 0 || black < 0 {
		return false
	}
	for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		at := g.step(white, 0, d[0], d[1])
		for at >= 0 && !b.taken(at) {
			at = g.step(at, 0, d[0], d[1])
		}
		if at == black {
			return true
		}
	}
	return false
}

// forgetPassing forgets the squares on which the side to move captures nothing in passing.
func (b *vboard) forgetPassing() {
	if b.passed < 0 {
		return
	}
	g := b.game
	var useful [120]bool
	for _, from := range b.men(b.turn, 0) {
		kind := b.squares[from].kind
		if !g.among(of("enPassantTypes", b.turn), kind) {
			continue
		}
		quiet := map[int]bool{}
		if kind != g.pawn {
			for _, to := range b.reach(toEmpty, kind, b.turn, from, false) {
				quiet[to] = true
			}
		}
		for _, to := range b.reach(toCapture, kind, b.turn, from, false) {
			useful[to] = useful[to] || !quiet[to] && !b.taken(to)
		}
	}
	some := false
	for s := range b.passing {
		b.passing[s] = b.passing[s] && useful[s]
		some = some || b.passing[s]
	}
	if !some || !b.owns(1-b.turn, b.passed) {
		b.passing, b.passed = [120]bool{}, -1
	}
}

// passer returns the first piece of the side that has moved on the way on from a square, -1 for none.
func (b *vboard) passer(s int) int {
	for s >= 0 && !b.owns(1-b.turn, s) {
		s = b.game.step(s, 1-b.turn, 1, 0)
	}
	return s
}

// outermost returns the outermost rook of a side that may castle to the right, or to the left; -1 for none.
func (b *vboard) outermost(side, left int) int {
	g := b.game
	file, toward := min(g.file("castlingRookKingsideFile"), g.files-1), -1
	if left == 1 {
		file, toward = g.file("castlingRookQueensideFile"), 1
	}
	for ; file >= 0 && file < g.files; file += toward {
		s := g.home(side)*g.files + file
		if b.owns(side, s) && g.among(of("castlingRookPieces", side), b.squares[s].kind) {
			return s
		}
	}
	return -1
}

// castler returns the piece of a side that castles as a king, -1 for none.
func (b *vboard) castler(side int) int {
	g := b.game
	var kings []int
	for file := range g.files {
		s := g.home(side)*g.files + file
		if b.owns(side, s) && g.among(of("castlingKingPiece", side), b.squares[s].kind) {
			kings = append(kings, s)
		}
	}
	if len(kings) == 1 || g.is("chess960") && len(kings) > 0 {
		return kings[0]
	}
	for _, s := range kings {
		if s%g.files == g.file("castlingKingFile") {
			return s
		}
	}
	return -1
}

func (g *variant) hasHands() bool {
	return !g.is("freeDrops") && (g.is("pieceDrops") || g.is("capturesToHand"))
}

// lettered returns a kind as a letter of a side.
func lettered(kind byte, side int) string {
	if side == 0 {
		return string(kind - 32)
	}
	return string(kind)
}

// text returns the text of a position.
func (b *vboard) text() string {
	g := b.game
	var t strings.Builder
	for rank := g.ranks - 1; rank >= 0; rank-- {
		row := ""
		for _, m := range b.squares[rank*g.files : (rank+1)*g.files] {
			switch {
			case m.kind == 0:
				row += string(empty)
			case m.kind == vwall:
				row += string(vwall)
			case m.origin == 0:
				row += lettered(m.kind, m.side)
			case g.pieces[m.origin].promoted == m.kind:
				row += "+" + lettered(m.origin, m.side)
			default:
				row += lettered(m.kind, m.side) + "~"
			}
		}
		t.WriteString(numbers.Replace(row) + "/"[:min(rank, 1)])
	}
	if g.hasHands() {
		t.WriteByte('[')
		for side := range 2 {
			for _, kind := range g.kinds {
				t.WriteString(strings.Repeat(lettered(kind, side), b.hands[side][kind]))
			}
		}
		t.WriteByte(']')
	}
	t.WriteString(" " + "wb"[b.turn:b.turn+1] + " ")
	rights := ""
	for side := range 2 {
		for left, rook := range b.rooks[side] {
			switch {
			case rook < 0:
			case g.is("chess960") && b.outermost(side, left) != rook:
				rights += lettered(byte('a'+rook%g.files), side)
			default:
				rights += lettered("kq"[left], side)
			}
		}
	}
	passing := ""
	first := -1
	for s, is := range b.passing {
		if is {
			passing += g.squareName(s)
		}
		if is && first < 0 {
			first = s
		}
	}
	if first >= 0 && b.passer(first) != b.passed { // it does not stand on the same file
		passing += g.squareName(b.passed)
	}
	t.WriteString(orDash(rights) + " " + orDash(passing))
	if g.is("checkCounting") {
		t.WriteString(" " + strconv.Itoa(b.checks[0]) + "+" + strconv.Itoa(b.checks[1]))
	}
	return t.String() + [3]string{"", " pass", " passes"}[b.passes] + " 0 1"
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// board reads a position. Texts that are spelled otherwise are no positions, so little has to be refused here.
func (g *variant) board(text string) *vboard {
	b := &vboard{game: g, passed: -1, kings: [2]int{-1, -1}, rooks: [2][2]int{{-1, -1}, {-1, -1}}}
	fields := strings.Split(text, " ")
	must(len(fields) >= 6, "%.1000q is no position", text)
	placement, hands, _ := strings.Cut(fields[0], "[")
	s := g.ranks*g.files - g.files
	for row := range strings.SplitSeq(squares.Replace(placement), "/") {
		end := s + g.files
		for plus := false; row != ""; row = row[1:] {
			must(row[0] == '~' || s >= 0 && s < end, "%.1000q is no position: a row is too long, or there are too many", text)
			switch kind, side := row[0]|32, int(row[0]>>5&1); {
			case row[0] == '+':
				plus = true
				continue
			case row[0] == '~' && s > end-g.files:
				b.put(s-1, b.squares[s-1].side, b.squares[s-1].kind, g.mainPawn(b.squares[s-1].side))
				continue
			case row[0] == vwall:
				b.squares[s] = vman{kind: vwall}
			case row[0] != empty:
				must(g.pieces[kind] != nil && (!plus || g.pieces[kind].promoted != 0), "%.1000q is no position: the piece %c", text, row[0])
				if b.put(s, side, kind, 0); plus {
					b.put(s, side, g.pieces[kind].promoted, kind)
				}
			}
			s, plus = s+1, false
		}
		s = end - 2*g.files
	}
	for _, letter := range []byte(strings.TrimSuffix(hands, "]")) {
		must(g.pieces[letter|32] != nil, "%.1000q is no position: a piece in hand", text)
		b.hands[letter>>5&1][letter|32]++
	}
	if fields[1] == "b" {
		b.turn = 1
	}
	b.readRights(fields[2])
	b.readPassing(fields[3])
	if g.is("checkCounting") {
		white, black, _ := strings.Cut(fields[4], "+")
		b.checks = [2]int{number(white), number(black)}
		must(min(b.checks[0], b.checks[1]) >= 0 && max(b.checks[0], b.checks[1]) <= 9, "%.1000q is no position: the checks", text)
	}
	if at := len(fields) - 3; fields[at] == "pass" {
		b.passes = 1
	} else if fields[at] == "passes" {
		b.passes = 2
	}
	must(b.text() == text, "%.1000q is no position", text)
	return b
}

func (b *vboard) readRights(text string) {
	g := b.game
	for _, letter := range []byte(text) {
		low, side := letter|32, int(letter>>5&1)
		rook, king := -1, b.castler(side)
		switch {
		case letter == '-':
			continue
		case low == 'k' || low == 'q':
			rook = b.outermost(side, strings.IndexByte("kq", low))
		case int(low)-'a' < g.files && low >= 'a':
			rook = g.home(side)*g.files + int(low-'a')
		}
		if !g.is("castling") || king < 0 || rook < 0 || !b.owns(side, rook) || !g.among(of("castlingRookPieces", side), b.squares[rook].kind) {
			continue
		}
		b.kings[side] = king
		if rook > king {
			b.rooks[side][0] = rook
		} else {
			b.rooks[side][1] = rook
		}
	}
}

func (b *vboard) readPassing(text string) {
	g := b.game
	for text != "" && text != "-" {
		digits := len(text) - 1 - len(strings.TrimLeft(text[1:], "0123456789"))
		file, rank := int(text[0])-'a', number(text[1:1+digits])
		must(file >= 0 && file < g.files && rank >= 1 && rank <= g.ranks, "%.100q is no square", text)
		text = text[1+digits:]
		switch s := (rank-1)*g.files + file; {
		case b.owns(1-b.turn, s):
			b.passed = s
		case g.on(of("enPassantRegion", b.turn), s):
			b.passing[s] = true
		}
	}
	for s := 0; s < b.all() && b.passed < 0; s++ {
		if b.passing[s] {
			b.passed = b.passer(s)
			break
		}
	}
	if b.passed < 0 {
		b.passing = [120]bool{}
		return
	}
	b.forgetPassing()
}
