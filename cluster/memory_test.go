package cluster_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
)

func TestMemory(t *testing.T) {
	terms := cluster.Terms{Version: "1", Game: "nim", Token: "t"}
	clustertest.Run(t, terms, func(t *testing.T) clustertest.Carrier {
		m := cluster.NewMemory(terms, 900*time.Millisecond)
		return clustertest.Carrier{Front: m.Front(), Join: m.Join}
	})
}

// TestMemoryWaits checks that a worker which waits gets a job whose lease ends, and that
// the front end gets a result again which it has not acknowledged.
func TestMemoryWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := cluster.NewMemory(cluster.Terms{}, lease)
		begin := time.Now()
		a, err := m.Join(cluster.Terms{}, "a")
		require.NoError(t, err)
		b, err := m.Join(cluster.Terms{}, "b")
		require.NoError(t, err)
		require.NoError(t, m.Front().Offer(t.Context(), job(1)))
		_, err = a.Take(t.Context())
		require.NoError(t, err)
		l, err := b.Take(t.Context())
		require.NoError(t, err)
		require.Equal(t, lease, time.Since(begin))
		require.NoError(t, l.Done(t.Context(), cluster.Bytes(nil)))
		for n := range 3 {
			d, err := m.Front().Receive(t.Context())
			require.NoError(t, err)
			require.Equal(t, "b", d.Result().Worker)
			require.Equal(t, time.Duration(n+1)*lease, time.Since(begin))
		}
	})
}
