package db_test

import (
	"context"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/retro"
)

// checkersProber solves all positions of checkers under some rules.
func checkersProber(t *testing.T, spec string) (*db.Prober[checkers.Position, checkers.Move], *checkers.Game) {
	t.Helper()
	g, err := checkers.Family.Open(spec)
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	fs := vfs.NewMem()
	_, _, err = retro.Solve(context.Background(), u, "checkers.db", retro.Config{FS: fs, Positions: retro.All})
	require.NoError(t, err)
	d, err := db.Open("checkers.db", &db.Options{FS: fs})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	p, err := db.NewProber(d, g)
	require.NoError(t, err)
	return p, g
}

// TestEndgame asks a database of a part of checkers for all positions of the whole, each as
// it is and after a move, when the other side is to move.
func TestEndgame(t *testing.T) {
	prober, whole := checkersProber(t, "checkers:size=4x4")
	partProber, part := checkersProber(t, "checkers:size=4x4,pieces=3")
	e := db.NewEndgame(partProber)
	texts := db.NewTextEndgame(e, whole.ParsePosition)
	require.Len(t, e.Checksum(), 16)
	require.Equal(t, e.Checksum(), texts.Checksum())
	held := 0
	check := func(p checkers.Position) {
		text := string(whole.AppendPosition(nil, p))
		index, err := whole.Index(p)
		require.NoError(t, err)
		_, finished := whole.Outcome(p)
		want := games.Value(0)
		// The positions of the part come first.
		if index < past(part) && !finished {
			held++
			want, err = prober.Probe(p)
			require.NoError(t, err)
		}
		v, ok, err := e.Value(p)
		require.NoError(t, err)
		require.Equal(t, index < past(part) && !finished, ok, text)
		require.Equal(t, want, v, text)
		again, ok2, err := texts.Value(text)
		require.NoError(t, err)
		require.Equal(t, ok, ok2, text)
		require.Equal(t, v, again, text)
	}
	for i := range past(whole) {
		p, ok := whole.Position(i)
		require.True(t, ok)
		check(p)
		if moves := whole.AppendMoves(nil, p); len(moves) > 0 {
			check(whole.Play(p, moves[0]))
		}
	}
	require.Greater(t, held, 1000)
	_, _, err := texts.Value("B:W9:B1")
	require.ErrorContains(t, err, `square "9"`)
}

// past returns the end of the indices of a game.
func past(g games.Indexer[checkers.Position]) uint64 {
	tiers := g.Tiers()
	last := tiers[len(tiers)-1]
	return last.Start + last.Size
}

// TestAdjudicated plays checkers over a database of a part of it.
func TestAdjudicated(t *testing.T) {
	prober, whole := checkersProber(t, "checkers:size=4x4")
	partProber, part := checkersProber(t, "checkers:size=4x4,pieces=3")
	a := db.Adjudicate(games.Game[checkers.Position, checkers.Move](whole), db.NewEndgame(partProber), func(err error) { require.NoError(t, err) })
	require.Equal(t, "checkers:size=4x4", a.Name())
	require.Len(t, a.Checksum(), 16)
	over := 0
	for i := range past(whole) {
		p, ok := whole.Position(i)
		require.True(t, ok)
		moves := whole.AppendMoves(nil, p)
		v, decided := a.Outcome(p)
		_, finished := whole.Outcome(p)
		require.Equal(t, finished || i < past(part), decided)
		require.Equal(t, whole.Canonical(p), a.Canonical(p))
		if !decided {
			require.Equal(t, moves, a.AppendMoves(nil, p))
			m, err := a.ParseMove(p, string(a.AppendMove(nil, p, moves[0])))
			require.NoError(t, err)
			require.Equal(t, moves[0], m)
			continue
		}
		over++
		require.Empty(t, a.AppendMoves(nil, p))
		want, err := prober.Probe(p)
		require.NoError(t, err)
		require.Equal(t, want.Result(), v.Result())
		require.Contains(t, []games.Value{games.Win(0), games.Draw, games.Loss(0)}, v)
	}
	require.Greater(t, over, 1000)
}
