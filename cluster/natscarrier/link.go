package natscarrier

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/yomikiri/yomikiri/cluster"
)

const (
	request = 5 * time.Second  // how long a reply may take
	upload  = 20 * time.Second // and the reply to a chunk of a result
	poll    = 20 * time.Second // how long to wait for a job before asking again
)

// link is a connection to a NATS server that is restored when it breaks.
type link struct {
	nc       *nats.Conn
	patience time.Duration // 0 for no limit
	stop     chan struct{} // closed by close
	once     sync.Once

	mu    sync.Mutex
	heard time.Time       // when an attempt last succeeded
	why   error           // the link was ended
	up    context.Context // ends when the connection breaks, and is replaced then
	broke context.CancelFunc
	again chan struct{} // closed when the connection is back, and replaced then
}

// dial connects to a server. report is called when the connection breaks and when it is
// back. If patience is not 0 and nobody has answered for that long, all calls fail
// with [ErrAbsent].
func dial(url string, patience time.Duration, report func(string), options ...nats.Option) (*link, error) {
	l := &link{patience: patience, stop: make(chan struct{}), again: make(chan struct{})}
	l.up, l.broke = context.WithCancel(context.Background())
	nc, err := nats.Connect(url, append(options,
		nats.Timeout(request),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250*time.Millisecond),
		nats.ReconnectJitter(250*time.Millisecond, 250*time.Millisecond),
		nats.ReconnectBufSize(-1), // what cannot be sent now fails now; link.retry tries again
		nats.PingInterval(10*time.Second),
		nats.MaxPingsOutstanding(2),
		nats.IgnoreDiscoveredServers(),                                    // behind a proxy or NAT they may be out of reach
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // calls return errors
		nats.DisconnectErrHandler(func(nc *nats.Conn, _ error) {
			if !nc.IsClosed() {
				report("connection lost; trying again")
			}
			l.interrupt()
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			report("connected again")
			l.mu.Lock()
			defer l.mu.Unlock()
			close(l.again)
			l.again = make(chan struct{})
		}),
	)...)
	if err != nil {
		return nil, err
	}
	l.nc = nc
	return l, nil
}

// chunk returns the size of the chunks of jobs and results.
func (l *link) chunk() int { return min(chunkSize, int(l.nc.MaxPayload()/2)) }

// errLater asks a worker to try again, and errWaited says that it has waited enough meanwhile.
var errLater, errWaited = errors.New("not now"), errors.New("no job yet")

// tried notes that an attempt has succeeded, or that it has failed and begin is when the first
// one began. It ends the link if nobody has answered for too long.
func (l *link) tried(err error, begin time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.heard.Before(begin) {
		l.heard = begin
	}
	if now := time.Now(); err == nil || errors.Is(err, errLater) || errors.Is(err, errWaited) {
		l.heard = now
	} else if l.patience > 0 && l.why == nil && now.Sub(l.heard) > l.patience {
		l.why = fmt.Errorf("%w for %v: it may have finished", ErrAbsent, l.patience)
		go l.close()
	}
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

// interrupt ends the attempts that wait for a reply, since it is lost.
func (l *link) interrupt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broke()
	l.up, l.broke = context.WithCancel(context.Background())
}

// reconnected returns a channel that is closed when the connection is back after it has broken.
func (l *link) reconnected() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.again
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
	begin := time.Now()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		var err error
		again := l.reconnected()
		if !l.nc.IsClosed() && ctx.Err() == nil {
			attempt, cancel := l.attempt(ctx, limit)
			err = try(attempt)
			cancel()
			l.tried(err, begin)
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
		case errors.Is(err, nats.ErrTimeout), errors.Is(err, errWaited):
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
