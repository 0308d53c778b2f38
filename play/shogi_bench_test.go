package play_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
)

// BenchmarkSearch measures a search of 1,000,000 nodes.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct{ name, position string }{
		{"start", "startpos"},
		{"opening", "lnsgk1snl/1r4g2/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL b Bb"},
		{"middle", "l4gknl/4gs1b1/p1np1p1pp/1rp1p1p2/1p1P1P3/2P1P1P1P/PPSG1S1P1/1BG4R1/LNK4NL b S"},
		{"hands", "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb"},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := shogi.Game{}.ParsePosition(c.position)
			require.NoError(b, err)
			s, err := play.New(shogi.Game{}, play.Config[shogi.Position]{Memory: 64 << 20, Pruning: play.AllPruning})
			require.NoError(b, err)
			var nodes, depth int
			for b.Loop() {
				s.Clear()
				r, err := s.Search(context.Background(), play.Query[shogi.Position, shogi.Move]{From: p, Limits: play.Limits{Nodes: 1_000_000}})
				require.NoError(b, err)
				nodes += int(r.Nodes)
				depth = r.Depth
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			b.ReportMetric(float64(depth), "plies")
		})
	}
}
