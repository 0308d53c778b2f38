package alphabeta

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/checkers"
)

func BenchmarkCheckers(b *testing.B) {
	g, err := checkers.Family.Open("checkers")
	require.NoError(b, err)
	nodes := uint64(0)
	for b.Loop() {
		s, err := New(g, Config[checkers.Position]{Depth: 14})
		require.NoError(b, err)
		r, err := s.Search(b.Context(), g.Start())
		require.NoError(b, err)
		nodes += r.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
}
