package retro

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// maxReverse is how many positions a game without a Retractor may have.
const maxReverse = 1 << 26

// reverse is the Retractor of games that have none: the predecessors of each
// position, found by expanding all, take 8 bytes for a position and 4 for a
// move.
type reverse struct {
	ends []uint64 // of the predecessors of each index
	from []uint32
}

// reverseEdges expands all positions of a universe twice, to count and to fill.
func reverseEdges(u *games.Universe) (games.Retractor, error) {
	size := u.Size()
	if size > maxReverse {
		return nil, fmt.Errorf("retro: %s has %d positions and no Retractor; without one at most %d can be solved", u.Name, size, maxReverse)
	}
	r := &reverse{ends: make([]uint64, size+1)}
	eachEdge(u, func(from, to uint64) { r.ends[to+1]++ })
	for i := range size {
		r.ends[i+1] += r.ends[i]
	}
	// While filling, ends[i] is where the next predecessor of i goes; at the
	// end it is where those of i end.
	r.from = make([]uint32, r.ends[size])
	eachEdge(u, func(from, to uint64) {
		r.from[r.ends[to]] = uint32(from)
		r.ends[to]++
	})
	return r, nil
}

// eachEdge calls do for each move within a tier to an unfinished position.
func eachEdge(u *games.Universe, do func(from, to uint64)) {
	var x games.Expansion
	var batch []uint64
	for _, s := range u.Tiers {
		for begin := uint64(0); begin < s.Open; begin += chunk {
			batch = batch[:0]
			for i := begin; i < min(begin+chunk, s.Open); i++ {
				batch = append(batch, s.Start+i)
			}
			u.Expander.Expand(batch, &x)
			for i, from := range batch {
				for _, c := range x.Of(i) {
					if c.Outcome() == games.Unfinished && c.Index()-s.Start < s.Open {
						do(from, c.Index())
					}
				}
			}
		}
	}
}

// Retract implements [games.Retractor].
func (r *reverse) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	for _, i := range indices {
		begin := uint64(0)
		if i > 0 {
			begin = r.ends[i-1]
		}
		for _, from := range r.from[begin:r.ends[i]] {
			out.Indices = append(out.Indices, uint64(from))
		}
	}
}
