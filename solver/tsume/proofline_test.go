//go:build !race

package tsume_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

const (
	zuko92   = "6kp1/8n/5R1L1/4+b2sB/6N2/9/6L2/9/9 b -"
	someLong = "7n1/5+B+P1r/7k1/7+p1/6P2/7N1/7N1/8B/9 b N2Pr4g4s4l13p"
)

// requireMate checks that the solution of a mate that is proven has a line of play.
func requireMate(t *testing.T, p tsume.Problem, s tsume.Solution) {
	t.Helper()
	require.NotEmpty(t, s.Line)
	require.LessOrEqual(t, len(s.Line), s.Length)
	if !s.Cut {
		require.NoError(t, replay(p.Position, s.Line, s.Tail))
		return
	}
	b := shogi.NewBoard(p.Position)
	for _, m := range s.Line {
		require.NoError(t, b.CheckMove(m))
		b.Do(m)
	}
}

// TestLimitAtLine reaches the limit after the mate is proven, while the line is being chosen: in tables that keep
// the proof and in one that loses it.
func TestLimitAtLine(t *testing.T) {
	part, most := uint64(4), uint64(1<<17)
	if testing.Short() {
		part, most = 1, 1<<14
	}
	for _, text := range []string{zuko92, someLong} {
		p, err := tsume.ParseProblem(text, tsume.Reading{})
		require.NoError(t, err)
		for _, memory := range []int64{1 << 22, 1 << 12} {
			table, err := dfpn.NewFixedTable(memory)
			require.NoError(t, err)
			proven := 0
			for _, shortest := range []bool{false, true} {
				for nodes := uint64(500); nodes < most; nodes += nodes / part {
					table.Clear()
					s, err := tsume.Solve(t.Context(), p, table, tsume.Options{Shortest: shortest, Nodes: nodes})
					require.NoError(t, err)
					if s.Outcome == dfpn.Proven {
						proven++
						requireMate(t, p, s)
						require.True(t, !s.Cut || memory == 1<<12)
					}
				}
				// The end of the context, just when a mate is found.
				ctx, cancel := context.WithCancel(t.Context())
				table.Clear()
				s, err := tsume.Solve(ctx, p, table, tsume.Options{Shortest: shortest, Found: func(int, []shogi.Move) { cancel() }})
				require.NoError(t, err)
				require.Equal(t, dfpn.Proven, s.Outcome)
				requireMate(t, p, s)
			}
			require.Positive(t, proven, text)
		}
	}
}

// TestLines asks for several lines of play.
func TestLines(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	for _, c := range []struct {
		position string
		want     int
		others   int
	}{
		{"4k4/9/4P4/9/9/9/9/9/9 b 2G2R", 1, 0},
		{"4k4/9/4P4/9/9/9/9/9/9 b 2G2R", 4, 3},
		{"4k4/9/4P4/9/9/9/9/9/9 b G", 4, 0}, // only one move mates
		{"8k/9/7NG/9/9/9/9/9/9 w 2GR", 4, 0},
		{"8k/9/6G2/9/9/9/9/9/8R w G", 4, 3},
	} {
		p, err := tsume.ParseProblem(c.position, tsume.Reading{})
		require.NoError(t, err)
		table.Clear()
		s, err := tsume.Solve(t.Context(), p, table, tsume.Options{Lines: c.want, Shortest: true})
		require.NoError(t, err)
		require.Equal(t, dfpn.Proven, s.Outcome)
		require.Len(t, s.Others, c.others, c.position)
		seen := map[shogi.Move]bool{s.Line[0]: true}
		for i, o := range s.Others {
			require.False(t, seen[o.Move])
			seen[o.Move] = true
			require.Equal(t, o.Move, o.Line[0])
			require.LessOrEqual(t, len(o.Line), o.Length)
			require.True(t, i == 0 || p.Defends == (s.Others[i-1].Length > o.Length) || s.Others[i-1].Length == o.Length)
			b := shogi.NewBoard(p.Position)
			for _, m := range o.Line {
				require.NoError(t, b.CheckMove(m))
				b.Do(m)
			}
			require.True(t, b.InCheck() && b.Turn() == shogi.White)
		}
	}
}
