package tsume

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
)

// numbers are the numbers below n.
func numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// TestEachStreams reports each answer before the next problem is known.
func TestEachStreams(t *testing.T) {
	reported := make(chan int, 1)
	problems := func(yield func(int) bool) {
		for i := range 5 {
			if !yield(i) {
				return
			}
			require.Equal(t, i, <-reported)
		}
	}
	require.NoError(t, Each(t.Context(), problems, 3, 1<<12,
		func(_ context.Context, i int, _ *dfpn.Table) (int, error) { return i, nil },
		func(_, i int) error { reported <- i; return nil }))
}

// TestEach has answers that come out of order, and errors on either side. The time is that of the
// bubble.
func TestEach(t *testing.T) {
	fail := errors.New("no")
	for _, c := range []struct {
		solve, report int // fails at this problem, or never if -1
		want          error
	}{{-1, -1, nil}, {3, -1, fail}, {-1, 3, fail}} {
		synctest.Test(t, func(t *testing.T) {
			var order []int
			err := Each(t.Context(), numbers(20), 4, 1<<12, func(_ context.Context, i int, _ *dfpn.Table) (int, error) {
				time.Sleep(time.Duration(20-i) * time.Millisecond / 4)
				if i == c.solve {
					return 0, fail
				}
				return i * i, nil
			}, func(i, square int) error {
				require.Equal(t, i*i, square)
				require.Len(t, order, i)
				order = append(order, i)
				if i == c.report {
					return fail
				}
				return nil
			})
			require.Equal(t, c.want, err)
			switch {
			case c.want == nil:
				require.Len(t, order, 20)
			case c.report >= 0:
				require.Len(t, order, c.report+1)
			default:
				require.LessOrEqual(t, len(order), c.solve)
			}
		})
	}
	require.ErrorContains(t, Each(t.Context(), numbers(1), 1, 1, func(context.Context, int, *dfpn.Table) (int, error) { return 0, nil },
		func(int, int) error { return nil }), "too small")
}
