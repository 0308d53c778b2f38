package natscarrier_test

import (
	"bytes"
	"cmp"
	"context"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

func listenNetwork(t *testing.T) *natscarrier.Network {
	n, err := natscarrier.Listen(t.Context(), natscarrier.Config{Account: account, Listen: "127.0.0.1:0"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, n.Close()) })
	return n
}

func connect(t *testing.T, url string) *natscarrier.Network {
	n := natscarrier.Connect(natscarrier.Worker{URL: url, Account: account})
	t.Cleanup(func() { require.NoError(t, n.Close()) })
	return n
}

// TestMesh has members send each other records over streams of their own. They listen where they
// have connected to the server, or where they are told.
func TestMesh(t *testing.T) {
	t.Parallel()
	n := connect(t, listenNetwork(t).URL())
	clustertest.Mesh(t, n, 3, 200)
	for _, streams := range []string{"", returning()} {
		n := natscarrier.Connect(natscarrier.Worker{URL: n.URL(), Account: account, Streams: streams})
		l, err := n.Listen()
		require.NoError(t, err)
		require.Contains(t, l.Addr().String(), strings.TrimSuffix(cmp.Or(streams, "127.0.0.1:0"), "0"))
		require.NoError(t, l.Close())
		require.NoError(t, n.Close())
	}
}

// TestNetworkElsewhere has a coordinator and a node meet at a server in a process of its own.
func TestNetworkElsewhere(t *testing.T) {
	t.Parallel()
	hub, err := natscarrier.Listen(t.Context(), natscarrier.Config{Account: account, Server: serverProcess(t)})
	require.NoError(t, err)
	defer hub.Close()
	require.NoError(t, hub.Serve(func(question []byte) []byte { return question }))
	answer, err := connect(t, hub.URL()).Ask(t.Context(), []byte("hello"))
	require.NoError(t, err)
	require.Equal(t, "hello", string(answer))
}

// TestNetworkCutEarly cuts a connection before it stands: the coordinator may come back.
func TestNetworkCutEarly(t *testing.T) {
	t.Parallel()
	hub := listenNetwork(t)
	require.NoError(t, hub.Serve(func(question []byte) []byte { return question }))
	p := clustertest.NewProxy(t, hub.URL())
	p.Set(false)
	n := connect(t, p.URL())
	_, err := n.Ask(t.Context(), []byte("hello"))
	require.ErrorIs(t, err, cluster.ErrAbsent)
	p.Set(true)
	answer, err := n.Ask(t.Context(), []byte("hello"))
	require.NoError(t, err)
	require.Equal(t, "hello", string(answer))
}

// TestNetworkSilent stops waiting for a server that says nothing.
func TestNetworkSilent(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	url := "nats://" + l.Addr().String()
	_, err = connect(t, url).Ask(ctx, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	begin := time.Now()
	_, err = natscarrier.Listen(ctx, natscarrier.Config{Server: url})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = natscarrier.Open(ctx, natscarrier.Config{Server: url})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = natscarrier.Ask(ctx, natscarrier.Worker{URL: url})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(begin), time.Second)
}

// returning is where a server listens that goes and comes again to the same port. Elsewhere another test may listen there
// in between.
func returning() string {
	if runtime.GOOS == "linux" { // which has all of 127.0.0.0/8
		return "127.0.0.2:0"
	}
	return "127.0.0.1:0"
}

// TestNetworkAsk asks a coordinator that comes, goes and comes again.
func TestNetworkAsk(t *testing.T) {
	t.Parallel()
	hub, err := natscarrier.Listen(t.Context(), natscarrier.Config{Account: account, Listen: returning()})
	require.NoError(t, err)
	n := connect(t, hub.URL())
	ctx := t.Context()
	_, err = n.Ask(ctx, []byte("anybody there?"))
	require.ErrorIs(t, err, cluster.ErrAbsent)
	echo := func(question []byte) []byte { return bytes.ToUpper(slices.Clone(question)) }
	require.NoError(t, hub.Serve(echo))
	answer, err := n.Ask(ctx, []byte("hello"))
	require.NoError(t, err)
	require.Equal(t, "HELLO", string(answer))

	listen := hub.URL()[len("nats://"):]
	require.NoError(t, hub.Close())
	_, err = n.Ask(ctx, []byte("hello"))
	require.ErrorIs(t, err, cluster.ErrAbsent)
	hub, err = natscarrier.Listen(t.Context(), natscarrier.Config{Account: account, Listen: listen})
	require.NoError(t, err)
	defer hub.Close()
	require.NoError(t, hub.Serve(echo))
	require.Eventually(t, func() bool {
		answer, err = n.Ask(ctx, []byte("again"))
		return err == nil && string(answer) == "AGAIN"
	}, wait, 10*time.Millisecond)

	stranger := natscarrier.Connect(natscarrier.Worker{URL: hub.URL(), Account: natscarrier.Account{Secret: "guess"}})
	defer stranger.Close()
	_, err = stranger.Ask(ctx, nil)
	require.ErrorIs(t, err, cluster.ErrRefused)
	late, cancel := context.WithCancel(ctx)
	cancel()
	_, err = n.Ask(late, nil)
	require.ErrorIs(t, err, context.Canceled)
}

// TestNetworkTLS connects over TLS, and fails to without the authority.
func TestNetworkTLS(t *testing.T) {
	t.Parallel()
	cert, key := certificate(t)
	_, err := natscarrier.Listen(t.Context(), natscarrier.Config{Account: account, Listen: "0.0.0.0:0"})
	require.ErrorContains(t, err, "needs a TLS certificate with its key")
	hub, err := natscarrier.Listen(t.Context(), natscarrier.Config{Account: account, Listen: "127.0.0.1:0", Cert: cert, Key: key})
	require.NoError(t, err)
	defer hub.Close()
	require.NoError(t, hub.Serve(func(question []byte) []byte { return question }))
	for _, ca := range []string{cert, ""} {
		n := natscarrier.Connect(natscarrier.Worker{URL: hub.URL(), Account: account, CA: ca})
		answer, err := n.Ask(t.Context(), []byte("hello"))
		if ca == "" {
			require.Error(t, err)
		} else {
			require.NoError(t, err)
			require.Equal(t, "hello", string(answer))
		}
		require.NoError(t, n.Close())
	}
}
