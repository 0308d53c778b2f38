package natscarrier

import (
	"context"
	"encoding/binary"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
)

// TestPushUnread has a front end close while a worker has not read the pushes to it. The worker's next request
// finds nobody, and then the worker reads that the front end has closed.
func TestPushUnread(t *testing.T) {
	f, err := Open(t.Context(), Config{Listen: "127.0.0.1:0"})
	require.NoError(t, err)
	defer f.Close()
	joined, err := Join(t.Context(), Worker{URL: f.URL(), Name: "slow"})
	require.NoError(t, err)
	b := joined.(*back)
	defer b.Close()
	require.NoError(t, b.link.nc.Flush()) // it gets pushes from now on

	b.link.mu.Lock() // the first push waits for it, and the second for the first
	f.pushAll(message{Kind: later})
	f.Finish()
	for _, s := range f.listens {
		require.NoError(t, s.Unsubscribe())
	}
	require.NoError(t, f.link.nc.Flush())
	_, _, err = b.ask(t.Context(), b.current(), message{Kind: takeJob}, nil)
	b.link.mu.Unlock()
	require.ErrorIs(t, err, nats.ErrNoResponders)

	ctx, cancel := context.WithTimeout(t.Context(), request)
	defer cancel()
	_, err = b.Take(ctx)
	require.ErrorIs(t, err, cluster.ErrClosed)
}

// TestPushOrder pushes from several goroutines. The worker would drop what comes after a later one.
func TestPushOrder(t *testing.T) {
	u := newUploads(t, 1, time.Minute)
	w := u.workers[0]
	heard, err := u.link.nc.SubscribeSync(pushSubject(u.session, w.number))
	require.NoError(t, err)
	const goroutines, each = 4, 200
	var group sync.WaitGroup
	for range goroutines {
		group.Go(func() {
			for range each {
				u.push(w, message{Kind: gone})
			}
		})
	}
	group.Wait()
	for n := range uint64(goroutines * each) {
		m, err := heard.NextMsg(time.Minute)
		require.NoError(t, err)
		require.Equal(t, n+1, binary.LittleEndian.Uint64(m.Data))
	}
}
