package tsume_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/tsume"
)

// replay checks a solution by the rules alone: every move is legal, each of the
// attacker's gives check, and at the end the defender has no move.
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

var randomProblems = flag.Int("problems", 300, "random problems that TestRandom solves")

// TestRandom compares solutions of random small positions with exhaustive search:
// with tables in which entries are replaced all the time, several goroutines,
// and with futile interpositions counted and not.
func TestRandom(t *testing.T) {
	problems := *randomProblems
	if testing.Short() {
		problems = 40
	}
	rng := rand.New(rand.NewPCG(1, 2))
	small, err := dfpn.NewTable(256 * 64)
	require.NoError(t, err)
	large, err := dfpn.NewTable(1 << 22)
	require.NoError(t, err)
	mates, tails, unknown := 0, 0, 0
	for n := 0; n < problems; {
		p, ok := randomProblem(rng)
		if !ok {
			continue
		}
		large.Clear()
		first, err := tsume.Solve(t.Context(), tsume.Problem{Position: p}, large, tsume.Options{Nodes: 150})
		require.NoError(t, err)
		if first.Outcome == dfpn.Unknown || first.Outcome == dfpn.Disproven && rng.IntN(15) > 0 {
			continue // there are more than enough without a mate
		}
		want, ok := exhaust(p, 600)
		if !ok {
			continue
		}
		require.Equal(t, want == never, first.Outcome == dfpn.Disproven, "%v: %d plies", p, want)
		n++
		table := large
		if n%2 == 0 {
			table = small
		}
		table.Clear()
		options := tsume.Options{Threads: 1, Nodes: 50_000, Shortest: n%3 > 0, CountFutile: n%6 < 3}
		if n%8 == 0 {
			options.Threads = 4
		}
		s, err := tsume.Solve(t.Context(), tsume.Problem{Position: p}, table, options)
		require.NoError(t, err, "%v", p)
		if s.Outcome == dfpn.Unknown || s.Outcome == dfpn.Proven && (s.Shortest != options.Shortest || len(s.Line) == 0) {
			unknown++
			continue
		}
		if want == never {
			require.Equal(t, dfpn.Disproven, s.Outcome, "%v", p)
			continue
		}
		mates++
		require.Equal(t, dfpn.Proven, s.Outcome, "%v: mate in %d", p, want)
		require.NoError(t, replay(p, s.Line, s.Tail), "%v", p)
		require.LessOrEqual(t, len(s.Line), s.Length, "%v", p)
		if options.Shortest {
			require.Len(t, s.Line, s.Length, "%v", p)
		}
		if len(s.Tail) > 0 {
			tails++
		}
		switch {
		case options.CountFutile:
			require.Empty(t, s.Tail)
			require.GreaterOrEqual(t, s.Length, want, "%v", p)
			if options.Shortest {
				require.Equal(t, want, s.Length, "%v", p)
			}
		case options.Shortest:
			require.LessOrEqual(t, s.Length, want, "%v", p)
		}
	}
	t.Log(mates, "mates,", tails, "with futile interpositions,", unknown, "unknown")
	require.Less(t, unknown, problems/20)
	require.Greater(t, mates, problems/20)
}

// TestFutile has a rook that checks from afar: seven drops between it and the king
// can be captured one after the other, and change nothing.
func TestFutile(t *testing.T) {
	p, err := tsume.ParseProblem("8k/6G2/8P/9/9/9/9/9/R8 b -")
	require.NoError(t, err)
	for _, c := range []struct {
		count        bool
		length, tail int
	}{{false, 1, 2}, {true, 15, 0}} {
		table, err := dfpn.NewTable(1 << 20)
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
