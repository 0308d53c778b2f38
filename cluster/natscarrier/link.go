package natscarrier

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

const (
	request = 5 * time.Second  // how long an answer may take
	upload  = 20 * time.Second // and the answer to a part of a result
	poll    = 30 * time.Second // how long to wait for a message before asking again
)

// link is a connection to a NATS server that is restored when it breaks.
type link struct {
	nc   *nats.Conn
	js   jetstream.JetStream
	stop chan struct{} // closed by close
	once sync.Once

	mu    sync.Mutex
	lost  *time.Timer     // ends the link if the connection is not back by then
	why   error           // the link was ended
	up    context.Context // ends when the connection breaks, and is replaced then
	broke context.CancelFunc
	again chan struct{} // closed when the connection is back, and replaced then
}

// dial connects to a server. report is called when the connection breaks and when it is
// back. If patience is not 0 and the connection has been down for that long, all calls fail
// with [ErrAbsent].
func dial(url string, patience time.Duration, report func(string), options ...nats.Option) (*link, error) {
	l := &link{stop: make(chan struct{}), again: make(chan struct{})}
	l.up, l.broke = context.WithCancel(context.Background())
	nc, err := nats.Connect(url, append(options,
		nats.Timeout(request),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250*time.Millisecond),
		nats.ReconnectJitter(250*time.Millisecond, 250*time.Millisecond),
		nats.ReconnectBufSize(-1), // what cannot be sent now fails now; link.retry tries again
		nats.PingInterval(10*time.Second),
		nats.MaxPingsOutstanding(2),
		nats.IgnoreDiscoveredServers(), // behind a proxy or NAT they may be out of reach
		nats.NoCallbacksAfterClientClose(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // not to stderr
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			report("connection lost; trying again")
			l.mu.Lock()
			defer l.mu.Unlock()
			l.broke()
			l.up, l.broke = context.WithCancel(context.Background())
			if patience > 0 {
				l.lost = time.AfterFunc(patience, func() { l.giveUp(patience) })
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			report("connected again")
			l.mu.Lock()
			defer l.mu.Unlock()
			close(l.again)
			l.again = make(chan struct{})
			if l.lost != nil {
				l.lost.Stop()
			}
		}),
	)...)
	if err != nil {
		return nil, err
	}
	l.nc = nc
	if l.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(request)); err != nil {
		nc.Close()
		return nil, err
	}
	return l, nil
}

// giveUp ends a link whose connection is not back.
func (l *link) giveUp(after time.Duration) {
	l.mu.Lock()
	l.why = fmt.Errorf("%w for %v: it may have finished", ErrAbsent, after)
	l.mu.Unlock()
	l.close()
}

func (l *link) close() {
	l.once.Do(func() {
		l.nc.Close()
		close(l.stop)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.broke()
	})
}

// attempt returns a context that ends after limit, or when the connection breaks, since an
// answer in flight is then lost.
func (l *link) attempt(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	l.mu.Lock()
	defer l.mu.Unlock()
	release := context.AfterFunc(l.up, cancel)
	return ctx, func() { release(); cancel() }
}

// retry calls try, each time for a limited time, until it succeeds, fails for good, or
// the context ends.
func (l *link) retry(ctx context.Context, limit time.Duration, try func(context.Context) error) error {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		var err error
		l.mu.Lock()
		again := l.again
		l.mu.Unlock()
		if !l.nc.IsClosed() && ctx.Err() == nil {
			attempt, cancel := l.attempt(ctx, limit)
			err = try(attempt)
			cancel()
			if err == nil {
				return nil
			}
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(l.nc.LastError(), nats.ErrAuthorization) && l.nc.IsClosed():
			return nats.ErrAuthorization
		case l.nc.IsClosed():
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.why != nil {
				return l.why
			}
			return cluster.ErrClosed
		case errors.Is(err, cluster.ErrGone), errors.Is(err, cluster.ErrRefused), errors.Is(err, cluster.ErrClosed):
			return err
		case errors.Is(err, nats.ErrTimeout): // it has waited
			continue
		}
		select {
		case <-time.After(pause/2 + rand.N(pause)):
		case <-again:
		case <-l.stop:
		case <-ctx.Done():
		}
	}
}
