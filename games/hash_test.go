package games

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// padded is a position with bytes that are not its own, and other things.
type padded struct {
	a uint8
	b uint32
	c [2]struct {
		d bool
		e uint16
	}
	_ uint16
	f int64
	_ [4]uint16
}

type paddedGame struct{ Game[padded, int] }

func TestSpans(t *testing.T) {
	h := NewHasher[padded, int](paddedGame{})
	require.Equal(t, spans{{0, 1}, {4, 5}, {10, 3}, {14, 2}, {unsafe.Offsetof(padded{}.f), 8}}, h.spans)
	x := padded{a: 1, b: 2, f: 3}
	seen := map[uint64]bool{h.Hash(&x): true}
	for _, y := range []padded{{a: 2, b: 2, f: 3}, {a: 1, b: 3, f: 3}, {a: 1, b: 2, f: 4}, x, x} {
		if y == x {
			require.True(t, seen[h.Hash(&y)])
			y.c[len(seen)%2].d = true
			y.c[1].e = 1
		}
		require.False(t, seen[h.Hash(&y)], "%+v", y)
		seen[h.Hash(&y)] = true
	}
}
