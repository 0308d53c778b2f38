package cluster_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
)

// TestMesh has all members send records to all others, over wires with faults. Each arrives
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

// TestMeshCut has a member cut off for some time.
func TestMeshCut(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	n := clustertest.NewFaulty(&cluster.MemoryNetwork{}, clustertest.Faults{Cut: func(member int) bool {
		return member == 1 && time.Since(begin) < 700*time.Millisecond
	}}, 1)
	clustertest.Mesh(t, n, 3, 50)
}

// TestMeshWindow has a member that handles nothing: the other sends no more than a window,
// and says that it is congested until records are handled.
func TestMeshWindow(t *testing.T) {
	t.Parallel()
	n := &cluster.MemoryNetwork{}
	held := make(chan struct{})
	var mu sync.Mutex
	got := 0
	eased := make(chan struct{}, 1)
	a, err := cluster.NewMesh(n, 1, 0, 2, func(int, []byte) {}, func() {
		select {
		case eased <- struct{}{}:
		default:
		}
	})
	require.NoError(t, err)
	b, err := cluster.NewMesh(n, 1, 1, 2, func(_ int, record []byte) {
		<-held
		mu.Lock()
		defer mu.Unlock()
		if n := binary.LittleEndian.Uint32(record); int(n) == got {
			got++
		}
	}, func() {})
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

// TestMeshStrangers has packets of another session, and nonsense, arrive.
func TestMeshStrangers(t *testing.T) {
	t.Parallel()
	n := &cluster.MemoryNetwork{}
	got := make(chan string, 10)
	m, err := cluster.NewMesh(n, 7, 0, 2, func(_ int, record []byte) { got <- string(record) }, func() {})
	require.NoError(t, err)
	defer m.Close()
	w, err := n.Open(7, 1, func([]byte) {})
	require.NoError(t, err)
	defer w.Close()
	packet := func(session uint64, from uint32) []byte {
		p := binary.LittleEndian.AppendUint64(nil, session)
		p = binary.LittleEndian.AppendUint32(p, from)
		p = binary.LittleEndian.AppendUint64(p, 1)
		p = append(p, make([]byte, 9)...)
		return append(p, 2, 0, 0, 0, 'h', 'i')
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		p := packet(7, 1)
		require.NoError(t, w.Send(0, p[:rng.IntN(29)]))
	}
	require.NoError(t, w.Send(0, packet(8, 1)))
	require.NoError(t, w.Send(0, packet(7, 0)))
	require.NoError(t, w.Send(0, packet(7, 2)))
	require.NoError(t, w.Send(0, packet(7, 1)))
	require.Equal(t, "hi", <-got)
	require.Empty(t, got)
}
