package tictactoe

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// The index of a position is the number that has its squares as digits in base
// 3, square 0 the lowest: 0 for empty, 1 for x, 2 for o. A position has up to eight images
// under rotation and reflection. The one with the smallest number stands for all; the numbers
// of the others are holes.

const indices = 19_683 // 3^9

// images has the image of each square under each rotation and reflection.
var images = func() (list [8][9]int) {
	for i := range list {
		for square := range 9 {
			row, column := square/3, square%3
			if i&1 != 0 {
				column = 2 - column
			}
			if i&2 != 0 {
				row = 2 - row
			}
			if i&4 != 0 {
				row, column = column, row
			}
			list[i][square] = 3*row + column
		}
	}
	return list
}()

func (p Position) image(squares *[9]int) Position {
	var q Position
	for from, to := range squares {
		q.x |= p.x >> from & 1 << to
		q.o |= p.o >> from & 1 << to
	}
	return q
}

func (p Position) number() uint64 {
	n := uint64(0)
	for square := 8; square >= 0; square-- {
		n = 3*n + uint64(p.x>>square&1) + 2*uint64(p.o>>square&1)
	}
	return n
}

func (Game) Tiers() []games.Tier { return []games.Tier{{Size: indices, Open: indices}} }

func (Game) Canonical(p Position) Position {
	best := p
	for i := range images {
		if q := p.image(&images[i]); q.number() < best.number() {
			best = q
		}
	}
	return best
}

func (g Game) Index(p Position) (uint64, error) {
	if err := p.check(); err != nil {
		return 0, fmt.Errorf("no index for %q: %w", g.AppendPosition(nil, p), err)
	}
	return g.Canonical(p).number(), nil
}

func (g Game) Position(index uint64) (Position, bool) {
	if index >= indices {
		return Position{}, false
	}
	var p Position
	n := index
	for square := range 9 {
		switch n % 3 {
		case 1:
			p.x |= 1 << square
		case 2:
			p.o |= 1 << square
		}
		n /= 3
	}
	return p, p.check() == nil && g.Canonical(p) == p
}
