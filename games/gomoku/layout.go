package gomoku

import "github.com/yomikiri/yomikiri/games"

// A window is k adjacent squares of a line. It is live for a side if it can still
// become a line of that side: the other side has no stone in it and, under the exact
// rule, it is not part of an overline. All patterns (fours, threes) are derived from
// the live windows and the stones that they lack.

// layout holds the windows of a board, numbered by direction, line and place on the
// line, so that windows that overlap on a line have adjacent numbers.
type layout struct {
	k       int
	full    uint32 // a bit for each square of a window
	beside  uint32 // the squares next to a window that begins at bit 1, under the exact rule
	words   int    // words of a set of windows
	all     Windows
	windows []window
	lines   []line
	spots   [MaxSquares][len(directions)]spot // of a square in each direction
	through [MaxSquares][]uint16              // the windows that a square is in
	places  [MaxSquares][]place               // the same as sets
	near    [MaxSquares]Set                   // the squares in line with a square and less than k away
	around  [MaxSquares]Set                   // the squares up to two rows and columns away
	keys    [2][MaxSquares]Key                // of a stone
}

// maxKBits is the size of the largest k in bits.
const maxKBits = 5

// Bounds for the largest board.
const (
	maxLines       = 2*MaxSide + 2*(2*MaxSide-1)
	maxWindowWords = (len(directions)*MaxSide*MaxSide + 63) / 64
)

// line is a row, column or diagonal.
type line struct {
	before int    // the number of the square before the first one, if there were one
	step   int    // directions[direction]
	off    uint32 // the bits that are not squares
}

func (l *line) square(bit int) Square { return Square(l.before + bit*l.step) }

// spot is a square on a line.
type spot struct {
	line    uint16
	bit     uint32
	through uint32 // the windows that it is in, each by the bit of its first square
}

// place says in which of 64 windows a square is and, under the exact rule, which of them it
// is next to.
type place struct {
	word            int
	through, beside uint64
}

// window is k squares: first, first+step, ...
type window struct {
	first Square
	step  uint8 // that of its line
	place uint8 // of the first square on the line, from 1 on
	line  uint16
}

func (w *window) square(i int) Square { return w.first + Square(i*int(w.step)) }

func newLayout(g *Game) *layout {
	l := &layout{k: g.k, full: 1<<g.k - 1}
	if g.exact {
		l.beside = 1 | 1<<(g.k+1)
	}
	for d, step := range directions {
		// Lines in this direction begin where the square before is off the board.
		rowStep, columnStep := rowSteps[d], columnSteps[d]
		for row := range g.rows {
			for column := range g.columns {
				if g.onBoard(row-rowStep, column-columnStep) {
					continue
				}
				number := uint16(len(l.lines))
				place := uint8(1)
				for r, c := row, column; g.onBoard(r, c); r, c = r+rowStep, c+columnStep {
					through := uint32(1)<<(place+1) - 1<<max(int(place)-g.k+1, 0)
					l.spots[SquareAt(r, c)][d] = spot{number, 1 << place, through}
					if g.onBoard(r+(g.k-1)*rowStep, c+(g.k-1)*columnStep) {
						l.add(g, window{first: SquareAt(r, c), step: uint8(step), line: number, place: place},
							g.at(r-rowStep, c-columnStep), g.at(r+g.k*rowStep, c+g.k*columnStep))
					}
					place++
				}
				l.lines = append(l.lines, line{int(SquareAt(row, column)) - int(step), int(step), ^(uint32(1)<<place - 2)})
			}
		}
	}
	l.words = len(l.all)
	for s := range g.squares.All() {
		for d := range directions {
			for i := 1 - g.k; i < g.k; i++ {
				if t := g.at(s.Row()+i*rowSteps[d], s.Column()+i*columnSteps[d]); i != 0 && t != NoSquare {
					l.near[s].Add(t)
				}
			}
		}
	}
	for s := range g.squares.All() {
		for i := range 5 * 5 {
			if t := g.at(s.Row()+i/5-2, s.Column()+i%5-2); t != NoSquare && t != s {
				l.around[s].Add(t)
			}
		}
	}
	fixed, drawn := uint64(0), uint64(games.ProcessSeed())
	for side := range l.keys {
		for s := range l.keys[side] {
			l.keys[side][s] = Key{splitmix(&fixed), splitmix(&drawn)}
			splitmix(&fixed) // searches that play depend on the numbers that are left
		}
	}
	return l
}

// add adds the window w between the squares before and after, which are NoSquare if off the
// board.
func (l *layout) add(g *Game, w window, before, after Square) {
	number := len(l.windows)
	word, bit := number>>6, uint64(1)<<(number&63)
	l.windows = append(l.windows, w)
	if bit == 1 {
		l.all = append(l.all, 0)
	}
	l.all[word] |= bit
	at := func(s Square) *place {
		list := l.places[s]
		if len(list) == 0 || list[len(list)-1].word != word {
			l.places[s] = append(list, place{word: word})
		}
		return &l.places[s][len(l.places[s])-1]
	}
	for i := range l.k {
		s := w.square(i)
		l.through[s] = append(l.through[s], uint16(number))
		at(s).through |= bit
	}
	for _, s := range []Square{before, after} {
		if s != NoSquare && g.exact {
			at(s).beside |= bit
		}
	}
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
