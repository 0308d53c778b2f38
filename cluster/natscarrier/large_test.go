package natscarrier

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
)

// TestLargeClosed closes a front end while a large result waits until others are acknowledged.
func TestLargeClosed(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	f, err := Open(ctx, Config{Listen: "127.0.0.1:0", Store: t.TempDir()})
	require.NoError(t, err)
	f.mu.Lock()
	f.large = maxResult
	f.mu.Unlock()
	j := cluster.Job{ID: cluster.NewID([]byte("large")), Body: cluster.Bytes("large")}
	require.NoError(t, f.Offer(ctx, j))
	b, err := f.Join(ctx, cluster.Terms{}, "worker")
	require.NoError(t, err)
	defer b.Close()
	l, err := b.Take(ctx)
	require.NoError(t, err)
	require.NoError(t, l.Done(ctx, cluster.Bytes(make([]byte, 1<<20))))
	received := make(chan error, 1)
	go func() {
		_, err := f.Receive(ctx)
		received <- err
	}()
	select {
	case err := <-received:
		require.NoError(t, err)
	case <-time.After(200 * time.Millisecond):
	}
	require.NoError(t, f.Close())
	select {
	case err := <-received:
		require.ErrorIs(t, err, cluster.ErrClosed)
	case <-time.After(10 * time.Second):
		require.Fail(t, "Receive does not end")
	}
}
