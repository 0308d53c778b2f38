package variant

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.Describer[Position, Move] = (*Game)(nil)

// figures are the characters of pieces that Unicode has; other pieces are shown by their letters.
var figures = map[string]string{
	"king": "♚", "commoner": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟",
	"immobile": "●", "clobber": "●", "breakthrough": "♟",
}

const wallKind = "wall"

// kindName is the name of a kind of pieces, or of what it is when it was promoted.
func (g *core) kindName(m man) string {
	k := &g.kinds[m.kind]
	name := slots[k.slot].name
	if slots[k.slot].betza == "" && k.slot != none && name != "immobile" {
		name = "piece " + string(k.letter-('a'-'A'))
	}
	if m.origin >= 0 {
		name = fmt.Sprintf("%s from %c", name, g.kinds[m.origin].letter-('a'-'A'))
	}
	return name
}

func (g *core) newLayout() games.Layout {
	var kinds []games.PieceKind
	for _, m := range g.men {
		k := &g.kinds[m.kind]
		text := figures[slots[k.slot].name]
		if text == "" {
			text = string(k.letter - ('a' - 'A'))
		}
		if m.origin >= 0 && g.kinds[m.origin].promoted == m.kind {
			text = "+" + string(g.kinds[m.origin].letter-('a'-'A'))
		}
		kinds = append(kinds, games.PieceKind{Name: g.kindName(m), Text: text, Hand: m.origin < 0 && g.hasHands(), Promoted: m.origin >= 0})
	}
	kinds = append(kinds, games.PieceKind{Name: wallKind, Text: "✳"})
	rows := make([]string, g.ranks)
	for i := range rows {
		rows[i] = strconv.Itoa(g.ranks - i)
	}
	return games.NewLayout(games.Grid, games.Labels(g.files, 'a', 1), rows, kinds...)
}

// Layout implements [games.Describer].
func (g *core) Layout() games.Layout { return g.layout() }

// fromTop returns the square of a place in the layout, which counts from the top, and the other way round.
func (g *core) fromTop(i int) int { return (g.ranks-1-i/g.files)*g.files + i%g.files }

// Board implements [games.Describer].
func (g *core) Board(p Position) games.Board {
	b := games.Board{Turn: int(p.turn) + 1, Pieces: []games.Piece{}, State: g.state(&p)}
	for i := range g.squares {
		s := g.fromTop(i)
		switch c := p.cells[s]; {
		case c == wall:
			b.Pieces = append(b.Pieces, games.Piece{Kind: wallKind, Side: 1, Square: g.squareName(s)})
		case c >= firstMan:
			b.Pieces = append(b.Pieces, games.Piece{Kind: g.kindName(g.men[(c-firstMan)>>1]), Side: int(c-firstMan)&1 + 1, Square: g.squareName(s)})
		}
	}
	for side := range 2 {
		for k, n := range p.hands[side] {
			if n > 0 {
				b.Pieces = append(b.Pieces, games.Piece{Kind: g.kindName(man{int8(k), -1}), Side: side + 1, Count: int(n)})
			}
		}
	}
	return b
}

// state returns the fields of a position after the side to move, without the counters, and nothing if they say nothing.
func (g *core) state(p *Position) string {
	if state := string(g.appendState(nil, p)); state != "- -" {
		return state
	}
	return ""
}

// SetUp implements [games.Describer].
func (g *core) SetUp(b games.Board) (Position, error) {
	l := g.Layout()
	squares, hand, err := l.Place(b)
	if err != nil {
		return Position{}, err
	}
	x := board{game: g, Position: nowhere()}
	x.turn = uint8(b.Turn - 1)
	find := func(name string) man {
		for _, m := range g.men {
			if g.kindName(m) == name {
				return m
			}
		}
		return g.men[0]
	}
	for i, piece := range squares {
		switch {
		case piece.Kind == "":
		case piece.Kind == wallKind && piece.Side != 1:
			return Position{}, fmt.Errorf("a wall of side %d on %s, want side 1", piece.Side, piece.Square)
		case piece.Kind == wallKind:
			x.setWall(g.fromTop(i))
		default:
			x.put(g.fromTop(i), piece.Side-1, find(piece.Kind))
		}
	}
	for _, piece := range hand {
		if piece.Count > 255 {
			return Position{}, fmt.Errorf("%d pieces of a kind in hand, want at most 255", piece.Count)
		}
		x.hands[piece.Side-1][find(piece.Kind).kind] = uint8(piece.Count)
	}
	if g.rules.checkCounting {
		x.checks = g.start.checks
	}
	if b.State != "" {
		g.fitState(&x.Position, strings.Fields(b.State))
	}
	return x.Position, g.check(&x.Position)
}

// fitState reads what [Game.state] writes, as far as it fits the pieces.
func (g *core) fitState(p *Position, fields []string) {
	for i := range fields {
		q := *p
		var err error
		switch i {
		case 0:
			for _, c := range fields[0] { // each right by itself
				if err = g.parseRights(&q, string(c)); err == nil {
					*p = q
				}
			}
		case 1:
			err = g.parsePassing(&q, fields[1])
		default:
			_, err = g.parseLate(&q, fields[i:i+1])
		}
		if err == nil {
			*p = q
		}
	}
}

// Trace implements [games.Describer].
func (g *core) Trace(p Position, m Move) (t games.Trace) {
	b := g.newBoard(&p)
	to := int(m.to)
	switch m.kind {
	case drop:
		if !g.rules.freeDrops {
			t.Drop = g.kindName(man{int8(m.hand), -1})
		}
		t.Squares = []string{g.squareName(to)}
	case castling:
		if kto, _ := g.castlingSquares(int(p.turn), int(m.from), to); !g.rules.chess960 && !b.motion(quiet, b.kind(int(m.from)), int(p.turn), int(m.from), b.occupied()).has(kto) {
			to = kto
		}
		t.Squares = []string{g.squareName(int(m.from)), g.squareName(to)}
	case pass:
		t.Squares = []string{g.squareName(to)}
	default:
		t.Squares = []string{g.squareName(int(m.from)), g.squareName(to)}
	}
	if m.gate != noSquare && g.rules.walling != "none" {
		t.Squares = append(t.Squares, g.squareName(int(m.gate)))
	}
	return t
}
