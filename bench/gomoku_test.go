package bench

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

const gomokuPuzzles = "id\trule\tsize\tto_move\tstones\tclaim\tattacker_moves_to_five\tpv\n" +
	"one\tfreestyle\t5\tb\t.xxxxooo.................\twin by VCF, minimal\t1\tA5\n" +
	"two\texact5\t6\tw\txo..................................\tno VCF\t\t\n"

func TestReadGomokuPuzzles(t *testing.T) {
	list, err := ReadGomokuPuzzles(strings.NewReader(gomokuPuzzles))
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "one", list[0].ID)
	require.Equal(t, 1, list[0].Moves)
	require.Equal(t, gomoku.Black, list[0].Position.ToMove())
	require.Equal(t, "gomoku:size=6x6,rule=exact", list[1].Game.Name())
	require.Equal(t, gomoku.White, list[1].Position.ToMove())
	for _, c := range []struct{ line, want string }{
		{"one\tfreestyle", "line 1: want at least 7 fields separated by tabs, got 2: id, rule, size, side to move, stones, claim, moves"},
		{"one\trenju\t5\tb\t.\tno VCF\t", `line 1: rule "renju", want freestyle or exact5`},
		{"one\tfreestyle\t5\tb\t.\tno VCF\t", `line 1: position ". b": want 5 rows of 5 squares, 25 in all; got 1`},
		{"one\tfreestyle\t50\tb\t.\tno VCF\t", `line 1: gomoku: rule option size="50x50": want rows x columns, 2 to 20 each, as in 15x15`},
		{"one\tfreestyle\t2\tb\t....\tVCF\t", `line 1: claim "VCF", want "no VCF" or "win by VCF, minimal"`},
		{"one\tfreestyle\t2\tb\t....\twin by VCF, minimal\tmany", `line 1: "many" moves, want a number`},
	} {
		_, err := ReadGomokuPuzzles(strings.NewReader(c.line))
		require.EqualError(t, err, c.want)
	}
}

func TestGomoku(t *testing.T) {
	g, err := gomoku.New(gomoku.Rules{Rows: 9, Columns: 9, K: 5})
	require.NoError(t, err)
	b := Gomoku{Game: g, Positions: 30, Repeat: 1, Seed: 1}
	b.Puzzles, err = ReadGomokuPuzzles(strings.NewReader(gomokuPuzzles))
	require.NoError(t, err)
	var names []string
	require.NoError(t, b.Run(context.Background(), func(l Latency) {
		names = append(names, l.Name)
		require.Positive(t, l.Median)
		require.LessOrEqual(t, l.Median, l.Ninety)
		require.LessOrEqual(t, l.Ninety, l.Longest)
		require.LessOrEqual(t, l.Wins, l.Searches)
	}))
	require.Equal(t, []string{"continuous fours, puzzles", "continuous fours, middle game", "threat space, middle game", "continuous threats, middle game"}, names)
	first, err := b.middleGames(context.Background())
	require.NoError(t, err)
	again, err := b.middleGames(context.Background())
	require.NoError(t, err)
	require.Equal(t, first, again)

	b.Puzzles[1].Moves = 3
	require.EqualError(t, b.Run(context.Background(), func(Latency) {}), "puzzle two: a victory by continuous fours in 0 moves, want 3 (0: none)")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b.Puzzles = nil
	require.ErrorIs(t, b.Run(ctx, func(Latency) {}), context.Canceled)

	small, err := gomoku.New(gomoku.Rules{Rows: 2, Columns: 2, K: 5})
	require.NoError(t, err)
	b = Gomoku{Game: small, Positions: 1}
	require.EqualError(t, b.Run(context.Background(), func(Latency) {}), "gomoku:size=2x2 games end too early to sample middle-game positions")
}
