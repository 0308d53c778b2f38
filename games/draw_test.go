package games_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func TestAppendBoard(t *testing.T) {
	kinds := []games.PieceKind{{Name: "king", Text: "K"}, {Name: "pawn", Text: "P", Hand: true}, {Name: "gold", Text: "金"}}
	grid := games.NewLayout(games.Grid, []string{"a", "b", "c"}, []string{"2", "1"}, kinds...)
	grid.Squares[2] = ""
	board := games.Board{Turn: 2, Pieces: []games.Piece{
		{Kind: "king", Side: 2, Square: "a2"}, {Kind: "gold", Side: 2, Square: "a1"}, {Kind: "king", Side: 1, Square: "b1"},
		{Kind: "gold", Side: 1, Square: "c1"}, {Kind: "pawn", Side: 1, Count: 3}, {Kind: "gold", Side: 2},
	}}
	require.Equal(t, "> 2  k  .\n1 -金  K +金\n   a  b  c\nside 1 in hand: P×3\nside 2 in hand: -金\nside 2 to move\n",
		string(grid.AppendBoard([]byte("> "), board)))

	pits := games.Layout{Style: games.Pits, Columns: make([]string, 2), Rows: make([]string, 2), Relative: true,
		Squares: []string{"b", "a", "A", "B"}, Kinds: []games.PieceKind{{Name: "stone", Text: "o"}}}
	require.Equal(t, "  0  1\n 12  0\n", string(pits.AppendBoard(nil, games.Board{Turn: 1, Pieces: []games.Piece{
		{Kind: "stone", Side: 2, Square: "a"}, {Kind: "stone", Side: 1, Square: "A", Count: 12},
	}})))

	hexagons := games.NewLayout(games.Hexagons, []string{"a", "b"}, []string{"1", "2"}, games.PieceKind{Name: "stone", Text: "●"})
	require.Equal(t, "1 x .\n 2 . o\n    a b\nside 2 to move\n", string(hexagons.AppendBoard(nil, games.Board{Turn: 2, Pieces: []games.Piece{
		{Kind: "stone", Side: 1, Square: "a1"}, {Kind: "stone", Side: 2, Square: "b2"},
	}})))
}

// described is tic-tac-toe without a drawer of its own.
type described struct {
	games.Game[tictactoe.Position, tictactoe.Move]
	games.Describer[tictactoe.Position, tictactoe.Move]
}

func TestDrawerOf(t *testing.T) {
	require.Nil(t, games.DrawerOf[int, int](&ending{}))
	require.Equal(t, games.DrawerOf(tictactoe.Game{}), games.Drawer[tictactoe.Position](tictactoe.Game{}))
	p, err := tictactoe.Game{}.ParsePosition("x.o/.x./...")
	require.NoError(t, err)
	g := described{tictactoe.Game{}, tictactoe.Game{}}
	require.Equal(t, "3 x . o\n2 . x .\n1 . . .\n  a b c\nside 2 to move\n", string(games.DrawerOf(g).AppendBoard(nil, p)))
}
