package manager

import (
	"context"
	"errors"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
)

// RunOptions are options of [Tree.Run].
type RunOptions struct {
	// Jobs returns how many jobs should be out now: one for each worker. With more jobs no
	// worker waits for the network, but leaves are chosen too early.
	Jobs func() int
	// Lease is how long a job may be out before it is offered again.
	Lease time.Duration
	// Report, if not nil, is called about every Every, which must be above 0. Then, and at
	// the beginning, the report for [ReadStatus] is written too.
	Report func(r *Report)
	Every  time.Duration
	// Warn, if not nil, is called with each warning for the user, see [Actions].
	Warn func(err error)
}

// mostTogether is the most results that are committed together.
const mostTogether = 64

// Run works on the tree until its questions are answered as far as they can be, or until
// ctx ends: then it returns the error of ctx. It fails as [FrontEnd.Step] does. Nothing is
// lost except the jobs that are out.
func (t *Tree) Run(ctx context.Context, carrier cluster.Front, o RunOptions) error {
	if err := t.writeStatus(t.front.Report()); err != nil {
		return err
	}
	if err := t.front.readIndex(ctx, t.fragment); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	deliveries := make(chan cluster.Delivery)
	failed := make(chan error, 1)
	go func() {
		for {
			d, err := carrier.Receive(ctx)
			if err != nil {
				failed <- err
				return
			}
			select {
			case deliveries <- d:
			case <-ctx.Done():
				return
			}
		}
	}()
	begin, before := time.Now(), t.front.stats.Elapsed
	event := func(r *cluster.Result) Event {
		return Event{Now: before + time.Since(begin), Jobs: o.Jobs(), Lease: o.Lease, Result: r}
	}
	tick := time.Tick(o.Every)
	var list []cluster.Delivery
	for {
		done, err := t.react(ctx, carrier, list, event, o.Warn)
		if err != nil {
			return err
		}
		if done {
			return nil
		}
		list = list[:0]
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case <-tick:
			r := t.front.Report()
			if o.Report != nil {
				o.Report(r)
			}
			if err := t.writeStatus(r); err != nil {
				return err
			}
		case d := <-deliveries:
			list = append(list, d)
			for more := true; more && len(list) < mostTogether; {
				select {
				case d := <-deliveries:
					list = append(list, d)
				default:
					more = false
				}
			}
		}
	}
}

// react gives the front end the results that have arrived, or an event without one. Their
// changes are committed before they are acknowledged. New jobs are offered at once, so
// that no worker waits for the disk: if they are lost, they have changed nothing yet.
func (t *Tree) react(ctx context.Context, carrier cluster.Front, list []cluster.Delivery, event func(*cluster.Result) Event, warn func(error)) (done bool, err error) {
	results := []*cluster.Result{nil}
	if len(list) > 0 {
		results = results[:0]
		for _, d := range list {
			r := d.Result()
			results = append(results, &r)
		}
	}
	var writes []Write
	for _, r := range results {
		a, err := t.front.Step(ctx, event(r))
		if err != nil {
			return false, err
		}
		for _, err := range a.Warnings {
			if warn != nil {
				warn(err)
			}
		}
		writes = append(writes, a.Writes...)
		if len(a.Offer) > 0 {
			err = carrier.Offer(ctx, a.Offer...)
		}
		if len(a.Recall) > 0 {
			err = errors.Join(err, carrier.Recall(ctx, a.Recall...))
		}
		if err != nil {
			return false, err
		}
		done = done || a.Done
	}
	if err := t.Commit(writes); err != nil {
		return false, err
	}
	for _, d := range list {
		if err := d.Ack(ctx); err != nil {
			return false, err
		}
	}
	return done, nil
}
