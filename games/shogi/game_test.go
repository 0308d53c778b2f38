package shogi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/shogi"
)

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("plays hundreds of games with positions as values")
	}
	gametest.Run(t, shogi.Game{})
}

func FuzzText(f *testing.F) { gametest.FuzzText(f, shogi.Game{}) }

// TestPerftOfGame counts with positions as values. The counts are published.
func TestPerftOfGame(t *testing.T) {
	gametest.Perft[shogi.Position, shogi.Move](t, shogi.Game{}, "startpos", 30, 900, 25470)
	gametest.Perft[shogi.Position, shogi.Move](t, shogi.Game{}, "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 593)
}

func TestRegistered(t *testing.T) {
	g, err := shogi.Family.Open("shogi")
	require.NoError(t, err)
	require.Equal(t, "shogi", g.Name())
	require.Equal(t, shogi.Start(), g.Start())
	p, err := g.ParsePosition("startpos moves 7g7f 3c3d 8h2b+")
	require.NoError(t, err)
	require.Equal(t, "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B", string(g.AppendPosition(nil, p)))
}

// TestOutcome checks that a side without a move has lost, in check or not.
func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		position string
		want     games.Value
	}{
		{"startpos", games.Unfinished},
		{"4k4/4G4/4P4/9/9/9/9/9/4K4 w -", games.Loss(0)},      // mated
		{"4k4/4G4/9/9/9/9/9/9/4K4 w -", games.Unfinished},     // the gold can be taken
		{"8k/6G2/7L1/9/9/9/9/9/4K4 w -", games.Unfinished},    // there is 1b
		{"k8/2G6/1K7/9/9/9/9/9/9 w -", games.Loss(0)},         // no move, though not in check
		{"k8/2G6/1K7/9/9/9/9/9/9 w p", games.Unfinished},      // a drop
		{"3gkg3/3gPg3/9/9/9/9/9/9/4K4 w -", games.Unfinished}, // checks are parried
	} {
		p, err := shogi.Game{}.ParsePosition(c.position)
		require.NoError(t, err)
		v, finished := shogi.Game{}.Outcome(p)
		require.Equal(t, c.want, v, c.position)
		require.Equal(t, c.want != games.Unfinished, finished, c.position)
	}
}

// TestChecking has a side that must give check.
func TestChecking(t *testing.T) {
	g, err := shogi.Family.Open("shogi:checks=black")
	require.NoError(t, err)
	require.Equal(t, "shogi:checks=black", g.Name())
	require.Equal(t, shogi.Checking(shogi.Black), g)
	v, finished := g.Outcome(g.Start())
	require.True(t, finished, "there is no check")
	require.Equal(t, games.Loss(0), v)
	require.Empty(t, g.AppendMoves(nil, g.Start()))

	p, err := g.ParsePosition("4k4/9/4P4/9/9/9/9/9/9 b G")
	require.NoError(t, err)
	require.Len(t, g.AppendMoves(nil, p), 7, "the pawn, with and without promotion, and five drops")
	_, err = g.ParseMove(p, "5c5b")
	require.NoError(t, err)
	_, err = g.ParseMove(p, "G*9i")
	require.EqualError(t, err, `move "G*9i" gives no check, and black must`)

	other := shogi.Checking(shogi.White)
	require.Equal(t, "shogi:checks=white", other.Name())
	require.Len(t, other.AppendMoves(nil, other.Start()), 30, "Black is free")
}
