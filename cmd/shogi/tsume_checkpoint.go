package shogi

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// tsumeCheckpoint is the file from which a long search of one problem continues.
type tsumeCheckpoint struct {
	file  string // empty if there is none
	every time.Duration
}

// solve is [tsume.Solve] that continues from the checkpoint, writes it now and then and at the
// end, and removes it when the problem is solved.
func (c *tsumeCommand) solve(ctx context.Context, p tsume.Problem, table *dfpn.Table, options tsume.Options) (tsume.Solution, error) {
	if c.checkpoint.file == "" {
		return tsume.Solve(ctx, p, table, options)
	}
	before, err := c.resume(ctx, p, table)
	if err != nil {
		return tsume.Solution{}, err
	}
	begin := time.Now()
	var nodes atomic.Uint64
	report := options.Progress
	options.Progress = func(now tsume.Progress) {
		nodes.Store(now.Nodes)
		if report != nil {
			report(now)
		}
	}
	save := func() error {
		spent := tsume.Spent{Nodes: before.Nodes + nodes.Load(), Time: before.Time + time.Since(begin)}
		return tsume.SaveCheckpoint(vfs.Default, c.checkpoint.file, p, c.options.CountFutile, table, spent, c.progress.Watch(io.Discard, "checkpoint", "written"))
	}
	searching, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	written := make(chan error)
	done := make(chan struct{})
	go func() { written <- c.checkpoint.write(done, save, stop) }()
	s, err := tsume.Solve(searching, p, table, options)
	close(done)
	if err = errors.Join(err, <-written); err != nil {
		return s, err
	}
	if c.complete(&s) {
		if err := os.Remove(c.checkpoint.file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return s, err
		}
		return s, nil
	}
	nodes.Store(s.Nodes)
	if err := save(); err != nil {
		return s, err
	}
	c.progress.Note("%s", c.say(sayCheckpoint, c.checkpoint.file))
	return s, nil
}

// write calls save now and then until the search is done. If that fails, it stops the search.
func (k *tsumeCheckpoint) write(done <-chan struct{}, save func() error, stop context.CancelCauseFunc) error {
	ticks := time.NewTicker(k.every)
	defer ticks.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ticks.C:
		}
		if err := save(); err != nil {
			stop(err)
			return err
		}
	}
}

// resume fills the table from the checkpoint, if there is one.
func (c *tsumeCommand) resume(ctx context.Context, p tsume.Problem, table *dfpn.Table) (spent tsume.Spent, err error) {
	watch := c.progress.Watch(untilDone{ctx}, "checkpoint", "read")
	spent, err = tsume.LoadCheckpoint(vfs.Default, c.checkpoint.file, p, c.options.CountFutile, table, watch)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return tsume.Spent{}, nil
	case ctx.Err() != nil:
		return tsume.Spent{}, ctx.Err()
	case errors.Is(err, tsume.ErrOtherCheckpoint):
		return tsume.Spent{}, ui.Usage(errRemove.Error(err))
	case errors.Is(err, sealed.ErrDamaged):
		return tsume.Spent{}, errRemove.Error(err)
	case err != nil:
		return tsume.Spent{}, err
	}
	c.progress.Note("%s", c.say(sayContinued, ui.Grouped(spent.Nodes), ui.Seconds(spent.Time)))
	return spent, nil
}

// untilDone is a writer that fails when its context ends.
type untilDone struct{ ctx context.Context }

func (u untilDone) Write(p []byte) (int, error) { return len(p), u.ctx.Err() }
