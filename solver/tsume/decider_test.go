//go:build !race

package tsume_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func newDecider(t *testing.T) games.Decider[shogi.Position, shogi.Move] {
	d, err := tsume.NewDecider(4 << 20)
	require.NoError(t, err)
	return d
}

// TestDecider has positions of each kind.
func TestDecider(t *testing.T) {
	for _, c := range []struct{ name, position, want, first string }{
		{"start", "startpos", "unknown", ""},
		{"mate in one", "4k4/9/4P4/9/9/9/9/9/4K4 b G", "win in 1", "G*5b"},
		{"mate in three", "4k4/9/4P4/9/9/9/9/9/4K4 b RS", "win in 3 or less", "R*5b"},
		{"one king", "4k4/9/4P4/9/9/9/9/9/9 b G", "win in 1", "G*5b"},
		{"no king to mate", "9/9/4P4/9/9/9/9/9/4K4 b G", "unknown", ""},
		{"only by a dropped pawn", "7lk/7p1/8S/9/9/9/9/9/4K4 b P", "unknown", ""},
		{"an interposition counts", "8k/7pp/9/9/9/9/9/9/R3K4 b p", "win in 3 or less", "9i9a+"},
		{"in check", "8k/9/7NG/9/9/9/9/9/4K4 w G", "loss in 2", "1a2a"},
		{"in check, with a way out", "8k/9/8G/9/9/9/9/9/4K4 w -", "unknown", ""},
		{"in check itself", "4k4/9/4P4/9/9/4r4/9/9/4K4 b G", "unknown", ""},
		{"mated after each move", "5l2k/5pR2/6ppp/9/9/9/K8/9/6B2 w G", "loss in 2", "1c1d"},
		{"mated after a check", "5l2k/5pR2/6ppp/9/p8/9/K8/9/6B2 w G", "loss in 4 or less", "9e9f"},
	} {
		p, err := shogi.Game{}.ParsePosition(c.position)
		require.NoError(t, err, c.name)
		a, err := newDecider(t).Decide(t.Context(), p, 5000)
		require.NoError(t, err)
		first := ""
		if len(a.Line) > 0 {
			first = a.Line[0].String()
		}
		require.Equal(t, c.want, a.String(), c.name)
		require.Equal(t, c.first, first, c.name)
	}
}

// TestDeciderGames has positions of games that the program has played against itself, with a mate that takes some
// search. After the first move the other side is lost.
func TestDeciderGames(t *testing.T) {
	for _, position := range []string{
		"lns3p1+B/1k2+L4/ppp1p4/3N4p/3P5/2P1PP3/LP1G2+l1P/r1SG5/1+s2K2+b1 b RGSN2Pgn4p",
		"1n3l3/lk1sR2g1/3pp4/2P5+R/5g3/2S1P2K1/+p2P2p1P/2LG2+p1S/3S5 b G3NL9P2b",
		"l1r6/1k1G2g1+B/pp6S/3pp3p/1s2N1p2/2pLPP1+r1/1PL3P2/4GK3/+B2+n5 w 3Pg2s2nl4p",
		"1n3+R1nl/3k3s1/p1p1ppp1p/7L1/9/2P2P3/3+rP1P1P/3+b1KS2/1S3G1NL b B2GS3Pgnl4p",
		"1n5+Rl/3k3+L1/p1p1ppp1p/9/9/2P1P2+r1/5PP1P/Sp1+b1G3/1S3SKNL b BGS2N2P2gl4p",
		"l1k2+B1nl/2s3+P2/np1pps1pp/pg7/3SP1pK1/1G3P1P1/PP1P3sP/1+r7/L2G3+rL w BGP2n2p",
		"l+R6l/2n1k4/2Sp1g2p/p1n1p2p1/gP1N1pp2/1sP1K2P1/P2P1PP1P/1+BS2g3/S1G2b1+rL b NL3p",
	} {
		p, err := shogi.Game{}.ParsePosition(position)
		require.NoError(t, err, position)
		d := newDecider(t)
		a, err := d.Decide(t.Context(), p, 1500)
		require.NoError(t, err)
		r, known := a.Result()
		require.True(t, known, position)
		require.Equal(t, games.Won, r)
		a, err = d.Decide(t.Context(), (shogi.Game{}).Play(p, a.Line[0]), 1500)
		require.NoError(t, err)
		r, known = a.Result()
		require.True(t, known, position)
		require.Equal(t, games.Lost, r)
	}
}

// within is an oracle by the rules of the game alone: all moves of both sides.
type within struct{ visited int }

// wins reports whether the side to move wins in at most so many plies.
func (w *within) wins(p shogi.Position, plies int) bool {
	if _, finished := (shogi.Game{}).Outcome(p); finished || plies <= 0 {
		return false
	}
	b := shogi.NewBoard(p)
	moves := b.AppendChecks(nil) // first, to be quick
	if plies > 1 || len(moves) > 0 {
		moves = append(moves, b.AppendMoves(nil)...)
	}
	for _, m := range moves {
		if w.visited++; w.loses((shogi.Game{}).Play(p, m), plies-1) {
			return true
		}
	}
	return false
}

// loses reports whether the side to move loses in at most so many plies.
func (w *within) loses(p shogi.Position, plies int) bool {
	if _, finished := (shogi.Game{}).Outcome(p); finished || plies <= 0 {
		return finished
	}
	for _, m := range (shogi.Game{}).AppendMoves(nil, p) {
		if !w.wins((shogi.Game{}).Play(p, m), plies-1) {
			return false
		}
	}
	return true
}

// TestDeciderOracle compares what is claimed about random positions, and those after a move, with the rules.
func TestDeciderOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(59, 1))
	d := newDecider(t)
	counts := map[string]int{}
	decide := func(p shogi.Position) {
		if _, finished := (shogi.Game{}).Outcome(p); finished {
			return
		}
		a, err := d.Decide(t.Context(), p, 2000)
		require.NoError(t, err)
		require.Equal(t, a.Bounds != games.Unbounded, a.By != "")
		if a.By == "" {
			require.False(t, newShortest().mates(p, 3), p.SFEN())
			return
		}
		b := shogi.NewBoard(p)
		for _, m := range a.Line {
			require.NoError(t, b.CheckMove(m), "%s %v", p.SFEN(), a.Line)
			b.Do(m)
		}
		require.True(t, b.Mated(), "%s %v %v", p.SFEN(), a.Bounds, a.Line)
		var w within
		if plies, ok := a.Lower.Plies(); ok && a.Lower > 0 && plies <= 5 {
			require.True(t, w.wins(p, plies), "%s %v", p.SFEN(), a.Bounds)
			require.True(t, w.loses((shogi.Game{}).Play(p, a.Line[0]), plies-1))
			counts["win"]++
		}
		if plies, ok := a.Upper.Plies(); ok && a.Upper < 0 && plies <= 4 {
			require.True(t, w.loses(p, plies), "%s %v", p.SFEN(), a.Bounds)
			if counts["loss"]++; !shogi.NewBoard(p).InCheck() {
				counts["cornered"]++
			}
		}
		if a.Exact() {
			require.LessOrEqual(t, a.Lower.Size(), 2)
		}
	}
	n := 2000
	if testing.Short() {
		n = 400
	}
	for range n {
		p, ok := randomProblem(rng)
		if !ok {
			continue
		}
		decide(p)
		b := shogi.NewBoard(p)
		moves, checks := b.AppendMoves(nil), b.AppendChecks(nil)
		for range min(len(moves), 4) {
			decide((shogi.Game{}).Play(p, moves[rng.IntN(len(moves))]))
		}
		for _, m := range checks {
			decide((shogi.Game{}).Play(p, m))
		}
	}
	for _, kind := range []string{"win", "loss", "cornered"} {
		require.GreaterOrEqual(t, counts[kind], n/200, kind)
	}
}

// TestDeciderForgets asks about the same position before and after others.
func TestDeciderForgets(t *testing.T) {
	rng := rand.New(rand.NewPCG(59, 2))
	var list []shogi.Position
	for len(list) < 100 {
		if p, ok := randomProblem(rng); ok {
			list = append(list, p)
		}
	}
	used := newDecider(t)
	for _, nodes := range []uint64{3, 300, 10_000} {
		for _, p := range list {
			want, err := newDecider(t).Decide(t.Context(), p, nodes)
			require.NoError(t, err)
			a, err := used.Decide(t.Context(), p, nodes)
			require.NoError(t, err)
			require.Equal(t, want, a)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := shogi.Game{}.ParsePosition("4k4/9/4P4/9/9/9/9/9/4K4 b RS")
	require.NoError(t, err)
	_, err = used.Decide(ctx, p, 1000)
	require.ErrorIs(t, err, context.Canceled)
}
