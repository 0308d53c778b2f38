package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
)

const lease = 30 * time.Second

func job(n int) cluster.Job {
	body := []byte(fmt.Sprint("job ", n))
	return cluster.Job{ID: cluster.NewID(body), Body: cluster.Bytes(body)}
}

func at(seconds int) time.Time { return time.Unix(int64(seconds), 0) }

// TestQueueLeases follows one job through leases that end, are renewed and returned.
func TestQueueLeases(t *testing.T) {
	q := cluster.NewQueue(lease)
	j := job(1)
	q.Offer(at(0), j, j)
	q.Offer(at(0), job(2))
	require.Equal(t, cluster.Status{Queued: 2}, q.Status(at(0)))
	got, first := q.Take(at(1))
	require.Equal(t, j, got)
	q.Offer(at(2), j) // it has it
	require.Equal(t, cluster.Status{Queued: 1, Leased: 1, Oldest: 3 * time.Second}, q.Status(at(3)))
	require.NoError(t, q.Renew(at(20), j.ID, first))
	require.ErrorIs(t, q.Renew(at(20), job(2).ID, first), cluster.ErrGone)
	wakes, ok := q.Wakes(at(20))
	require.True(t, ok)
	require.Equal(t, at(31), wakes, "when the lease would have ended")
	require.Equal(t, 1, q.Status(at(49)).Leased, "it was renewed")
	require.Equal(t, 2, q.Status(at(50)).Queued)
	require.ErrorIs(t, q.Renew(at(50), j.ID, first), cluster.ErrGone)

	got, second := q.Take(at(51))
	require.Equal(t, j, got, "what was given out before comes first")
	require.NotEqual(t, first, second)
	require.ErrorIs(t, q.Return(at(52), j.ID, first), cluster.ErrGone)
	require.NoError(t, q.Return(at(52), j.ID, second))
	got, third := q.Take(at(52))
	require.Equal(t, j, got)

	// A result counts from the worker that has the lease, or that had it if nobody else has.
	require.ErrorIs(t, q.Done(at(53), cluster.Result{Job: j.ID, Worker: "stranger"}, second), cluster.ErrGone)
	require.NoError(t, q.Done(at(53), cluster.Result{Job: j.ID, Worker: "third"}, third))
	require.ErrorIs(t, q.Done(at(53), cluster.Result{Job: j.ID, Worker: "third"}, third), cluster.ErrGone)
	require.ErrorIs(t, q.Renew(at(53), j.ID, third), cluster.ErrGone)
	_, none := q.Claim(at(53), j.ID)
	require.Zero(t, none)
	q.Offer(at(54), j)
	got, fourth := q.Claim(at(54), j.ID)
	require.Equal(t, j, got)
	_, none = q.Claim(at(54), j.ID)
	require.Zero(t, none)
	require.NoError(t, q.Done(at(100), cluster.Result{Job: j.ID, Worker: "late"}, fourth))
	r, number := q.Receive(at(100))
	require.Equal(t, "third", r.Worker)
	_, other := q.Receive(at(101))
	require.NotZero(t, other)
	_, none = q.Receive(at(102))
	require.Zero(t, none)
	q.Ack(other)
	r, again := q.Receive(at(130))
	require.Equal(t, "third", r.Worker, "it was not acknowledged")
	require.Equal(t, number, again)
	q.Ack(again)
	require.Equal(t, cluster.Status{Queued: 1, Oldest: 131 * time.Second}, q.Status(at(131)))
	q.Recall(job(2).ID, job(3).ID)
	require.Equal(t, cluster.Status{}, q.Status(at(131)))
}

// TestQueueRandom drives a queue at random: a job is leased to one at a time, none is
// lost, and the queue is empty when all is done.
func TestQueueRandom(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		q := cluster.NewQueue(lease)
		type held struct {
			job    cluster.Job
			number uint64
			ends   time.Time
		}
		var leases []held
		open, results := map[cluster.ID]bool{}, 0
		now := at(0)
		for n := range 400 {
			now = now.Add(time.Duration(rng.IntN(8)) * time.Second)
			switch rng.IntN(5) {
			case 0:
				if j := job(n); n < 300 {
					q.Offer(now, j)
					open[j.ID] = true
				}
			case 1, 2:
				if j, number := q.Take(now); number > 0 {
					require.True(t, open[j.ID])
					for _, h := range leases {
						require.False(t, h.job.ID == j.ID && h.ends.After(now), "seed %d: leased twice", seed)
					}
					leases = append(leases, held{j, number, now.Add(lease)})
				}
			case 3:
				if len(leases) > 0 {
					h := &leases[rng.IntN(len(leases))]
					err := q.Renew(now, h.job.ID, h.number)
					if require.Equal(t, open[h.job.ID] && h.ends.After(now), err == nil, "seed %d", seed); err == nil {
						h.ends = now.Add(lease)
					}
				}
			case 4:
				if len(leases) > 0 {
					h := leases[rng.IntN(len(leases))]
					if q.Done(now, cluster.Result{Job: h.job.ID}, h.number) == nil {
						require.True(t, open[h.job.ID])
						delete(open, h.job.ID)
						results++
					} else {
						require.True(t, !open[h.job.ID] || h.ends.Before(now) || h.ends.Equal(now), "seed %d: the holder is refused", seed)
					}
				}
			}
		}
		now = now.Add(lease)
		for j, number := q.Take(now); number > 0; j, number = q.Take(now) {
			require.NoError(t, q.Done(now, cluster.Result{Job: j.ID}, number))
			delete(open, j.ID)
			results++
		}
		require.Empty(t, open, "seed %d", seed)
		for _, number := q.Receive(now); number > 0; _, number = q.Receive(now) {
			q.Ack(number)
			results--
		}
		require.Zero(t, results)
		require.Equal(t, cluster.Status{}, q.Status(now))
		_, ok := q.Wakes(now.Add(lease))
		require.False(t, ok)
	}
}

func TestNewID(t *testing.T) {
	require.Equal(t, cluster.NewID([]byte("a"), []byte("b")), cluster.NewID([]byte("a"), []byte("b")))
	require.NotEqual(t, cluster.NewID([]byte("ab")), cluster.NewID([]byte("a"), []byte("b")))
	require.NotEqual(t, cluster.NewID([]byte("a"), nil), cluster.NewID([]byte("a")))
	require.Len(t, cluster.NewID().String(), 32)
}

func TestAdmit(t *testing.T) {
	terms := cluster.Terms{Version: "1.2", Game: "gomoku:k=4", Rules: "c0ffee", Token: "secret"}
	require.NoError(t, terms.Admit(terms))
	for _, test := range []struct {
		change func(t *cluster.Terms)
		want   string
	}{
		{func(t *cluster.Terms) { t.Version = "1.3" }, "this is version 1.3, and version 1.2 is wanted"},
		{func(t *cluster.Terms) { t.Game = "awari" }, "this plays awari, and gomoku:k=4 is wanted"},
		{func(t *cluster.Terms) { t.Rules = "bad" }, "fingerprints bad and c0ffee"},
		{func(t *cluster.Terms) { t.Token = "guess" }, "the token is not"},
		{func(t *cluster.Terms) { t.Token = "" }, "none was given"},
	} {
		worker := terms
		test.change(&worker)
		err := terms.Admit(worker)
		require.ErrorIs(t, err, cluster.ErrRefused)
		require.ErrorContains(t, err, test.want)
		require.NotContains(t, err.Error(), "secret")
		require.NotContains(t, err.Error(), "guess")
	}
}
