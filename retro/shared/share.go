package shared

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// poll is how long a process without a tier waits before it looks again.
const poll = 200 * time.Millisecond

// Result is what [Folder.Solve] ends with.
type Result struct {
	Solved int // tiers that this process has solved

	// Engine has all tiers, for this process to write the database, while it holds Lock. Both are nil
	// if another process has written it.
	Engine *engine.Engine
	Lock   io.Closer
}

// member is a process that shares a directory.
type member struct {
	*Folder
	e      *engine.Engine
	cfg    engine.Config
	begin  time.Time
	solved int
}

// Solve solves tiers that no other process has in hand, until there is the database or it is for this
// process to write it. If the context ends, the tier in hand is lost, and the error is
// [engine.ErrInterrupted].
func (f *Folder) Solve(ctx context.Context, cfg engine.Config) (*Result, error) {
	m, err := f.member(cfg)
	if err != nil {
		return nil, err
	}
	lock, err := m.run(ctx)
	if err != nil || lock == nil {
		return &Result{Solved: m.solved}, errors.Join(err, m.e.Close())
	}
	return &Result{m.solved, m.e, lock}, nil
}

// member returns a process that solves tiers in the directory.
func (f *Folder) member(cfg engine.Config) (m *member, err error) {
	m = &member{Folder: f, begin: time.Now()}
	cfg.FS, cfg.Checkpoint = f.fs, f.dir
	if show := cfg.Progress; show != nil {
		cfg.Progress = func(p engine.Progress) { show(m.progress(p)) }
	}
	m.cfg = cfg
	m.e, err = engine.ForTiers(f.u, cfg)
	return m, err
}

// run solves tiers. It returns the lock of who is to write the database; nil if there is one.
func (m *member) run(ctx context.Context) (io.Closer, error) {
	reported := m.begin
	for {
		s, err := m.look()
		if err != nil || s.solved {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, m.interrupted(&s)
		}
		if s.count == len(s.finished) {
			lock, err := m.write()
			if lock != nil || err != nil {
				return lock, err
			}
		} else {
			tier, lock, err := m.take(&s)
			if err != nil {
				return nil, err
			}
			if lock != nil {
				err := m.e.SolveTier(ctx, tier)
				if err = errors.Join(err, lock.Close()); errors.Is(err, engine.ErrStopped) {
					return nil, fmt.Errorf("%w; the tier in hand, %s, is to be solved again", m.interrupted(&s), m.u.Tiers[tier].Name)
				}
				if err != nil {
					return nil, err
				}
				m.solved++
				continue
			}
		}
		if now := time.Now(); m.cfg.Progress != nil && now.Sub(reported) >= m.cfg.ProgressEvery {
			reported = now
			m.cfg.Progress(engine.Progress{Pass: "wait"})
		}
		select {
		case <-ctx.Done():
		case <-time.After(poll):
		}
	}
}

// look looks what is there, and tells the estimate of the time left.
func (m *member) look() (state, error) {
	s, err := m.state()
	m.e.Effort().Finish(s.finished)
	return s, err
}

// write makes the engine one of the whole game, unless another process writes the database.
func (m *member) write() (io.Closer, error) {
	lock, err := m.lock(m.writer, db.ManifestName)
	if err != nil {
		return nil, err
	}
	if lock == nil {
		return nil, m.e.Close() // who writes the database removes the files
	}
	if err := m.e.Complete(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// interrupted returns the error of a solve whose context has ended.
func (m *member) interrupted(s *state) error {
	return fmt.Errorf("%w after %v, with %d of %d tiers finished", engine.ErrInterrupted, time.Since(m.begin).Round(time.Second), s.count, len(s.finished))
}

// progress adds to the progress of a process how far all have got.
func (m *member) progress(p engine.Progress) engine.Progress {
	s, err := m.look()
	if err != nil {
		return p // whoever needs to know what is there reports it
	}
	p.Finished, p.Tiers = s.count, len(s.finished)
	p.Time = time.Since(m.begin)
	if p.Pass == "wait" {
		p.Left, p.Memory = m.e.Effort().Left(m.e.Effort().Done(p.Pass, len(s.finished), 0, 0)), memory.Resident()
	}
	return p
}
