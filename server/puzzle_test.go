package server_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// puzzles are positions of awari, which stand for puzzles.
var puzzles = []server.Puzzle{
	{Position: "0,0,0,0,0,2,1,1,0,0,0,0", Aim: "win", Rank: 0.9},
	{Position: "0,0,0,0,0,1,1,1,1,0,0,0", Aim: "win", Rank: 0.8},
	{Position: "0,0,0,0,0,1,1,0,1,1,0,0", Aim: "save", Rank: 0.7},
	{Position: "0,0,0,0,0,1,1,0,0,1,1,0", Aim: "win", Rank: 0.6},
	{Position: "0,0,0,0,0,1,1,0,0,0,1,1", Aim: "win", Rank: 0.5},
}

// TestPuzzle asks for puzzles of a level, the easiest fifth first, and of any.
func TestPuzzle(t *testing.T) {
	s := newServer(t, fixture(t))
	for level, want := range map[string]server.Puzzle{"1": puzzles[4], "2": puzzles[3], "5": puzzles[0]} {
		for range 5 {
			require.Equal(t, want, get[server.Puzzle](t, s, "/api/v1/awari/puzzle?level="+level))
		}
	}
	seen := map[server.Puzzle]bool{}
	for range 200 {
		p := get[server.Puzzle](t, s, "/api/v1/awari/puzzle")
		require.Contains(t, puzzles, p)
		seen[p] = true
	}
	require.Len(t, seen, len(puzzles))
	for _, level := range []string{"0", "6", "x", ""} {
		require.Equal(t, 400, ask(s, "/api/v1/awari/puzzle?level="+level).Code, level)
	}
	require.Equal(t, 404, ask(s, "/api/v1/tictactoe/puzzle").Code)
	require.Equal(t, 404, ask(s, "/api/v1/tictactoe/puzzle?level=1").Code)
	require.Equal(t, 404, ask(s, "/api/v1/first/puzzle").Code)

	few := source(t, "awari:stones=4", retro.All)
	few.Puzzles = puzzles[:1]
	s = newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(few)}})
	require.Equal(t, puzzles[0], get[server.Puzzle](t, s, "/api/v1/awari/puzzle?level=1"))
}
