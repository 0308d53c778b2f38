package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Processes that share a directory solve tiers one at a time, in any order in which the children of a
// tier come before it. A tier that is solved elsewhere is adopted: its file says all that an engine has
// to know of it. Files of tiers are what is kept, so there are no snapshots.

var errDamagedTier = fmt.Errorf("%w: a solved tier; delete this file, and run the same command again, which solves the tier again", db.ErrCorrupt)

// ForTiers returns an engine that solves single tiers in the directory cfg.Checkpoint, of all positions.
func ForTiers(u *games.Universe, cfg Config) (*Engine, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	cfg.Positions, cfg.CheckpointEvery = All, 0
	e, err := New(u, cfg, nil)
	if err != nil {
		return nil, err
	}
	e.damaged, e.pause.never = errDamagedTier, true
	e.effort = NewEffort(e, time.Now())
	return e, nil
}

// SolveTier solves a tier, whose children must be solved, and writes its file. After an error nothing
// more can be solved; it is [ErrStopped] if the context has ended.
func (e *Engine) SolveTier(ctx context.Context, tier int) error {
	for _, child := range e.universe.Children(tier) {
		if err := e.adopt(child); err != nil {
			return err
		}
	}
	if e.reverse != nil {
		if err := e.reverse.check(ctx, tier); err != nil {
			return err
		}
	}
	e.state.Stage, e.state.Tier = stageInitialise, tier
	if err := e.runUntil(ctx, tier+1); err != nil {
		return err
	}
	return e.storeTier(tier)
}

// adopt takes over a tier from its file, unless it has been solved here or adopted before.
func (e *Engine) adopt(tier int) error {
	if e.resident[tier] || e.files[tier] != nil {
		return nil
	}
	f, of, err := e.openTier(tier)
	if err != nil {
		return err
	}
	e.files[tier] = f
	s := &e.state.Tiers[tier]
	if s.Stored { // its file was closed meanwhile
		return nil
	}
	*s = TierState{Unfinished: of.Counts.Unfinished, Moves: of.Counts.Moves, Stored: true}
	for code, n := range of.Counts.Settled {
		if n == 0 {
			continue
		}
		if f.codes != nil {
			code = int(f.codes[code])
		}
		s.Settled = grown(s.Settled, code)
		s.Settled[code] = n
	}
	for i, n := range of.Counts.Finished {
		if n == 0 {
			continue
		}
		e.assign(Outcomes, of.Outcomes[i-1])
		number := slices.Index(e.state.Outcomes, of.Outcomes[i-1]) + 1
		s.Finished = grown(s.Finished, number)
		s.Finished[number] = n
	}
	e.state.Passes = append(e.state.Passes, of.Passes...)
	return nil
}

// Complete adopts all tiers that were solved elsewhere. Then e is as if it had solved the game alone,
// in the time that all processes have spent.
func (e *Engine) Complete() error {
	for tier := range e.universe.Tiers {
		if err := e.adopt(tier); err != nil {
			return err
		}
	}
	s := &e.state
	slices.SortStableFunc(s.Passes, func(a, b Pass) int { return cmp.Compare(a.Tier, b.Tier) })
	e.start, e.before = time.Now(), 0
	for _, p := range s.Passes {
		e.before += p.Time
		s.Memory = max(s.Memory, p.Memory)
	}
	s.Stage, s.Tier = stageDone, len(e.universe.Tiers)
	return nil
}

// Close closes all files.
func (e *Engine) Close() error { return errors.Join(e.CloseFiles(), e.CloseScratch()) }
