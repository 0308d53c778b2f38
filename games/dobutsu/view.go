package dobutsu

// Moves and their inverses are made on the board as the opponent of the side to move
// sees it, turned and, if the index wants that, mirrored: what was theirs is mine. No
// move but the lion's changes that view, so only squares change from move to move.

// noIndex is larger than any index.
const noIndex = 1 << 62

// image is what the index of a board has in common with those of all boards with the
// same lions, elephants and giraffes. One without free squares is none.
type image struct {
	first  uint64 // first index with as many chicks on the board as in the run
	base   uint64 // of the lions
	high   uint64 // digits E and G together
	cohort int    // with no chick on the board
	free   uint32 // squares without an animal
}

// images are a board and its mirror image: those that have indices.
type images struct{ board, mirror image }

// men are elephants and giraffes, and their mirror images.
type men struct{ e, g, mirrorE, mirrorG spots }

func menOf(e, g packed) men {
	return men{spotsOf(e), spotsOf(g), spotsOf(e.mirrored()), spotsOf(g.mirrored())}
}

// replace replaces the animals of a kind.
func (m *men) replace(k kind, w packed) {
	if k == kindElephant {
		m.e, m.mirrorE = spotsOf(w), spotsOf(w.mirrored())
	} else {
		m.g, m.mirrorG = spotsOf(w), spotsOf(w.mirrored())
	}
}

// set sets the image of a board with these animals, in a run with so many chicks.
func (x *image) set(t *indexTables, pair *lionPair, e, g *spots, chicks int) {
	free := pair.free &^ e.both
	x.base, x.cohort, x.free = pair.base, 9*e.onBoard+3*g.onBoard, free&^g.both
	c := &t.cohorts[x.cohort+chicks]
	x.high = e.digit(pair.free)*c.giraffes + g.digit(free)
	x.first = x.base + c.base + x.high*c.chicks
}

// index returns the index with these chicks and hens.
func (x *image) index(t *indexTables, f flock) uint64 {
	c := &t.cohorts[x.cohort+f.n]
	return x.base + c.base + x.high*c.chicks + f.digit(x.free)
}

func (x *images) set(t *indexTables, pair *lionPair, m *men, chicks int) {
	if pair.mirror {
		x.board.first, x.board.free = noIndex, 0
	} else {
		x.board.set(t, pair, &m.e, &m.g, chicks)
	}
	if pair.mirror || pair.symmetric {
		x.mirror.set(t, pair, &m.mirrorE, &m.mirrorG, chicks)
	} else {
		x.mirror.first, x.mirror.free = noIndex, 0
	}
}

func (x *images) index(t *indexTables, f flock) uint64 {
	i := uint64(noIndex)
	if x.board.free != 0 {
		i = x.board.index(t, f)
	}
	if x.mirror.free != 0 {
		i = min(i, x.mirror.index(t, f.mirrored()))
	}
	return i
}

// view is the board of the positions of a run. Only chicks and hens differ from one to
// the next.
type view struct {
	lion, theirLion int
	e, g            packed
	men             men
	pair            *lionPair
	images          images
	occupied        uint32 // squares of lions, elephants and giraffes
	even            bool   // the board is its own mirror image, but for chicks and hens

	// Squares of elephants and giraffes that attack the lion which is theirs, and
	// the squares from which chicks and hens attack it.
	attackers, chickAttacks, henAttacks uint32

	// What attacks the lion which is mine, so that the side to move captures it.
	captured                           bool
	theirChickAttacks, theirHenAttacks uint32

	// The side to move after it can neither drop nor, if its chicks and hens fill the
	// squares around, step with its lion.
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
	v.men = menOf(v.e, v.g)
	v.images.set(&g.index, v.pair, &v.men, r.chicks)
	v.occupied = 1<<v.lion | 1<<v.theirLion | v.men.e.both | v.men.g.both
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

// seeChicks shows chicks and hens by their digit.
func (r *reader) seeChicks(v *view, value uint64) {
	f := flock{n: r.chicks}
	switch r.chicks {
	case 0:
		f.hand = uint64(r.g.board.chicks) - value
	case 1:
		f.x, f.xs, f.hand = v.bits[value>>3&31], value>>1&3^2, 1-value&1
	default:
		pair := pairSquares[value>>4]
		f.x, f.y = v.bits[pair.low&31], v.bits[pair.high&31]
		f.xs, f.ys = value>>2&3^2, value&3^2
	}
	v.flock = f
	mine := f.x&-uint32(f.xs>>1) | f.y&-uint32(f.ys>>1)
	v.both = f.x | f.y
	v.theirs = v.both &^ mine
	v.hens = f.x&-uint32(f.xs&1) | f.y&-uint32(f.ys&1)
}

// chickAttackers returns the squares of chicks and hens that attack the lion which is
// theirs.
func (v *view) chickAttackers() uint32 {
	return v.both &^ v.theirs & (v.chickAttacks&^v.hens | v.henAttacks&v.hens)
}

// isEven reports whether the board is its own mirror image.
func (v *view) isEven() bool {
	f := &v.flock
	return v.even && (mirror(f.x) == f.x && mirror(f.y) == f.y || mirror(f.x) == f.y && f.xs == f.ys)
}

// theirHand returns how many chicks the opponent has in hand.
func (b *board) theirHand(f *flock) uint64 { return uint64(b.chicks-f.n) - f.hand }

// placing is what the digit of chicks and hens has in common for all positions with them
// on the same squares: how far it shifts their states, on the board and its mirror image.
type placing struct{ x, y, mirrorX, mirrorY uint64 }

func placingOf(f flock) (p placing) {
	p.x, p.y = f.shifts()
	p.mirrorX, p.mirrorY = f.mirrored().shifts()
	return p
}

// states returns the part of the digit that is not about squares.
func (p *placing) states(f *flock) (board, mirror uint64) {
	return f.xs<<(p.x&63) + f.ys<<(p.y&63) + f.hand, f.xs<<(p.mirrorX&63) + f.ys<<(p.mirrorY&63) + f.hand
}
