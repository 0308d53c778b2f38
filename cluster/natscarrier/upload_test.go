package natscarrier

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
)

// uploads is a front end with workers that send parts of results.
type uploads struct {
	*Front
	t       *testing.T
	workers []*worker
	leases  []uint64
}

// newUploads returns a front end and a number of workers, each with a job.
func newUploads(t *testing.T, number int, lease time.Duration) *uploads {
	f, err := Open(t.Context(), Config{Listen: "127.0.0.1:0", Lease: lease})
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	u := &uploads{Front: f, t: t}
	for n := range number {
		body := cluster.Bytes(fmt.Sprint(n))
		require.NoError(t, f.Offer(t.Context(), cluster.Job{ID: cluster.NewID(body), Body: body}))
		back, err := f.Join(cluster.Terms{}, fmt.Sprint(n))
		require.NoError(t, err)
		l, err := back.Take(t.Context())
		require.NoError(t, err)
		// A push to it is lost.
		c, err := newCipher(key(t), key(t).PublicKey().Bytes(), "")
		require.NoError(t, err)
		w := &worker{number: uint64(1000 + n), back: back, cipher: c, heard: time.Now(), leases: map[uint64]*held{}}
		var m message
		_, err = f.hold(w, l, &m)
		require.NoError(t, err)
		f.mu.Lock()
		f.workers[w.number] = w
		f.mu.Unlock()
		u.workers, u.leases = append(u.workers, w), append(u.leases, m.Lease)
	}
	return u
}

// send sends a part of a result.
func (u *uploads) send(worker int, offset, size uint64, data []byte) message {
	m, _ := u.serve(u.workers[worker], message{Kind: result, Lease: u.leases[worker], Offset: offset, Size: size}, data)
	return m
}

// kept returns how many bytes of results the front end has.
func (u *uploads) kept() (size int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	size = u.memory.Encoded()
	for _, w := range u.workers {
		for _, h := range w.leases {
			size += cap(h.upload)
		}
	}
	return size
}

// TestUploadsBounded has 140 workers send results that they do not finish. Memory is bounded, and
// the oldest result can be completed.
func TestUploadsBounded(t *testing.T) {
	u := newUploads(t, 140, time.Minute)
	part := make([]byte, 512<<10)
	sent, refused := uint64(0), 0
	for offset := uint64(0); offset < 4<<20; offset += uint64(len(part)) {
		for n := range u.workers {
			switch m := u.send(n, offset, 5<<20, part); m.Kind {
			case done:
				sent += uint64(len(part))
			case later:
				refused++
			default:
				require.Fail(t, "unexpected reply", "%+v", m)
			}
		}
	}
	require.Positive(t, refused)
	require.LessOrEqual(t, u.kept(), 2*maxResults+2*5<<20, "slices have room to grow")
	for offset := uint64(4 << 20); offset < 5<<20; offset += uint64(len(part)) {
		require.Equal(t, done, int(u.send(0, offset, 5<<20, part).Kind), "the oldest goes on")
	}
	d, err := u.Receive(t.Context())
	require.NoError(t, err)
	require.Len(t, d.Result().Body, 5<<20)
	require.NoError(t, d.Ack(t.Context()))
}

// TestUploadsDeclared declares sizes: nothing is allocated for them.
func TestUploadsDeclared(t *testing.T) {
	u := newUploads(t, 2, time.Minute)
	require.Equal(t, message{Kind: tooLarge, Size: maxResult}, u.send(0, 0, 1<<60, []byte("x")))
	require.Equal(t, message{Kind: done, Offset: 1}, u.send(0, 0, maxResult, []byte("x")))
	require.Less(t, u.kept(), 100)
	// What is out of order, or more than declared, is not kept, and the reply says what is missing.
	require.Equal(t, message{Kind: done, Offset: 1}, u.send(0, 1<<20, maxResult, []byte("x")))
	require.Equal(t, message{Kind: done, Offset: 1}, u.send(0, 0, maxResult, []byte("x")))
	require.Equal(t, message{Kind: done, Offset: 1}, u.send(0, 1, 3, []byte("xyz")))
	require.Equal(t, message{Kind: done, Offset: 3}, u.send(0, 1, 3, []byte("yz")))
	require.Equal(t, gone, int(u.send(0, 0, 3, []byte("xyz")).Kind), "the job is done")
	// Nobody sends a result for another worker's lease.
	m, _ := u.serve(u.workers[0], message{Kind: result, Lease: u.leases[1], Size: 1}, []byte("x"))
	require.Equal(t, message{Kind: gone}, m)
	d, err := u.Receive(t.Context())
	require.NoError(t, err)
	require.Equal(t, cluster.Bytes("xyz"), d.Result().Body)
}

// TestUploadsStuck has an upload stop, although its worker renews the lease: it is dropped, and
// the job goes to another worker.
func TestUploadsStuck(t *testing.T) {
	u := newUploads(t, 1, 400*time.Millisecond)
	require.Equal(t, message{Kind: done, Offset: 1}, u.send(0, 0, 2, []byte("x")))
	other, err := u.Join(cluster.Terms{}, "other")
	require.NoError(t, err)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				u.serve(u.workers[0], message{Kind: renew, Lease: u.leases[0]}, nil)
			}
		}
	}()
	_, err = other.Take(t.Context())
	require.NoError(t, err)
	require.Eventually(t, func() bool { return u.kept() == 0 }, time.Minute, time.Millisecond)
}

// renewed counts the renewals of a lease.
type renewed struct {
	cluster.Lease
	times int
}

func (r *renewed) Renew(ctx context.Context) error {
	r.times++
	return r.Lease.Renew(ctx)
}

// TestUploadRenews has a worker send nothing but its result: each part renews the lease, since on
// a slow line all of them can take longer than that.
func TestUploadRenews(t *testing.T) {
	u := newUploads(t, 1, time.Minute)
	h := u.workers[0].leases[u.leases[0]]
	r := &renewed{Lease: h.Lease}
	h.Lease = r
	for offset := range uint64(3) {
		require.Equal(t, message{Kind: done, Offset: offset + 1}, u.send(0, offset, 3, []byte("x")))
		require.Equal(t, int(offset)+1, r.times)
	}
}

// TestFresh has requests come in any order, and twice.
func TestFresh(t *testing.T) {
	w := &worker{}
	for _, step := range []struct {
		number uint64
		fresh  bool
	}{{1, true}, {1, false}, {3, true}, {2, true}, {2, false}, {3, false}, {100, true}, {36, false}, {37, true}, {37, false}, {100, false}, {1 << 40, true}, {100, false}} {
		require.Equal(t, step.fresh, w.fresh(step.number), "%d", step.number)
	}
}

func key(t *testing.T) *ecdh.PrivateKey {
	k, err := ecdh.X25519().GenerateKey(rand.Reader)
	require.NoError(t, err)
	return k
}
