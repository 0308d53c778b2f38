package puzzle

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// Difficulty is how hard it is to find the move of a puzzle.
type Difficulty struct {
	// Rank is between 0 and 1: the weighted mean of Errors, of the nodes and traps as shares, and of the distance.
	Rank float64
	// Errors is the share of searches with few nodes that choose another move.
	Errors float64
	// Depth and Nodes are those from which on a search finds the move, as its depth grows; both are 0 if it does not with
	// [MostNodes].
	Depth int
	Nodes uint64
	// Traps is the number of wrong moves that look at least as good as the right one two plies deep.
	Traps int
}

const (
	// MostNodes is how many positions the search looks at that says when the move is found.
	MostNodes = 4000
	// Those that err have so many, each with several seeds of their choice.
	fewNodes, moreNodes, manyNodes = 50, 200, 800
	seeds                          = 3
	jitter                         = 50
	trapDepth                      = 2

	// Weights of the parts of the rank, and the distance that counts half.
	errorsWeight, nodesWeight, trapsWeight, pliesWeight = 0.4, 0.3, 0.1, 0.2
	halfPlies                                           = 10
)

// rank returns the rank of a puzzle by what else is known of it: the weighted mean of the share of searches that err; of
// the nodes that it takes to find the move, on a logarithmic scale from fewNodes to MostNodes; of the other moves that are
// traps; and of the distance. Without a distance it is the mean of the others.
func (p *Puzzle[P, M]) rank() float64 {
	nodes := 1.0
	if p.Depth > 0 {
		nodes = math.Log(float64(max(p.Nodes, fewNodes))/fewNodes) / math.Log(MostNodes/fewNodes)
	}
	traps := float64(p.Traps) / float64(p.Legal-1)
	sum := errorsWeight*p.Errors + nodesWeight*min(nodes, 1) + trapsWeight*traps
	plies, known := p.Plies()
	if !known {
		return sum / (1 - pliesWeight)
	}
	return sum + pliesWeight*float64(plies)/float64(plies+halfPlies)
}

// TableMemory is the size of the table for the searches of a [Ranker]. The rank depends on it.
const TableMemory = 1 << 18

// Ranker ranks puzzles by searches.
type Ranker[P, M comparable] struct {
	// Engines search, each on a goroutine of its own. All are the same: with a table of [TableMemory], on one thread, without
	// a database.
	Engines []play.Engine[P, M]
	// Game has the moves of positions.
	Game games.Game[P, M]
	// Progress, if not nil, is told of the puzzles ranked. Only one goroutine at a time calls it.
	Progress games.Progress
}

// Rank ranks puzzles, and sorts them: the hardest first, and those of the same rank by index. The number of engines does
// not matter to the result.
func (r *Ranker[P, M]) Rank(ctx context.Context, list []Puzzle[P, M]) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for _, e := range r.Engines {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list); i = int(next.Add(1)) - 1 {
				d, err := r.measure(ctx, e, &list[i])
				if err != nil {
					cancel(err)
					return
				}
				list[i].Difficulty = d
				list[i].Rank = list[i].rank()
				mu.Lock()
				if done++; r.Progress != nil {
					r.Progress("puzzles ranked", uint64(done), uint64(len(list)))
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b Puzzle[P, M]) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Index, b.Index))
	})
	return nil
}

// measure searches the position of a puzzle.
func (r *Ranker[P, M]) measure(ctx context.Context, e play.Engine[P, M], p *Puzzle[P, M]) (d Difficulty, err error) {
	for _, part := range []func(context.Context, play.Engine[P, M], *Puzzle[P, M], *Difficulty) error{r.deepen, r.err, r.trap} {
		e.Clear()
		if err := part(ctx, e, p, &d); err != nil {
			return d, err
		}
	}
	return d, nil
}

// search fails if ctx has ended, since the engine returns what it has found by then.
func search[P, M comparable](ctx context.Context, e play.Engine[P, M], q play.Query[P, M]) (play.Line[M], error) {
	r, err := e.Search(ctx, q)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return play.Line[M]{}, err
	}
	return r.Best(), nil
}

// deepen finds out when a search finds the move for good.
func (r *Ranker[P, M]) deepen(ctx context.Context, e play.Engine[P, M], p *Puzzle[P, M], d *Difficulty) error {
	best, err := search(ctx, e, play.Query[P, M]{
		From: p.Position, Limits: play.Limits{Nodes: MostNodes},
		Progress: func(r play.Result[M]) {
			switch {
			case r.Best().Moves[0] != p.Move:
				d.Depth, d.Nodes = 0, 0
			case d.Depth == 0:
				d.Depth, d.Nodes = r.Depth, r.Nodes
			}
		},
	})
	if err == nil && best.Moves[0] != p.Move { // the last depth was not completed
		d.Depth, d.Nodes = 0, 0
	}
	return err
}

// err counts how often searches with few nodes choose another move.
func (r *Ranker[P, M]) err(ctx context.Context, e play.Engine[P, M], p *Puzzle[P, M], d *Difficulty) error {
	wrong, all := 0, 0
	for _, nodes := range []uint64{fewNodes, moreNodes, manyNodes} {
		for seed := range uint64(seeds) {
			e.Clear()
			best, err := search(ctx, e, play.Query[P, M]{
				From: p.Position, Limits: play.Limits{Nodes: nodes}, Choice: play.Choice{Jitter: jitter, Seed: seed + 1},
			})
			if err != nil {
				return err
			}
			if all++; best.Moves[0] != p.Move {
				wrong++
			}
		}
	}
	d.Errors = float64(wrong) / float64(all)
	return nil
}

// trap counts the moves that look at least as good as the right one.
func (r *Ranker[P, M]) trap(ctx context.Context, e play.Engine[P, M], p *Puzzle[P, M], d *Difficulty) error {
	looks := func(m M) (play.Score, error) {
		best, err := search(ctx, e, play.Query[P, M]{From: p.Position, Only: []M{m}, Limits: play.Limits{Depth: trapDepth}})
		return best.Score, err
	}
	right, err := looks(p.Move)
	if err != nil {
		return err
	}
	for _, m := range r.Game.AppendMoves(nil, p.Position) {
		if m == p.Move {
			continue
		}
		score, err := looks(m)
		if err != nil {
			return err
		}
		if score >= right {
			d.Traps++
		}
	}
	return nil
}
