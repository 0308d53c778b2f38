package natscarrier

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// Config says how a front end or a coordinator opens its side.
type Config struct {
	// Terms are what workers must agree to.
	Terms cluster.Terms
	// About is the answer to workers that ask before they join; see [Ask].
	About string
	// Lease is how long a worker may be silent before another gets its job; 0 means 30
	// seconds.
	Lease time.Duration
	// Listen is the address, host:port, of the server in this process; port 0 means any
	// that is free. Anything but loopback needs a secret, a certificate and its key.
	Listen string
	// Cert and Key are PEM files of a certificate and its key, for TLS.
	Cert, Key string
	// Store is the directory of that server's streams. It is made, and removed by [Front.Close], but
	// not after [Front.Leave].
	Store string
	// Server has the URLs of a NATS server or cluster to use instead, separated by commas, and
	// CA is a PEM file with the authority that signed its certificate, if the system does not
	// trust it. Listen, Cert, Key and Store are then ignored.
	Server, CA string
	// Account is who connects there. For the server in this process its secret is the token that
	// the others need.
	Account Account
	// Replicas is on how many servers of a cluster a stream is kept; 0 means one.
	Replicas int
	// Files says that the front end and its workers have [Files], whose size has no limit then.
	Files bool
	// Report, if not nil, is called when the connection breaks and when it is back.
	Report func(string)
}

// connect starts a server, or connects to the one elsewhere.
func (c *Config) connect(ctx context.Context, name string) (*server.Server, *conn, error) {
	c.Lease = cmp.Or(c.Lease, 30*time.Second)
	if c.Report == nil {
		c.Report = func(string) {}
	}
	if c.Server != "" {
		l, err := connect(ctx, c.Server, c.CA, c.Account, frontUser, name, 0, c.Report)
		return nil, l, err
	}
	secret := rand.Text()
	s, err := startServer(*c, secret)
	if err != nil {
		return nil, nil, err
	}
	// The URL is not used then, but tls:// would ask for encryption.
	l, err := dial(nats.DefaultURL, Account{}, 0, c.Report, nats.InProcessServer(s), nats.Name(name), nats.UserInfo(frontUser, secret))
	if err != nil {
		s.Shutdown()
	}
	return s, l, err
}

// Front is the front end's side of a carrier over NATS.
type Front struct {
	config  Config
	server  *server.Server // nil if it is elsewhere
	conn    *conn
	session string
	jobs    jetstream.Stream
	workers jetstream.Consumer
	parts   jetstream.ObjectStore
	results jetstream.MessagesContext
	once    sync.Once

	counting  sync.Once
	answering atomic.Int64 // threads that answer questions

	mu       sync.Mutex
	offered  map[cluster.ID]uint64 // by job: its number in the stream
	offers   uint64
	finished bool
	left     bool  // by Leave
	large    int64 // bytes of large results that are not acknowledged
	freed    chan struct{}
	counted  time.Time // when the workers were counted
	count    int
}

// Open starts a server, or connects to one. Streams of an earlier server that are damaged, as they may be after a power
// failure, are made again.
func Open(ctx context.Context, c Config) (*Front, error) {
	_, statErr := os.Stat(c.Store)
	f, err := begin(ctx, c)
	if err != nil && f.server != nil && statErr == nil && ctx.Err() == nil {
		if err = os.RemoveAll(c.Store); err == nil {
			f, err = begin(ctx, c)
		}
	}
	switch {
	case err == nil:
		return f, nil
	case errors.Is(statErr, os.ErrNotExist):
		err = errors.Join(err, os.RemoveAll(c.Store))
	}
	return nil, err
}

// begin returns the front end also with an error, and then its server if that could be started.
func begin(ctx context.Context, c Config) (f *Front, err error) {
	f = &Front{session: rand.Text(), offered: map[cluster.ID]uint64{}, freed: make(chan struct{})}
	if f.server, f.conn, err = c.connect(ctx, "yomikiri front end"); err != nil {
		return f, err
	}
	f.config = c
	if err = f.listen(ctx); err != nil {
		f.stop()
	}
	return f, err
}

// listen makes the streams, and begins to answer workers. Jobs of an earlier front end are dropped, since they
// are offered again if they are still wanted; its results are not.
func (f *Front) listen(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 4*request)
	defer cancel()
	switch _, err := f.conn.nc.RequestWithContext(ctx, helloSubject, nil); {
	case err == nil:
		return fmt.Errorf("another front end is at work on the server at %s", f.URL())
	case !errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("NATS server: %w", err)
	}
	js, replicas := f.conn.js, max(f.config.Replicas, 1)
	failed := func(what string, err error) error { return fmt.Errorf("NATS server: %s: %w", what, err) }
	err := create(ctx, func() (err error) {
		f.jobs, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: jobStream, Subjects: []string{jobPrefix + "*"}, Retention: jetstream.WorkQueuePolicy, Replicas: replicas,
		})
		return err
	})
	if err != nil {
		return failed(jobStream, err)
	}
	if err := f.jobs.Purge(ctx); err != nil {
		return failed(jobStream, err)
	}
	if f.workers, err = f.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workerConsumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: f.config.Lease,
		MaxAckPending: maxWorkers, MaxWaiting: maxWorkers,
	}); err != nil {
		return failed(workerConsumer, err)
	}
	var results jetstream.Stream
	err = create(ctx, func() (err error) {
		results, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: resultStream, Subjects: []string{resultPrefix + "*"}, Retention: jetstream.WorkQueuePolicy, Replicas: replicas,
			MaxBytes: maxResults, Discard: jetstream.DiscardNew,
		})
		return err
	})
	if err != nil {
		return failed(resultStream, err)
	}
	front, err := results.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: frontConsumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: f.config.Lease,
	})
	if err != nil {
		return failed(frontConsumer, err)
	}
	bytes := int64(maxParts)
	if f.config.Files {
		bytes = -1
	}
	err = create(ctx, func() (err error) {
		f.parts, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: partBucket, MaxBytes: bytes, Replicas: replicas})
		return err
	})
	if err != nil {
		return failed(partBucket, err)
	}
	if f.results, err = front.Messages(jetstream.PullMaxMessages(64), jetstream.WithMessagesErrOnMissingHeartbeat(false)); err != nil {
		return failed(resultStream, err)
	}
	if _, err := f.conn.nc.Subscribe(helloSubject, f.welcome); err != nil {
		return err
	}
	return f.conn.nc.FlushWithContext(ctx)
}

// create makes a stream. The server may still be removing the files of one of that name, from an earlier front end,
// and fails then.
func create(ctx context.Context, try func() error) (err error) {
	for range 20 {
		err = try()
		if failed := (*jetstream.APIError)(nil); !errors.As(err, &failed) || failed.ErrorCode != storeFailed {
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return err
}

// storeFailed is the server's error code for a stream whose files it cannot make.
const storeFailed = 10049

// URL returns the address at which workers join.
func (f *Front) URL() string { return address(f.server, f.config.Server) }

func address(s *server.Server, elsewhere string) string {
	if s == nil {
		return elsewhere
	}
	return s.ClientURL()
}

// Join returns the side of a worker in the front end's process.
func (f *Front) Join(ctx context.Context, terms cluster.Terms, name string) (cluster.Back, error) {
	if f.server == nil {
		c, err := connect(ctx, f.config.Server, f.config.CA, f.config.Account, frontUser, name, 0, f.config.Report)
		if err != nil {
			return nil, err
		}
		return newBack(ctx, c, terms, name, f.config.Report)
	}
	c, err := dial(nats.DefaultURL, Account{}, 0, func(string) {}, nats.InProcessServer(f.server), nats.Name(name), nats.UserInfo(workerUser, f.config.Account.Secret))
	if err != nil {
		return nil, err
	}
	return newBack(ctx, c, terms, name, f.config.Report)
}

// Workers returns how many workers there are, about a second ago.
func (f *Front) Workers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.counted) > time.Second {
		f.counted = time.Now()
		go f.countWorkers() // the server may be silent
	}
	return f.count
}

// countWorkers asks the server how many workers there are.
func (f *Front) countWorkers() {
	ctx, cancel := context.WithTimeout(f.conn.ctx, request)
	defer cancel()
	if i, err := f.workers.Info(ctx); err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.count = i.NumWaiting + i.NumAckPending
	}
}

// welcome answers a worker that asks to join.
func (f *Front) welcome(m *nats.Msg) {
	if data, err := json.Marshal(f.admit(m.Data)); err == nil {
		m.Respond(data) // if the answer gets lost, the worker asks again
	}
}

// admit returns the answer to a hello.
func (f *Front) admit(data []byte) welcome {
	reply := welcome{Format: format}
	var h hello
	err := json.Unmarshal(data, &h)
	if err != nil || h.Format != format {
		err = otherFormat(h.Format, format)
	} else {
		terms := f.config.Terms
		if h.Ask { // it does not know the game yet
			terms.Game, terms.Rules = h.Terms.Game, h.Terms.Rules
		}
		err = terms.Admit(h.Terms)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil:
		reply.Refused = err.Error()
	case f.finished:
		reply.Ended = true
	case h.Ask:
		reply.About = f.config.About
	default:
		reply.Session, reply.Lease = f.session, f.config.Lease
	}
	return reply
}

// Offer implements [cluster.Front].
func (f *Front) Offer(ctx context.Context, jobs ...cluster.Job) error {
	for _, j := range jobs {
		if f.has(ctx, j.ID) {
			continue
		}
		body, err := j.Body.MarshalBinary()
		if err != nil {
			return err
		}
		m := nats.NewMsg(jobPrefix + j.ID.String())
		m.Header.Set(sessionHeader, f.session)
		m.Header.Set(jobHeader, j.ID.String())
		if err := pack(ctx, f.conn, m, "job "+j.ID.String(), body); err != nil {
			return err
		}
		// An id stays blocked after the ack of its message, so each offer has one of its own. It is the same
		// when the server's answer is lost, so that the job is there once.
		f.mu.Lock()
		f.offers++
		m.Header.Set(nats.MsgIdHdr, fmt.Sprintf("%s.%d", f.session, f.offers))
		f.mu.Unlock()
		err = f.conn.retry(ctx, func(ctx context.Context) error {
			ack, err := f.conn.js.PublishMsg(ctx, m)
			if err == nil {
				f.mu.Lock()
				f.offered[j.ID] = ack.Sequence
				f.mu.Unlock()
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// has reports whether the stream has a job.
func (f *Front) has(ctx context.Context, id cluster.ID) (found bool) {
	f.mu.Lock()
	number := f.offered[id]
	f.mu.Unlock()
	if number == 0 {
		return false
	}
	err := f.conn.retry(ctx, func(ctx context.Context) error {
		_, err := f.jobs.GetMsg(ctx, number)
		found = err == nil
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			err = nil
		}
		return err
	})
	return found && err == nil
}

// Recall implements [cluster.Front].
func (f *Front) Recall(ctx context.Context, ids ...cluster.ID) error {
	var list []string
	for _, id := range ids {
		f.mu.Lock()
		number := f.offered[id]
		delete(f.offered, id)
		f.mu.Unlock()
		if number == 0 {
			continue
		}
		list = append(list, id.String())
		err := f.conn.retry(ctx, func(ctx context.Context) error {
			err := f.jobs.DeleteMsg(ctx, number)
			if errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
				return nil // it is done
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for len(list) > 0 {
		n := min(len(list), 1000)
		f.conn.nc.Publish(recallSubject, []byte(strings.Join(list[:n], " "))) // whoever misses it has worked in vain
		list = list[n:]
	}
	return nil
}

// Receive implements [cluster.Front].
func (f *Front) Receive(ctx context.Context) (cluster.Delivery, error) {
	for {
		m, err := f.results.Next(jetstream.NextContext(ctx))
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case f.conn.ctx.Err() != nil:
			return nil, context.Cause(f.conn.ctx)
		case errors.Is(err, jetstream.ErrMsgIteratorClosed):
			return nil, cluster.ErrClosed
		case err != nil:
			return nil, fmt.Errorf("NATS server: %w", err)
		}
		id, err := parseID(m.Headers().Get(jobHeader))
		if err != nil { // nobody waits for it
			m.Ack()
			continue
		}
		d := &delivery{front: f, message: m, result: cluster.Result{Job: id, Worker: m.Headers().Get(workerHeader)}}
		body, err := d.body(ctx)
		if errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, errTooLarge) { // it was acknowledged before, or nobody would send it
			m.Ack()
			continue
		}
		if err != nil {
			return nil, err
		}
		d.result.Body = cluster.Bytes(body)
		f.mu.Lock()
		delete(f.offered, id)
		f.mu.Unlock()
		return d, nil
	}
}

// delivery implements [cluster.Delivery].
type delivery struct {
	front   *Front
	message jetstream.Msg
	result  cluster.Result
	large   int64
}

func (d *delivery) Result() cluster.Result { return d.result }

// body returns the body. A large one waits until those before it are acknowledged.
func (d *delivery) body(ctx context.Context) (body []byte, err error) {
	f := d.front
	object := d.message.Headers().Get(objectHeader)
	if object == "" {
		return d.message.Data(), nil
	}
	err = f.conn.retry(ctx, func(ctx context.Context) error {
		info, err := f.parts.GetInfo(ctx, object)
		if err == nil {
			d.large = int64(info.Size)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for {
		f.mu.Lock()
		freed := f.freed
		if fits := f.large == 0 || f.large+d.large <= maxResult; fits {
			f.large += d.large
			f.mu.Unlock()
			break
		}
		f.mu.Unlock()
		select {
		case <-freed:
		case <-time.After(f.config.Lease / 3):
			d.message.InProgress()
		case <-f.conn.ctx.Done():
			return nil, context.Cause(f.conn.ctx)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if body, err = unpack(ctx, f.conn, d.message); err != nil {
		d.free()
	}
	return body, err
}

// free makes room for other large results.
func (d *delivery) free() {
	f := d.front
	f.mu.Lock()
	defer f.mu.Unlock()
	f.large -= d.large
	d.large = 0
	close(f.freed)
	f.freed = make(chan struct{})
}

// Ack implements [cluster.Delivery].
func (d *delivery) Ack(ctx context.Context) error {
	err := d.front.conn.retry(ctx, d.message.DoubleAck)
	if object := d.message.Headers().Get(objectHeader); object != "" && err == nil {
		d.free()
		d.front.parts.Delete(ctx, object)
	}
	return err
}

// Status implements [cluster.Front].
func (f *Front) Status(ctx context.Context) (s cluster.Status, err error) {
	err = f.conn.retry(ctx, func(ctx context.Context) error {
		jobs, err := f.jobs.Info(ctx)
		if err != nil {
			return err
		}
		workers, err := f.workers.Info(ctx)
		if err != nil {
			return err
		}
		results, err := f.conn.js.Stream(ctx, resultStream)
		if err != nil {
			return err
		}
		s = cluster.Status{Leased: workers.NumAckPending, Results: int(results.CachedInfo().State.Msgs)}
		if s.Queued = int(jobs.State.Msgs) - s.Leased; jobs.State.Msgs > 0 {
			s.Oldest = time.Since(jobs.State.FirstTime)
		}
		return nil
	})
	return s, err
}

// Finish says that there are no more jobs. Workers that have joined, and those that try to
// until Close, get [cluster.ErrClosed].
func (f *Front) Finish() {
	f.mu.Lock()
	first := !f.finished
	f.finished = true
	f.mu.Unlock()
	if first {
		f.conn.nc.Publish(recallSubject, nil)
		f.conn.nc.FlushTimeout(request)
	}
}

// Close implements [cluster.Front]. It begins with [Front.Finish], and removes the streams. After
// [Front.Leave] there is nothing left to do.
func (f *Front) Close() error {
	f.mu.Lock()
	left := f.left
	f.mu.Unlock()
	if left {
		return nil
	}
	f.Finish()
	if f.results != nil && f.server == nil && f.conn.nc.IsConnected() {
		f.results.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), request)
		defer cancel()
		for _, name := range []string{jobStream, resultStream, "OBJ_" + partBucket} {
			f.conn.js.DeleteStream(ctx, name) // one that stays does no harm
		}
	}
	f.stop()
	return os.RemoveAll(f.config.Store)
}

// Leave is Close for a front end that will be back: workers go on with their jobs, and
// wait for it. The streams keep the results that it has not received.
func (f *Front) Leave() {
	f.mu.Lock()
	finished := f.finished
	f.left = true
	f.mu.Unlock()
	if !finished && f.jobs != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		f.jobs.Purge(ctx) // so that nobody begins one
	}
	f.stop()
}

func (f *Front) stop() {
	f.once.Do(func() {
		if f.results != nil {
			f.results.Stop()
		}
		f.conn.close(cluster.ErrClosed)
		if f.server != nil {
			f.server.Shutdown()
			f.server.WaitForShutdown()
		}
	})
}

// parseID reads what [cluster.ID.String] returns.
func parseID(text string) (id cluster.ID, err error) {
	data, err := hex.DecodeString(text)
	if err == nil && len(data) != len(id) {
		err = errors.New("not the name of a job")
	}
	copy(id[:], data)
	return id, err
}
