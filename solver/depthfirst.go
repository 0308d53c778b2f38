package solver

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/proof"
)

// table is the transposition table of df-pn.
type table struct {
	*dfpn.Table
	roots atomic.Uint64 // number of roots of searches in it
}

// newRoot returns a new number for a root, see [cursor].
func (t *table) newRoot() uint64 { return t.roots.Add(1) }

// askDepthFirst answers a question by df-pn. Both questions share the table, since keys
// say whether the attacker is to move.
func (s *Solver[P, M]) askDepthFirst(ctx context.Context, q Asked) (Asked, error) {
	c := newCursor(s.rules, s.table.Seed())
	number := s.table.newRoot()
	c.set(s.rules.canonical(s.root), q.Attacker == proof.Mover, number)
	begin := time.Now()
	if s.cfg.Progress != nil {
		c.tick = s.progress(ctx, c, number, q.Attacker, begin)
	}
	limited, cancel := s.withTime(ctx)
	defer cancel()
	r, err := dfpn.Solve(limited, s.table.Table, func() dfpn.Cursor { return c }, dfpn.Config{Nodes: wholeChecks(s.cfg.Nodes)})
	q.Statistics = Statistics{c.expanded, uint64(s.table.Size()), time.Since(begin)}
	if err == nil && r.Outcome == dfpn.Unknown {
		err = stopped(limited, r.Disproof)
	}
	q.Outcome, _, _ = readResult(r)
	return q, err
}

// withTime returns a context that ends when the time for a question is up.
func (s *Solver[P, M]) withTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.cfg.Time > 0 {
		return context.WithTimeoutCause(ctx, s.cfg.Time, errLimit)
	}
	return context.WithCancel(ctx)
}

// wholeChecks rounds a limit of nodes down to a multiple of the engine's check interval,
// so that it is not exceeded.
func wholeChecks(nodes uint64) uint64 {
	const interval = 256
	if nodes > interval {
		nodes -= nodes % interval
	}
	return nodes
}

// progress returns a function that reports progress when a report is due. It reads the
// numbers of the root from the table with its own cursor.
func (s *Solver[P, M]) progress(ctx context.Context, c *cursor[P, M], number uint64, attacker proof.Side, begin time.Time) func() {
	r := s.rules
	r.brancher = s.newBrancher()
	root := newCursor(r, s.table.Seed())
	root.set(c.frames[0].position, c.frames[0].attacker, number)
	shown := begin
	return func() {
		if time.Since(shown) < s.cfg.ProgressEvery {
			return
		}
		shown = time.Now()
		known := dfpn.NewReader(ctx, s.table.Table, root, dfpn.Config{Nodes: 1}).Search(dfpn.Unlimited)
		s.cfg.Progress(Progress{attacker, known.Proof, known.Disproof, Statistics{c.expanded, uint64(s.table.Size()), time.Since(begin)}})
	}
}

// reader is a [resolver] by df-pn. It searches again what the table has lost.
type reader[P, M comparable] struct {
	ctx    context.Context
	cursor *cursor[P, M]
	reader *dfpn.Reader
	table  *table // of the solver: it counts roots
}

// newReader returns a reader of the results for an attacker, which may expand at most
// nodes positions in total; 0 means no limit.
func (s *Solver[P, M]) newReader(ctx context.Context, attacker proof.Side, nodes uint64) (*reader[P, M], error) {
	c, table := newCursor(s.rules, s.table.Seed()), s.table.Table
	if _, ok := c.brancher.(*allMoves[P, M]); !ok && c.layerer == nil {
		// Ranks must fall, so lengths must be right: the win is searched by the
		// rules alone.
		c.brancher = &allMoves[P, M]{game: c.game}
		var err error
		if table, err = dfpn.NewTable(table.Size()); err != nil {
			return nil, err
		}
		table.Rekey(s.table.Seed())
		c.set(s.rules.canonical(s.root), attacker == proof.Mover, s.table.newRoot())
		if _, err := dfpn.Solve(ctx, table, func() dfpn.Cursor { return c }, dfpn.Config{}); err != nil {
			return nil, err
		}
	}
	return &reader[P, M]{ctx, c, dfpn.NewReader(ctx, table, c, dfpn.Config{Nodes: nodes}), s.table}, nil
}

func (r *reader[P, M]) resolve(p P, attackerToMove bool, limit uint16) (solution[M], error) {
	if r.ctx.Err() != nil {
		return solution[M]{}, context.Cause(r.ctx)
	}
	c := r.cursor
	c.set(p, attackerToMove, r.table.newRoot())
	found := r.reader.Search(limit)
	if found.Outcome == dfpn.Unknown {
		return solution[M]{}, stopped(r.ctx, found.Disproof)
	}
	x := solution[M]{wins: found.Outcome == dfpn.Proven, unsure: !found.Sure, length: found.Length}
	if x.wins == attackerToMove && !x.unsure {
		x.move = c.frames[0].branches[found.Move].Move
	}
	return x, nil
}

// stopped returns the reason why a search found no answer.
func stopped(ctx context.Context, disproof uint32) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case disproof == 0:
		return fmt.Errorf("%w: depth limit (4000 plies)", errLimit)
	}
	return errLimit
}
