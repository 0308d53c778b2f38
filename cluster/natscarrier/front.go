package natscarrier

import (
	"cmp"
	"context"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/yomikiri/yomikiri/cluster"
)

// Config says how a front end or a coordinator opens its side.
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
	// Server has the URLs of a NATS server or cluster to use instead, separated by commas, and
	// CA is a PEM file with the authority that signed its certificate, if the system does not
	// trust it. Listen, Cert and Key are then ignored.
	Server, CA string
	// Report, if not nil, is called when the connection breaks and when it is back.
	Report func(string)
}

// connect starts a server, or connects to the one elsewhere.
func (c *Config) connect(name string) (*server.Server, *link, error) {
	c.Lease = cmp.Or(c.Lease, 30*time.Second)
	if c.Report == nil {
		c.Report = func(string) {}
	}
	if c.Server != "" {
		l, err := dialServer(c.Server, c.CA, c.Terms.Token, name, 0, c.Report)
		return nil, l, err
	}
	s, err := startServer(*c)
	if err != nil {
		return nil, nil, err
	}
	// The URL is not used then, but tls:// would ask for encryption.
	l, err := dial(nats.DefaultURL, 0, c.Report, nats.InProcessServer(s), nats.Name(name), nats.Token(c.Terms.Token))
	if err != nil {
		s.Shutdown()
	}
	return s, l, err
}

// What peers may make a front end keep.
const (
	maxWorkers = 4096
	maxHello   = 64 << 10
	maxName    = 256
	// maxResult is the size of the largest result. When results that are not complete, or not
	// acknowledged, have maxResults bytes, only the oldest upload goes on.
	maxResult  = 256 << 20
	maxResults = 64 << 20
)

// Front is the front end's side of a carrier over NATS. Jobs and results are in the embedded
// [cluster.Memory].
type Front struct {
	cluster.Front
	memory   *cluster.Memory
	config   Config
	server   *server.Server // nil if it is elsewhere
	link     *link
	session  string
	began    time.Time
	listens  []*nats.Subscription
	ctx      context.Context // ends when it leaves
	cancel   context.CancelFunc
	stopOnce sync.Once

	mu       sync.Mutex
	workers  map[uint64]*worker
	next     uint64 // number of the next worker or lease
	finished bool
}

// worker is the state of a worker in another process.
type worker struct {
	number uint64
	back   cluster.Back
	cipher cipher.AEAD
	heard  time.Time
	// Bit i of seen says that the request last-i has arrived.
	last, seen uint64
	pushing    sync.Mutex // so that pushes are sent by their numbers: a worker drops older ones
	pushes     uint64
	taking     context.CancelFunc // ends the request for a job that waits; nil if none does
	leases     map[uint64]*held
}

// held is a lease of a worker in another process.
type held struct {
	cluster.Lease
	body    []byte // of the job
	upload  []byte // of the result, as far as it has arrived
	started time.Time
	changed time.Time // the upload, last
}

// Open starts a server, or connects to one.
func Open(ctx context.Context, c Config) (*Front, error) {
	f := &Front{session: rand.Text(), began: time.Now(), workers: map[uint64]*worker{}}
	var err error
	if f.server, f.link, err = c.connect("yomikiri front end"); err != nil {
		return nil, err
	}
	f.config = c
	f.memory = cluster.NewMemory(c.Terms, c.Lease)
	f.Front = f.memory.Front()
	f.ctx, f.cancel = context.WithCancel(context.Background())
	if err := f.listen(ctx); err != nil {
		f.Close()
		return nil, err
	}
	go f.sweep()
	return f, nil
}

func (f *Front) listen(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, request)
	defer cancel()
	switch _, err := f.link.nc.RequestWithContext(ctx, joinSubject, nil); {
	case err == nil:
		return fmt.Errorf("another front end is at work on the server at %s", f.URL())
	case !errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("NATS server: %w", err)
	}
	for subject, handle := range map[string]nats.MsgHandler{joinSubject: f.welcome, requestSubject(f.session): f.request} {
		s, err := f.link.nc.Subscribe(subject, handle)
		if err != nil {
			return err
		}
		if err := s.SetPendingLimits(4*maxWorkers, 64<<20); err != nil {
			return err
		}
		f.listens = append(f.listens, s)
	}
	return f.link.nc.FlushWithContext(ctx)
}

// URL returns the address at which workers join.
func (f *Front) URL() string { return address(f.server, f.config.Server) }

func address(s *server.Server, elsewhere string) string {
	if s == nil {
		return elsewhere
	}
	return s.ClientURL()
}

// Join returns the side of a worker in the front end's process. Its jobs and results are not
// encoded.
func (f *Front) Join(terms cluster.Terms, name string) (cluster.Back, error) {
	return f.memory.Join(terms, name)
}

// Workers returns how many workers there are.
func (f *Front) Workers() int { return f.memory.Workers() }

// welcome answers a worker that asks to join.
func (f *Front) welcome(m *nats.Msg) {
	if data, err := json.Marshal(f.admit(m.Data)); err == nil {
		m.Respond(data) // if the answer gets lost, the worker asks again
	}
}

// admit returns the answer to a hello.
func (f *Front) admit(data []byte) welcome {
	reply := welcome{Format: format}
	refuse := func(err error) welcome {
		reply.Refused = err.Error()
		return reply
	}
	if len(data) > maxHello {
		return refuse(fmt.Errorf("%w: a greeting of %d bytes", cluster.ErrRefused, len(data)))
	}
	var h hello
	if err := json.Unmarshal(data, &h); err != nil || h.Format != format {
		return refuse(otherFormat(h.Format, format))
	}
	terms := f.config.Terms
	if h.Ask { // it does not know the game yet
		terms.Game, terms.Rules = h.Terms.Game, h.Terms.Rules
	}
	if err := terms.Admit(h.Terms); err != nil {
		return refuse(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.finished:
		reply.Ended = true
		return reply
	case h.Ask:
		reply.About = f.config.About
		return reply
	case len(h.Name) > maxName:
		return refuse(fmt.Errorf("%w: its name has %d bytes, and %d are allowed", cluster.ErrRefused, len(h.Name), maxName))
	case len(f.workers) >= maxWorkers:
		return refuse(fmt.Errorf("%w: there are %d workers", cluster.ErrRefused, maxWorkers))
	}
	own, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return refuse(err)
	}
	f.next++
	w := &worker{number: f.next, heard: time.Now(), leases: map[uint64]*held{}}
	if w.cipher, err = newCipher(own, h.Key, f.session); err != nil {
		return refuse(fmt.Errorf("%w: its key: %w", cluster.ErrRefused, err))
	}
	// With the number, no other worker has the name.
	if w.back, err = f.memory.Join(f.config.Terms, fmt.Sprintf("%s #%d", h.Name, w.number)); err != nil {
		return refuse(err)
	}
	f.workers[w.number] = w
	reply.Session, reply.Worker, reply.Name, reply.Key = f.session, w.number, w.back.Name(), own.PublicKey().Bytes()
	// A worker's lease begins when it gets a job, the front end's when it sends the job. So the
	// worker's is shorter: a worker that has lost a lease must know it before another one gets
	// the job.
	reply.Lease = f.config.Lease * 5 / 6
	return reply
}

// A request is
//
//	+----------------+----------------+-------------------------+
//	| worker, 64 bit | number, 64 bit | message and data, sealed |
//	+----------------+----------------+-------------------------+
const requestHeader = 16

// request handles a request. One that the worker has not made, or that has been here before, is
// ignored. Workers that are unknown are sent an empty reply, after which they join again.
func (f *Front) request(m *nats.Msg) {
	if len(m.Data) < requestHeader {
		return
	}
	number := binary.LittleEndian.Uint64(m.Data[8:])
	f.mu.Lock()
	w := f.workers[binary.LittleEndian.Uint64(m.Data)]
	f.mu.Unlock()
	if w == nil {
		m.Respond(nil)
		return
	}
	r, data, err := unseal(w.cipher, toFront, number, m.Data[requestHeader:])
	if err != nil {
		return
	}
	f.mu.Lock()
	fresh := w.fresh(number)
	if fresh {
		w.heard = time.Now()
	}
	f.mu.Unlock()
	switch {
	case !fresh:
	case r.Kind == takeJob:
		ctx, cancel := context.WithTimeout(f.ctx, min(time.Duration(r.Size), poll))
		f.mu.Lock()
		if w.taking != nil {
			w.taking() // a worker asks for one at a time
		}
		w.taking = cancel
		f.mu.Unlock()
		go func() {
			defer cancel()
			f.take(ctx, w, m.Reply, number)
		}()
	case r.Kind == goodbye:
		f.drop(w)
	default:
		reply, body := f.serve(w, r, data)
		m.Respond(seal(nil, w.cipher, toWorker, number, reply, body))
	}
}

// fresh reports whether a request has not been here before. Only the last 64 may come late.
func (w *worker) fresh(number uint64) bool {
	if number > w.last {
		w.seen, w.last = w.seen<<(number-w.last)|1, number
		return true
	}
	bit := uint64(1) << (w.last - number)
	fresh := bit != 0 && w.seen&bit == 0
	w.seen |= bit
	return fresh
}

// serve returns the reply to a request.
func (f *Front) serve(w *worker, r message, data []byte) (message, []byte) {
	if r.Kind == claimJob {
		return f.claim(w, r), nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	h := w.leases[r.Lease]
	switch {
	case h == nil:
		return message{Kind: gone}, nil
	case r.Kind == renew:
		return reply(h.Renew(f.ctx)), nil
	case r.Kind == giveBack:
		return reply(h.Return(f.ctx)), nil
	case r.Kind == moreOfJob && r.Offset <= uint64(len(h.body)):
		return message{Kind: done}, h.body[r.Offset:min(r.Offset+uint64(f.link.chunk()), uint64(len(h.body)))]
	case r.Kind == result:
		return f.upload(h, r, data), nil
	}
	return message{Kind: gone}, nil
}

// reply returns the reply that says how something has ended.
func reply(err error) message {
	switch {
	case err == nil:
		return message{Kind: done}
	case errors.Is(err, cluster.ErrGone):
		return message{Kind: gone}
	case errors.Is(err, cluster.ErrClosed):
		return message{Kind: closed}
	}
	return message{Kind: later}
}

// take waits for a job and hands it out. The worker confirms it: if it is no longer there, the
// job goes back at once.
func (f *Front) take(ctx context.Context, w *worker, subject string, number uint64) {
	l, err := w.back.Take(ctx)
	if f.ctx.Err() != nil {
		return // it will be back
	}
	if err != nil {
		f.link.nc.Publish(subject, seal(nil, w.cipher, toWorker, number, reply(err), nil))
		return
	}
	m := message{Kind: done, Job: l.Job().ID}
	h, err := f.hold(w, l, &m)
	if err != nil {
		f.config.Report(fmt.Sprintf("job %v: %v", l.Job().ID, err))
		l.Return(f.ctx)
		return
	}
	limit, cancel := context.WithTimeout(f.ctx, min(request, f.config.Lease/2))
	defer cancel()
	m.Size = uint64(len(h.body))
	_, err = f.link.nc.RequestWithContext(limit, subject, seal(nil, w.cipher, toWorker, number, m, h.body[:min(f.link.chunk(), len(h.body))]))
	if err != nil {
		l.Return(f.ctx)
	}
	if errors.Is(err, nats.ErrNoResponders) {
		f.drop(w)
	}
}

// hold adds a lease to those of a worker until it ends, and numbers it.
func (f *Front) hold(w *worker, l cluster.Lease, m *message) (*held, error) {
	body, err := l.Job().Body.MarshalBinary()
	if err != nil {
		return nil, err
	}
	h := &held{Lease: l, body: body}
	f.mu.Lock()
	f.next++
	m.Lease = f.next
	w.leases[m.Lease] = h
	f.mu.Unlock()
	number := m.Lease
	go func() {
		<-l.Gone()
		f.mu.Lock()
		delete(w.leases, number)
		f.mu.Unlock()
		f.push(w, message{Kind: gone, Lease: number})
	}()
	return h, nil
}

// claim gives a worker the lease of a job that it had in another session, unless another worker
// has the job. Just after the start the job may not have been offered again yet.
func (f *Front) claim(w *worker, r message) message {
	l, err := f.memory.Claim(f.ctx, w.back, r.Job)
	m := reply(err)
	if err == nil {
		_, err = f.hold(w, l, &m)
	}
	if errors.Is(err, cluster.ErrGone) && time.Since(f.began) < f.config.Lease && !f.memory.Has(r.Job) {
		return message{Kind: later}
	}
	return m
}

// upload adds a chunk to a result, and hands over the result if that is complete. A chunk also
// renews the lease.
func (f *Front) upload(h *held, r message, data []byte) message {
	if r.Size > maxResult {
		return message{Kind: tooLarge, Size: maxResult}
	}
	if r.Offset == uint64(len(h.upload)) && r.Offset+uint64(len(data)) <= r.Size {
		now := time.Now()
		if h.started.IsZero() {
			h.started = now
		}
		if h.changed = now; !f.room(h, len(data)) {
			return message{Kind: later}
		}
		h.upload = append(h.upload, data...)
		if err := h.Renew(f.ctx); err != nil {
			return reply(err)
		}
	}
	if uint64(len(h.upload)) == r.Size {
		m := reply(h.Done(f.ctx, cluster.Bytes(h.upload)))
		m.Offset, h.upload = r.Size, nil
		return m
	}
	return message{Kind: done, Offset: uint64(len(h.upload))}
}

// room reports whether there is room for more of a result.
func (f *Front) room(h *held, more int) bool {
	total, oldest := f.memory.Encoded()+more, true
	for _, w := range f.workers {
		for _, o := range w.leases {
			total += len(o.upload)
			oldest = oldest && (o.started.IsZero() || !o.started.Before(h.started))
		}
	}
	return total <= maxResults || oldest && total <= maxResults+maxResult
}

// push tells a worker something unasked. If it is lost, the worker learns it when it renews its
// lease.
func (f *Front) push(w *worker, m message) {
	w.pushing.Lock()
	defer w.pushing.Unlock()
	w.pushes++
	data := seal(binary.LittleEndian.AppendUint64(nil, w.pushes), w.cipher, pushed, w.pushes, m, nil)
	f.link.nc.Publish(pushSubject(f.session, w.number), data)
}

// pushAll tells all workers something unasked.
func (f *Front) pushAll(m message) {
	f.mu.Lock()
	workers := slices.Collect(maps.Values(f.workers))
	f.mu.Unlock()
	for _, w := range workers {
		f.push(w, m)
	}
}

// drop forgets a worker. Its jobs go to others.
func (f *Front) drop(w *worker) {
	f.mu.Lock()
	known := f.workers[w.number] != nil
	delete(f.workers, w.number)
	var leases []*held
	for _, h := range w.leases {
		leases = append(leases, h)
	}
	if w.taking != nil {
		w.taking()
	}
	f.mu.Unlock()
	if known {
		w.back.Close()
	}
	for _, h := range leases {
		h.Return(f.ctx)
	}
}

// sweep drops workers that have gone without a word, and uploads that do not go on. When the
// front end's connection is back it has all workers ask again, since its replies may be lost.
func (f *Front) sweep() {
	again := f.link.reconnected()
	for tick := time.Tick(f.config.Lease / 4); ; {
		select {
		case <-f.ctx.Done():
			return
		case <-again:
			again = f.link.reconnected()
			f.pushAll(message{Kind: later})
			continue
		case <-tick:
		}
		f.Status(f.ctx) // leases that have ended are noticed
		now := time.Now()
		var silent []*worker
		var stuck []*held
		f.mu.Lock()
		for _, w := range f.workers {
			if len(w.leases) == 0 && now.Sub(w.heard) > 2*poll+f.config.Lease {
				silent = append(silent, w)
			}
			for _, h := range w.leases {
				if !h.started.IsZero() && now.Sub(h.changed) > f.config.Lease {
					stuck = append(stuck, h)
				}
			}
		}
		f.mu.Unlock()
		for _, w := range silent {
			f.drop(w)
		}
		for _, h := range stuck {
			h.Return(f.ctx)
		}
	}
}

// Finish says that there are no more jobs. Workers that have joined, and those that try to
// until Close, get [cluster.ErrClosed].
func (f *Front) Finish() {
	f.mu.Lock()
	first := !f.finished
	f.finished = true
	f.mu.Unlock()
	if !first {
		return
	}
	f.Front.Close()
	f.pushAll(message{Kind: closed})
}

// Close implements [cluster.Front]. It begins with [Front.Finish].
func (f *Front) Close() error {
	f.Finish()
	f.stop()
	return nil
}

// Leave is Close for a front end that will be back: workers go on with their jobs, and
// wait for it.
func (f *Front) Leave() {
	f.cancel()
	f.stop()
	f.Front.Close()
}

func (f *Front) stop() {
	f.stopOnce.Do(func() {
		if f.link.nc.IsConnected() {
			for _, s := range f.listens {
				s.Unsubscribe()
			}
			f.link.nc.FlushTimeout(request) // from now on a worker that joins finds no front end
		}
		f.cancel()
		f.link.close()
		if f.server != nil {
			f.server.Shutdown()
			f.server.WaitForShutdown()
		}
	})
}
