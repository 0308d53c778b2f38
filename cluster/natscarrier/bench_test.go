package natscarrier_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

// BenchmarkEmptyJobs measures jobs that take no time: one at a time, which is the time
// from an offer to the acknowledgement of the result, and with four workers and eight
// jobs for each.
func BenchmarkEmptyJobs(b *testing.B) {
	for _, carrier := range []struct {
		name string
		open func(ctx context.Context) (cluster.Front, func(name string) (cluster.Back, error), error)
	}{
		{"memory", func(context.Context) (cluster.Front, func(string) (cluster.Back, error), error) {
			m := cluster.NewMemory(terms)
			return m.Front(), func(name string) (cluster.Back, error) { return m.Join(terms, name) }, nil
		}},
		{"nats", func(ctx context.Context) (cluster.Front, func(string) (cluster.Back, error), error) {
			f, err := natscarrier.Open(ctx, natscarrier.Config{Terms: terms, Listen: "127.0.0.1:0", Store: b.TempDir()})
			return f, func(name string) (cluster.Back, error) {
				return natscarrier.Join(ctx, natscarrier.Worker{URL: f.URL(), Terms: terms, Name: name})
			}, err
		}},
	} {
		for _, workers := range []int{1, 4} {
			b.Run(fmt.Sprintf("%s/workers=%d", carrier.name, workers), func(b *testing.B) {
				ctx, cancel := context.WithCancel(b.Context())
				defer cancel()
				f, join, err := carrier.open(ctx)
				require.NoError(b, err)
				defer f.Close()
				for n := range workers {
					w, err := join(fmt.Sprint(n))
					require.NoError(b, err)
					defer w.Close()
					go work(ctx, w)
				}
				ahead := 1
				if workers > 1 {
					ahead = 8 * workers
				}
				offered := 0
				for done := 0; b.Loop(); done++ {
					for ; offered < done+ahead; offered++ {
						require.NoError(b, f.Offer(ctx, job(offered)))
					}
					d, err := f.Receive(ctx)
					require.NoError(b, err)
					require.NoError(b, d.Ack(ctx))
				}
			})
		}
	}
}
