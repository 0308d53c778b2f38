package cluster

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Between two members of a mesh there is one stream, TLS over TCP. It carries records:
//
//	+----------------+--------+
//	| length, 32 bit | record |   any number of times, little-endian
//	+----------------+--------+

const (
	// gatherBytes is the size from which records are sent without waiting for more. With the last
	// record they mostly fit into four of TLS, which are sent together: see stream.
	gatherBytes = 60 << 10
	// congestedBytes is how much may wait to be sent to a member before senders should pause.
	congestedBytes = 2 << 20
	// maxRecord is the size of the longest record.
	maxRecord = 16 << 20
	// closeTime is how long Close waits for the last records to be sent.
	closeTime = 2 * time.Second
)

// Mesh carries records between the members of a session, each once and in order for each pair of
// members. What a member does not handle fills the buffers of its stream, and then the sender is
// congested. A stream that breaks is lost: the session cannot go on.
type Mesh struct {
	session  Session
	endpoint *Endpoint
	links    []*link // by member; nil for this one
	MeshHandler
	ctx    context.Context // ends when the mesh is closed
	stop   context.CancelFunc
	closed atomic.Bool
	group  sync.WaitGroup

	congested      atomic.Int32 // links with too much to send
	packets, bytes atomic.Uint64
}

// Session says which session a [Mesh] joins, as which member.
type Session struct {
	ID      uint64
	Self    int // from 0 on
	Members []Member
}

// MeshHandler has what a [Mesh] calls. For each other member one goroutine calls Handle and Lost.
type MeshHandler struct {
	// Handle is called with each record that arrives. While it blocks, that member has to
	// wait. It must not keep the record. After an error nothing more is handled, and Fault is called.
	Handle func(from int, record []byte) error
	// Eased is called when Congested may have become false.
	Eased func()
	// Fault is called when a member has sent what no member would send.
	Fault func(from int, err error)
	// Lost is called when the stream to a member cannot be opened, or ends. The error is io.EOF if
	// that member has closed its mesh.
	Lost func(member int, err error)
}

// link is the connection of a mesh to another member.
type link struct {
	mesh   *Mesh
	member int

	mu     sync.Mutex
	wake   sync.Cond // for the goroutine that writes
	conn   *tls.Conn // nil until it stands
	box    []byte    // what is being gathered
	queue  [][]byte  // to be written
	queued int       // its bytes
	full   bool      // counts as congested
	spare  [][]byte
	closed bool // nothing is sent any more
	lost   bool // nor read
}

// NewMesh returns a mesh for a session, which Start joins.
func NewMesh(e *Endpoint, s Session, h MeshHandler) *Mesh {
	m := &Mesh{session: s, endpoint: e, links: make([]*link, len(s.Members)), MeshHandler: h}
	m.ctx, m.stop = context.WithCancel(context.Background())
	for member := range s.Members {
		if member != s.Self {
			l := &link{mesh: m, member: member}
			l.wake.L = &l.mu
			m.links[member] = l
		}
	}
	return m
}

// Start joins the session. It returns at once: streams open meanwhile, and the functions of the handler may be
// called before it returns. Of two members the one with the larger number dials the other.
func (m *Mesh) Start() {
	m.endpoint.mu.Lock()
	m.endpoint.meshes[m.session.ID] = m
	m.endpoint.mu.Unlock()
	for _, l := range m.links {
		if l != nil {
			m.group.Go(l.connect)
		}
	}
}

// connect dials the member, or waits for it to dial.
func (l *link) connect() {
	m := l.mesh
	ctx, cancel := context.WithTimeout(m.ctx, connectTime)
	defer cancel()
	if l.member > m.session.Self {
		<-ctx.Done()
		l.mu.Lock()
		stands := l.conn != nil
		l.mu.Unlock()
		if !stands {
			l.lose(errors.New("it has not connected"))
		}
		return
	}
	to := m.session.Members[l.member]
	for {
		c, err := m.endpoint.dial(ctx, m.session.ID, m.session.Self, to)
		switch {
		case err == nil:
			if !l.run(c) {
				c.Close()
			}
			return
		case !errors.Is(err, errNotYet) || ctx.Err() != nil:
			l.lose(fmt.Errorf("no connection to %s: %w", to.Address, err))
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// admit takes the connection of a member that has dialled, and reports whether it is that.
func (m *Mesh) admit(from int, c *tls.Conn) bool {
	if from <= m.session.Self || from >= len(m.links) || shown(c) != m.session.Members[from].Certificate {
		return false
	}
	l := m.links[from]
	if _, err := c.Write([]byte{0}); err != nil {
		return false
	}
	return l.run(c)
}

// run begins to read and to write. It returns false if the link has a connection, or is closed.
func (l *link) run(c *tls.Conn) bool {
	c.SetDeadline(time.Time{})
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil || l.closed {
		return false
	}
	l.conn = c
	l.mesh.group.Go(func() {
		var writing sync.WaitGroup
		writing.Go(func() { l.write(c) })
		l.read(c)
		writing.Wait()
		c.Close()
	})
	return true
}

// Send gives a member a record, which is sent when enough are there, or by Flush. record appends
// the record to a buffer.
func (m *Mesh) Send(member int, record func(dst []byte) []byte) {
	l := m.links[member]
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.box == nil {
		if n := len(l.spare); n > 0 {
			l.box, l.spare = l.spare[n-1][:0], l.spare[:n-1]
		} else {
			l.box = make([]byte, 0, gatherBytes+gatherBytes/4)
		}
	}
	at := len(l.box)
	l.box = record(append(l.box, 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(l.box[at:], uint32(len(l.box)-at-4))
	if len(l.box) >= gatherBytes {
		l.push()
	}
}

// Flush sends all records.
func (m *Mesh) Flush() {
	for _, l := range m.links {
		if l != nil {
			l.mu.Lock()
			l.push()
			l.mu.Unlock()
		}
	}
}

// Congested reports whether so much waits to be sent to some member that senders should
// pause.
func (m *Mesh) Congested() bool { return m.congested.Load() > 0 }

// Sent returns how many packets of records have been sent so far, and their bytes.
func (m *Mesh) Sent() (packets, bytes uint64) { return m.packets.Load(), m.bytes.Load() }

// Close sends what is left to those that have connected, for a short time, and leaves the session. It waits until Handle has
// returned, and nothing is handled after that.
func (m *Mesh) Close() {
	m.closed.Store(true)
	m.Flush()
	for _, l := range m.links {
		if l != nil {
			l.mu.Lock()
			l.closed = true
			if l.conn != nil {
				l.conn.SetDeadline(time.Now().Add(closeTime))
			}
			l.wake.Signal()
			l.mu.Unlock()
		}
	}
	m.stop()
	m.group.Wait()
	m.endpoint.mu.Lock()
	delete(m.endpoint.meshes, m.session.ID)
	m.endpoint.mu.Unlock()
}

// push queues what was gathered.
func (l *link) push() {
	if len(l.box) == 0 {
		return
	}
	if l.lost {
		l.box = l.box[:0]
		return
	}
	l.queue = append(l.queue, l.box)
	l.queued += len(l.box)
	l.box = nil
	l.wake.Signal()
	l.count()
}

// count counts the link as congested, or not, and reports whether it is no longer.
func (l *link) count() (eased bool) {
	full := l.queued > congestedBytes && !l.lost
	if full == l.full {
		return false
	}
	l.full = full
	if full {
		l.mesh.congested.Add(1)
	} else {
		l.mesh.congested.Add(-1)
	}
	return !full
}

// write writes what is queued until the link is closed.
func (l *link) write(c *tls.Conn) {
	for {
		packet := l.next()
		if packet == nil {
			c.CloseWrite() // so that the other member knows that no more comes
			return
		}
		if err := c.NetConn().(*stream).together(func() error { _, err := c.Write(packet); return err }); err != nil {
			l.lose(err)
			return
		}
		l.mesh.packets.Add(1)
		l.mesh.bytes.Add(uint64(len(packet)))
		l.mu.Lock()
		l.queued -= len(packet)
		if len(l.spare) < congestedBytes/gatherBytes && cap(packet) < 2*gatherBytes {
			l.spare = append(l.spare, packet)
		}
		eased := l.count()
		l.mu.Unlock()
		if eased {
			l.mesh.Eased()
		}
	}
}

// next waits for what is to be written next. It returns nil if nothing more is.
func (l *link) next() (packet []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) == 0 && !l.closed && !l.lost {
		l.wake.Wait()
	}
	if l.lost || len(l.queue) == 0 {
		return nil
	}
	packet, l.queue[0] = l.queue[0], nil
	l.queue = l.queue[1:]
	return packet
}

// read handles what arrives. When this mesh is closed it only waits for the member to close its own, since
// a connection that is closed with something unread loses what was sent last.
func (l *link) read(c *tls.Conn) {
	r := bufio.NewReaderSize(c, 64<<10)
	var record []byte
	var head [4]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			l.lose(err)
			return
		}
		n := binary.LittleEndian.Uint32(head[:])
		if n > maxRecord {
			l.fault(fmt.Errorf("a record of %d bytes", n))
			return
		}
		if cap(record) < int(n) {
			record = make([]byte, n)
		}
		record = record[:n]
		if _, err := io.ReadFull(r, record); err != nil {
			l.lose(err)
			return
		}
		if l.mesh.closed.Load() {
			continue
		}
		if err := l.mesh.Handle(l.member, record); err != nil {
			l.fault(err)
			return
		}
	}
}

// fault reports what no member would send.
func (l *link) fault(err error) {
	if !l.mesh.closed.Load() {
		l.mesh.Fault(l.member, err)
	}
}

// lose reports that the stream has ended.
func (l *link) lose(err error) {
	l.mu.Lock()
	report := !l.lost && !l.closed
	l.lost = true
	l.wake.Signal()
	eased := l.count()
	if l.conn != nil {
		l.conn.NetConn().Close() // which ends the other goroutine
	}
	l.mu.Unlock()
	if eased {
		l.mesh.Eased()
	}
	if report {
		l.mesh.Lost(l.member, err)
	}
}
