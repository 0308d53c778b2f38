package tsume_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// replay checks a solution by the rules alone: every move is legal, each move of the
// attacker gives check, and at the end the defender has no move.
func replay(p shogi.Position, lines ...[]shogi.Move) error {
	b := shogi.NewBoard(p)
	attacker := p.Turn()
	plies := 0
	for _, line := range lines {
		for _, m := range line {
			plies++
			if err := b.CheckMove(m); err != nil {
				return fmt.Errorf("ply %d: %w", plies, err)
			}
			b.Do(m)
			if b.Turn() != attacker && !b.InCheck() {
				return fmt.Errorf("ply %d: %v gives no check", plies, m)
			}
		}
	}
	if b.Turn() == attacker || len(b.AppendMoves(nil)) > 0 {
		return fmt.Errorf("no mate after %d plies", plies)
	}
	return nil
}

var randomProblems = flag.Int("problems", 1000, "random problems that TestRandom solves")

// TestRandom compares solutions of random small positions with exhaustive search: in a
// large table and in one that replaces entries all the time, with several goroutines,
// with and without futile interpositions counted. It checks the proofs of mates.
func TestRandom(t *testing.T) {
	problems := *randomProblems
	switch {
	case race.Enabled:
		problems = 40
	case testing.Short():
		problems = 60
	}
	tiny, err := dfpn.NewFixedTable(64 * 64)
	require.NoError(t, err)
	large, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	var long, one, none, endless, tails, unknown, searches int
	longest := 0
	randomSamples(rand.New(rand.NewPCG(1, 2)), problems, func(n int, want sample) {
		switch {
		case want.length == 1:
			one++
		case want.length < never:
			long++
			longest = max(longest, want.length)
		case want.endless:
			endless++
		default:
			none++
		}
		for i, c := range []struct {
			table   *dfpn.Table
			options tsume.Options
		}{
			{large, tsume.Options{Shortest: true, CountFutile: true}},
			{large, tsume.Options{Shortest: n%2 == 0}},
			{tiny, tsume.Options{Shortest: n%4 == 0, CountFutile: n%3 == 0}},
			{[]*dfpn.Table{large, tiny}[n%2], tsume.Options{Threads: 4, CountFutile: n%3 == 0}},
		} {
			threads := c.options.Threads > 1
			if threads && n%4 > 0 && !*allThreads && !race.Enabled || race.Enabled && !threads {
				continue
			}
			searches++
			c.options.Nodes = 50_000
			c.table.Clear()
			s := compare(t, want, c.table, c.options)
			if s.Outcome == dfpn.Unknown || s.Outcome == dfpn.Proven && len(s.Line) == 0 || s.Shortest != (c.options.Shortest && s.Outcome == dfpn.Proven) {
				unknown++
				require.NotEqual(t, large, c.table, "%v", want.position)
				continue
			}
			if len(s.Tail) > 0 {
				tails++
			}
			if s.Outcome == dfpn.Proven && (n+i)%4 == 0 {
				requireProof(t, tsume.Problem{Position: want.position}, c.table, c.options)
			}
		}
	})
	t.Log(long, "mates in", 3, "to", longest, "plies,", one, "in one,", none, "without mate,", endless, "without mate and end;",
		searches, "searches,", tails, "with futile interpositions,", unknown, "unknown")
	require.Less(t, unknown, max(searches/50, 2))
	require.Greater(t, long, problems/4)
	require.Greater(t, endless, problems/10)
}

var allThreads = flag.Bool("threads", false, "TestRandom solves every problem with several goroutines too")

// compare solves a problem and compares the solution with the sample.
func compare(t *testing.T, want sample, table *dfpn.Table, options tsume.Options) tsume.Solution {
	p := want.position
	s, err := tsume.Solve(t.Context(), tsume.Problem{Position: p}, table, options)
	require.NoError(t, err, "%v", p)
	switch {
	case s.Outcome == dfpn.Unknown:
		return s
	case want.length == never:
		require.Equal(t, dfpn.Disproven, s.Outcome, "%v", p.SFEN())
		return s
	}
	require.Equal(t, dfpn.Proven, s.Outcome, "%v: mate in %d", p.SFEN(), want.length)
	if len(s.Line) > 0 {
		require.NoError(t, replay(p, s.Line, s.Tail), "%v", p.SFEN())
		require.LessOrEqual(t, len(s.Line), s.Length, "%v", p.SFEN())
	}
	if s.Shortest && len(s.Line) > 0 {
		require.Len(t, s.Line, s.Length, "%v", p.SFEN())
	}
	switch {
	case s.Shortest && options.CountFutile:
		require.Equal(t, want.length, s.Length, "%v", p.SFEN())
	case s.Shortest:
		require.LessOrEqual(t, s.Length, want.length, "%v", p.SFEN())
	case options.CountFutile:
		require.GreaterOrEqual(t, s.Length, want.length, "%v", p.SFEN())
		require.Empty(t, s.Tail, "%v", p.SFEN())
	}
	return s
}

// TestFutile has a rook that gives check from afar: seven drops in a row between it and
// the king are captured without any other effect.
func TestFutile(t *testing.T) {
	p, err := tsume.ParseProblem("8k/6G2/8P/9/9/9/9/9/R8 b -", tsume.Reading{})
	require.NoError(t, err)
	for _, c := range []struct {
		count        bool
		length, tail int
	}{{false, 1, 2}, {true, 15, 0}} {
		table, err := dfpn.NewFixedTable(1 << 20)
		require.NoError(t, err)
		s, err := tsume.Solve(t.Context(), p, table, tsume.Options{Shortest: true, CountFutile: c.count})
		require.NoError(t, err)
		require.Equal(t, dfpn.Proven, s.Outcome)
		require.True(t, s.Shortest)
		require.Equal(t, c.length, s.Length)
		require.Len(t, s.Line, c.length)
		require.Len(t, s.Tail, c.tail)
		require.NoError(t, replay(p.Position, s.Line, s.Tail))
	}
}

// TestLeastInHand has several replies that hold out equally long, one of which leaves the
// attacker least.
func TestLeastInHand(t *testing.T) {
	for _, c := range []struct{ position, check, reply string }{
		{"4Rpk2/6lpp/7R1/5N3/9/9/9/9/9 b BN", "N*4c", "3a4b"},
		{"5lS2/5lB1k/5p3/6ppp/9/9/9/9/1K7 b G", "3b2a+", "1b2a"},
		{"5l3/5lkBR/5p3/5Sppp/9/9/9/9/9 b SL", "2b3a", "3b3a"},
		{"6pk1/4RB1pp/9/9/9/9/9/9/2K6 b Ss", "4b3a+", "2a3a"},
	} {
		p, err := shogi.ParseSFEN(c.position)
		require.NoError(t, err)
		b := shogi.NewBoard(p)
		check, err := b.ParseUSI(c.check)
		require.NoError(t, err)
		b.Do(check)
		table, err := dfpn.NewFixedTable(1 << 20)
		require.NoError(t, err)
		s, err := tsume.Solve(t.Context(), tsume.Problem{Position: b.Position(), Defends: true}, table, tsume.Options{Shortest: true, CountFutile: true})
		require.NoError(t, err)
		require.Len(t, s.Line, 2, c.position)
		require.Equal(t, c.reply, s.Line[0].String(), c.position)
	}
}

// TestFirstMoves compares the lengths of all first moves with exhaustive search.
func TestFirstMoves(t *testing.T) {
	if race.Enabled {
		t.Skip("it runs on one goroutine, and takes long")
	}
	problems := 100
	if testing.Short() {
		problems = 30
	}
	rng := rand.New(rand.NewPCG(9, 9))
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	mates := 0
	randomSamples(rng, problems, func(_ int, s sample) {
		table.Clear()
		got, err := tsume.Solve(t.Context(), tsume.Problem{Position: s.position}, table,
			tsume.Options{Shortest: true, CountFutile: true, FirstMoves: true})
		require.NoError(t, err)
		shortest := never
		for _, m := range got.FirstMoves {
			require.NotEqual(t, dfpn.Unknown, m.Outcome)
			require.Equal(t, m.Outcome == dfpn.Proven, m.Shortest)
			if m.Outcome == dfpn.Proven {
				mates++
				shortest = min(shortest, m.Length)
			}
		}
		require.Equal(t, s.length, shortest, "%v", s.position.SFEN())
	})
	require.Greater(t, mates, problems/5)
}

// TestNodesOfThreads has several threads that keep a limit together.
func TestNodesOfThreads(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	p, err := tsume.ParseProblem("6kp1/8n/5R1L1/4+b2sB/6N2/9/6L2/9/9 b -", tsume.Reading{})
	require.NoError(t, err)
	for _, threads := range []int{1, 2, 8} {
		table.Clear()
		s, err := tsume.Solve(t.Context(), p, table, tsume.Options{Threads: threads, Nodes: 160})
		require.NoError(t, err)
		require.LessOrEqual(t, s.Nodes, uint64(160+160/16), "%d threads", threads)
	}
}
