package natscarrier_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

// openFiles returns the files of a worker.
func openFiles(t *testing.T, url string) *natscarrier.Files {
	f, err := natscarrier.OpenFiles(t.Context(), natscarrier.Worker{URL: url, Account: account, Terms: terms, Name: "files"})
	require.NoError(t, err)
	t.Cleanup(f.Close)
	return f
}

// noise returns bytes that no two messages have in common.
func noise(n int) []byte {
	data := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(data)
	return data
}

// get reads a file at once.
func get(ctx context.Context, f cluster.Files, name string) (data []byte, err error) {
	err = f.Get(ctx, name, func(r io.Reader) (err error) {
		data, err = io.ReadAll(r)
		return err
	})
	return data, err
}

// once calls do before the second read.
type once struct {
	io.ReaderAt
	reads int
	do    func()
}

func (o *once) ReadAt(p []byte, at int64) (int, error) {
	if o.reads++; o.reads == 2 {
		o.do()
	}
	return o.ReaderAt.ReadAt(p, at)
}

// TestFiles has a worker and the front end exchange files, which workers may do with the permissions that they have.
func TestFiles(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	f := open(t, natscarrier.Config{Files: true})
	front, worker := f.Files(), openFiles(t, f.URL())
	list, err := front.List(ctx)
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = get(ctx, worker, "tier-1")
	require.ErrorIs(t, err, cluster.ErrNoFile)
	require.NoError(t, front.Delete(ctx, "tier-1"))

	for _, data := range [][]byte{noise(3 << 20), {}, noise(1000)} { // each in place of the one before
		require.NoError(t, worker.Put(ctx, "tier-1", bytes.NewReader(data), int64(len(data))))
		got, err := get(ctx, front, "tier-1")
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, got))
	}
	require.NoError(t, front.Put(ctx, "tier-2", bytes.NewReader([]byte("two and more")), 3))
	got, err := get(ctx, worker, "tier-2")
	require.NoError(t, err)
	require.Equal(t, "two", string(got))
	list, err = front.List(ctx)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"tier-1", "tier-2"}, list)
	require.NoError(t, front.Delete(ctx, "tier-1"))
	list, err = front.List(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"tier-2"}, list)

	full := errors.New("the disk is full")
	require.Equal(t, full, worker.Get(ctx, "tier-2", func(io.Reader) error { return full }), "which no other try mends")
	require.ErrorIs(t, worker.Put(ctx, "tier-3", broken{full}, 10), full)
}

// broken fails to be read.
type broken struct{ error }

func (b broken) ReadAt([]byte, int64) (int, error) { return 0, b.error }

// TestFilesCut drops the connection while a file is on its way, in both directions.
func TestFilesCut(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	f := open(t, natscarrier.Config{Files: true})
	p := clustertest.NewProxy(t, f.URL())
	files := openFiles(t, p.URL())
	cut := func() {
		p.Set(false)
		time.AfterFunc(short/3, func() { p.Set(true) })
	}
	data := noise(8 << 20)
	sent := &once{ReaderAt: bytes.NewReader(data), do: cut}
	require.NoError(t, files.Put(ctx, "tier-1", sent, int64(len(data))))
	require.Greater(t, sent.reads, 2)
	got, err := get(ctx, f.Files(), "tier-1")
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, got))

	tries := 0
	sum := sha256.New()
	require.NoError(t, files.Get(ctx, "tier-1", func(r io.Reader) error {
		if tries++; tries == 1 {
			io.ReadFull(r, make([]byte, 1000))
			cut()
		}
		sum.Reset()
		_, err := io.Copy(sum, r)
		return err
	}))
	require.Greater(t, tries, 1)
	want := sha256.Sum256(data)
	require.Equal(t, want[:], sum.Sum(nil))
}

// TestFilesInterrupted ends the context of who reads a file while the server is silent.
func TestFilesInterrupted(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{Files: true})
	p := clustertest.NewProxy(t, f.URL())
	files := openFiles(t, p.URL())
	data := noise(32 << 20)
	require.NoError(t, f.Files().Put(t.Context(), "tier-1", bytes.NewReader(data), int64(len(data))))
	ctx, cancel := context.WithCancel(t.Context())
	var speak func()
	var group sync.WaitGroup
	err := files.Get(ctx, "tier-1", func(r io.Reader) error {
		io.ReadFull(r, make([]byte, 1000))
		speak = p.Silence()
		group.Go(cancel)
		_, err := io.Copy(io.Discard, r)
		return err
	})
	group.Wait()
	require.ErrorIs(t, err, context.Canceled)
	speak()
}

// TestFilesBroken asks a few times for a file that the server has damaged, and then fails.
func TestFilesBroken(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	f := open(t, natscarrier.Config{Files: true})
	files := openFiles(t, f.URL())
	data := noise(1000)
	require.NoError(t, files.Put(ctx, "tier-1", bytes.NewReader(data), int64(len(data))))
	nc, err := nats.Connect(f.URL(), nats.UserInfo("worker", account.Secret))
	require.NoError(t, err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	parts, err := js.ObjectStore(ctx, "yomikiri-parts")
	require.NoError(t, err)
	list, err := parts.List(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	sum := sha256.Sum256(data[1:])
	list[0].Digest = "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:])
	text, err := json.Marshal(list[0])
	require.NoError(t, err)
	_, err = js.PublishMsg(ctx, &nats.Msg{Subject: "$O.yomikiri-parts.M." + base64.URLEncoding.EncodeToString([]byte(list[0].Name)), Data: text, Header: nats.Header{"Nats-Rollup": {"sub"}}})
	require.NoError(t, err)
	tries := 0
	err = files.Get(ctx, "tier-1", func(r io.Reader) error {
		tries++
		_, err := io.Copy(io.Discard, r)
		return err
	})
	require.ErrorIs(t, err, cluster.ErrBroken)
	require.Equal(t, 4, tries)
}
