package bench_test

import (
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/tsume"
)

// requireMate checks a solution by the rules alone: every move is legal, each of
// the attacker's gives check, and at the end the defender has no move.
func requireMate(t *testing.T, p shogi.Position, moves []shogi.Move) {
	t.Helper()
	b := shogi.NewBoard(p)
	attacker := p.Turn()
	for i, m := range moves {
		require.Contains(t, b.AppendMoves(nil), m, "ply %d of %v", i+1, p)
		b.Do(m)
		require.True(t, b.Turn() == attacker || b.InCheck(), "ply %d of %v gives no check", i+1, p)
	}
	require.NotEqual(t, attacker, b.Turn())
	require.Empty(t, b.AppendMoves(nil), "%v is no mate after %d plies", p, len(moves))
}

// TestTsume solves what is easy of both sets.
func TestTsume(t *testing.T) {
	nodes := uint64(8_000)
	if testing.Short() {
		nodes = 2_000
	}
	for _, name := range []string{"zuko", "muso"} {
		problems, err := bench.TsumeSet(name)
		require.NoError(t, err)
		require.Len(t, problems, 100)
		b := bench.Tsume{Problems: problems, Memory: 64 << 20, Options: tsume.Options{Nodes: nodes}}
		var sum uint64
		total, err := b.Run(t.Context(), func(r bench.TsumeResult) error {
			sum += r.Solution.Nodes
			if r.Solution.Outcome == dfpn.Proven && len(r.Solution.Line) > 0 {
				require.LessOrEqual(t, len(r.Solution.Line), r.Solution.Length)
				requireMate(t, r.Entry.Position, append(r.Solution.Line, r.Solution.Tail...))
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, 100, total.Problems)
		require.Equal(t, sum, total.Nodes)
		require.Positive(t, total.Mates, name)
		require.Len(t, total.Solves, total.Solved)
		plot := total.Cactus(name)
		svg, err := plot.SVG()
		require.NoError(t, err)
		require.NoError(t, xml.Unmarshal(svg, new(any)))
		again, err := b.Run(t.Context(), func(bench.TsumeResult) error { return nil })
		require.NoError(t, err)
		require.Equal(t, total.Nodes, again.Nodes, "the signature")
		t.Logf("%s: %d of %d, %d nodes", name, total.Solved, total.Problems, total.Nodes)
	}
}

func TestTsumeRefused(t *testing.T) {
	_, err := bench.TsumeSet("nosuch")
	require.ErrorContains(t, err, "zuko and muso are known")
	_, err = (&bench.Tsume{Memory: 1}).Run(t.Context(), nil)
	require.ErrorContains(t, err, "too small")
}
