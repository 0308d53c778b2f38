package clustertest

import (
	"encoding/binary"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
)

// Mesh has all peers of a session send records to all others, and checks that each arrives
// once and in order.
func Mesh(t *testing.T, n cluster.Network, peers, records int) {
	t.Helper()
	var group sync.WaitGroup
	list := make([]*cluster.Mesh, peers)
	for self := range peers {
		var mu sync.Mutex
		next := make([]uint32, peers)
		left := (peers - 1) * records
		done := make(chan struct{})
		m, err := cluster.NewMesh(n, cluster.Session{ID: 1, Key: 5, Self: self, Peers: peers}, func(from int, record []byte) error {
			mu.Lock()
			defer mu.Unlock()
			assert.Equal(t, next[from], binary.LittleEndian.Uint32(record))
			assert.Len(t, record, size(next[from]))
			next[from]++
			if left--; left == 0 {
				close(done)
			}
			return nil
		}, func() {}, func(from int, err error) { assert.NoError(t, err, "from %d", from) })
		require.NoError(t, err)
		list[self] = m
		group.Go(func() {
			for i := range uint32(records) {
				for to := range peers {
					if to != self {
						record := make([]byte, size(i))
						binary.LittleEndian.PutUint32(record, i)
						m.Send(to, func(packet []byte) []byte { return append(packet, record...) })
					}
				}
				if i%10 == 0 {
					m.Flush()
				}
			}
			m.Flush()
			select {
			case <-done:
			case <-time.After(time.Minute):
				t.Errorf("peer %d: %d records are missing", self, left)
			}
		})
	}
	group.Wait()
	for _, m := range list {
		require.NoError(t, m.Close())
	}
}

// size is the size of the i-th record: some are larger than others.
func size(i uint32) int { return 4 + int(i*7919%20_000) }
