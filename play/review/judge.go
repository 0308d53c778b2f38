package review

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/measure"
)

// judgement is what is found about a position, for the side to move.
type judgement[M comparable] struct {
	games.Advice[M]
	// If that does not decide the position, score is an estimate, line how play may go on, and own the estimate of the
	// move made by a search to the same depth.
	score, own play.Score
	line       []M
	// searched is the score as the search found it.
	searched play.Score
}

// each calls judge for the plies below n from First on, on several goroutines, each with an engine.
func (r *reviewer[P, M]) each(ctx context.Context, n int, progress games.Progress, judge func(ctx context.Context, s play.Engine[P, M], i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Int64
	next.Store(int64(r.First))
	var threads sync.WaitGroup
	for range max(r.Threads, 1) {
		threads.Go(func() {
			s, err := r.Search()
			for err == nil && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err = judge(ctx, s, i); err == nil && progress != nil {
					progress("positions", uint64(done.Add(1)), uint64(n-r.First))
				}
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	threads.Wait()
	return context.Cause(ctx)
}

// judge judges a position by itself.
func (r *reviewer[P, M]) judge(ctx context.Context, s play.Engine[P, M], i int) error {
	err := r.judgeWith(ctx, s, i, r.Leaves, r.Leaves)
	if r.judgedAt[i] = err == nil; err != nil {
		r.found[i] = nothing[M]()
	}
	return err
}

// nothing is what is known of a position before it is judged.
func nothing[M comparable]() judgement[M] {
	return judgement[M]{Advice: games.Advice[M]{Bounds: games.Unbounded}}
}

// judgeWith is judge with other numbers of positions for deciders and of leaves.
func (r *reviewer[P, M]) judgeWith(ctx context.Context, s play.Engine[P, M], i int, nodes, leaves uint64) error {
	p, row, found := r.positions[i], &r.rows[i], &r.found[i]
	if influence, ok := games.As[games.Influence[P]](r.game); ok {
		own, opposite := influence.Influence(p)
		e := [2]measure.Evidence{measure.EvidenceOf(own, influence.Columns()), measure.EvidenceOf(opposite, influence.Columns())}
		if row.Side == 2 {
			e[0], e[1] = e[1], e[0]
		}
		row.Evidence = &e
	}
	found.Bounds = games.Unbounded
	known, err := r.look(i)
	if err != nil {
		return err
	}
	if _, finished := r.game.Outcome(p); finished {
		return nil
	}
	if !known {
		if found.Advice, err = s.Decide(ctx, p, nodes); err != nil || found.Decided(r.order) {
			return err
		}
	}
	s.Clear() // so that the result does not depend on the positions judged before
	d, err := measure.Measure(ctx, s, play.Query[P, M]{From: r.from, Moves: r.moves[:i]}, leaves)
	if err != nil {
		return err
	}
	found.searched, found.score, found.line, row.Depth = d.Score, r.calibrated(d.Score, d.Depth), d.Line, d.Depth
	if !d.Decided {
		row.Up, row.Down = d.Up, d.Down
	}
	if known || i == len(r.moves) {
		return nil
	}
	found.own = found.score
	if m := r.representative(p, r.moves[i]); m != r.representative(p, d.Line[0]) {
		// The table still has what the search has found.
		x, err := s.Search(ctx, play.Query[P, M]{
			From: r.from, Moves: r.moves[:i], Only: []M{m}, Limits: play.Limits{Depth: d.Depth}, Without: measure.Without,
		})
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		found.own = r.calibrated(min(x.Best().Score, d.Score), d.Depth)
	}
	return nil
}

// calibrated returns a score of a search to some depth without what it is too high by.
func (r *reviewer[P, M]) calibrated(s play.Score, depth int) play.Score {
	if _, mate := s.Mate(); mate {
		return s
	}
	return s - play.Score(r.Calibration.Optimism[depth%2])
}

// look looks up what the rules and Value know of a position.
func (r *reviewer[P, M]) look(i int) (known bool, err error) {
	found := &r.found[i]
	v, known := r.game.Outcome(r.positions[i])
	found.By = play.ByRules
	if !known && r.Value != nil {
		if v, found.By, known, err = r.Value(r.positions[i]); err != nil {
			return false, err
		}
	}
	if known {
		found.Bounds = games.BoundsOf(v)
	} else {
		found.By = ""
	}
	return known, nil
}

// representative returns the first move of a position that leads to the same position as m but for symmetry, so that
// such moves are judged alike.
func (r *reviewer[P, M]) representative(p P, m M) M {
	c, ok := games.As[games.Canonicalizer[P]](r.game)
	if !ok {
		return m
	}
	after := c.Canonical(r.game.Play(p, m))
	for _, other := range r.game.AppendMoves(nil, p) {
		if c.Canonical(r.game.Play(p, other)) == after && r.gain(p, other) == r.gain(p, m) {
			return other
		}
	}
	return m
}

func (r *reviewer[P, M]) gain(p P, m M) int {
	if scorer, ok := games.As[games.Scorer[P, M]](r.game); ok {
		return scorer.Gain(p, m)
	}
	return 0
}

// carry carries what is proven of a position to those beside it: a position is worth at least the move that was made
// there, and that move at most the position.
func (r *reviewer[P, M]) carry() error {
	for i := len(r.moves) - 1; i >= r.First; i-- {
		now, next := &r.found[i], &r.found[i+1]
		after := next.Backup(r.gain(r.positions[i], r.moves[i]))
		if after.Lower > now.Lower {
			now.By, now.Line = next.By, append([]M{r.moves[i]}, next.Line...)
		}
		var err error
		if now.Bounds, err = now.Meet(games.Bounds{Lower: after.Lower, Upper: games.Unbounded.Upper}); err != nil {
			return err
		}
	}
	for i := r.First; i < len(r.moves); i++ {
		now, next := &r.found[i], &r.found[i+1]
		after := now.After(r.gain(r.positions[i], r.moves[i]))
		if after.Lower <= next.Lower {
			continue
		}
		next.By, next.Line = now.By, nil
		if len(now.Line) > 1 && now.Line[0] == r.moves[i] {
			next.Line = now.Line[1:]
		}
		var err error
		if next.Bounds, err = next.Meet(after); err != nil {
			return err
		}
	}
	return nil
}
