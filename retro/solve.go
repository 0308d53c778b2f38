package retro

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/retro/engine"
	"github.com/yomikiri/yomikiri/retro/nodes"
	"github.com/yomikiri/yomikiri/retro/shared"
)

// The types of the engine that users of this package need.
type (
	// Config configures a solve.
	Config = engine.Config
	// Positions selects the positions of a game to solve.
	Positions = engine.Positions
	// Plan estimates the resources of a solve before it begins.
	Plan = engine.Plan
	// Solution holds the values of all solved positions.
	Solution = engine.Solution
	// Pass is a part of a solve.
	Pass = engine.Pass
	// Counts counts the work of a solve.
	Counts = engine.Counts
	// Progress reports how far a solve has got.
	Progress = engine.Progress
	// NodeProgress is the progress of a node.
	NodeProgress = engine.NodeProgress

	// Nodes configures a solve by several processes.
	Nodes = nodes.Config
	// NodesReport says how a solve by nodes went.
	NodesReport = nodes.Report
	// Node configures a process that solves a part of a game.
	Node = nodes.Node
	// About tells a node what it has to know of a solve before it takes part.
	About = nodes.About

	// Queue hands the tiers of a directory to workers in other processes.
	Queue = shared.Queue
)

const (
	// Reachable are the positions reachable from the start position.
	Reachable = engine.Reachable
	// All are all positions with an index.
	All = engine.All
)

// PlanOf returns the plan for solving a universe. It expands a sample of the positions.
func PlanOf(u *games.Universe, cfg Config) *Plan { return engine.PlanOf(u, cfg) }

// NodeDir returns the name of a node's directory in the directory of the solve. Nodes are
// numbered from 1. The directory is removed when the solve is done.
func NodeDir(number int) string { return nodes.Dir(number) }

var (
	// ErrSolved is returned when a directory already holds the finished database.
	ErrSolved = errors.New("already solved")
	// ErrOther is returned for a directory that holds another solve.
	ErrOther = engine.ErrOther
	// ErrInterrupted is returned when the context ends before the solve does.
	ErrInterrupted = engine.ErrInterrupted
	// ErrContradiction is wrapped by the error of a solve whose nodes have reached different
	// results.
	ErrContradiction = nodes.ErrContradiction
	// errShared is returned for a directory that processes share, to a solve that does not.
	errShared = errors.New("processes share the tiers of a game there")
)

// lockName is the file that a solve locks.
const lockName = "LOCK"

// Solve solves a universe and writes its database into a directory, which it creates if
// necessary. If an earlier Solve of the same game was interrupted or killed there, it
// resumes from the last checkpoint. Solve sets cfg.Checkpoint to the directory. It refuses
// a directory with other files, and returns an error that is [ErrSolved] if the database
// already exists.
func Solve(ctx context.Context, u *games.Universe, dir string, cfg Config) (*Solution, *db.Manifest, error) {
	var s *Solution
	m, err := inDirectory(u, dir, cfg, func(cfg Config) (m *db.Manifest, err error) {
		s, m, err = solve(ctx, u, dir, cfg)
		return m, err
	})
	return s, m, err
}

// SolveNodes solves a universe like [Solve], with nodes that join it ([Node]). They
// encode the blocks of the database that it writes. If a node is lost, SolveNodes waits for
// another in its place, and continues from the last epoch.
func SolveNodes(ctx context.Context, u *games.Universe, dir string, cfg Config, n Nodes) (*NodesReport, *db.Manifest, error) {
	var r *NodesReport
	m, err := inDirectory(u, dir, cfg, func(cfg Config) (m *db.Manifest, err error) {
		if r, m, err = nodes.Solve(ctx, u, cfg, n); err == nil {
			err = cleanUp(cfg.FS, dir)
		}
		return m, err
	})
	return r, m, err
}

// inDirectory claims a directory for a solve and calls do.
func inDirectory(u *games.Universe, dir string, cfg Config, do func(Config) (*db.Manifest, error)) (*db.Manifest, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	cfg.ChoosePositions(u)
	cfg.Checkpoint = dir
	_, statErr := cfg.FS.Stat(dir)
	lock, err := claim(cfg.FS, dir, u, cfg.Positions)
	if err != nil {
		return nil, err
	}
	m, err := do(cfg)
	names, _ := cfg.FS.List(dir)
	resumable := slices.ContainsFunc(names, isCheckpoint)
	if err == nil || !resumable {
		err = errors.Join(err, storage.Unlock(cfg.FS, cfg.FS.PathJoin(dir, lockName), lock))
	} else {
		err = errors.Join(err, lock.Close())
	}
	if err != nil && !resumable && errors.Is(statErr, os.ErrNotExist) {
		cfg.FS.Remove(dir) // fails if it is not empty
	}
	return m, err
}

// Begun describes an unfinished solve.
type Begun struct {
	Game      string // empty if no file names it yet
	Positions Positions
	Results   bool // values without distance
	Nodes     int  // 0 if there are none
	Shared    bool // among processes that call [SolveShared]
}

// Unfinished reports whether a directory holds an unfinished solve, and describes it. A nil fs means
// vfs.Default.
func Unfinished(fs vfs.FS, dir string) (b Begun, ok bool) {
	if fs == nil {
		fs = vfs.Default
	}
	names, err := fs.List(dir)
	if err != nil || slices.Contains(names, db.ManifestName) || !slices.Contains(names, lockName) && !slices.ContainsFunc(names, isCheckpoint) {
		return b, false
	}
	if h, err := shared.ReadHeader(fs, dir); err == nil {
		b = Begun{Game: h.Game, Positions: All, Results: h.Order == games.ByResult.String(), Shared: true}
	} else if h, err := engine.ReadHeader(fs, dir, engine.SnapshotName); err == nil && h != nil {
		b = Begun{Game: h.Game, Positions: h.Positions, Results: h.Results, Nodes: h.Seat.Nodes}
	}
	return b, true
}

// Analyze solves a universe in memory. If the context ends first it writes a
// checkpoint, if cfg.Checkpoint is set, and returns an error that is
// [ErrInterrupted]. It resumes from an existing checkpoint.
func Analyze(ctx context.Context, u *games.Universe, cfg Config) (*Solution, error) {
	e, err := engine.Analyze(ctx, u, cfg)
	if err != nil {
		return nil, err
	}
	return e.Solution(), nil
}

func solve(ctx context.Context, u *games.Universe, dir string, cfg Config) (*Solution, *db.Manifest, error) {
	e, err := engine.Analyze(ctx, u, cfg)
	if err != nil {
		return nil, nil, err
	}
	s, m, err := write(ctx, e, cfg)
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil, nil, e.Interrupted()
	case e.Err() != nil: // a tier cannot be read
		return nil, nil, e.Err()
	case err != nil: // All values are known: after a checkpoint only the writing has to be repeated.
		return nil, nil, errors.Join(err, e.SaveLast())
	}
	return s, m, errors.Join(e.CloseFiles(), cleanUp(cfg.FS, dir))
}

// write writes the database of an engine that has solved all tiers into the directory of its checkpoints.
func write(ctx context.Context, e *engine.Engine, cfg Config) (*Solution, *db.Manifest, error) {
	s := e.Solution()
	m := s.Manifest(s.StartValue(), s.First)
	if e.Err() != nil {
		return nil, nil, e.Err()
	}
	begin := time.Now()
	err := store.Write(ctx, cfg.Checkpoint, m, s.Source(m.Content.Values), store.WriteOptions{
		FS: cfg.FS, Threads: cfg.Threads, Progress: engine.WriteProgress(cfg, e.Effort(), s.Time, begin),
		Built: func() db.Built { return engine.Built(s.Time+time.Since(begin), cfg.Threads, e.PeakMemory()) },
	})
	if err != nil {
		return nil, nil, fmt.Errorf("writing the database: %w", err)
	}
	s.Passes = append(s.Passes, Pass{Name: "write", Time: time.Since(begin), Memory: memory.Resident()})
	s.Time += time.Since(begin)
	return s, m, nil
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
		return !slices.Contains(ours, name) && !isCheckpoint(name) && !engine.IsScratch(name)
	})
	solved := slices.Contains(names, db.ManifestName)
	switch {
	case solved && !slices.Contains(names, lockName) && !slices.ContainsFunc(names, isCheckpoint):
		return nil, solvedBy(fs, dir, u, positions)
	case !solved && slices.Contains(names, shared.HeaderName):
		return nil, fmt.Errorf("%s: %w; continue that solve, or %w", dir, errShared, ErrOther)
	case !solved && foreign >= 0:
		return nil, fmt.Errorf("%s has files that do not belong to a solve, such as %s: %w", dir, names[foreign], ErrOther)
	}
	lock, err := fs.Lock(fs.PathJoin(dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("%s: another solve is running there, or the directory cannot be locked: %w", dir, err)
	}
	if _, err := fs.Stat(fs.PathJoin(dir, db.ManifestName)); errors.Is(err, os.ErrNotExist) {
		if _, err := fs.Stat(fs.PathJoin(dir, shared.HeaderName)); err == nil { // since the directory was listed
			return nil, errors.Join(fmt.Errorf("%s: %w; continue that solve, or %w", dir, errShared, ErrOther), lock.Close())
		}
		return lock, nil
	}
	// An earlier solve finished but was killed before cleaning up, or has just
	// finished.
	err = solvedBy(fs, dir, u, positions)
	if !errors.Is(err, ErrSolved) {
		return nil, errors.Join(err, lock.Close())
	}
	return nil, errors.Join(err, cleanUp(fs, dir), storage.Unlock(fs, fs.PathJoin(dir, lockName), lock))
}

// isCheckpoint reports whether a file belongs to the state of an unfinished solve.
func isCheckpoint(name string) bool {
	return strings.TrimSuffix(name, ".tmp") == engine.SnapshotName || engine.IsTierFile(name) || nodes.IsDir(name) || shared.IsFile(name)
}

// cleanUp removes the state of a finished solve.
func cleanUp(fs vfs.FS, dir string) error {
	names, err := fs.List(dir)
	for _, name := range names {
		if isCheckpoint(name) || engine.IsScratch(name) {
			err = errors.Join(err, fs.RemoveAll(fs.PathJoin(dir, name)))
		}
	}
	return errors.Join(err, storage.SyncDir(fs, dir))
}

// solvedBy returns an error that is ErrSolved if the database in a directory is that of the
// game, and another error otherwise: a database that was solved before the game's moves changed
// would be reported as its solution.
func solvedBy(fs vfs.FS, dir string, u *games.Universe, positions Positions) error {
	m, err := store.ReadManifest(fs, dir)
	if err != nil {
		return err
	}
	if m.Content.Game != u.Name || m.Content.Positions != string(positions) {
		return fmt.Errorf("%s is a database of %s with %s positions, not of %s with %s positions: %w",
			dir, m.Content.Game, m.Content.Positions, u.Name, positions, ErrOther)
	}
	if m.Content.Order != u.Order.String() {
		return fmt.Errorf("%s is a database of %s ordered by %s, not by %v: %w", dir, m.Content.Game, m.Content.Order, u.Order, ErrOther)
	}
	if err := m.Content.Fits(u); err != nil {
		return fmt.Errorf("%s does not fit the game %s: %w", dir, u.Name, err)
	}
	return fmt.Errorf("%s: %w", dir, ErrSolved)
}
