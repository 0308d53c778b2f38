package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
)

// ErrNotAll is returned for a sample of a database in which a position without a value may be right.
var ErrNotAll = errors.New("a sample needs a database of all positions that is not compact")

// Sample checks n random indices of a database, drawn by a seed: that the value of each follows from the values of its
// successors, or that it has none since it is finished or a hole. Only blocks that it reads are checked for damage, and
// no counts. It needs little memory, and shows nothing about the other positions.
func Sample(ctx context.Context, dir string, u *games.Universe, n, seed uint64, o Options) (*Result, error) {
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	d, err := store.Open(dir, &store.Options{FS: o.FS})
	if err != nil {
		return nil, err
	}
	c := &d.Manifest().Content
	if c.Order == games.ByResult.String() {
		if u, err = u.Results(); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	if c.Positions != "all" || c.IsCompact() {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, ErrNotAll), d.Close())
	}
	v := &verifier{o: o, u: u, dir: dir, content: c}
	err = v.sample(ctx, d, n, seed)
	return &v.result, errors.Join(err, d.Close())
}

// sample checks n random indices of the open parts.
func (v *verifier) sample(ctx context.Context, d *db.DB, n, seed uint64) error {
	whole := ctx
	group, ctx := errgroup.WithContext(whole)
	group.SetLimit(v.o.Threads)
	for begin := uint64(0); begin < n && ctx.Err() == nil; begin += checkBatch {
		group.Go(func() error {
			rng := rand.New(rand.NewPCG(seed, begin))
			indices := make([]uint64, min(checkBatch, n-begin))
			for i := range indices {
				indices[i] = v.openIndex(rng)
			}
			err := v.sampleBatch(d, indices)
			v.progress("positions", uint64(len(indices)), n)
			return errors.Join(err, ctx.Err())
		})
	}
	return errors.Join(group.Wait(), whole.Err())
}

// openIndex draws an index of the open part of a tier.
func (v *verifier) openIndex(rng *rand.Rand) uint64 {
	all := uint64(0)
	for i := range v.content.Tiers {
		all += v.content.Tiers[i].Open
	}
	n := rng.Uint64N(all)
	for i := range v.content.Tiers {
		t := &v.content.Tiers[i]
		if n < t.Open {
			return t.Start + n
		}
		n -= t.Open
	}
	panic("verify: an index past the last one")
}

// sampleBatch checks the values of some indices.
func (v *verifier) sampleBatch(d *db.DB, indices []uint64) error {
	var x games.Expansion
	v.u.Expander.Expand(indices, &x)
	positions := uint64(0)
	for i, index := range indices {
		value, has, err := d.Value(index)
		switch status := x.Status[i]; {
		case err != nil:
			return err
		case status != games.Unfinished:
			if has {
				v.problem(fmt.Errorf("%s has a value, but is not an unfinished position (%v)", v.u.PositionName(index), status))
			}
			continue
		case !has:
			v.problem(fmt.Errorf("%s has no value", v.u.PositionName(index)))
			continue
		}
		positions++
		best, err := v.bestOf(d, x.Of(i), x.GainsOf(i))
		if err != nil {
			return err
		}
		if value != best {
			v.problem(fmt.Errorf("%s has the value %v, by its successors it has %v", v.u.PositionName(index), value, best))
		}
	}
	v.mu.Lock()
	v.result.Positions += positions
	v.result.Moves += uint64(x.Moves)
	v.mu.Unlock()
	return nil
}

// bestOf returns the best value among moves. A win without distance is the best there is.
func (v *verifier) bestOf(d *db.DB, successors []games.Successor, gains []int16) (best games.Value, err error) {
	best = games.Unfinished
	for i, s := range successors {
		value := s.Outcome()
		if value == games.Unfinished {
			var has bool
			if value, has, err = d.Value(s.Index()); err != nil {
				return best, err
			}
			if !has {
				v.problem(fmt.Errorf("%s has no value", v.u.PositionName(s.Index())))
				return best, nil
			}
		}
		gain := 0
		if len(gains) > 0 {
			gain = int(gains[i])
		}
		if best = max(best, value.Backup(gain)); best == games.Won.Value() {
			break
		}
	}
	return best, nil
}
