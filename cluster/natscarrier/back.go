package natscarrier

import (
	"context"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/internal/errno"
)

// ErrAbsent says that there is no front end at an address at the moment. One may come later.
var ErrAbsent = errors.New("no front end")

// ErrAddress says that an address is wrong.
var ErrAddress = errors.New("wrong address")

// Worker says how a worker joins a front end.
type Worker struct {
	// URL is the address of the front end's server, such as nats://host:4222; of a cluster,
	// several separated by commas.
	URL string
	// CA is a PEM file with the authority that signed the front end's certificate, if the
	// system does not trust it. A self-signed certificate is its own authority.
	CA string
	// Terms are what the worker agrees to.
	Terms cluster.Terms
	// Name is a human-readable name that distinguishes the worker from others.
	Name string
	// Patience is how long to wait for a broken connection to come back; 0 means forever.
	// After that all calls fail with [ErrAbsent].
	Patience time.Duration
	// Streams is the address at which a node listens for others; see [Network.Listen].
	Streams string
	// Report, if not nil, is called when the connection breaks and when it is back.
	Report func(string)
}

// Join connects to a front end, which must be there. It fails with [cluster.ErrRefused] if
// the front end refuses the worker. Afterwards the connection is restored whenever it
// breaks, within w.Patience. If another front end is there by then, the worker must agree
// with that one.
func Join(ctx context.Context, w Worker) (cluster.Back, error) {
	l, err := w.dial()
	if err != nil {
		return nil, err
	}
	return newBack(ctx, l, w.Terms, w.Name)
}

// Ask returns the front end's description of its work ([Config.About]), if the worker has
// the right version and token. With it the worker can fill in its terms and join. Like
// Join, Ask fails with [ErrAbsent] if there is no front end.
func Ask(ctx context.Context, w Worker) (string, error) {
	l, err := w.dial()
	if err != nil {
		return "", err
	}
	defer l.close()
	ctx, cancel := context.WithTimeout(ctx, request)
	defer cancel()
	answer, err := greet(ctx, l, hello{Terms: w.Terms, Ask: true})
	return answer.About, l.noFront(err)
}

func (w Worker) dial() (*link, error) {
	if w.Report == nil {
		w.Report = func(string) {}
	}
	l, err := dialServer(w.URL, w.CA, w.Terms.Token, "yomikiri worker "+w.Name, w.Patience, w.Report)
	if errors.Is(err, nats.ErrAuthorization) {
		err = otherToken(w.Terms)
	}
	if _, ok := errors.AsType[unreachable](err); ok {
		err = fmt.Errorf("%w: %w", ErrAbsent, err)
	}
	return l, err
}

// noFront turns the error for a request that nobody answers into [ErrAbsent].
func (l *link) noFront(err error) error {
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%w is at work on the server at %s", ErrAbsent, l.nc.ConnectedUrlRedacted())
	}
	return err
}

// otherToken refuses a worker whose token the server does not take.
func otherToken(worker cluster.Terms) error {
	front := worker
	front.Token += "x"
	return front.Admit(worker)
}

// unreachable is the error for a server that cannot be reached at the moment.
type unreachable struct{ error }

func (u unreachable) Unwrap() error { return u.error }

// dialServer connects to a server, or to one of a cluster, by URLs separated by commas. Anything
// but loopback needs TLS.
func dialServer(address, ca, token, name string, patience time.Duration, report func(string)) (*link, error) {
	secure := ca != ""
	for one := range strings.SplitSeq(address, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return nil, fmt.Errorf("%w %q: want one like nats://host:4222", ErrAddress, one)
		}
		if u.User != nil {
			return nil, fmt.Errorf("%w: a token does not belong in it, since others can see it", ErrAddress)
		}
		ip := net.ParseIP(u.Hostname())
		loopback := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
		secure = secure || !loopback || u.Scheme == "tls"
	}
	d := &dialer{}
	options := []nats.Option{nats.Name(name), nats.Token(token), nats.SetCustomDialer(d)}
	if secure {
		config := &tls.Config{MinVersion: tls.VersionTLS12}
		if ca != "" {
			pem, err := readCertificates(ca)
			if err != nil {
				return nil, fmt.Errorf("TLS authority: %w", err)
			}
			config.RootCAs = x509.NewCertPool()
			if !config.RootCAs.AppendCertsFromPEM(pem) {
				return nil, fmt.Errorf("TLS authority: %s has no certificate in PEM format", ca)
			}
		}
		options = append(options, nats.Secure(config))
	}
	l, err := dial(address, patience, report, options...)
	switch {
	case errors.Is(err, nats.ErrNoServers) && d.first != nil:
		return nil, unreachable{fmt.Errorf("cannot connect to %s: %w", address, d.first)}
	case errors.Is(err, io.EOF) || errno.Disconnect.Is(err) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, nats.ErrTimeout):
		// The connection was cut before it was established, or the server is too busy.
		return nil, unreachable{fmt.Errorf("cannot connect to %s: %w", address, err)}
	case err != nil:
		return nil, fmt.Errorf("cannot connect to %s: %w", address, err)
	}
	return l, nil
}

// maxCertificates is the size of the largest file of certificates that is read.
const maxCertificates = 1 << 20

// readCertificates reads a file in PEM format.
func readCertificates(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxCertificates))
}

// dialer keeps the error of the first connection, which the library drops.
type dialer struct{ first error }

func (d *dialer) Dial(network, address string) (net.Conn, error) {
	c, err := net.DialTimeout(network, address, request)
	if d.first == nil {
		d.first = err
	}
	return c, err
}

// back implements [cluster.Back].
type back struct {
	link  *link
	terms cluster.Terms
	name  string
	once  sync.Once

	joining sync.Mutex
	mu      sync.Mutex
	joined  *joined // nil until it has joined again
	known   string  // its name in the last session
	leases  map[uint64]*lease
}

// joined is a worker's part in a session.
type joined struct {
	session string
	number  uint64 // of the worker
	lease   time.Duration
	cipher  cipher.AEAD
	sent    atomic.Uint64
	pushes  *nats.Subscription
	pushed  uint64 // the last push that has arrived
}

func newBack(ctx context.Context, l *link, terms cluster.Terms, name string) (cluster.Back, error) {
	b := &back{link: l, terms: terms, name: name}
	ctx, cancel := context.WithTimeout(ctx, request)
	defer cancel()
	if _, err := b.join(ctx); err != nil {
		err = l.noFront(err)
		l.close()
		return nil, err
	}
	return b, nil
}

// join returns the worker's part in the session, which it joins unless it has.
func (b *back) join(ctx context.Context) (*joined, error) {
	b.joining.Lock()
	defer b.joining.Unlock()
	if j := b.current(); j != nil {
		return j, nil
	}
	own, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	w, err := greet(ctx, b.link, hello{Terms: b.terms, Name: b.name, Key: own.PublicKey().Bytes()})
	if err != nil {
		return nil, err
	}
	j := &joined{session: w.Session, number: w.Worker, lease: w.Lease}
	if j.cipher, err = newCipher(own, w.Key, w.Session); err != nil {
		return nil, fmt.Errorf("answer of the front end: %w", err)
	}
	if j.pushes, err = b.link.nc.Subscribe(pushSubject(j.session, j.number), func(m *nats.Msg) { b.told(j, m.Data) }); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.joined, b.known, b.leases = j, w.Name, map[uint64]*lease{}
	return j, nil
}

// told handles what the front end says unasked.
func (b *back) told(j *joined, data []byte) {
	if len(data) < 8 {
		return
	}
	number := binary.LittleEndian.Uint64(data)
	m, _, err := unseal(j.cipher, pushed, number, data[8:])
	if err != nil || number <= j.pushed {
		return // somebody else's, or an old one
	}
	j.pushed = number
	if m.Kind == later {
		b.link.interrupt()
		return
	}
	b.mu.Lock()
	var ended []*lease
	for number, l := range b.leases {
		if m.Kind == closed || b.joined == j && number == m.Lease {
			ended = append(ended, l)
		}
	}
	b.mu.Unlock()
	for _, l := range ended {
		l.end()
	}
	if m.Kind == closed {
		b.link.close()
	}
}

func (b *back) current() *joined {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.joined
}

// Name implements [cluster.Back].
func (b *back) Name() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.known
}

// errUnknown says that the front end does not know the worker.
var errUnknown = errors.New("the front end does not know the worker")

// ask sends a request to the front end of a session, and returns its reply.
func (b *back) ask(ctx context.Context, j *joined, m message, data []byte) (message, []byte, error) {
	number := j.sent.Add(1)
	header := binary.LittleEndian.AppendUint64(nil, j.number)
	header = binary.LittleEndian.AppendUint64(header, number)
	answer, err := b.link.nc.RequestWithContext(ctx, requestSubject(j.session), seal(header, j.cipher, toFront, number, m, data))
	if err == nil && len(answer.Data) == 0 {
		err = errUnknown
	}
	if errors.Is(err, errUnknown) || errors.Is(err, nats.ErrNoResponders) {
		// There may be another front end. This one may have said before that it has closed.
		b.mu.Lock()
		if b.joined == j {
			j.pushes.Drain()
			b.joined = nil
		}
		b.mu.Unlock()
	}
	if err != nil {
		return message{}, nil, err
	}
	reply, body, err := unseal(j.cipher, toWorker, number, answer.Data)
	switch {
	case err != nil:
		return reply, nil, err // somebody else's
	case reply.Kind == gone:
		return reply, nil, cluster.ErrGone
	case reply.Kind == closed:
		b.link.close()
		return reply, nil, cluster.ErrClosed
	case reply.Kind == later:
		return reply, nil, errLater
	case answer.Reply != "":
		answer.Respond(nil) // it has arrived
	}
	return reply, body, nil
}

// do calls try until it succeeds, as a member of the session.
func (b *back) do(ctx context.Context, limit time.Duration, try func(context.Context, *joined) error) error {
	err := b.link.retry(ctx, limit, func(ctx context.Context) error {
		j, err := b.join(ctx)
		if err != nil {
			return err
		}
		return try(ctx, j)
	})
	if errors.Is(err, nats.ErrAuthorization) {
		return otherToken(b.terms)
	}
	return err
}

// Take implements [cluster.Back].
func (b *back) Take(ctx context.Context) (cluster.Lease, error) {
	var l *lease
	err := b.do(ctx, poll+request, func(ctx context.Context, j *joined) error {
		wait := poll
		if deadline, ok := ctx.Deadline(); ok {
			wait = min(wait, time.Until(deadline))
		}
		m, body, err := b.ask(ctx, j, message{Kind: takeJob, Size: uint64(max(wait, 0))}, nil)
		if errors.Is(err, errLater) {
			return errWaited
		}
		if err != nil {
			return err
		}
		taken := time.Now()
		for uint64(len(body)) < m.Size {
			_, more, err := b.ask(ctx, j, message{Kind: moreOfJob, Lease: m.Lease, Offset: uint64(len(body))}, nil)
			if err == nil && len(more) == 0 || errors.Is(err, cluster.ErrGone) {
				return errLater // it has ended meanwhile
			}
			if err != nil {
				return err
			}
			body = append(body, more...)
		}
		l = &lease{back: b, joined: j, number: m.Lease, job: cluster.Job{ID: m.Job, Body: cluster.Bytes(body)}, gone: make(chan struct{}), renewed: taken}
		b.hold(l)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// hold has the front end's word about a lease reach it.
func (b *back) hold(l *lease) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.joined == l.joined {
		b.leases[l.number] = l
	}
}

// Close implements [cluster.Back].
func (b *back) Close() error {
	b.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), request)
		defer cancel()
		if j := b.current(); j != nil && b.link.nc.IsConnected() {
			number := j.sent.Add(1)
			header := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, j.number), number)
			b.link.nc.Publish(requestSubject(j.session), seal(header, j.cipher, toFront, number, message{Kind: goodbye}, nil))
			b.link.nc.FlushWithContext(ctx)
		}
		b.link.close()
	})
	return nil
}

// lease implements [cluster.Lease].
type lease struct {
	back *back
	job  cluster.Job
	gone chan struct{}

	mu      sync.Mutex
	joined  *joined // the session in which it is
	number  uint64
	renewed time.Time
	over    bool
}

func (l *lease) Job() cluster.Job      { return l.job }
func (l *lease) Gone() <-chan struct{} { return l.gone }

func (l *lease) Time() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.joined.lease
}

// end ends the lease, and reports whether it was still running.
func (l *lease) end() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return false
	}
	l.over = true
	close(l.gone)
	return true
}

// in returns the number of the lease in a session. If that is another one than the last, the
// front end is asked for the job again.
func (l *lease) in(ctx context.Context, j *joined) (uint64, error) {
	l.mu.Lock()
	same, number := l.joined == j, l.number
	l.mu.Unlock()
	if same {
		return number, nil
	}
	m, _, err := l.back.ask(ctx, j, message{Kind: claimJob, Job: l.job.ID}, nil)
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	l.joined, l.number, l.renewed = j, m.Lease, time.Now()
	l.mu.Unlock()
	l.back.hold(l)
	return m.Lease, nil
}

// Renew implements [cluster.Lease].
func (l *lease) Renew(ctx context.Context) error {
	err := l.back.do(ctx, request, func(ctx context.Context, j *joined) error {
		l.mu.Lock()
		over, late := l.over, l.joined == j && time.Since(l.renewed) >= j.lease
		l.mu.Unlock()
		if over || late {
			return cluster.ErrGone
		}
		now := time.Now()
		number, err := l.in(ctx, j)
		if err == nil {
			_, _, err = l.back.ask(ctx, j, message{Kind: renew, Lease: number}, nil)
		}
		if errors.Is(err, errLater) {
			return nil // the front end has just started
		}
		if err == nil {
			l.mu.Lock()
			l.renewed = now
			l.mu.Unlock()
		}
		return err
	})
	if errors.Is(err, cluster.ErrGone) {
		l.end()
	}
	return err
}

// Done implements [cluster.Lease].
func (l *lease) Done(ctx context.Context, body cluster.Body) error {
	data, err := body.MarshalBinary()
	if err != nil {
		return err
	}
	size := uint64(len(data))
	var large error
	for sent, last := uint64(0), false; !last && large == nil; {
		err := l.back.do(ctx, upload, func(ctx context.Context, j *joined) error {
			number, err := l.in(ctx, j)
			if err != nil {
				return err
			}
			end := min(sent+uint64(l.back.link.chunk()), size)
			m, _, err := l.back.ask(ctx, j, message{Kind: result, Lease: number, Offset: sent, Size: size}, data[sent:end])
			if err != nil {
				return err
			}
			if m.Kind == tooLarge {
				large = fmt.Errorf("the result has %d bytes, and the front end takes %d", size, m.Size)
				return nil
			}
			sent, last = min(m.Offset, size), m.Offset == size // it may have lost what came before
			return nil
		})
		if err != nil {
			if errors.Is(err, cluster.ErrGone) {
				l.end()
			}
			return err
		}
	}
	l.end()
	return large
}

// Return implements [cluster.Lease].
func (l *lease) Return(ctx context.Context) error {
	if !l.end() {
		return cluster.ErrGone
	}
	l.mu.Lock()
	j, number := l.joined, l.number
	l.mu.Unlock()
	// If the connection is broken, another worker gets the job when the lease is over.
	ctx, cancel := l.back.link.attempt(ctx, request)
	defer cancel()
	l.back.ask(ctx, j, message{Kind: giveBack, Lease: number}, nil)
	return nil
}
