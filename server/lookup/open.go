package lookup

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Open returns the handler of a database of a game. Part is the game as it is solved. A game without an index of its own is
// numbered first.
func Open[P, M comparable](ctx context.Context, part, whole games.Game[P, M], d *db.DB) (*Handler, error) {
	indexer, ok := part.(games.Indexer[P])
	if !ok {
		n, err := games.Number(ctx, part, games.NumberOptions{})
		if err != nil {
			return nil, err
		}
		indexer = n
	}
	p, err := db.NewProberWith(d, part, indexer)
	if err != nil {
		return nil, err
	}
	x := &Database[P, M]{Name: part.Name(), Game: part, Whole: whole, Values: values[P, M]{p, db.NewEndgame(p)}}
	h := &Handler{Name: part.Name(), Manifest: d.Manifest(), Solved: x, Warm: x.warm}
	if described, ok := games.As[games.Describer[P, M]](whole); ok {
		l := described.Layout()
		h.Layout = &l
	}
	return h, nil
}

// values are those of a prober, and what an endgame draws.
type values[P, M comparable] struct {
	*db.Prober[P, M]
	endgame *db.Endgame[P]
}

func (v values[P, M]) Draw(ctx context.Context, rng *rand.Rand) (P, uint64, error) {
	return v.endgame.Draw(ctx, rng)
}

// atOnce is how many blocks are fetched at a time.
const atOnce = 16

// warm looks up a position and those after each move, at the same time.
func (d *Database[P, M]) warm(ctx context.Context, q Query) {
	p, err := d.position(q)
	if err != nil {
		return
	}
	if _, finished := d.Game.Outcome(p); finished {
		return
	}
	list := []P{p}
	if !q.NoMoves {
		for _, m := range d.Game.AppendMoves(nil, p) {
			list = append(list, d.Game.Play(p, m))
		}
	}
	var group sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, p := range list {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			d.Values.Probe(p)
		})
	}
	group.Wait()
}
