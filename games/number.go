package games

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// MaxNumbered is the largest number of positions that [Number] numbers.
const MaxNumbered = 1 << 28

// ErrNotReached is returned by the Index of a [Numbering] for a position that cannot
// be reached from the start position.
var ErrNotReached = errors.New("not reachable from the start position")

// Numbering is an [Indexer] for a game that has none. If the game is a [Layerer], its tiers
// are the layers, the last first; if it is a [Scorer], there is a tier for each number of
// points that remain. Other games have one tier. The unfinished positions of a tier come
// first.
type Numbering[P comparable] struct {
	canonical   func(P) P
	text        func([]byte, P) []byte
	packing     *packing[P]
	positions   packedList
	tiers       []Tier
	table       []entry // hash table with open addressing
	fingerprint string
}

// NumberOptions are options of [Number].
type NumberOptions struct {
	// Memory is the number of bytes that the numbering may take; 0 means no limit.
	Memory uint64
	// Progress, if set, is told now and then of the positions found.
	Progress Progress
}

// Number numbers the positions reachable from the start position of g, in the order of a
// breadth-first search, so the same game always gets the same numbers. It fails if there
// are more than [MaxNumbered] positions, with [ErrTooMany], or with [ErrMemory] more than memory allows.
func Number[P, M comparable](ctx context.Context, g Game[P, M], o NumberOptions) (*Numbering[P], error) {
	f := newFinder(g, o)
	if err := f.begin(ctx); err != nil {
		return nil, err
	}
	if err := f.find(ctx, math.MaxInt); err != nil {
		return nil, err
	}
	f.sort()
	f.fingerprint = f.hash()
	return f.Numbering, nil
}

// CheckNumber fails as [Number] does, but soon, if random play shows that a game has more
// positions than can be numbered. Number does the same; it does not detect games that are only
// slightly too large.
func CheckNumber[P, M comparable](ctx context.Context, g Game[P, M], o NumberOptions) error {
	return newFinder(g, o).begin(ctx)
}

// tierKey returns the key of a position's tier, which no move increases.
func tierKey[P, M comparable](g Game[P, M]) func(P) int {
	if l, ok := g.(Layerer[P]); ok {
		return func(p P) int { return -l.Layer(p) }
	}
	if s, ok := g.(Scorer[P, M]); ok {
		return s.Remaining
	}
	return func(P) int { return 0 }
}

// finder finds the positions of a numbering. Until sort is called, they are numbered in the
// order in which they were found.
type finder[P, M comparable] struct {
	*Numbering[P]
	game    Game[P, M]
	options NumberOptions
	tier    func(P) int
	moves   []M
	words   []uint64
	places  []place          // those that positions have
	placeOf map[place]uint32 // their numbers
	found   []uint32         // the places of the positions
	next    int              // the first position whose moves have not been made
}

// place is the part of the index space that a position belongs to.
type place struct {
	tier     int
	finished bool
}

func newFinder[P, M comparable](g Game[P, M], o NumberOptions) *finder[P, M] {
	f := &finder[P, M]{game: g, options: o, tier: tierKey(g), placeOf: map[place]uint32{}}
	f.Numbering = &Numbering[P]{canonical: canonicalOf(g), text: g.AppendPosition, table: make([]entry, 1<<10)}
	start := f.canonical(g.Start())
	f.packing = newPacking(start)
	f.widen()
	f.add(start)
	return f
}

// begin finds the first positions. If there are more, it fails if random play shows that they are too many: for any memory,
// before it says that they are too many for the memory that there is.
func (f *finder[P, M]) begin(ctx context.Context) error {
	const first = 100_000
	err := f.find(ctx, first)
	if err != nil && !errors.Is(err, ErrMemory) || err == nil && f.next == f.positions.length {
		return err
	}
	return cmp.Or(checkPlays(ctx, f.game, f.most()), err)
}

// find finds positions until it has so many, or all.
func (f *finder[P, M]) find(ctx context.Context, enough int) error {
	for ; f.next < f.positions.length && f.positions.length < enough; f.next++ {
		if f.next%(1<<12) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if f.options.Progress != nil {
				f.options.Progress("positions", uint64(f.positions.length), 0)
			}
		}
		if err := f.expand(f.next); err != nil {
			return err
		}
		if most := f.most(); uint64(f.positions.length) > most {
			return tooMany(f.game, most)
		}
	}
	return nil
}

// most returns how many positions can be numbered, if none of them needs more words.
func (f *finder[P, M]) most() uint64 {
	if f.options.Memory == 0 {
		return MaxNumbered
	}
	// In bytes per position: the words, twice while they are sorted; the place, in a list that is copied when it grows; the
	// hash table, plus the old table of half its size while it grows; the new indices.
	const tables = 9 + 11 + 5 + 4
	return min(MaxNumbered, f.options.Memory/(16*uint64(f.positions.width)+f.packing.size()+tables))
}

// widen makes room for the words that positions have by now.
func (f *finder[P, M]) widen() {
	if width := f.packing.width(); width > f.positions.width {
		f.positions.widen(width)
		f.words = make([]uint64, width)
	}
}

// add numbers a position unless it has a number, and returns its place.
func (f *finder[P, M]) add(p P) uint32 {
	for !f.packing.pack(f.words, &p) {
		f.packing.learn(&p)
		f.widen()
	}
	slot, tag := f.slot(f.words)
	if e := f.table[slot]; e != 0 {
		return f.found[e.index()]
	}
	_, finished := f.game.Outcome(p)
	at := place{f.tier(p), finished}
	number, ok := f.placeOf[at]
	if !ok {
		number = uint32(len(f.places))
		f.placeOf[at], f.places = number, append(f.places, at)
	}
	i := f.positions.add()
	copy(f.positions.at(i), f.words)
	f.found = append(f.found, number)
	f.table[slot] = newEntry(uint32(i), tag)
	if 4*f.positions.length > 3*len(f.table) {
		f.table = make([]entry, 2*len(f.table))
		for i := range f.positions.length {
			slot, tag := f.slot(f.positions.at(i))
			f.table[slot] = newEntry(uint32(i), tag)
		}
	}
	return number
}

func (f *finder[P, M]) expand(at int) error {
	from := f.places[f.found[at]]
	if from.finished {
		return nil
	}
	p := f.packing.unpack(f.positions.at(at))
	if f.moves = f.game.AppendMoves(f.moves[:0], p); len(f.moves) == 0 {
		return bug(f.game, CheckPosition(f.game, p))
	}
	for _, m := range f.moves {
		q := f.canonical(f.game.Play(p, m))
		if to := f.places[f.add(q)]; to.tier > from.tier {
			return fmt.Errorf("%s: move %s in %q leads to %q, which is in an earlier layer or has more points left",
				f.game.Name(), f.game.AppendMove(nil, p, m), f.game.AppendPosition(nil, p), f.game.AppendPosition(nil, q))
		}
	}
	return nil
}

// sort sorts the positions by tier, unfinished ones first.
func (f *finder[P, M]) sort() {
	counts := make([]uint64, len(f.places))
	for _, at := range f.found {
		counts[at]++
	}
	order := make([]uint32, len(f.places))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		x, y := f.places[a], f.places[b]
		if x.tier == y.tier && x.finished != y.finished {
			if x.finished {
				return 1
			}
			return -1
		}
		return cmp.Compare(x.tier, y.tier)
	})
	next := make([]uint64, len(f.places))
	start := uint64(0)
	for i, at := range order {
		place := f.places[at]
		if i == 0 || f.places[order[i-1]].tier != place.tier {
			f.tiers = append(f.tiers, Tier{Start: start})
		}
		t := &f.tiers[len(f.tiers)-1]
		t.Size += counts[at]
		if !place.finished {
			t.Open = counts[at]
		}
		if f.places[order[0]].tier != f.places[order[len(order)-1]].tier {
			t.Name = strconv.Itoa(max(place.tier, -place.tier))
		}
		next[at] = start
		start += counts[at]
	}
	sorted := packedList{width: f.positions.width}
	for range f.found {
		sorted.add()
	}
	indices := make([]uint32, len(f.found))
	for i, at := range f.found {
		copy(sorted.at(int(next[at])), f.positions.at(i))
		indices[i] = uint32(next[at])
		next[at]++
	}
	f.positions = sorted
	for i, e := range f.table {
		if e != 0 {
			f.table[i] = newEntry(indices[e.index()], e.tag())
		}
	}
}

// entry is the index of a position plus 1 and, in the bits above, part of its hash, which
// saves most comparisons with other positions. 0 means no position.
type entry uint32

const numberBits = 29 // for MaxNumbered

func newEntry(index, tag uint32) entry { return entry(tag<<numberBits | (index + 1)) }

func (e entry) index() uint32 { return uint32(e)&(1<<numberBits-1) - 1 }
func (e entry) tag() uint32   { return uint32(e >> numberBits) }

// slot returns the slot of a position in the table, or the free slot where it belongs, and the tag of its entry.
func (n *Numbering[P]) slot(words []uint64) (slot int, tag uint32) {
	hash := n.packing.hash(words)
	tag = uint32(hash >> (64 - (32 - numberBits)))
	mask := len(n.table) - 1
	for i := int(hash>>32) & mask; ; i = (i + 1) & mask {
		if e := n.table[i]; e == 0 || e.tag() == tag && slices.Equal(n.positions.at(int(e.index())), words) {
			return i, tag
		}
	}
}

// hash returns a hash of the texts of all positions, in order.
func (n *Numbering[P]) hash() string {
	d := xxhash.New()
	var text []byte
	for i := range n.positions.length {
		text = append(n.text(text[:0], n.packing.unpack(n.positions.at(i))), '\n')
		d.Write(text)
	}
	return fmt.Sprintf("%016x", d.Sum64())
}

func (n *Numbering[P]) Tiers() []Tier { return n.tiers }

// Index implements [Indexer]. It fails with [ErrNotReached] if p has no number.
func (n *Numbering[P]) Index(p P) (uint64, error) {
	c := n.canonical(p)
	var few [8]uint64
	words := few[:]
	if n.positions.width > len(few) {
		words = make([]uint64, n.positions.width)
	}
	words = words[:n.positions.width]
	if n.packing.pack(words, &c) {
		if slot, _ := n.slot(words); n.table[slot] != 0 {
			return uint64(n.table[slot].index()), nil
		}
	}
	return 0, fmt.Errorf("position %q: %w", n.text(nil, p), ErrNotReached)
}

func (n *Numbering[P]) Position(index uint64) (P, bool) {
	if index >= uint64(n.positions.length) {
		var none P
		return none, false
	}
	return n.packing.unpack(n.positions.at(int(index))), true
}

// Fingerprint identifies the numbering: it changes when the game's moves or their order
// change any number.
func (n *Numbering[P]) Fingerprint() string { return n.fingerprint }

// Memory returns the number of bytes that the numbering takes.
func (n *Numbering[P]) Memory() uint64 {
	return uint64(n.positions.length)*(8*uint64(n.positions.width)+n.packing.size()) + 4*uint64(len(n.table))
}

// FingerprintOf returns the fingerprint of a [Numbering], and "" for a game's own
// Indexer.
func FingerprintOf[P comparable](x Indexer[P]) string {
	if n, ok := x.(*Numbering[P]); ok {
		return n.fingerprint
	}
	return ""
}
