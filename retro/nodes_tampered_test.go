package retro

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// tampering is a network on which somebody changes packets from node 1 to node 2.
type tampering struct {
	cluster.MemoryNetwork
	change func(send func([]byte), packet []byte)
}

type tamperedWire struct {
	cluster.Wire
	n    *tampering
	self int
}

func (n *tampering) Open(session uint64, peer int, deliver func([]byte)) (cluster.Wire, error) {
	w, err := n.MemoryNetwork.Open(session, peer, deliver)
	return &tamperedWire{w, n, peer}, err
}

func (w *tamperedWire) Send(peer int, packet []byte) error {
	if w.self != 0 || peer != 1 {
		return w.Wire.Send(peer, packet)
	}
	w.n.change(func(p []byte) { w.Wire.Send(peer, p) }, packet)
	return nil
}

// TestNodesTampered has packets between nodes changed, cut off, doubled or dropped for ever. The
// solve ends with an error that says whose packets these are, or with the right database; never
// with a panic, and it never stands still.
func TestNodesTampered(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=6")
	one := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: one})
	require.NoError(t, err)
	var seen atomic.Int64
	var first []byte
	var mu sync.Mutex
	for name, test := range map[string]struct {
		change func(send func([]byte), packet []byte)
		want   string
	}{
		"flipped": {func(send func([]byte), p []byte) {
			if len(p) > 60 && seen.Add(1) == 3 {
				p = append([]byte{}, p...)
				p[55] ^= 16
			}
			send(p)
		}, "node 1 has sent what it should not: a packet of "},
		"shortened": {func(send func([]byte), p []byte) {
			if len(p) > 60 {
				p = p[:len(p)-1]
			}
			send(p)
		}, "node 1 has sent what it should not: a packet of "},
		"replayed": {func(send func([]byte), p []byte) {
			mu.Lock()
			defer mu.Unlock()
			if first == nil && len(p) > 60 {
				first = append([]byte{}, p...)
			}
			send(p)
			send(p)
			if first != nil {
				send(first)
			}
		}, ""},
		"dropped": {func(send func([]byte), p []byte) {
			if len(p) < 60 {
				send(p)
			}
		}, "has made no progress for 1s: node "},
	} {
		t.Run(name, func(t *testing.T) {
			s := newNodeSolve(u, 2)
			s.network = &tampering{change: test.change}
			s.stall = time.Second
			_, _, err := s.run(t)
			if test.want == "" {
				require.NoError(t, err)
				requireSame(t, one, s.cfg.FS)
				return
			}
			require.ErrorContains(t, err, test.want)
			s.network, s.stall = &cluster.MemoryNetwork{}, 0
			_, _, err = s.run(t)
			require.NoError(t, err)
			requireSame(t, one, s.cfg.FS)
		})
	}
}
