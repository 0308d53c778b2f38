package awari

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// pitNames are the mover's pits, then the opponent's.
const pitNames = "ABCDEFabcdef"

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	for i, n := range p.Pits() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return dst
}

// ParsePosition implements [games.Game].
func (g *Game) ParsePosition(text string) (Position, error) {
	p, err := parse(text)
	if n := p.Stones(); err == nil && n > g.stones {
		err = tooMany(n, g)
	}
	if err != nil {
		return Position{}, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

func parse(text string) (p Position, err error) {
	fields := splitPits(text)
	if len(fields) != 2*pits {
		return p, fmt.Errorf("want 12 numbers, got %d: the mover's pits A to F, then the opponent's a to f", len(fields))
	}
	var stones [2 * pits]int
	total := 0
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return p, fmt.Errorf("pit %c: %q is not a number of stones", pitNames[i], f)
		}
		if n < 0 {
			return p, fmt.Errorf("pit %c has %d stones, want 0 or more", pitNames[i], n)
		}
		// Each number is capped before it is added, so the sum cannot overflow.
		if total += min(n, maxStones+1); total > maxStones {
			return p, fmt.Errorf("more than %d stones on the board", maxStones)
		}
		stones[i] = n
	}
	return positionOf(stones), nil
}

func tooMany(n int, g *Game) error {
	return fmt.Errorf("%d stones are on the board, %s has at most %d (its option stones says how many)", n, g.name, g.stones)
}

// splitPits splits a position into its numbers. A hyphen that follows a separator
// is a sign.
func splitPits(text string) []string {
	if strings.ContainsAny(text, ",") {
		fields := strings.Split(text, ",")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		return fields
	}
	if strings.ContainsAny(text, " \t") {
		return strings.Fields(text)
	}
	var fields []string
	for i, f := range strings.Split(text, "-") {
		if n := len(fields); i > 0 && n > 0 && fields[n-1] == "" {
			fields[n-1] = "-" + f
			continue
		}
		fields = append(fields, f)
	}
	return fields
}

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, p Position, m Move) []byte {
	dst = append(dst, pitNames[m])
	if n := g.captures(p, m); n > 0 {
		dst = append(dst, "×"...)
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return dst
}

// captures returns how many stones a move captures.
func (g *Game) captures(p Position, m Move) int {
	_, opposite, captured := p.sow(int(m))
	if g.slam == noCapture && captured == opposite {
		return 0
	}
	return captured.stones()
}

// ParseMove implements [games.MoveParser]. The stones captured need not be given.
func (g *Game) ParseMove(p Position, text string) (Move, error) {
	want := strings.Replace(text, "x", "×", 1)
	return games.FindMove(g, p, text, func(name string) bool {
		pit, _, _ := strings.Cut(name, "×")
		return strings.EqualFold(name, want) || strings.EqualFold(pit, want)
	})
}

// AppendBoard implements [games.Drawer]: the opponent's row above, as the mover
// sees it.
func (g *Game) AppendBoard(dst []byte, p Position) []byte {
	const line = "  +----+----+----+----+----+----+\n"
	dst = append(dst, "     f    e    d    c    b    a\n"+line...)
	dst = append(dst, "  |"...)
	for i := pits - 1; i >= 0; i-- {
		dst = fmt.Appendf(dst, " %2d |", p.opposite.pit(i))
	}
	dst = append(dst, "\n"+line+"  |"...)
	for i := range pits {
		dst = fmt.Appendf(dst, " %2d |", p.own.pit(i))
	}
	return append(dst, "\n"+line+"     A    B    C    D    E    F\n"...)
}
