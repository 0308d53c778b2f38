package natscarrier

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// More than the buffers of the kernel hold goes through in both directions, and a connection
// ends, times out and fails as others do.
func TestConn(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	other := make(chan net.Conn, 1)
	go func() {
		c, err := listener.Accept()
		if err == nil {
			other <- c
		}
	}()
	c, err := (&dialer{}).Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	defer c.Close()
	peer := <-other

	data := make([]byte, 8<<20)
	rng := rand.NewChaCha8([32]byte{})
	rng.Read(data)
	go io.Copy(peer, peer) // an echo
	go func() {
		time.Sleep(10 * time.Millisecond) // the reader waits
		c.Write(data)
	}()
	back := make([]byte, len(data))
	_, err = io.ReadFull(c, back)
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, back))

	n, err := c.Read(nil)
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, c.SetReadDeadline(time.Now().Add(time.Millisecond)))
	_, err = c.Read(back)
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, c.SetReadDeadline(time.Time{}))

	require.NoError(t, peer.Close())
	_, err = c.Read(back)
	require.ErrorIs(t, err, io.EOF)
	for err = nil; err == nil; {
		_, err = c.Write(data)
	}
	var failed *os.SyscallError
	require.ErrorAs(t, err, &failed)
	require.NoError(t, c.Close())
	_, err = c.Write(data)
	require.ErrorIs(t, err, net.ErrClosed)
}
