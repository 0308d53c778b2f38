package variant

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.Indexer[Position]       = (*Tables)(nil)
	_ games.Canonicalizer[Position] = (*Tables)(nil)
)

// newBlock returns a block that begins at an index, or nil if no position belongs to it.
func (x *Tables) newBlock(key classKey, start uint64) (*block, error) {
	b := &block{key: key, start: start, anchor: [2]int{-1, -1}}
	m := key.material
	if key.step >= 0 {
		s := x.steps[1-key.turn][key.step]
		if m.men[1-key.turn][s.kind] == 0 || !x.capturesInPassing(m, int(key.turn)) {
			return nil, nil
		}
		m.men[1-key.turn][s.kind]--
		b.addGroup(x, int(1-key.turn), s.kind, 1, square(s.to))
	}
	for _, i := range x.menInOrder() {
		for side := range 2 {
			if n := int(m.men[side][i]); n > 0 {
				if n > maxTableMen {
					return nil, fmt.Errorf("%s has %d like pieces, want at most %d", x.className(key.material), n, maxTableMen)
				}
				b.addGroup(x, side, i, n, x.stands[side][x.core.men[i].kind])
			}
		}
	}
	b.ops = x.symmetries(key.material)
	for i, p := range b.ops {
		b.turnedOps[0][i] = p
		if x.turned != nil {
			b.turnedOps[1][i] = x.turned.then(p)
		}
	}
	if key.step < 0 {
		b.chooseAnchors(x)
	}
	b.sizes()
	b.size = 1
	if b.anchor[0] >= 0 {
		b.size = uint64(len(b.pairs))
	}
	for i := range b.groups {
		if b.anchored(i) {
			continue
		}
		if b.groups[i].size == 0 {
			return nil, nil
		}
		if b.size > 1<<games.IndexBits/b.groups[i].size {
			return nil, fmt.Errorf("the class %s has more than %d positions", x.className(key.material), uint64(1)<<games.IndexBits)
		}
		b.size *= b.groups[i].size
	}
	if b.size == 0 {
		return nil, nil
	}
	return b, nil
}

// capturesInPassing reports whether a side of a class has a piece that captures in passing.
func (x *Tables) capturesInPassing(m material, side int) bool {
	for k := range x.kinds {
		if m.men[side][k] > 0 && x.core.kinds[k].enPassant[side] {
			return true
		}
	}
	return false
}

func (b *block) addGroup(x *Tables, side, man, count int, on set) {
	b.groups = append(b.groups, group{side: side, man: man, kind: int(x.core.men[man].kind), count: count, on: on})
}

// sizes finds in how many ways each group can be placed, once those before it are: the anchors come first.
func (b *block) sizes() {
	for i := range b.groups {
		g := &b.groups[i]
		free := g.on.count()
		for j := range b.groups {
			before := &b.groups[j]
			if j != i && (b.anchored(j) && (!b.anchored(i) || j < i) || !b.anchored(i) && j < i) && before.on.without(g.on).empty() {
				free -= before.count
			}
		}
		if g.size = 0; free > 0 {
			g.size = binomial[free][g.count]
		}
	}
}

func (b *block) anchored(i int) bool { return i == b.anchor[0] || i == b.anchor[1] }

// chooseAnchors chooses the groups by which the symmetry of a position is judged: kings, or other single pieces.
func (b *block) chooseAnchors(x *Tables) {
	g := x.core
	found := 0
	for i := range b.groups {
		if b.groups[i].count == 1 && found < 2 && (len(b.ops) > 1 || b.groups[i].kind == g.king) {
			b.anchor[found] = i
			found++
		}
	}
	if found == 0 {
		return
	}
	first := &b.groups[b.anchor[0]]
	second := &group{side: -1, on: square(0)}
	if found == 2 {
		second = &b.groups[b.anchor[1]]
	}
	key := anchorKey{[2]int{first.side, second.side}, [2]int{first.kind, second.kind}, &b.ops[0]}
	if t := x.anchors[key]; t != nil { // blocks with the same anchors share them
		b.pairs, b.pairOf = t.pairs, t.pairOf
		return
	}
	x.anchors[key] = b
	n := g.squares
	b.pairOf = make([]pairEntry, n*n)
	for i := range b.pairOf {
		b.pairOf[i].pair = -1
	}
	each := func(do func(a, c uint8)) {
		for from := first.on; !from.empty(); {
			a := uint8(from.pop())
			for to := second.on; !to.empty(); {
				do(a, uint8(to.pop()))
			}
		}
	}
	each(func(a, c uint8) {
		if found == 2 && (a == c || b.bothAttack(g, int(a), int(c))) || b.pairOf[int(a)*n+int(c)].pair >= 0 {
			return
		}
		// All symmetric pairs get the number of this one.
		pair := int32(len(b.pairs))
		b.pairs = append(b.pairs, anchorPair{a, c})
		for _, p := range b.ops {
			a2, c2 := p[a], p[c]
			if found == 1 {
				c2 = 0
			}
			b.pairOf[int(a2)*n+int(c2)].pair = pair
		}
	})
	each(func(a, c uint8) {
		e := &b.pairOf[int(a)*n+int(c)]
		if e.pair < 0 {
			return
		}
		want := b.pairs[e.pair]
		e.at = want
		for i, p := range b.ops {
			if p[a] == want.a && (found == 1 || p[c] == want.b) {
				e.ops |= 1 << i
			}
		}
	})
}

// bothAttack reports whether two kings attack each other: such a position cannot be.
func (b *block) bothAttack(g *core, a, c int) bool {
	i, j := &b.groups[b.anchor[0]], &b.groups[b.anchor[1]]
	if g.king < 0 || i.kind != g.king || j.kind != g.king {
		return false
	}
	leaps := func(side, from, to int) bool {
		m := &g.kinds[g.king].motion[side][capture]
		return m.leaps != nil && m.leaps[from].has(to) && g.kinds[g.king].mobility[side].has(to)
	}
	return leaps(i.side, a, c) && leaps(j.side, c, a)
}

// findFirst finds the position that the game of the tables begins with: the first one of the largest class that is not
// finished.
func (x *Tables) findFirst() error {
	if x.whole {
		x.first = x.start
		_, err := x.Index(x.first)
		return err
	}
	for i := len(x.blocks) - 1; i >= 0; i-- {
		b := x.blocks[i]
		if b.key.step >= 0 {
			continue
		}
		for index := b.start; index < b.start+min(b.size, 1<<20); index++ {
			if p, ok := x.Position(index); ok {
				if _, finished := x.Outcome(p); !finished {
					x.first = p
					return nil
				}
			}
		}
	}
	return errors.New("no position of these classes has a move")
}

// Name implements [games.Game].
func (x *Tables) Name() string { return x.name }

// Start implements [games.Game].
func (x *Tables) Start() Position { return x.first }

// ParsePosition implements [games.Game]. It refuses positions that have no index.
func (x *Tables) ParsePosition(text string) (Position, error) {
	p, err := x.core.ParsePosition(text)
	if err == nil {
		_, err = x.Index(p)
	}
	return p, err
}

// SetUp implements [games.Describer].
func (x *Tables) SetUp(b games.Board) (Position, error) {
	p, err := x.core.SetUp(b)
	if err == nil {
		_, err = x.Index(p)
	}
	return p, err
}

// Tiers implements [games.Indexer].
func (x *Tables) Tiers() []games.Tier { return x.tiers }

// Index implements [games.Indexer].
func (x *Tables) Index(p Position) (uint64, error) {
	for side, name := range []string{"white", "black"} {
		if p.kings[side] != noSquare {
			return 0, fmt.Errorf("%s has the right to castle, and tables have no such positions", name)
		}
	}
	b := x.newBoard(&p)
	if b.exposed() {
		if !x.rules.checking && b.checked(int(b.turn)) {
			return 0, errors.New("the side to move is in check, and no move may give check")
		}
		return 0, errors.New("the side that is not to move has left a royal piece attacked")
	}
	return x.index(b)
}

// index returns the index of a board. With sides that can be exchanged, a board on which black is to move is looked at
// from the other side: its groups are those of the other side, and its squares are turned.
func (x *Tables) index(b *board) (uint64, error) {
	swap := x.swap(b)
	h := x.hashBoard(b, swap)
	if !b.passing.empty() {
		step := x.stepOf(b, swap)
		if step < 0 {
			return 0, errStand
		}
		h += x.extra(0, step)
	}
	return x.indexOf(x.of[h], b, swap)
}

// Errors of positions without an index: retracting meets many.
var (
	errClass = errors.New("the pieces of the position are none of the classes")
	errStand = errors.New("the position cannot be: kings attack each other, or a piece stands where its kind never comes")
)

// indexOf returns the index of a board in its block.
func (x *Tables) indexOf(c *block, b *board, swap uint8) (uint64, error) {
	if c == nil {
		return 0, errClass
	}
	index, ok := x.indexIn(c, b, swap)
	if !ok {
		return 0, errStand
	}
	return index, nil
}

// swap returns 1 for a board that is looked at from the other side.
func (x *Tables) swap(b *board) uint8 {
	if x.turned != nil {
		return b.turn
	}
	return 0
}

// stepOf returns the number of the step after which a board has its captures in passing.
func (x *Tables) stepOf(b *board, swap uint8) int16 {
	turn := int(b.turn ^ swap)
	them := 1 - int(b.turn)
	to, passing := b.passed, b.passing
	if swap == 1 {
		to, passing = x.turned[to], x.turned.set(passing)
	}
	for i, s := range x.steps[1-turn] {
		if s.to == int(to) && passing.without(s.passed).empty() && b.of(them, s.kind).has(int(b.passed)) {
			return int16(i)
		}
	}
	return -1
}

// indexIn returns the lowest index of a board and its symmetric boards in a block.
func (x *Tables) indexIn(c *block, b *board, swap uint8) (uint64, bool) {
	if c.key.step >= 0 {
		return x.indexAfterStep(c, b, swap)
	}
	ops := &c.turnedOps[swap]
	best, found := ^uint64(0), false
	if c.anchor[0] < 0 {
		for _, p := range ops[:len(c.ops)] {
			if n, ok := c.digits(x, b, swap, p, 0, set{}); ok {
				best, found = min(best, n), true
			}
		}
		return c.start + best, found
	}
	at := func(anchor int) int {
		g := &c.groups[anchor]
		s := b.of(g.side^int(swap), g.kind).first()
		if swap == 1 {
			s = int(x.turned[s])
		}
		return s
	}
	first, second := at(c.anchor[0]), 0
	if c.anchor[1] >= 0 {
		second = at(c.anchor[1])
	}
	e := c.pairOf[first*x.squares+second]
	if e.pair < 0 {
		return 0, false
	}
	taken := square(int(c.pairs[e.pair].a))
	if c.anchor[1] >= 0 {
		taken.add(int(c.pairs[e.pair].b))
	}
	for i := uint16(0); e.ops>>i != 0; i++ {
		if e.ops>>i&1 != 0 {
			if n, ok := c.digits(x, b, swap, ops[i], uint64(e.pair), taken); ok {
				best, found = min(best, n), true
			}
		}
	}
	return c.start + best, found
}

// indexAfterStep is indexIn for positions in which a piece can be captured in passing. Their symmetric ones are in other
// blocks.
func (x *Tables) indexAfterStep(c *block, b *board, swap uint8) (uint64, bool) {
	best, found := ^uint64(0), false
	s := x.steps[1-c.key.turn][c.key.step]
	for i, p := range c.ops {
		at := slices.IndexFunc(x.steps[1-c.key.turn], func(t doubleStep) bool {
			return t.kind == s.kind && t.from == int(p[s.from]) && t.to == int(p[s.to])
		})
		if at < 0 {
			continue
		}
		key := c.key
		key.step = int16(at)
		d := x.of[x.hashOf(&key)]
		if d == nil {
			continue
		}
		if n, ok := d.digits(x, b, swap, c.turnedOps[swap][i], 0, set{}); ok {
			best, found = min(best, d.start+n), true
		}
	}
	return best, found
}

// digits returns the number of a board after a permutation, with the number of its pair of anchors, on the taken squares. With
// swap the groups of a side are the men of the other.
func (c *block) digits(x *Tables, b *board, swap uint8, p permutation, pair uint64, taken set) (n uint64, ok bool) {
	n = pair
	var fixed set // the piece that has made a step is a group of its own
	for i := range c.groups {
		if c.anchored(i) {
			continue
		}
		g := &c.groups[i]
		if i == 0 && c.key.step >= 0 {
			fixed = square(int(b.passed))
			taken.add(int(p[b.passed]))
			continue
		}
		men := x.menOf(b, g.side^int(swap), g.man, g.kind).without(fixed)
		free := g.on.without(taken)
		if g.count == 1 {
			s := int(p[men.first()])
			if !free.has(s) {
				return 0, false
			}
			n = n*g.size + uint64(free.below(s))
			taken.add(s)
			continue
		}
		var these set
		for !men.empty() {
			these.add(int(p[men.pop()]))
		}
		if !these.without(free).empty() {
			return 0, false
		}
		taken = taken.or(these)
		rank := uint64(0)
		for k := 1; !these.empty(); k++ {
			rank += binomial[free.below(these.pop())][k]
		}
		n = n*g.size + rank
	}
	return n, true
}

// Position implements [games.Indexer].
func (x *Tables) Position(index uint64) (Position, bool) {
	var b board
	if !x.blockOf(index, nil).decode(x, index, &b) {
		return Position{}, false
	}
	return b.Position, true
}

// blockOf returns the block of an index: often the same as that of the index before; nil if there is none.
func (x *Tables) blockOf(index uint64, before *block) *block {
	if before != nil && index-before.start < before.size {
		return before
	}
	i := sort.Search(len(x.blocks), func(i int) bool { return x.blocks[i].start > index }) - 1
	if i < 0 || index >= x.blocks[i].start+x.blocks[i].size {
		return nil
	}
	return x.blocks[i]
}

// decode sets b to the position with an index, and reports whether there is one.
func (c *block) decode(x *Tables, index uint64, b *board) bool {
	if c == nil {
		return false
	}
	*b = board{Position: nowhere(), game: x.core}
	b.turn = c.key.turn
	n := index - c.start
	b.hands = c.key.material.hand
	var ranks [2 * maxMen]uint64
	for i := len(c.groups) - 1; i >= 0; i-- {
		if !c.anchored(i) {
			ranks[i] = n % c.groups[i].size
			n /= c.groups[i].size
		}
	}
	var taken set
	place := func(g *group, s int) {
		taken.add(s)
		b.put(s, g.side, x.core.men[g.man])
	}
	ops := uint16(0)
	if c.anchor[0] >= 0 {
		pair := c.pairs[n]
		place(&c.groups[c.anchor[0]], int(pair.a))
		if c.anchor[1] >= 0 {
			place(&c.groups[c.anchor[1]], int(pair.b))
			ops = c.pairOf[int(pair.a)*x.squares+int(pair.b)].ops
		} else {
			ops = c.pairOf[int(pair.a)*x.squares].ops
		}
	}
	for i := range c.groups {
		g := &c.groups[i]
		if c.anchored(i) {
			continue
		}
		free := g.on.without(taken)
		if g.count == 1 {
			s := free.nth(int(ranks[i]))
			if s < 0 {
				return false
			}
			place(g, s)
			continue
		}
		at := free.count()
		for k := g.count; k > 0; k-- {
			for at--; at >= 0 && binomial[at][k] > ranks[i]; at-- {
			}
			if at < 0 {
				return false
			}
			ranks[i] -= binomial[at][k]
			place(g, free.nth(at))
		}
		if ranks[i] > 0 {
			return false
		}
	}
	if c.key.step >= 0 {
		s := x.steps[1-c.key.turn][c.key.step]
		if taken.has(s.from) || taken.meets(s.passed) {
			return false
		}
		b.passing, b.passed = s.passed, uint8(s.to)
		if b.forgetPassing(); b.passing.empty() {
			return false
		}
	}
	if b.exposed() {
		return false
	}
	if ops&(ops-1) != 0 || c.anchor[0] < 0 && len(c.ops) > 1 {
		lowest, ok := x.indexIn(c, b, 0)
		return ok && lowest == index
	}
	return true
}

// Canonical implements [games.Canonicalizer].
func (x *Tables) Canonical(p Position) Position {
	index, err := x.Index(p)
	if err != nil {
		return p
	}
	q, ok := x.Position(index)
	if !ok {
		return p
	}
	return q
}
