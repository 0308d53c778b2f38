package dobutsu

import "math/bits"

// Moves and unmoves are made on the board as the opponent of the side to move sees it: turned
// and, if the index requires it, mirrored. What was theirs is then mine. Only moves of the
// lion change that view, so all other moves change only squares.

// noIndex is larger than any index.
const noIndex = 1 << 62

// image is the part of the index that all boards with the same lions, elephants and giraffes
// have in common.
type image struct {
	first   uint64 // first index with the run's number of chicks and hens on the board
	base    uint64 // of the lions
	high    uint64 // digits E and G together
	cohort  int    // with no chick on the board
	chicks  uint32 // on the board in the run
	free    uint32 // squares without an animal
	flipped uint8  // 1 for the mirror image of the board
}

// images are a board and its mirror image. If both lions stand on the middle file, the
// smaller of their indices counts; otherwise there is only the one that has indices.
type images struct {
	image
	mirror    image
	symmetric bool
}

// set sets x to the image of a board, in a run with the given number of chicks and hens on
// the board.
func (x *image) set(t *indexTables, pair *lionPair, e, g packed, chicks int) {
	es := spotsOf(e, pair.free)
	free := pair.free &^ es.both
	gs := spotsOf(g, free)
	x.base, x.cohort, x.free = pair.base, 9*es.onBoard+3*gs.onBoard, free&^gs.both
	c := &t.cohorts[x.cohort+chicks]
	x.high = es.digit*c.giraffes + gs.digit
	x.chicks, x.first = uint32(chicks), x.base+c.base+x.high*c.chicks
}

// index returns the index with these chicks and hens.
func (x *image) index(t *indexTables, f flock) uint64 {
	if x.flipped != 0 {
		f = f.mirrored()
	}
	first := x.first
	if f.n != x.chicks {
		c := &t.cohorts[x.cohort+int(f.n)]
		first = x.base + c.base + x.high*c.chicks
	}
	if f.n == 2 {
		return first + f.pairDigit(x.free)
	}
	return first + f.digit(x.free)
}

func (x *images) set(t *indexTables, pair *lionPair, e, g packed, chicks int) {
	x.symmetric, x.flipped = pair.symmetric, 0
	if pair.mirror {
		x.flipped = 1
		e, g = e.mirrored(), g.mirrored()
	}
	x.image.set(t, pair, e, g, chicks)
	if pair.symmetric {
		x.mirror.flipped = 1
		x.mirror.set(t, pair, e.mirrored(), g.mirrored(), chicks)
	}
}

func (x *images) index(t *indexTables, f flock) uint64 {
	i := x.image.index(t, f)
	if x.symmetric {
		i = min(i, x.mirror.index(t, f))
	}
	return i
}

// placing is where chicks and hens are, on the board and on its mirror image.
type placing struct {
	n      uint32
	at     [2]uint32    // their squares
	below  [2][2]uint32 // the squares before theirs
	shifts [2]uint32    // of the first one's state
}

// set sets p to the placing of the chicks and hens in f. It sets each field separately,
// because copying a composite literal would stall until all of it is written.
func (p *placing) set(f flock) {
	m := f.mirrored()
	p.n = f.n
	p.at[0], p.at[1] = uint32(bits.TrailingZeros32(f.x.bit)), uint32(bits.TrailingZeros32(f.y.bit))
	p.below[0][0], p.below[0][1] = f.x.bit-1, f.y.bit-1
	p.below[1][0], p.below[1][1] = m.x.bit-1, m.y.bit-1
	p.shifts[0], p.shifts[1] = f.shift(), m.shift()
}

// squares returns the part of the digit that says where they are, on the board or its
// mirror image, given the free squares.
func (p *placing) squares(flipped uint8, free uint32) uint64 {
	below := &p.below[flipped&1]
	x := bits.OnesCount32(free & below[0])
	switch p.n {
	case 2:
		return uint64(pairDigits[x&15][bits.OnesCount32(free&below[1])&15])
	case 1:
		return uint64(x) << 3
	}
	return 0
}

// states returns the part of the digit that does not say where they are, on the board or
// its mirror image.
func (p *placing) states(flipped uint8, f flock) uint64 {
	shift := p.shifts[flipped&1]
	return uint64(f.x.state<<shift + f.y.state<<(2-shift) + f.hand)
}

// view is the board of the positions of a run. Only chicks and hens differ from one to
// the next.
type view struct {
	lion, theirLion int
	e, g            packed
	pair            *lionPair
	images          images
	occupied        uint32 // squares of lions, elephants and giraffes
	even            bool   // the board is its own mirror image, apart from chicks and hens

	// Squares of elephants and giraffes that attack their lion, and the squares from which
	// chicks and hens attack it.
	attackers, chickAttacks, henAttacks uint32

	// Attacks on my lion, which let the side to move capture it.
	captured                           bool
	theirChickAttacks, theirHenAttacks uint32

	// locked says that my side, which moves next, cannot drop an elephant or giraffe. Its
	// lion cannot step either if my chicks and hens fill the squares of around.
	locked bool
	around uint32

	bits [32]uint32 // the squares that the reader has listed

	// Chicks and hens, and their squares: of all, of theirs, of hens.
	flock              flock
	both, theirs, hens uint32
}

// makeView makes the view of the run that was read.
func (r *reader) makeView(v *view) {
	g := r.g
	v.lion, v.theirLion = g.turnSquare(r.theirLion), g.turnSquare(r.lion)
	v.e, v.g = g.swapped64(r.men[kindElephant]), g.swapped64(r.men[kindGiraffe])
	flipped := g.index.pairs[v.lion][v.theirLion].mirror
	if flipped {
		v.lion, v.theirLion = mirrorSquare(v.lion), mirrorSquare(v.theirLion)
		v.e, v.g = v.e.mirrored(), v.g.mirrored()
	}
	n := uint8(g.squares - 1)
	for i, sq := range r.squares[:r.listed] {
		v.bits[i] = 1 << (n - sq)
		if flipped {
			v.bits[i] = mirror(v.bits[i])
		}
	}
	v.pair = &g.index.pairs[v.lion][v.theirLion]
	v.images.set(&g.index, v.pair, v.e, v.g, r.chicks)
	v.occupied = 1<<v.lion | 1<<v.theirLion | v.e.both() | v.g.both()
	v.even = v.pair.symmetric && v.e.mirrored() == v.e && v.g.mirrored() == v.g

	v.attackers = v.e.mine()&g.stepsTo[kindElephant][v.theirLion] | v.g.mine()&g.stepsTo[kindGiraffe][v.theirLion]
	v.chickAttacks, v.henAttacks = g.stepsTo[kindChick][v.theirLion], g.stepsTo[kindHen][v.theirLion]

	// Their animals step in the other direction.
	v.captured = v.e.theirs()&g.steps[kindElephant][v.lion]|v.g.theirs()&g.steps[kindGiraffe][v.lion] != 0 ||
		g.steps[kindLion][v.lion]>>v.theirLion&1 != 0
	v.theirChickAttacks, v.theirHenAttacks = g.steps[kindChick][v.lion], g.steps[kindHen][v.lion]

	v.around = g.steps[kindLion][v.lion] &^ (v.e.mine() | v.g.mine())
	v.locked = !g.drops || v.e.hand()+v.g.hand() == 0
}

// seeChicks sets the chicks and hens of v from their digit.
func (r *reader) seeChicks(v *view, value uint64) {
	f := flock{n: uint32(r.chicks)}
	switch r.chicks {
	case 0:
		f.hand = uint32(r.g.board.chicks) - uint32(value)
	case 1:
		f.x, f.hand = chick{v.bits[value>>3&31], uint32(value>>1&3 ^ 2)}, uint32(1-value&1)
	default:
		pair := pairSquares[value>>4]
		f.x, f.y = chick{v.bits[pair.low&31], uint32(value>>2&3 ^ 2)}, chick{v.bits[pair.high&31], uint32(value&3 ^ 2)}
	}
	v.flock = f
	mine := f.x.bit&-(f.x.state>>1) | f.y.bit&-(f.y.state>>1)
	v.both = f.x.bit | f.y.bit
	v.theirs = v.both &^ mine
	v.hens = f.x.bit&-(f.x.state&1) | f.y.bit&-(f.y.state&1)
}

// chickAttackers returns the squares of chicks and hens that attack their lion.
func (v *view) chickAttackers() uint32 {
	return v.both &^ v.theirs & (v.chickAttacks&^v.hens | v.henAttacks&v.hens)
}

// isEven reports whether the board is its own mirror image.
func (v *view) isEven() bool {
	if !v.even {
		return false
	}
	m := v.flock.mirrored()
	return m == v.flock || m.exchanged() == v.flock
}

// theirHand returns how many chicks the opponent has in hand.
func (b *board) theirHand(f flock) int { return b.chicks - int(f.n+f.hand) }
