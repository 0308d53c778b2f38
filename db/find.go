package db

import (
	"context"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// find calls found with the indices of the first unfinished positions that have the value v,
// in order, at most limit of them. It reads blocks one after the other, bypassing the cache.
// If no unfinished position has the value, it returns an error that is [ErrNotHeld].
func (p *Prober[P, M]) find(ctx context.Context, v games.Value, limit int, found func(index uint64) error) error {
	c := &p.db.manifest.Content
	code := slices.Index(c.Values, v) + 1
	if code == 0 {
		for _, n := range c.Total().Counts {
			if n.Value == v {
				return fmt.Errorf("%w: the rules decide all %d positions of value %v at once, and unfinished ones are stored", ErrNotHeld, n.Positions, v)
			}
		}
		return fmt.Errorf("%w: none has the value %v; the best is %v, the worst %v", ErrNotHeld, v, c.Values[0], c.Values[len(c.Values)-1])
	}
	for tier := range c.Tiers {
		t := &c.Tiers[tier]
		left := uint64(0)
		for _, n := range t.Counts {
			if n.Value == v {
				left = n.Positions - n.Finished
			}
		}
		for block := uint64(0); left > 0 && block < c.Blocks(tier); block++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			codes, err := p.Block(ctx, tier, block)
			if err != nil {
				return err
			}
			for i := range c.BlockLength(tier, block) {
				if CodeAt(codes, i, p.db.width) != code {
					continue
				}
				if err := found(t.Start + block*uint64(c.BlockSize) + uint64(i)); err != nil {
					return err
				}
				left--
				if limit--; limit == 0 {
					return nil
				}
			}
		}
	}
	return nil
}
