package cluster

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"
)

// A packet, little-endian:
//
//	+-----------------+--------------+------------------+-------------+------------+
//	| session, 64 bit | from, 32 bit | sequence, 64 bit | ack, 64 bit | again, bit |
//	+-----------------+--------------+------------------+-------------+------------+
//	+----------------+--------+
//	| length, 32 bit | record |   any number of times
//	+----------------+--------+
//
// The sequence numbers of a member's packets to another one count from 1; a packet without
// records has 0. The ack is the last packet from the other member that has been handled;
// packets are handled in order. The again bit asks for the packets after it.
const packetHeader = 29

const (
	// gatherBytes is the size from which a packet is sent without waiting for more.
	gatherBytes = 48 << 10
	// windowBytes limits the bytes in flight from one member to another, and congestedBytes
	// is how many more may wait to be sent before senders should pause.
	windowBytes    = 2 << 20
	congestedBytes = 2 << 20
	// A packet that is not acknowledged is sent again after resendFirst. The delay then
	// doubles, up to resendLast.
	resendFirst, resendLast = 250 * time.Millisecond, 2 * time.Second
	// Handled packets are acknowledged after a tick at the latest.
	meshTick = 50 * time.Millisecond
)

// Mesh carries records between the members of a session, each exactly once and in order for
// each pair of members, over a wire that may lose, double and reorder packets. The amount
// that a member has sent and the other has not yet handled is limited.
type Mesh struct {
	session uint64
	self    int
	wire    Wire
	links   []*meshLink // by member; nil for this one
	handle  func(from int, record []byte)
	eased   func()
	stop    chan struct{}
	group   sync.WaitGroup

	congested      atomic.Int32 // links with too much to send
	packets, bytes atomic.Uint64
}

// meshLink is the state of a mesh's connection to another member.
type meshLink struct {
	mesh   *Mesh
	member int
	mu     sync.Mutex

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
	nagged   time.Time
	closed   bool
}

// NewMesh joins a session as member self of members. handle is called with each record that
// arrives, by one goroutine for each other member; while it blocks, that member has to
// wait. It must not keep the record. eased is called when Congested may have become false.
func NewMesh(n Network, session uint64, self, members int, handle func(from int, record []byte), eased func()) (*Mesh, error) {
	m := &Mesh{session: session, self: self, links: make([]*meshLink, members), handle: handle, eased: eased, stop: make(chan struct{})}
	for member := range members {
		if member != self {
			l := &meshLink{mesh: m, member: member, base: 1, next: 1}
			l.arrived.L = &l.mu
			m.links[member] = l
		}
	}
	ready := make(chan struct{})
	wire, err := n.Open(session, self, func(packet []byte) {
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

// Send puts a record into a packet to a member. The packet is sent when it is full, or by
// Flush. record appends the record to the packet.
func (m *Mesh) Send(member int, record func(packet []byte) []byte) {
	l := m.links[member]
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

// Congested reports whether so much waits to be sent to some member that senders should
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
	binary.LittleEndian.PutUint64(packet, m.session)
	binary.LittleEndian.PutUint32(packet[8:], uint32(m.self))
	binary.LittleEndian.PutUint64(packet[12:], sequence)
	binary.LittleEndian.PutUint64(packet[20:], l.handled)
	packet[28] = 0
	if again {
		packet[28] = 1
	}
	l.reported, l.owed = l.handled, 0
	m.packets.Add(1)
	m.bytes.Add(uint64(len(packet)))
	m.wire.Send(l.member, packet) // if it fails the packet is lost
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

// deliver accepts a packet from the wire.
func (m *Mesh) deliver(packet []byte) {
	if len(packet) < packetHeader || binary.LittleEndian.Uint64(packet) != m.session {
		return
	}
	from := binary.LittleEndian.Uint32(packet[8:])
	if from >= uint32(len(m.links)) || m.links[from] == nil {
		return
	}
	if m.links[from].accept(packet) {
		m.eased()
	}
}

// accept accepts a packet from the member. It returns true if the link is no longer
// congested.
func (l *meshLink) accept(packet []byte) (eased bool) {
	sequence, ack, again := binary.LittleEndian.Uint64(packet[12:]), binary.LittleEndian.Uint64(packet[20:]), packet[28] != 0
	l.mu.Lock()
	defer l.mu.Unlock()
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
	if again && l.flying > 0 {
		l.resend()
	} else {
		l.pump()
	}
	switch {
	case sequence == 0:
	case sequence == l.next:
		l.next++
		l.inbox = append(l.inbox, packet)
		l.arrived.Signal()
	case sequence < l.next:
		l.reported = 0 // so that the member learns what has been handled
	default:
		if now := time.Now(); now.Sub(l.nagged) > resendFirst/4 {
			l.nagged = now
			l.acknowledge(true)
		}
	}
	return full && !l.full
}

// run handles the packets of the member.
func (l *meshLink) run() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for len(l.inbox) == 0 && !l.closed {
			l.arrived.Wait()
		}
		if l.closed {
			return
		}
		packet := l.inbox[0]
		l.inbox[0] = nil
		l.inbox = l.inbox[1:]
		l.mu.Unlock()
		for rest := packet[packetHeader:]; len(rest) >= 4; {
			n := binary.LittleEndian.Uint32(rest)
			if int(n) > len(rest)-4 {
				break // no member sends that
			}
			l.mesh.handle(l.member, rest[4:4+n])
			rest = rest[4+n:]
		}
		l.mu.Lock()
		l.handled++
		if l.owed += len(packet); l.owed >= windowBytes/4 {
			l.acknowledge(false)
		}
	}
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
