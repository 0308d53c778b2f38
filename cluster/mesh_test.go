package cluster_test

import (
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
)

// TestMesh has all members send records to all others. Each arrives once and in order.
func TestMesh(t *testing.T) {
	t.Parallel()
	clustertest.Mesh(t, &cluster.Loopback{}, 4, 300)
}

// endpoints returns endpoints of a session, and what its members must know of each other.
func endpoints(t *testing.T, networks ...cluster.Network) (list []*cluster.Endpoint, members []cluster.Member) {
	for _, n := range networks {
		e, err := cluster.NewEndpoint(n, true)
		require.NoError(t, err)
		t.Cleanup(func() { e.Close() })
		list, members = append(list, e), append(members, e.Member())
	}
	return list, members
}

// recorder returns a handler that writes down what it hears.
func recorder(events chan<- string) cluster.MeshHandler {
	return cluster.MeshHandler{
		Handle: func(_ int, record []byte) error {
			if string(record) == "bad" {
				return errors.New("it is bad")
			}
			events <- string(record)
			return nil
		},
		Eased: func() {},
		Fault: func(_ int, err error) { events <- "fault: " + err.Error() },
		Lost:  func(_ int, err error) { events <- "lost: " + err.Error() },
	}
}

func text(s string) func([]byte) []byte {
	return func(dst []byte) []byte { return append(dst, s...) }
}

// TestMeshCongested has a member that handles nothing: the other says that it is congested until
// records are handled, and no more is on the way than buffers hold.
func TestMeshCongested(t *testing.T) {
	t.Parallel()
	n := &cluster.Loopback{}
	list, members := endpoints(t, n, n)
	held, eased := make(chan struct{}), make(chan struct{}, 1)
	got := make(chan int, 1)
	h := recorder(nil)
	h.Lost = func(int, error) {}
	h.Eased = func() {
		select {
		case eased <- struct{}{}:
		default:
		}
	}
	a := cluster.NewMesh(list[0], cluster.Session{ID: 1, Members: members}, h)
	a.Start()
	next := 0
	h.Handle = func(_ int, record []byte) error {
		<-held
		if binary.LittleEndian.Uint32(record) != uint32(next) {
			return errors.New("out of order")
		}
		if next++; len(record) == 4 {
			got <- next
		}
		return nil
	}
	b := cluster.NewMesh(list[1], cluster.Session{ID: 1, Self: 1, Members: members}, h)
	b.Start()
	sent := 0
	send := func(size int) {
		a.Send(1, func(dst []byte) []byte {
			return append(binary.LittleEndian.AppendUint32(dst, uint32(sent)), make([]byte, size)...)
		})
		sent++
	}
	for idle := time.Now(); time.Since(idle) < 200*time.Millisecond; {
		if a.Congested() {
			time.Sleep(time.Millisecond)
			continue
		}
		send(1 << 14)
		idle = time.Now()
		require.Less(t, sent, 4096, "64 MiB are on the way")
	}
	close(held)
	<-eased
	require.Eventually(t, func() bool { return !a.Congested() }, time.Minute, time.Millisecond)
	send(0)
	a.Flush()
	require.Equal(t, sent, <-got)
	go a.Close()
	b.Close()
}

// meet sends member 0 a record, and waits until it is on its way.
func meet(m *cluster.Mesh) {
	m.Send(0, text("first"))
	m.Flush()
	for packets := uint64(0); packets == 0; packets, _ = m.Sent() {
		time.Sleep(time.Millisecond)
	}
}

// TestMeshFaults has a member send what no member would send, and go in different ways.
func TestMeshFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		do   func(m *cluster.Mesh, p *clustertest.Process)
		want []string
	}{
		"closed": {func(m *cluster.Mesh, _ *clustertest.Process) {
			meet(m)
			m.Send(0, text("last"))
			go m.Close()
		}, []string{"first", "last", "lost: EOF"}},
		"killed": {func(m *cluster.Mesh, p *clustertest.Process) {
			meet(m)
			time.Sleep(10 * time.Millisecond) // for the other to read
			p.Kill()
		}, []string{"first", "lost: "}},
		"refused": {func(m *cluster.Mesh, _ *clustertest.Process) {
			m.Send(0, text("good"))
			m.Send(0, text("bad"))
			m.Send(0, text("good"))
			m.Flush()
		}, []string{"good", "fault: it is bad"}},
		"too long": {func(m *cluster.Mesh, _ *clustertest.Process) {
			m.Send(0, text(strings.Repeat("x", 16<<20+1)))
			m.Flush()
		}, []string{"fault: a record of 16777217 bytes"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &clustertest.Process{Network: &cluster.Loopback{}}
			list, members := endpoints(t, &cluster.Loopback{}, p)
			events := make(chan string, 10)
			a := cluster.NewMesh(list[0], cluster.Session{ID: 1, Members: members}, recorder(events))
			a.Start()
			b := cluster.NewMesh(list[1], cluster.Session{ID: 1, Self: 1, Members: members}, recorder(make(chan string, 10)))
			b.Start()
			test.do(b, p)
			for _, want := range test.want {
				require.Contains(t, <-events, want)
			}
			go a.Close()
			b.Close()
			require.Empty(t, events)
		})
	}
}

// TestMeshStrangers has strangers connect: one who says nothing, one who knows the session but has another
// certificate, one in the place where a member should listen. None is let in, and the members meet.
func TestMeshStrangers(t *testing.T) {
	t.Parallel()
	n := &cluster.Loopback{}
	list, members := endpoints(t, n, n, n)
	stranger, members := list[2], members[:2]
	events := make(chan string, 10)
	a := cluster.NewMesh(list[0], cluster.Session{ID: 1, Members: members}, recorder(events))
	a.Start()
	silent, err := net.Dial("tcp", members[0].Address)
	require.NoError(t, err)
	defer silent.Close()
	forged := make(chan string, 10)
	f := cluster.NewMesh(stranger, cluster.Session{ID: 1, Self: 1, Members: members}, recorder(forged))
	f.Start()
	f.Send(0, text("forged"))
	f.Flush()
	time.Sleep(100 * time.Millisecond)
	require.Empty(t, events)
	b := cluster.NewMesh(list[1], cluster.Session{ID: 1, Self: 1, Members: members}, recorder(make(chan string, 10)))
	b.Start()
	b.Send(0, text("good"))
	b.Flush()
	require.Equal(t, "good", <-events)
	f.Close()
	go a.Close()
	b.Close()

	wrong := []cluster.Member{members[0], members[1]}
	wrong[0].Address = stranger.Member().Address
	lost := make(chan string, 10)
	b = cluster.NewMesh(list[1], cluster.Session{ID: 2, Self: 1, Members: wrong}, recorder(lost))
	b.Start()
	require.Contains(t, <-lost, "another process listens at "+wrong[0].Address)
	b.Close()
}

// TestMeshAbsent has a member that does not listen any more.
func TestMeshAbsent(t *testing.T) {
	t.Parallel()
	n := &cluster.Loopback{}
	list, members := endpoints(t, n)
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, gone.Close())
	lost := make(chan string, 10)
	m := cluster.NewMesh(list[0], cluster.Session{ID: 1, Self: 1, Members: append([]cluster.Member{{Address: gone.Addr().String()}}, members...)}, recorder(lost))
	m.Start()
	require.Contains(t, <-lost, "no connection to "+gone.Addr().String())
	m.Close()
}

// TestStrangers closes an endpoint whose connections are all of strangers who say nothing.
func TestStrangers(t *testing.T) {
	t.Parallel()
	e, err := cluster.NewEndpoint(&cluster.Loopback{}, true)
	require.NoError(t, err)
	for range 80 {
		c, err := net.Dial("tcp", e.Member().Address)
		require.NoError(t, err)
		defer c.Close()
	}
	time.Sleep(100 * time.Millisecond)
	begin := time.Now()
	e.Close()
	require.Less(t, time.Since(begin), time.Second)
}
