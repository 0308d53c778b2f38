package gomokutest

import (
	"math/bits"
	"math/rand/v2"
)

// Boards are rules under which [Solver] solves positions with few empty squares in
// milliseconds.
var Boards = []Rules{
	{3, 5, 3, false}, {4, 5, 3, false}, {5, 5, 3, true}, {2, 9, 3, false},
	{5, 6, 4, true}, {6, 6, 4, false}, {3, 9, 4, false}, {4, 7, 4, false}, {5, 7, 4, false}, {5, 8, 4, false}, {6, 7, 4, true}, {7, 7, 4, false},
	{5, 9, 5, false}, {9, 6, 5, false}, {6, 7, 5, true}, {6, 8, 5, false}, {6, 9, 5, false}, {6, 9, 5, true},
	{7, 7, 5, false}, {7, 8, 5, true}, {7, 9, 5, false}, {9, 7, 5, false}, {7, 9, 5, true},
}

// Generator makes positions in which the side to move has threats, and squares that
// parry them are in line with stones of the other side. It belongs to one goroutine.
type Generator struct {
	rules Rules
	lines []line
	rng   *rand.Rand
	most  int
}

// NewGenerator returns a generator of positions with at most the given number of empty
// squares.
func NewGenerator(r Rules, empty int, rng *rand.Rand) *Generator {
	return &Generator{rules: r, lines: r.lines(), rng: rng, most: empty}
}

// Next returns a position in which nobody has won.
func (g *Generator) Next() Position {
	for {
		p, free, ok := g.frame()
		if !ok {
			continue
		}
		if g.rng.IntN(8) == 0 {
			p, free = g.mirrored(p, free)
		}
		if !g.fill(&p, free) || g.dull(p) && g.rng.IntN(16) > 0 {
			continue
		}
		p.White = g.rng.IntN(2) == 0
		return p
	}
}

// dull reports whether a side can make a line at once.
func (g *Generator) dull(p Position) bool {
	s := Solver{rules: g.rules, lines: g.lines}
	_, _, own := s.lineSquares(p.Mover, p.Other)
	_, _, others := s.lineSquares(p.Other, p.Mover)
	return own|others != 0
}

// frame places threats of the mover, most of them through one empty square, and then
// lines of the other side through squares that parry them. The squares of free stay
// empty.
func (g *Generator) frame() (p Position, free uint64, ok bool) {
	row, column := g.rng.IntN(g.rules.Rows), g.rng.IntN(g.rules.Columns)
	lines, threats := 1+g.rng.IntN(3), 1+g.rng.IntN(3)
	if g.rng.IntN(4) > 0 {
		if row, column, ok = g.strip(&p); !ok {
			return p, 0, false
		}
		free = g.near(p)
		lines, threats = max(0, g.rng.IntN(8)-5), 1+g.rng.IntN(4)/3
	}
	gain := g.rules.bit(row, column)
	for range threats {
		if !g.threat(&p, row, column, gain|free) {
			return p, 0, false
		}
		if g.rng.IntN(4) == 0 {
			row, column = g.rng.IntN(g.rules.Rows), g.rng.IntN(g.rules.Columns)
		}
	}
	free |= g.near(p)
	for range lines {
		if !g.against(&p, free) {
			return p, 0, false
		}
	}
	return p, free &^ p.Other, true
}

// near returns the empty squares of the lines in which the mover lacks at most three
// stones: they may parry his threats.
func (g *Generator) near(p Position) (squares uint64) {
	for _, l := range g.lines {
		if l.squares&p.Other == 0 && bits.OnesCount64(l.squares&p.Mover) >= max(g.rules.K-3, 1) {
			squares |= l.squares &^ p.Mover
		}
	}
	return squares
}

// strip places K-2 stones of the other side, or one less, and, beyond two empty squares, K-3
// of the mover. Both squares between parry his three, and together they complete the other
// side's line. It returns the square that makes the three.
func (g *Generator) strip(p *Position) (row, column int, ok bool) {
	r, d := g.rules, directions[g.rng.IntN(4)]
	if g.rng.IntN(2) == 0 {
		d = [2]int{-d[0], -d[1]}
	}
	row, column = g.rng.IntN(r.Rows), g.rng.IntN(r.Columns)
	own := r.stretch(row, column, d, r.K-2)
	near := r.stretch(row+r.K*d[0], column+r.K*d[1], d, r.K-2)
	if bits.OnesCount64(own|near) < 2*r.K-4 {
		return 0, 0, false
	}
	p.Other |= g.some(own, r.K-2-g.rng.IntN(9)/8)
	gain := r.K + g.rng.IntN(r.K-2)
	row, column = row+gain*d[0], column+gain*d[1]
	p.Mover |= near &^ r.bit(row, column)
	return row, column, true
}

// threat places K-3 stones of the mover, sometimes one more, on K+1 squares in a row
// through the given one, so that a stone there makes an open three.
func (g *Generator) threat(p *Position, row, column int, free uint64) bool {
	r := g.rules
	for range 30 {
		d, back := directions[g.rng.IntN(4)], 1+g.rng.IntN(r.K-1)
		squares := r.stretch(row-back*d[0], column-back*d[1], d, r.K+1)
		inner := r.stretch(row-(back-1)*d[0], column-(back-1)*d[1], d, r.K-1)
		stones := max(r.K-3+g.rng.IntN(9)/8, 1)
		there := bits.OnesCount64(squares & p.Mover)
		if bits.OnesCount64(squares) < r.K+1 || squares&p.Other != 0 || there >= stones {
			continue
		}
		p.Mover |= g.some(inner&^p.Mover&^free, stones-there)
		return true
	}
	return false
}

// against places stones of the other side on K squares in a row, except on those among
// threats and, rarely, one more.
func (g *Generator) against(p *Position, threats uint64) bool {
	least := 2
	for try := range 60 {
		if try == 40 {
			least = 1
		}
		l := g.lines[g.rng.IntN(len(g.lines))]
		common := bits.OnesCount64(l.squares & threats &^ p.Other)
		if l.squares&p.Mover != 0 || common < least || common > 3 || common >= g.rules.K {
			continue
		}
		lacking := max(common, 2) + g.rng.IntN(5)/4
		p.Other |= g.some(l.squares&^threats&^p.Other, g.rules.K-lacking-bits.OnesCount64(l.squares&p.Other))
		return true
	}
	return false
}

// some returns n random squares of a set, or all if there are fewer.
func (g *Generator) some(set uint64, n int) (chosen uint64) {
	for ; n > 0 && set != 0; n-- {
		s := g.one(set)
		set &^= s
		chosen |= s
	}
	return chosen
}

// one returns a random square of a set that is not empty.
func (g *Generator) one(set uint64) uint64 {
	for range g.rng.IntN(bits.OnesCount64(set)) {
		set &= set - 1
	}
	return set & -set
}

// mirrored returns the left half of a position, or its lower half, with its mirror
// image as the other half.
func (g *Generator) mirrored(p Position, free uint64) (Position, uint64) {
	r, down := g.rules, g.rng.IntN(2) == 0
	half := func(set uint64) (out uint64) {
		for row := range r.Rows {
			for column := range r.Columns {
				from := r.bit(row, min(column, r.Columns-1-column))
				if down {
					from = r.bit(min(row, r.Rows-1-row), column)
				}
				if set&from != 0 {
					out |= r.bit(row, column)
				}
			}
		}
		return out
	}
	return Position{Mover: half(p.Mover), Other: half(p.Other)}, half(free)
}

// fill adds stones until few squares are empty. It fails if a side gets a line.
func (g *Generator) fill(p *Position, free uint64) bool {
	most := min(g.most, max(bits.OnesCount64(free), 3)+g.rng.IntN(5))
	if bits.OnesCount64(free) > most {
		return false
	}
	quiet := g.rng.IntN(8) > 0 // all threats are those of the frame
	for {
		empty := g.rules.board() &^ p.Mover &^ p.Other
		if bits.OnesCount64(empty) <= most {
			break
		}
		at := g.one(empty &^ free)
		first, second := &p.Mover, &p.Other
		if bits.OnesCount64(p.Mover) > bits.OnesCount64(p.Other)+g.rng.IntN(3)-1 {
			first, second = second, first
		}
		if quiet && g.loud(*first|at, *second, at) && !g.loud(*second|at, *first, at) {
			first, second = second, first
		}
		switch {
		case !hasLine(g.lines, *first|at):
			*first |= at
		case !hasLine(g.lines, *second|at):
			*second |= at
		default:
			return false
		}
	}
	return !hasLine(g.lines, p.Mover) && !hasLine(g.lines, p.Other)
}

// loud reports whether a side's stone on a square is in a line in which it lacks at most
// two stones.
func (g *Generator) loud(side, other, at uint64) bool {
	for _, l := range g.lines {
		if l.squares&at != 0 && l.squares&other == 0 && side&l.ends == 0 && bits.OnesCount64(l.squares&side) >= g.rules.K-2 {
			return true
		}
	}
	return false
}
