package clustertest

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
)

// Faults are the numbers of packets per thousand that have each fault.
type Faults struct {
	Lost, Doubled, Late, Delayed int
	// While Cut returns true for a peer, all packets to and from it are lost.
	Cut func(peer int) bool
}

// NewFaulty returns a network whose packets have faults, chosen by a seed: they get lost, are
// doubled, come after the next one (late), or some milliseconds later (delayed).
func NewFaulty(n cluster.Network, f Faults, seed uint64) cluster.Network {
	return &faulty{Network: n, faults: f, rng: rand.New(rand.NewPCG(seed, 0))}
}

// Process is the network of a process that can be killed: from then on it sends and
// receives nothing.
type Process struct {
	cluster.Network
	dead, serves atomic.Bool
}

// Kill ends the process.
func (p *Process) Kill() {
	p.dead.Store(true)
	if p.serves.Load() {
		p.Network.Serve(nil)
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

// Open implements [cluster.Network].
func (p *Process) Open(session uint64, peer int, deliver func([]byte)) (cluster.Wire, error) {
	w, err := p.Network.Open(session, peer, func(packet []byte) {
		if !p.dead.Load() {
			deliver(packet)
		}
	})
	return &processWire{w, p}, err
}

type processWire struct {
	cluster.Wire
	process *Process
}

func (w *processWire) Send(peer int, packet []byte) error {
	if w.process.dead.Load() {
		return nil
	}
	return w.Wire.Send(peer, packet)
}

type faulty struct {
	cluster.Network
	faults Faults
	mu     sync.Mutex
	rng    *rand.Rand
}

func (n *faulty) Open(session uint64, peer int, deliver func([]byte)) (cluster.Wire, error) {
	w, err := n.Network.Open(session, peer, deliver)
	return &faultyWire{Wire: w, network: n, self: peer, late: map[int][]byte{}}, err
}

type faultyWire struct {
	cluster.Wire
	network *faulty
	self    int
	late    map[int][]byte // by peer
}

func (w *faultyWire) Send(peer int, packet []byte) error {
	n := w.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if cut := n.faults.Cut; cut != nil && (cut(w.self) || cut(peer)) {
		return nil
	}
	late := w.late[peer]
	delete(w.late, peer)
	fate := n.rng.IntN(1000)
	chosen := func(share int) bool {
		fate -= share
		return fate < 0
	}
	switch {
	case chosen(n.faults.Lost):
	case chosen(n.faults.Doubled):
		w.Wire.Send(peer, packet)
		w.Wire.Send(peer, packet)
	case chosen(n.faults.Late):
		w.late[peer] = slices.Clone(packet)
	case chosen(n.faults.Delayed):
		delayed := slices.Clone(packet)
		time.AfterFunc(time.Duration(1+n.rng.IntN(20))*time.Millisecond, func() { w.Wire.Send(peer, delayed) })
	default:
		w.Wire.Send(peer, packet)
	}
	if late != nil {
		w.Wire.Send(peer, late)
	}
	return nil
}
