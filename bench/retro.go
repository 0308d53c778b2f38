package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Retro measures, on one thread, what retrograde analysis of a game consists of,
// and how fast its database answers. What it looks at is random, but the same
// for the same seed.
type Retro struct {
	Game games.Any
	// Database is the directory of a database of the game; if it is empty no
	// probes are measured.
	Database string
	// CacheSizes are the sizes of cache to probe with, in bytes.
	CacheSizes []int64
	// Probes is how many different positions are probed.
	Probes int
	// Time is about how long each measurement takes.
	Time time.Duration
	Seed uint64
}

// Result is what was measured.
type Result struct {
	Name      string  `json:"name"`
	Unit      string  `json:"unit"` // what is counted
	Count     uint64  `json:"count"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
}

// sampleSize is how many positions are expanded and retracted, in batches of
// sampleBatch adjacent indices each.
const (
	sampleSize  = 1 << 18
	sampleBatch = 256
)

// Run does all measurements and calls report with each as it is done.
func (b Retro) Run(ctx context.Context, report func(Result)) error {
	u, err := games.UniverseOf(b.Game)
	if err != nil {
		return err
	}
	if err := b.moves(ctx, u, report); err != nil {
		return err
	}
	if b.Database == "" {
		return nil
	}
	for _, size := range b.CacheSizes {
		if err := b.probes(ctx, u, size, report); err != nil {
			return err
		}
	}
	return nil
}

// repeat does work, which returns how much it did, once and until the time is
// over.
func (b Retro) repeat(ctx context.Context, name, unit string, report func(Result), work func() (uint64, error)) error {
	begin := time.Now()
	r := Result{Name: name, Unit: unit}
	for r.Count == 0 || time.Since(begin) < b.Time {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := work()
		if err != nil {
			return err
		}
		r.Count += n
	}
	r.Seconds = time.Since(begin).Seconds()
	r.PerSecond = float64(r.Count) / r.Seconds
	report(r)
	return nil
}

// moves measures expansion and retraction.
func (b Retro) moves(ctx context.Context, u *games.Universe, report func(Result)) error {
	rng := rand.New(rand.NewPCG(b.Seed, 0))
	var x games.Expansion
	var batches, open [][]uint64
	for len(batches)*sampleBatch < sampleSize {
		s := u.Tiers[rng.IntN(len(u.Tiers))]
		if s.Open == 0 {
			continue
		}
		first := rng.Uint64N(s.Open)
		var batch, unfinished []uint64
		for i := first; i < min(first+sampleBatch, s.Open); i++ {
			batch = append(batch, s.Start+i)
		}
		u.Expander.Expand(batch, &x)
		for i, index := range batch {
			if x.Status[i] == games.Unfinished {
				unfinished = append(unfinished, index)
			}
		}
		batches = append(batches, batch)
		if len(unfinished) > 0 {
			open = append(open, unfinished)
		}
	}
	err := b.repeat(ctx, "expand", "moves", report, func() (uint64, error) {
		n := uint64(0)
		for _, batch := range batches {
			u.Expander.Expand(batch, &x)
			n += uint64(x.Moves)
		}
		return n, nil
	})
	if err != nil || u.Retractor == nil {
		return err
	}
	var before games.Predecessors
	return b.repeat(ctx, "retract", "moves", report, func() (uint64, error) {
		n := uint64(0)
		for _, batch := range open {
			u.Retractor.Retract(batch, &before)
			n += uint64(len(before.Indices))
		}
		return n, nil
	})
}

// probes measures warm probes of random positions that the database holds, in
// random order, through a cache of some size.
func (b Retro) probes(ctx context.Context, u *games.Universe, cacheSize int64, report func(Result)) (err error) {
	d, err := db.Open(b.Database, &db.Options{CacheSize: cacheSize})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	prober, err := db.NewProber(d, b.Game)
	if err != nil {
		return err
	}
	positions, err := b.positions(ctx, u, d)
	if err != nil {
		return err
	}
	probe := func() (uint64, error) {
		for i, p := range positions {
			if i%(1<<12) == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			if _, err := prober.Probe(p); err != nil {
				return 0, err
			}
		}
		return uint64(len(positions)), nil
	}
	name := fmt.Sprintf("probe, cache of %d MiB", cacheSize>>20)
	if err := b.repeat(ctx, name, "probes", report, probe); err != nil {
		return err
	}
	return b.repeat(ctx, name+", all moves", "positions", report, func() (uint64, error) {
		const some = 1 << 10
		for _, p := range positions[:min(some, len(positions))] {
			if _, err := prober.ProbeMoves(p); err != nil {
				return 0, err
			}
		}
		return uint64(min(some, len(positions))), nil
	})
}

// positions draws random positions that a database holds. Drawing reads blocks,
// so the cache is warm afterwards.
func (b Retro) positions(ctx context.Context, u *games.Universe, d *db.DB) ([]any, error) {
	indexer, ok := games.IndexerOf(b.Game)
	if !ok {
		return nil, games.ErrNoIndex
	}
	rng := rand.New(rand.NewPCG(b.Seed, 1))
	var list []any
	for tries := 0; len(list) < b.Probes; tries++ {
		if tries > 1000*b.Probes {
			return nil, errors.New("the database holds hardly any position")
		}
		if tries%(1<<12) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		index := rng.Uint64N(u.Size())
		if _, held, err := d.Value(index); err != nil {
			return nil, err
		} else if !held {
			continue
		}
		p, _ := indexer.Position(index)
		list = append(list, p)
	}
	return list, nil
}
