package games

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// wide is a position with padding, and with bytes that take from none to eight bits.
type wide struct {
	few  [20]uint8
	last bool
	many [12]uint8
	none [40]uint8
	word uint64
}

// TestPacking packs positions that are met one after another: their words differ exactly if they do, and stay the same when more is
// learned, but for zeros after them.
func TestPacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(60, 3))
	position := func(i int) (p wide) {
		for s := range p.few {
			p.few[s] = uint8(rng.IntN(1 + min(i, 2)))
		}
		for s := range p.many {
			p.many[s] = uint8(rng.IntN(1 + min(i, 255)))
		}
		p.last, p.none[3], p.word = i%2 == 1, 7, uint64(i/100)
		return p
	}
	first := position(0)
	c := newPacking(first)
	list := packedList{width: c.width()}
	var positions []wide
	for i := range 3000 {
		p := position(i)
		words := make([]uint64, c.width())
		known := c.pack(words, &p)
		if !known {
			c.learn(&p)
			words = make([]uint64, c.width())
			require.True(t, c.pack(words, &p))
		}
		if c.width() > list.width {
			list.widen(c.width())
		}
		copy(list.at(list.add()), words)
		positions = append(positions, p)
	}
	require.Equal(t, (20*2+1+12*8+5+63)/64, c.width())
	seen := map[[4]uint64]wide{}
	for i, p := range positions {
		require.Equal(t, p, c.unpack(list.at(i)))
		words := make([]uint64, c.width())
		require.True(t, c.pack(words, &p))
		require.Equal(t, words, list.at(i))
		require.Equal(t, c.hash(words), c.hash(append(words[:len(words):len(words)], make([]uint64, len(c.factors)-len(words))...)))
		key := [4]uint64(append(words, 0, 0, 0, 0)[:4])
		if q, ok := seen[key]; ok {
			require.Equal(t, p, q)
		}
		seen[key] = p
	}
	unknown := positions[7]
	unknown.none[3] = 8
	require.False(t, c.pack(make([]uint64, c.width()), &unknown))
	unknown = positions[7]
	unknown.few[0] = 99
	require.False(t, c.pack(make([]uint64, c.width()), &unknown))
}

// TestPackingNumbers has positions whose bytes do not determine them.
func TestPackingNumbers(t *testing.T) {
	c := newPacking("a")
	words := make([]uint64, 1)
	a, b := "a", "b"
	require.False(t, c.pack(words, &a))
	c.learn(&a)
	c.learn(&b)
	c.learn(&a)
	require.True(t, c.pack(words, &b))
	require.Equal(t, "b", c.unpack(words))
	require.True(t, c.pack(words, &a))
	require.Equal(t, "a", c.unpack(words))
	require.Positive(t, c.size())
}
