package connect4

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strconv"

	"github.com/yomikiri/yomikiri/games"
)

// index numbers the positions of a board; see the package comment.
type index struct {
	// heights[c][d] is the number of ways to spread d discs over c columns.
	heights [][]uint64
	// choose[n][k] is the number of ways to choose k of n discs.
	choose [][]uint64
	tiers  []games.Tier // by number of empty squares
}

// newIndex returns the index of a board, or nil if its positions cannot be numbered.
func newIndex(rows, columns int) *index {
	total := rows * columns
	x := &index{heights: [][]uint64{make([]uint64, total+1)}}
	x.heights[0][0] = 1
	for c := range columns {
		ways := make([]uint64, total+1)
		for d := range ways {
			for h := 0; h <= min(rows, d); h++ {
				ways[d] += x.heights[c][d-h]
			}
		}
		x.heights = append(x.heights, ways)
	}
	for n := range total + 1 {
		row := make([]uint64, total+1)
		row[0] = 1
		for k := 1; k <= n; k++ {
			row[k] = x.choose[n-1][k-1] + x.choose[n-1][k]
		}
		x.choose = append(x.choose, row)
	}
	start := uint64(0)
	for d := total; d >= 0; d-- {
		over, size := bits.Mul64(x.heights[columns][d], x.choose[d][(d+1)/2])
		if over > 0 || size > 1<<games.IndexBits-start {
			return nil
		}
		s := games.Tier{Name: strconv.Itoa(d), Start: start, Size: size, Open: size}
		if d == total {
			s.Open = 0 // a full board is finished
		}
		x.tiers = append(x.tiers, s)
		start += size
	}
	return x
}

// Tiers implements [games.Indexer]: a tier for each number of discs.
func (g *Game) Tiers() []games.Tier { return slices.Clone(g.index.tiers) }

func (g *Game) Index(p Position) (uint64, error) {
	if err := g.check(p); err != nil {
		return 0, fmt.Errorf("no index for %q: %w", g.AppendPosition(nil, p), err)
	}
	return g.rank(g.Canonical(p)), nil
}

// rank returns the index of the canonical position p.
func (g *Game) rank(p Position) uint64 {
	x := g.index
	heights, colours, read := uint64(0), uint64(0), 0
	discs := bits.OnesCount64(p.discs)
	for c := range g.columns {
		shift := c * (g.rows + 1)
		h := bits.OnesCount64(p.discs & g.column(c))
		for lower := range h {
			heights += x.heights[g.columns-1-c][discs-read-lower]
		}
		colours |= p.x >> shift & (1<<h - 1) << read
		read += h
	}
	rank := uint64(0)
	for k := 1; colours != 0; k, colours = k+1, colours&(colours-1) {
		rank += x.choose[bits.TrailingZeros64(colours)][k]
	}
	return x.tiers[len(x.tiers)-1-discs].Start + heights*x.choose[discs][(discs+1)/2] + rank
}

// unrank is the inverse of rank: it returns the position with the given rank in the tier with
// the given number of discs.
func (g *Game) unrank(discs int, rank uint64) Position {
	x := g.index
	k := (discs + 1) / 2
	heights, rest := rank/x.choose[discs][k], rank%x.choose[discs][k]
	colours := uint64(0)
	for n := discs - 1; k > 0; n-- {
		if ways := x.choose[n][k]; rest >= ways {
			rest -= ways
			colours |= 1 << n
			k--
		}
	}
	var p Position
	for c := range g.columns {
		h := 0
		for ; heights >= x.heights[g.columns-1-c][discs-h]; h++ {
			heights -= x.heights[g.columns-1-c][discs-h]
		}
		shift := c * (g.rows + 1)
		p.discs |= (1<<h - 1) << shift
		p.x |= colours & (1<<h - 1) << shift
		colours >>= h
		discs -= h
	}
	return p
}

func (g *Game) Position(index uint64) (Position, bool) {
	list := g.index.tiers
	at := sort.Search(len(list), func(i int) bool { return index < list[i].Start+list[i].Size })
	if at == len(list) {
		return Position{}, false
	}
	p := g.unrank(len(list)-1-at, index-list[at].Start)
	return p, g.Canonical(p) == p && g.possible(p)
}

func (g *Game) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	for _, index := range indices {
		status := games.Hole
		if p, ok := g.Position(index); ok {
			if status, ok = g.Outcome(p); !ok {
				g.successors(p, out)
			}
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

func (g *Game) successors(p Position, out *games.Expansion) {
	begin := len(out.Successors)
	for c := range g.columns {
		if column := g.column(c); p.discs&column == column {
			continue
		}
		out.Moves++
		q := g.Canonical(g.Play(p, Move(c)))
		outcome, _ := g.Outcome(q)
		s := games.NewSuccessor(g.rank(q), outcome)
		if !slices.Contains(out.Successors[begin:], s) {
			out.Successors = append(out.Successors, s)
		}
	}
}

// Retract implements [games.Retractor]. Every move adds a disc and so leaves its tier:
// no position has a predecessor in its own.
func (g *Game) Retract(_ []uint64, out *games.Predecessors) { out.Reset() }
