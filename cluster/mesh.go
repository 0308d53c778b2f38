package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"
)

// A packet, little-endian:
//
//	+-----------------+--------------+-------------+------------------+-------------+------------+
//	| session, 64 bit | from, 32 bit | sum, 64 bit | sequence, 64 bit | ack, 64 bit | again, bit |
//	+-----------------+--------------+-------------+------------------+-------------+------------+
//	+----------------+--------+
//	| length, 32 bit | record |   any number of times
//	+----------------+--------+
//
// The sequence numbers of a peer's packets to another one count from 1; a packet without
// records has 0. The ack is the last packet from the other peer that has been handled;
// packets are handled in order. The again bit asks for the packets after it. The sum is the
// XXH64, with the key of the session as seed, of what follows it and of both peers.
const (
	packetHeader = 37
	packetSummed = 20 // where the summed part begins
)

const (
	// gatherBytes is the size from which a packet is sent without waiting for more.
	gatherBytes = 48 << 10
	// windowBytes limits the bytes in flight from one peer to another, and congestedBytes
	// is how many more may wait to be sent before senders should pause.
	windowBytes    = 2 << 20
	congestedBytes = 2 << 20
	// A packet that is not acknowledged is sent again after resendFirst. The delay then
	// doubles, up to resendLast.
	resendFirst, resendLast = 250 * time.Millisecond, 2 * time.Second
	// Handled packets are acknowledged after a tick at the latest.
	meshTick = 50 * time.Millisecond
)

// Mesh carries records between the peers of a session, each exactly once and in order for
// each pair of peers, over a wire that may lose, double and reorder packets. The amount
// that a peer has sent and the other has not yet handled is limited.
type Mesh struct {
	session Session
	wire    Wire
	links   []*meshLink // by peer; nil for this one
	handle  func(from int, record []byte) error
	eased   func()
	fault   func(from int, err error)
	stop    chan struct{}
	group   sync.WaitGroup

	congested      atomic.Int32 // links with too much to send
	packets, bytes atomic.Uint64
}

// meshLink is the state of a mesh's connection to another peer.
type meshLink struct {
	mesh *Mesh
	peer int
	mu   sync.Mutex

	box    []byte   // the packet that is being filled, or nil
	queue  [][]byte // packets that are not acknowledged, the first with the number base
	base   uint64
	flying int       // number of them in flight
	flown  int       // their bytes
	queued int       // bytes of all in the queue
	moved  time.Time // when a packet was last acknowledged, or the first in flight was sent
	pause  time.Duration
	full   bool // counts as congested
	spare  [][]byte

	next     uint64   // packet to arrive
	inbox    [][]byte // arrived and not handled
	arrived  sync.Cond
	handled  uint64 // last packet handled
	reported uint64 // last one acknowledged
	owed     int    // bytes handled since then
	waiting  int    // bytes in the inbox
	nagged   time.Time
	resent   time.Time // the last time that the peer asked for it
	failed   bool
	closed   bool
}

// Session says which session a [Mesh] joins, as which peer.
type Session struct {
	ID    uint64
	Key   uint64 // a secret of the peers
	Self  int    // from 0 on
	Peers int
}

// NewMesh joins a session. handle is called with each record that arrives, by one goroutine
// for each other peer; while it blocks, that peer has to wait. It must not keep the
// record. eased is called when Congested may have become false. fault is called with an error
// of handle, and when a packet in the name of a peer is damaged or one that no peer
// sends; nothing more from that peer is handled.
func NewMesh(n Network, s Session, handle func(from int, record []byte) error, eased func(), fault func(from int, err error)) (*Mesh, error) {
	m := &Mesh{session: s, links: make([]*meshLink, s.Peers), handle: handle, eased: eased, fault: fault, stop: make(chan struct{})}
	for peer := range s.Peers {
		if peer != s.Self {
			l := &meshLink{mesh: m, peer: peer, base: 1, next: 1}
			l.arrived.L = &l.mu
			m.links[peer] = l
		}
	}
	ready := make(chan struct{})
	wire, err := n.Open(s.ID, s.Self, func(packet []byte) {
		<-ready
		m.deliver(packet)
	})
	if err != nil {
		return nil, err
	}
	m.wire = wire
	close(ready)
	for _, l := range m.links {
		if l != nil {
			m.group.Go(l.run)
		}
	}
	m.group.Go(m.tick)
	return m, nil
}

// Send puts a record into a packet to a peer. The packet is sent when it is full, or by
// Flush. record appends the record to the packet.
func (m *Mesh) Send(peer int, record func(packet []byte) []byte) {
	l := m.links[peer]
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.box == nil {
		if n := len(l.spare); n > 0 {
			l.box, l.spare = l.spare[n-1][:packetHeader], l.spare[:n-1]
		} else {
			l.box = make([]byte, packetHeader, gatherBytes+gatherBytes/4)
		}
	}
	at := len(l.box)
	l.box = record(append(l.box, 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(l.box[at:], uint32(len(l.box)-at-4))
	if len(l.box) >= gatherBytes {
		l.seal()
	}
}

// Flush sends all records.
func (m *Mesh) Flush() {
	for _, l := range m.links {
		if l != nil {
			l.mu.Lock()
			l.seal()
			l.mu.Unlock()
		}
	}
}

// Congested reports whether so much waits to be sent to some peer that senders should
// pause.
func (m *Mesh) Congested() bool { return m.congested.Load() > 0 }

// Sent returns how many packets have been sent so far, including those sent again, and their
// bytes.
func (m *Mesh) Sent() (packets, bytes uint64) { return m.packets.Load(), m.bytes.Load() }

// Close leaves the session. Records that were not sent and acknowledged are lost. Close waits
// until handle has returned, and no record is handled after that.
func (m *Mesh) Close() error {
	close(m.stop)
	for _, l := range m.links {
		if l != nil {
			l.mu.Lock()
			l.closed = true
			l.arrived.Signal()
			l.mu.Unlock()
		}
	}
	err := m.wire.Close()
	m.group.Wait()
	return err
}

// seal ends the packet that is being filled.
func (l *meshLink) seal() {
	if l.box == nil {
		return
	}
	l.queue = append(l.queue, l.box)
	l.queued += len(l.box)
	l.box = nil
	l.pump()
}

// pump sends packets as far as the window allows.
func (l *meshLink) pump() {
	if l.flying == 0 {
		l.moved = time.Now()
	}
	for l.flying < len(l.queue) && l.flown < windowBytes {
		packet := l.queue[l.flying]
		l.send(packet, l.base+uint64(l.flying), false)
		l.flying++
		l.flown += len(packet)
	}
	if full := l.queued-l.flown > congestedBytes; full != l.full {
		l.full = full
		if full {
			l.mesh.congested.Add(1)
		} else {
			l.mesh.congested.Add(-1)
		}
	}
}

// send sends a packet after filling in its header.
func (l *meshLink) send(packet []byte, sequence uint64, again bool) {
	m := l.mesh
	binary.LittleEndian.PutUint64(packet, m.session.ID)
	binary.LittleEndian.PutUint32(packet[8:], uint32(m.session.Self))
	binary.LittleEndian.PutUint64(packet[20:], sequence)
	binary.LittleEndian.PutUint64(packet[28:], l.handled)
	packet[36] = 0
	if again {
		packet[36] = 1
	}
	binary.LittleEndian.PutUint64(packet[12:], m.sum(packet, m.session.Self, l.peer))
	l.reported, l.owed = l.handled, 0
	m.packets.Add(1)
	m.bytes.Add(uint64(len(packet)))
	m.wire.Send(l.peer, packet) // if it fails the packet is lost
}

// acknowledge sends a packet without records.
func (l *meshLink) acknowledge(again bool) {
	var packet [packetHeader]byte
	l.send(packet[:], 0, again)
}

// resend sends all packets again that were in flight.
func (l *meshLink) resend() {
	l.flying, l.flown = 0, 0
	l.pump()
}

// sum returns the checksum of a packet between two peers.
func (m *Mesh) sum(packet []byte, from, to int) uint64 {
	var d xxhash.Digest
	d.ResetWithSeed(m.session.Key ^ uint64(from)<<32 ^ uint64(to))
	d.Write(packet[packetSummed:])
	return d.Sum64()
}

// deliver accepts a packet from the wire. One of another session or of a stranger is ignored.
func (m *Mesh) deliver(packet []byte) {
	if len(packet) < 12 || binary.LittleEndian.Uint64(packet) != m.session.ID {
		return
	}
	from := binary.LittleEndian.Uint32(packet[8:])
	if from >= uint32(len(m.links)) || m.links[from] == nil {
		return
	}
	l := m.links[from]
	eased, err := l.accept(packet)
	if err != nil {
		l.fail(err)
	}
	if eased {
		m.eased()
	}
}

// fail reports the first fault of the peer.
func (l *meshLink) fail(err error) {
	l.mu.Lock()
	first := !l.failed && !l.closed
	l.failed = true
	l.mu.Unlock()
	if first {
		l.mesh.fault(l.peer, err)
	}
}

// accept accepts a packet from the peer. It returns true if the link is no longer
// congested.
func (l *meshLink) accept(packet []byte) (eased bool, err error) {
	if len(packet) < packetHeader || binary.LittleEndian.Uint64(packet[12:]) != l.mesh.sum(packet, l.peer, l.mesh.session.Self) {
		return false, fmt.Errorf("a packet of %d bytes is damaged or forged", len(packet))
	}
	sequence, ack, again := binary.LittleEndian.Uint64(packet[20:]), binary.LittleEndian.Uint64(packet[28:]), packet[36] != 0
	l.mu.Lock()
	defer l.mu.Unlock()
	if last := l.base + uint64(len(l.queue)) - 1; ack > last {
		return false, fmt.Errorf("packet %d is acknowledged, and %d have been sent", ack, last)
	}
	if sequence == l.next && l.waiting > 2*windowBytes {
		return false, fmt.Errorf("more than %d bytes arrive without acknowledgement", windowBytes)
	}
	full := l.full
	for l.base <= ack && l.flying > 0 {
		first := l.queue[0]
		l.queue[0] = nil
		l.queue = l.queue[1:]
		l.base++
		l.flying--
		l.flown -= len(first)
		l.queued -= len(first)
		l.moved, l.pause = time.Now(), 0
		if len(l.spare) < windowBytes/gatherBytes && cap(first) < 2*gatherBytes {
			l.spare = append(l.spare, first)
		}
	}
	if again && l.flying > 0 && time.Since(l.resent) > resendFirst/8 { // replayed requests must not block the link
		l.resent = time.Now()
		l.resend()
	} else {
		l.pump()
	}
	switch {
	case sequence == 0:
	case sequence == l.next:
		l.next++
		l.inbox = append(l.inbox, packet)
		l.waiting += len(packet)
		l.arrived.Signal()
	case sequence < l.next:
		l.reported = 0 // so that the peer learns what has been handled
	default:
		if now := time.Now(); now.Sub(l.nagged) > resendFirst/4 {
			l.nagged = now
			l.acknowledge(true)
		}
	}
	return full && !l.full, nil
}

// run handles the packets of the peer.
func (l *meshLink) run() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for (len(l.inbox) == 0 || l.failed) && !l.closed {
			l.arrived.Wait()
		}
		if l.closed {
			return
		}
		packet := l.inbox[0]
		l.inbox[0] = nil
		l.inbox = l.inbox[1:]
		l.mu.Unlock()
		if err := l.handle(packet[packetHeader:]); err != nil {
			l.fail(err)
		}
		l.mu.Lock()
		l.handled++
		l.waiting -= len(packet)
		if l.owed += len(packet); l.owed >= windowBytes/4 {
			l.acknowledge(false)
		}
	}
}

// handle handles the records of a packet.
func (l *meshLink) handle(records []byte) error {
	for len(records) > 0 {
		if len(records) < 4 || int(binary.LittleEndian.Uint32(records)) > len(records)-4 {
			return errors.New("a packet ends within a record")
		}
		n := binary.LittleEndian.Uint32(records)
		if err := l.mesh.handle(l.peer, records[4:4+n]); err != nil {
			return err
		}
		records = records[4+n:]
	}
	return nil
}

// tick acknowledges handled packets that no outgoing packet has acknowledged yet, and
// resends packets that were not acknowledged in time.
func (m *Mesh) tick() {
	for tick := time.Tick(meshTick); ; {
		select {
		case <-m.stop:
			return
		case <-tick:
		}
		for _, l := range m.links {
			if l == nil {
				continue
			}
			l.mu.Lock()
			if l.handled > l.reported {
				l.acknowledge(false)
			}
			if wait := max(l.pause, resendFirst); l.flying > 0 && time.Since(l.moved) > wait {
				l.pause = min(2*wait, resendLast)
				l.resend()
				l.moved = time.Now()
			}
			l.mu.Unlock()
		}
	}
}
