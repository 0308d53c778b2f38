package natscarrier

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/internal/errno"
)

// request is how long an answer may take, and transfer how long a body that is too large for a message.
const (
	request  = 5 * time.Second
	transfer = 10 * time.Minute
)

// ErrAbsent says that there is no front end, or no server, at the moment. One may come later.
var ErrAbsent = errors.New("no front end")

// ErrAddress says that a URL is none at which a server can be reached.
var ErrAddress = errors.New("wrong address")

// Account says who connects to a server.
type Account struct {
	// User is the name of the user; empty for the one whom a server in a front end's process expects.
	User string
	// Secret is the user's password, or the token of a server that has no users.
	Secret string
	// Credentials is a file with a JWT and its key, in place of both.
	Credentials string
}

// options returns the options of a connection by the account.
func (a Account) options(usual string) []nats.Option {
	if a.Credentials != "" {
		return []nats.Option{nats.UserCredentials(a.Credentials)}
	}
	if a.User == "" {
		a.User = usual
	}
	return []nats.Option{nats.UserInfo(a.User, a.Secret), nats.Token(a.Secret)}
}

// refused returns the error for a server that does not accept the account.
func (a Account) refused() error {
	why := "the server does not accept the token"
	switch {
	case a.Credentials != "":
		why = "the server does not accept the credentials in " + a.Credentials
	case a.User != "":
		why = fmt.Sprintf("the server does not accept user %q with this password", a.User)
	case a.Secret == "":
		why = "the server wants a token, and none was given"
	}
	return fmt.Errorf("%w: %s", cluster.ErrRefused, why)
}

// conn is a connection to a server that is restored when it breaks.
type conn struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	patience time.Duration   // 0 for no limit
	ctx      context.Context // ends when the connection is closed for good, by why
	end      context.CancelCauseFunc

	mu     sync.Mutex
	heard  time.Time       // when somebody last answered
	denied error           // what the account may not do, once it has tried
	up     context.Context // ends when the connection breaks, and is replaced then
	broke  context.CancelFunc
}

// dial connects to a server. report is called when the connection breaks and when it is
// back. If patience is not 0 and nobody has answered for that long, all calls fail with [ErrAbsent].
func dial(url string, a Account, patience time.Duration, report func(string), options ...nats.Option) (*conn, error) {
	c := &conn{patience: patience, heard: time.Now()}
	c.ctx, c.end = context.WithCancelCause(context.Background())
	c.up, c.broke = context.WithCancel(c.ctx)
	nc, err := nats.Connect(url, append(options,
		nats.Timeout(request),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250*time.Millisecond),
		nats.ReconnectJitter(250*time.Millisecond, 250*time.Millisecond),
		nats.ReconnectBufSize(-1), // what cannot be sent now fails now; retry tries again
		nats.PingInterval(10*time.Second),
		nats.MaxPingsOutstanding(2),
		nats.IgnoreDiscoveredServers(), // behind a proxy or NAT they may be out of reach
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				c.mu.Lock()
				c.denied = err
				c.mu.Unlock()
			}
		}),
		nats.DisconnectErrHandler(func(nc *nats.Conn, _ error) {
			if !nc.IsClosed() {
				report("connection lost; trying again")
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.broke()
			c.up, c.broke = context.WithCancel(c.ctx)
		}),
		nats.ReconnectHandler(func(*nats.Conn) { report("connected again") }),
		nats.ClosedHandler(func(nc *nats.Conn) {
			err := cluster.ErrClosed
			if errors.Is(nc.LastError(), nats.ErrAuthorization) {
				err = a.refused()
			}
			c.end(err)
		}),
	)...)
	if err != nil {
		return nil, err
	}
	c.nc = nc
	c.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(request))
	return c, err
}

// close closes the connection for a reason.
func (c *conn) close(why error) {
	c.end(why)
	c.nc.Close()
}

// reason returns why the connection was closed for good, if it was: an error for a call on it does not say that.
func (c *conn) reason(err error) error {
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return err
}

// answered notes that somebody has answered.
func (c *conn) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
}

// noteFull notes that somebody has answered, if an error says that a stream takes no more.
func (c *conn) noteFull(err error) {
	if full := (*jetstream.APIError)(nil); errors.As(err, &full) {
		c.answered()
	}
}

// silent returns an error if nobody has answered for too long, or if the account may not do what it
// has tried.
func (c *conn) silent() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch since := time.Since(c.heard); {
	case c.denied != nil:
		return fmt.Errorf("%w: %w", cluster.ErrRefused, c.denied)
	case c.patience > 0 && since > c.patience:
		return fmt.Errorf("%w for %v: it may have finished", ErrAbsent, c.patience)
	}
	return nil
}

// attempt returns a context that ends after a limit, or when the connection breaks, since an answer in
// flight is then lost.
func (c *conn) attempt(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	c.mu.Lock()
	defer c.mu.Unlock()
	release := context.AfterFunc(c.up, cancel)
	return ctx, func() { release(); cancel() }
}

// retry calls try, each time for a limited time, until it succeeds or fails for good, the connection
// is closed or the context ends.
func (c *conn) retry(ctx context.Context, try func(context.Context) error) error {
	return c.retryFor(ctx, request, try)
}

// retryFor is retry with another limit.
func (c *conn) retryFor(ctx context.Context, limit time.Duration, try func(context.Context) error) error {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		if c.ctx.Err() != nil {
			return context.Cause(c.ctx)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		attempt, cancel := c.attempt(ctx, limit)
		err := try(attempt)
		cancel()
		if err == nil {
			c.answered()
			return nil
		}
		for _, known := range []error{cluster.ErrGone, cluster.ErrRefused, cluster.ErrClosed, errTooLarge, jetstream.ErrObjectNotFound} {
			if errors.Is(err, known) {
				return err
			}
		}
		if f, ok := errors.AsType[final](err); ok {
			return f.error
		}
		if err := c.silent(); err != nil {
			return err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause)):
		case <-c.ctx.Done():
		case <-ctx.Done():
		}
	}
}

// unreachable is the error for a server that cannot be reached at the moment.
type unreachable struct{ error }

func (u unreachable) Unwrap() error { return u.error }

// connect connects to a server, or to one of a cluster, by URLs separated by commas. Anything
// but loopback needs TLS.
func connect(ctx context.Context, address, ca string, a Account, usual, name string, patience time.Duration, report func(string)) (*conn, error) {
	secure := ca != ""
	for one := range strings.SplitSeq(address, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return nil, fmt.Errorf("%w %q: want one like nats://host:4222", ErrAddress, one)
		}
		if u.User != nil {
			return nil, fmt.Errorf("%w: a user does not belong in it, since others can see it", ErrAddress)
		}
		ip := net.ParseIP(u.Hostname())
		loopback := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
		secure = secure || !loopback || u.Scheme == "tls"
	}
	d := &dialer{}
	options := append(a.options(usual), nats.Name(name), nats.SetCustomDialer(d))
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
	var c *conn
	var err error
	dialed := make(chan struct{})
	go func() {
		c, err = dial(address, a, patience, report, options...)
		close(dialed)
	}()
	select {
	case <-dialed:
	case <-ctx.Done(): // a server that is silent would keep it waiting
		go func() {
			if <-dialed; err == nil {
				c.close(cluster.ErrClosed)
			}
		}()
		return nil, ctx.Err()
	}
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return nil, a.refused()
	case errors.Is(err, nats.ErrNoServers) && d.first != nil:
		return nil, unreachable{fmt.Errorf("cannot connect to %s: %w", address, d.first)}
	case errors.Is(err, io.EOF) || errno.Disconnect.Is(err) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, nats.ErrTimeout):
		// The connection was cut before it was established, or the server is too busy.
		return nil, unreachable{fmt.Errorf("cannot connect to %s: %w", address, err)}
	case err != nil:
		return nil, fmt.Errorf("cannot connect to %s: %w", address, err)
	}
	return c, nil
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
