package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestLinear reads files of different sizes: of text, and of games that were kept.
func TestLinear(t *testing.T) {
	gametest.Linear(t, 500, func(n int) func() {
		var b strings.Builder
		for _, moves := range [][]string{slices.Repeat([]string{"a1"}, n), {"a1"}} {
			for range n / len(moves) {
				require.NoError(t, WriteRecord(&b, tictactoe.Game{}, Record{From: "startpos", Moves: moves}, "a", "b"))
			}
		}
		kept := `{"game":"tictactoe","settings":"x"}` + strings.Repeat("\n"+`{"moves":["a1"],"points":1}`, n)
		return func() {
			games := 0
			for _, err := range ReadNotation(b.String()) {
				require.NoError(t, err)
				games++
			}
			require.Equal(t, n+1, games)
			list, err := Read(strings.NewReader(kept+"\n"), "tictactoe")
			require.NoError(t, err)
			require.Len(t, list, n)
		}
	})
}

// TestNotation writes games and reads them again.
func TestNotation(t *testing.T) {
	long := strings.Fields(strings.Repeat("a1 b2 c3 a2 ", 40))
	games := []Record{
		{From: "x../.../... o", Moves: []string{"b2"}, Points: 1, Ending: ByResigning},
		{Second: true, From: "x../.../... o", Moves: []string{}, Points: 1, Ending: ByIllegal, Remark: `"a1" is taken`},
		{Pair: 1, From: "a \\ \" b", Moves: long, Points: 0.5, Ending: ByLength},
	}
	var b strings.Builder
	for _, r := range games {
		require.NoError(t, WriteRecord(&b, tictactoe.Game{}, r, "first 1", "second 2"))
	}
	text := b.String()
	require.True(t, IsNotation([]byte(text)))
	require.False(t, IsNotation([]byte("[Event \"x\"]\n")))
	var got []Notation
	for n, err := range ReadNotation(strings.ReplaceAll(text, "\n", "\r\n")) {
		require.NoError(t, err)
		got = append(got, n)
	}
	require.Equal(t, []Notation{
		{Line: 1, Game: "tictactoe", First: "first 1", Second: "second 2", Position: games[0].From, Moves: []string{"b2"}, Points: 1, Ending: ByResigning},
		{Line: 10, Game: "tictactoe", First: "second 2", Second: "first 1", Position: games[1].From, Points: 0, Ending: ByIllegal},
		{Line: 19, Game: "tictactoe", First: "first 1", Second: "second 2", Position: games[2].From, Moves: long, Points: 0.5, Ending: ByLength},
	}, got)

	for change, want := range map[[2]string]string{
		{"1. b2 1-0", "2. b2 1-0"}:                  "line 8: 2., want move 1",
		{"1. b2 1-0", "1. b2"}:                      "line 8: the game has no result",
		{"1. b2 1-0", ""}:                           "line 7: the game has no result",
		{"1. b2 1-0", "1. b2 1-0 c3"}:               `line 8: "c3" after the result`,
		{`[First "first 1"]`, `[First first]`}:      `line 3: "[First first]": want a tag`,
		{"1. b2 1-0", "1. b2 1-0\n[Round \"1.1\"]"}: `line 9: [Round "1.1"] after the moves, want [Game "..."] before`,
	} {
		require.Contains(t, text, change[0])
		count := 0
		for n, err := range ReadNotation(strings.Replace(text, change[0], change[1], 1)) {
			if count++; count == 1 {
				require.ErrorContains(t, err, want)
				require.LessOrEqual(t, len(n.Moves), 1)
			} else {
				require.NoError(t, err)
			}
		}
		require.Equal(t, 3, count)
	}
}
