package tsume

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// TestProgress stops a long search after some progress reports.
func TestProgress(t *testing.T) {
	p, err := ParseProblem("g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1", Natural)
	require.NoError(t, err)
	for _, c := range []struct{ threads, reports int }{{1, 2}, {3, 1}} {
		table, err := dfpn.NewTable(1 << 20)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var reports []Progress
		s, err := Solve(ctx, p, table, Options{Threads: c.threads, Shortest: true, Progress: func(p Progress) {
			if reports = append(reports, p); len(reports) == c.reports {
				cancel()
			}
		}})
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(reports), c.reports)
		last := Progress{}
		for _, now := range reports {
			require.GreaterOrEqual(t, now.Nodes, last.Nodes)
			require.Greater(t, now.Time, last.Time)
			require.GreaterOrEqual(t, now.Depth, len(now.Line))
			require.GreaterOrEqual(t, now.Depth, last.Depth)
			require.Positive(t, now.Full)
			require.LessOrEqual(t, now.Full, 1.0)
			b := shogi.NewBoard(p.Position)
			for i, m := range now.Line {
				require.NoError(t, b.CheckMove(m))
				b.Do(m)
				require.True(t, i%2 == 1 || b.InCheck(), "every move of the attacker gives check")
			}
			last = now
		}
		require.GreaterOrEqual(t, s.Nodes, last.Nodes)
	}
}
