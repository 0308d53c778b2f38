package manager

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/proof"
)

// Worker answers jobs with a back end until it is stopped.
type Worker struct {
	Name string
	// Memory is the name of its back end's memory: see [Answer].
	Memory  string
	Carrier cluster.Back
	Backend Backend
}

// errGone ends a search whose job is no longer wanted.
var errGone = errors.New("the job is no longer wanted")

// Run takes jobs and sends results until ctx ends or the carrier is closed, which is not
// an error. It fails with [proof.ErrRefused] if the front end has refused one of its
// results.
func (w *Worker) Run(ctx context.Context) error {
	var refused cluster.ID // the job that was given back last
	for {
		lease, err := w.Carrier.Take(ctx)
		if ctx.Err() != nil || errors.Is(err, cluster.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		var j Job
		if err := json.Unmarshal(lease.Job().Body, &j); err != nil {
			return fmt.Errorf("job %v: %w", lease.Job().ID, err)
		}
		if slices.Contains(j.Refused, w.Name) {
			return errors.Join(fmt.Errorf("%w: the front end trusts worker %q no more", proof.ErrRefused, w.Name), lease.Return(ctx))
		}
		if j.Again == w.Name && lease.Job().ID != refused {
			// Another worker should do it, if there is one.
			refused = lease.Job().ID
			err = lease.Return(ctx)
		} else {
			err = w.do(ctx, lease, &j)
		}
		switch {
		case ctx.Err() != nil || errors.Is(err, cluster.ErrClosed):
			return nil
		case err != nil && !errors.Is(err, errGone) && !errors.Is(err, cluster.ErrGone):
			return err
		}
	}
}

// do does a job and sends heartbeats meanwhile.
func (w *Worker) do(ctx context.Context, lease cluster.Lease, j *Job) error {
	searching, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		beat := time.Tick(lease.Time() / 3)
		for {
			select {
			case <-searching.Done():
				return
			case <-lease.Gone():
				stop(errGone)
			case <-beat:
				if errors.Is(lease.Beat(searching), cluster.ErrGone) {
					stop(errGone)
				}
			}
		}
	}()
	a, err := w.Backend.Search(searching, j)
	cause := context.Cause(searching)
	stop(nil)
	<-done
	switch {
	case err == nil:
		a.Memory = w.Memory
		return lease.Done(ctx, encode(a))
	case cause != nil:
		return cause
	}
	return fmt.Errorf("position %q: %w", j.Position, err)
}
