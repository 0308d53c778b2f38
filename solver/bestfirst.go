package solver

import (
	"context"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/proof"
)

// newSearch returns a search in an arena with the limits of the configuration.
func (s *Solver[P, M]) newSearch(ctx context.Context, a *arena[P, M], attacker proof.Side, stats *Statistics) *search[P, M] {
	x := &search[P, M]{rules: s.rules, arena: a, limit: s.cfg.Nodes}
	begin, shown := time.Now(), time.Now()
	x.check = func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.cfg.Time > 0 && time.Since(begin) > s.cfg.Time {
			return errLimit
		}
		*stats = Statistics{x.spent(), x.bytes(), time.Since(begin)}
		if x.second != nil {
			stats.Memory += x.second.bytes()
		}
		if s.cfg.Nodes > 0 && stats.Nodes >= s.cfg.Nodes {
			return errLimit
		}
		if err := x.fit(s.cfg.Memory); err != nil {
			return err
		}
		if s.cfg.Progress != nil && time.Since(shown) >= s.cfg.ProgressEvery {
			shown = time.Now()
			r := x.result()
			s.cfg.Progress(Progress{attacker, r.proof, r.disproof, *stats})
		}
		return nil
	}
	return x
}

// secondShare limits a second-level search to one in secondShare of the first level's
// nodes: large searches evaluate better, small ones waste less.
const secondShare = 64

// fit keeps a search within memory bytes. Once half of them are used, leaves are
// evaluated by second-level searches.
func (s *search[P, M]) fit(memory uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	used := s.bytes()
	if s.second == nil && used > memory/2 {
		s.second = &search[P, M]{rules: s.rules, arena: newArena[P, M]()}
	}
	if s.second == nil {
		return nil
	}
	if used+s.second.bytes() > memory {
		return fmt.Errorf("%w: the tree needs more than %d MiB", errLimit, memory>>20)
	}
	s.second.limit = max(uint64(s.nodeCount)/secondShare, 1000)
	return nil
}

// askBestFirst answers a question by best-first search.
func (s *Solver[P, M]) askBestFirst(ctx context.Context, q Asked) (Asked, error) {
	x := s.newSearch(ctx, newArena[P, M](), q.Attacker, &q.Statistics)
	err := x.start(s.rules.canonical(s.root), q.Attacker == proof.Mover)
	if err == nil {
		if err = x.run(); err == nil {
			err = x.check() // for the statistics
		}
	}
	r := x.result()
	if !r.solved() {
		return q, err
	}
	q.Outcome = r.outcome()
	s.solved[q.Attacker] = x.keepSolved()
	return q, nil
}

// resolve implements [resolver]: a node that is not solved is searched. A game that
// always ends needs no limit.
func (s *search[P, M]) resolve(p P, attackerToMove bool, _ uint16) (solution[M], error) {
	s.earlier += s.expanded
	s.expanded, s.visited = 0, 0
	if err := s.start(p, attackerToMove); err != nil {
		return solution[M]{}, err
	}
	if err := s.run(); err != nil {
		return solution[M]{}, err
	}
	r := s.result()
	return solution[M]{wins: r.proof == 0, unsure: r.flags&unsure != 0, move: r.move}, nil
}
