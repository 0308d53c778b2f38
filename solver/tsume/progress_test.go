package tsume

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/internal/race"
)

// TestProgress stops a long search after some progress reports.
func TestProgress(t *testing.T) {
	p, err := ParseProblem("g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1", Reading{})
	require.NoError(t, err)
	cases := []struct{ threads, reports int }{{3, 1}, {1, 2}} // a report takes a second
	if testing.Short() {
		cases = cases[:1]
	}
	for _, c := range cases {
		table, err := dfpn.NewFixedTable(1 << 20)
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

// TestBounds stops a search for the shortest mate that takes long: the length is between the
// bounds, and another search confirms the lower one. The search that goes on proves the length.
func TestBounds(t *testing.T) {
	if race.Enabled {
		t.Skip("it runs on one goroutine, and takes long")
	}
	data, err := os.ReadFile("../../bench/testdata/zuko.sfen")
	require.NoError(t, err)
	set, err := ParseSet(data, Reading{})
	require.NoError(t, err)
	p := set[50].Problem
	table, err := dfpn.NewFixedTable(1 << 25)
	require.NoError(t, err)
	bounds := func(nodes uint64) Solution {
		s, err := Solve(t.Context(), p, table, Options{Nodes: nodes, Shortest: true})
		require.NoError(t, err)
		return s
	}
	s := bounds(2 * shorterBudget)
	require.False(t, s.Shortest)
	require.Positive(t, s.Longer)
	other, err := dfpn.NewFixedTable(1 << 25)
	require.NoError(t, err)
	r := dfpn.NewReader(t.Context(), other, newCursor(p, false, other), dfpn.Config{}).Search(uint16(s.Longer))
	require.Equal(t, dfpn.Disproven, r.Outcome)
	exact := bounds(0)
	require.True(t, exact.Shortest)
	require.Less(t, s.Longer, exact.Length)
	require.GreaterOrEqual(t, s.Length, exact.Length)
	require.Len(t, exact.Line, exact.Length)
	require.Equal(t, exact.Length-2, exact.Longer)
}
