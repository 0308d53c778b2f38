package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/games"
)

// ErrInterrupted is returned when the context ends before the solve does.
var ErrInterrupted = errors.New("interrupted")

// Analyze solves a universe in this process alone. If there is a snapshot in cfg.Checkpoint, it
// goes on from there. If the context ends it writes one, and returns an error that is
// [ErrInterrupted].
func Analyze(ctx context.Context, u *games.Universe, cfg Config) (*Engine, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Memory > 0 && cfg.Checkpoint == "" {
		return nil, errors.New("a memory limit needs a directory for the tiers that do not fit (Config.Checkpoint)")
	}
	cfg.ChoosePositions(u)
	if cfg.Checkpoint != "" {
		h, err := ReadHeader(cfg.FS, cfg.Checkpoint, SnapshotName)
		switch {
		case err != nil:
			return nil, err
		case h != nil && h.Seat.Nodes > 0:
			return nil, fmt.Errorf("%s is being solved by %d nodes: continue with as many, or %w", cfg.Checkpoint, h.Seat.Nodes, ErrOther)
		case h != nil:
			cfg.Partitions = h.Partitions
		}
	}
	e, err := New(u, cfg, nil)
	loaded := false
	if err == nil && cfg.Checkpoint != "" {
		loaded, err = e.Load(ctx, SnapshotName)
	}
	if err == nil && !loaded && cfg.From != nil {
		err = e.grow(ctx)
	}
	if errors.Is(err, ErrStopped) { // it is as it was
		err = fmt.Errorf("%w before it went on", ErrInterrupted)
	}
	if err != nil {
		if e != nil {
			err = errors.Join(err, e.CloseFiles(), e.CloseScratch())
		}
		return nil, err
	}
	err = e.Run(ctx)
	if errors.Is(err, ErrStopped) {
		err = e.Interrupted()
	}
	if err = errors.Join(err, e.CloseScratch()); err != nil {
		return nil, err
	}
	return e, nil
}

// SaveLast writes a last snapshot after [ErrStopped], or when all tiers are solved.
func (e *Engine) SaveLast() error { return e.peers.Save() }

// Interrupted writes a last snapshot, unless that would take too long, and returns the error of
// an interrupted solve.
func (e *Engine) Interrupted() error {
	if e.pause.abandoned.Load() {
		return fmt.Errorf("%w after %v; the work since the last checkpoint is lost, since another would take about %v",
			ErrInterrupted, e.Elapsed().Round(time.Second), time.Duration(e.pause.cost.Load()).Round(time.Second))
	}
	if err := e.SaveLast(); err != nil {
		return fmt.Errorf("stopped; the work since the last checkpoint is lost: %w", err)
	}
	return fmt.Errorf("%w after %v", ErrInterrupted, e.Elapsed().Round(time.Second))
}
