package cluster

import (
	"context"
	"errors"
	"net"
	"sync"
)

// Network is how the processes of a solve meet: a coordinator, which replies to questions, and
// nodes. The streams of a [Mesh] go from one process to another without it.
type Network interface {
	// Ask asks the coordinator and waits for the reply. It fails with [ErrAbsent] if there
	// is no coordinator now.
	Ask(ctx context.Context, question []byte) ([]byte, error)
	// Serve makes this the coordinator's side: it replies to every question by calling
	// reply, from one goroutine at a time.
	Serve(reply func(question []byte) []byte) error
	// Listen listens for streams, at an address that the other processes can reach.
	Listen() (net.Listener, error)
	// Dial opens a connection to where another process listens.
	Dial(ctx context.Context, address string) (net.Conn, error)
	Close() error
}

// ErrAbsent says that there is no coordinator at the moment. One may come later.
var ErrAbsent = errors.New("no coordinator")

// Loopback is a [Network] within one process. Its streams go over the loopback interface. The zero
// value is ready for use.
type Loopback struct {
	mu     sync.Mutex
	asking sync.Mutex
	reply  func([]byte) []byte
}

// Ask implements [Network].
func (n *Loopback) Ask(ctx context.Context, question []byte) ([]byte, error) {
	n.mu.Lock()
	reply := n.reply
	n.mu.Unlock()
	if reply == nil {
		return nil, ErrAbsent
	}
	n.asking.Lock()
	defer n.asking.Unlock()
	return reply(question), ctx.Err()
}

// Serve implements [Network].
func (n *Loopback) Serve(reply func([]byte) []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reply = reply
	return nil
}

// Listen implements [Network].
func (n *Loopback) Listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

// Dial implements [Network].
func (n *Loopback) Dial(ctx context.Context, address string) (net.Conn, error) {
	return Dial(ctx, address)
}

// Close implements [Network].
func (n *Loopback) Close() error { return n.Serve(nil) }

// Dial opens a TCP connection.
func Dial(ctx context.Context, address string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", address)
}
