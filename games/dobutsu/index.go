package dobutsu

import (
	"fmt"
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

// An index is built from digits:
//
//	index = placements*lions + cohort + (E*giraffes + G)*chicks + C
//
// lions numbers the pairs of lion squares, mirror images merged; those where
// the game can be unfinished come first. A cohort is the number of elephants,
// giraffes and chicks on the board (0 to 2 each); cohort is its first index,
// and giraffes and chicks are how many values G and C have in it. The digits E,
// G and C say where the two animals of a kind are and whose, among the squares
// that the kinds before leave free:
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

// placements is how many ways there are to place the other animals once the
// lions stand.
const placements = 11_878_227

// packed is where the two animals of one kind are: squares of the side to move
// in bits 0 to 11, of the opponent from bit 16, hens of either (chicks only)
// from bit 32, and how many the side to move has in hand from bit 48.
type packed uint64

const (
	theirsShift = 16
	hensShift   = 32
	handShift   = 48
)

func (w packed) mine() uint16   { return uint16(w) & allSquares }
func (w packed) theirs() uint16 { return uint16(w>>theirsShift) & allSquares }
func (w packed) hens() uint16   { return uint16(w>>hensShift) & allSquares }
func (w packed) both() uint16   { return uint16(w|w>>theirsShift) & allSquares }
func (w packed) hand() uint32   { return uint32(w >> handShift) }

// theirHand returns how many the opponent has in hand.
func (w packed) theirHand() uint32 {
	return 2 - w.hand() - uint32(bits.OnesCount16(w.both()))
}

// at returns a word with the squares of set in all three fields.
func at(set uint16) packed { return packed(set) * (1 + 1<<theirsShift + 1<<hensShift) }

// moved returns w with its squares moved by the table t.
func (w packed) moved(t *[1 << squares]uint16) packed {
	return w&^(1<<handShift-1) | packed(t[w.mine()]) | packed(t[w.theirs()])<<theirsShift | packed(t[w.hens()])<<hensShift
}

// swapped returns w seen by the opponent, with its squares moved by the table t.
func (w packed) swapped(t *[1 << squares]uint16) packed {
	return packed(t[w.theirs()]) | packed(t[w.mine()])<<theirsShift | packed(t[w.hens()])<<hensShift | packed(w.theirHand())<<handShift
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
		l.men[k] = packed(p.mine.board[k]) | packed(p.theirs.board[k])<<theirsShift | packed(p.mine.hand[k])<<handShift
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
	hens := l.men[kindChick].hens()
	p.mine.board[kindHen], p.theirs.board[kindHen] = l.men[kindChick].mine()&hens, l.men[kindChick].theirs()&hens
	return p
}

// attackers returns the squares from which the side to move attacks a square
// with animals other than the lion.
func (l *layout) attackers(sq int) uint16 {
	chicks := l.men[kindChick]
	return l.men[kindElephant].mine()&stepsTo[kindElephant][sq] |
		l.men[kindGiraffe].mine()&stepsTo[kindGiraffe][sq] |
		chicks.mine()&chicks.hens()&stepsTo[kindHen][sq] |
		chicks.mine()&^chicks.hens()&stepsTo[kindChick][sq]
}

// lionPair is what the index knows of a pair of lion squares.
type lionPair struct {
	base      uint64 // first index of the pair or of its mirror image
	occupied  uint16 // squares of both lions, mirrored if mirror is set
	legal     bool   // the pair can be in a position
	mirror    bool   // the mirror image is the one that has indices
	symmetric bool   // both lions stand on the middle file
}

type indexTables struct {
	pairs [squares][squares]lionPair // by the squares of both lions
	lions [][2]uint8                 // the pairs that have indices
	open  uint64                     // how many indices may be unfinished
}

// cohort is a number of animals on the board by kind, and its indices.
type cohort struct {
	base             uint32 // first index
	giraffes, chicks uint32 // numbers of values of G and C
	board            [kindHen]uint8
}

var (
	cohorts [27]cohort // in order of their indices
	// cohortOf is cohorts by the number of elephants, giraffes and chicks on
	// the board, two bits each.
	cohortOf [64]cohort
	// freeBelow has for a set of occupied squares, four bits for each square,
	// the number of free squares below it; freeAt has the free squares in
	// ascending order.
	freeBelow, freeAt [1 << squares]uint64
	// pairLow and pairHigh invert the rank of a pair.
	pairLow, pairHigh [66]uint8
)

func init() {
	for set := range freeBelow {
		free := 0
		for sq := range squares {
			freeBelow[set] |= uint64(free) << (4 * sq)
			if set>>sq&1 == 0 {
				freeAt[set] |= uint64(sq) << (4 * free)
				free++
			}
		}
	}
	rank := 0
	for high := range uint8(squares) {
		for low := range high {
			pairLow[rank], pairHigh[rank] = low, high
			rank++
		}
	}
	// values returns how many values a digit has.
	values := func(onBoard, free, states uint32) uint32 {
		switch onBoard {
		case 0:
			return 3
		case 1:
			return free * 2 * states
		}
		return free * (free - 1) / 2 * states * states
	}
	next := uint32(0)
	for i := range cohorts {
		e, g, c := uint32(i/9), uint32(i/3%3), uint32(i%3)
		x := cohort{
			base:     next,
			giraffes: values(g, 10-e, 2),
			chicks:   values(c, 10-e-g, 4),
			board:    [kindHen]uint8{uint8(e), uint8(g), uint8(c)},
		}
		next += values(e, 10, 2) * x.giraffes * x.chicks
		cohorts[i] = x
		cohortOf[e|g<<2|c<<4] = x
	}
	if next != placements {
		panic(fmt.Sprintf("dobutsu: %d placements, want %d", next, placements))
	}
}

func (t *indexTables) init(try bool) {
	// add gives indices to the pairs that are open, or to the others.
	add := func(open bool) {
		for mine := range squares {
			for theirs := range squares {
				near := steps[kindLion][mine]>>theirs&1 != 0
				tried := try && homeRank>>theirs&1 != 0
				legal := mine != theirs && !(try && farRank>>mine&1 != 0)
				if !legal || (near || tried) == open || t.pairs[mine][theirs].legal {
					continue
				}
				mirrorOf := func(sq int) int { return sq/3*3 + 2 - sq%3 }
				pair := lionPair{
					base:     uint64(len(t.lions)) * placements,
					occupied: 1<<mine | 1<<theirs,
					legal:    true,
				}
				image := pair
				image.mirror = true
				pair.symmetric = mine%3 == 1 && theirs%3 == 1
				t.pairs[mirrorOf(mine)][mirrorOf(theirs)] = image
				t.pairs[mine][theirs] = pair
				t.lions = append(t.lions, [2]uint8{uint8(mine), uint8(theirs)})
			}
		}
	}
	add(true)
	t.open = uint64(len(t.lions)) * placements
	add(false)
}

// digit returns the digit of a kind of animal other than the chick, and its
// number on the board.
func digit(occupied uint16, w packed) (value, onBoard uint32) {
	both := w.both()
	if both == 0 {
		return w.hand(), 0
	}
	free := freeBelow[occupied&allSquares]
	low := bits.TrailingZeros16(both)
	rest := both & (both - 1)
	at := uint32(free>>(4*low&63)) & 15
	owner := uint32(w>>(low&15)) & 1
	if rest == 0 {
		return at*4 + owner*2 + w.hand(), 1
	}
	high := bits.TrailingZeros16(rest)
	above := uint32(free>>(4*high&63)) & 15
	return (above*(above-1)/2+at)*4 + owner*2 + uint32(w>>(high&15))&1, 2
}

// chickDigit is digit for chicks and hens.
func chickDigit(occupied uint16, w packed) (value, onBoard uint32) {
	both := w.both()
	if both == 0 {
		return w.hand(), 0
	}
	free := freeBelow[occupied&allSquares]
	low := bits.TrailingZeros16(both)
	rest := both & (both - 1)
	at := uint32(free>>(4*low&63)) & 15
	state := uint32(w>>(low&15))&1*2 + uint32(w>>(hensShift+low&63))&1
	if rest == 0 {
		return at*8 + state*2 + w.hand(), 1
	}
	high := bits.TrailingZeros16(rest)
	above := uint32(free>>(4*high&63)) & 15
	return (above*(above-1)/2+at)*16 + state*4 + uint32(w>>(high&15))&1*2 + uint32(w>>(hensShift+high&63))&1, 2
}

// rank returns the part of the index behind the lions, which occupy the given
// squares.
func rank(lions uint16, e, g, c packed) uint32 {
	de, ne := digit(lions, e)
	lions |= e.both()
	dg, ng := digit(lions, g)
	lions |= g.both()
	dc, nc := chickDigit(lions, c)
	x := &cohortOf[(ne|ng<<2|nc<<4)&63]
	return x.base + (de*x.giraffes+dg)*x.chicks + dc
}

// rankOf returns rank for a pair of lions; the squares of e, g and c are those
// of the mirror image if the pair says so.
func (pair *lionPair) rankOf(e, g, c packed) uint64 {
	r := rank(pair.occupied, e, g, c)
	if pair.symmetric {
		r = min(r, rank(pair.occupied, e.moved(&mirrored), g.moved(&mirrored), c.moved(&mirrored)))
	}
	return pair.base + uint64(r)
}

// undigit is the inverse of digit, where hen is 0, or of chickDigit, where it is 1.
func undigit(occupied uint16, value uint32, onBoard uint8, hen uint) packed {
	free := freeAt[occupied&allSquares]
	// animal returns one animal on a square by its state.
	animal := func(sq, state uint32) packed {
		return 1<<((sq+theirsShift*(1-state>>(hen&1)&1))&63) | packed(state&uint32(hen))<<(hensShift+sq&63)
	}
	switch onBoard {
	case 0:
		return packed(value) << handShift
	case 1:
		at, state := value>>(2+hen&3), value>>1
		return animal(uint32(free>>(4*at&63))&15, state) | packed(value&1)<<handShift
	}
	pair := value >> (2 + 2*hen&7)
	low, high := uint32(free>>(4*pairLow[pair]&63))&15, uint32(free>>(4*pairHigh[pair]&63))&15
	return animal(low, value>>(1+hen&3)) | animal(high, value)
}

// cohortAt returns the cohort that the rank lies in; it tries hint first.
func cohortAt(r uint32, hint int) int {
	if r >= cohorts[hint].base && (hint == len(cohorts)-1 || r < cohorts[hint+1].base) {
		return hint
	}
	low, high := 0, len(cohorts)
	for high-low > 1 {
		if mid := (low + high) / 2; r >= cohorts[mid].base {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// Tiers implements [games.Indexer]. There is one tier: captured animals come
// back.
func (g *Game) Tiers() []games.Tier {
	return []games.Tier{{
		Size: uint64(len(g.index.lions)) * placements,
		Open: g.index.open,
	}}
}

// Index implements [games.Indexer].
func (g *Game) Index(p Position) (uint64, error) {
	l := p.layout()
	pair := &g.index.pairs[l.lion][l.theirLion]
	if !pair.legal {
		return 0, fmt.Errorf("no index for %q: no game gets there", g.AppendPosition(nil, p))
	}
	e, gi, c := l.men[kindElephant], l.men[kindGiraffe], l.men[kindChick]
	if pair.mirror {
		e, gi, c = e.moved(&mirrored), gi.moved(&mirrored), c.moved(&mirrored)
	}
	return pair.rankOf(e, gi, c), nil
}

// Position implements [games.Indexer]. In canonical positions sente is to move.
func (g *Game) Position(index uint64) (Position, bool) {
	if index >= uint64(len(g.index.lions))*placements {
		return Position{}, false
	}
	r := reader{g: g}
	if !r.read(index) {
		return Position{}, false
	}
	return r.position(), true
}

// reader reads positions by index. What a position has in common with the one
// before is not read again, so ascending indices are the quickest.
type reader struct {
	g *Game
	layout
	view view // by the opponent of the position; see prepare

	pair     *lionPair // of the position; nil before the first one
	lions    uint64    // digit
	cohort   int
	high     uint32 // digits E and G together
	occupied uint16 // squares of lions, elephants and giraffes
}

// read reads the position with the given index, which must be in range, and
// returns false for a hole.
func (r *reader) read(index uint64) bool {
	lions := index / placements
	rank := uint32(index - lions*placements)
	cohort := cohortAt(rank, r.cohort)
	x := &cohorts[cohort]
	rank -= x.base
	high := rank / x.chicks
	if r.pair == nil || lions != r.lions || cohort != r.cohort || high != r.high {
		r.readHigh(lions, high, x)
		r.lions, r.cohort, r.high = lions, cohort, high
	}
	chicks := undigit(r.occupied, rank-high*x.chicks, x.board[kindChick], 1)
	r.men[kindChick] = chicks
	if r.pair.symmetric && r.pair.rankOf(r.men[kindElephant], r.men[kindGiraffe], chicks) != index {
		return false
	}
	dead := (chicks.mine()&farRank | chicks.theirs()&homeRank) &^ chicks.hens()
	return dead == 0 || r.g.farChicks
}

// readHigh reads all but chicks and hens.
func (r *reader) readHigh(lions uint64, high uint32, x *cohort) {
	squares := r.g.index.lions[lions]
	r.lion, r.theirLion = int(squares[0]), int(squares[1])
	r.pair = &r.g.index.pairs[squares[0]][squares[1]]
	elephant := high / x.giraffes
	r.men[kindElephant] = undigit(r.pair.occupied, elephant, x.board[kindElephant], 0)
	r.occupied = r.pair.occupied | r.men[kindElephant].both()
	r.men[kindGiraffe] = undigit(r.occupied, high-elephant*x.giraffes, x.board[kindGiraffe], 0)
	r.occupied |= r.men[kindGiraffe].both()
	r.view.pair = nil
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
