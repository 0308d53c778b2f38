package verify

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// resolve replaces what is stored of each compact tier by values: the larger one of what is stored
// and of the best move that ends the game or leaves the tier. It shares no code with the lookup of
// package db. What follows then checks the values like those of an ordinary database.
func (v *verifier) resolve(ctx context.Context) error {
	codes := map[games.Value]int{}
	for i, value := range v.content.Values {
		codes[value] = i + 1
	}
	for tier := range v.content.Tiers {
		t := &v.content.Tiers[tier]
		if !t.Compact {
			continue
		}
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(v.o.Threads)
		const step = 16 * db.BlockSize
		for first := uint64(0); first < t.Open; first += step {
			group.Go(func() error {
				if ctx.Err() == nil {
					v.resolveRange(tier, first, min(first+step, t.Open), codes)
				}
				return ctx.Err()
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// resolveRange resolves the indices of a tier from first to last, last excluded.
func (v *verifier) resolveRange(tier int, first, last uint64, codes map[games.Value]int) {
	t := &v.content.Tiers[tier]
	var x games.Expansion
	var indices []uint64
	for first < last {
		indices = indices[:0]
		for ; first < last && len(indices) < checkBatch; first++ {
			if v.all || v.image.Code(tier, first) != 0 {
				indices = append(indices, t.Start+first)
			}
		}
		v.u.Expander.Expand(indices, &x)
		for i, index := range indices {
			if v.all && x.Status[i] != games.Unfinished {
				v.image.SetCode(tier, index-t.Start, 0) // it can have any code
				continue
			}
			value, ok := v.value(v.image.Code(tier, index-t.Start))
			if !ok {
				continue // reported later
			}
			stored := value
			gains := x.GainsOf(i)
			for j, s := range x.Of(i) {
				gain := 0
				if len(gains) > 0 {
					gain = int(gains[j])
				}
				if outcome := s.Outcome(); outcome != games.Unfinished {
					value = max(value, outcome.Backup(gain))
				} else if to := v.tierOf(s.Index(), tier); to != tier {
					if w, ok := v.value(v.code(s.Index(), to)); ok {
						value = max(value, w.Backup(gain))
					}
				}
			}
			if value == stored {
				continue
			}
			code := codes[value]
			if code == 0 {
				v.problem(fmt.Errorf("%s has the value %v by a move that leaves the tier, and the manifest does not have this value", v.u.PositionName(index), value))
				continue
			}
			v.image.SetCode(tier, index-t.Start, code)
		}
	}
}
