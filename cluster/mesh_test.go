package cluster_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
)

// TestMesh has all peers send records to all others, over wires with faults. Each arrives
// once and in order.
func TestMesh(t *testing.T) {
	for seed, faults := range []clustertest.Faults{
		{},
		{Lost: 30},
		{Doubled: 300},
		{Late: 100},
		{Delayed: 100},
		{Lost: 20, Doubled: 20, Late: 20, Delayed: 20},
	} {
		t.Run(fmt.Sprint(faults.Lost, faults.Doubled, faults.Late, faults.Delayed), func(t *testing.T) {
			t.Parallel()
			clustertest.Mesh(t, clustertest.NewFaulty(&cluster.MemoryNetwork{}, faults, uint64(seed)), 3, 300)
		})
	}
}

// TestMeshCut has a peer cut off for some time.
func TestMeshCut(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	n := clustertest.NewFaulty(&cluster.MemoryNetwork{}, clustertest.Faults{Cut: func(peer int) bool {
		return peer == 1 && time.Since(begin) < 700*time.Millisecond
	}}, 1)
	clustertest.Mesh(t, n, 3, 50)
}

// TestMeshWindow has a peer that handles nothing: the other sends no more than a window,
// and says that it is congested until records are handled.
func TestMeshWindow(t *testing.T) {
	t.Parallel()
	n := &cluster.MemoryNetwork{}
	held := make(chan struct{})
	var mu sync.Mutex
	got := 0
	eased := make(chan struct{}, 1)
	a, err := cluster.NewMesh(n, cluster.Session{ID: 1, Peers: 2}, func(int, []byte) error { return nil }, func() {
		select {
		case eased <- struct{}{}:
		default:
		}
	}, noFault(t))
	require.NoError(t, err)
	b, err := cluster.NewMesh(n, cluster.Session{ID: 1, Self: 1, Peers: 2}, func(_ int, record []byte) error {
		<-held
		mu.Lock()
		defer mu.Unlock()
		if n := binary.LittleEndian.Uint32(record); int(n) == got {
			got++
		}
		return nil
	}, func() {}, noFault(t))
	require.NoError(t, err)
	record := make([]byte, 1<<14)
	sent := 0
	for ; !a.Congested(); sent++ {
		binary.LittleEndian.PutUint32(record, uint32(sent))
		a.Send(1, func(packet []byte) []byte { return append(packet, record...) })
		require.Less(t, sent, 1000, "it is never congested")
	}
	_, bytes := a.Sent()
	require.Less(t, int(bytes), 3<<20, "more than a window is on the way")
	close(held)
	<-eased
	require.False(t, a.Congested())
	a.Flush()
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return got == sent
	}, time.Minute, time.Millisecond)
	require.NoError(t, a.Close())
	require.NoError(t, b.Close())
}

// noFault is called for faults where there should be none.
func noFault(t *testing.T) func(int, error) {
	return func(from int, err error) { t.Errorf("from %d: %v", from, err) }
}

// recorder is a [cluster.Network] that keeps the packets that a peer sends.
type recorder struct {
	cluster.MemoryNetwork
	mu      sync.Mutex
	packets [][]byte
}

type recording struct {
	cluster.Wire
	r *recorder
}

func (r *recorder) Open(session uint64, peer int, deliver func([]byte)) (cluster.Wire, error) {
	w, err := r.MemoryNetwork.Open(session, peer, deliver)
	return &recording{w, r}, err
}

func (w *recording) Send(peer int, packet []byte) error {
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	w.r.packets = append(w.r.packets, slices.Clone(packet))
	return nil
}

// TestMeshFaults has packets arrive that are damaged, shortened, forged, replayed, or of
// another session. Those of the session in the name of a peer are faults; replayed ones
// change nothing.
func TestMeshFaults(t *testing.T) {
	t.Parallel()
	packet := func(key uint64, records ...string) []byte {
		r := &recorder{}
		m, err := cluster.NewMesh(r, cluster.Session{ID: 7, Key: key, Self: 1, Peers: 2}, nil, func() {}, noFault(t))
		require.NoError(t, err)
		for _, record := range records {
			m.Send(0, func(packet []byte) []byte { return append(packet, record...) })
		}
		m.Flush()
		require.NoError(t, m.Close())
		return r.packets[0]
	}
	good := packet(3, "hi")
	rng := rand.New(rand.NewPCG(1, 1))
	for name, test := range map[string]struct {
		packets func() [][]byte
		got     []string
		fault   string
	}{
		"good":     {func() [][]byte { return [][]byte{good} }, []string{"hi"}, ""},
		"replayed": {func() [][]byte { return [][]byte{good, good, good} }, []string{"hi"}, ""},
		"flipped": {func() [][]byte {
			p := slices.Clone(good)
			p[12+rng.IntN(len(p)-12)] ^= 1 << rng.IntN(8)
			return [][]byte{p, good}
		}, nil, "damaged or forged"},
		"shortened": {func() [][]byte { return [][]byte{good[:12+rng.IntN(len(good)-12)]} }, nil, "damaged or forged"},
		"forged":    {func() [][]byte { return [][]byte{packet(4, "hi")} }, nil, "damaged or forged"},
		"refused":   {func() [][]byte { return [][]byte{packet(3, "bad", "hi")} }, nil, "it is bad"},
		"strangers": {func() [][]byte {
			other, self := slices.Clone(good), slices.Clone(good)
			other[0], self[8] = 8, 0
			return [][]byte{good[:11], nil, other, self, good}
		}, []string{"hi"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &cluster.MemoryNetwork{}
			events := make(chan string, 100)
			m, err := cluster.NewMesh(n, cluster.Session{ID: 7, Key: 3, Peers: 2}, func(_ int, record []byte) error {
				if string(record) == "bad" {
					return errors.New("it is bad")
				}
				events <- string(record)
				return nil
			}, func() {}, func(from int, err error) { events <- fmt.Sprint(from, ": ", err) })
			require.NoError(t, err)
			w, err := n.Open(7, 1, func([]byte) {})
			require.NoError(t, err)
			for _, p := range test.packets() {
				require.NoError(t, w.Send(0, p))
			}
			for _, want := range test.got {
				require.Equal(t, want, <-events)
			}
			if test.fault != "" {
				got := <-events
				require.Contains(t, got, "1: ")
				require.Contains(t, got, test.fault)
			}
			require.NoError(t, w.Close())
			require.NoError(t, m.Close())
			require.Empty(t, events)
		})
	}
}
