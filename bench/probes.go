package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/cpu"
)

// Probes measures what lookups in a database cost, on one thread: of random positions, and of all
// moves of the positions along games of best play. The same seed gives the same positions.
type Probes struct {
	Game *app.Game // whose positions have numbers
	// Database is the directory of a database of the game.
	Database string
	// Against is that of another one, whose values must be the same as far as both have distances;
	// may be empty.
	Against string
	// CacheSize is the size of the cache, which is empty at the beginning, in bytes.
	CacheSize int64
	// Probes is the number of random positions, and about that of the probes along games.
	Probes int
	Seed   uint64
}

// ProbeCost is what probes have cost.
type ProbeCost struct {
	Name   string `json:"name"`
	Probes uint64 `json:"probes"`
	// CPUMicroseconds and Blocks are the processor time and the blocks read of a probe.
	CPUMicroseconds float64 `json:"cpu_us"`
	Blocks          float64 `json:"blocks"`
	// Compared is the number of values that another database has too.
	Compared uint64 `json:"compared,omitempty"`
}

// mostPlies ends a game of best play, which may be drawn.
const mostPlies = 60

// probed is a position and its value in the database that is measured.
type probed struct {
	position app.Position
	value    games.Value
}

// Run measures, and calls report with each result as it is done. A value that differs from that of
// the other database is an error.
func (b Probes) Run(ctx context.Context, report func(ProbeCost)) (err error) {
	positions, err := b.draw(ctx)
	if err != nil {
		return err
	}
	for _, along := range []bool{false, true} {
		d, err := b.open(b.Database, b.CacheSize)
		if err != nil {
			return err
		}
		r, list, err := b.measure(ctx, d, positions, along)
		if err = errors.Join(err, d.Close()); err != nil {
			return err
		}
		if b.Against != "" {
			if err := b.compare(ctx, list, d.DB().Manifest().Content.Order); err != nil {
				return err
			}
			r.Compared = uint64(len(list))
		}
		report(r)
	}
	return nil
}

func (b Probes) open(dir string, cache int64) (app.Database, error) {
	d, err := store.Open(dir, &store.Options{CacheSize: cache})
	if err != nil {
		return nil, err
	}
	x, err := b.Game.Database(d)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return x, nil
}

// draw draws the random positions.
func (b Probes) draw(ctx context.Context) (list []app.Position, err error) {
	u, err := b.Game.Universe()
	if err != nil {
		return nil, err
	}
	d, err := b.open(cmp.Or(b.Against, b.Database), 0)
	if err != nil {
		return nil, err
	}
	list, err = Retro{Game: b.Game, Probes: b.Probes, Seed: b.Seed}.positions(ctx, u, d)
	return list, errors.Join(err, d.Close())
}

// measure probes random positions, or the moves of games that begin with them.
func (b Probes) measure(ctx context.Context, d app.Database, positions []app.Position, along bool) (ProbeCost, []probed, error) {
	r, list := ProbeCost{Name: "random positions"}, []probed(nil)
	if along {
		r.Name = "all moves along games"
	}
	begin := cpu.Time()
	for _, p := range positions {
		if r.Probes >= uint64(len(positions)) {
			break
		}
		if err := ctx.Err(); err != nil {
			return r, nil, err
		}
		if !along {
			v, err := d.Probe(p)
			if err != nil {
				return r, nil, err
			}
			list = append(list, probed{p, v})
			r.Probes++
			continue
		}
		for range mostPlies {
			moves, err := d.ProbeMoves(p)
			if err != nil {
				return r, nil, err
			}
			if _, finished := b.Game.Outcome(p); finished || len(moves) == 0 {
				break
			}
			list = append(list, probed{p, moves[0].Value})
			r.Probes += uint64(len(moves))
			p = b.Game.Play(p, moves[0].Move)
		}
	}
	n := float64(max(r.Probes, 1))
	r.CPUMicroseconds = float64((cpu.Time() - begin).Nanoseconds()) / 1000 / n
	r.Blocks = float64(d.DB().BlocksRead()) / n
	return r, list, nil
}

// compare compares values, in some order, with those of the other database.
func (b Probes) compare(ctx context.Context, list []probed, order string) error {
	d, err := b.open(b.Against, 0)
	if err != nil {
		return err
	}
	differ := d.DB().Manifest().Content.Order != order // only one of them has distances
	for _, x := range list {
		want, e := d.Probe(x.position)
		if differ {
			want, x.value = want.Result().Value(), x.value.Result().Value()
		}
		if err = cmp.Or(e, ctx.Err()); err == nil && want != x.value {
			err = fmt.Errorf("%s: %s has %v, %v in %s", b.Database, b.Game.AppendPosition(nil, x.position), x.value, want, b.Against)
		}
		if err != nil {
			break
		}
	}
	return errors.Join(err, d.Close())
}
