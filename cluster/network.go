package cluster

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Network connects a coordinator, which replies to questions, and nodes. The peers of a
// session also send each other packets. A packet may get lost, be duplicated, or come late
// and out of order; a [Mesh] repairs that.
type Network interface {
	// Ask asks the coordinator and waits for the reply. It fails with [ErrAbsent] if there
	// is no coordinator now.
	Ask(ctx context.Context, question []byte) ([]byte, error)
	// Serve makes this the coordinator's side: it replies to every question by calling
	// reply, from one goroutine at a time.
	Serve(reply func(question []byte) []byte) error
	// Open joins a session as a peer: deliver is called with each packet for the peer,
	// from one goroutine at a time. deliver may keep the packet.
	Open(session uint64, peer int, deliver func(packet []byte)) (Wire, error)
	Close() error
}

// Wire is a peer's access to a session.
type Wire interface {
	// Send sends a packet, without waiting for anything. It does not keep the packet.
	Send(peer int, packet []byte) error
	// Close ends the delivery of packets.
	Close() error
}

// ErrAbsent says that there is no coordinator at the moment. One may come later.
var ErrAbsent = errors.New("no coordinator")

// MemoryNetwork is a [Network] within one process, for any number of peers. The zero
// value is ready for use.
type MemoryNetwork struct {
	mu     sync.Mutex
	asking sync.Mutex
	reply  func([]byte) []byte
	peers  map[address]*memoryWire
}

// address is a peer of a session.
type address struct {
	session uint64
	peer    int
}

// Ask implements [Network].
func (n *MemoryNetwork) Ask(ctx context.Context, question []byte) ([]byte, error) {
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
func (n *MemoryNetwork) Serve(reply func([]byte) []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reply = reply
	return nil
}

// Open implements [Network].
func (n *MemoryNetwork) Open(session uint64, peer int, deliver func([]byte)) (Wire, error) {
	w := &memoryWire{network: n, address: address{session, peer}}
	w.arrived.L = &w.mu
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.peers == nil {
		n.peers = map[address]*memoryWire{}
	}
	n.peers[w.address] = w
	go w.run(deliver)
	return w, nil
}

// Close implements [Network].
func (n *MemoryNetwork) Close() error { return n.Serve(nil) }

// memoryWire implements [Wire].
type memoryWire struct {
	network *MemoryNetwork
	address address

	mu      sync.Mutex
	arrived sync.Cond
	packets [][]byte
	closed  bool
}

func (w *memoryWire) run(deliver func([]byte)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.packets) == 0 && !w.closed {
			w.arrived.Wait()
		}
		if w.closed {
			return
		}
		list := w.packets
		w.packets = nil
		w.mu.Unlock()
		for _, packet := range list {
			deliver(packet)
		}
		w.mu.Lock()
	}
}

func (w *memoryWire) Send(peer int, packet []byte) error {
	w.network.mu.Lock()
	to := w.network.peers[address{w.address.session, peer}]
	w.network.mu.Unlock()
	if to == nil {
		return nil // lost, as in any network
	}
	to.mu.Lock()
	defer to.mu.Unlock()
	to.packets = append(to.packets, slices.Clone(packet))
	to.arrived.Signal()
	return nil
}

func (w *memoryWire) Close() error {
	w.network.mu.Lock()
	if w.network.peers[w.address] == w {
		delete(w.network.peers, w.address)
	}
	w.network.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.arrived.Signal()
	return nil
}
