package db_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/tictactoe"
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
	d, err := store.Open("checkers.db", &store.Options{FS: fs})
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

// TestDraw draws each unfinished position of a part of checkers about equally often, with its index.
func TestDraw(t *testing.T) {
	prober, g := checkersProber(t, "checkers:size=4x4,pieces=2")
	e := db.NewEndgame(prober)
	held := 0
	for i := range past(g) {
		if p, ok := g.Position(i); ok {
			if _, finished := g.Outcome(p); !finished {
				held++
			}
		}
	}
	const times = 100
	drawn := map[checkers.Position]int{}
	rng := rand.New(rand.NewPCG(1, 2))
	for range times * held {
		p, index, err := e.Draw(t.Context(), rng)
		require.NoError(t, err)
		at, err := g.Index(p)
		require.NoError(t, err)
		require.Equal(t, at, index)
		drawn[p]++
	}
	require.Len(t, drawn, held)
	for p, n := range drawn {
		_, finished := g.Outcome(p)
		require.False(t, finished)
		require.InDelta(t, times, n, 5*10, "five deviations")
	}
}

// past returns the end of the indices of a game.
func past(g games.Indexer[checkers.Position]) uint64 {
	tiers := g.Tiers()
	last := tiers[len(tiers)-1]
	return last.Start + last.Size
}

// TestAdjudicated solves checkers where it is over with three pieces: with four, each
// position has the result that it has in the whole game.
func TestAdjudicated(t *testing.T) {
	prober, whole := checkersProber(t, "checkers:size=4x4")
	partProber, part := checkersProber(t, "checkers:size=4x4,pieces=3")
	e := db.NewEndgame(partProber)
	g, err := db.Adjudicate(whole, e, func(err error) { require.NoError(t, err) })
	require.NoError(t, err)
	require.Equal(t, e.Checksum(), g.Checksum())
	require.Equal(t, whole.Name(), g.Name())
	gametest.Run(t, g)

	u, err := games.UniverseWith(g, whole)
	require.NoError(t, err)
	solved, err := retro.Analyze(t.Context(), u, retro.Config{Positions: retro.All})
	require.NoError(t, err)
	unfinished := 0
	for i := range past(whole) {
		p, _ := whole.Position(i)
		want, err := prober.Probe(p)
		require.NoError(t, err)
		text := string(whole.AppendPosition(nil, p))
		v, finished := g.Outcome(p)
		_, over := whole.Outcome(p)
		require.Equal(t, over || i < past(part), finished, text)
		if finished {
			require.Contains(t, []games.Value{games.Draw, games.Win(0), games.Loss(0)}, v, text)
			require.Empty(t, g.AppendMoves(nil, p), text)
		} else {
			unfinished++
			require.Equal(t, whole.AppendMoves(nil, p), g.AppendMoves(nil, p))
			v, _ = solved.Value(i)
		}
		require.Equal(t, want.Result(), v.Result(), text)
	}
	require.Greater(t, unfinished, 1000)

	p, err := g.ParsePosition("B:WK3,K4:BK1,K2")
	require.NoError(t, err)
	m, err := g.ParseMove(p, "1x6")
	require.NoError(t, err)
	require.Equal(t, whole.Canonical(whole.Play(p, m)), g.Canonical(g.Play(p, m)))
	_, err = g.ParseMove(p, "1-5")
	require.ErrorContains(t, err, "not one of the legal moves: 1x6 2x5")
	_, err = g.ParseMove(g.Play(p, m), "3-8")
	require.EqualError(t, err, `move "3-8": the database decides the position (draw)`)
}

// TestAdjudicatedFails reads a damaged database: the error is told, and the game goes on.
func TestAdjudicatedFails(t *testing.T) {
	s, fs := dbtest.TicTacToe(t), vfs.NewMem()
	s.Write(t, fs)
	for _, path := range dbtest.StoreFiles(t, fs) {
		if strings.HasSuffix(path, ".sst") {
			data := dbtest.ReadFile(t, fs, path)
			data[0] ^= 1
			dbtest.WriteFile(t, fs, path, data)
		}
	}
	rules := tictactoe.Game{}
	prober, err := db.NewProber(dbtest.Open(t, fs), rules)
	require.NoError(t, err)
	var failed error
	g, err := db.Adjudicate(rules, db.NewEndgame(prober), func(err error) { failed = err })
	require.NoError(t, err)
	v, finished := g.Outcome(g.Start())
	require.Equal(t, games.Unfinished, v)
	require.False(t, finished)
	require.ErrorIs(t, failed, db.ErrCorrupt)
	require.Len(t, g.AppendMoves(nil, g.Start()), 9)
}

// TestAdjudicatedEnds keeps that a game always ends, without which searches think that positions
// repeat.
func TestAdjudicatedEnds(t *testing.T) {
	s, fs := dbtest.TicTacToe(t), vfs.NewMem()
	s.Write(t, fs)
	prober, err := db.NewProber(dbtest.Open(t, fs), tictactoe.Game{})
	require.NoError(t, err)
	g, err := db.Adjudicate(tictactoe.Game{}, db.NewEndgame(prober), func(err error) { require.NoError(t, err) })
	require.NoError(t, err)
	layerer, ends := g.(games.Layerer[tictactoe.Position])
	require.True(t, ends)
	require.Equal(t, 0, layerer.Layer(g.Start()))

	whole, err := checkers.Family.Open("checkers:size=4x4")
	require.NoError(t, err)
	repeats, err := db.Adjudicate(whole, &db.Endgame[checkers.Position]{}, nil)
	require.NoError(t, err)
	_, ends = repeats.(games.Layerer[checkers.Position])
	require.False(t, ends)
}

func TestAdjudicatedScores(t *testing.T) {
	g, err := awari.Family.Open("awari:stones=2")
	require.NoError(t, err)
	_, err = db.Adjudicate(g, &db.Endgame[awari.Position]{}, nil)
	require.ErrorContains(t, err, "awari:stones=2 has scores")
}
