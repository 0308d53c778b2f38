package retro

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/db"
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
	r, err := folder.Solve(ctx, cfg)
	if err != nil {
		return 0, nil, err
	}
	if r.Engine == nil {
		m, err = db.ReadManifest(cfg.FS, dir)
		return r.Solved, m, err
	}
	cfg.Checkpoint = dir
	_, m, err = write(ctx, r.Engine, cfg)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w while writing the database; all tiers are finished", ErrInterrupted)
	}
	if err = errors.Join(err, r.Engine.Close()); err != nil {
		return 0, nil, errors.Join(err, r.Lock.Close())
	}
	return r.Solved, m, errors.Join(cleanUp(cfg.FS, dir), storage.Unlock(cfg.FS, cfg.FS.PathJoin(dir, lockName), r.Lock))
}

// patience is how long a process waits for another one that makes the same directory a shared one.
const patience = 2 * time.Second

// join opens the directory of a shared solve, or makes it.
func join(ctx context.Context, u *games.Universe, dir string, cfg Config) (*shared.Folder, error) {
	for deadline := time.Now().Add(patience); ; {
		m, err := db.ReadManifest(cfg.FS, dir)
		if m == nil && errors.Is(err, db.ErrNoDatabase) {
			if folder, err := shared.Open(cfg.FS, dir, u, lockName); !errors.Is(err, os.ErrNotExist) {
				return folder, err
			}
		}
		if err = create(u, dir, cfg); err != nil && !errors.Is(err, errShared) {
			if !errno.Locked.Is(err) || time.Now().After(deadline) || ctx.Err() != nil {
				return nil, err
			}
			time.Sleep(patience / 100)
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
