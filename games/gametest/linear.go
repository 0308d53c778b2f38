package gametest

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// Linear checks that a reader takes memory in proportion to its input. prepare returns a function
// that reads an input of some size. What it allocates, in bytes, stands for its steps: unlike time it
// hardly differs between runs. For an input eight times as large it may be twice as much as eight
// times, since slices grow by doubling; a reader that copies what is left of its input after each
// step would allocate 64 times as much.
func Linear(t *testing.T, size int, prepare func(size int) (read func())) {
	t.Helper()
	const times = 8
	small, large := allocated(prepare(size)), allocated(prepare(times*size))
	require.LessOrEqual(t, large, 2*times*small+1<<16, "bytes allocated for an input of %d times %d, which took %d bytes", times, size, small)
}

// allocated returns the least number of bytes that a few calls allocate, since others may allocate
// at the same time.
func allocated(read func()) uint64 {
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// long reads long texts as positions and moves, which they are not.
func (s *suite[P, M]) long(t *testing.T) {
	start := string(s.g.AppendPosition(nil, s.g.Start()))
	for _, piece := range []string{start, start + " ", "1", "-", ",", "/", "+", ":", "x", " "} {
		Linear(t, 100, func(n int) func() {
			text := strings.Repeat(piece, n)
			return func() {
				s.g.ParsePosition(text)
				games.ParseMove(s.g, s.g.Start(), text)
			}
		})
	}
}
