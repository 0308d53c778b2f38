package manager

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/solver"
)

// Worker answers jobs with a back end until it is stopped.
type Worker struct {
	// Memory is the name of its back end's memory: see [solver.Answer].
	Memory  string
	Carrier cluster.Back
	Backend solver.Backend
}

// errGone ends a search whose job is no longer wanted.
var errGone = errors.New("the job is no longer wanted")

// Run takes jobs and sends results until ctx ends or the carrier is closed, which is not
// an error.
func (w *Worker) Run(ctx context.Context) error {
	for {
		lease, err := w.Carrier.Take(ctx)
		if ctx.Err() != nil || errors.Is(err, cluster.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		j, err := bodyOf[solver.Job](lease.Job().Body)
		if err != nil {
			return fmt.Errorf("job %v: %w", lease.Job().ID, err)
		}
		err = w.do(ctx, lease, j)
		if ctx.Err() != nil {
			lease.Return(context.WithoutCancel(ctx)) // which does nothing if it is done
		}
		switch {
		case ctx.Err() != nil || errors.Is(err, cluster.ErrClosed):
			return nil
		case err != nil && !errors.Is(err, errGone) && !errors.Is(err, cluster.ErrGone):
			return err
		}
	}
}

// do does a job until it is recalled.
func (w *Worker) do(ctx context.Context, lease cluster.Lease, j *solver.Job) error {
	searching, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-searching.Done():
		case <-lease.Gone():
			stop(errGone)
		}
	}()
	a, err := w.Backend.Search(searching, j)
	cause := context.Cause(searching)
	stop(nil)
	<-done
	switch {
	case err == nil:
		a.Memory = w.Memory
		return lease.Done(ctx, a)
	case cause != nil:
		return cause
	}
	return fmt.Errorf("position %q: %w", j.Position, err)
}

// bodyOf returns the job or answer in a body, which comes from this process or from another one.
func bodyOf[T any](b cluster.Body) (*T, error) {
	if v, ok := any(b).(*T); ok {
		return v, nil
	}
	text, err := b.MarshalBinary()
	if err != nil {
		return nil, err
	}
	v := new(T)
	return v, json.Unmarshal(text, v)
}
