package dobutsu

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

// An index is built from digits:
//
//	index = placements*lions + cohort + (E*giraffes + G)*chicks + C
//
// lions is the number of the pair of lion squares, with mirror images merged; pairs where the
// game can be unfinished come first. A cohort is the number of elephants, giraffes and chicks
// on the board (0 to 2 each); cohort is its first index, and giraffes and chicks are how many
// values G and C have in it. The digits E, G and C say where the two animals of a kind are
// and whose, among the squares that the kinds before leave free:
//
//	two on the board   pair*4 + owner, owner        (chicks: pair*16 + state, state)
//	one on the board   square*4 + owner*2 + hand    (chicks: square*8 + state*2 + hand)
//	none               hand
//
// where pair is the rank of two squares low < high among the free ones,
// high*(high-1)/2 + low, owner is 1 for the side to move, state is owner*2 + 1
// for a hen, and hand is how many the side to move has in hand.
//
// Where both lions stand on the middle file, both mirror images have indices;
// the smaller one counts and the other is a hole.

// packed is where the animals of one kind are: squares of the side to move from bit 0
// on, hens of either (chicks only) from bit 20, squares of the opponent from bit 40, and
// how many either has in hand in the four highest bits. So turning the board reverses
// the lower 60 bits.
type packed uint64

const (
	hensShift   = fieldBits
	theirsShift = 2 * fieldBits
	handShift   = 3 * fieldBits

	mineInHand   packed = 1 << handShift
	theirsInHand packed = 4 << handShift
)

func (w packed) mine() uint32      { return uint32(w) & fieldMask }
func (w packed) hens() uint32      { return uint32(w>>hensShift) & fieldMask }
func (w packed) theirs() uint32    { return uint32(w>>theirsShift) & fieldMask }
func (w packed) both() uint32      { return uint32(w|w>>theirsShift) & fieldMask }
func (w packed) hand() uint64      { return uint64(w>>handShift) & 3 }
func (w packed) theirHand() uint64 { return uint64(w >> (handShift + 2)) }

// at returns a word with the squares of set in all three fields.
func at(set uint32) packed { return packed(set) * (1 + 1<<hensShift + 1<<theirsShift) }

// mirrored returns w with left and right exchanged.
func (w packed) mirrored() packed {
	return w&(middleFile|15<<handShift) | w&leftFile<<2 | w>>2&leftFile
}

// swapped64 returns w as the opponent sees it.
func (b *board) swapped64(w packed) packed {
	hands := w >> handShift
	return packed(bits.Reverse64(uint64(w<<4>>4))>>(24-b.squares)) | (hands>>2|hands&3<<2)<<handShift
}

// layout is a position in packed form: the squares of both lions, and the other
// animals by kind.
type layout struct {
	lion, theirLion int
	men             [kindHen]packed
}

func (p *Position) layout() layout {
	l := layout{lion: p.mine.lion(), theirLion: p.theirs.lion()}
	for k := range kindHen {
		l.men[k] = packed(p.mine.board[k]) | packed(p.theirs.board[k])<<theirsShift |
			packed(p.mine.hand[k])*mineInHand | packed(p.theirs.hand[k])*theirsInHand
	}
	l.men[kindChick] |= packed(p.mine.board[kindHen]) | packed(p.theirs.board[kindHen])<<theirsShift |
		packed(p.mine.board[kindHen]|p.theirs.board[kindHen])<<hensShift
	return l
}

func (l *layout) position() Position {
	var p Position
	p.mine.board[kindLion], p.theirs.board[kindLion] = 1<<l.lion, 1<<l.theirLion
	for k := range kindHen {
		w := l.men[k]
		p.mine.board[k], p.theirs.board[k] = w.mine()&^w.hens(), w.theirs()&^w.hens()
		p.mine.hand[k], p.theirs.hand[k] = uint8(w.hand()), uint8(w.theirHand())
	}
	chicks := l.men[kindChick]
	p.mine.board[kindHen], p.theirs.board[kindHen] = chicks.mine()&chicks.hens(), chicks.theirs()&chicks.hens()
	return p
}

// lionPair has the index data of a pair of lion squares.
type lionPair struct {
	base      uint64 // first index of the pair or of its mirror image
	free      uint32 // squares without a lion, mirrored if mirror is set
	legal     bool   // the pair can be in a position
	mirror    bool   // the mirror image is the one that has indices
	symmetric bool   // both lions stand on the middle file
}

// cohort describes the placements with given numbers of elephants, giraffes and chicks on the
// board.
type cohort struct {
	base             uint64 // first index
	giraffes, chicks uint64 // numbers of values of G and C
}

type indexTables struct {
	pairs [32][32]lionPair // by the squares of both lions
	lions [][2]uint8       // the pairs that have indices
	open  uint64           // how many indices may be unfinished

	// placements is how many ways there are to place the other animals once the
	// lions stand.
	placements uint64
	// cohorts are in order of their indices: the one with e elephants, g giraffes and c
	// chicks on the board is cohorts[9*e+3*g+c].
	cohorts [27]cohort
}

// pairSquares inverts the rank of a pair.
var pairSquares = func() (list [fieldBits * (fieldBits - 1) / 2]struct{ low, high uint8 }) {
	rank := 0
	for high := range uint8(fieldBits) {
		for low := range high {
			list[rank].low, list[rank].high = low, high
			rank++
		}
	}
	return list
}()

func (t *indexTables) init(b *board, try bool) {
	t.initCohorts(b)
	// add gives indices to the pairs that are open, or to the others.
	add := func(open bool) {
		for mine := range b.squares {
			for theirs := range b.squares {
				near := b.steps[kindLion][mine]>>theirs&1 != 0
				tried := try && b.home>>theirs&1 != 0
				legal := mine != theirs && !(try && b.far>>mine&1 != 0)
				if !legal || (near || tried) == open || t.pairs[mine][theirs].legal {
					continue
				}
				pair := lionPair{
					base:  uint64(len(t.lions)) * t.placements,
					free:  b.all &^ (1<<mine | 1<<theirs),
					legal: true,
				}
				image := pair
				image.mirror = true
				pair.symmetric = mine%files == 1 && theirs%files == 1
				t.pairs[mirrorSquare(mine)][mirrorSquare(theirs)] = image
				t.pairs[mine][theirs] = pair
				t.lions = append(t.lions, [2]uint8{uint8(mine), uint8(theirs)})
			}
		}
	}
	add(true)
	t.open = uint64(len(t.lions)) * t.placements
	add(false)
}

func (t *indexTables) initCohorts(b *board) {
	// values returns how many values a digit has.
	values := func(k kind, onBoard, free, states int) uint64 {
		total := b.total(k)
		switch {
		case onBoard > total:
			return 0
		case onBoard == 0:
			return uint64(total + 1)
		case onBoard == 1:
			return uint64(free * 2 * states)
		}
		return uint64(free * (free - 1) / 2 * states * states)
	}
	free := b.squares - 2
	for i := range t.cohorts {
		e, g, c := i/9, i/3%3, i%3
		x := cohort{
			base:     t.placements,
			giraffes: values(kindGiraffe, g, free-e, 2),
			chicks:   values(kindChick, c, free-e-g, 4),
		}
		t.placements += values(kindElephant, e, free, 2) * x.giraffes * x.chicks
		t.cohorts[i] = x
	}
}

// spots are the elephants or giraffes on the board, and their digit.
type spots struct {
	both    uint32
	onBoard int
	digit   uint64
}

// pairDigits has the ranks of pairs of squares, times 16, by how many free squares are
// below each.
var pairDigits = func() (table [16][16]uint16) {
	for rank, pair := range pairSquares[:16*15/2] {
		table[pair.low][pair.high] = uint16(rank) << 4
		table[pair.high][pair.low] = uint16(rank) << 4
	}
	return table
}()

// spotsOf returns the elephants or giraffes of a word, given the free squares.
func spotsOf(w packed, free uint32) spots {
	both, mine := w.both(), w.mine()
	low := both & -both
	high := both ^ low
	at := bits.OnesCount32(free & (low - 1))
	state := uint64(bits.OnesCount32(mine&low)+bits.OnesCount32(mine)) + w.hand()
	switch {
	case high != 0:
		return spots{both, 2, uint64(pairDigits[at&15][bits.OnesCount32(free&(high-1))&15])>>2 + state}
	case low != 0:
		return spots{both, 1, uint64(at)<<2 + state}
	}
	return spots{digit: state}
}

// chick is a chick or hen on the square of a bit.
type chick struct{ bit, state uint32 }

// flock is the chicks and hens: x and y are those on the board, x first, n is their number,
// and hand is the number of chicks that the side to move has in hand. It is small enough to
// be kept in registers.
type flock struct {
	x, y    chick
	n, hand uint32
}

func flockOf(w packed) flock {
	both := w.both()
	x := both & -both
	state := func(bit uint32) uint32 {
		return uint32(2*bits.OnesCount32(w.mine()&bit) + bits.OnesCount32(w.hens()&bit))
	}
	return flock{chick{x, state(x)}, chick{both ^ x, state(both ^ x)}, uint32(bits.OnesCount32(both)), uint32(w.hand())}
}

func (f flock) mirrored() flock {
	f.x.bit, f.y.bit = mirror(f.x.bit), mirror(f.y.bit)
	return f
}

// exchanged returns f with x and y exchanged.
func (f flock) exchanged() flock {
	f.x, f.y = f.y, f.x
	return f
}

// without returns f without the animal on the square of bit.
func (f flock) without(bit uint32) flock {
	if f.x.bit == bit {
		f.x = f.y
	}
	f.n, f.y = f.n-1, chick{}
	return f
}

// with returns f with another animal.
func (f flock) with(c chick) flock {
	if f.n == 0 {
		f.x = c
	} else {
		f.y = c
	}
	f.n++
	return f
}

// shift returns how far the state of x is shifted in the digit. The state of y is shifted by
// 2 minus that; with both on the board none is in hand.
func (f flock) shift() uint32 {
	if f.n < 2 {
		return 1
	}
	return uint32((int64(f.x.bit)-int64(f.y.bit))>>63) & 2 // no branch: x and y are in no fixed order
}

// digit returns the digit, given the free squares.
func (f flock) digit(free uint32) uint64 {
	switch f.n {
	case 2:
		return f.pairDigit(free)
	case 1:
		return uint64(bits.OnesCount32(free&(f.x.bit-1)))<<3 + uint64(f.x.state<<1+f.hand)
	}
	return uint64(f.hand)
}

// pairDigit returns the digit of two on the board. It is small enough to be inlined.
func (f flock) pairDigit(free uint32) uint64 {
	x, y := bits.OnesCount32(free&(f.x.bit-1)), bits.OnesCount32(free&(f.y.bit-1))
	shift := f.shift()
	return uint64(pairDigits[x&15][y&15]) + uint64(f.x.state<<shift+f.y.state<<(2-shift))
}

// Tiers implements [games.Indexer]. There is one tier: captured animals come
// back.
func (g *Game) Tiers() []games.Tier {
	return []games.Tier{{
		Size: uint64(len(g.index.lions)) * g.index.placements,
		Open: g.index.open,
	}}
}

// Index implements [games.Indexer].
func (g *Game) Index(p Position) (uint64, error) {
	l := p.layout()
	if !g.index.pairs[l.lion][l.theirLion].legal {
		return 0, fmt.Errorf("no index for %q: no game gets there", g.AppendPosition(nil, p))
	}
	return g.rankWithLions(&l), nil
}

// rankWithLions returns the index of a position.
func (g *Game) rankWithLions(l *layout) uint64 {
	var x images
	x.set(&g.index, &g.index.pairs[l.lion][l.theirLion], l.men[kindElephant], l.men[kindGiraffe], 0)
	return x.index(&g.index, flockOf(l.men[kindChick]))
}

// Position implements [games.Indexer]. In canonical positions sente is to move.
func (g *Game) Position(index uint64) (Position, bool) {
	if index >= uint64(len(g.index.lions))*g.index.placements {
		return Position{}, false
	}
	var r reader
	r.g = g
	if !r.read(index) {
		return Position{}, false
	}
	return r.position(), true
}

// Canonical implements [games.Canonicalizer].
func (g *Game) Canonical(p Position) Position {
	index, err := g.Index(p)
	if err != nil {
		return p
	}
	q, _ := g.Position(index)
	return q
}

// reader reads positions by index. A run is the indices of positions that differ only in
// their chicks and hens, on the board and in hand. What they have in common is read once, so
// reading indices in ascending order is fastest.
type reader struct {
	g *Game
	layout
	begin, end uint64 // indices of the run
	pair       *lionPair
	free       uint32    // squares without lion, elephant and giraffe
	chicks     int       // on the board
	squares    [32]uint8 // squares without a lion, elephant or giraffe, in order
	listed     int       // number of them

	// image compares the part of the mirror image's rank that is common to the run with the
	// same part of the board's rank. It is 1 if the mirror image has no index.
	image int
}

// read reads the position with the given index, which must be in range, and
// returns false for a hole.
func (r *reader) read(index uint64) bool {
	if index-r.begin >= r.end-r.begin {
		r.readRun(index)
	}
	r.readChicks(index - r.begin)
	c := r.men[kindChick]
	if r.image < 0 || r.image == 0 && flockOf(c.mirrored()).digit(mirror(r.free)) < flockOf(c).digit(r.free) {
		return false
	}
	dead := (c.mine()&r.g.far | c.theirs()&r.g.home) &^ c.hens()
	return dead == 0 || r.g.farChicks
}

// readRun reads all but chicks and hens, and finds the run of an index.
func (r *reader) readRun(index uint64) {
	t := &r.g.index
	lions := index / t.placements
	r.begin = lions * t.placements
	squares := t.lions[lions]
	r.lion, r.theirLion = int(squares[0]), int(squares[1])
	r.pair = &t.pairs[squares[0]][squares[1]]
	rank := index - r.begin
	at := len(t.cohorts) - 1 // the last cohorts are the largest
	for t.cohorts[at].base > rank {
		at--
	}
	x := &t.cohorts[at]
	high := (rank - x.base) / x.chicks
	r.begin += x.base + high*x.chicks
	r.end = r.begin + x.chicks
	r.chicks = at % 3

	r.listSquares(r.pair.free)
	elephant := high / x.giraffes
	r.men[kindElephant] = r.animals(elephant, at/9, 2)
	r.free = r.pair.free &^ r.men[kindElephant].both()
	r.listSquares(r.free)
	r.men[kindGiraffe] = r.animals(high-elephant*x.giraffes, at/3%3, 2)
	r.free &^= r.men[kindGiraffe].both()
	r.listSquares(r.free)

	if r.image = 1; r.pair.symmetric {
		e, g := r.men[kindElephant].mirrored(), r.men[kindGiraffe].mirrored()
		var mirror image
		mirror.set(t, r.pair, e, g, r.chicks)
		r.image = cmp.Compare(mirror.high, high)
	}
}

// listSquares lists the squares of a set in ascending order.
func (r *reader) listSquares(set uint32) {
	for r.listed = 0; set != 0; set &= set - 1 {
		r.squares[r.listed] = uint8(bits.TrailingZeros32(set))
		r.listed++
	}
}

// animals is the inverse of spotsOf, for a kind with onBoard animals on the listed squares
// and total animals in the game.
func (r *reader) animals(value uint64, onBoard, total int) packed {
	hand := func(mine uint64) packed {
		return packed(mine)*mineInHand + packed(uint64(total-onBoard)-mine)*theirsInHand
	}
	animal := func(at uint8, owner uint64) packed { return 1 << (uint64(r.squares[at]) + theirsShift*(1-owner)) }
	switch onBoard {
	case 0:
		return hand(value)
	case 1:
		return animal(uint8(value>>2), value>>1&1) | hand(value&1)
	}
	pair := pairSquares[value>>2]
	return animal(pair.low, value>>1&1) | animal(pair.high, value&1)
}

// chickStates[state] times a square is an animal of that state on it.
var chickStates = [4]packed{1 << theirsShift, 1<<theirsShift | 1<<hensShift, 1, 1 | 1<<hensShift}

// readChicks reads chicks and hens from their digit.
func (r *reader) readChicks(value uint64) {
	bit := func(at uint8) packed { return 1 << (r.squares[at] & 31) }
	var c packed
	switch r.chicks {
	case 0:
		c = packed(value)*mineInHand + packed(uint64(r.g.chicks)-value)*theirsInHand
	case 1:
		c = bit(uint8(value>>3))*chickStates[value>>1&3] + packed(value&1)*mineInHand + packed(1-value&1)*theirsInHand
	default:
		pair := pairSquares[value>>4]
		c = bit(pair.low)*chickStates[value>>2&3] + bit(pair.high)*chickStates[value&3]
	}
	r.men[kindChick] = c
}
