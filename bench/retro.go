package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
)

// Retro measures moves and unmoves of a game on one thread, the retrograde engine on all
// threads ([Solve]), and probes of a database. The same seed gives the same samples.
type Retro struct {
	Game *app.Game // whose positions have numbers
	// Database is the directory of a database of the game; empty means no probes.
	Database string
	// CacheSizes are the cache sizes to probe with, in bytes.
	CacheSizes []int64
	// Probes is the number of different positions to probe.
	Probes int
	// Time is the approximate duration of each measurement.
	Time time.Duration
	Seed uint64
}

// Measurement is how fast the engine or the database does something.
type Measurement struct {
	Name      string  `json:"name"`
	Unit      string  `json:"unit"` // of Count
	Count     uint64  `json:"count"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
	// CPUNanoseconds is the processor time per unit, if measured.
	CPUNanoseconds float64 `json:"cpu_ns,omitempty"`
}

// sampleSize is the number of positions to expand and retract, in batches of
// sampleBatch adjacent indices.
const (
	sampleSize  = 1 << 18
	sampleBatch = 256
)

// Run does all measurements and calls report with each as it is done.
func (b Retro) Run(ctx context.Context, report func(Measurement)) error {
	u, err := b.Game.Universe()
	if err != nil {
		return err
	}
	if err := b.moves(ctx, u, report); err != nil {
		return err
	}
	r, err := Solve{Universe: u, Time: b.Time}.Run(ctx)
	if err != nil {
		return err
	}
	report(r)
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

// repeat calls work, which returns how much it did, until the time is over. As long as work
// has done nothing, repeat goes on after that, up to the given number of tries in all.
func (b Retro) repeat(ctx context.Context, name, unit string, tries int, report func(Measurement), work func() (uint64, error)) error {
	begin := time.Now()
	r := Measurement{Name: name, Unit: unit}
	for i := 0; r.Count == 0 && i < tries || time.Since(begin) < b.Time; i++ {
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

func (b Retro) moves(ctx context.Context, u *games.Universe, report func(Measurement)) error {
	rng := rand.New(rand.NewPCG(b.Seed, 0))
	var x games.Expansion
	var batches, open [][]uint64
	tiers := slices.DeleteFunc(slices.Clone(u.Tiers), func(t games.Tier) bool { return t.Open == 0 })
	if len(tiers) == 0 {
		return fmt.Errorf("%s has no unfinished position", u.Name)
	}
	for len(batches)*sampleBatch < sampleSize {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := tiers[rng.IntN(len(tiers))]
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
	next := 0
	err := b.repeat(ctx, "expand", "moves", len(batches), report, func() (uint64, error) {
		u.Expander.Expand(batches[next%len(batches)], &x)
		next++
		return uint64(x.Moves), nil
	})
	if err != nil || u.Retractor == nil || len(open) == 0 {
		return err
	}
	var before games.Predecessors
	return b.repeat(ctx, "retract", "moves", len(open), report, func() (uint64, error) {
		u.Retractor.Retract(open[next%len(open)], &before)
		next++
		return uint64(len(before.Indices)), nil
	})
}

// probes measures warm probes of random positions in the database, in random order.
func (b Retro) probes(ctx context.Context, u *games.Universe, cacheSize int64, report func(Measurement)) (err error) {
	d, err := store.Open(b.Database, &store.Options{CacheSize: cacheSize})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	prober, err := b.Game.Database(d)
	if err != nil {
		return err
	}
	positions, err := b.positions(ctx, u, prober)
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
	if err := b.repeat(ctx, name, "probes", 1, report, probe); err != nil {
		return err
	}
	return b.repeat(ctx, name+", all moves", "positions", 1, report, func() (uint64, error) {
		const some = 1 << 10
		for _, p := range positions[:min(some, len(positions))] {
			if _, err := prober.ProbeMoves(p); err != nil {
				return 0, err
			}
		}
		return uint64(min(some, len(positions))), nil
	})
}

// positions draws random positions of a database. Afterwards the cache is warm.
func (b Retro) positions(ctx context.Context, u *games.Universe, d app.Database) ([]app.Position, error) {
	rng := rand.New(rand.NewPCG(b.Seed, 1))
	var list []app.Position
	for tries := 0; len(list) < b.Probes; tries++ {
		if tries > 1000*b.Probes {
			return nil, errors.New("the database has too few positions to probe")
		}
		if tries%(1<<12) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		index := rng.Uint64N(u.Size())
		p, ok := b.Game.At(index)
		if !ok {
			continue
		}
		if _, held, err := d.Value(p); err != nil {
			return nil, err
		} else if !held {
			continue
		}
		list = append(list, p)
	}
	return list, nil
}
