package match

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
)

// Arena is where several players play each other.
type Arena[P, M comparable] struct {
	Game games.Game[P, M]
	Rules[P]
	// Openings, RandomPlies and Seed are those of a [Config].
	Openings    []P
	RandomPlies int
	Seed        uint64
	// Threads is the number of pairs that are played at the same time; 0 means 1.
	Threads int
}

// Bout is a pair of games to play.
type Bout[P, M comparable] struct {
	// Number is that of the pair: the opening and random choices depend on it.
	Number int
	// Players make the players.
	Players [2]Maker[P, M]
}

// Play plays pairs of games, and returns how many half points the first player won in each. It returns the
// error of ctx if that ends.
func (a *Arena[P, M]) Play(ctx context.Context, bouts []Bout[P, M]) ([]int, error) {
	half := make([]int, len(bouts))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int, len(bouts))
	for i := range bouts {
		next <- i
	}
	close(next)
	var threads sync.WaitGroup
	for range min(max(a.Threads, 1), len(bouts)) {
		threads.Go(func() {
			t := newTable(a.Game, a.Rules, Patience{})
			for i := range next {
				if ctx.Err() != nil {
					return
				}
				var err error
				if half[i], err = a.play(ctx, t, &bouts[i]); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	threads.Wait()
	return half, context.Cause(ctx)
}

func (a *Arena[P, M]) play(ctx context.Context, t *table[P, M], b *Bout[P, M]) (half int, err error) {
	var left atomic.Int64
	seats := newSeats(b.Players, Patience{}, &left)
	defer func() { err = errors.Join(err, leaveTable(ctx, seats)) }()
	pair, err := t.pair(ctx, openings[P]{a.Openings, a.RandomPlies, a.Seed}, seats, b.Number)
	return halfPoints(pair), err
}
