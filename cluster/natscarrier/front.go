package natscarrier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// Config says how a front end opens its side.
type Config struct {
	// Terms are what workers must agree to.
	Terms cluster.Terms
	// About is the answer to workers that ask before they join; see [Ask].
	About string
	// Lease is how long a worker may be silent before another gets its job; 0 means 30
	// seconds. The lease that the worker sees is a sixth shorter.
	Lease time.Duration
	// Listen is the address, host:port, of the server in this process; port 0 means any
	// that is free. Anything but loopback needs a token, a certificate and its key.
	Listen string
	// Cert and Key are PEM files of a certificate and its key, for TLS.
	Cert, Key string
	// Server is the URL of a NATS server with JetStream to use instead, and CA a PEM file
	// with the authority that signed its certificate, if the system does not trust it.
	// Listen, Cert and Key are then ignored.
	Server, CA string
	// Report, if not nil, is called when the connection breaks and when it is back.
	Report func(string)
}

// Front is the front end's side of a carrier over NATS. It implements [cluster.Front].
type Front struct {
	config Config
	server *server.Server // nil if it is elsewhere
	link   *link
	joins  *nats.Subscription

	offering sync.Mutex // held while jobs are sent, or the session is replaced

	mu       sync.Mutex
	session  *session
	offered  map[cluster.ID]*offered
	uploads  map[string]*uploaded
	attempts uint64
	ended    bool // it offers and receives nothing any more
	finished bool // and no other front end will
	closed   bool
}

// offered is a job that has been offered and has no result yet.
type offered struct {
	job      cluster.Job
	attempt  uint64
	since    time.Time
	sequence uint64    // in the stream
	seen     time.Time // when it was last seen there
}

// Open starts a server, or connects to one, and makes the streams. Anything that an earlier
// front end has left there is deleted.
func Open(ctx context.Context, c Config) (*Front, error) {
	if c.Lease == 0 {
		c.Lease = 30 * time.Second
	}
	if c.Report == nil {
		c.Report = func(string) {}
	}
	f := &Front{config: c, offered: map[cluster.ID]*offered{}, uploads: map[string]*uploaded{}}
	if err := f.open(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (f *Front) open(ctx context.Context) (err error) {
	if f.config.Server == "" {
		if f.server, err = startServer(f.config); err != nil {
			return err
		}
	}
	if f.link, err = f.dial("yomikiri front end", f.config.Report); err != nil {
		return err
	}
	// Another front end on this server would lose its streams.
	ctx, cancel := context.WithTimeout(ctx, request)
	defer cancel()
	switch _, err := f.link.nc.RequestWithContext(ctx, joinSubject, nil); {
	case err == nil:
		return fmt.Errorf("another front end is at work on the server at %s", f.URL())
	case !errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("NATS server: %w", err)
	}
	if f.session, err = newSession(ctx, f.link, f.config.Lease, f.beat); err != nil {
		return fmt.Errorf("NATS server: %w", err)
	}
	if f.joins, err = f.link.nc.Subscribe(joinSubject, f.welcome); err != nil {
		return err
	}
	return f.link.nc.FlushWithContext(ctx)
}

// dial connects to the server.
func (f *Front) dial(name string, report func(string)) (*link, error) {
	if f.server == nil {
		return dialServer(f.config.Server, f.config.CA, f.config.Terms.Token, name, 0, report)
	}
	// The URL is not used then, but tls:// would ask for encryption.
	return dial(nats.DefaultURL, 0, report, nats.InProcessServer(f.server), nats.Name(name), nats.Token(f.config.Terms.Token))
}

// URL returns the address at which workers join.
func (f *Front) URL() string {
	if f.server == nil {
		return f.config.Server
	}
	return f.server.ClientURL()
}

// Join returns the side of a worker in the front end's process.
func (f *Front) Join(ctx context.Context, worker cluster.Terms, name string) (cluster.Back, error) {
	l, err := f.dial("yomikiri worker "+name, f.config.Report)
	if err != nil {
		return nil, err
	}
	return newBack(ctx, l, worker, name)
}

// welcome answers a worker that asks to join.
func (f *Front) welcome(m *nats.Msg) {
	var h hello
	reply := welcome{Format: format}
	terms := f.config.Terms
	err := json.Unmarshal(m.Data, &h)
	if h.Ask { // it does not know the game yet
		terms.Game, terms.Rules = h.Terms.Game, h.Terms.Rules
	}
	switch {
	case err != nil || h.Format != format:
		err = otherFormat(h.Format, format)
	default:
		err = terms.Admit(h.Terms)
	}
	switch {
	case err != nil:
		reply.Refused = err.Error()
	case f.is(&f.finished):
		reply.Ended = true
	case h.Ask:
		reply.About = f.config.About
	default:
		// A worker's lease begins when it gets a job, JetStream's when it sends the job. So
		// the worker's is shorter: a worker that has lost a lease must know it before
		// another one gets the job.
		reply.Session, reply.Lease = f.current().id, f.config.Lease*5/6
	}
	respond(m, reply)
}

// beat answers a worker that has a job.
func (f *Front) beat(m *nats.Msg) {
	var b beat
	if json.Unmarshal(m.Data, &b) != nil {
		return
	}
	id, err := parseID(b.Job)
	f.mu.Lock()
	wanted := err == nil && f.offered[id] != nil
	if s := f.session; !wanted && b.Session != s.id {
		// The front end has just started, and may not have offered this job again yet.
		wanted = time.Since(s.began) < f.config.Lease
	}
	f.mu.Unlock()
	respond(m, pulse{Gone: !wanted})
}

// respond answers a message. If the answer gets lost, the sender asks again.
func respond(m *nats.Msg, v any) {
	if data, err := json.Marshal(v); err == nil {
		m.Respond(data)
	}
}

func (f *Front) current() *session {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.session
}

// do calls try until it succeeds, and replaces the session if it is lost.
func (f *Front) do(ctx context.Context, limit time.Duration, try func(context.Context, *session) error) error {
	failed := false
	return f.link.retry(ctx, limit, func(ctx context.Context) error {
		if f.is(&f.ended) {
			return cluster.ErrClosed
		}
		s := f.current()
		if failed && s.lost(ctx) {
			if err := f.renew(ctx, s); err != nil {
				return err
			}
			s = f.current()
		}
		failed = true
		return try(ctx, s)
	})
}

// renew replaces a session that is lost, and sends all jobs again.
func (f *Front) renew(ctx context.Context, lost *session) error {
	f.offering.Lock()
	defer f.offering.Unlock()
	if f.current() != lost {
		return nil
	}
	s, err := newSession(ctx, f.link, f.config.Lease, f.beat)
	if err != nil {
		return err
	}
	f.mu.Lock()
	jobs := slices.SortedFunc(maps.Values(f.offered), func(a, b *offered) int { return int(a.attempt) - int(b.attempt) })
	f.mu.Unlock()
	for _, o := range jobs {
		sequence, err := s.send(ctx, o.job, o.attempt)
		if err != nil {
			return err
		}
		f.mu.Lock()
		o.sequence, o.seen = sequence, time.Now()
		f.mu.Unlock()
	}
	lost.beats.Unsubscribe()
	f.mu.Lock()
	f.session, f.uploads = s, map[string]*uploaded{}
	f.mu.Unlock()
	return nil
}

// Offer implements [cluster.Front].
func (f *Front) Offer(ctx context.Context, jobs ...cluster.Job) error {
	for _, j := range jobs {
		// Headers take some of the payload.
		if most := int(f.link.nc.MaxPayload()) - 4096; len(j.Body) > most {
			return fmt.Errorf("job %v has %d bytes, and the server takes %d", j.ID, len(j.Body), most)
		}
		f.mu.Lock()
		f.attempts++
		attempt := f.attempts
		f.mu.Unlock()
		err := f.do(ctx, request, func(ctx context.Context, s *session) error { return f.offer(ctx, s, j, attempt) })
		if err != nil {
			return err
		}
	}
	return nil
}

var errRenewed = errors.New("the session has just been replaced")

func (f *Front) offer(ctx context.Context, s *session, j cluster.Job, attempt uint64) error {
	f.offering.Lock()
	defer f.offering.Unlock()
	f.mu.Lock()
	o, current := f.offered[j.ID], f.session == s
	look := o != nil && time.Since(o.seen) > f.config.Lease
	f.mu.Unlock()
	switch {
	case !current:
		return errRenewed
	case o != nil && !look:
		return nil
	case look:
		// Messages may be lost without their stream.
		_, err := s.jobs.GetMsg(ctx, o.sequence)
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
		if err == nil {
			f.mu.Lock()
			defer f.mu.Unlock()
			o.seen = time.Now()
			return nil
		}
	}
	sequence, err := s.send(ctx, j, attempt)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	f.offered[j.ID] = &offered{job: j, attempt: attempt, since: now, sequence: sequence, seen: now}
	return nil
}

// Recall implements [cluster.Front].
func (f *Front) Recall(ctx context.Context, ids ...cluster.ID) error {
	var recalled []uint64
	f.mu.Lock()
	s := f.session
	for _, id := range ids {
		if o := f.offered[id]; o != nil {
			delete(f.offered, id)
			recalled = append(recalled, o.sequence)
		}
	}
	f.mu.Unlock()
	for some := range slices.Chunk(recalled, 4096) {
		err := f.do(ctx, request, func(ctx context.Context, now *session) error {
			if now != s {
				return nil // they are gone
			}
			if err := s.tell(control{Recalled: some}); err != nil {
				return err
			}
			for len(some) > 0 {
				if err := s.remove(ctx, some[0]); err != nil {
					return err
				}
				some = some[1:]
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Status implements [cluster.Front].
func (f *Front) Status(ctx context.Context) (status cluster.Status, err error) {
	err = f.do(ctx, request, func(ctx context.Context, s *session) error {
		jobs, err := s.workers.Info(ctx)
		if err != nil {
			return err
		}
		last := subject(s.id, "result")
		results, err := s.results.Info(ctx, jetstream.WithSubjectFilter(last))
		if err != nil {
			return err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		// Jobs that were recalled stay leased for a while.
		status.Leased = min(jobs.NumAckPending, len(f.offered))
		status.Queued = len(f.offered) - status.Leased
		status.Results = int(results.State.Subjects[last])
		status.Oldest = 0
		for _, o := range f.offered {
			status.Oldest = max(status.Oldest, time.Since(o.since))
		}
		return nil
	})
	return status, err
}

// Workers returns how many workers wait for a job or have one.
func (f *Front) Workers(ctx context.Context) (n int, err error) {
	err = f.do(ctx, request, func(ctx context.Context, s *session) error {
		jobs, err := s.workers.Info(ctx)
		if err != nil {
			return err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		n = jobs.NumWaiting + min(jobs.NumAckPending, len(f.offered))
		return nil
	})
	return n, err
}

func (f *Front) is(state *bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return *state
}

// Finish says that there are no more jobs. Workers that have joined, and those that try to
// until Close, get [cluster.ErrClosed].
func (f *Front) Finish() { f.end(true) }

// Close implements [cluster.Front]. It begins with [Front.Finish].
func (f *Front) Close() error {
	f.Finish()
	f.close()
	return nil
}

// Leave is Close for a front end that will be back: workers go on with their jobs, and
// wait for it.
func (f *Front) Leave() {
	f.end(false)
	f.close()
}

// end deletes the streams. If the work is finished, it tells the workers first.
func (f *Front) end(finished bool) {
	f.mu.Lock()
	first := !f.ended
	f.ended, f.finished = true, f.finished || finished
	s := f.session
	f.mu.Unlock()
	if !first || s == nil || !f.link.nc.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), request)
	defer cancel()
	if finished {
		s.tell(control{Closed: true})
	}
	f.link.js.DeleteStream(ctx, jobStream)
	f.link.js.DeleteStream(ctx, resultStream)
}

func (f *Front) close() {
	f.mu.Lock()
	first := !f.closed
	f.closed = true
	f.mu.Unlock()
	if !first {
		return
	}
	if f.joins != nil && f.link.nc.IsConnected() && f.joins.Unsubscribe() == nil {
		f.link.nc.FlushTimeout(request) // from now on a worker that joins finds no front end
	}
	if f.link != nil {
		f.link.close()
	}
	if f.server != nil {
		f.server.Shutdown()
		f.server.WaitForShutdown()
	}
}
