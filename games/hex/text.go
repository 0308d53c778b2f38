package hex

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// side returns the letter of the side to move.
func (p Position) side() string { return "xo"[p.toMove : p.toMove+1] }

func (p Position) mark(square int) byte {
	switch {
	case p.stones[x].Has(square):
		return 'x'
	case p.stones[o].Has(square):
		return 'o'
	}
	return '.'
}

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	for square := range g.n * g.n {
		if square > 0 && square%g.n == 0 {
			dst = append(dst, '/')
		}
		dst = append(dst, p.mark(square))
	}
	return append(append(dst, ' '), p.side()...)
}

// ParsePosition implements [games.Game].
func (g *Game) ParsePosition(text string) (Position, error) {
	var p Position
	board, side, _ := strings.Cut(text, " ")
	rows := strings.Split(board, "/")
	if len(rows) != g.n {
		return p, fmt.Errorf("position %q: want %d rows with / between, got %d", text, g.n, len(rows))
	}
	for r, row := range rows {
		if len(row) != g.n {
			return p, fmt.Errorf("position %q: row %d: want %d squares, got %d", text, r+1, g.n, len(row))
		}
		for c := range g.n {
			switch row[c] {
			case 'x':
				p.stones[x] = p.stones[x].With(r*g.n + c)
			case 'o':
				p.stones[o] = p.stones[o].With(r*g.n + c)
			case '.':
			default:
				return p, fmt.Errorf("position %q: square %s: %q, want x, o or . for empty", text, g.layout.Squares[r*g.n+c], row[c])
			}
		}
	}
	switch side {
	case "x":
	case "o":
		p.toMove = o
	default:
		return p, fmt.Errorf("position %q: the side to move is %q, want a blank and x or o after the squares", text, side)
	}
	if err := g.check(p); err != nil {
		return p, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	if m == swap {
		return append(dst, "swap"...)
	}
	return append(dst, g.layout.Squares[m]...)
}

func newLayout(n int) games.Layout {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = strconv.Itoa(i + 1)
	}
	return games.NewLayout(games.Hexagons, games.Labels(n, 'a', 1), rows, games.PieceKind{Name: kindStone, Text: "●"})
}

const kindStone = "stone"

// Layout implements [games.Describer].
func (g *Game) Layout() games.Layout { return g.layout }

// Board implements [games.Describer].
func (g *Game) Board(p Position) games.Board {
	b := games.Board{Turn: 1 + int(p.toMove), Pieces: []games.Piece{}}
	for square, name := range g.layout.Squares {
		for side := range p.stones {
			if p.stones[side].Has(square) {
				b.Pieces = append(b.Pieces, games.Piece{Kind: kindStone, Side: 1 + side, Square: name})
			}
		}
	}
	return b
}

// SetUp implements [games.Describer].
func (g *Game) SetUp(b games.Board) (Position, error) {
	squares, _, err := g.layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	p := Position{toMove: uint64(b.Turn - 1)}
	for square, piece := range squares {
		if piece.Kind != "" {
			p.stones[piece.Side-1] = p.stones[piece.Side-1].With(square)
		}
	}
	if err := g.check(p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// Trace implements [games.Describer]: a swap is a click on the stone.
func (g *Game) Trace(p Position, m Move) games.Trace {
	if m == swap {
		m = Move(p.stones[x].First())
	}
	return games.Trace{Squares: []string{g.layout.Squares[m]}}
}
