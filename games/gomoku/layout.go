package gomoku

// A window is k adjacent squares of a line. It is live for a side if it can still
// become a line of that side: the other side has no stone in it and, under the exact
// rule, it is not part of an overline. All patterns (fours, threes) are derived from
// the live windows and the stones that they lack.

// layout holds the windows of a board, numbered by direction, line and place on the
// line, so that windows that overlap on a line have adjacent numbers.
type layout struct {
	k       int
	exact   bool
	full    uint32 // a bit for each square of a window
	words   int    // words of a set of windows
	windows []window
	through [MaxSquares][]Place   // the windows that a square is in
	beyond  [MaxSquares][]uint16  // the windows that a square is just before or after
	lines   [MaxSquares][4]uint16 // the line through a square in each direction
	near    [MaxSquares]Set       // the squares in line with a square and less than k away
	keys    [2][MaxSquares]Key    // of a stone
}

// window is k squares: first, first+step, ...
type window struct {
	first     Square
	step      uint8  // directions[direction]
	line      uint16 // its number
	direction uint8
	// ends are the squares before and after the window; NoSquare off the board.
	ends [2]Square
}

func (w *window) square(i int) Square { return w.first + Square(i*int(w.step)) }

// Place is the place of a square in a window.
type Place struct {
	Window uint16
	Bit    uint32 // of the square among the k squares of the window
}

func newLayout(g *Game) *layout {
	l := &layout{k: g.k, exact: g.exact, full: 1<<g.k - 1}
	line := uint16(0)
	for d, step := range directions {
		// Lines in this direction begin where the square before is off the board.
		rowStep, columnStep := rowSteps[d], columnSteps[d]
		for row := range g.rows {
			for column := range g.columns {
				if g.onBoard(row-rowStep, column-columnStep) {
					continue
				}
				line++
				for r, c := row, column; g.onBoard(r, c); r, c = r+rowStep, c+columnStep {
					l.lines[SquareAt(r, c)][d] = line
				}
				for r, c := row, column; g.onBoard(r+(g.k-1)*rowStep, c+(g.k-1)*columnStep); r, c = r+rowStep, c+columnStep {
					l.windows = append(l.windows, window{
						first: SquareAt(r, c), step: uint8(step), line: line, direction: uint8(d),
						ends: [2]Square{g.at(r-rowStep, c-columnStep), g.at(r+g.k*rowStep, c+g.k*columnStep)},
					})
				}
			}
		}
	}
	l.words = (len(l.windows) + 63) / 64
	for number := range l.windows {
		w := &l.windows[number]
		for i := range g.k {
			s := w.square(i)
			l.through[s] = append(l.through[s], Place{uint16(number), 1 << i})
		}
		for _, s := range w.ends {
			if s != NoSquare && g.exact {
				l.beyond[s] = append(l.beyond[s], uint16(number))
			}
		}
	}
	for s := range g.squares.All() {
		for d := range directions {
			for i := 1 - g.k; i < g.k; i++ {
				if t := g.at(s.Row()+i*rowSteps[d], s.Column()+i*columnSteps[d]); i != 0 && t != NoSquare {
					l.near[s].Add(t)
				}
			}
		}
	}
	state := uint64(0)
	for side := range l.keys {
		for s := range l.keys[side] {
			l.keys[side][s] = Key{splitmix(&state), splitmix(&state)}
		}
	}
	return l
}

func (g *Game) onBoard(row, column int) bool {
	return row >= 0 && row < g.rows && column >= 0 && column < g.columns
}

// at returns a square, or NoSquare if it is not on the board.
func (g *Game) at(row, column int) Square {
	if !g.onBoard(row, column) {
		return NoSquare
	}
	return SquareAt(row, column)
}

// splitmix is the generator SplitMix64 (Steele, Lea, Flood 2014).
func splitmix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
