package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Timeouts of connections. A request's body has to arrive, and the answer has to be read,
// within them.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 2 * time.Minute // searches take a while
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	// stopTimeout is how long running requests have to end when the server stops.
	stopTimeout = 2 * time.Second
)

// ErrCutOff is returned by [Server.Serve] if requests were still running when it had to
// return. Whatever those requests use must not be closed.
var ErrCutOff = errors.New("requests did not end in time and were cut off")

// Serve checks what is served and answers requests, until ctx ends. Then searches end,
// running requests get their answers, and Serve returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	unused := &connections{list: map[net.Conn]bool{}}
	hs := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return requests },
		ConnState:   unused.note,
		ErrorLog:    slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug), // of clients
	}
	checking, stop := context.WithCancel(ctx)
	checked := make(chan struct{})
	go func() {
		defer close(checked)
		s.Check(checking)
	}()
	failed := make(chan error, 1)
	go func() { failed <- hs.Serve(l) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		patience, done := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer done()
		time.AfterFunc(stopTimeout/4, cancel) // searches end then
		unused.close()
		if hs.Shutdown(patience) != nil && s.running.Load() > 0 {
			err = ErrCutOff
		}
		hs.Close()
	}
	stop()
	<-checked
	return err
}

// connections holds the connections on which no request has arrived. Browsers open some in
// advance, and [http.Server.Shutdown] would wait for requests on them.
type connections struct {
	mu      sync.Mutex
	list    map[net.Conn]bool
	closing bool
}

func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(c.list, conn)
	case c.closing:
		conn.Close()
	default:
		c.list[conn] = true
	}
}

func (c *connections) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	for conn := range c.list {
		conn.Close()
	}
}
