package dobutsu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

// variants are all rule variants.
var variants = []string{
	"dobutsu", "dobutsu:drops=near-chick", "dobutsu:drops=none",
	"dobutsu:try=no", "dobutsu:drops=near-chick,try=no", "dobutsu:drops=none,try=no",
}

func open(t testing.TB, spec string) *Game {
	t.Helper()
	g, err := games.Open(spec)
	require.NoError(t, err)
	require.Equal(t, spec, g.Name())
	return games.Underlying(g).(*Game)
}

func TestConformance(t *testing.T) {
	for _, spec := range variants {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, open(t, spec)) })
	}
}

func FuzzText(f *testing.F) { gametest.FuzzText(f, New()) }

func BenchmarkExpand(b *testing.B) {
	g := New()
	var x games.Expansion
	batch := make([]uint64, 256)
	n := 0
	next := uint64(12345)
	for b.Loop() {
		for i := range batch {
			next += 3
			batch[i] = next % g.index.open
		}
		next = (next + 7_000_001) % g.index.open
		g.Expand(batch, &x)
		n += len(x.Successors)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/move")
	b.ReportMetric(float64(n)/float64(b.N*256), "moves/position")
}
