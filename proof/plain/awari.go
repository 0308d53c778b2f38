package plain

import (
	"fmt"
	"strings"
)

// Awari. A board has the numbers of stones in the pits A to F of the side to move, then in a to f.
// A move is its pit.
type awari struct {
	slam   string
	stones int // the most on the board
}

func newAwari(o map[string]string) (*awari, bool) {
	g := &awari{o["slam"], number(o["stones"])}
	const slams = " legal-if-only no-capture mover-takes-rest opponent-takes-rest illegal "
	return g, strings.Contains(slams, " "+g.slam+" ") && g.slam != "" && g.stones >= 1 && g.stones <= 48
}

// sum returns the stones in some pits.
func sum(pits string) (n int) {
	for _, stones := range []byte(pits) {
		n += int(stones)
	}
	return n
}

// sow returns the board after a move, seen as before it, and how many stones the move captures.
// rest is how many of the mover's are then the other side's.
func (g *awari) sow(board string, m Move) (after string, captured, rest int) {
	b := []byte(board)
	at, left := int(m), b[m]
	b[m] = 0
	for left > 0 {
		if at = (at + 1) % 12; at != int(m) {
			b[at]++
			left--
		}
	}
	sown := string(b)
	for ; at >= 6 && (b[at] == 2 || b[at] == 3); at-- {
		captured += int(b[at])
		b[at] = 0
	}
	if captured > 0 && sum(string(b[6:])) == 0 {
		switch g.slam {
		case "no-capture":
			return sown, 0, 0
		case "opponent-takes-rest":
			return strings.Repeat("\x00", 12), captured, sum(sown[:6])
		}
	}
	return string(b), captured, 0
}

func (g *awari) Moves(p Position) (moves []Move) {
	var starving []Move
	for m := range Move(6) {
		if p.board[m] == 0 {
			continue
		}
		if after, _, _ := g.sow(p.board, m); sum(after[6:]) == 0 {
			starving = append(starving, m)
		} else {
			moves = append(moves, m)
		}
	}
	legal := sum(p.board[6:]) > 0
	switch g.slam {
	case "legal-if-only":
		legal = len(moves) == 0
	case "illegal":
		legal = false
	}
	if legal {
		moves = append(moves, starving...)
	}
	return moves
}

func (g *awari) Result(p Position) (result int, over bool) {
	return sum(p.board[:6]) - sum(p.board[6:]), len(g.Moves(p)) == 0
}

func (g *awari) Text(p Position, m Move) string {
	text := string("ABCDEF"[m])
	if _, captured, _ := g.sow(p.board, m); captured > 0 {
		text += fmt.Sprintf("×%d", captured)
	}
	return text
}

func (g *awari) Play(p Position, m Move) Position {
	after, _, _ := g.sow(p.board, m)
	p.board = after[6:] + after[:6]
	return p
}

func (g *awari) Gain(p Position, m Move) int {
	_, captured, rest := g.sow(p.board, m)
	return captured - rest
}

func (g *awari) Left(p Position) int { return sum(p.board) }

func (g *awari) Canonical(p Position) Position { return p }

func (g *awari) Format(p Position) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]byte(p.board)), " ", ","), "[]")
}

func (g *awari) parse(text string) Position {
	var board []byte
	for field := range strings.SplitSeq(text, ",") {
		n := number(field)
		must(n >= 0 && n <= 48, "%.1000q is no position", text)
		board = append(board, byte(n))
	}
	p := Position{board: string(board)}
	must(len(board) == 12 && sum(p.board) <= g.stones, "%.1000q is no position", text)
	spelled(g, p, text)
	return p
}
