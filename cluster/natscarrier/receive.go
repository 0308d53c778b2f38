package natscarrier

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// uploaded is a result some of whose parts have not arrived.
type uploaded struct {
	parts   []jetstream.Msg
	missing int
	changed time.Time
}

// idle is the number of lease times without a new part after which an incomplete result is
// dropped: its worker has vanished while sending it.
const idle = 10

// Receive implements [cluster.Front].
func (f *Front) Receive(ctx context.Context) (cluster.Delivery, error) {
	var d *delivery
	err := f.do(ctx, poll, func(ctx context.Context, s *session) error {
		for {
			m, err := s.front.Next(jetstream.FetchContext(ctx))
			if err != nil {
				return err
			}
			if d = f.arrived(s, m); d != nil {
				f.forget(ctx, s, d.result.Job)
				return nil
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// arrived adds a part to its result, and returns the result if that is complete.
func (f *Front) arrived(s *session, m jetstream.Msg) *delivery {
	h := m.Headers()
	var part, parts int
	_, err := fmt.Sscanf(h.Get(partHeader), "%d/%d", &part, &parts)
	job, jobErr := jobID(h)
	if err != nil || jobErr != nil || part < 1 || part > parts || parts > 1<<20 {
		m.Term() // no worker sends that
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	for name, u := range f.uploads {
		if now.Sub(u.changed) > idle*f.config.Lease {
			delete(f.uploads, name)
			for _, p := range u.parts {
				if p != nil {
					p.Term()
				}
			}
		}
	}
	name := h.Get(uploadHeader)
	u := f.uploads[name]
	if u == nil || len(u.parts) != parts {
		u = &uploaded{make([]jetstream.Msg, parts), parts, now}
		f.uploads[name] = u
	}
	if u.parts[part-1] == nil {
		u.missing--
		u.changed = now
	}
	u.parts[part-1] = m
	if u.missing > 0 {
		return nil
	}
	delete(f.uploads, name)
	d := &delivery{front: f, session: s, parts: u.parts, result: cluster.Result{Job: job, Worker: h.Get(workerHeader)}}
	if parts == 1 {
		d.result.Body = m.Data()
		return d
	}
	for _, p := range u.parts {
		d.result.Body = append(d.result.Body, p.Data()...)
	}
	return d
}

// forget removes a job that has a result, in case its worker could not do so.
func (f *Front) forget(ctx context.Context, s *session, id cluster.ID) {
	f.mu.Lock()
	o := f.offered[id]
	delete(f.offered, id)
	f.mu.Unlock()
	if o != nil {
		// If this fails, the worker that gets the job next learns that it is gone.
		s.remove(ctx, o.sequence)
	}
}

// delivery implements [cluster.Delivery].
type delivery struct {
	front   *Front
	session *session
	parts   []jetstream.Msg
	result  cluster.Result
}

func (d *delivery) Result() cluster.Result { return d.result }

func (d *delivery) Ack(ctx context.Context) error {
	return d.front.do(ctx, request, func(ctx context.Context, s *session) error {
		for len(d.parts) > 0 && s == d.session {
			// They are processed in order, so it is enough to wait for the last.
			var err error
			if len(d.parts) > 1 {
				err = d.parts[0].Ack()
			} else {
				err = d.parts[0].DoubleAck(ctx)
			}
			if errors.Is(err, nats.ErrNoResponders) {
				return nil // the stream is gone
			}
			if err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
				return err
			}
			d.parts = d.parts[1:]
		}
		return nil
	})
}
