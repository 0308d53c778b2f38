package awari

import (
	"fmt"
	"strconv"
	"strings"
)

// stonesError is an error in a list of stones.
type stonesError struct {
	pit    int // -1 if there are too many in all
	stones int
}

func (e *stonesError) Error() string {
	if e.pit < 0 {
		return fmt.Sprintf("more than %d stones on the board", MaxStones)
	}
	return fmt.Sprintf("pit %c has %d stones, want 0 or more", pitNames[e.pit], e.stones)
}

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
	fail := func(err error) (Position, error) { return Position{}, fmt.Errorf("position %q: %w", text, err) }
	fields := splitPits(text)
	if len(fields) != 2*pits {
		return fail(fmt.Errorf("%d pits, want 12 numbers: the mover's pits A to F, then the opponent's a to f", len(fields)))
	}
	var stones [2 * pits]int
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return fail(fmt.Errorf("pit %c: %q is not a number of stones", pitNames[i], f))
		}
		stones[i] = n
	}
	p, err := Board(stones)
	if err != nil {
		return fail(err)
	}
	if n := p.Stones(); n > g.stones {
		return fail(tooMany(n, g))
	}
	return p, nil
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

// ParseMove implements [games.Game].
func (g *Game) ParseMove(p Position, text string) (Move, error) {
	fail := func(format string, args ...any) (Move, error) {
		return 0, fmt.Errorf("move %q: %s", text, fmt.Sprintf(format, args...))
	}
	name, count, counted := text, "", false
	for _, times := range []string{"×", "x"} {
		if before, after, ok := strings.Cut(text, times); ok {
			name, count, counted = before, after, true
			break
		}
	}
	at := strings.Index("ABCDEF", strings.ToUpper(name))
	if len(name) != 1 || at < 0 {
		return fail("want a pit, A to F, and perhaps how many stones it captures, as in D×7")
	}
	m := Move(at)
	if v, finished := g.Outcome(p); finished {
		return fail("the game is over (%v)", v)
	}
	if p.own.pit(at) == 0 {
		return fail("pit %c is empty", pitNames[at])
	}
	if g.play(p, at).starve && g.mustFeed(p) {
		return fail("it would leave the opponent without stones, and another move does not")
	}
	if n := g.captures(p, m); counted && count != strconv.Itoa(n) {
		return fail("it captures %d stones", n)
	}
	return m, nil
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
