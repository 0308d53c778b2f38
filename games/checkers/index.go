package checkers

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// material is how many pieces of each kind the side to move and the other side have.
type material struct{ ownKings, ownMen, oppositeKings, oppositeMen uint8 }

func (m material) turned() material {
	return material{m.oppositeKings, m.oppositeMen, m.ownKings, m.ownMen}
}

func (m material) men() int { return int(m.ownMen + m.oppositeMen) }

// String returns the name of a tier, such as KKM-KM.
func (m material) String() string {
	army := func(kings, men uint8) string {
		return strings.Repeat("K", int(kings)) + strings.Repeat("M", int(men))
	}
	return army(m.ownKings, m.ownMen) + "-" + army(m.oppositeKings, m.oppositeMen)
}

// choose[n][k] is C(n, k). The width of a row is a power of two.
var choose = func() (table [maxSquares + 1][16]uint32) {
	for n := range table {
		table[n][0] = 1
		for k := 1; k < len(table[n]) && n > 0; k++ {
			table[n][k] = table[n-1][k-1] + table[n-1][k]
		}
	}
	return table
}()

// class describes the positions with one material. They are ordered by the number of the
// mover's men in the first row, then by the squares of these men, of the mover's other men,
// of the opponent's men, of the mover's kings, and of the opponent's kings.
type class struct {
	material
	start  uint64
	groups []group // by the number of men in the first row
	// ownKings and oppositeKings are the numbers of ways to place these kings.
	ownKings, oppositeKings uint64
	other                   *class // the same material with the other side to move
}

// group describes the positions of a class with the same number of the mover's men in the
// first row.
type group struct {
	start           uint64
	middle          uint64 // ways to place the mover's other men
	oppositeMen     uint64 // ways to place the opponent's
	first, ownOther int    // men
}

// index has the tables that turn indices into positions and back.
type index struct {
	pieces  int   // at most
	tooMany error // for a position with more; made once because searches ask often
	army    int   // at most of a side
	tiers   []games.Tier
	classes []*class // in order of indices
	of      []*class // by place of the material
	end     uint64
	// subsets[k] has the sets of k numbers below 32 in order.
	subsets [5][]uint32
	filled  sync.Once
}

// init makes the tables. Index 0 stands for all positions in which the side to move has no
// piece.
func (x *index) init(g *Game) {
	x.army = g.army
	x.of = make([]*class, (g.army+1)*(g.army+1)*(g.army+1)*(g.army+1))
	x.tiers = []games.Tier{{Name: "none", Start: 0, Size: 1}}
	x.end = 1
	for x.pieces = 1; x.pieces < g.pieces && x.add(g, x.pieces+1); x.pieces++ {
	}
	x.findChildren()
	x.tooMany = fmt.Errorf("positions of more than %d pieces have no number; the option pieces says how many to number", x.pieces)
}

// add adds the tiers with the given number of pieces. If the indices would exceed
// [games.IndexBits] bits, it adds no tiers and returns false.
func (x *index) add(g *Game, pieces int) bool {
	var list []material
	for own := 1; own < pieces; own++ {
		if max(own, pieces-own) > g.army {
			continue
		}
		for ownMen := range own + 1 {
			for men := range pieces - own + 1 {
				// The tier is named after the stronger side: more pieces, or fewer men.
				if cmp.Or(cmp.Compare(2*own, pieces), cmp.Compare(men, ownMen)) >= 0 {
					list = append(list, material{uint8(own - ownMen), uint8(ownMen), uint8(pieces - own - men), uint8(men)})
				}
			}
		}
	}
	// A man may become a king.
	slices.SortStableFunc(list, func(a, b material) int { return cmp.Compare(a.men(), b.men()) })
	end, tiers, classes := x.end, len(x.tiers), len(x.classes)
	for _, m := range list {
		begin := x.end
		c := x.addClass(g, m)
		c.other = c
		if m != m.turned() {
			c.other = x.addClass(g, m.turned())
			c.other.other = c
		}
		if x.end >= 1<<games.IndexBits {
			x.end, x.tiers, x.classes = end, x.tiers[:tiers], x.classes[:classes]
			return false
		}
		if x.end > begin {
			x.tiers = append(x.tiers, games.Tier{Name: m.String(), Start: begin, Size: x.end - begin, Open: x.end - begin})
		}
	}
	return true
}

// findChildren finds the tiers to which moves of each tier may lead: a move takes some pieces of the
// other side, not all, or promotes a man, or does both.
func (x *index) findChildren() {
	tierOf := map[material]int{}
	tier, end := len(x.tiers)-1, x.end
	for _, c := range slices.Backward(x.classes) {
		for c.start < x.tiers[tier].Start {
			tier--
		}
		if c.start < end { // it has positions
			tierOf[c.material] = tier
		}
		end = c.start
	}
	children := make([]map[int]bool, len(x.tiers))
	for i := range children {
		children[i] = map[int]bool{}
	}
	for m, from := range tierOf {
		for promoted := range min(m.ownMen, 1) + 1 {
			for kings := range m.oppositeKings + 1 {
				for men := range m.oppositeMen + 1 {
					to := material{m.ownKings + promoted, m.ownMen - promoted, kings, men}
					if tier, numbered := tierOf[to]; numbered && to != m {
						children[from][tier] = true
					}
				}
			}
		}
	}
	for i := range children {
		x.tiers[i].Children = slices.AppendSeq([]int{}, maps.Keys(children[i]))
		slices.Sort(x.tiers[i].Children)
	}
}

func (x *index) addClass(g *Game, m material) *class {
	c := &class{material: m, start: x.end}
	free := g.squares - m.men()
	if free < int(m.ownKings) {
		return c // with no position
	}
	c.ownKings = uint64(choose[free][m.ownKings])
	c.oppositeKings = uint64(choose[free-int(m.ownKings)][m.oppositeKings])
	row := g.side / 2
	for first := range int(m.ownMen) + 1 {
		other := int(m.ownMen) - first
		w := group{start: x.end, first: first, ownOther: other}
		if room := g.squares - row - other; room >= 0 {
			w.middle = uint64(choose[g.squares-2*row][other])
			w.oppositeMen = uint64(choose[room][m.oppositeMen])
		}
		c.groups = append(c.groups, w)
		x.end += uint64(choose[row][first]) * w.middle * w.oppositeMen * c.ownKings * c.oppositeKings
	}
	x.classes = append(x.classes, c)
	x.of[x.place(m)] = c
	return c
}

func (x *index) place(m material) int {
	n := x.army + 1
	return ((int(m.ownKings)*n+int(m.ownMen))*n+int(m.oppositeKings))*n + int(m.oppositeMen)
}

// rank returns the rank of set among the subsets of free of the same size.
func rank(set, free board) (sum uint64) {
	for k := 1; set != 0; k++ {
		low := set & -set
		sum += uint64(choose[bits.OnesCount64(free&(low-1))&31][k&15])
		set ^= low
	}
	return sum
}

// indexIn returns the index of a position with the material of a class.
func (g *Game) indexIn(c *class, p *Position) uint64 {
	return g.menIn(c, p) + g.kingsIn(c, p)
}

// menIn returns the first index of those with the same men as a position with the material of a class.
func (g *Game) menIn(c *class, p *Position) uint64 {
	men := (p.own | p.opposite) &^ p.kings
	ownMen := p.own & men
	other := ownMen &^ g.first
	w := &c.groups[bits.OnesCount64(ownMen&g.first)]
	i := rank(ownMen&g.first, g.first)
	i = i*w.middle + rank(other, g.valid&^g.first)
	i = i*w.oppositeMen + rank(p.opposite&men, g.valid&^g.first&^other)
	return w.start + i*c.ownKings*c.oppositeKings
}

// kingsIn returns how far the index of a position is from that of menIn.
func (g *Game) kingsIn(c *class, p *Position) uint64 {
	free := g.valid &^ ((p.own | p.opposite) &^ p.kings)
	own := p.own & p.kings
	return rank(own, free)*c.oppositeKings + rank(p.opposite&p.kings, free&^own)
}

// Tiers implements [games.Indexer]: a tier for each material, whoever is to move.
func (g *Game) Tiers() []games.Tier { return g.index.tiers }

// Index implements [games.Indexer].
func (g *Game) Index(p Position) (uint64, error) {
	if p.pieces() > g.index.pieces {
		return 0, g.index.tooMany
	}
	if p.own == 0 {
		return 0, nil
	}
	return g.indexIn(g.index.of[g.index.place(p.material())], &p), nil
}

// Position implements [games.Indexer].
func (g *Game) Position(i uint64) (Position, bool) {
	if i >= g.index.end {
		return Position{}, false
	}
	if i == 0 {
		return g.Canonical(Position{}), true
	}
	var at place
	return g.seek(&at, i), true
}

// place is what consecutive indices have in common: the class and the group, and where all but the opponent's kings are.
type place struct {
	class      *class
	group      *group
	begin, end uint64 // of the group

	rest     uint64 // the part of the index that says where they are; noRest if none has been asked for
	position Position
	taken    uint32 // their squares
}

// noRest is more than any index.
const noRest = 1 << games.IndexBits

// seek returns the position with an index that is in range and not 0.
func (g *Game) seek(at *place, i uint64) Position {
	x := &g.index
	if i-at.begin >= at.end-at.begin {
		x.seekGroup(at, i)
	}
	c := at.class
	rest, oppositeKings := divide(i-at.begin, c.oppositeKings)
	if rest != at.rest {
		g.seekRest(at, rest)
	}
	p := at.position
	others := g.board(inserted(x.subset(oppositeKings, int(c.material.oppositeKings)), at.taken))
	p.opposite |= others
	p.kings |= others
	return p
}

// seekRest finds all but the opponent's kings.
func (g *Game) seekRest(at *place, rest uint64) {
	x, c, w := &g.index, at.class, at.group
	i, ownKings := divide(rest, c.ownKings)
	i, oppositeMen := divide(i, w.oppositeMen)
	first, middle := divide(i, w.middle)
	row := g.side / 2
	// Sets of square numbers; those of other and opposite begin after the first row.
	other := x.subset(middle, w.ownOther)
	opposite := inserted(x.subset(oppositeMen, int(c.oppositeMen)), other)
	own := x.subset(first, w.first) | other<<row
	men := own | opposite<<row
	kings := inserted(x.subset(ownKings, int(c.material.ownKings)), men)
	at.rest, at.taken = rest, men|kings
	at.position = Position{own: g.board(own | kings), opposite: g.board(opposite << row), kings: g.board(kings)}
}

// divide divides n by by. If both fit in 32 bits, it uses the cheaper 32-bit division.
func divide(n, by uint64) (quotient, rest uint64) {
	if (n|by)>>32 == 0 {
		return uint64(uint32(n) / uint32(by)), uint64(uint32(n) % uint32(by))
	}
	return n / by, n % by
}

func (x *index) seekGroup(at *place, i uint64) {
	x.filled.Do(x.fill)
	n := sort.Search(len(x.classes), func(n int) bool { return x.classes[n].start > i }) - 1
	c := x.classes[n]
	at.end = x.end
	if n+1 < len(x.classes) {
		at.end = x.classes[n+1].start
	}
	m := len(c.groups) - 1
	for ; c.groups[m].start > i; m-- {
		at.end = c.groups[m].start
	}
	at.class, at.group, at.begin, at.rest = c, &c.groups[m], c.groups[m].start, noRest
}

// fill makes the tables of subsets.
func (x *index) fill() {
	for k := range min(len(x.subsets), x.pieces) {
		list := make([]uint32, 0, choose[maxSquares][k])
		last := uint64(1<<k-1) << (maxSquares - k)
		for set := uint64(1<<k - 1); set <= last; {
			list = append(list, uint32(set))
			if set == 0 {
				break
			}
			// The next larger number with the same number of bits set.
			low := set & -set
			ripple := set + low
			set = ripple | (set^ripple)>>2/low
		}
		x.subsets[k] = list
	}
}

// subset is the inverse of rank: it returns the set of k numbers with the given rank.
func (x *index) subset(rank uint64, k int) (set uint32) {
	for ; k >= len(x.subsets); k-- {
		n := k - 1
		for n+1 < maxSquares && uint64(choose[n+1][k]) <= rank {
			n++
		}
		set |= 1 << n
		rank -= uint64(choose[n][k])
	}
	return set | x.subsets[k][rank]
}

// inserted converts numbers that count only the squares outside taken into square numbers.
func inserted(set, taken uint32) uint32 {
	for ; taken != 0; taken &= taken - 1 {
		below := taken&-taken - 1
		above := set &^ below
		if above == 0 {
			break
		}
		set = set&below | above<<1
	}
	return set
}
