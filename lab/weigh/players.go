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
	"github.com/yomikiri/yomikiri/lab/policy"
	"github.com/yomikiri/yomikiri/lab/uct"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/play/match"
)

// Players is the [Field] of a game. Individuals have weights of features, which are learned from the same examples in the same
// order: those of evaluations, or of policies.
type Players[P, M comparable] struct {
	match.Arena[P, M]
	Set *games.FeatureSet
	// Learn learns weights of the features, with weights of the parts of the data, nil if all are 1.
	Learn func(ctx context.Context, parts []float64) ([]float32, error)
	// Player returns what makes players with weights of the features.
	Player func(weights []float32) match.Maker[P, M]
	// Of says what Learn and Player depend on.
	Of string
	// Dir is a directory for the weights, which are learned again if they are not there.
	Dir string
	// Made, if not nil, is called after individuals are made, by one goroutine at a time.
	Made func(done, all int)

	made map[int][]float32
}

// File returns the name of the file with the weights of an individual.
func File(dir string, individual int) string {
	return filepath.Join(dir, fmt.Sprintf("%03d.weights", individual))
}

// Weights returns the weights of the features of an individual that is made, nil of another one.
func (f *Players[P, M]) Weights(individual int) []float32 { return f.made[individual] }

// Make implements [Field].
func (f *Players[P, M]) Make(ctx context.Context, s *State, list []int) error {
	if err := storage.MkdirAll(vfs.Default, f.Dir); err != nil {
		return err
	}
	made := map[int][]float32{}
	var missing []int
	for _, i := range list {
		if w, ok := f.made[i]; ok {
			made[i] = w
		} else {
			missing = append(missing, i)
		}
	}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(f.Threads, 1))
	for _, i := range missing {
		group.Go(func() error {
			w, err := f.make(ctx, s, i)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			made[i] = w
			if f.Made != nil {
				f.Made(len(made), len(list))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	f.made = made
	return nil
}

// make makes an individual, or reads it from its file.
func (f *Players[P, M]) make(ctx context.Context, s *State, individual int) ([]float32, error) {
	name := File(f.Dir, individual)
	origin := fmt.Sprintf("individual %d of search %016x", individual, s.Signature)
	if data, err := os.ReadFile(name); err == nil {
		if w, of, err := games.ReadWeights(bytes.NewReader(data), f.Set); err == nil && of == origin {
			return w, nil
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	weights, err := f.Learn(ctx, s.Individuals[individual].Weights)
	if err != nil {
		return nil, err
	}
	return weights, storage.WriteFile(vfs.Default, f.Dir, filepath.Base(name), func(w io.Writer) error {
		return games.WriteWeights(w, f.Set, weights, origin)
	})
}

// Evaluations returns a field whose individuals have evaluations, fitted to examples, and look at a number of positions for a
// move. search makes engines of the game, such as [play.New] does.
func Evaluations[P, M comparable](arena match.Arena[P, M], set *games.FeatureSet, x *learn.Examples, fit learn.Config, nodes uint64,
	search func(c play.Config[P]) (play.Engine[P, M], error)) *Players[P, M] {
	return &Players[P, M]{
		Arena: arena, Set: set,
		Of: fmt.Sprint(x.Signature(), fit.From, fit.Rate, fit.L1, fit.Batch, fit.Epochs, fit.Patience, fit.HeldOut, fit.Seed, nodes),
		Learn: func(ctx context.Context, parts []float64) ([]float32, error) {
			c := fit
			c.Parts, c.File, c.Progress = parts, "", nil
			r, err := learn.Fit(ctx, x, c)
			if err != nil {
				return nil, err
			}
			return r.Weights, nil
		},
		Player: func(weights []float32) match.Maker[P, M] {
			return func(context.Context) (match.Player[P, M], error) {
				memory := min(nodes*64, 16<<20) // small, since it is cleared for each game
				s, err := search(play.Config[P]{Evaluation: &play.Evaluation{Set: set, Weights: weights}, Memory: memory, Pruning: play.AllPruning})
				if err != nil {
					return nil, err
				}
				return match.NewSearcher(s, match.Settings{Limits: play.Limits{Nodes: nodes}}), nil
			}
		},
	}
}

// Policies returns a field whose individuals have policies of a model, fitted to choices, and play by playouts.
func Policies[P, M comparable](arena match.Arena[P, M], set *games.MoveFeatureSet, m policy.Model, x *policy.Choices, fit learn.Config, playouts int) *Players[P, M] {
	return &Players[P, M]{
		Arena: arena, Set: policy.PolicySet(set, m),
		Of: fmt.Sprint(m, x.Signature(), fit.Rate, fit.L1, fit.Batch, fit.Epochs, fit.Patience, fit.HeldOut, fit.Seed, playouts),
		Learn: func(ctx context.Context, parts []float64) ([]float32, error) {
			c := fit
			c.Parts, c.File, c.Progress = parts, "", nil
			p, err := policy.Fit(ctx, x, m, c)
			if err != nil {
				return nil, err
			}
			return p.Weights, nil
		},
		Player: func(weights []float32) match.Maker[P, M] {
			return func(context.Context) (match.Player[P, M], error) {
				s, err := uct.New(arena.Game, uct.Config{Playouts: playouts, Policy: &policy.Policy{Set: set, Model: m, Weights: weights}})
				if err != nil {
					return nil, err
				}
				return uct.NewPlayer(s), nil
			}
		},
	}
}

// Play implements [Field].
func (f *Players[P, M]) Play(ctx context.Context, first int, pairs [][2]int) ([]int, error) {
	var bouts []match.Bout[P, M]
	for i, p := range pairs {
		b := match.Bout[P, M]{Number: first + i}
		for k, n := range p {
			b.Players[k] = f.Player(f.made[n])
		}
		bouts = append(bouts, b)
	}
	return f.Arena.Play(ctx, bouts)
}

// Signature returns a hash of everything that the individuals and their games depend on.
func (f *Players[P, M]) Signature() uint64 {
	return hash(fmt.Sprint(f.Of, f.Arena.Seed, f.RandomPlies, f.Openings, f.Plies, f.Repetitions, f.Database != nil))
}

func hash(text string) uint64 { return xxhash.Sum64String(text) }
