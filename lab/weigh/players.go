package weigh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/play/match"
)

// Players is the [Field] of a game. Individuals are fits to the same examples in the same order.
type Players[P, M comparable] struct {
	match.Arena[P, M]
	// Search makes engines of the game, such as [play.New] does.
	Search   func(c play.Config[P]) (play.Engine[P, M], error)
	Set      *games.FeatureSet
	Examples *learn.Examples
	Fit      learn.Config
	// Nodes is the number of positions that a player looks at for a move.
	Nodes uint64
	// Dir is a directory for the evaluations, which are made again if they are not there.
	Dir string
	// Made, if not nil, is called after individuals are made, by one goroutine at a time.
	Made func(done, all int)

	evaluations map[int]*play.Evaluation
}

// File returns the name of the file with the evaluation of an individual.
func File(dir string, individual int) string {
	return filepath.Join(dir, fmt.Sprintf("%03d.weights", individual))
}

// Evaluation returns the evaluation of an individual that is made.
func (f *Players[P, M]) Evaluation(individual int) *play.Evaluation { return f.evaluations[individual] }

// Make implements [Field].
func (f *Players[P, M]) Make(ctx context.Context, s *State, list []int) error {
	if err := storage.MkdirAll(vfs.Default, f.Dir); err != nil {
		return err
	}
	made := map[int]*play.Evaluation{}
	var missing []int
	for _, i := range list {
		if e, ok := f.evaluations[i]; ok {
			made[i] = e
		} else {
			missing = append(missing, i)
		}
	}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(f.Threads, 1))
	for _, i := range missing {
		group.Go(func() error {
			e, err := f.make(ctx, s, i)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			made[i] = e
			if f.Made != nil {
				f.Made(len(made), len(list))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	f.evaluations = made
	return nil
}

// make makes an individual, or reads it from its file.
func (f *Players[P, M]) make(ctx context.Context, s *State, individual int) (*play.Evaluation, error) {
	name := File(f.Dir, individual)
	origin := fmt.Sprintf("individual %d of search %016x", individual, s.Signature)
	if data, err := os.ReadFile(name); err == nil {
		if w, of, err := games.ReadWeights(bytes.NewReader(data), f.Set); err == nil && of == origin {
			return &play.Evaluation{Set: f.Set, Weights: w}, nil
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	e, err := f.Fitted(ctx, s.Individuals[individual].Weights)
	if err != nil {
		return nil, err
	}
	return e, storage.WriteFile(vfs.Default, f.Dir, filepath.Base(name), func(w io.Writer) error {
		return games.WriteWeights(w, f.Set, e.Weights, origin)
	})
}

// Fitted fits an evaluation with weights of the parts of the data, nil if all are 1.
func (f *Players[P, M]) Fitted(ctx context.Context, parts []float64) (*play.Evaluation, error) {
	c := f.Fit
	c.Parts, c.File, c.Progress = parts, "", nil
	r, err := learn.Fit(ctx, f.Examples, c)
	if err != nil {
		return nil, err
	}
	return &play.Evaluation{Set: f.Set, Weights: r.Weights}, nil
}

// Player returns a function that makes players with an evaluation.
func (f *Players[P, M]) Player(e *play.Evaluation) match.Maker[P, M] {
	return func(context.Context) (match.Player[P, M], error) {
		memory := min(f.Nodes*64, 16<<20) // small, since it is cleared for each game
		s, err := f.Search(play.Config[P]{Evaluation: e, Memory: memory, Pruning: play.AllPruning})
		if err != nil {
			return nil, err
		}
		return match.NewSearcher(s, match.Settings{Limits: play.Limits{Nodes: f.Nodes}}), nil
	}
}

// Play implements [Field].
func (f *Players[P, M]) Play(ctx context.Context, first int, pairs [][2]int) ([]int, error) {
	var bouts []match.Bout[P, M]
	for i, p := range pairs {
		b := match.Bout[P, M]{Number: first + i}
		for k, n := range p {
			b.Players[k] = f.Player(f.evaluations[n])
		}
		bouts = append(bouts, b)
	}
	return f.Arena.Play(ctx, bouts)
}

// Signature returns a hash of everything that the individuals and their games depend on.
func (f *Players[P, M]) Signature() uint64 {
	c := &f.Fit
	return hash(fmt.Sprint(f.Examples.Signature(), c.From, c.Rate, c.L1, c.Batch, c.Epochs, c.Patience, c.HeldOut, c.Seed,
		f.Nodes, f.Arena.Seed, f.RandomPlies, f.Openings, f.Plies, f.Repetitions, f.Database != nil))
}

func hash(text string) uint64 { return xxhash.Sum64String(text) }
