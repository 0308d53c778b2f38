package awari

import (
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// runMove is a move in all positions of a run, which share the mover's row.
type runMove struct {
	pit      int
	added    row // to the opponent's pits
	shift    uint8
	stones   int    // of the opponent, who is to move next, before captures
	own      row    // after the move
	rank     uint64 // of own
	first    uint64 // the index without the part of the opponent's row, if nothing is captured
	multiple uint64 // of that rank
}

// expander expands positions.
type expander struct {
	place
	moves int // number of them
	list  [pits]runMove
}

// Expand implements [games.Expander].
func (g *Game) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	var x expander
	end := g.index.tier[g.stones+1]
	for _, i := range indices {
		status := games.Hole
		if i < end {
			if i-x.begin >= x.end-x.begin {
				g.index.seekRun(&x.place, i)
				x.listMoves(&g.index)
			}
			status = g.expand(&x, i-x.begin, out)
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

// listMoves lists the moves of the run.
func (x *expander) listMoves(t *index) {
	x.moves = 0
	for pit := range pits {
		n := x.own.pit(pit)
		if n == 0 {
			continue
		}
		s := &sowings[pit][n]
		m := &x.list[x.moves]
		x.moves++
		*m = runMove{pit: pit, added: s.opposite, shift: s.shift, stones: x.n - x.m + s.opposite.stones(), own: x.own&^(0xff<<(8*pit)) + s.own}
		m.rank, m.multiple = m.own.rank(), t.rows[x.n-m.stones]
		m.first = t.group[x.n][m.stones] + m.rank
	}
}

// expand appends the successors of the position of the run whose opponent's row has the given
// rank, and returns the position's status.
func (g *Game) expand(x *expander, rank uint64, out *games.Expansion) games.Value {
	p := Position{x.own, g.index.row(x.n-x.m, rank)}
	if g.slam != legalIfOnly || p.own == 0 {
		if v, finished := g.Outcome(p); finished {
			return v
		}
	}
	begin := len(out.Successors)
	out.Successors, out.Gains = slices.Grow(out.Successors, pits), slices.Grow(out.Gains, pits)
	for i := range x.list[:x.moves] {
		m := &x.list[i]
		if m.added == 0 && p.opposite != 0 {
			g.add(Position{p.opposite, m.own}, m.first+rank*m.multiple, 0, out)
			continue
		}
		left := p.opposite + m.added
		captured := left & capturable(left, m.shift)
		if left -= captured; left == 0 {
			switch s := g.play(p, m.pit); {
			case !s.starve:
				g.add(s.next, g.index.of(s.next, x.n, s.next.own.stones()), 0, out)
			case !g.mustFeed(p):
				g.addStarving(s, begin, out)
			}
			continue
		}
		// Captures leave the mover's row alone, and with it the multiple.
		n := captured.stones()
		g.add(Position{left, m.own}, g.index.group[x.n-n][m.stones-n]+m.rank+left.rank()*m.multiple, n, out)
	}
	out.Moves += len(out.Successors) - begin
	return games.Unfinished
}

// add appends the position that a move leads to.
func (g *Game) add(next Position, index uint64, gain int, out *games.Expansion) {
	v := games.Unfinished
	if g.slam != legalIfOnly {
		v, _ = g.Outcome(next)
	}
	out.Successors = append(out.Successors, games.NewSuccessor(index, v))
	out.Gains = append(out.Gains, int16(gain))
}

// addStarving appends the successor by a move that ends the game, unless it is listed:
// several moves may lead to the empty board. The successors of the position begin at begin.
func (g *Game) addStarving(s sown, begin int, out *games.Expansion) {
	v, _ := g.Outcome(s.next)
	successor := games.NewSuccessor(g.index.of(s.next, s.next.Stones(), 0), v)
	if j := slices.Index(out.Successors[begin:], successor); j >= 0 {
		out.Gains[begin+j] = max(out.Gains[begin+j], int16(s.gain))
		out.Moves++
		return
	}
	out.Successors = append(out.Successors, successor)
	out.Gains = append(out.Gains, int16(s.gain))
}

// unsown[from][n] is what unsowing n stones into the pit from adds to the sums of the row.
var unsown = func() (table [pits][maxStones + 1]uint64) {
	for from := range table {
		for n := range table[from] {
			table[from][n] = (uint64(n)<<(8*from) - uint64(sowings[from][n].own)) * ones
		}
	}
	return table
}()

// crossing is a way to take stones back from the first pits of the other side.
type crossing struct {
	stones          int    // how many
	first, multiple uint64 // of indices, as in runMove
}

// retractor finds predecessors. The positions of a run share the row of the side to move,
// into which the last move may have sown.
type retractor struct {
	place
	first, multiple uint64     // of moves that end in the row of the side that moved
	crossings       []crossing // without captures, shortest first
	buffer          [pits]crossing
	around          bool // stones can be taken from all its pits, and so from the first ones of the row that moved
}

// Retract implements [games.Retractor] by reverse sowing: from each empty pit of
// the side that has moved, stones are taken back one a pit, until a pit is empty.
func (g *Game) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	var x retractor
	for _, i := range indices {
		if i-x.begin >= x.end-x.begin {
			g.index.seekRun(&x.place, i)
			g.listCrossings(&x)
		}
		g.retract(&x, g.index.row(x.n-x.m, i-x.begin), out)
	}
}

// listCrossings prepares the run.
func (g *Game) listCrossings(x *retractor) {
	moved := x.n - x.m
	x.first, x.multiple = g.index.group[x.n][moved]+x.own.rank(), g.index.rows[x.m]
	x.crossings, x.around = x.buffer[:0], true
	before := x.own
	for pit := range pits {
		if x.own.pit(pit) == 0 {
			x.around = false
			return
		}
		before -= 1 << (8 * pit)
		if n := pit + 1; g.quiet(x.own, uint8(8*(7-pit))) {
			x.crossings = append(x.crossings, crossing{n, g.index.group[x.n][moved+n] + before.rank(), g.index.rows[x.m-n]})
		}
	}
}

// retract appends the predecessors of the position of the run in which moved is the row of
// the side that has moved.
func (g *Game) retract(x *retractor, moved row, out *games.Predecessors) {
	// A high bit marks an empty pit, or the end of the row.
	empty := ^(uint64(moved)+0x7f*ones)&(0x80*ones) | 0x80<<(8*pits)
	sums := moved.sums()
	list := slices.Grow(out.Indices, 2*pits)
	from, next := 0, bits.TrailingZeros64(empty)/8
	for next < pits {
		from, empty = next, empty&(empty-1)
		next = bits.TrailingZeros64(empty) / 8
		for n := 1; n < next-from; n++ {
			list = append(list, x.first+rankOfSums(sums+unsown[from][n])*x.multiple)
		}
		if next < pits {
			continue
		}
		for i := range x.crossings {
			c := &x.crossings[i]
			list = append(list, c.first+rankOfSums(sums+unsown[from][pits-1-from+c.stones])*c.multiple)
		}
		if x.around {
			list = g.retractAround(Position{moved, x.own}, from, x.n, list)
		}
	}
	out.Indices = list
}

// retractAround appends the positions before a move that sowed past the end of the opponent's
// row, so that stones came round into the mover's row again.
func (g *Game) retractAround(after Position, from, n int, list []uint64) []uint64 {
	table := &sowings[from]
	for k := 2*pits - from; k <= n; k++ {
		s := &table[k]
		if lacks(after.own, s.own) || lacks(after.opposite, s.opposite) {
			break
		}
		if s.shift != noShift && !g.quiet(after.opposite, s.shift) {
			continue
		}
		p := Position{after.own - s.own + row(k)<<(8*from), after.opposite - s.opposite}
		list = append(list, g.index.of(p, n, p.own.stones()))
	}
	return list
}

// lacks reports whether some pit of r has fewer stones than the same pit of other.
func lacks(r, other row) bool { return ((r|0x80*ones)-other)&(0x80*ones) != 0x80*ones }

// quiet reports whether a move captured nothing, given the row r after sowing and the shift
// of the pit where the last stone fell.
func (g *Game) quiet(r row, shift uint8) bool {
	captured := r & capturable(r, shift)
	return captured == 0 || g.slam == noCapture && captured == r
}
