package verify

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// derive checks every value against the values of the successors, and counts positions.
func (v *verifier) derive(ctx context.Context) error {
	n := len(v.u.Tiers)
	v.open, v.moves = make([]uint64, n), make([]uint64, n)
	for range n {
		v.counts = append(v.counts, map[games.Value]db.Count{})
	}
	v.done.Store(0)
	v.total = v.u.Size()
	if !v.all {
		v.total = v.content.Total().Unfinished
	}
	pool := sync.Pool{New: func() any { return newChecker(v) }}
	check := func(tier int, first, last uint64) {
		c := pool.Get().(*checker)
		c.check(tier, first, last)
		pool.Put(c)
	}
	var err error
	if v.u.Order != games.ByDistance {
		words := int(v.u.Size()+63) / 64
		v.pending, v.changed = slices.Repeat([]uint64{^uint64(0)}, words), make([]uint64, words)
	}
	if v.all {
		err = v.eachRange(ctx, true, check)
	} else {
		err = v.deriveReached(ctx, check)
	}
	if err == nil && v.pending != nil {
		err = v.force(ctx)
	}
	if err != nil {
		return err
	}
	v.checkReached()
	v.checkCounts()
	v.checkLongest()
	return nil
}

// deriveReached checks the positions reachable from the start position. Each sweep
// checks what the ones before have reached.
func (v *verifier) deriveReached(ctx context.Context, check func(tier int, first, last uint64)) error {
	words := (v.u.Size() + 63) / 64
	v.reached, v.seen = make([]uint64, words), make([]uint64, words)
	start := newChecker(v)
	var x games.Expansion
	v.u.Expander.Expand([]uint64{v.u.Start}, &x)
	start.reach(games.NewSuccessor(v.u.Start, x.Status[0]), v.tierOf(v.u.Start, len(v.u.Tiers)-1))
	start.collect()
	for before := ^uint64(0); v.done.Load() != before; {
		before = v.done.Load()
		if err := v.eachRange(ctx, false, check); err != nil {
			return err
		}
	}
	return nil
}

// tierOf returns the tier of a successor of a position of the given tier: the same
// tier or an earlier one.
func (v *verifier) tierOf(index uint64, tier int) int {
	for tier > 0 && index < v.content.Tiers[tier].Start {
		tier--
	}
	return tier
}

// code returns the code of an index of a tier, or 0.
func (v *verifier) code(index uint64, tier int) int {
	s := &v.content.Tiers[tier]
	if index-s.Start >= s.Open {
		return 0
	}
	return v.image.Code(tier, index-s.Start)
}

// value returns the value of a code, and false if it has none.
func (v *verifier) value(code int) (games.Value, bool) {
	if code == 0 || code > len(v.content.Values) {
		return 0, false
	}
	return v.content.Values[code-1], true
}

func (v *verifier) checkReached() {
	if v.all {
		return
	}
	for i, s := range v.content.Tiers {
		for offset := range s.Open {
			index := s.Start + offset
			held := v.image.Code(i, offset) != 0
			if held && v.reached[index/64]>>(index%64)&1 == 0 {
				v.problem(fmt.Errorf("%s has a value, but is not reachable from the start position", v.u.PositionName(index)))
			}
		}
	}
}

func (v *verifier) checkCounts() {
	for i, s := range v.content.Tiers {
		of := "" // the tier, if there are several
		if s.Name != "" {
			of = "tier " + s.Name + ": "
		}
		if s.Unfinished != v.open[i] || s.Moves != v.moves[i] {
			v.problem(fmt.Errorf("%sthere are %d unfinished positions with %d moves, the manifest says %d with %d",
				of, v.open[i], v.moves[i], s.Unfinished, s.Moves))
		}
		v.compareCounts(of, v.counts[i], s.Counts)
		v.result.Positions += v.open[i]
		v.result.Moves += v.moves[i]
	}
	var x games.Expansion
	v.u.Expander.Expand([]uint64{v.u.Start}, &x)
	value, ok := x.Status[0], true
	if value == games.Unfinished {
		value, ok = v.value(v.code(v.u.Start, v.tierOf(v.u.Start, len(v.u.Tiers)-1)))
	}
	if ok && value != v.content.StartValue {
		v.problem(fmt.Errorf("the start position has the value %v, the manifest says %v", value, v.content.StartValue))
	}
}

// compareCounts compares the counts of a tier by value with those in the manifest, which
// are sorted and have each value once.
func (v *verifier) compareCounts(of string, counts map[games.Value]db.Count, manifest []db.Count) {
	if !slices.IsSortedFunc(manifest, func(a, b db.Count) int { return cmp.Or(int(b.Value)-int(a.Value), -1) }) {
		v.problem(fmt.Errorf("%sthe counts in the manifest are not sorted by value, best first", of))
		return
	}
	want := map[games.Value]db.Count{}
	for _, n := range manifest {
		want[n.Value] = n
	}
	both := maps.Clone(want)
	maps.Copy(both, counts)
	for _, value := range slices.SortedFunc(maps.Keys(both), func(a, b games.Value) int { return int(b) - int(a) }) {
		n, found := counts[value]
		m, expected := want[value]
		if found != expected || n != m {
			v.problem(fmt.Errorf("%s%d positions have the value %v, %d of them finished; the manifest says %d, %d of them finished",
				of, n.Positions, value, n.Finished, m.Positions, m.Finished))
		}
	}
}

func (v *verifier) checkLongest() {
	c := v.content
	var want *db.Example
	for i, s := range c.Tiers {
		for offset := range s.Open {
			value, ok := v.value(v.image.Code(i, offset))
			if ok && v.u.Order != games.ByResult && (want == nil || longer(value, want.Value)) {
				want = &db.Example{Value: value, Index: s.Start + offset}
			}
		}
	}
	switch {
	case want == nil && c.Longest == nil:
	case want == nil || c.Longest == nil || *want != *c.Longest:
		v.problem(fmt.Errorf("the longest is %s, the manifest says %s", v.example(want), v.example(c.Longest)))
	}
}

func (v *verifier) example(e *db.Example) string {
	if e == nil {
		return "no position"
	}
	return fmt.Sprintf("%v: %s", e.Value, v.u.PositionName(e.Index))
}

// longer reports whether a has a larger distance or score than b, or the same and is
// better.
func longer(a, b games.Value) bool {
	return a.Size() > b.Size() || a.Size() == b.Size() && a > b
}

// checkBatch is the number of positions expanded at a time.
const checkBatch = 256

// checker checks one range of positions at a time.
type checker struct {
	v       *verifier
	indices []uint64
	x       games.Expansion
	tallies []checkTally // by tier

	values []games.Value // of the positions that moves lead to; Hole if there is none
	moves  []uint32      // numbers of some moves

	settled []uint64 // newly forced positions, whose predecessors are not marked yet
	before  games.Predecessors
}

// checkTally counts the positions of a range.
type checkTally struct {
	open, moves uint64
	values      []uint64 // by code
	finished    map[games.Value]uint64

	// The last positions counted are not in finished yet: lasts of them, all with the value last.
	last  games.Value
	lasts uint64
}

// count counts a finished position. Most have the same value as the one before.
func (t *checkTally) count(v games.Value) {
	if v != t.last {
		t.finished[t.last] += t.lasts
		t.last, t.lasts = v, 0
	}
	t.lasts++
}

func newChecker(v *verifier) *checker {
	c := &checker{v: v}
	for range v.u.Tiers {
		c.tallies = append(c.tallies, checkTally{
			values:   make([]uint64, len(v.content.Values)+1),
			finished: map[games.Value]uint64{},
		})
	}
	return c
}

// check checks the blocks of a tier from first to last, last excluded: all positions,
// or those reached and not yet checked.
func (c *checker) check(tier int, first, last uint64) {
	s := &c.v.content.Tiers[tier]
	if c.v.all {
		for offset := first * db.BlockSize; offset < min(last*db.BlockSize, s.Size); offset++ {
			c.add(tier, s.Start+offset)
		}
	} else {
		c.addReached(tier, s.Start+first*db.BlockSize, s.Start+min(last*db.BlockSize, s.Open))
	}
	c.batch(tier)
	c.collect()
}

func (c *checker) addReached(tier int, begin, end uint64) {
	for word := begin / 64; word*64 < end; word++ {
		set := atomic.LoadUint64(&c.v.reached[word]) &^ atomic.LoadUint64(&c.v.seen[word])
		for ; set != 0; set &= set - 1 {
			index := word*64 + uint64(bits.TrailingZeros64(set))
			if index < begin || index >= end {
				continue // of a neighbouring range
			}
			atomic.OrUint64(&c.v.seen[word], set&-set)
			c.add(tier, index)
		}
	}
}

func (c *checker) add(tier int, index uint64) {
	if c.indices = append(c.indices, index); len(c.indices) == checkBatch {
		c.batch(tier)
	}
}

// batch checks the positions in c.indices, of one tier.
func (c *checker) batch(tier int) {
	v, t := c.v, &c.tallies[tier]
	c.expand()
	if !v.all {
		c.reachSuccessors(tier)
	}
	c.readSuccessors(tier)
	for i, index := range c.indices {
		code := v.code(index, tier)
		if status := c.x.Status[i]; status != games.Unfinished {
			if code != 0 {
				v.problem(fmt.Errorf("%s has a value, but is not an unfinished position (%v)", v.u.PositionName(index), status))
			} else if status != games.Hole {
				t.count(status)
			}
			continue
		}
		t.open++
		value, ok := v.value(code)
		if !ok {
			v.problem(fmt.Errorf("%s has no value, its code is %d", v.u.PositionName(index), code))
			continue
		}
		t.values[code]++
		best, forced, ok := c.best(index, tier, i, value)
		if ok && value != best {
			v.problem(fmt.Errorf("%s has the value %v, by its successors it has %v", v.u.PositionName(index), value, best))
		}
		switch {
		case v.pending == nil:
		case forced:
			c.settle(index)
		default:
			v.unforced.Add(1)
		}
	}
	c.markPredecessors()
	t.moves += uint64(c.x.Moves)
	v.progress("positions", uint64(len(c.indices)), v.total)
	c.indices = c.indices[:0]
}

// expand expands the batch.
func (c *checker) expand() {
	c.v.u.Expander.Expand(c.indices, &c.x)
	n := len(c.x.Successors)
	c.values, c.moves = slices.Grow(c.values[:0], n)[:n], slices.Grow(c.moves[:0], n)[:n]
}

// reachSuccessors marks the successors of the batch as reached. Successors not yet marked
// are found first, without branches, so that cache misses overlap.
func (c *checker) reachSuccessors(tier int) {
	n := 0
	for move, s := range c.x.Successors {
		word := atomic.LoadUint64(&c.v.reached[s.Index()/64])
		c.moves[n] = uint32(move)
		n += int(^word >> (s.Index() % 64) & 1)
	}
	for _, move := range c.moves[:n] {
		s := c.x.Successors[move]
		c.reach(s, c.v.tierOf(s.Index(), tier))
	}
}

// readSuccessors finds the values of the successors of the batch. Again the successors to
// read are found first.
func (c *checker) readSuccessors(tier int) {
	n := 0
	for move, s := range c.x.Successors {
		c.values[move], c.moves[n] = s.Outcome(), uint32(move)
		unfinished := 0
		if s.Outcome() == games.Unfinished {
			unfinished = 1
		}
		n += unfinished
	}
	for _, move := range c.moves[:n] {
		index := c.x.Successors[move].Index()
		value, ok := c.v.value(c.v.code(index, c.v.tierOf(index, tier)))
		if !ok {
			value = games.Hole
		}
		c.values[move] = value
	}
}

// best returns the best value among the moves of the i-th position of the batch, and
// false if a successor has no value. Where values are scores, it also returns whether
// value is forced, given the scores already known to be forced.
func (c *checker) best(index uint64, tier, i int, value games.Value) (best games.Value, forced, ok bool) {
	v := c.v
	successors := c.x.Of(i)
	end := c.x.End[i]
	values := c.values[end-len(successors) : end]
	if len(values) == 0 {
		return games.Unfinished, false, true // less than any value
	}
	if worst := slices.Min(values); worst == games.Hole { // less than any value
		at := slices.Index(values, worst)
		v.problem(fmt.Errorf("%s has a move to %s, which has no value", v.u.PositionName(index), v.u.PositionName(successors[at].Index())))
		return 0, false, false
	} else if v.pending == nil {
		return worst.Backup(0), false, true
	}
	best = games.Unfinished
	all, some := true, value == games.Draw
	gains := c.x.GainsOf(i)
	for j, s := range successors {
		sure := s.Outcome() != games.Unfinished || v.tierOf(s.Index(), tier) != tier || !v.isPending(s.Index())
		gain := 0
		if len(gains) > 0 {
			gain = int(gains[j])
		}
		worth := values[j].Backup(gain)
		best = max(best, worth)
		all = all && sure
		some = some || sure && worth == value
	}
	if value < games.Draw {
		return best, all, true
	}
	return best, some, true
}

// reach marks a position of a tier as reached. A finished one needs no check and is
// counted the first time.
func (c *checker) reach(s games.Successor, tier int) {
	index := s.Index()
	word, bit := index/64, uint64(1)<<(index%64)
	if atomic.LoadUint64(&c.v.reached[word])&bit != 0 {
		return
	}
	if s.Outcome() != games.Unfinished {
		atomic.OrUint64(&c.v.seen[word], bit)
	}
	if atomic.OrUint64(&c.v.reached[word], bit)&bit == 0 && s.Outcome() != games.Unfinished {
		c.tallies[tier].count(s.Outcome())
	}
}

// collect adds the tallies to those of the verifier.
func (c *checker) collect() {
	v := c.v
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range c.tallies {
		t := &c.tallies[i]
		v.open[i] += t.open
		v.moves[i] += t.moves
		add := func(value games.Value, n, finished uint64) {
			old := v.counts[i][value]
			v.counts[i][value] = db.Count{Value: value, Positions: old.Positions + n, Finished: old.Finished + finished}
		}
		for code, n := range t.values {
			if n > 0 {
				add(v.content.Values[code-1], n, 0)
			}
		}
		t.finished[t.last] += t.lasts
		t.lasts = 0
		for value, n := range t.finished {
			if n > 0 {
				add(value, n, n)
			}
		}
		clear(t.values)
		clear(t.finished)
		t.open, t.moves = 0, 0
	}
}
