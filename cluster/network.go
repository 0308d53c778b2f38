package cluster

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Network connects a coordinator, which answers questions, and nodes. The members of a
// session also send each other packets. A packet may get lost, be duplicated, or come late
// and out of order; a [Mesh] repairs that.
type Network interface {
	// Ask asks the coordinator and waits for the answer. It fails with [ErrAbsent] if there
	// is no coordinator now.
	Ask(ctx context.Context, question []byte) ([]byte, error)
	// Answer makes this the coordinator's side: it answers every question by calling
	// answer, from one goroutine at a time.
	Answer(answer func(question []byte) []byte) error
	// Open joins a session as a member: deliver is called with each packet for the member,
	// from one goroutine at a time. deliver may keep the packet.
	Open(session uint64, member int, deliver func(packet []byte)) (Wire, error)
	Close() error
}

// Wire is a member's access to a session.
type Wire interface {
	// Send sends a packet, without waiting for anything. It does not keep the packet.
	Send(member int, packet []byte) error
	// Close ends the delivery of packets.
	Close() error
}

// ErrAbsent says that there is no coordinator at the moment. One may come later.
var ErrAbsent = errors.New("no coordinator")

// MemoryNetwork is a [Network] within one process, for any number of members. The zero
// value is ready for use.
type MemoryNetwork struct {
	mu      sync.Mutex
	asking  sync.Mutex
	answer  func([]byte) []byte
	members map[address]*memoryWire
}

// address is a member of a session.
type address struct {
	session uint64
	member  int
}

// Ask implements [Network].
func (n *MemoryNetwork) Ask(ctx context.Context, question []byte) ([]byte, error) {
	n.mu.Lock()
	answer := n.answer
	n.mu.Unlock()
	if answer == nil {
		return nil, ErrAbsent
	}
	n.asking.Lock()
	defer n.asking.Unlock()
	return answer(question), ctx.Err()
}

// Answer implements [Network].
func (n *MemoryNetwork) Answer(answer func([]byte) []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answer = answer
	return nil
}

// Open implements [Network].
func (n *MemoryNetwork) Open(session uint64, member int, deliver func([]byte)) (Wire, error) {
	w := &memoryWire{network: n, address: address{session, member}}
	w.arrived.L = &w.mu
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.members == nil {
		n.members = map[address]*memoryWire{}
	}
	n.members[w.address] = w
	go w.run(deliver)
	return w, nil
}

// Close implements [Network].
func (n *MemoryNetwork) Close() error { return n.Answer(nil) }

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

func (w *memoryWire) Send(member int, packet []byte) error {
	w.network.mu.Lock()
	to := w.network.members[address{w.address.session, member}]
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
	if w.network.members[w.address] == w {
		delete(w.network.members, w.address)
	}
	w.network.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.arrived.Signal()
	return nil
}
