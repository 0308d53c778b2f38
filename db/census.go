package db

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/games"
)

// ClassCount is the number of positions of a class of material by result: won, drawn and lost for the side to move.
type ClassCount struct {
	games.Class
	Positions Results
	// Labelled tells like pieces apart, as tables of other programs do.
	Labelled Results
	// Win and Loss are the largest distances to the end of the game in plies, -1 without a position that is won or lost, or
	// without distances.
	Win, Loss int
}

// Results counts positions by result.
type Results struct{ Won, Drawn, Lost uint64 }

func (r *Results) add(v games.Value, n uint64) {
	switch v.Result() {
	case games.Won:
		r.Won += n
	case games.Lost:
		r.Lost += n
	default:
		r.Drawn += n
	}
}

// CensusOptions configures [DB.Census].
type CensusOptions struct {
	Threads int // 0 means one for each processor
	// Progress, if not nil, is called with the number of blocks read so far, by several goroutines at once.
	Progress games.Progress
}

// Census counts the positions of each class of material. It reads the whole database. It fails if the universe has no
// classes, if a tier is compact, and if the database has only the positions that can be reached.
func (db *DB) Census(ctx context.Context, u *games.Universe, o CensusOptions) ([]ClassCount, error) {
	c := &db.manifest.Content
	switch err := c.Fits(u); {
	case err != nil:
		return nil, err
	case u.Classed == nil:
		return nil, fmt.Errorf("the positions of %s are not numbered by classes of material", u.Name)
	case c.Positions != "all":
		return nil, fmt.Errorf("the database of %s has the positions that can be reached, and classes are counted whole", u.Name)
	case c.IsCompact():
		return nil, fmt.Errorf("a compact database of %s is not counted by classes: count the one that it was made from", u.Name)
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	s := &census{db: db, u: u}
	for _, class := range u.Classed.Classes() {
		s.classes = append(s.classes, ClassCount{Class: class, Win: -1, Loss: -1})
	}
	var done atomic.Uint64
	total := uint64(0)
	for i := range c.Tiers {
		total += c.Blocks(i)
	}
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(o.Threads)
	for _, b := range c.Ranges(16) {
		if running.Err() != nil {
			break
		}
		group.Go(func() error {
			for n := b.First; n < b.Last; n++ {
				if err := s.block(running, b.Tier, n); err != nil {
					return err
				}
			}
			if n := done.Add(b.Last - b.First); o.Progress != nil {
				o.Progress("blocks", n, total)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return s.classes, ctx.Err()
}

// census is the state of a [DB.Census].
type census struct {
	db *DB
	u  *games.Universe

	mu      sync.Mutex
	classes []ClassCount
}

// block counts the positions of a block.
func (s *census) block(ctx context.Context, tier int, block uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c := &s.db.manifest.Content
	codes, _, err := s.db.ReadBlock(tier, block)
	if err != nil {
		return err
	}
	begin := c.Tiers[tier].Start + block*uint64(c.BlockSize)
	end := begin + uint64(c.BlockLength(tier, block))
	var indices []uint64
	var labels games.Labelled
	for i := range s.classes {
		class := &s.classes[i]
		first, last := max(begin, class.Start), min(end, class.Start+class.Size)
		if first >= last {
			continue
		}
		indices = indices[:0]
		for index := first; index < last; index++ {
			indices = append(indices, index)
		}
		s.u.Classed.Label(indices, &labels)
		n := ClassCount{Win: -1, Loss: -1}
		for j, v := range labels.Status {
			if v == games.Hole {
				continue
			}
			if v == games.Unfinished {
				code := CodeAt(codes, int(first-begin)+j, s.db.width)
				if code == 0 || code > len(c.Values) {
					return fmt.Errorf("%w: %s has no value", ErrCorrupt, s.u.PositionName(indices[j]))
				}
				v = c.Values[code-1]
			}
			n.Positions.add(v, 1)
			n.Labelled.add(v, uint64(labels.Ways[j]))
			if plies, ok := v.Plies(); ok && c.Order == games.ByDistance.String() {
				if v.Result() == games.Won {
					n.Win = max(n.Win, plies)
				} else {
					n.Loss = max(n.Loss, plies)
				}
			}
		}
		s.mu.Lock()
		class.merge(&n)
		s.mu.Unlock()
	}
	return nil
}

func (c *ClassCount) merge(n *ClassCount) {
	for _, r := range [][2]*Results{{&c.Positions, &n.Positions}, {&c.Labelled, &n.Labelled}} {
		r[0].Won += r[1].Won
		r[0].Drawn += r[1].Drawn
		r[0].Lost += r[1].Lost
	}
	c.Win, c.Loss = max(c.Win, n.Win), max(c.Loss, n.Loss)
}
