package checkers

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	white, black := p.opposite, p.own
	if p.white {
		white, black = g.turned(p.own), g.turned(p.opposite)
	}
	dst = append(dst, "BW"[colour(p.white)], ':', 'W')
	dst = g.appendPieces(dst, white, g.kingsOf(p))
	dst = append(dst, ":B"...)
	return g.appendPieces(dst, black, g.kingsOf(p))
}

func colour(white bool) int {
	if white {
		return 1
	}
	return 0
}

// kingsOf returns the kings as Black sees them.
func (g *Game) kingsOf(p Position) board {
	if p.white {
		return g.turned(p.kings)
	}
	return p.kings
}

// appendPieces appends the squares of a side, as Black sees them.
func (g *Game) appendPieces(dst []byte, set, kings board) []byte {
	for comma := false; set != 0; set, comma = set&(set-1), true {
		if comma {
			dst = append(dst, ',')
		}
		low := set & -set
		if kings&low != 0 {
			dst = append(dst, 'K')
		}
		dst = strconv.AppendInt(dst, int64(g.square(low, false)), 10)
	}
	return dst
}

// ParsePosition implements [games.Game].
func (g *Game) ParsePosition(text string) (Position, error) {
	p, err := g.parse(text)
	if err == nil {
		err = g.check(&p)
	}
	if err != nil {
		return Position{}, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

var moveCount = regexp.MustCompile(`^[HFhf][0-9]+$`)

func (g *Game) parse(text string) (p Position, err error) {
	fields := strings.Split(strings.Join(strings.Fields(text), ""), ":")
	// Numbers of moves may follow, such as H0:F1.
	for n := len(fields); n > 3 && moveCount.MatchString(fields[n-1]); n-- {
		fields = fields[:n-1]
	}
	fields[len(fields)-1] = strings.TrimSuffix(fields[len(fields)-1], ".")
	if len(fields) != 3 {
		return p, fmt.Errorf("want 3 fields, got %d: side to move, White's squares and Black's, as in B:W21,K30:B1,2", len(fields))
	}
	white := strings.EqualFold(fields[0], "W")
	if !white && !strings.EqualFold(fields[0], "B") {
		return p, fmt.Errorf("side to move %q, want B or W", fields[0])
	}
	seen := [2]bool{}
	for _, field := range fields[1:] {
		if strings.IndexAny(field, "BWbw") != 0 {
			return p, fmt.Errorf("squares %q: want B or W first", field)
		}
		side := colour(strings.EqualFold(field[:1], "W"))
		if seen[side] {
			return p, fmt.Errorf("the squares of %c are given twice", field[0])
		}
		seen[side] = true
		set := &p.own // as Black sees the board
		if side == 1 {
			set = &p.opposite
		}
		if err := g.parsePieces(field[1:], &p, set); err != nil {
			return p, err
		}
	}
	if white {
		p = g.turnedPosition(p)
	}
	return p, nil
}

// parsePieces reads the squares of a side.
func (g *Game) parsePieces(text string, p *Position, set *board) error {
	if text == "" {
		return nil
	}
	for field := range strings.SplitSeq(text, ",") {
		number, king := strings.CutPrefix(field, "K")
		if !king {
			number, king = strings.CutPrefix(field, "k")
		}
		from, to, isRange := strings.Cut(number, "-")
		first, err := g.parseSquare(from)
		if err != nil {
			return err
		}
		last := first
		if isRange {
			if last, err = g.parseSquare(to); err != nil {
				return err
			}
		}
		if last < first {
			return fmt.Errorf("squares %s: the larger number comes first", number)
		}
		for n := first; n <= last; n++ {
			bit := g.board(1 << (n - 1))
			if (p.own|p.opposite)&bit != 0 {
				return fmt.Errorf("square %d is given twice", n)
			}
			*set |= bit
			if king {
				p.kings |= bit
			}
		}
	}
	return nil
}

func (g *Game) parseSquare(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > g.squares || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("square %q: want a number from 1 to %d", text, g.squares)
	}
	return n, nil
}

// check refuses impossible positions.
func (g *Game) check(p *Position) error {
	m := p.material()
	names := [...]string{"Black", "White"}
	own, other := names[colour(p.white)], names[1-colour(p.white)]
	for _, side := range []struct {
		name  string
		count int
	}{{own, int(m.ownKings + m.ownMen)}, {other, int(m.oppositeKings + m.oppositeMen)}} {
		if side.count > g.army {
			return fmt.Errorf("%s has %d pieces, at most %d", side.name, side.count, g.army)
		}
	}
	switch {
	case p.opposite == 0:
		return fmt.Errorf("%s, who has just moved, has no piece", other)
	case p.own&g.last&^p.kings != 0:
		return fmt.Errorf("%s has a man in the last row, where it would be a king", own)
	case p.opposite&g.first&^p.kings != 0:
		return fmt.Errorf("%s has a man in the last row, where it would be a king", other)
	case p.pieces() > g.pieces:
		return fmt.Errorf("%d pieces are on the board, %s has at most %d", p.pieces(), g.name, g.pieces)
	}
	return nil
}

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, p Position, m Move) []byte {
	separator := byte('-')
	if m.captures() > 0 {
		separator = 'x'
	}
	var route [maxCaptures + 1]int
	for i, square := range g.appendRoute(route[:0], p, m) {
		if i > 0 {
			dst = append(dst, separator)
		}
		dst = strconv.AppendInt(dst, int64(square), 10)
	}
	return dst
}

// appendRoute appends the numbers of the squares on which the piece stands in the course of a
// move.
func (g *Game) appendRoute(dst []int, p Position, m Move) []int {
	var buffer [maxCaptures + 1]board
	for _, at := range m.appendRoute(buffer[:0]) {
		dst = append(dst, g.square(at, p.white))
	}
	return dst
}

// ParseMove implements [games.MoveParser]. Squares are separated as in PDN. In a capture,
// those between the first and the last may be left out if only one route fits.
func (g *Game) ParseMove(p Position, text string) (Move, error) {
	n := pdn.Move(text)
	squares, named := squaresOf(text[:n])
	if named || n < len(text) {
		squares = nil
	}
	fits, _ := g.movesOver(p, squares)
	switch {
	case len(fits) == 0:
		return 0, g.illegal(p, text)
	case len(fits) > 1:
		return 0, g.severalRoutes(p, text, fits)
	}
	return fits[0], nil
}

// leavesOut reports whether text has the squares of route in order, except for some between
// the first and the last.
func leavesOut(text, route []int) bool {
	if len(text) < 2 || len(route) < 3 || text[0] != route[0] || text[len(text)-1] != route[len(route)-1] {
		return false
	}
	route = route[1 : len(route)-1]
	for _, square := range text[1 : len(text)-1] {
		at := slices.Index(route, square)
		if at < 0 {
			return false
		}
		route = route[at+1:]
	}
	return true
}

// AppendBoard implements [games.Drawer]: Black below, as in the layout, and the numbers of
// the squares of a row beside it, from left to right.
func (g *Game) AppendBoard(dst []byte, p Position) []byte {
	white := p.white
	if white {
		p = g.turnedPosition(p)
	}
	line := "  " + strings.Repeat("+---", g.side) + "+\n"
	for row := g.side - 1; row >= 0; row-- {
		dst = append(dst, line...)
		dst = append(dst, ' ', ' ')
		for column := g.side - 1; column >= 0; column-- {
			mark := byte(' ')
			if column%2 != row%2 {
				mark = p.mark(board(1) << (rowStart(row) + column/2))
			}
			dst = append(dst, '|', ' ', mark, ' ')
		}
		dst = fmt.Appendf(dst, "|  %d-%d", (row+1)*g.side/2, row*g.side/2+1)
		switch {
		case row == 0:
			dst = append(dst, "   Black (b, kings B)"...)
		case row == g.side-1:
			dst = append(dst, "   White (w, kings W)"...)
		}
		if row == 0 && !white || row == g.side-1 && white {
			dst = append(dst, ", to move"...)
		}
		dst = append(dst, '\n')
	}
	return append(dst, line...)
}

// mark returns the mark of a square, as Black sees it.
func (p *Position) mark(square board) byte {
	mark := byte('.')
	switch {
	case p.own&square != 0:
		mark = 'b'
	case p.opposite&square != 0:
		mark = 'w'
	}
	if p.kings&square != 0 {
		mark -= 'a' - 'A'
	}
	return mark
}
