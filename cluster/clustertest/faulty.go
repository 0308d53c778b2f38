package clustertest

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/cluster"
)

// NewFaulty returns a network some of whose connections break, chosen by a seed: of a thousand writes
// as many as breaks says.
func NewFaulty(n cluster.Network, breaks int, seed uint64) cluster.Network {
	return &faulty{Network: n, breaks: breaks, rng: rand.New(rand.NewPCG(seed, 0))}
}

type faulty struct {
	cluster.Network
	breaks int
	mu     sync.Mutex
	rng    *rand.Rand
}

// Listen implements [cluster.Network].
func (n *faulty) Listen() (net.Listener, error) { return listen(n.Network, n.wrap) }

// Dial implements [cluster.Network].
func (n *faulty) Dial(ctx context.Context, address string) (net.Conn, error) {
	return dial(ctx, n.Network, address, n.wrap)
}

func (n *faulty) wrap(c net.Conn) net.Conn { return &faultyConn{c, n} }

type faultyConn struct {
	net.Conn
	network *faulty
}

func (c *faultyConn) Write(data []byte) (int, error) {
	c.network.mu.Lock()
	breaks := c.network.rng.IntN(1000) < c.network.breaks
	c.network.mu.Unlock()
	if breaks {
		c.Close()
	}
	return c.Conn.Write(data)
}

// Process is the network of a process that can be killed: then its connections break, and it hears
// nothing any more.
type Process struct {
	cluster.Network
	dead, serves atomic.Bool
	mu           sync.Mutex
	open         []interface{ Close() error }
}

// Kill ends the process.
func (p *Process) Kill() {
	p.dead.Store(true)
	if p.serves.Load() {
		p.Network.Serve(nil)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		c.Close()
	}
}

// Ask implements [cluster.Network].
func (p *Process) Ask(ctx context.Context, question []byte) ([]byte, error) {
	if p.dead.Load() {
		return nil, cluster.ErrAbsent
	}
	return p.Network.Ask(ctx, question)
}

// Serve implements [cluster.Network].
func (p *Process) Serve(reply func([]byte) []byte) error {
	p.serves.Store(true)
	return p.Network.Serve(reply)
}

// Listen implements [cluster.Network].
func (p *Process) Listen() (net.Listener, error) {
	l, err := listen(p.Network, p.wrap)
	if err == nil {
		p.keep(l)
	}
	return l, err
}

// Dial implements [cluster.Network].
func (p *Process) Dial(ctx context.Context, address string) (net.Conn, error) {
	return dial(ctx, p.Network, address, p.wrap)
}

func (p *Process) wrap(c net.Conn) net.Conn {
	p.keep(c)
	return c
}

// keep has Kill close what is open.
func (p *Process) keep(c interface{ Close() error }) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, c)
	if p.dead.Load() {
		c.Close()
	}
}

// listener wraps the connections that it accepts.
type listener struct {
	net.Listener
	wrap func(net.Conn) net.Conn
}

func listen(n cluster.Network, wrap func(net.Conn) net.Conn) (net.Listener, error) {
	l, err := n.Listen()
	return &listener{l, wrap}, err
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		c = l.wrap(c)
	}
	return c, err
}

func dial(ctx context.Context, n cluster.Network, address string, wrap func(net.Conn) net.Conn) (net.Conn, error) {
	c, err := n.Dial(ctx, address)
	if err == nil {
		c = wrap(c)
	}
	return c, err
}
