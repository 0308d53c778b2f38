package gomoku

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// oracle searches small boards full width, with nothing of the package but the
// notation of squares. Squares are bits of a word, row by row.
type oracle struct {
	rows, columns int
	lines         []oracleLine
	values        map[[2]uint32]int8
}

// oracleLine is k squares in a row, and the squares that must not have a stone of
// the same side for them to win.
type oracleLine struct{ squares, not uint32 }

func newOracle(g *Game) *oracle {
	o := &oracle{rows: g.rows, columns: g.columns, values: map[[2]uint32]int8{}}
	bit := func(row, column int) uint32 {
		if row < 0 || row >= o.rows || column < 0 || column >= o.columns {
			return 0
		}
		return 1 << (row*o.columns + column)
	}
	for row := range o.rows {
		for column := range o.columns {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				var l oracleLine
				for i := range g.k {
					l.squares |= bit(row+i*d[0], column+i*d[1])
				}
				if bits.OnesCount32(l.squares) < g.k {
					continue
				}
				if g.exact {
					l.not = bit(row-d[0], column-d[1]) | bit(row+g.k*d[0], column+g.k*d[1])
				}
				o.lines = append(o.lines, l)
			}
		}
	}
	return o
}

func (o *oracle) stones(set Set) (n uint32) {
	for s := range set.All() {
		n |= 1 << (s.Row()*o.columns + s.Column())
	}
	return n
}

func (o *oracle) won(side uint32) bool {
	for _, l := range o.lines {
		if side&l.squares == l.squares && side&l.not == 0 {
			return true
		}
	}
	return false
}

func (o *oracle) empty(own, other uint32) uint32 {
	return (1<<(o.rows*o.columns) - 1) &^ own &^ other
}

// value returns 1, 0 or -1 for the side that owns own and is to move.
func (o *oracle) value(own, other uint32) int8 {
	if o.won(other) {
		return -1
	}
	empty := o.empty(own, other)
	if empty == 0 {
		return 0
	}
	key := [2]uint32{own, other}
	if v, ok := o.values[key]; ok {
		return v
	}
	best := int8(-1)
	for e := empty; e != 0 && best < 1; e &= e - 1 {
		if o.won(own | e&-e) {
			best = 1
		}
	}
	for e := empty; e != 0 && best < 1; e &= e - 1 {
		best = max(best, -o.value(other, own|e&-e))
	}
	o.values[key] = best
	return best
}

// vcf returns how many moves the side that owns own and is to move needs to win
// if each of its moves wins or threatens to win with the next, and 0 if it
// cannot.
func (o *oracle) vcf(own, other uint32) int {
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

var smallBoards = []string{
	"gomoku:size=3x3,k=3", "gomoku:size=4x4,k=3", "gomoku:size=4x4,k=3,rule=exact", "gomoku:size=2x9,k=3,rule=exact",
	"gomoku:size=4x5,k=4", "gomoku:size=5x5,k=3", "gomoku:size=5x5,k=3,rule=exact", "gomoku:size=5x5,k=4",
	"gomoku:size=5x5,k=4,rule=exact", "gomoku:size=5x5,k=5", "gomoku:size=5x5,rule=exact", "gomoku:size=3x8,k=4,rule=exact",
}

// smallPosition places stones at random until few squares are empty, so that
// neither side has won.
func smallPosition(g *Game, rng *rand.Rand) Position {
	for {
		p := g.Start()
		squares := g.AppendMoves(nil, p)
		stones := max(len(squares)-9, 0)
		stones += rng.IntN(len(squares) - stones)
		p.toMove = Side(rng.IntN(2))
		for i, at := range rng.Perm(len(squares))[:stones] {
			p.stones[i%2].Add(squares[at])
		}
		if !g.hasLine(&p.stones[Black]) && !g.hasLine(&p.stones[White]) {
			return p
		}
	}
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
		o := newOracle(g)
		s := NewSearcher(g, 10)
		proven, spaces, outside := 0, 0, 0
		for range positions / len(smallBoards) {
			p := smallPosition(g, rng)
			name := string(g.AppendPosition(nil, p))
			own, other := o.stones(p.Stones(p.ToMove())), o.stones(p.Stones(p.ToMove().Opponent()))
			b := g.NewBoard(p)
			tree, verdict := s.VCF(b, p.ToMove(), AllMoves, 0)
			moves := o.vcf(own, other)
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
				require.EqualValues(t, 1, o.value(own, other), name)
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
				q := p
				q.stones[p.ToMove().Opponent()].Add(r)
				require.EqualValues(t, 1, o.value(own, o.stones(q.stones[p.ToMove().Opponent()])), "%v in %s", r, name)
				require.NoError(t, checkTree(g, q, tree), "%v in %s", r, name)
			}
		}
		t.Log(spec, "VCF", proven, "more", spaces, "moves outside the zone", outside)
	}
}

// TestOracle checks the oracle by published values of whole games, those that it
// can search.
func TestOracle(t *testing.T) {
	text, err := os.ReadFile("testdata/mnk.tsv")
	require.NoError(t, err)
	checked := 0
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		var rows, columns, k int
		var value string
		_, err := fmt.Sscan(line, &rows, &columns, &k, &value)
		require.NoError(t, err)
		if rows*columns > 12 && k > 3 || rows*columns > 16 {
			continue
		}
		g := open(t, fmt.Sprintf("gomoku:size=%dx%d,k=%d", rows, columns, k))
		require.Equal(t, map[string]int8{"draw": 0, "win": 1}[value], newOracle(g).value(0, 0), line)
		checked++
	}
	require.Equal(t, 3, checked)
}
