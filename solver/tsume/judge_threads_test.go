package tsume_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestJudgeThreads judges a problem with cooks, blemishes and a detour on several threads: what is
// decided does not depend on their number.
func TestJudgeThreads(t *testing.T) {
	set, err := bench.TsumeSet("zuko")
	require.NoError(t, err)
	p := set[21].Problem
	table, err := dfpn.NewFixedTable(16 << 20)
	require.NoError(t, err)
	one, err := tsume.Judge(t.Context(), p, nil, table, tsume.JudgeOptions{})
	require.NoError(t, err)
	require.Empty(t, one.Open)
	require.Equal(t, tsume.Faulty, one.Verdict)
	places := func(j tsume.Judgement) (list []tsume.Fault) {
		for _, f := range j.Faults {
			list = append(list, tsume.Fault{Kind: f.Kind, Grade: f.Grade, Ply: f.Ply, Move: f.Move})
		}
		return list
	}
	for _, threads := range []int{2, 3} {
		table.Clear()
		more, err := tsume.Judge(t.Context(), p, one.Line, table, tsume.JudgeOptions{Threads: threads})
		require.NoError(t, err)
		require.Empty(t, more.Open)
		require.ElementsMatch(t, places(one), places(more))
	}
	// A limit stops all of them.
	table.Clear()
	some, err := tsume.Judge(t.Context(), p, one.Line, table, tsume.JudgeOptions{Threads: 2, Nodes: 5_000})
	require.NoError(t, err)
	require.NotEmpty(t, some.Open)
	require.Less(t, some.Nodes, uint64(15_000))
}
