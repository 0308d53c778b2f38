package dobutsu

// Moves and their inverses are made on the board as the opponent of the side to move
// sees it, turned and, if the index wants that, mirrored: what was theirs is mine. No
// move but the lion's changes that view, so only squares change from move to move.

// image is what the index of a board has in common with those of all boards with the
// same lions, elephants and giraffes. The zero image is none.
type image struct {
	base   uint64 // of the lions
	high   uint64 // digits E and G together
	cohort int    // with no chick on the board
	free   uint32 // squares without an animal
}

// images are a board and its mirror image: those that have indices.
type images struct{ board, mirror image }

func (t *indexTables) imageOf(pair *lionPair, e, g packed) image {
	es, gs := spotsOf(e), spotsOf(g)
	cohort := 9*int(es.onBoard) + 3*int(gs.onBoard)
	free := pair.free &^ e.both()
	return image{
		base:   pair.base,
		high:   es.digit(pair.free)*t.cohorts[cohort].giraffes + gs.digit(free),
		cohort: cohort, free: free &^ g.both(),
	}
}

func (t *indexTables) imagesOf(pair *lionPair, e, g packed) (x images) {
	if !pair.mirror {
		x.board = t.imageOf(pair, e, g)
	}
	if pair.mirror || pair.symmetric {
		x.mirror = t.imageOf(pair, e.mirrored(), g.mirrored())
	}
	return x
}

// noIndex is larger than any index.
const noIndex = 1 << 62

// first returns the first index of the image with so many chicks on the board, or
// noIndex if there is no image.
func (t *indexTables) first(x *image, chicks uint8) uint64 {
	if x.free == 0 {
		return noIndex
	}
	c := &t.cohorts[x.cohort+int(chicks)]
	return x.base + c.base + x.high*c.chicks
}

// index returns the index of a board with these chicks.
func (t *indexTables) index(x *images, c packed) uint64 {
	i := uint64(noIndex)
	if x.board.free != 0 {
		s := chickSpotsOf(c)
		i = t.first(&x.board, s.onBoard) + s.digit(x.board.free)
	}
	if x.mirror.free != 0 {
		s := chickSpotsOf(c.mirrored())
		i = min(i, t.first(&x.mirror, s.onBoard)+s.digit(x.mirror.free))
	}
	return i
}

// view is the board of the positions of a run. Only chicks and hens differ from one to
// the next.
type view struct {
	layout
	pair     *lionPair
	flipped  bool // mirrored
	images   images
	occupied uint32 // squares of lions, elephants and giraffes
	even     bool   // the board is its own mirror image, but for chicks and hens

	// Squares of elephants and giraffes that attack the lion which is theirs, and
	// the squares from which chicks and hens attack it.
	attackers, chickAttacks, henAttacks uint32

	// What decides whether the side to move could capture the lion which is mine,
	// in the same way.
	captured                           bool
	theirChickAttacks, theirHenAttacks uint32

	// The side to move can neither drop nor, if its chicks and hens fill these
	// squares, step with its lion.
	locked bool
	around uint32
}

// makeView makes the view of the run that was read.
func (r *reader) makeView(v *view) {
	g := r.g
	v.lion, v.theirLion = g.turnSquare(r.theirLion), g.turnSquare(r.lion)
	if v.flipped = g.index.pairs[v.lion][v.theirLion].mirror; v.flipped {
		v.lion, v.theirLion = mirrorSquare(v.lion), mirrorSquare(v.theirLion)
	}
	v.pair = &g.index.pairs[v.lion][v.theirLion]
	e, gi := r.seen(v, kindElephant), r.seen(v, kindGiraffe)
	v.men[kindElephant], v.men[kindGiraffe] = e, gi
	v.images = g.index.imagesOf(v.pair, e, gi)
	v.occupied = 1<<v.lion | 1<<v.theirLion | e.both() | gi.both()
	v.even = v.pair.symmetric && e.mirrored() == e && gi.mirrored() == gi

	v.attackers = e.mine()&g.stepsTo[kindElephant][v.theirLion] | gi.mine()&g.stepsTo[kindGiraffe][v.theirLion]
	v.chickAttacks, v.henAttacks = g.stepsTo[kindChick][v.theirLion], g.stepsTo[kindHen][v.theirLion]

	// Their animals step in the other direction.
	v.captured = e.theirs()&g.steps[kindElephant][v.lion]|gi.theirs()&g.steps[kindGiraffe][v.lion] != 0 ||
		g.steps[kindLion][v.lion]>>v.theirLion&1 != 0
	v.theirChickAttacks, v.theirHenAttacks = g.steps[kindChick][v.lion], g.steps[kindHen][v.lion]

	v.around = g.steps[kindLion][v.lion] &^ (e.mine() | gi.mine())
	v.locked = !g.drops || e.hand()+gi.hand() == 0
}

// seen returns the animals of a kind as the view shows them.
func (r *reader) seen(v *view, k kind) packed {
	w := r.g.swapped64(r.men[k])
	if v.flipped {
		w = w.mirrored()
	}
	return w
}
