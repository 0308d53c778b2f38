package variant

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// Tables are the positions of a variant with few pieces, numbered by what is on the board: a tier for each class of
// material. It is a game of its own, whose start is some position of its largest class. It implements [games.Indexer],
// [games.Expander] and [games.Retractor].
//
// A class is how many pieces of each kind a side has. Captures and promotions lead to classes that come before it. Where
// the rules are the same for both sides, white is to move in all positions that are numbered, and the classes AvB and BvA
// are one tier; else a tier has the positions with white to move and those with black to move.
//
// Within a block, that is a class with a side to move, the index is made of digits: one for the squares of up to two
// pieces that stand for the position's symmetry, such as the kings, and one for the squares of each group of like pieces.
// Of positions that symmetries of the board map to each other the one with the lowest index counts. Where a square has two pieces,
// and where the side that is not to move is in check, the index has a hole; so it has where moves must not give check and a side is.
//
// Castling has no index. A position in which a piece can be captured in passing has one in a block of its own, for each
// step of two or more squares.
type Tables struct {
	*core
	name       string
	whole      bool // the game begins with its own start position
	blocks     []*block
	of         map[hash]*block
	weights    [2][maxMen + maxKinds + 1]hash // of men, of pieces in hand, and of the side to move and the step before
	only       [maxKinds]int                  // the man of a kind, -1 if there are several
	shapes     [maxKinds][]int                // the men that a piece in hand can be, if pieces can be in hand
	tiers      []games.Tier
	turned     permutation // exchanges the sides; nil if rules differ between them
	stands     [2][maxKinds]set
	promotions [2][maxKinds]int // how often a piece can be promoted
	steps      [2][]doubleStep
	comes      [2][maxKinds][]set        // by square: from where a kind may move there
	quiets     [2][maxKinds][]set        // by square: from where it may without a capture
	symmetric  map[kindSet][]permutation // by the kinds of a class
	anchors    map[anchorKey]*block      // the first block with some anchors
	ordered    []int                     // the kinds in the order of names, made by newTables before others read it
	first      Position
	words      func() *wordTables // nil for games on the board of all rules
	// Memory of Expand and Retract, in which the last position stays.
	expandings, retractings sync.Pool
}

// permutation says where each square goes.
type permutation []uint8

// doubleStep is a step of a side's piece that can be captured in passing.
type doubleStep struct {
	kind     int
	from, to int
	passed   set
}

// material is how many men each side has on the board, and pieces of each kind in hand. Without hands a man is its kind,
// whatever it was before.
type material struct {
	men  [2][maxMen]uint8
	hand [2][maxKinds]uint8
}

// classKey names a block.
type classKey struct {
	material material
	turn     uint8
	step     int16 // the number of the double step before, -1 for none
}

// hash is a number for what is on a board and in hands, whose turn it is, and the double step before: those of the blocks of
// tables differ.
type hash uint64

// group is the like men of a side.
type group struct {
	side, man, kind, count int
	on                     set    // where they can stand
	size                   uint64 // ways to place them among the squares that the groups before leave free
}

// block is a range of indices: the positions of a class with a side to move.
type block struct {
	key    classKey
	start  uint64
	size   uint64
	anchor [2]int     // groups of a single piece, -1 for none
	word   *wordBlock // set by Tables.words; nil for positions on the board of all rules
	after  *block     // the block after a move that changes nothing but squares and the side to move
	pairs  []anchorPair
	pairOf []pairEntry   // by square of the first anchor times squares, plus that of the second
	groups []group       // the anchors are among them; the piece that has made a double step is the first
	ops    []permutation // the symmetries of the class
	// turnedOps are the same, and the same after the sides are exchanged.
	turnedOps [2][8]permutation
}

// anchorKey is what the numbers of pairs of anchors depend on: their sides and kinds, and the symmetries of the class.
type anchorKey struct {
	sides, kinds [2]int
	ops          *permutation
}

// anchorPair are the squares of the anchors.
type anchorPair struct{ a, b uint8 }

// pairEntry says which pair stands for the squares of two anchors, and which symmetries lead there.
type pairEntry struct {
	pair int32 // -1 for none
	ops  uint16
	at   anchorPair
}

const (
	maxTableMen = 12
	maxClasses  = 20_000
)

var binomial = func() (table [129][maxTableMen + 1]uint64) {
	for n := range table {
		table[n][0] = 1
		for k := 1; k <= maxTableMen && n > 0; k++ {
			table[n][k] = table[n-1][k-1] + table[n-1][k]
		}
	}
	return table
}()

// newTables numbers the positions of classes and of all that they lead to. With whole the classes are those of the start
// position, and roots is not used.
func (g *core) newTables(name string, roots []material, whole bool) (*Tables, error) {
	if err := g.rules.numberable(); err != nil {
		return nil, err
	}
	x := &Tables{core: g, name: name, whole: whole, of: map[hash]*block{}, symmetric: map[kindSet][]permutation{}, anchors: map[anchorKey]*block{}}
	if err := x.checkPromotions(); err != nil {
		return nil, err
	}
	x.order()
	if whole {
		roots = []material{x.startMaterial()}
	}
	x.findMen(roots)
	x.findStands()
	x.findComes()
	x.findSteps()
	if x.held && len(x.steps[0])+len(x.steps[1]) > 0 {
		// Unmoves would have to take back captures in passing, and steps past them.
		return nil, fmt.Errorf("%s has captures in passing beside pieces in hand, whose positions are not numbered by material", name)
	}
	x.findSymmetry()
	seen := map[material]bool{}
	var list []material
	var visit func(m material)
	visit = func(m material) {
		if seen[m] {
			return
		}
		seen[m] = true
		list = append(list, m)
		if x.held || len(list) > maxClasses {
			return
		}
		for _, next := range x.smaller(m) {
			visit(next)
		}
	}
	for _, m := range roots {
		visit(m)
		if x.turned != nil && !x.held {
			visit(m.turned())
		}
	}
	if len(list) > maxClasses {
		return nil, fmt.Errorf("%s has more than %d classes of material", name, maxClasses)
	}
	slices.SortFunc(list, func(a, b material) int {
		return cmp.Or(cmp.Compare(a.count(), b.count()), cmp.Compare(x.pawns(a), x.pawns(b)), x.compare(b, a))
	})
	tierOf := map[material]int{} // of classes, but for those without positions
	done := map[material]bool{}
	next := uint64(0)
	for _, m := range list {
		if done[m] {
			continue
		}
		tier := games.Tier{Name: x.className(m), Start: next}
		members := []material{m}
		if x.held {
			var err error
			if members, err = x.distributions(m); err != nil {
				return nil, err
			}
		} else if x.turned != nil && m.turned() != m {
			members = append(members, m.turned())
		}
		for _, member := range members {
			done[member] = true
			for turn := range uint8(2) {
				if turn == 1 && x.turned != nil {
					continue
				}
				for step := range len(x.steps[1-turn]) + 1 {
					b, err := x.newBlock(classKey{member, turn, int16(step - 1)}, next)
					if err != nil {
						return nil, err
					}
					if b != nil {
						next += b.size
						x.blocks = append(x.blocks, b)
						h := x.hashOf(&b.key)
						if x.of[h] != nil {
							panic("variant: two classes have the same sum")
						}
						x.of[h] = b
					}
				}
			}
		}
		if next > 1<<games.IndexBits {
			return nil, fmt.Errorf("%s has more than %d positions", x.className(m), uint64(1)<<games.IndexBits)
		}
		if tier.Size = next - tier.Start; tier.Size > 0 {
			tier.Open = tier.Size
			for _, member := range members {
				tierOf[member] = len(x.tiers)
			}
			x.tiers = append(x.tiers, tier)
		}
	}
	x.findChildren(tierOf)
	for _, b := range x.blocks {
		next := classKey{b.key.material, 1 - b.key.turn, -1}
		if x.turned != nil {
			next = classKey{b.key.material.turned(), 0, -1}
		}
		b.after = x.of[x.hashOf(&next)]
	}
	x.words = sync.OnceValue(x.newWords)
	return x, x.findFirst()
}

// numberable reports why positions of a variant cannot be numbered by material.
func (r *Rules) numberable() error {
	for _, no := range []struct {
		is   bool
		what string
	}{
		{r.freeDrops, "drops from nowhere"}, {r.hands() && !r.capturesToHand, "pieces in hand that captures do not fill"},
		{r.hands() && r.blast, "pieces in hand that blasts fill"},
		{r.hands() && r.castlingDropped, "drops that give the right to castle"},
		{r.dropLoop, "pieces in hand that stay promoted"},
		{r.walling != "none" || strings.Contains(r.start, "*") || r.petrify != 0, "walls"},
		{r.gating, "gates"}, {r.checkCounting, "checks that are counted"}, {r.flip != "none", "pieces that are turned over"},
		{r.pass != [2]bool{} || r.passOnStalemate != [2]bool{}, "passes"},
		{r.castlingWins != [4]bool{}, "castling as a goal"},
		{r.demotion, "pieces that are demoted"},
	} {
		if no.is {
			return fmt.Errorf("%s has %s, whose positions are not numbered by material; a small game is solved whole, without pieces", r.name, no.what)
		}
	}
	return nil
}

// checkPromotions finds how often pieces can be promoted, and refuses promotions that classes and unmoves do not know.
func (x *Tables) checkPromotions() error {
	royal := func(k int) bool {
		least, _ := x.needs(0, k)
		return k == x.king || x.rules.pseudoRoyal && x.core.kinds[k].extinction || least > 0
	}
	refused := func(what string) error {
		return fmt.Errorf("%s has %s, whose positions are not numbered by material; a small game is solved whole, without pieces", x.rules.name, what)
	}
	var promotions func(side, k, before int) (most int)
	promotions = func(side, k, before int) (most int) {
		if before > len(x.kinds) {
			return before // in a circle
		}
		for _, to := range x.promotedTo(side, k) {
			most = max(most, 1+promotions(side, to, before+1))
		}
		return most
	}
	for side := range 2 {
		for k := range x.kinds {
			for _, to := range x.promotedTo(side, k) {
				if royal(k) || royal(to) {
					return refused("royal pieces that are promoted, or promoted to")
				}
			}
			x.promotions[side][k] = promotions(side, k, 0)
			switch most := x.promotions[side][k]; {
			case most > len(x.kinds):
				return refused("pieces that are promoted without an end")
			case most > 1 && x.rules.hands():
				return refused("pieces that are promoted again beside pieces in hand")
			}
		}
	}
	return nil
}

// promotedTo returns the kinds that a piece of a side can become.
func (x *Tables) promotedTo(side, k int) (list []int) {
	kk := &x.core.kinds[k]
	if kk.promoted >= 0 {
		list = append(list, int(kk.promoted))
	}
	if k == x.pawnIx || kk.pawn[side] {
		for to := range x.kinds {
			if x.core.kinds[to].promotion[side] {
				list = append(list, to)
			}
		}
	}
	return list
}

// count returns the number of men on the board.
func (m *material) count() (n int) {
	for side := range m.men {
		for _, count := range m.men[side] {
			n += int(count)
		}
	}
	return n
}

// held returns the number of pieces in hand.
func (m *material) held() (n int) {
	for side := range m.hand {
		for _, count := range m.hand[side] {
			n += int(count)
		}
	}
	return n
}

func (m material) turned() material {
	return material{[2][maxMen]uint8{m.men[1], m.men[0]}, [2][maxKinds]uint8{m.hand[1], m.hand[0]}}
}

// compare says which of two classes white would rather have: by the number of its pieces, then by the kinds of white's and
// of black's.
func (x *Tables) compare(a, b material) int {
	army := func(side int) int {
		n := 0
		for k := range x.kinds {
			n += int(a.men[side][k]) - int(b.men[side][k])
		}
		if n != 0 {
			return n
		}
		for _, k := range x.order() {
			if n = int(a.men[side][k]) - int(b.men[side][k]); n != 0 {
				return n
			}
		}
		return 0
	}
	return cmp.Or(army(0), army(1))
}

// pawns returns how many promotions the pieces of a class can have: each promotion leads to a class with fewer.
func (x *Tables) pawns(m material) (n int) {
	for side := range m.men {
		for k := range x.kinds {
			n += int(m.men[side][k]) * x.promotions[side][k]
		}
	}
	return n
}

func (g *core) promotable(side, k int) bool {
	return k == g.pawnIx || g.kinds[k].pawn[side] || g.kinds[k].promoted >= 0
}

// smaller returns the classes to which captures and promotions lead.
func (x *Tables) smaller(m material) (list []material) {
	var captured []material
	for side := range m.men {
		for k := range x.kinds {
			if m.men[side][k] > 0 && k != x.king {
				c := m
				c.men[side][k]--
				captured = append(captured, c)
			}
		}
	}
	list = append(list, captured...)
	for _, from := range append(captured, m) {
		for side := range from.men {
			for k := range x.kinds {
				if from.men[side][k] == 0 || !x.promotable(side, k) {
					continue
				}
				add := func(to int) {
					c := from
					c.men[side][k]--
					c.men[side][to]++
					list = append(list, c)
				}
				for _, to := range x.promotedTo(side, k) {
					add(to)
				}
			}
		}
	}
	return list
}

// findChildren finds the tiers to which moves of each tier lead: those of smaller classes. Where a
// capture takes other pieces with it, these are also the classes smaller than smaller ones. A class
// with pieces in hand keeps them all.
func (x *Tables) findChildren(tierOf map[material]int) {
	of := make([]map[int]bool, len(x.tiers))
	for i := range of {
		of[i] = map[int]bool{}
	}
	for m, tier := range tierOf {
		if x.held {
			continue
		}
		seen := map[material]bool{m: true}
		var visit func(m material)
		visit = func(m material) {
			for _, next := range x.smaller(m) {
				if seen[next] {
					continue
				}
				seen[next] = true
				if child, numbered := tierOf[next]; numbered {
					of[tier][child] = true
				}
				if x.rules.blast {
					visit(next)
				}
			}
		}
		visit(m)
		delete(of[tier], tier)
	}
	for tier := range of {
		x.tiers[tier].Children = slices.AppendSeq([]int{}, maps.Keys(of[tier]))
		slices.Sort(x.tiers[tier].Children)
	}
}

// className names a class, such as KQvKR.
func (x *Tables) className(m material) string {
	army := func(side int) string {
		var b strings.Builder
		for _, k := range x.order() {
			n := int(m.men[side][k])
			if x.held { // a side owns no piece but the king: half of them are named on either
				n = (x.total(&m, k) + 1 - side) / 2
			}
			b.WriteString(strings.Repeat(string(x.letter(k, 0)), n))
		}
		return b.String()
	}
	return army(0) + "v" + army(1)
}

// order returns the kinds as names of classes have them: the king, then others by what they are worth, pawns last.
func (x *Tables) order() []int {
	if x.ordered != nil {
		return x.ordered
	}
	list := make([]int, len(x.kinds))
	for i := range list {
		list[i] = i
	}
	royal := func(k int) int {
		if k == x.king || x.core.kinds[k].slot == slotOf("commoner") {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(royal(a), royal(b)), -cmp.Compare(x.worth(a), x.worth(b)))
	})
	x.ordered = list
	return list
}

// findMen finds out which men there are in classes and which kinds are of one man only, and draws the weights of hashes.
func (x *Tables) findMen(roots []material) {
	rng := rand.New(rand.NewPCG(1, 1))
	for side := range 2 {
		for i := range x.weights[side] {
			x.weights[side][i] = hash(rng.Uint64())
		}
	}
	for k := range x.kinds {
		x.only[k] = k
	}
	if !x.held {
		return
	}
	for k := range x.kinds {
		if !slices.ContainsFunc(roots, func(m material) bool { return x.total(&m, k) > 0 }) {
			continue
		}
		x.shapes[k] = append(x.shapes[k], k)
		for i, m := range x.core.men {
			if int(m.origin) == k {
				x.shapes[k] = append(x.shapes[k], i)
			}
		}
	}
	of := map[int8][]int{}
	for _, list := range x.shapes {
		for _, m := range list {
			of[x.core.men[m].kind] = append(of[x.core.men[m].kind], m)
		}
	}
	for k, list := range of {
		if x.only[k] = list[0]; len(list) > 1 {
			x.only[k] = -1
		}
	}
}

// base returns the kind of a man in hand.
func (g *core) base(m int) int {
	if o := g.men[m].origin; o >= 0 {
		return int(o)
	}
	return int(g.men[m].kind)
}

// total returns how many pieces of a kind a class has, of both sides, promoted and in hand too.
func (x *Tables) total(m *material, k int) (n int) {
	for side := range 2 {
		for i := range x.core.men {
			if x.base(i) == k {
				n += int(m.men[side][i])
			}
		}
		n += int(m.hand[side][k])
	}
	return n
}

// startMaterial returns the class of the start position.
func (x *Tables) startMaterial() (m material) {
	b := x.newBoard(&x.start)
	for side := range 2 {
		for men := b.sides[side]; !men.empty(); {
			i := int(b.cells[men.pop()]-firstMan) >> 1
			if !x.held {
				i = int(x.core.men[i].kind)
			}
			m.men[side][i]++
		}
	}
	m.hand = b.hands
	return x.settled(m)
}

// settled returns a class with hands in a form of its own: the pieces of each kind on the board, half of them on either side.
func (x *Tables) settled(m material) (n material) {
	if !x.held {
		return m
	}
	for k := range x.kinds {
		if total := x.total(&m, k); total > 0 {
			n.men[0][k], n.men[1][k] = uint8(total+1)/2, uint8(total)/2
		}
	}
	return n
}

// distributions returns how the pieces of a class with hands can be distributed: captures keep them in the class. A royal piece
// stays with its side, and if the game ends when it is taken, it may have been taken by the last move.
func (x *Tables) distributions(m material) (list []material, err error) {
	var fill func(d material, k, at, left int)
	next := func(d material, k int) {
		if k+1 < len(x.kinds) {
			fill(d, k+1, 0, x.total(&m, k+1))
		} else if len(list) <= maxClasses {
			list = append(list, d)
		}
	}
	fill = func(d material, k, at, left int) {
		if len(list) > maxClasses {
			return
		}
		if least, _ := x.needs(0, k); least > 0 {
			for side := range 2 {
				d.men[side][k] = uint8(left / 2)
			}
			next(d, k)
			for winner := range 2 {
				if k != x.king && !x.takeable && !(x.turned != nil && winner == 0) {
					e := d
					e.men[1-winner][k]--
					e.hand[winner][k]++
					next(e, k)
				}
			}
			return
		}
		// The places are those of the men and of the hand, of each side.
		shapes := x.shapes[k]
		places := 2 * (len(shapes) + 1)
		if at == places-1 {
			d.hand[1][k] = uint8(left)
			next(d, k)
			return
		}
		for n := 0; n <= left; n++ {
			e := d
			if i := at / 2; i < len(shapes) {
				e.men[at%2][shapes[i]] = uint8(n)
			} else {
				e.hand[at%2][k] = uint8(n)
			}
			fill(e, k, at+1, left-n)
		}
	}
	fill(material{}, 0, 0, x.total(&m, 0))
	if len(list) > maxClasses {
		return nil, fmt.Errorf("the pieces of %s can be distributed in more than %d ways", x.className(m), maxClasses)
	}
	return list, nil
}

// menInOrder returns the men of all kinds, in the order of kinds.
func (x *Tables) menInOrder() (list []int) {
	for _, k := range x.order() {
		for i, m := range x.core.men {
			if int(m.kind) == k {
				list = append(list, i)
			}
		}
	}
	return list
}

// menOf returns the squares of a man of a side.
func (x *Tables) menOf(b *board, side, m, kind int) set {
	all := b.of(side, kind)
	if x.only[kind] >= 0 {
		return all
	}
	var these set
	for s := all; !s.empty(); {
		if at := s.pop(); int(b.cells[at]-firstMan)>>1 == m {
			these.add(at)
		}
	}
	return these
}

// hashOf returns the hash of a block.
func (x *Tables) hashOf(key *classKey) (h hash) {
	for side := range 2 {
		for m, n := range key.material.men[side] {
			h += x.weights[side][m] * hash(n)
		}
		for k, n := range key.material.hand[side] {
			h += x.weights[side][maxMen+k] * hash(n)
		}
	}
	return h + x.extra(key.turn, key.step)
}

// extra returns the part of the side to move and a double step in a hash.
func (x *Tables) extra(turn uint8, step int16) hash {
	return x.weights[1][maxMen+maxKinds]*hash(turn) + x.weights[0][maxMen+maxKinds]*hash(step+1)
}

// hashBoard returns the hash of a board without the step before; with swap the sides are exchanged.
func (x *Tables) hashBoard(b *board, swap uint8) (h hash) {
	for k := range x.kinds {
		if b.kinds[k].empty() {
			continue
		}
		for side := range 2 {
			w := &x.weights[uint8(side)^swap]
			men := b.of(side, k)
			if m := x.only[k]; m >= 0 {
				h += w[m] * hash(men.count())
				continue
			}
			for !men.empty() {
				h += w[int(b.cells[men.pop()]-firstMan)>>1]
			}
		}
	}
	if x.held {
		for side := range 2 {
			w := &x.weights[uint8(side)^swap]
			for k := range x.kinds {
				h += w[maxMen+k] * hash(b.hands[side][k])
			}
		}
	}
	return h + x.extra(b.turn^swap, -1)
}

// findStands finds the squares on which pieces of each kind can stand in a game, or any of them if they can come there:
// where they begin, where they move, and where pawns are promoted to them.
func (x *Tables) findStands() {
	g := x.core
	b := g.newBoard(&g.start)
	for side := range 2 {
		for k := range g.kinds {
			x.stands[side][k] = b.of(side, k)
			if x.held {
				empty := &board{game: g, Position: nowhere()}
				x.stands[side][k] = x.stands[side][k].or(empty.dropSquares(side, k))
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for side := range 2 {
			for k := range g.kinds {
				var to set
				for s := x.stands[side][k]; !s.empty(); {
					to = to.or(x.leadsTo(k, side, s.pop()))
				}
				stay := to
				if x.mustLeave(side, k) {
					stay = stay.without(g.promotionZone[side])
				}
				changed = x.extend(side, k, stay) || changed
				if !g.promotable(side, k) {
					continue
				}
				zone := to.and(g.promotionZone[side])
				if p := g.kinds[k].promoted; p >= 0 {
					from := x.stands[side][k].and(g.promotionZone[side])
					for s := from; !s.empty(); {
						zone = zone.or(x.leadsTo(k, side, s.pop()))
					}
					changed = x.extend(side, int(p), zone) || changed
				}
				if k == g.pawnIx || g.kinds[k].pawn[side] {
					for p := range g.kinds {
						if g.kinds[p].promotion[side] {
							changed = x.extend(side, p, to.and(g.promotionZone[side])) || changed
						}
					}
				}
			}
		}
	}
}

// mustLeave reports whether a kind cannot stay on squares where it is promoted.
func (x *Tables) mustLeave(side, k int) bool {
	r := x.rules
	return (k == x.pawnIx || x.core.kinds[k].pawn[side]) && r.mandatoryPawnPromotion
}

func (x *Tables) extend(side, k int, to set) bool {
	if flag := x.flagKind[side]; x.reachable && (flag < 0 || flag == k) {
		to = to.without(x.flagRegion[side])
	}
	if to.without(x.stands[side][k]).empty() {
		return false
	}
	x.stands[side][k] = x.stands[side][k].or(to)
	return true
}

// leadsTo returns where a piece may go from a square, whatever stands on the board.
func (x *Tables) leadsTo(k, side, from int) set {
	kk := &x.core.kinds[k]
	return x.stepsTo(k, side, from).or(x.farthest(&kk.motion[side][capture], from).and(kk.mobility[side]))
}

// stepsTo returns where a piece may go from a square without a capture, whatever stands on the board.
func (x *Tables) stepsTo(k, side, from int) set {
	g := x.core
	kk := &g.kinds[k]
	to := g.farthest(&kk.motion[side][quiet], from)
	if g.doubleStep[side].has(from) {
		to = to.or(g.farthest(&kk.motion[side][initial], from))
	}
	if k == g.pawnIx {
		at := from
		for n := 1; n <= 3; n++ {
			if at = g.at(at, side, step{1, 0}); at < 0 {
				break
			}
			if n == 1 || n == 2 && g.doubleStep[side].has(from) || n == 3 && g.tripleStep[side].has(from) {
				to.add(at)
			}
		}
	}
	return to.and(kk.mobility[side])
}

// findComes turns the moves of all kinds around.
func (x *Tables) findComes() {
	for side := range 2 {
		for k := range x.kinds {
			x.comes[side][k], x.quiets[side][k] = make([]set, x.squares), make([]set, x.squares)
			for from := range x.squares {
				for t := x.leadsTo(k, side, from); !t.empty(); {
					x.comes[side][k][t.pop()].add(from)
				}
				for t := x.stepsTo(k, side, from); !t.empty(); {
					x.quiets[side][k][t.pop()].add(from)
				}
			}
		}
	}
}

// findSteps lists the steps after which a piece can be captured in passing.
func (x *Tables) findSteps() {
	g := x.core
	for side := range 2 {
		for k := range g.kinds {
			for s := x.stands[side][k]; !s.empty(); {
				from := s.pop()
				if !g.doubleStep[side].has(from) && !g.tripleStep[side].has(from) {
					continue
				}
				for t := x.leadsTo(k, side, from); !t.empty(); {
					to := t.pop()
					b := &board{game: g, Position: nowhere()}
					b.setPassing(side, k, from, to, newMove(normal, from, to))
					if !b.passing.empty() {
						x.steps[side] = append(x.steps[side], doubleStep{k, from, to, b.passing})
					}
				}
			}
		}
	}
}

// allPermutations returns the symmetries of a board of a size: turned and mirrored.
func (g *core) allPermutations() (list []permutation) {
	n, m := g.files, g.ranks
	for i := range 8 {
		if i >= 4 && n != m {
			break
		}
		p := make(permutation, g.squares)
		for s := range p {
			file, rank := s%n, s/n
			if i&1 != 0 {
				file = n - 1 - file
			}
			if i&2 != 0 {
				rank = m - 1 - rank
			}
			if i&4 != 0 {
				file, rank = rank, file
			}
			p[s] = uint8(rank*n + file)
		}
		list = append(list, p)
	}
	return list
}

func (p permutation) set(s set) (t set) {
	for !s.empty() {
		t.add(int(p[s.pop()]))
	}
	return t
}

// then returns the permutation that does p first and then q.
func (p permutation) then(q permutation) permutation {
	r := make(permutation, len(p))
	for s := range p {
		r[s] = q[p[s]]
	}
	return r
}

// findSymmetry finds out how sides can be exchanged. The symmetries of the board depend on the pieces; see
// [Tables.symmetries].
func (x *Tables) findSymmetry() {
	for _, p := range x.allPermutations() {
		if x.alike(p, true, nil) {
			x.turned = p
			return
		}
	}
}

// alike reports whether the rules for some kinds, or all, are the same after a permutation of the squares, which may
// also exchange the sides.
func (x *Tables) alike(p permutation, exchange bool, of []int) bool {
	g := x.core
	other := func(side int) int {
		if exchange {
			return 1 - side
		}
		return side
	}
	if of == nil {
		for k := range g.kinds {
			of = append(of, k)
		}
	}
	r := g.rules
	for side := range 2 {
		to := other(side)
		pawns := false
		for _, k := range of {
			kk := &g.kinds[k]
			pawns = pawns || g.promotable(side, k) || len(kk.motion[side][initial].lames)+len(kk.motion[side][initial].slides) > 0 || kk.motion[side][initial].leaps != nil
			if p.set(kk.mobility[side]) != kk.mobility[to] || p.set(x.stands[side][k]) != x.stands[to][k] {
				return false
			}
			if kk.pawn[side] != kk.pawn[to] || kk.promotion[side] != kk.promotion[to] || kk.enPassant[side] != kk.enPassant[to] {
				return false
			}
			for mode := range modalities {
				if !g.sameMotion(&kk.motion[side][mode], &kk.motion[to][mode], p) {
					return false
				}
			}
		}
		if pawns && (p.set(g.promotionZone[side]) != g.promotionZone[to] || p.set(g.doubleStep[side]) != g.doubleStep[to] ||
			p.set(g.tripleStep[side]) != g.tripleStep[to] || p.set(g.enPassant[side]) != g.enPassant[to]) {
			return false
		}
		if slices.Contains(of, g.pawnIx) && !g.pawnsAlike(p, side, to) {
			return false
		}
		if g.held && !g.dropsAlike(p, side, to) {
			return false
		}
		if p.set(g.flagRegion[side]) != g.flagRegion[to] || g.flagKind[side] != g.flagKind[to] ||
			p.set(g.connectFrom[side]) != g.connectFrom[to] || p.set(g.connectTo[side]) != g.connectTo[to] {
			return false
		}
	}
	if exchange {
		if r.material != "none" && r.material != "unweighted" || r.flagMove {
			return false // black has the last move
		}
	}
	return true
}

// dropsAlike reports whether drops are the same after a permutation.
func (g *core) dropsAlike(p permutation, side, to int) bool {
	if p.set(g.dropRegion[side]) != g.dropRegion[to] || p.set(g.backRank[side]) != g.backRank[to] {
		return false
	}
	return !slices.ContainsFunc(g.fileSets, func(file set) bool { return !slices.Contains(g.fileSets, p.set(file)) })
}

// pawnsAlike reports whether steps of pawns are the same after a permutation.
func (g *core) pawnsAlike(p permutation, side, to int) bool {
	for s := range g.squares {
		a, b := g.at(s, side, step{1, 0}), g.at(int(p[s]), to, step{1, 0})
		if (a < 0) != (b < 0) || a >= 0 && int(p[a]) != b {
			return false
		}
	}
	return true
}

// sameMotion reports whether a motion is another one after a permutation.
func (g *core) sameMotion(a, b *motion, p permutation) bool {
	if (a.leaps == nil) != (b.leaps == nil) || len(a.slides) != len(b.slides) || len(a.hops) != len(b.hops) || len(a.lames) != len(b.lames) {
		return false
	}
	for s := range g.squares {
		t := int(p[s])
		if a.leaps != nil && p.set(a.leaps[s]) != b.leaps[t] {
			return false
		}
		for _, lists := range [][2][]ray{{a.slides, b.slides}, {a.hops, b.hops}} {
			for _, r := range lists[0] {
				if !slices.ContainsFunc(lists[1], func(q ray) bool {
					return p.set(g.reached(&r, s)) == g.reached(&q, t) && r.next == q.next && g.sameSteps(&r, &q, p, s)
				}) {
					return false
				}
			}
		}
		for _, l := range a.lames {
			if l.to[s] < 0 {
				continue
			}
			if !slices.ContainsFunc(b.lames, func(m lameLeap) bool {
				return m.to[t] >= 0 && int(p[l.to[s]]) == int(m.to[t]) && p.set(l.path[s]) == m.path[t]
			}) {
				return false
			}
		}
	}
	return true
}

// sameSteps reports whether two rays take the same first step after a permutation.
func (g *core) sameSteps(r, q *ray, p permutation, s int) bool {
	a, b := g.at(s, 0, g.lines[r.line].step), g.at(int(p[s]), 0, g.lines[q.line].step)
	return a < 0 && b < 0 || a >= 0 && b >= 0 && int(p[a]) == b
}

func (g *core) reached(r *ray, s int) set {
	if r.upto != nil {
		return r.upto[s]
	}
	return g.lines[r.line].rays[s]
}

// symmetries returns the permutations of the board that change nothing for the kinds of a class and those that they are
// promoted to.
func (x *Tables) symmetries(m material) (list []permutation) {
	var of []int
	for k := range x.kinds {
		if x.total(&m, k) > 0 {
			of = append(of, k)
		}
	}
	for i := 0; i < len(of); i++ {
		k := of[i]
		for side := range 2 {
			if !x.promotable(side, k) {
				continue
			}
			for to := range x.kinds {
				if (x.core.kinds[to].promotion[side] || int(x.core.kinds[k].promoted) == to) && !slices.Contains(of, to) {
					of = append(of, to)
				}
			}
		}
	}
	var these kindSet
	for _, k := range of {
		these |= kinds(slot(k))
	}
	if list, known := x.symmetric[these]; known {
		return list
	}
	for _, p := range x.allPermutations() {
		if x.alike(p, false, of) {
			list = append(list, p)
		}
	}
	x.symmetric[these] = list
	return list
}
