package variant

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// Walled are the positions of a variant in which each move sets one more wall and nothing ever leaves the board, such as
// Amazons, numbered: a tier for each number of walls, the full board first. It is a game of its own, with the same start. It
// implements [games.Indexer], [games.Retractor] and [games.Settler].
//
// The number of walls says who is to move. Within a tier the index is made of two digits: the squares of all pieces, of which
// those that symmetries of the board map to each other are one, and the set of walls among the squares that they leave free.
// Where a symmetry leaves all pieces where they are, the lowest of the sets of walls counts, and the others are holes.
type Walled struct {
	*core
	name   string
	groups []walledGroup
	free   int // squares without a piece
	walls  int // in the start position
	images [][]uint8
	// placements has for each way to place the pieces the number of that which stands for it, times maxImages, plus the
	// symmetry that leads there. places is the inverse, and still has the symmetries that leave it as it is, a bit each.
	placements []uint32
	places     []uint32
	still      []uint8
	// sets has the sets of so many free squares in the order of their numbers, which ranks has by set: both as bits, the
	// lowest for the first free square.
	sets  [][]uint32
	ranks []uint32
	ways  [maxWalledFree + 1][maxWalledFree + 1]uint64 // to choose walls, by free squares and walls
	tiers []games.Tier
	reach [2][maxKinds][][]walledRay // by side, kind and square
	pool  sync.Pool                  // of *settling
}

// walledGroup are the like pieces of a side.
type walledGroup struct {
	side, kind, count int
	size              uint64 // ways to place them on the squares that the groups before leave free
}

// walledRay are the squares on a line from a square on, the nearest first; a leap is a line of one square.
type walledRay struct {
	squares []uint8
	moves   uint64 // those of them on which a move may end
	shots   uint64 // those on which it may set a wall
}

const (
	maxImages     = 8
	maxWalledFree = 24
	maxPlacements = 1 << 28
)

var (
	_ games.Indexer[Position]       = (*Walled)(nil)
	_ games.Canonicalizer[Position] = (*Walled)(nil)
	_ games.Retractor               = (*Walled)(nil)
	_ games.Settler                 = (*Walled)(nil)
)

// walledOnly reports why positions of a variant cannot be numbered by walls.
func (r *Rules) walledOnly() error {
	for _, no := range []struct {
		is   bool
		what string
	}{
		{r.walling != "arrow" || r.wallOrMove, "moves that do not shoot a wall"},
		{r.hands() || r.drops || r.freeDrops, "drops"},
		{r.pass != [2]bool{} || r.passOnStalemate != [2]bool{}, "passes"},
		{r.gating, "gates"}, {r.demotion, "pieces that are demoted"}, {r.flip != "none", "pieces that are turned over"},
		{r.checkCounting || r.fullBoardEnds || r.connect+r.connectSquare+r.collinear > 0 || r.extinction != noResult || r.pseudoRoyal, "another end than that of moves"},
		{!r.flagRegion[0].empty() || !r.flagRegion[1].empty() || !r.connectFrom[0].empty() || !r.connectFrom[1].empty(), "goals"},
		{r.stalemate != win && r.stalemate != loss || r.stalemateByCount, "draws"},
		{r.immobilityIllegal || r.flyingGeneral || r.makpong || r.castlingWins != [4]bool{}, "moves that are illegal for other reasons"},
	} {
		if no.is {
			return fmt.Errorf("%s has %s, whose positions are not numbered by walls", r.name, no.what)
		}
	}
	return nil
}

// ending is a variant whose positions can be numbered by walls: each move sets one more, so every game ends. It implements
// [games.Layerer].
type ending struct{ *Game }

var _ games.Layerer[Position] = ending{}

// Layer implements [games.Layerer]: the number of walls.
func (g ending) Layer(p Position) int {
	b := g.newBoard(&p)
	return b.walls.count()
}

// newWalled numbers the positions of a variant by its walls.
func (g *core) newWalled(name string) (*Walled, error) {
	if err := g.rules.walledOnly(); err != nil {
		return nil, err
	}
	if g.squares > 64 {
		return nil, fmt.Errorf("%s has %d squares, and positions of at most 64 are numbered by walls", name, g.squares)
	}
	if g.start.kings != nowhere().kings {
		return nil, fmt.Errorf("%s has castlings, and positions with these are not numbered by walls", name)
	}
	x := &Walled{core: g, name: name}
	x.pool.New = func() any { return new(settling) }
	b := g.newBoard(&g.start)
	x.walls = b.walls.count()
	placements, pieces := uint64(1), 0
	for side := range 2 {
		for k := range g.kinds {
			n := b.of(side, k).count()
			if n == 0 {
				continue
			}
			if err := x.findReach(side, k); err != nil {
				return nil, err
			}
			if n > maxTableMen {
				return nil, fmt.Errorf("%s has %d like pieces, want at most %d", name, n, maxTableMen)
			}
			group := walledGroup{side, k, n, binomial[g.squares-pieces][n]}
			pieces += n
			x.groups = append(x.groups, group)
			if placements > maxPlacements/group.size {
				return nil, fmt.Errorf("%s has more than %d ways to place its pieces", name, maxPlacements)
			}
			placements *= group.size
		}
	}
	if x.free = g.squares - pieces; x.free > maxWalledFree {
		return nil, fmt.Errorf("%s has %d squares without a piece, want at most %d", name, x.free, maxWalledFree)
	}
	x.findImages()
	x.findPlacements(placements)
	x.findSets()
	return x, x.findTiers()
}

// findReach finds how a kind of a side moves.
func (x *Walled) findReach(side, k int) error {
	g := x.core
	kk := &g.kinds[k]
	m := &kk.motion[side][quiet]
	moving := func(m *motion) bool { return m.leaps != nil || len(m.slides)+len(m.hops)+len(m.lames) > 0 }
	refused := func(what string) error {
		return fmt.Errorf("%s has pieces %s, whose positions are not numbered by walls", g.rules.name, what)
	}
	switch {
	case k == g.king:
		return refused("that can be in check")
	case k == g.pawnIx || k == g.janggi || moving(&kk.motion[side][initial]) || len(m.hops)+len(m.lames) > 0:
		return refused("that do not only slide and leap")
	case moving(&kk.motion[side][capture]):
		return refused("that capture")
	case g.promotable(side, k):
		return refused("that are promoted")
	}
	may := kk.mobility[side]
	for s := range g.squares {
		var rays []walledRay
		var seen set
		add := func(squares set, up bool) bool {
			ray := walledRay{moves: squares.and(may).low, shots: squares.and(may).and(g.wallRegion[side]).low}
			twice := squares.meets(seen)
			for seen = seen.or(squares); !squares.empty(); {
				at := squares.first()
				if !up {
					at = squares.last()
				}
				squares.remove(at)
				ray.squares = append(ray.squares, uint8(at))
			}
			rays = append(rays, ray)
			return !twice
		}
		once := true
		for _, r := range m.slides {
			if squares := g.reached(&r, s); !squares.empty() {
				once = add(squares, g.lines[r.line].up) && once
			}
		}
		if m.leaps != nil {
			for to := m.leaps[s]; !to.empty(); {
				once = add(square(to.pop()), true) && once
			}
		}
		if !once {
			return refused("that reach a square in two ways")
		}
		x.reach[side][k] = append(x.reach[side][k], rays)
	}
	return nil
}

// findImages finds the permutations of the board that change no rule; the identity is the first.
func (x *Walled) findImages() {
	g := x.core
	for _, p := range g.allPermutations() {
		same := true
		for _, group := range x.groups {
			k := &g.kinds[group.kind]
			same = same && g.sameMotion(&k.motion[group.side][quiet], &k.motion[group.side][quiet], p) &&
				p.set(k.mobility[group.side]) == k.mobility[group.side] && p.set(g.wallRegion[group.side]) == g.wallRegion[group.side]
		}
		if same {
			x.images = append(x.images, p)
		}
	}
	identity := slices.IndexFunc(x.images, func(p []uint8) bool { return slices.IsSorted(p) })
	x.images[0], x.images[identity] = x.images[identity], x.images[0]
}

// image returns the squares to which a permutation leads.
func image(p []uint8, squares uint64) (to uint64) {
	for ; squares != 0; squares &= squares - 1 {
		to |= 1 << p[bits.TrailingZeros64(squares)]
	}
	return to
}

// walledMen are the squares of the pieces of each group.
type walledMen [2 * maxKinds]uint64

func (x *Walled) image(p []uint8, men *walledMen) (to walledMen) {
	for i := range x.groups {
		to[i] = image(p, men[i])
	}
	return to
}

// findPlacements numbers the placements of all pieces.
func (x *Walled) findPlacements(count uint64) {
	const unknown = ^uint32(0)
	x.placements = slices.Repeat([]uint32{unknown}, int(count))
	inverse := make([]uint32, len(x.images))
	for i, p := range x.images {
		for j, q := range x.images {
			if !slices.ContainsFunc(identity(x.squares), func(s uint8) bool { return q[p[s]] != s }) {
				inverse[i] = uint32(j)
			}
		}
	}
	for n := range x.placements {
		if x.placements[n] != unknown {
			continue
		}
		men := x.place(uint64(n))
		still := uint8(0)
		for i, p := range x.images {
			to := x.image(p, &men)
			at := x.placement(&to)
			if at == uint64(n) {
				still |= 1 << i
			}
			if x.placements[at] == unknown {
				x.placements[at] = uint32(len(x.places))*maxImages + inverse[i]
			}
		}
		x.places, x.still = append(x.places, uint32(n)), append(x.still, still)
	}
}

func identity(squares int) (list []uint8) {
	for s := range squares {
		list = append(list, uint8(s))
	}
	return list
}

// placement returns the number of a placement.
func (x *Walled) placement(men *walledMen) (n uint64) {
	taken := uint64(0)
	for i := range x.groups {
		digit := uint64(0)
		for m, k := men[i], 1; m != 0; m, k = m&(m-1), k+1 {
			digit += binomial[bits.OnesCount64((m&-m-1)&^taken)&127][k&7]
		}
		n = n*x.groups[i].size + digit
		taken |= men[i]
	}
	return n
}

// place is the inverse of placement.
func (x *Walled) place(n uint64) (men walledMen) {
	var digits [len(men)]uint64
	for i := len(x.groups) - 1; i >= 0; i-- {
		digits[i] = n % x.groups[i].size
		n /= x.groups[i].size
	}
	free := x.board
	for i, group := range x.groups {
		var on set
		for k, digit := group.count, digits[i]; k > 0; k-- {
			below := k - 1
			for binomial[below+1][k] <= digit {
				below++
			}
			digit -= binomial[below][k]
			on.add(free.nth(below))
		}
		men[i], free = on.low, free.without(on)
	}
	return men
}

// findSets numbers the sets of free squares by their size.
func (x *Walled) findSets() {
	x.sets, x.ranks = make([][]uint32, x.free+1), make([]uint32, 1<<x.free)
	for s := range x.ranks {
		list := &x.sets[bits.OnesCount(uint(s))]
		x.ranks[s] = uint32(len(*list))
		*list = append(*list, uint32(s))
	}
	for n := range x.ways {
		x.ways[n][0] = 1
		for k := 1; k <= n; k++ {
			x.ways[n][k] = x.ways[n-1][k-1] + x.ways[n-1][k]
		}
	}
}

// findTiers lists the tiers. Walls of the start position count as others.
func (x *Walled) findTiers() error {
	next := uint64(0)
	for walls := x.free; walls >= x.walls; walls-- {
		size := uint64(len(x.places)) * uint64(len(x.sets[walls]))
		if size > 1<<games.IndexBits-next {
			return fmt.Errorf("%s has more than %d positions", x.name, uint64(1)<<games.IndexBits)
		}
		t := games.Tier{Name: strconv.Itoa(walls), Start: next, Size: size, Open: size, Children: []int{}}
		if n := len(x.tiers); n > 0 {
			t.Children = []int{n - 1}
		}
		x.tiers = append(x.tiers, t)
		next += size
	}
	return nil
}

// Name implements [games.Game].
func (x *Walled) Name() string { return x.name }

// Tiers implements [games.Indexer].
func (x *Walled) Tiers() []games.Tier { return x.tiers }

// ParsePosition implements [games.Game]. It refuses positions that have no index.
func (x *Walled) ParsePosition(text string) (Position, error) {
	p, err := x.core.ParsePosition(text)
	if err == nil {
		_, err = x.Index(p)
	}
	return p, err
}

// SetUp implements [games.Describer].
func (x *Walled) SetUp(b games.Board) (Position, error) {
	p, err := x.core.SetUp(b)
	if err == nil {
		_, err = x.Index(p)
	}
	return p, err
}

var errWalled = errors.New("the position has other pieces than the start position, fewer walls, or the wrong side to move")

// Index implements [games.Indexer].
func (x *Walled) Index(p Position) (uint64, error) {
	b := x.newBoard(&p)
	var men walledMen
	for i, group := range x.groups {
		if men[i] = b.of(group.side, group.kind).low; bits.OnesCount64(men[i]) != group.count {
			return 0, errWalled
		}
	}
	walls := b.walls.count()
	if b.pieces().count() != x.squares-x.free || walls < x.walls || p.turn != x.turn(walls) || p.kings != x.start.kings {
		return 0, errWalled
	}
	number := x.placements[x.placement(&men)]
	to := x.images[number%maxImages]
	men = x.image(to, &men)
	place, set := uint64(number/maxImages), image(to, b.walls.low)
	rank := x.rankOf(&men, set)
	for i, p := range x.images {
		if x.still[place]>>i&1 != 0 {
			rank = min(rank, x.rankOf(&men, image(p, set)))
		}
	}
	return x.tiers[x.free-walls].Start + place*uint64(len(x.sets[walls])) + uint64(rank), nil
}

// turn returns the side to move where there are so many walls.
func (x *Walled) turn(walls int) uint8 { return x.start.turn ^ uint8((walls-x.walls)&1) }

// freeOf returns the squares that pieces leave free.
func (x *Walled) freeOf(men *walledMen) uint64 {
	free := x.board.low
	for i := range x.groups {
		free &^= men[i]
	}
	return free
}

// rankOf returns the number of a set of walls beside some pieces.
func (x *Walled) rankOf(men *walledMen, walls uint64) uint32 {
	free := x.freeOf(men)
	set := uint32(0)
	for ; walls != 0; walls &= walls - 1 {
		set |= 1 << bits.OnesCount64((walls&-walls-1)&free)
	}
	return x.ranks[set]
}

// decode returns what an index stands for; set has a bit for each free square. It is false for a hole.
func (x *Walled) decode(index uint64) (men walledMen, set uint32, walls int, ok bool) {
	tier := x.tierOf(index)
	if tier == len(x.tiers) {
		return men, 0, 0, false
	}
	walls = x.free - tier
	sets := x.sets[walls]
	offset := index - x.tiers[tier].Start
	place, rank := offset/uint64(len(sets)), uint32(offset%uint64(len(sets)))
	men, set = x.place(uint64(x.places[place])), sets[rank]
	return men, set, walls, x.lowest(place, &men, set)
}

// tierOf returns the tier of an index.
func (x *Walled) tierOf(index uint64) int {
	tier, found := slices.BinarySearchFunc(x.tiers, index, func(t games.Tier, index uint64) int { return cmp.Compare(t.Start, index) })
	if !found {
		tier--
	}
	if t := x.tiers[tier]; index-t.Start >= t.Size {
		return len(x.tiers)
	}
	return tier
}

// lowest reports whether a set of walls has the lowest number of those that are the same by symmetry.
func (x *Walled) lowest(place uint64, men *walledMen, set uint32) bool {
	if x.still[place] == 1 {
		return true
	}
	walls := spread(x.freeOf(men), set)
	for i, p := range x.images {
		if x.still[place]>>i&1 != 0 && x.rankOf(men, image(p, walls)) < x.ranks[set] {
			return false
		}
	}
	return true
}

// spread returns those squares of a set that have a bit, the lowest bit for the first square.
func spread(squares uint64, which uint32) (s uint64) {
	for ; which != 0; which >>= 1 {
		if which&1 != 0 {
			s |= squares & -squares
		}
		squares &= squares - 1
	}
	return s
}

// Position implements [games.Indexer].
func (x *Walled) Position(index uint64) (Position, bool) {
	men, which, walls, ok := x.decode(index)
	if !ok {
		return Position{}, false
	}
	b := board{game: x.core, Position: nowhere()}
	b.turn, b.checks = x.turn(walls), x.start.checks
	for i, group := range x.groups {
		for on := (set{low: men[i]}); !on.empty(); {
			b.put(on.pop(), group.side, man{int8(group.kind), -1})
		}
	}
	for on := (set{low: spread(x.freeOf(&men), which)}); !on.empty(); {
		b.setWall(on.pop())
	}
	return b.Position, true
}

// Canonical implements [games.Canonicalizer].
func (x *Walled) Canonical(p Position) Position {
	index, err := x.Index(p)
	if err != nil {
		return p
	}
	q, _ := x.Position(index)
	return q
}

// Retract implements [games.Retractor]: every move leaves its tier.
func (x *Walled) Retract(_ []uint64, out *games.Predecessors) { out.Reset() }
