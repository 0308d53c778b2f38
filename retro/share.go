package retro

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/errno"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/retro/engine"
	"github.com/yomikiri/yomikiri/retro/nodes"
	"github.com/yomikiri/yomikiri/retro/shared"
)

// SolveShared solves all positions of a universe together with the other processes that call it for the
// same directory, each of which takes whole tiers. The database is that of [Solve]; one process writes
// it, and then SolveShared returns to all of them. What it returns first is the number of tiers that
// this process has solved. Errors are those of Solve.
func SolveShared(ctx context.Context, u *games.Universe, dir string, cfg Config) (solved int, m *db.Manifest, err error) {
	return inFolder(ctx, u, dir, cfg, func(f *shared.Folder, cfg Config) (*shared.Result, func() error, error) {
		r, err := f.Solve(ctx, cfg)
		return r, func() error { return nil }, err
	})
}

// SolveQueued is SolveShared for a process that also hands out tiers by a queue, to workers that need not see the
// directory ([Work]). It calls open with a directory for the queue. The worker in this process agrees to the
// terms; report is called with what goes wrong and is tried again.
func SolveQueued(ctx context.Context, u *games.Universe, dir string, cfg Config, terms cluster.Terms, open func(store string) (Queue, error), report func(text string)) (solved int, m *db.Manifest, err error) {
	return inFolder(ctx, u, dir, cfg, func(f *shared.Folder, cfg Config) (*shared.Result, func() error, error) {
		var q Queue
		r, err := f.Host(ctx, cfg, func() (_ Queue, err error) {
			q, err = open(cfg.FS.PathJoin(dir, shared.StreamsName))
			return q, err
		}, terms, report)
		if q == nil {
			return r, func() error { return nil }, err
		}
		if err != nil {
			q.Leave()
		}
		return r, q.Close, err
	})
}

// inFolder solves as one of the processes of a directory. Close is called when that has written the database.
func inFolder(ctx context.Context, u *games.Universe, dir string, cfg Config, solve func(*shared.Folder, Config) (r *shared.Result, close func() error, err error)) (solved int, m *db.Manifest, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return 0, nil, err
	}
	if cfg.ChoosePositions(u); cfg.Positions != All {
		return 0, nil, fmt.Errorf("the reachable positions of %s are found in one piece, which processes cannot share: solve all of them", u.Name)
	}
	if cfg.From != nil {
		return 0, nil, errors.New("a shared solve takes no values over from another database")
	}
	folder, err := join(ctx, u, dir, cfg)
	if err != nil {
		return 0, nil, err
	}
	r, close, err := solve(folder, cfg)
	if err != nil {
		return 0, nil, err
	}
	if r.Engine == nil {
		m, err = store.ReadManifest(cfg.FS, dir)
		return r.Solved, m, errors.Join(err, close())
	}
	cfg.Checkpoint = dir
	_, m, err = write(ctx, r.Engine, cfg)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w while writing the database; all tiers are finished", ErrInterrupted)
	}
	if err = errors.Join(err, r.Engine.Close(), close()); err != nil {
		return 0, nil, errors.Join(err, r.Lock.Close())
	}
	return r.Solved, m, errors.Join(cleanUp(cfg.FS, dir), storage.Unlock(cfg.FS, cfg.FS.PathJoin(dir, lockName), r.Lock))
}

// Work solves tiers for a process that calls [SolveQueued] until all are solved, and returns how many. Meanwhile it keeps
// tiers in a directory of its own in dir, also beside other workers. files are those of the carrier.
// If the context ends, the error is [ErrInterrupted].
func Work(ctx context.Context, u *games.Universe, dir string, cfg Config, back cluster.Back, files cluster.Files) (solved int, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return 0, err
	}
	return shared.Work(ctx, u, dir, cfg, back, files)
}

// Terms returns what a process that calls [SolveQueued] and its workers must agree on: the version of the program, and the game
// with its positions as the program numbers them.
func Terms(u *games.Universe, version string) (cluster.Terms, error) { return shared.Terms(u, version) }

// patience is how long a process waits for another one that makes the same directory a shared one: a busy disk takes seconds.
const patience = 10 * time.Second

// join opens the directory of a shared solve, or makes it.
func join(ctx context.Context, u *games.Universe, dir string, cfg Config) (*shared.Folder, error) {
	for deadline := time.Now().Add(patience); ; {
		m, err := store.ReadManifest(cfg.FS, dir)
		if m == nil && errors.Is(err, db.ErrNoDatabase) {
			if folder, err := shared.Open(cfg.FS, dir, u, lockName); !errors.Is(err, os.ErrNotExist) {
				return folder, err
			}
		}
		if err = create(u, dir, cfg); err != nil && !errors.Is(err, errShared) {
			if !errno.Locked.Is(err) || time.Now().After(deadline) || ctx.Err() != nil {
				return nil, err
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// create makes a directory that of a shared solve.
func create(u *games.Universe, dir string, cfg Config) error {
	lock, err := claim(cfg.FS, dir, u, All)
	if err != nil {
		return err
	}
	names, err := cfg.FS.List(dir)
	if slices.ContainsFunc(names, func(name string) bool { return name == engine.SnapshotName || nodes.IsDir(name) }) {
		err = fmt.Errorf("%s holds a solve that is not shared: continue that one, or %w", dir, ErrOther)
	}
	if err == nil { // without a checkpoint, files of tiers mean nothing
		if err = cleanUp(cfg.FS, dir); err == nil {
			err = shared.Create(cfg.FS, dir, u)
		}
	}
	if err != nil {
		return errors.Join(err, storage.Unlock(cfg.FS, cfg.FS.PathJoin(dir, lockName), lock))
	}
	return lock.Close() // others may be about to lock its file
}
