//go:build !race

package threat

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

// foursOracle looks for victories by continuous fours on small boards, with nothing
// of the project but the notation of squares. Squares are bits of a word, row by row.
type foursOracle struct {
	rows, columns int
	lines         []foursLine
}

// foursLine is k squares in a row, and the squares that must not have a stone of
// the same side for them to win.
type foursLine struct{ squares, not uint32 }

func newFoursOracle(g *gomoku.Game) *foursOracle {
	o := &foursOracle{rows: g.Rules().Rows, columns: g.Rules().Columns}
	bit := func(row, column int) uint32 {
		if row < 0 || row >= o.rows || column < 0 || column >= o.columns {
			return 0
		}
		return 1 << (row*o.columns + column)
	}
	for row := range o.rows {
		for column := range o.columns {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				var l foursLine
				for i := range g.Rules().K {
					l.squares |= bit(row+i*d[0], column+i*d[1])
				}
				if bits.OnesCount32(l.squares) < g.Rules().K {
					continue
				}
				if g.Rules().Exact {
					l.not = bit(row-d[0], column-d[1]) | bit(row+g.Rules().K*d[0], column+g.Rules().K*d[1])
				}
				o.lines = append(o.lines, l)
			}
		}
	}
	return o
}

func (o *foursOracle) stones(set gomoku.Set) (n uint32) {
	for s := range set.All() {
		n |= 1 << (s.Row()*o.columns + s.Column())
	}
	return n
}

func (o *foursOracle) won(side uint32) bool {
	for _, l := range o.lines {
		if side&l.squares == l.squares && side&l.not == 0 {
			return true
		}
	}
	return false
}

func (o *foursOracle) empty(own, other uint32) uint32 {
	return (1<<(o.rows*o.columns) - 1) &^ own &^ other
}

// vcf returns how many moves the side that owns own and is to move needs to win
// if each of its moves wins or threatens to win with the next, and 0 if it
// cannot.
func (o *foursOracle) vcf(own, other uint32) int {
	empty := o.empty(own, other)
	for e := empty; e != 0; e &= e - 1 {
		if o.won(own | e&-e) {
			return 1
		}
	}
	best := 0
	for e := empty; e != 0; e &= e - 1 {
		after := own | e&-e
		longest := 0
		threatens := false
		for f := empty &^ after; f != 0 && !threatens; f &= f - 1 {
			threatens = o.won(after | f&-f)
		}
		if !threatens {
			continue
		}
		for r := empty &^ after; r != 0; r &= r - 1 {
			n := 0
			if !o.won(other | r&-r) {
				n = o.vcf(after, other|r&-r)
			}
			if n == 0 {
				longest = 0
				break
			}
			longest = max(longest, n)
		}
		if longest > 0 && (best == 0 || longest+1 < best) {
			best = longest + 1
		}
	}
	return best
}

// TestAgainstFullWidth compares searches on small boards with plain full-width
// search: there is a victory by continuous fours exactly if there is one, and
// with the same number of moves; what threat-space search proves is won; and if
// the defender first plays anywhere outside of the zone, it still is.
func TestAgainstFullWidth(t *testing.T) {
	positions := 10_000
	if testing.Short() {
		positions = 1000
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for _, spec := range smallBoards {
		g := open(t, spec)
		o, fours := newOracle(t, g), newFoursOracle(g)
		s := NewSearcher(g, 10)
		proven, spaces, outside := 0, 0, 0
		for range positions / len(smallBoards) {
			p := smallPosition(g, rng)
			name := string(g.AppendPosition(nil, p))
			own, other := fours.stones(p.Stones(p.ToMove())), fours.stones(p.Stones(p.ToMove().Opponent()))
			b := g.NewBoard(p)
			tree, verdict := s.VCF(b, p.ToMove(), AllMoves, 0)
			moves := fours.vcf(own, other)
			require.Equal(t, moves > 0, verdict == Proven, name)
			if verdict == Proven {
				require.Equal(t, moves, tree.Moves(), name)
				proven++
			} else {
				require.Equal(t, Refuted, verdict)
				if tree = s.ThreatSpace(b, p.ToMove()); tree == nil {
					continue
				}
				spaces++
				require.Equal(t, games.Won, o.result(p), name)
			}
			require.NoError(t, checkTree(g, p, tree), name)
			zone := tree.Zone(b, p.ToMove())
			require.Equal(t, p, b.Position(p.ToMove()))
			empty := g.EmptySquares(p)
			for r := range empty.All() {
				if zone.Has(r) {
					continue
				}
				outside++
				q := g.Play(p.NullMove(), r)
				require.Equal(t, games.Won, o.result(q), "%v in %s", r, name)
				require.NoError(t, checkTree(g, q, tree), "%v in %s", r, name)
			}
		}
		t.Log(spec, "VCF", proven, "more", spaces, "moves outside the zone", outside)
	}
}
