package clustertest

import (
	"encoding/binary"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
)

// Mesh has all members of a session send records to all others, and checks that each arrives
// once and in order.
func Mesh(t *testing.T, n cluster.Network, peers, records int) {
	t.Helper()
	var group sync.WaitGroup
	list := make([]*cluster.Mesh, peers)
	endpoints := make([]*cluster.Endpoint, peers)
	members := make([]cluster.Member, peers)
	for i := range peers {
		e, err := cluster.NewEndpoint(n, i < peers-1)
		require.NoError(t, err)
		endpoints[i], members[i] = e, e.Member()
	}
	for self := range peers {
		var mu sync.Mutex
		next := make([]uint32, peers)
		left := (peers - 1) * records
		done := make(chan struct{})
		m := cluster.NewMesh(endpoints[self], cluster.Session{ID: 1, Self: self, Members: members}, cluster.MeshHandler{Handle: func(from int, record []byte) error {
			mu.Lock()
			defer mu.Unlock()
			assert.Equal(t, next[from], binary.LittleEndian.Uint32(record))
			assert.Len(t, record, size(next[from]))
			next[from]++
			if left--; left == 0 {
				close(done)
			}
			return nil
		}, Eased: func() {}, Fault: func(from int, err error) { assert.NoError(t, err, "from %d", from) },
			Lost: func(member int, err error) { assert.ErrorIs(t, err, io.EOF, "member %d", member) }})
		m.Start()
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
		group.Go(m.Close) // each waits for the others
	}
	group.Wait()
	for _, e := range endpoints {
		require.NoError(t, e.Close())
	}
}

// size is the size of the i-th record: some are larger than others.
func size(i uint32) int { return 4 + int(i*7919%20_000) }
