package games

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// MaxNumbered is the largest number of positions that [Number] numbers.
const MaxNumbered = 1 << 26

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
	positions   []P
	tiers       []Tier
	table       []entry // hash table with open addressing
	seed        maphash.Seed
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
// are more than [MaxNumbered] positions, with [ErrTooMany], or more than memory allows.
func Number[P, M comparable](ctx context.Context, g Game[P, M], o NumberOptions) (*Numbering[P], error) {
	if err := CheckNumber(ctx, g, o); err != nil {
		return nil, err
	}
	n := &Numbering[P]{
		canonical: canonicalOf(g), text: g.AppendPosition,
		table: make([]entry, 1<<10), seed: maphash.MakeSeed(),
	}
	f := finder[P, M]{Numbering: n, game: g, tier: tierKey(g)}
	most := mostNumbered[P](o)
	f.add(n.canonical(g.Start()))
	for at := 0; at < len(n.positions); at++ {
		if at%(1<<12) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if o.Progress != nil {
				o.Progress("positions", uint64(len(n.positions)), 0)
			}
		}
		if err := f.expand(at); err != nil {
			return nil, err
		}
		if uint64(len(n.positions)) > most {
			return nil, tooMany(g, most)
		}
	}
	f.sort()
	n.fingerprint = n.hash()
	return n, nil
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
	game  Game[P, M]
	tier  func(P) int
	moves []M
	found []place // of the positions
}

// place is the part of the index space that a position belongs to.
type place struct {
	tier     int
	finished bool
}

func mostNumbered[P any](o NumberOptions) uint64 {
	if o.Memory == 0 {
		return MaxNumbered
	}
	// In bytes per position: two and a half times the lists, which are copied when they grow;
	// the hash table, plus the old table of half its size while it grows; the new indices.
	var p P
	const tables = 11 + 5 + 4
	return min(MaxNumbered, o.Memory/(5*uint64(unsafe.Sizeof(p)+unsafe.Sizeof(place{}))/2+tables))
}

// add numbers a position unless it has a number.
func (f *finder[P, M]) add(p P) place {
	slot, tag := f.slot(p)
	if e := f.table[slot]; e != 0 {
		return f.found[e.index()]
	}
	_, finished := f.game.Outcome(p)
	at := place{f.tier(p), finished}
	f.positions, f.found = append(f.positions, p), append(f.found, at)
	f.table[slot] = newEntry(uint32(len(f.positions)-1), tag)
	if 4*len(f.positions) > 3*len(f.table) {
		f.table = make([]entry, 2*len(f.table))
		for i, q := range f.positions {
			slot, tag := f.slot(q)
			f.table[slot] = newEntry(uint32(i), tag)
		}
	}
	return at
}

func (f *finder[P, M]) expand(at int) error {
	p, from := f.positions[at], f.found[at]
	if from.finished {
		return nil
	}
	if f.moves = f.game.AppendMoves(f.moves[:0], p); len(f.moves) == 0 {
		return bug(f.game, CheckPosition(f.game, p))
	}
	for _, m := range f.moves {
		q := f.canonical(f.game.Play(p, m))
		if to := f.add(q); to.tier > from.tier {
			return fmt.Errorf("%s: move %s in %q leads to %q, which is in an earlier layer or has more points left",
				f.game.Name(), f.game.AppendMove(nil, p, m), f.game.AppendPosition(nil, p), f.game.AppendPosition(nil, q))
		}
	}
	return nil
}

// sort sorts the positions by tier, unfinished ones first.
func (f *finder[P, M]) sort() {
	counts := map[place]uint64{}
	for _, at := range f.found {
		counts[at]++
	}
	next := map[place]uint64{}
	var keys []int
	for at := range counts {
		if !slices.Contains(keys, at.tier) {
			keys = append(keys, at.tier)
		}
	}
	slices.SortFunc(keys, cmp.Compare[int])
	start := uint64(0)
	for _, key := range keys {
		open, finished := place{key, false}, place{key, true}
		s := Tier{Start: start, Size: counts[open] + counts[finished], Open: counts[open]}
		if len(keys) > 1 {
			s.Name = strconv.Itoa(max(key, -key))
		}
		next[open], next[finished] = start, start+s.Open
		f.tiers = append(f.tiers, s)
		start += s.Size
	}
	sorted := make([]P, len(f.positions))
	indices := make([]uint32, len(f.positions))
	for i, at := range f.found {
		sorted[next[at]], indices[i] = f.positions[i], uint32(next[at])
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

const numberBits = 27 // for MaxNumbered

func newEntry(index, tag uint32) entry { return entry(tag<<numberBits | (index + 1)) }

func (e entry) index() uint32 { return uint32(e)&(1<<numberBits-1) - 1 }
func (e entry) tag() uint32   { return uint32(e >> numberBits) }

// slot returns the slot of the canonical position p in the table, or the free slot where it
// belongs, and the tag of its entry.
func (n *Numbering[P]) slot(p P) (slot int, tag uint32) {
	hash := maphash.Comparable(n.seed, p)
	tag = uint32(hash >> (64 - (32 - numberBits)))
	mask := len(n.table) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		if e := n.table[i]; e == 0 || e.tag() == tag && n.positions[e.index()] == p {
			return i, tag
		}
	}
}

// hash returns a hash of the texts of all positions, in order.
func (n *Numbering[P]) hash() string {
	d := xxhash.New()
	var text []byte
	for _, p := range n.positions {
		text = append(n.text(text[:0], p), '\n')
		d.Write(text)
	}
	return fmt.Sprintf("%016x", d.Sum64())
}

func (n *Numbering[P]) Tiers() []Tier { return n.tiers }

// Index implements [Indexer]. It fails with [ErrNotReached] if p has no number.
func (n *Numbering[P]) Index(p P) (uint64, error) {
	slot, _ := n.slot(n.canonical(p))
	if n.table[slot] == 0 {
		return 0, fmt.Errorf("position %q: %w", n.text(nil, p), ErrNotReached)
	}
	return uint64(n.table[slot].index()), nil
}

func (n *Numbering[P]) Position(index uint64) (P, bool) {
	if index >= uint64(len(n.positions)) {
		var none P
		return none, false
	}
	return n.positions[index], true
}

// Fingerprint identifies the numbering: it changes when the game's moves or their order
// change any number.
func (n *Numbering[P]) Fingerprint() string { return n.fingerprint }

// Memory returns the number of bytes that the numbering takes.
func (n *Numbering[P]) Memory() uint64 {
	var p P
	return uint64(cap(n.positions))*uint64(unsafe.Sizeof(p)) + 4*uint64(len(n.table))
}

// FingerprintOf returns the fingerprint of a [Numbering], and "" for a game's own
// Indexer.
func FingerprintOf[P comparable](x Indexer[P]) string {
	if n, ok := x.(*Numbering[P]); ok {
		return n.fingerprint
	}
	return ""
}
