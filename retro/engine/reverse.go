package engine

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// maxReverse is the maximum size of a tier in which moves stay, for games without a
// Retractor.
const maxReverse = games.MaxNumbered

// reverse is the [games.Retractor] of games that have none. It holds the
// predecessors of the positions of one tier, 8 bytes for a position and 4 for a
// move, or nothing where no move stays in the tier.
type reverse struct {
	u       *games.Universe
	limit   uint64 // positions in a tier
	layered []bool // by tier: known to have no move that stays

	start uint64   // of the tier
	ends  []uint64 // of the predecessors of each position, by offset in the tier
	from  []uint32 // offsets
}

func newReverse(u *games.Universe, limit uint64) *reverse {
	return &reverse{u: u, limit: limit, layered: make([]bool, len(u.Tiers))}
}

// check refuses a tier that is too large, before any work is done.
func (r *reverse) check(ctx context.Context, tier int) error {
	t := r.u.Tiers[tier]
	if t.Open <= r.limit {
		return nil
	}
	r.layered[tier] = true
	return r.eachEdge(ctx, t, func(_, _ uint64) error {
		return fmt.Errorf("tier %q of %s has %d positions and moves that stay in it; without a Retractor at most %d can be solved",
			t.Name, r.u.Name, t.Open, r.limit)
	})
}

// prepare expands all positions of a tier twice, to count the predecessors and to
// fill them in.
func (r *reverse) prepare(ctx context.Context, tier int) error {
	t := r.u.Tiers[tier]
	r.start, r.ends, r.from = t.Start, nil, nil
	if r.layered[tier] {
		return nil
	}
	err := r.eachEdge(ctx, t, func(_, to uint64) error {
		if r.ends == nil {
			r.ends = make([]uint64, t.Open+1)
		}
		r.ends[to+1]++
		return nil
	})
	if err != nil || r.ends == nil {
		return err
	}
	for i := range t.Open {
		r.ends[i+1] += r.ends[i]
	}
	// While filling, ends[i] is where the next predecessor of i goes; at the
	// end it is where those of i end.
	r.from = make([]uint32, r.ends[t.Open])
	return r.eachEdge(ctx, t, func(from, to uint64) error {
		r.from[r.ends[to]] = uint32(from)
		r.ends[to]++
		return nil
	})
}

// eachEdge calls do with the offsets of each move within a tier to an unfinished
// position, until do fails.
func (r *reverse) eachEdge(ctx context.Context, t games.Tier, do func(from, to uint64) error) error {
	var x games.Expansion
	var batch []uint64
	for begin := uint64(0); begin < t.Open; begin += chunk {
		if ctx.Err() != nil {
			return ErrStopped
		}
		batch = batch[:0]
		for i := begin; i < min(begin+chunk, t.Open); i++ {
			batch = append(batch, t.Start+i)
		}
		r.u.Expander.Expand(batch, &x)
		for i, from := range batch {
			for _, c := range x.Of(i) {
				if c.Outcome() != games.Unfinished || c.Index()-t.Start >= t.Open {
					continue
				}
				if err := do(from-t.Start, c.Index()-t.Start); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Retract implements [games.Retractor] for the tier that was prepared.
func (r *reverse) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	if r.ends == nil {
		return
	}
	for _, i := range indices {
		i -= r.start
		begin := uint64(0)
		if i > 0 {
			begin = r.ends[i-1]
		}
		for _, from := range r.from[begin:r.ends[i]] {
			out.Indices = append(out.Indices, r.start+uint64(from))
		}
	}
}
