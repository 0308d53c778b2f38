package natscarrier

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// inProgress restarts the time for which JetStream waits for an acknowledgement.
var inProgress = []byte("+WPI")

// lease implements [cluster.Lease].
type lease struct {
	back      *back
	joined    *joined // the session in which it was taken
	job       cluster.Job
	message   jetstream.Msg
	sequence  uint64
	delivered uint64 // how often the message has been delivered
	gone      chan struct{}

	mu      sync.Mutex
	renewed time.Time
	over    bool
	results int // that were sent
}

// lease returns a lease of the job in a message.
func (b *back) lease(j *joined, m jetstream.Msg) (*lease, error) {
	meta, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	id, err := jobID(m.Headers())
	if err != nil {
		m.Term() // no front end sends that
		return nil, err
	}
	l := &lease{
		back: b, joined: j, job: cluster.Job{ID: id, Body: m.Data()}, message: m,
		sequence: meta.Sequence.Stream, delivered: meta.NumDelivered,
		gone: make(chan struct{}), renewed: time.Now(),
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.joined == j {
		b.leases[l.sequence] = l
	}
	return l, nil
}

func (l *lease) Job() cluster.Job      { return l.job }
func (l *lease) Time() time.Duration   { return l.joined.lease }
func (l *lease) Gone() <-chan struct{} { return l.gone }

// end ends the lease, and reports whether it was still running.
func (l *lease) end() bool {
	l.back.mu.Lock()
	if l.back.leases[l.sequence] == l {
		delete(l.back.leases, l.sequence)
	}
	l.back.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return false
	}
	l.over = true
	close(l.gone)
	return true
}

func (l *lease) isOver() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

// Beat implements [cluster.Lease].
func (l *lease) Beat(ctx context.Context) error {
	data, err := json.Marshal(beat{l.job.ID.String(), l.joined.id})
	if err != nil {
		return err
	}
	return l.back.do(ctx, request, func(ctx context.Context, j *joined) error {
		if l.isOver() {
			return cluster.ErrGone
		}
		now := time.Now()
		m, err := l.back.link.nc.RequestWithContext(ctx, subject(j.id, "beat"), data)
		if err != nil {
			return err
		}
		var p pulse
		if err := json.Unmarshal(m.Data, &p); err != nil {
			return err
		}
		l.mu.Lock()
		late := now.Sub(l.renewed) >= j.lease
		l.mu.Unlock()
		same := j.id == l.joined.id
		switch {
		case p.Gone:
			l.end()
			l.message.Ack() // if it is still in the stream, it is no longer wanted
			return cluster.ErrGone
		case same && late: // another worker has it, or gets it next
			l.end()
			return cluster.ErrGone
		case same:
			// Wait for the answer: if this were lost, the lease would end early.
			if _, err := l.back.link.nc.RequestWithContext(ctx, l.message.Reply(), inProgress); err != nil {
				return err
			}
		}
		// In another session, the streams have been lost since the worker took the job. Its
		// result still counts, and if no other worker takes the job meanwhile, no work is
		// lost.
		l.mu.Lock()
		defer l.mu.Unlock()
		l.renewed = now
		return nil
	})
}

// Done implements [cluster.Lease].
func (l *lease) Done(ctx context.Context, result []byte) error {
	size := min(partSize, int(l.back.link.nc.MaxPayload()/2))
	parts := max((len(result)+size-1)/size, 1)
	session := ""
	l.mu.Lock()
	l.results++
	name := fmt.Sprintf("%v.%s.%d.%d.%d", l.job.ID, l.joined.id, l.sequence, l.delivered, l.results)
	l.mu.Unlock()
	for part := 0; part < parts; part++ {
		err := l.back.do(ctx, upload, func(ctx context.Context, j *joined) error {
			if j.id != session { // earlier parts are lost
				session, part = j.id, 0
			}
			m := &nats.Msg{
				Subject: subject(session, "part"),
				Header: nats.Header{
					jobHeader:             {l.job.ID.String()},
					workerHeader:          {l.back.name},
					uploadHeader:          {name},
					partHeader:            {fmt.Sprintf("%d/%d", part+1, parts)},
					jetstream.MsgIDHeader: {fmt.Sprintf("%s.%d", name, part)},
				},
				Data: result[part*size : min((part+1)*size, len(result))],
			}
			if part == parts-1 {
				m.Subject = subject(session, "result")
			}
			_, err := l.back.link.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0))
			return err
		})
		if err != nil {
			return err
		}
	}
	if l.end() && session == l.joined.id {
		// If this fails, the front end takes the job out of the stream.
		l.message.Ack()
	}
	return nil
}

// Return implements [cluster.Lease].
func (l *lease) Return(ctx context.Context) error {
	if !l.end() {
		return cluster.ErrGone
	}
	// If the connection is broken, another worker gets the job when the lease is over.
	if l.message.Nak() == nil {
		// The caller may exit after returning a job.
		ctx, cancel := l.back.link.attempt(ctx, request)
		defer cancel()
		l.back.link.nc.FlushWithContext(ctx)
	}
	return nil
}
