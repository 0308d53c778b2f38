package retro

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/internal/storage"
)

var (
	// ErrSolved is returned when a directory already holds the finished database.
	ErrSolved = errors.New("already solved")
	// ErrOther is returned for a directory that holds another solve.
	ErrOther = errors.New("choose another directory")
	// ErrContradiction is wrapped by the error of a solve whose nodes have reached different
	// results.
	ErrContradiction = errors.New("internal error")
)

// lockName is the file that a solve locks.
const lockName = "LOCK"

// Solve solves a universe and writes its database into a directory, which it creates if
// necessary. If an earlier Solve of the same game was interrupted or killed there, it
// resumes from the last checkpoint. Solve sets cfg.Checkpoint to the directory. It refuses
// a directory with other files, and returns an error that is [ErrSolved] if the database
// already exists.
func Solve(ctx context.Context, u *games.Universe, dir string, cfg Config) (*Solution, *db.Manifest, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	var s *Solution
	m, err := inDirectory(u, dir, cfg, func(cfg Config) (m *db.Manifest, err error) {
		if f, err := readNodes(&cfg, dir); err == nil {
			return nil, fmt.Errorf("%s is being solved by %d nodes: continue with as many, or %w", dir, f.Part.Nodes, ErrOther)
		}
		s, m, err = solve(ctx, u, dir, cfg)
		return m, err
	})
	return s, m, err
}

// inDirectory claims a directory for a solve and calls do.
func inDirectory(u *games.Universe, dir string, cfg Config, do func(Config) (*db.Manifest, error)) (*db.Manifest, error) {
	cfg.choosePositions(u)
	cfg.Checkpoint = dir
	_, statErr := cfg.FS.Stat(dir)
	unlock, err := claim(cfg.FS, dir, u, cfg.Positions)
	if err != nil {
		return nil, err
	}
	m, err := do(cfg)
	names, _ := cfg.FS.List(dir)
	resumable := slices.ContainsFunc(names, isCheckpoint)
	if err == nil || !resumable {
		err = errors.Join(err, cfg.FS.Remove(cfg.FS.PathJoin(dir, lockName)))
	}
	err = errors.Join(err, unlock.Close())
	if err != nil && !resumable && errors.Is(statErr, os.ErrNotExist) {
		cfg.FS.Remove(dir) // fails if it is not empty
	}
	return m, err
}

// Unfinished reports whether a directory holds an unfinished solve, and describes it. The
// game is empty if no checkpoint names it, and the number of nodes is 0 if a single process
// solves the game. A nil fs means vfs.Default.
func Unfinished(fs vfs.FS, dir string) (a About, ok bool) {
	if fs == nil {
		fs = vfs.Default
	}
	names, err := fs.List(dir)
	if err != nil || slices.Contains(names, db.ManifestName) || !slices.Contains(names, lockName) && !slices.ContainsFunc(names, isCheckpoint) {
		return a, false
	}
	cfg := &Config{FS: fs, Checkpoint: dir}
	if f, err := readNodes(cfg, dir); err == nil {
		return About{Game: f.Part.Game, Positions: f.Part.Positions, Partitions: f.Part.Partitions, Nodes: f.Part.Nodes}, true
	}
	file, _, h, err := openCheckpoint(cfg)
	if err != nil || h == nil {
		return a, true
	}
	file.Close()
	return About{Game: h.Game, Positions: h.Positions}, true
}

func solve(ctx context.Context, u *games.Universe, dir string, cfg Config) (*Solution, *db.Manifest, error) {
	s, err := Analyze(ctx, u, cfg)
	if err != nil {
		return nil, nil, err
	}
	m := s.manifest(s.StartValue(), s.first)
	if s.e.err != nil {
		return nil, nil, s.e.err
	}
	begin := time.Now()
	err = db.Write(ctx, dir, m, s.source(m.Content.Values), db.WriteOptions{
		FS: cfg.FS, Threads: cfg.Threads, Progress: s.e.writeProgress(s.Time, begin),
		Built: func() db.Built {
			return db.Built{
				By: "yomikiri " + yomikiri.Version + ", " + runtime.Version(), At: time.Now().UTC().Truncate(time.Second),
				Time: s.Time + time.Since(begin), Threads: cfg.Threads, Memory: s.e.peakMemory(),
			}
		},
	})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil, nil, s.e.leave()
	}
	if err != nil {
		// All values are known: after a checkpoint only the writing has to be repeated.
		return nil, nil, errors.Join(fmt.Errorf("writing the database: %w", err), s.e.save())
	}
	if err := errors.Join(s.e.closeFiles(), cleanUp(cfg.FS, dir)); err != nil {
		return nil, nil, err
	}
	s.Passes = append(s.Passes, Pass{Name: "write", Time: time.Since(begin), Memory: memory.Resident()})
	s.Time += time.Since(begin)
	return s, m, nil
}

// writeProgress reports the progress of writing the database, every ProgressEvery.
func (e *engine) writeProgress(before time.Duration, begin time.Time) func(done, total uint64) {
	if e.cfg.Progress == nil {
		return nil
	}
	turn := make(chan time.Time, 1)
	turn <- begin
	return func(done, total uint64) {
		select {
		case last := <-turn:
			if elapsed := time.Since(begin); time.Since(last) >= e.cfg.ProgressEvery {
				last = time.Now()
				work := e.effort.done("write", len(e.universe.Tiers), done*db.BlockSize, total*db.BlockSize)
				e.cfg.Progress(Progress{
					Pass: "write", Done: done * db.BlockSize, Total: total * db.BlockSize, Time: before + elapsed,
					Elapsed: elapsed, Left: e.effort.left(work), Memory: memory.Resident(),
				})
			}
			turn <- last
		default:
		}
	}
}

// claim creates the directory of a solve, or checks that it holds nothing but an
// earlier solve of the same game, and locks it.
func claim(fs vfs.FS, dir string, u *games.Universe, positions Positions) (io.Closer, error) {
	names, err := fs.List(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := storage.MkdirAll(fs, dir); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	}
	ours := []string{"store", "store.tmp", db.ManifestName, db.ManifestName + ".tmp", lockName}
	foreign := slices.IndexFunc(names, func(name string) bool {
		return !slices.Contains(ours, name) && !isCheckpoint(name) && !isScratch(name) && !(db.IsPart(name) && slices.Contains(names, nodesName))
	})
	solved := slices.Contains(names, db.ManifestName)
	switch {
	case solved && !slices.Contains(names, lockName) && !slices.ContainsFunc(names, isCheckpoint):
		return nil, solvedBy(fs, dir, u, positions)
	case !solved && foreign >= 0:
		return nil, fmt.Errorf("%s has files that do not belong to a solve, such as %s: %w", dir, names[foreign], ErrOther)
	}
	lock, err := fs.Lock(fs.PathJoin(dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("%s: another solve is running there, or the directory cannot be locked: %w", dir, err)
	}
	if _, err := fs.Stat(fs.PathJoin(dir, db.ManifestName)); errors.Is(err, os.ErrNotExist) {
		return lock, nil
	}
	// An earlier solve finished but was killed before cleaning up, or has just
	// finished.
	err = solvedBy(fs, dir, u, positions)
	if errors.Is(err, ErrSolved) {
		if e := errors.Join(cleanUp(fs, dir), fs.Remove(fs.PathJoin(dir, lockName))); e != nil {
			err = errors.Join(err, e)
		}
	}
	return nil, errors.Join(err, lock.Close())
}

// isCheckpoint reports whether a file belongs to the state of an unfinished solve.
func isCheckpoint(name string) bool {
	switch strings.TrimSuffix(name, ".tmp") {
	case checkpointName, nodesName:
		return true
	}
	return isTierFile(name) || isNodeDir(name)
}

// cleanUp removes the state of a finished solve.
func cleanUp(fs vfs.FS, dir string) error {
	names, err := fs.List(dir)
	for _, name := range names {
		if isCheckpoint(name) || isScratch(name) {
			err = errors.Join(err, fs.RemoveAll(fs.PathJoin(dir, name)))
		}
	}
	return errors.Join(err, storage.SyncDir(fs, dir))
}

// solvedBy returns an error that is ErrSolved if the database in a directory is that of the
// game, and another error otherwise.
func solvedBy(fs vfs.FS, dir string, u *games.Universe, positions Positions) error {
	m, err := db.ReadManifest(fs, dir)
	if err != nil {
		return err
	}
	if m.Content.Game != u.Name || m.Content.Positions != string(positions) {
		return fmt.Errorf("%s is a database of %s with %s positions, not of %s with %s positions: %w",
			dir, m.Content.Game, m.Content.Positions, u.Name, positions, ErrOther)
	}
	return fmt.Errorf("%s: %w", dir, ErrSolved)
}

// manifest describes the database of a solution, with the value of the start position. First
// returns the smallest index of an unfinished position with a value.
func (s *Solution) manifest(start games.Value, first func(games.Value) uint64) *db.Manifest {
	c := db.Content{
		Game:       s.Universe.Name,
		Order:      s.Universe.Order.String(),
		Positions:  string(s.Positions),
		Start:      s.Universe.Start,
		StartValue: start,
		Numbering:  s.Universe.Numbering,
	}
	for i, tier := range s.Universe.Tiers {
		counted := s.Tiers[i]
		d := db.Tier{
			Name: tier.Name, Start: tier.Start, Size: tier.Size, Open: tier.Open,
			Unfinished: counted.Open, Moves: counted.Moves,
		}
		for v, n := range counted.Values {
			d.Counts = append(d.Counts, db.Count{Value: v, Positions: n, Finished: counted.Finished[v]})
			if n > counted.Finished[v] && !slices.Contains(c.Values, v) {
				c.Values = append(c.Values, v)
			}
		}
		db.SortCounts(d.Counts)
		c.Tiers = append(c.Tiers, d)
	}
	slices.Sort(c.Values)
	slices.Reverse(c.Values)
	if len(c.Values) > 0 {
		longest := slices.MaxFunc(c.Values, func(a, b games.Value) int { return a.Size() - b.Size() })
		c.Longest = &db.Example{Value: longest, Index: first(longest)}
	}
	return &db.Manifest{Content: c}
}
