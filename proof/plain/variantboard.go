package plain

import (
	"slices"
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

// compass has the steps to the squares next to another: along files, along ranks, diagonal.
var compass = [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}

// next returns the squares that steps lead to from a square.
func (g *variant) next(s int, steps [][2]int) (squares []int) {
	for _, d := range steps {
		if to := g.step(s, 0, d[0], d[1]); to >= 0 {
			squares = append(squares, to)
		}
	}
	return squares
}

// attackers returns the pieces of a side that could capture on a square.
func (b *vboard) attackers(s, side int) (from []int) {
	for _, at := range b.men(side, 0) {
		if slices.Contains(b.reach(toCapture, b.squares[at].kind, side, at, false), s) {
			from = append(from, at)
		}
	}
	return from
}

// royal returns the square of the king of a side, -1 for none.
func (b *vboard) royal(side int) int {
	if kings := b.men(side, b.game.king); len(kings) > 0 {
		return kings[0]
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
	for _, d := range compass[:4] {
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
		var quiet []int
		if kind != g.pawn {
			quiet = b.reach(toEmpty, kind, b.turn, from, false)
		}
		for _, to := range b.reach(toCapture, kind, b.turn, from, false) {
			useful[to] = useful[to] || b.passing[to] && !slices.Contains(quiet, to) && !b.taken(to)
		}
	}
	b.passing = useful
	if b.firstPassing() < 0 || !b.owns(1-b.turn, b.passed) {
		b.passing, b.passed = [120]bool{}, -1
	}
}

// firstPassing returns the first square on which a piece can be captured in passing, -1 for none.
func (b *vboard) firstPassing() int { return slices.Index(b.passing[:], true) }

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
	if s := g.home(side)*g.files + g.file("castlingKingFile"); slices.Contains(kings, s) {
		return s
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
	for s, is := range b.passing {
		if is {
			passing += g.squareName(s)
		}
	}
	if first := b.firstPassing(); first >= 0 && b.passer(first) != b.passed { // it does not stand on the same file
		passing += g.squareName(b.passed)
	}
	t.WriteString(orDash(rights) + " " + orDash(passing))
	if g.is("checkCounting") {
		t.WriteString(" " + strconv.Itoa(b.checks[0]) + "+" + strconv.Itoa(b.checks[1]))
	}
	return t.String() + strings.TrimRight(" "+passWords[b.passes], " ") + " 0 1"
}

// passWords stand in a position after so many passes.
var passWords = []string{"", "pass", "passes"}

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
	b.turn = max(0, strings.Index("wb", fields[1]))
	b.readRights(fields[2])
	b.readPassing(fields[3])
	if g.is("checkCounting") {
		white, black, _ := strings.Cut(fields[4], "+")
		b.checks = [2]int{number(white), number(black)}
		must(min(b.checks[0], b.checks[1]) >= 0 && max(b.checks[0], b.checks[1]) <= 9, "%.1000q is no position: the checks", text)
	}
	b.passes = max(0, slices.Index(passWords, fields[len(fields)-3]))
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
	if first := b.firstPassing(); first >= 0 && b.passed < 0 {
		b.passed = b.passer(first)
	}
	if b.passed < 0 {
		b.passing = [120]bool{}
		return
	}
	b.forgetPassing()
}
