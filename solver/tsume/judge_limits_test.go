//go:build !race

package tsume_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestJudgeLimits judges problems within few nodes, and more and more: what is decided is as
// without a limit, and the rest is said to be open.
func TestJudgeLimits(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	open := map[tsume.FaultKind]bool{}
	part := uint64(2)
	if testing.Short() {
		part = 1
	}
	// judge returns the judgement without a limit.
	judge := func(p tsume.Problem, line []shogi.Move, threads int, first uint64) tsume.Judgement {
		options := tsume.JudgeOptions{Superfluous: true, Threads: threads}
		table.Clear()
		all, err := tsume.Judge(t.Context(), p, line, table, options)
		require.NoError(t, err)
		require.Empty(t, all.Open)
		for options.Nodes = first; ; options.Nodes += 1 + options.Nodes/part {
			table.Clear()
			some, err := tsume.Judge(t.Context(), p, line, table, options)
			require.NoError(t, err)
			requirePart(t, all, some, "%v %v, %d nodes", p.Position.SFEN(), plainLine(line), options.Nodes)
			for _, q := range some.Open {
				open[q.Kind] = true
			}
			if len(some.Open) == 0 {
				return all
			}
		}
	}
	for i, c := range judgedKinds {
		p, line := c.problem(t)
		judge(tsume.Problem{Position: p}, line, 1+i%2, 1)
		judge(tsume.Problem{Position: p}, nil, 1, 1)
	}
	set, err := bench.TsumeSet("zuko")
	require.NoError(t, err)
	p := set[21].Problem
	judge(p, judge(p, nil, 1, 2_000).Line, 2, 2_000)
	for _, k := range []tsume.FaultKind{tsume.NoMate, tsume.Cook, tsume.LongerDefence, tsume.FutileOnLine, tsume.Superfluous} {
		require.True(t, open[k], k)
	}
}

// requirePart checks a judgement that a limit may have ended against one without a limit.
func requirePart(t *testing.T, all, some tsume.Judgement, text ...any) {
	has := func(list []tsume.Fault, f tsume.Fault) bool {
		return slices.ContainsFunc(list, func(g tsume.Fault) bool {
			return f.Kind == g.Kind && f.Grade == g.Grade && f.Ply == g.Ply && f.Move == g.Move && f.Square == g.Square &&
				(!f.Exact || !g.Exact || f.Length == g.Length)
		})
	}
	if len(some.Open) > 0 {
		require.NotEqual(t, tsume.Sound, some.Verdict, text...)
	} else {
		require.Equal(t, all.Verdict, some.Verdict, text...)
		require.Len(t, some.Line, len(all.Line), text...)
	}
	if some.Verdict != tsume.NotDecided {
		require.Equal(t, all.Verdict, some.Verdict, text...)
	}
	if !slices.Equal(all.Line, some.Line) {
		return
	}
	// Up to where the line is known to be mate or not, other checks do not depend on the rest.
	known := len(all.Line) + 1
	for _, list := range [][]tsume.Fault{all.Faults, some.Faults} {
		for _, f := range list {
			if f.Kind == tsume.NoMate {
				known = min(known, f.Ply)
			}
		}
	}
	whole := true
	for _, q := range some.Open {
		if q.Kind == tsume.NoMate || q.Move == shogi.NoMove && q.Kind == tsume.LongerDefence {
			known, whole = min(known, q.Ply), false
		}
	}
	for _, f := range some.Faults {
		require.True(t, f.Kind != tsume.Superfluous || some.Verdict != tsume.Faulty, text...)
		if f.Kind == tsume.NoMate {
			require.True(t, slices.ContainsFunc(all.Faults, func(g tsume.Fault) bool { return g.Kind == tsume.NoMate }), text...)
		} else if whole || f.Ply < known && f.Ply%2 == 0 {
			require.True(t, has(all.Faults, f), append(text, f)...)
		}
	}
	for _, f := range all.Faults {
		is := slices.ContainsFunc(some.Open, func(q tsume.OpenQuestion) bool {
			return f.Ply == q.Ply && f.Move == q.Move && f.Square == q.Square
		})
		if (whole || f.Ply < known) && !is && (f.Kind != tsume.Superfluous || some.Verdict == tsume.Sound) {
			require.True(t, has(some.Faults, f), append(text, f)...)
		}
	}
	require.True(t, slices.IsSortedFunc(some.Faults, func(f, g tsume.Fault) int {
		return cmp.Or(cmp.Compare(f.Grade, g.Grade), cmp.Compare(f.Ply, g.Ply))
	}), text...)
}

// TestJudgeTail has an intended line that goes on with futile interpositions.
func TestJudgeTail(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	p, err := shogi.ParseSFEN("7lk/7p1/7G1/9/9/9/9/9/9 b L2p")
	require.NoError(t, err)
	line := movesOf(t, p, "L*1d P*1c 1d1c P*1b 1c1b")
	j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, line, table, tsume.JudgeOptions{})
	require.NoError(t, err)
	require.Equal(t, line[:1], j.Line)
	require.True(t, j.Given)
}

// TestJudgeNoMate has an intended line of a problem without a mate: that is one fault.
func TestJudgeNoMate(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	p, err := shogi.ParseSFEN("7k1/9/6G2/9/9/9/9/9/9 b L")
	require.NoError(t, err)
	j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, movesOf(t, p, "L*2c 2a1a 3c2b"), table, tsume.JudgeOptions{Superfluous: true})
	require.NoError(t, err)
	require.Empty(t, j.Open)
	require.Len(t, j.Faults, 1)
	require.Equal(t, tsume.NoMate, j.Faults[0].Kind)
	require.Equal(t, 1, j.Faults[0].Ply)
}

// TestJudgeRefuses has what is no problem or no intended line.
func TestJudgeRefuses(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	p, err := shogi.ParseSFEN("8k/9/8G/9/9/9/9/9/9 b RG")
	require.NoError(t, err)
	b := shogi.NewBoard(p)
	b.Do(movesOf(t, p, "R*1b")[0])
	q := b.Position()
	for _, c := range []struct {
		problem tsume.Problem
		line    []shogi.Move
		err     string
	}{
		{tsume.Problem{Position: q, Defends: true}, nil, "the defender is to move"},
		{tsume.Problem{Position: p}, movesOf(t, p, "R*9b 1a2a G*2b"), "gives no check"},
		{tsume.Problem{Position: p}, movesOf(t, q, "1a2a"), "the intended line, move 1: "},
	} {
		_, err := tsume.Judge(t.Context(), c.problem, c.line, table, tsume.JudgeOptions{})
		require.ErrorContains(t, err, c.err)
	}
}
