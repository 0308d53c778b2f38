package engine

import (
	"context"
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	dbstore "github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/storage"
)

func analyze(ctx context.Context, u *games.Universe, cfg Config) (*Solution, error) {
	e, err := Analyze(ctx, u, cfg)
	if err != nil {
		return nil, err
	}
	return e.Solution(), nil
}

// Solve solves a game and writes its database, as package retro does, but takes any directory.
func Solve(ctx context.Context, u *games.Universe, dir string, cfg Config) (*Solution, *db.Manifest, error) {
	cfg.Checkpoint = dir
	if cfg.FS == nil {
		cfg.FS = vfs.Default
	}
	if err := storage.MkdirAll(cfg.FS, dir); err != nil {
		return nil, nil, err
	}
	e, err := Analyze(ctx, u, cfg)
	if err != nil {
		return nil, nil, err
	}
	s := e.Solution()
	m := s.Manifest(s.StartValue(), s.First)
	err = dbstore.Write(ctx, dir, m, s.Source(m.Content.Values), dbstore.WriteOptions{
		FS: cfg.FS, Built: func() db.Built { return Built(time.Second, 1, e.PeakMemory()) },
	})
	if err != nil {
		return nil, nil, errors.Join(err, e.SaveLast())
	}
	names, err := cfg.FS.List(dir)
	for _, name := range names {
		if name == SnapshotName || IsTierFile(name) || IsScratch(name) {
			err = errors.Join(err, cfg.FS.Remove(cfg.FS.PathJoin(dir, name)))
		}
	}
	return s, m, errors.Join(err, e.CloseFiles())
}
