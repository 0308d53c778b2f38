package gomoku

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

// ghost marks a ghost's square on a plain board: a string of squares, as in a Position.
const ghost = '_'

// plain is a checker of trees on plain boards, for tests.
type plain struct {
	*treeChecker
	windows []window
}

// window is k squares in a row, and the squares before and after it, -1 off the
// board.
type window struct {
	squares       []int
	before, after int
}

func unlimited() *proof.Work { return proof.NewWork(context.Background(), math.MaxInt64) }

func newPlain(g *Game, p Position) plain {
	return plain{g.newTreeChecker(p, unlimited()), g.plainWindows()}
}

// hasWon is [Game.hasWon], window by window.
func (p plain) hasWon(squares string, side byte) bool {
	board := []byte(squares)
	for i := range p.windows {
		if p.stones(&p.windows[i], board, side) == p.k {
			return true
		}
	}
	return false
}

// plainWindows returns all windows of the board.
func (g *Game) plainWindows() (list []window) {
	at := func(row, column int) int {
		if row < 0 || row >= g.rows || column < 0 || column >= g.columns {
			return -1
		}
		return row*g.columns + column
	}
	for row := range g.rows {
		for column := range g.columns {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				if at(row+(g.k-1)*d[0], column+(g.k-1)*d[1]) < 0 {
					continue
				}
				w := window{before: at(row-d[0], column-d[1]), after: at(row+g.k*d[0], column+g.k*d[1])}
				for i := range g.k {
					w.squares = append(w.squares, at(row+i*d[0], column+i*d[1]))
				}
				list = append(list, w)
			}
		}
	}
	return list
}

// stones returns how many stones a side has in a window, and a large negative number if
// it cannot make its line there: the other side has a stone in it, or the rule is
// exact and the line would be too long.
func (g *Game) stones(w *window, squares []byte, side byte) (n int) {
	const never = -1 << 20
	for _, m := range w.squares {
		switch squares[m] {
		case side:
			n++
		case opponent(side):
			return never
		}
	}
	if g.exact && (w.before >= 0 && squares[w.before] == side || w.after >= 0 && squares[w.after] == side) {
		return never
	}
	return n
}

func (p plain) board(squares []byte) (b board) {
	b = p.treeChecker.board(Position{squares: string(squares)})
	for m, square := range squares {
		if square == ghost {
			b.taken.add(p.grid.bits[m])
		}
	}
	return b
}

func (p plain) wins(node int, squares []byte) error {
	b := p.board(squares)
	return p.treeChecker.wins(node, &b)
}

// after returns an answer as seen from the board with a reply: what is placed and
// removed leads from there to where the answer is proven.
func (p plain) after(a *treeAnswer, reply Move) *treeAnswer {
	b := &treeAnswer{removed: a.removed, then: a.then}
	for _, m := range a.placed {
		if m != reply {
			b.placed = append(b.placed, m)
		}
	}
	if !slices.Contains(a.placed, reply) {
		b.removed = append(slices.Clone(a.removed), reply)
	}
	return b
}

func (p plain) carries(squares []byte, a *treeAnswer) error {
	b := p.board(squares)
	return p.treeChecker.carries(&b, a, nil)
}

func (p plain) zone(node int, squares []byte, unknown int) ([]bool, error) {
	b := p.board(squares)
	var zone set
	err := p.treeChecker.zone(&zone, node, &b, unknown, -1)
	list := make([]bool, len(squares))
	for m, bit := range p.grid.bits {
		list[m] = zone.has(bit)
	}
	return list, err
}

func (p plain) change(squares []byte, a *treeAnswer) ([]byte, error) {
	b := p.board(squares)
	if _, err := p.treeChecker.change(&b, a); err != nil {
		return nil, err
	}
	next := slices.Clone(squares)
	for _, m := range a.placed {
		next[m] = p.defender
	}
	for _, m := range a.removed {
		next[m] = empty
	}
	return next, nil
}

// withGhosts returns a board with ghosts on the empty squares where an answer is proven
// with stones.
func withGhosts(squares []byte, a *treeAnswer) []byte {
	squares = slices.Clone(squares)
	for _, m := range a.placed {
		if squares[m] == empty {
			squares[m] = ghost
		}
	}
	return squares
}

// TestWindows compares windows with what is counted square by square.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	boards := 300
	if testing.Short() {
		boards = 10
	}
	for _, spec := range []string{"gomoku:size=1x1,k=1", "gomoku:size=1x5,k=2", "gomoku:size=9x1,k=3,rule=exact", "gomoku:size=2x9,k=3",
		"gomoku:size=9x6,rule=exact", "gomoku", "gomoku:rule=exact", "gomoku:size=20x20", "gomoku:size=20x20,k=20", "gomoku:size=20x20,k=3,rule=exact", "gomoku:size=3x4,k=7"} {
		g := tiny(t, spec)
		p := newPlain(g, g.Start())
		for range boards {
			squares := make([]byte, g.rows*g.columns)
			own, other := rng.IntN(100), rng.IntN(30)
			for m := range squares {
				switch r := rng.IntN(130); {
				case r < own:
					squares[m] = white
				case r < own+other:
					squares[m] = black
				case r < own+other+10:
					squares[m] = ghost
				default:
					squares[m] = empty
				}
			}
			b := p.board(squares)
			require.Equal(t, p.hasWon(string(squares), white), g.hasLine(&b.defender))
			require.Equal(t, p.hasWon(string(squares), black), g.hasLine(&b.attacker))
			require.Equal(t, p.hasWon(string(squares), black), g.hasWon(string(squares), black))
			for lacks := range g.k + 3 {
				if lacks > g.k {
					lacks += 31 * (lacks - g.k) // unknown stones may be many
				}
				want := make([]bool, len(squares))
				found := false
				for i := range p.windows {
					if w := &p.windows[i]; g.stones(w, squares, white) >= g.k-lacks {
						found = true
						for _, m := range w.squares {
							want[m] = want[m] || squares[m] != white
						}
					}
				}
				if lacks == 1 && !g.hasLine(&b.defender) {
					require.Equal(t, found, g.threatens(&b.defender, &b.attacker))
				}
				var got, all set
				g.addWindows(&got, &b.defender, &b.attacker, lacks)
				for m, bit := range g.grid.bits {
					require.Equal(t, want[m], got.has(bit), "%s: %s, %d", spec, squares, lacks)
					if want[m] {
						all.add(bit)
					}
				}
				require.Equal(t, all, got, "squares off the board")
				through := rng.IntN(len(squares))
				if squares[through] == black {
					continue
				}
				var some, wanted set
				g.addWindowsThrough(g.grid.bits[through], &some, &b.defender, &b.attacker, lacks)
				for i := range p.windows {
					w := &p.windows[i]
					if slices.Contains(w.squares, through) && g.stones(w, squares, white) >= g.k-lacks {
						for _, m := range w.squares {
							if squares[m] != white {
								wanted.add(g.grid.bits[m])
							}
						}
					}
				}
				require.Equal(t, wanted, some)
			}
		}
	}
}

// TestEachWindow fills windows one by one, with boards that end near the end of a word.
func TestEachWindow(t *testing.T) {
	for _, spec := range []string{"gomoku:size=16x19,k=3", "gomoku:size=20x20,rule=exact"} {
		g := open(t, spec)
		var none set
		for i, w := range g.plainWindows() {
			var own, missing, found set
			for _, m := range w.squares {
				own.add(g.grid.bits[m])
			}
			require.True(t, g.hasLine(&own), "%s, %v", spec, w)
			last := g.grid.bits[w.squares[i%g.k]]
			own.remove(last)
			missing.add(last)
			require.False(t, g.hasLine(&own), "%s, %v", spec, w)
			require.True(t, g.threatens(&own, &none), "%s, %v", spec, w)
			g.addWindows(&found, &own, &none, 1)
			require.True(t, found.has(last), "%s, %v", spec, w)
		}
	}
}

// TestSet adds all squares of boards to sets and removes them.
func TestSet(t *testing.T) {
	for rows := 1; rows <= maxSide; rows++ {
		for columns := 1; columns <= maxSide; columns++ {
			g := newGrid(rows, columns)
			require.Len(t, g.bits, rows*columns)
			last := g.bits[len(g.bits)-1]
			require.Equal(t, last>>6+1, g.words)
			s := g.squares
			for _, bit := range g.bits {
				require.True(t, s.has(bit))
				s.remove(bit)
				require.False(t, s.has(bit))
			}
			require.Equal(t, set{}, s)
		}
	}
}
