package natscarrier

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// Worker says how a worker joins a front end.
type Worker struct {
	// URL is the address of the front end's server, such as nats://host:4222; of a cluster,
	// several separated by commas.
	URL string
	// CA is a PEM file with the authority that signed the server's certificate, if the
	// system does not trust it. A self-signed certificate is its own authority.
	CA string
	// Account is who connects.
	Account Account
	// Terms are what the worker agrees to.
	Terms cluster.Terms
	// Name distinguishes the worker from others: no other one should have it.
	Name string
	// Patience is how long to wait for a broken connection to come back; 0 means forever.
	// After that all calls fail with [ErrAbsent].
	Patience time.Duration
	// Streams is the address at which a node listens for others; see [Network.Listen].
	Streams string
	// Report, if not nil, is called when the connection breaks and when it is back, and for a job that many
	// workers have not answered.
	Report func(string)
}

// Join connects to a front end, which must be there. It fails with [cluster.ErrRefused] if
// the front end refuses the worker. Afterwards the connection is restored whenever it
// breaks, within w.Patience. If another front end is there by then, the worker must agree
// with that one.
func Join(ctx context.Context, w Worker) (cluster.Back, error) {
	c, err := w.dial(ctx)
	if err != nil {
		return nil, err
	}
	if w.Report == nil {
		w.Report = func(string) {}
	}
	return newBack(ctx, c, w.Terms, w.Name, w.Report)
}

// Ask returns the front end's description of its work ([Config.About]), if the worker has
// the right version. With it the worker can fill in its terms and join. Like
// Join, Ask fails with [ErrAbsent] if there is no front end.
func Ask(ctx context.Context, w Worker) (string, error) {
	c, err := w.dial(ctx)
	if err != nil {
		return "", err
	}
	defer c.close(cluster.ErrClosed)
	ctx, cancel := context.WithTimeout(ctx, request)
	defer cancel()
	answer, err := greet(ctx, c, hello{Terms: w.Terms, Ask: true})
	return answer.About, c.noFront(err)
}

func (w Worker) dial(ctx context.Context) (*conn, error) {
	if w.Report == nil {
		w.Report = func(string) {}
	}
	c, err := connect(ctx, w.URL, w.CA, w.Account, workerUser, "yomikiri worker "+w.Name, w.Patience, w.Report)
	if _, ok := errors.AsType[unreachable](err); ok {
		err = fmt.Errorf("%w: %w", ErrAbsent, err)
	}
	return c, err
}

// noFront turns the error for a request that nobody answers into [ErrAbsent].
func (c *conn) noFront(err error) error {
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%w is at work on the server at %s", ErrAbsent, c.nc.ConnectedUrlRedacted())
	}
	return err
}

// back implements [cluster.Back].
type back struct {
	conn   *conn
	terms  cluster.Terms
	name   string
	report func(string)

	mu      sync.Mutex
	session string // of the front end that it has joined
	lease   time.Duration
	leases  map[string]*lease // by job
}

func newBack(ctx context.Context, c *conn, terms cluster.Terms, name string, report func(string)) (cluster.Back, error) {
	b := &back{conn: c, terms: terms, name: name, report: report, leases: map[string]*lease{}}
	ctx, cancel := context.WithTimeout(ctx, request)
	defer cancel()
	_, err := c.nc.Subscribe(recallSubject, b.recall)
	if err == nil {
		_, err = b.join(ctx, "")
	}
	if err != nil {
		err = c.reason(c.noFront(err))
		c.close(cluster.ErrClosed)
		return nil, err
	}
	return b, nil
}

// join returns the session of the front end. It asks who that is if it does not know, or another
// session is seen.
func (b *back) join(ctx context.Context, seen string) (session string, err error) {
	b.mu.Lock()
	session = b.session
	b.mu.Unlock()
	if session != "" && (seen == "" || seen == session) {
		return session, nil
	}
	w, err := greet(ctx, b.conn, hello{Terms: b.terms})
	if err != nil {
		return "", err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.session, b.lease = w.Session, w.Lease
	return w.Session, nil
}

// recall takes the front end's word that jobs are recalled, or that there are no more.
func (b *back) recall(m *nats.Msg) {
	if len(m.Data) == 0 {
		b.conn.close(cluster.ErrClosed)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(m.Data) == 0 {
		for _, l := range b.leases {
			l.stop()
		}
	}
	for id := range strings.FieldsSeq(string(m.Data)) {
		if l := b.leases[id]; l != nil {
			l.stop()
		}
	}
}

// poll is how long a worker waits for a job before it asks whether the front end is still there.
const poll = 20 * time.Second

// Take implements [cluster.Back].
func (b *back) Take(ctx context.Context) (cluster.Lease, error) {
	var jobs jetstream.Consumer
	for {
		// Without a job for some time the front end may have gone, and its streams with it.
		err := b.conn.retry(ctx, func(ctx context.Context) (err error) {
			if jobs == nil {
				b.mu.Lock()
				b.session = ""
				b.mu.Unlock()
				if _, err := b.join(ctx, ""); err != nil {
					return err
				}
				jobs, err = b.conn.js.Consumer(ctx, jobStream, workerConsumer)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		m, err := b.next(ctx, jobs)
		switch {
		case b.conn.ctx.Err() != nil:
			return nil, context.Cause(b.conn.ctx)
		case ctx.Err() != nil:
			if m != nil {
				m.Nak()
			}
			return nil, context.Cause(ctx)
		case m == nil:
			jobs = nil
			if err != nil && b.conn.nc.IsConnected() { // do not ask in a hurry
				select {
				case <-time.After(50 * time.Millisecond):
				case <-ctx.Done():
				}
			}
			continue
		}
		l, err := b.accept(ctx, m)
		if l != nil || err != nil {
			return l, err
		}
	}
}

// next waits for a job. It returns nil if none comes for some time.
func (b *back) next(ctx context.Context, jobs jetstream.Consumer) (jetstream.Msg, error) {
	ctx, cancel := b.conn.attempt(ctx, poll)
	defer cancel()
	batch, err := jobs.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		return m, nil
	}
	return nil, batch.Error()
}

// accept makes a lease of a job. It returns nil if the job is none.
func (b *back) accept(ctx context.Context, m jetstream.Msg) (cluster.Lease, error) {
	id, err := parseID(m.Headers().Get(jobHeader))
	if err != nil {
		m.Term()
		return nil, nil
	}
	if d, err := m.Metadata(); err == nil && d.NumDelivered > manyDeliveries {
		b.report(fmt.Sprintf("job %v was taken %d times before, and no worker has answered", id, d.NumDelivered-1))
	}
	l := &lease{back: b, message: m, gone: make(chan struct{}), idle: make(chan struct{})}
	err = b.conn.retry(ctx, func(ctx context.Context) error {
		_, err := b.join(ctx, m.Headers().Get(sessionHeader))
		return err
	})
	if err != nil {
		m.Nak()
		return nil, err
	}
	b.mu.Lock()
	every := b.lease / 3
	b.mu.Unlock()
	go l.beat(every)
	body, err := unpack(ctx, b.conn, m)
	l.job = cluster.Job{ID: id, Body: cluster.Bytes(body)}
	if err != nil {
		l.end()
	}
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound):
		m.Term() // it was recalled
		return nil, nil
	case err != nil:
		m.Nak()
		return nil, err
	}
	b.mu.Lock()
	b.leases[id.String()] = l
	b.mu.Unlock()
	return l, nil
}

// Close implements [cluster.Back].
func (b *back) Close() error {
	b.mu.Lock()
	for _, l := range b.leases {
		l.stop()
	}
	b.mu.Unlock()
	b.conn.close(cluster.ErrClosed)
	return nil
}

// lease implements [cluster.Lease].
type lease struct {
	back    *back
	message jetstream.Msg
	job     cluster.Job
	gone    chan struct{}
	idle    chan struct{} // closed when it is done or returned
	once    sync.Once
	ended   sync.Once
}

func (l *lease) Job() cluster.Job      { return l.job }
func (l *lease) Gone() <-chan struct{} { return l.gone }

// beat tells the server that the job is in progress.
func (l *lease) beat(every time.Duration) {
	for tick := time.Tick(every); ; {
		select {
		case <-tick:
			l.message.InProgress() // if it is lost, another worker may get the job too
		case <-l.gone:
			return
		case <-l.idle:
			return
		}
	}
}

// stop ends a lease that the front end has recalled.
func (l *lease) stop() { l.once.Do(func() { close(l.gone) }) }

// end ends a lease, and fails if it has ended.
func (l *lease) end() error {
	err := cluster.ErrGone
	l.ended.Do(func() { err = nil })
	if err == nil {
		close(l.idle)
		l.back.mu.Lock()
		delete(l.back.leases, l.job.ID.String())
		l.back.mu.Unlock()
	}
	return err
}

// Done implements [cluster.Lease].
func (l *lease) Done(ctx context.Context, body cluster.Body) error {
	data, err := body.MarshalBinary()
	if err != nil {
		return err
	}
	select {
	case <-l.gone:
		return cluster.ErrGone
	case <-l.idle:
		return cluster.ErrGone
	default:
	}
	c := l.back.conn
	number := rand.Text() // a result is published once, even if the answer to it gets lost
	m := nats.NewMsg(resultPrefix + l.job.ID.String())
	m.Header.Set(jobHeader, l.job.ID.String())
	m.Header.Set(workerHeader, l.back.name)
	m.Header.Set(nats.MsgIdHdr, number)
	if err = pack(ctx, c, m, "result "+number, data); err == nil {
		err = c.retry(ctx, func(ctx context.Context) error {
			_, err := c.js.PublishMsg(ctx, m)
			c.noteFull(err)
			return err
		})
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, request)
		defer cancel()
		l.message.DoubleAck(ctx) // if it is lost, the job is done twice
	}
	if err == nil || errors.Is(err, errTooLarge) {
		l.end()
	}
	return err
}

// Return implements [cluster.Lease].
func (l *lease) Return(context.Context) error {
	if err := l.end(); err != nil {
		return err
	}
	return l.message.Nak()
}
