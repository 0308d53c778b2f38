package server

import (
	"container/list"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Timeouts of connections. The answer has to be read within them.
const (
	headerTimeout = 10 * time.Second
	writeTimeout  = 2 * time.Minute // beside that of the request
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
	conns := newConnections(s.Limits.Connections)
	conns.warn = func() {
		s.Log.Warn("too many connections: those that wait longest for a request are closed", "limit", s.Limits.Connections)
	}
	conns.closed = s.metrics.closed.Inc
	hs := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTimeout, ReadTimeout: s.Limits.Time, WriteTimeout: s.Limits.Time + writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return requests },
		ConnState:   conns.note,
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
		conns.close()
		if hs.Shutdown(patience) != nil && s.running.Load() > 0 {
			err = ErrCutOff
		}
		hs.Close()
	}
	stop()
	<-checked
	return err
}

// connections holds the connections that wait for a request. There may be too many of them, and
// [http.Server.Shutdown] would wait for the first request of those that browsers open in advance.
type connections struct {
	most   int
	warn   func() // called when connections are closed for the first time
	closed func() // called for each

	mu      sync.Mutex
	waiting *list.List                 // of waiting, the longest first
	all     map[net.Conn]*list.Element // nil for those with a request
	closing bool
}

type waiting struct {
	conn net.Conn
	new  bool // no request has arrived on it
}

func newConnections(most int) *connections {
	return &connections{most: most, waiting: list.New(), all: map[net.Conn]*list.Element{}}
}

// note takes down a state of a connection, as [http.Server.ConnState] tells it.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, known := c.all[conn]
	if !known && state != http.StateNew {
		return // it was closed below
	}
	if element != nil {
		c.waiting.Remove(element)
	}
	c.all[conn] = nil
	switch state {
	case http.StateNew:
		c.all[conn] = c.waiting.PushBack(waiting{conn, true})
		if c.closing {
			conn.Close()
		}
		c.limit()
	case http.StateIdle:
		c.all[conn] = c.waiting.PushBack(waiting{conn, false})
	case http.StateClosed, http.StateHijacked:
		delete(c.all, conn)
	}
}

// limit closes the connection that has waited longest, perhaps that which has just come, if there
// are too many.
func (c *connections) limit() {
	if len(c.all) <= c.most {
		return
	}
	oldest := c.waiting.Front()
	conn := oldest.Value.(waiting).conn
	c.waiting.Remove(oldest)
	delete(c.all, conn)
	conn.Close()
	if c.warn != nil {
		c.warn()
		c.warn = nil
	}
	if c.closed != nil {
		c.closed()
	}
}

// close closes the connections on which no request has arrived, and those that come.
func (c *connections) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		if w := e.Value.(waiting); w.new {
			w.conn.Close()
		}
	}
}
