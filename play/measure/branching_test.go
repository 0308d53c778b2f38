package measure

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
)

// TestMeasure counts leaves again by searches with the pruning that the measure has, whatever that of the
// searcher is.
func TestMeasure(t *testing.T) {
	const leaves = 3000
	g := shogi.Game{}
	p, err := g.ParsePosition("ln1g1g1nl/1ks2r3/1pppp1bpp/p4pp2/9/P1P1P1P2/1P1PSP1PP/1BK1G2R1/LN1G3NL b Ss 1")
	require.NoError(t, err)
	q := play.Query[shogi.Position, shogi.Move]{From: p}
	fresh := func(pruning play.Pruning) *play.Searcher[shogi.Position, shogi.Move] {
		s, err := play.New(g, play.Config[shogi.Position]{Pruning: pruning})
		require.NoError(t, err)
		return s
	}
	d, err := Measure(t.Context(), fresh(play.AllPruning), q, leaves)
	require.NoError(t, err)
	same, err := Measure(t.Context(), fresh(play.Pruning{NullMoves: true, Reductions: true}), q, leaves)
	require.NoError(t, err)
	require.Equal(t, d, same)

	s := fresh(play.Pruning{NullMoves: true, Reductions: true})
	var n uint64
	search := func(depth int, w play.Window) play.Result[shogi.Move] {
		q := q
		q.Limits, q.Window = play.Limits{FirstDepth: depth, Depth: depth}, w
		r, err := s.Search(t.Context(), q)
		require.NoError(t, err)
		return r
	}
	depth := 0
	for n <= leaves {
		depth++
		r := search(depth, play.Window{})
		n += r.Leaves
		require.Equal(t, n <= leaves, depth < d.Depth)
		if depth == d.Depth {
			require.Equal(t, d.Score, r.Best().Score)
		}
	}
	require.Equal(t, d.Depth, depth)
	require.InDelta(t, Branching(search(depth+1, play.AtLeastEven).Leaves, depth+1), d.Up, 1e-12)
	require.InDelta(t, Branching(search(depth+1, play.AtMostEven).Leaves, depth+1), d.Down, 1e-12)
	require.Greater(t, d.Up, 1.5)
}

func TestBranching(t *testing.T) {
	require.InDelta(t, 10, Branching(1000, 3), 1e-9)
	require.InDelta(t, math.Pow(2, 0.2), Branching(0, 5), 1e-9)
}
