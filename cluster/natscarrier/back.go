package natscarrier

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// ErrAbsent says that there is no front end at an address at the moment. One may come later.
var ErrAbsent = errors.New("no front end")

// ErrAddress says that an address is wrong.
var ErrAddress = errors.New("wrong address")

// Worker says how a worker joins a front end.
type Worker struct {
	// URL is the address of the front end's server, such as nats://host:4222.
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
	answer, err := hail(ctx, l, hello{Terms: w.Terms, Ask: true})
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

// dialServer connects to a server by its URL. Anything but loopback needs TLS.
func dialServer(address, ca, token, name string, patience time.Duration, report func(string)) (*link, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" {
		return nil, fmt.Errorf("%w %q: want one like nats://host:4222", ErrAddress, address)
	}
	if u.User != nil {
		return nil, fmt.Errorf("%w: a token does not belong in it, since others can see it", ErrAddress)
	}
	options := []nats.Option{nats.Name(name), nats.Token(token)}
	ip := net.ParseIP(u.Hostname())
	if loopback := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback(); !loopback || ca != "" || u.Scheme == "tls" {
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
	d := &dialer{}
	l, err := dial(u.String(), patience, report, append(options, nats.SetCustomDialer(d))...)
	switch {
	case errors.Is(err, nats.ErrNoServers) && d.first != nil:
		return nil, fmt.Errorf("%w: cannot connect to %s: %w", ErrAbsent, address, d.first)
	case errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, nats.ErrTimeout):
		// The connection was cut before it was established, or the server is too busy.
		return nil, fmt.Errorf("%w: cannot connect to %s: %w", ErrAbsent, address, err)
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
	if err != nil {
		return nil, err
	}
	return wrap(c)
}

// back implements [cluster.Back].
type back struct {
	link  *link
	terms cluster.Terms
	name  string

	mu     sync.Mutex
	joined *joined
	leases map[uint64]*lease // of this session, by sequence number
}

// joined is a session that a worker takes part in.
type joined struct {
	id      string
	lease   time.Duration
	jobs    jetstream.Consumer
	control *nats.Subscription
}

func newBack(ctx context.Context, l *link, terms cluster.Terms, name string) (cluster.Back, error) {
	b := &back{link: l, terms: terms, name: name, leases: map[uint64]*lease{}}
	ctx, cancel := context.WithTimeout(ctx, request)
	defer cancel()
	if err := l.noFront(b.join(ctx)); err != nil {
		l.close()
		return nil, err
	}
	return b, nil
}

// join joins the session of the front end, unless the worker is already in it.
func (b *back) join(ctx context.Context) error {
	w, err := hail(ctx, b.link, hello{Terms: b.terms, Name: b.name})
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.joined != nil && b.joined.id == w.Session {
		return nil
	}
	j := &joined{id: w.Session, lease: w.Lease}
	if j.jobs, err = b.link.js.Consumer(ctx, jobStream, "workers-"+j.id); err != nil {
		return err
	}
	if j.control, err = b.link.nc.Subscribe(subject(j.id, "control"), b.told); err != nil {
		return err
	}
	if b.joined != nil {
		b.joined.control.Unsubscribe()
	}
	b.joined, b.leases = j, map[uint64]*lease{}
	return nil
}

// told handles a control message.
func (b *back) told(m *nats.Msg) {
	var c control
	if json.Unmarshal(m.Data, &c) != nil {
		return
	}
	if c.Closed {
		b.link.close()
	}
	b.mu.Lock()
	var gone []*lease
	for _, sequence := range c.Recalled {
		if l := b.leases[sequence]; l != nil {
			gone = append(gone, l)
		}
	}
	for _, l := range b.leases {
		if c.Closed {
			gone = append(gone, l)
		}
	}
	b.mu.Unlock()
	for _, l := range gone {
		l.end()
	}
}

func (b *back) current() *joined {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.joined
}

// do calls try until it succeeds. After a failure it joins again first, since the front end
// may have a new session now.
func (b *back) do(ctx context.Context, limit time.Duration, try func(context.Context, *joined) error) error {
	failed := false
	err := b.link.retry(ctx, limit, func(ctx context.Context) error {
		if failed {
			if err := b.join(ctx); err != nil {
				return err
			}
		}
		failed = true
		return try(ctx, b.current())
	})
	if errors.Is(err, nats.ErrAuthorization) {
		return otherToken(b.terms)
	}
	return err
}

// Take implements [cluster.Back].
func (b *back) Take(ctx context.Context) (cluster.Lease, error) {
	var l *lease
	err := b.do(ctx, poll, func(ctx context.Context, j *joined) error {
		m, err := j.jobs.Next(jetstream.FetchContext(ctx))
		if err != nil {
			return err
		}
		l, err = b.lease(j, m)
		return err
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Close implements [cluster.Back].
func (b *back) Close() error {
	b.link.close()
	return nil
}
