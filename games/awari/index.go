package awari

import (
	"strconv"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// ranks[i][s] is what s stones in the pits 0 to i add to the rank of a row:
// C(s+i, i+1). The rank does not depend on the last pit, so rows with different
// numbers of stones share their ranks.
var ranks = func() (table [pits - 1][64]uint32) {
	for i := range table {
		for s := range maxStones + 1 {
			table[i][s] = uint32(binomial(s+i, i+1))
		}
	}
	return table
}()

// rank returns the rank of r among the rows with the same number of stones.
func (r row) rank() uint64 { return rankOfSums(r.sums()) }

// rankOfSums returns the rank of the row whose sums are s. It ignores the byte of the last
// pit and everything above.
func rankOfSums(s uint64) uint64 {
	return uint64(ranks[0][s&63] + ranks[1][s>>8&63] + ranks[2][s>>16&63] + ranks[3][s>>24&63] + ranks[4][s>>32&63])
}

// rows returns how many rows have m stones.
func rows(m int) uint64 { return binomial(m+pits-1, pits-1) }

func binomial(n, k int) uint64 {
	b := uint64(1)
	for i := range k {
		b = b * uint64(n-i) / uint64(i+1)
	}
	return b
}

// index has the tables that turn indices into positions and back.
type index struct {
	stones int
	// tier[n] is the first index of the positions with n stones; the last element is the end.
	tier [maxStones + 2]uint64
	// group[n][m] is the first index of the positions with n stones, m of them in the mover's
	// row.
	group [maxStones + 1][maxStones + 2]uint64
	// rows[m] is the number of rows with m stones.
	rows [maxStones + 1]uint64
	// byRank[r] is the row with m stones and rank r, minus m stones in its last pit. It is
	// made when first needed.
	byRank []row
	filled sync.Once
}

const last = 8 * (pits - 1) // of a row's pits

func (x *index) init(stones int) {
	x.stones = stones
	for m := range x.rows {
		x.rows[m] = rows(m)
	}
	next := uint64(0)
	for n := range x.group {
		x.tier[n] = next
		for m := 0; m <= n; m++ {
			x.group[n][m] = next
			next += x.rows[m] * x.rows[n-m]
		}
		x.group[n][n+1] = next
	}
	x.tier[maxStones+1] = next
}

// fill makes the table of rows in the order of their ranks: by the sums of their first pits,
// comparing the sum over the most pits first.
func (x *index) fill() {
	x.byRank = make([]row, 0, rows(x.stones))
	var extend func(pit, most int, above row)
	extend = func(pit, most int, above row) {
		for s := range most + 1 {
			// s stones are in the pits up to this one.
			r := above - row(s)<<(8*(pit+1)) + row(s)<<(8*pit)
			if pit == 0 {
				x.byRank = append(x.byRank, r)
			} else {
				extend(pit-1, s, r)
			}
		}
	}
	extend(pits-2, x.stones, 0)
}

// row returns the row with m stones and the given rank.
func (x *index) row(m int, rank uint64) row { return x.byRank[rank] + row(m)<<last }

// of returns the index of a position whose mover has m of n stones.
func (x *index) of(p Position, n, m int) uint64 {
	return x.group[n][m] + p.own.rank()*x.rows[n-m] + p.opposite.rank()
}

// place is what the indices of a run have in common: the number of stones and the mover's
// row.
type place struct {
	begin, end uint64 // of the run
	n, m       int
	own        row
}

// seek finds the place of an index and returns the opponent's row. The index must
// be in range.
func (x *index) seek(at *place, index uint64) row {
	if index-at.begin >= at.end-at.begin {
		x.seekRun(at, index)
	}
	return x.row(at.n-at.m, index-at.begin)
}

func (x *index) seekRun(at *place, index uint64) {
	x.filled.Do(x.fill)
	if index < x.tier[at.n] || index >= x.tier[at.n+1] {
		at.n = 0
		for index >= x.tier[at.n+1] {
			at.n++
		}
		at.m = 0
	}
	group := &x.group[at.n]
	for index < group[at.m] {
		at.m--
	}
	for index >= group[at.m+1] {
		at.m++
	}
	size := x.rows[at.n-at.m]
	rank := (index - group[at.m]) / size
	at.own = x.row(at.m, rank)
	at.begin = group[at.m] + rank*size
	at.end = at.begin + size
}

// Tiers implements [games.Indexer]: one tier for each number of stones.
func (g *Game) Tiers() []games.Tier {
	var list []games.Tier
	for n := range g.stones + 1 {
		begin, end := g.index.tier[n], g.index.tier[n+1]
		list = append(list, games.Tier{Name: strconv.Itoa(n), Start: begin, Size: end - begin, Open: end - begin})
	}
	return list
}

// Index implements [games.Indexer].
func (g *Game) Index(p Position) (uint64, error) {
	n := p.Stones()
	if n > g.stones {
		return 0, tooMany(n, g)
	}
	return g.index.of(p, n, p.own.stones()), nil
}

// Position implements [games.Indexer].
func (g *Game) Position(i uint64) (Position, bool) {
	if i >= g.index.tier[g.stones+1] {
		return Position{}, false
	}
	var at place
	opposite := g.index.seek(&at, i)
	return Position{at.own, opposite}, true
}
