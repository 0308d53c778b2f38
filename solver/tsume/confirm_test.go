//go:build !race

package tsume

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver"
)

// The keys of these two positions are equal with the fixed seed. Only the second is mate.
const (
	built  = "1+n1sk2+s+n/+l6g1/4P1g+p+l/4+n+l+p1r/1+s+l1b+p1+n1/7+p1/+p2g4b/+p+p+p4+p+s/6+p2 b G 1"
	double = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
)

func problemOf(t *testing.T, sfen string) Problem {
	t.Helper()
	problem, err := ParseProblem(sfen, Reading{})
	require.NoError(t, err)
	return problem
}

// TestBuiltKeys searches two positions whose keys somebody has made equal in the same table. They are
// taken for one only by whoever uses the seed that he knew.
func TestBuiltKeys(t *testing.T) {
	fixed, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	drawn, err := dfpn.NewTable(1 << 20)
	require.NoError(t, err)
	for _, table := range []*dfpn.Table{fixed, drawn} {
		s, err := Solve(t.Context(), problemOf(t, built), table, Options{})
		require.NoError(t, err)
		require.Equal(t, dfpn.Disproven, s.Outcome)
		s, err = Solve(t.Context(), problemOf(t, double), table, Options{})
		require.NoError(t, err)
		want := dfpn.Proven
		if table == fixed {
			want = dfpn.Disproven // false
		}
		require.Equal(t, want, s.Outcome)
	}
	_, err = Solve(t.Context(), problemOf(t, built), fixed, Options{})
	require.NoError(t, err)
	s, err := Solve(t.Context(), problemOf(t, double), fixed, Options{Certain: true})
	require.ErrorIs(t, err, solver.ErrContradiction)
	require.False(t, s.Certain)
}

// TestCertain asks for answers that another search confirms.
func TestCertain(t *testing.T) {
	for _, c := range []struct {
		sfen    string
		outcome dfpn.Outcome
	}{
		{double, dfpn.Proven},
		{built, dfpn.Disproven},
		{"4k4/9/4P4/9/9/9/9/9/9 b RS 1", dfpn.Proven},
		{"4k4/9/9/9/9/9/9/9/9 b G 1", dfpn.Disproven},
		{"6kp1/8n/5R1L1/4+b2sB/6N2/9/6L2/9/9 b - 1", dfpn.Proven},
	} {
		table, err := dfpn.NewFixedTable(1 << 20)
		require.NoError(t, err)
		options := Options{Shortest: true, FirstMoves: true}
		once, err := Solve(t.Context(), problemOf(t, c.sfen), table, options)
		require.NoError(t, err)
		require.False(t, once.Certain)
		table.Clear()
		options.Certain = true
		s, err := Solve(t.Context(), problemOf(t, c.sfen), table, options)
		require.NoError(t, err)
		require.Equal(t, c.outcome, s.Outcome, c.sfen)
		require.True(t, s.Certain)
		require.Greater(t, s.Nodes, once.Nodes, "it searched twice")
		require.Equal(t, once.Line, s.Line)
		require.NotEqual(t, games.FixedSeed, table.Seed())
	}
	// A limit leaves open what it leaves open.
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	s, err := Solve(t.Context(), problemOf(t, "4k4/9/4P4/9/9/9/9/9/9 b RS 1"), table, Options{Nodes: 2, Certain: true})
	require.NoError(t, err)
	require.Equal(t, dfpn.Unknown, s.Outcome)
	require.False(t, s.Certain)
}

// TestContradiction compares solutions that can and that cannot both be right.
func TestContradiction(t *testing.T) {
	mate := func(length int, shortest bool) *Solution {
		return &Solution{Outcome: dfpn.Proven, Length: length, Shortest: shortest}
	}
	none := &Solution{Outcome: dfpn.Disproven}
	first := func(m FirstMove) *Solution {
		return &Solution{Outcome: dfpn.Proven, Length: 5, FirstMoves: []FirstMove{m}}
	}
	for name, c := range map[string]struct {
		a, b *Solution
		both bool
	}{
		"the same":           {mate(5, true), mate(5, true), true},
		"a bound":            {mate(7, false), mate(5, true), true},
		"two bounds":         {mate(7, false), mate(9, false), true},
		"shorter":            {mate(5, true), mate(3, false), false},
		"another shortest":   {mate(5, true), mate(7, true), false},
		"no mate":            {mate(5, false), none, false},
		"longer than":        {&Solution{Outcome: dfpn.Proven, Length: 9, Longer: 5}, mate(5, false), false},
		"a move":             {first(FirstMove{Outcome: dfpn.Proven, Length: 5}), first(FirstMove{Outcome: dfpn.Disproven}), false},
		"an open move":       {first(FirstMove{Outcome: dfpn.Proven, Length: 5}), first(FirstMove{}), true},
		"a move, shorter":    {first(FirstMove{Outcome: dfpn.Proven, Length: 5, Shortest: true}), first(FirstMove{Outcome: dfpn.Proven, Length: 3}), false},
		"a move, a bound":    {first(FirstMove{Outcome: dfpn.Proven, Length: 5, Shortest: true}), first(FirstMove{Outcome: dfpn.Proven, Length: 7}), true},
		"none, and the same": {none, none, true},
	} {
		require.Equal(t, c.both, contradiction(c.a, c.b) == "", name)
		require.Equal(t, c.both, contradiction(c.b, c.a) == "", name)
	}
}

// TestCertainJudgement judges problems that are said to be sound again.
func TestCertainJudgement(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	judge := func(sfen string, options JudgeOptions) (Judgement, error) {
		table.Clear()
		return Judge(t.Context(), problemOf(t, sfen), nil, table, options)
	}
	const sound, unsound = "4k4/9/4P4/9/9/9/9/9/9 b G 1", "8k/9/8G/9/9/9/9/9/9 b 2G 1"
	once, err := judge(sound, JudgeOptions{})
	require.NoError(t, err)
	require.False(t, once.Certain)
	r, err := judge(sound, JudgeOptions{Certain: true})
	require.NoError(t, err)
	require.Equal(t, Sound, r.Verdict)
	require.True(t, r.Certain)
	require.Equal(t, once.Faults, r.Faults)
	require.Greater(t, r.Nodes, once.Nodes)
	require.NotEqual(t, games.FixedSeed, table.Seed(), "the second time with other keys")
	r, err = judge(unsound, JudgeOptions{Certain: true})
	require.NoError(t, err)
	require.Equal(t, Faulty, r.Verdict)
	require.False(t, r.Certain)

	wrongly := func(sfen string, options JudgeOptions) (Judgement, error) {
		s, end := newSolving(t.Context(), problemOf(t, sfen), table, Options{})
		defer end()
		j := newJudging(s, options)
		j.result.Verdict = Sound
		err := j.confirmJudgement(nil, options)
		return j.result, err
	}
	_, err = wrongly(unsound, JudgeOptions{})
	require.ErrorIs(t, err, solver.ErrContradiction)
	r, err = wrongly(sound, JudgeOptions{Nodes: 1})
	require.NoError(t, err)
	require.Equal(t, NotDecided, r.Verdict)
	require.NotEmpty(t, r.Open)
}

// TestTableOfTwoProblems searches problems in one table that differ only in what neither the board nor
// the attacker's hand shows, in both orders.
func TestTableOfTwoProblems(t *testing.T) {
	p, err := shogi.ParseSFEN("8k/7pp/9/9/9/9/9/9/R3K4 b - 1")
	require.NoError(t, err)
	given := Problem{Position: p}
	rest := Problem{Position: p.WithRest(shogi.White)}
	for _, order := range [][]Problem{{rest, given}, {given, rest}} {
		table, err := dfpn.NewTable(1 << 20)
		require.NoError(t, err)
		for _, q := range order {
			s, err := Solve(t.Context(), q, table, Options{})
			require.NoError(t, err)
			require.Equal(t, q == given, s.Outcome == dfpn.Proven)
		}
	}
	// Black, in check, mates by a discovered check, and is not mated.
	p, err = shogi.ParseSFEN("R3K3k/9/7G1/1b7/9/9/9/9/9 b - 1")
	require.NoError(t, err)
	attacks, defends := Problem{Position: p}, Problem{Position: p, Defends: true}
	for _, order := range [][]Problem{{attacks, defends}, {defends, attacks}} {
		table, err := dfpn.NewTable(1 << 20)
		require.NoError(t, err)
		for _, q := range order {
			s, err := Solve(t.Context(), q, table, Options{})
			require.NoError(t, err)
			require.Equal(t, q == attacks, s.Outcome == dfpn.Proven)
		}
	}
	// An interposition that is futile, which counts or does not.
	q := problemOf(t, "8k/6+P2/8P/9/9/9/9/9/R8 b - 1")
	for _, counts := range [][]bool{{false, true}, {true, false}} {
		table, err := dfpn.NewTable(1 << 20)
		require.NoError(t, err)
		for _, count := range counts {
			alone, err := dfpn.NewTable(1 << 20)
			require.NoError(t, err)
			options := Options{Shortest: true, CountFutile: count}
			want, err := Solve(t.Context(), q, alone, options)
			require.NoError(t, err)
			got, err := Solve(t.Context(), q, table, options)
			require.NoError(t, err)
			require.Equal(t, want.Outcome, got.Outcome)
			require.Equal(t, want.Length, got.Length)
		}
	}
}
