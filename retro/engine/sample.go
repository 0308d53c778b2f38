package engine

import (
	"math/rand/v2"

	"github.com/klauspost/compress/s2"

	"github.com/yomikiri/yomikiri/games"
)

// sample describes a tier, estimated from a random sample of its positions. All fields but
// the bytes are relative to the number of open indices.
type sample struct {
	unfinished float64 // unfinished positions
	moves      float64 // successors of the unfinished positions
	edges      float64 // those of them that are unfinished positions of the tier

	// Bytes of a checkpoint before the first level, for each open index, and of the
	// bits of reached positions, for each open and each closed one.
	bytes, openBits, closedBits float64
}

const (
	// sampled is the approximate number of positions in a sample of a game, and
	// leastSampled the minimum for a tier.
	sampled      = 1 << 18
	leastSampled = 1 << 12
	// sampleRun is the number of adjacent indices in a sample.
	sampleRun = 1 << 10
	// deferredValues is the assumed number of different values of deferred updates.
	deferredValues = 16
)

// sampleTier samples a tier.
func sampleTier(u *games.Universe, tier int, positions Positions) sample {
	t := u.Tiers[tier]
	rng := rand.New(rand.NewPCG(1, uint64(tier)))
	open := &partition{}
	closed := &partition{}
	var s sample
	n := eachSample(u, t.Start, t.Open, rng, func(index uint64, status games.Value, successors []games.Successor) {
		slot := uint32(len(open.count))
		open.count, open.narrow = append(open.count, 0), append(open.narrow, codeNone)
		if slot%64 == 0 {
			open.reached = append(open.reached, 0)
		}
		if status == games.Hole || positions == Reachable && status == games.Unfinished && unreachable(u, index) {
			return
		}
		open.reached[slot/64] |= 1 << (slot % 64)
		if status != games.Unfinished {
			return
		}
		s.unfinished++
		s.moves += float64(len(successors))
		n := newSummary()
		level := -1
		for _, c := range successors {
			v := c.Outcome()
			switch {
			case v != games.Unfinished:
				n.add(v.Backup(0))
			case c.Index() < t.Start:
				level = rng.IntN(deferredValues)
			default:
				n.add(v)
				s.edges++
			}
		}
		count, later := n.count()
		if level >= 0 && n.best == games.Unfinished {
			count++
		} else if later && level < 0 {
			level = n.best.Size() % deferredValues
		}
		open.count[slot], open.narrow[slot] = uint8(count), codeDraw
		if level >= 0 {
			open.narrow[slot] = uint8(firstCode + level)
		}
	})
	if n > 0 {
		s.unfinished, s.moves, s.edges = s.unfinished/n, s.moves/n, s.edges/n
	}
	if positions == Reachable {
		s.openBits = 2 * compressed(&partition{reached: open.reached}) / max(n, 1)
		m := eachSample(u, t.Start+t.Open, t.Size-t.Open, rng, func(_ uint64, status games.Value, _ []games.Successor) {
			if closed.initialised%64 == 0 {
				closed.reached = append(closed.reached, 0)
			}
			if status != games.Hole {
				closed.reached[closed.initialised/64] |= 1 << (closed.initialised % 64)
			}
			closed.initialised++
		})
		s.closedBits = compressed(closed) / max(m, 1)
	}
	open.reached = nil
	s.bytes = compressed(open) / max(n, 1)
	return s
}

// unreachable reports whether an unfinished position has no predecessors, according to the
// game's Retractor. It returns false if it cannot tell.
func unreachable(u *games.Universe, index uint64) bool {
	if u.Retractor == nil || len(u.Tiers) > 1 || index == u.Start {
		return false
	}
	var before games.Predecessors
	u.Retractor.Retract([]uint64{index}, &before)
	return len(before.Indices) == 0
}

// eachSample expands samples of a range of indices, in runs of adjacent ones that are
// spread evenly, and calls do for each. It returns how many there are.
func eachSample(u *games.Universe, start, size uint64, rng *rand.Rand, do func(index uint64, status games.Value, successors []games.Successor)) float64 {
	n := max(uint64(sampled*float64(size)/float64(u.Size())), leastSampled) / sampleRun * sampleRun
	stratum := uint64(sampleRun)
	if n < size {
		stratum = size / (n / sampleRun)
	} else {
		n = size
	}
	var x games.Expansion
	batch := make([]uint64, 0, sampleRun)
	for done := uint64(0); done < n; done += sampleRun {
		first := start + done/sampleRun*stratum + rng.Uint64N(stratum-sampleRun+1)
		batch = batch[:0]
		for i := range min(sampleRun, n-done) {
			batch = append(batch, first+i)
		}
		u.Expander.Expand(batch, &x)
		for i, index := range batch {
			do(index, x.Status[i], x.Of(i))
		}
	}
	return float64(n)
}

// compressed returns the size of a partition in a checkpoint.
func compressed(p *partition) float64 { return float64(len(s2.Encode(nil, p.append(nil)))) }
