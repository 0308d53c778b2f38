package verify

import (
	"context"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// force checks that scores are forced. It is not enough that values agree: on a cycle,
// values can support each other without ever being realised. A win is forced if a move
// keeps it and leads to a forced score or out of the tier; a loss is forced if all moves
// do. A score that is still not forced when nothing changes any more is wrong. A score of 0
// needs no proof, since the side that wants it can keep the game from ending.
//
// The game's Retractor only says which positions to check again. A wrong Retractor can
// make a right value look wrong, but not the reverse.
func (v *verifier) force(ctx context.Context) error {
	pool := sync.Pool{New: func() any { return newChecker(v) }}
	v.done.Store(0)
	v.total = v.unforced.Load()
	for found := true; found; {
		var n atomic.Uint64
		err := v.eachRange(ctx, false, func(tier int, first, last uint64) {
			c := pool.Get().(*checker)
			forced := c.force(tier, first, last)
			n.Add(forced)
			v.progress("scores", forced, v.total)
			pool.Put(c)
		})
		if err != nil {
			return err
		}
		found = n.Load() > 0
	}
	for tier, s := range v.content.Tiers {
		for index := s.Start; index < s.Start+s.Open; index++ {
			if value, ok := v.value(v.code(index, tier)); ok && value != games.Draw && v.isPending(index) {
				v.problem(fmt.Errorf("%s has the value %v, which is not forced", v.u.PositionName(index), value))
			}
		}
	}
	return nil
}

func (v *verifier) isPending(index uint64) bool {
	return atomic.LoadUint64(&v.pending[index/64])>>(index%64)&1 != 0
}

// settle records that the score of a position is forced.
func (c *checker) settle(index uint64) {
	atomic.AndUint64(&c.v.pending[index/64], ^(uint64(1) << (index % 64)))
	c.settled = append(c.settled, index)
}

func (c *checker) markPredecessors() {
	if c.v.u.Retractor == nil || len(c.settled) == 0 {
		return
	}
	c.v.u.Retractor.Retract(c.settled, &c.before)
	c.settled = c.settled[:0]
	for _, index := range c.before.Indices {
		if word, bit := index/64, uint64(1)<<(index%64); atomic.LoadUint64(&c.v.pending[word])&bit != 0 {
			atomic.OrUint64(&c.v.changed[word], bit)
		}
	}
}

// force checks the pending and changed positions of the blocks of a tier from first to
// last, last excluded. It returns how many are forced.
func (c *checker) force(tier int, first, last uint64) uint64 {
	v := c.v
	s := &v.content.Tiers[tier]
	begin, end := s.Start+first*db.BlockSize, s.Start+min(last*db.BlockSize, s.Open)
	found := uint64(0)
	c.indices = c.indices[:0]
	for word := begin / 64; word*64 < end; word++ {
		set := atomic.LoadUint64(&v.pending[word])
		if v.u.Retractor != nil {
			set &= atomic.LoadUint64(&v.changed[word])
		}
		for ; set != 0; set &= set - 1 {
			index := word*64 + uint64(bits.TrailingZeros64(set))
			if index < begin || index >= end || v.code(index, tier) == 0 {
				continue
			}
			// Changes from here on mark the position again.
			atomic.AndUint64(&v.changed[word], ^(set & -set))
			if c.indices = append(c.indices, index); len(c.indices) == checkBatch {
				found += c.forceBatch(tier)
			}
		}
	}
	return found + c.forceBatch(tier)
}

// forceBatch checks the positions in c.indices, of one tier.
func (c *checker) forceBatch(tier int) uint64 {
	found := uint64(0)
	c.expand()
	c.readSuccessors(tier)
	for i, index := range c.indices {
		value, ok := c.v.value(c.v.code(index, tier))
		if !ok || c.x.Status[i] != games.Unfinished {
			continue
		}
		if _, forced, ok := c.best(index, tier, i, value); ok && forced {
			c.settle(index)
			found++
		}
	}
	c.markPredecessors()
	c.indices = c.indices[:0]
	return found
}
