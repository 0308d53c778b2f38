package alphabeta

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func (t *table[P, M]) bytes() uint64 {
	return uint64(len(t.entries)) * (uint64(unsafe.Sizeof(entry[P, M]{})) + 2)
}

// TestTableBeginsSmall solves a small problem with much memory, of which it takes little.
func TestTableBeginsSmall(t *testing.T) {
	s, err := New(tictactoe.Game{}, Config[tictactoe.Position]{Depth: 9, Memory: 2 << 30})
	require.NoError(t, err)
	r, err := s.Search(t.Context(), tictactoe.Game{}.Start())
	require.NoError(t, err)
	require.True(t, r.Known())
	require.LessOrEqual(t, s.table.bytes(), uint64(begins))
}

// TestTableGrows puts more into a table than it had room for at the beginning: it still has almost all
// until it has its full size, and then the size stays.
func TestTableGrows(t *testing.T) {
	const memory = 40 << 20
	hash := func(p *uint64) uint64 { return *p }
	var tab table[uint64, int]
	tab.init(memory, hash)
	require.LessOrEqual(t, tab.bytes(), uint64(begins))
	rng := rand.New(rand.NewPCG(1, 2))
	var all []uint64
	sizes := map[uint64]bool{}
	put := func() {
		p := rng.Uint64()
		all = append(all, p)
		e := tab.place(p, &p)
		if *e != (entry[uint64, int]{position: p, lower: games.Lost, upper: games.Won}) {
			t.Fatalf("%+v", *e)
		}
		e.move, e.moved, e.score = int(p>>3), true, int16(p)
		sizes[tab.bytes()] = true
	}
	found := func() (n int) {
		for _, p := range all {
			if e := tab.find(p, &p); e != nil {
				if *e != (entry[uint64, int]{position: p, lower: games.Lost, upper: games.Won, move: int(p >> 3), moved: true, score: int16(p)}) {
					t.Fatalf("%+v", *e)
				}
				n++
			}
		}
		return n
	}
	for tab.shift > 0 {
		put()
	}
	require.Len(t, sizes, 4)
	require.Greater(t, found(), len(all)-len(all)/100)
	used := 0
	for _, tag := range tab.tags {
		if tag != 0 {
			used++
		}
	}
	require.Equal(t, used, tab.used)
	for range 2 * len(tab.entries) {
		put()
	}
	require.Len(t, sizes, 4)
	require.LessOrEqual(t, tab.bytes(), uint64(memory))
	require.Greater(t, tab.bytes(), uint64(memory)*99/100)
	require.Greater(t, found(), len(tab.entries)*9/10)
}

// TestTableGrowsInSearch gives the same as a table that has its full size from the beginning.
func TestTableGrowsInSearch(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=5x4")
	require.NoError(t, err)
	search := func(whole bool) (Result[connect4.Move], uint) {
		s, err := New(g, Config[connect4.Position]{Memory: 64 << 20, Nodes: 400_000})
		require.NoError(t, err)
		before := s.table.shift
		if whole {
			s.table.shift = 0
			s.table.allocate()
		}
		r, err := s.Search(t.Context(), g.Start())
		require.NoError(t, err)
		r.Time = 0
		return r, before - s.table.shift
	}
	grown, by := search(false)
	require.Positive(t, by)
	whole, _ := search(true)
	require.Equal(t, whole, grown)
}
