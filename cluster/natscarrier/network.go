package natscarrier

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/yomikiri/yomikiri/cluster"
)

// Network is a [cluster.Network] whose processes meet over core NATS: questions go to one subject.
type Network struct {
	worker Worker // how to connect, unless the server is in this process
	server *server.Server

	mu     sync.Mutex
	conn   *conn
	closed bool
}

const askSubject = "yomikiri.nodes" // node to coordinator, which replies

// Listen starts a server for a network whose coordinator is in this process, or connects to one.
// Of the configuration it uses Listen, Cert, Key, Server, CA, Account and Report.
func Listen(ctx context.Context, c Config) (*Network, error) {
	s, l, err := c.connect(ctx, "yomikiri coordinator")
	if err != nil {
		return nil, err
	}
	return &Network{worker: Worker{URL: c.Server}, server: s, conn: l}, nil
}

// Connect returns a network whose coordinator is, or will be, at the worker's URL. Of the
// worker it does not use Terms and Patience.
func Connect(w Worker) *Network { return &Network{worker: w} }

// URL returns the address at which nodes connect.
func (n *Network) URL() string { return address(n.server, n.worker.URL) }

// connected returns the connection, and makes it first if there is none.
func (n *Network) connected(ctx context.Context) (*conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.closed:
		return nil, cluster.ErrClosed
	case n.conn != nil && n.conn.ctx.Err() != nil:
		return nil, context.Cause(n.conn.ctx)
	case n.conn != nil:
		return n.conn, nil
	}
	l, err := n.worker.dial(ctx)
	if errors.Is(err, ErrAbsent) {
		return nil, n.absent()
	}
	if err == nil {
		n.conn = l
	}
	return l, err
}

func (n *Network) absent() error { return fmt.Errorf("%w at %s", cluster.ErrAbsent, n.URL()) }

// Ask implements [cluster.Network].
func (n *Network) Ask(ctx context.Context, question []byte) ([]byte, error) {
	l, err := n.connected(ctx)
	if err != nil {
		return nil, err
	}
	attempt, cancel := l.attempt(ctx, request)
	defer cancel()
	m, err := l.nc.RequestWithContext(attempt, askSubject, question)
	switch {
	case err == nil:
		return m.Data, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, n.absent()
}

// Serve implements [cluster.Network].
func (n *Network) Serve(reply func([]byte) []byte) error {
	l, err := n.connected(context.Background())
	if err != nil {
		return err
	}
	if n.server == nil {
		ctx, cancel := context.WithTimeout(context.Background(), request)
		defer cancel()
		if _, err := n.Ask(ctx, nil); !errors.Is(err, cluster.ErrAbsent) {
			return fmt.Errorf("another coordinator is at work on the server at %s", n.URL())
		}
	}
	_, err = l.nc.Subscribe(askSubject, func(m *nats.Msg) {
		m.Respond(reply(m.Data)) // a node that gets no reply asks again
	})
	if err != nil {
		return err
	}
	return l.nc.FlushTimeout(request) // questions from now on get a reply
}

// Listen implements [cluster.Network]: without an address of its own it listens where the connection to the
// server begins, since that interface leads to the others.
func (n *Network) Listen() (net.Listener, error) {
	at := n.worker.Streams
	if at == "" {
		l, err := n.connected(context.Background())
		if err != nil {
			return nil, err
		}
		ip, err := l.nc.GetClientIP()
		if err != nil {
			return nil, err
		}
		at = net.JoinHostPort(ip.String(), "0")
	}
	return net.Listen("tcp", at)
}

// Dial implements [cluster.Network].
func (n *Network) Dial(ctx context.Context, address string) (net.Conn, error) {
	return cluster.Dial(ctx, address)
}

// Close implements [cluster.Network].
func (n *Network) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil
	}
	n.closed = true
	if n.conn != nil {
		n.conn.close(cluster.ErrClosed)
	}
	if n.server != nil {
		n.server.Shutdown()
		n.server.WaitForShutdown()
	}
	return nil
}
