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
		n.Tags = nil
		got = append(got, n)
	}
	require.Equal(t, []Notation{
		{Line: 1, Game: "tictactoe", First: "first 1", Second: "second 2", Position: games[0].From, Moves: []string{"b2"}, Result: "1-0", Ending: ByResigning},
		{Line: 10, Game: "tictactoe", First: "second 2", Second: "first 1", Position: games[1].From, Result: "0-1", Ending: ByIllegal},
		{Line: 19, Game: "tictactoe", First: "first 1", Second: "second 2", Position: games[2].From, Moves: long, Result: "1/2-1/2", Ending: ByLength},
	}, got)
	for i, want := range []float64{1, 0, 0.5} {
		points, known := got[i].Points()
		require.True(t, known)
		require.Equal(t, want, points)
	}

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

// TestAsides reads what is beside the moves and writes it again, with remarks.
func TestAsides(t *testing.T) {
	n := NewNotation("tictactoe", "-", "A", "B \"b\"", "startpos", strings.Fields("b2 a1 c3"))
	n.Tags = append(n.Tags, Tag{"Site", "here"})
	n.Remark(0, 0, "", "first", nil)
	n.Remark(0, 1, "??", "worse } than\nc1", []string{"c1", "a3", "c3"})
	n.Remark(0, 1, "??", "", nil)
	n.Remark(0, 2, "$2", "", []string{"a2"})
	text := string(n.Append(nil))
	require.True(t, strings.HasSuffix(text, "[Site \"here\"]\n1. b2 {yomikiri: first} 1... a1?? {yomikiri: ?? worse ) than c1} ({yomikiri}\n1... c1 2. a3 c3) 2. c3 $2 {yomikiri: $2} ({yomikiri} 2. a2) *\n"), text)
	read := func(text string) *Notation {
		var list []Notation
		for n, err := range ReadNotation(text) {
			require.NoError(t, err)
			list = append(list, n)
		}
		require.Len(t, list, 1)
		return &list[0]
	}
	got := read(text)
	n.Line = 1
	require.Equal(t, n, got)
	_, known := got.Points()
	require.False(t, known)

	// Lines may end anywhere, and numbers of moves may be missing.
	got = read(strings.TrimSuffix(text, "*\n") + "! ? {a\n[Game \n{ b}(x (y {)\n[z]}))(u)\n*")
	require.Equal(t, []string{"$2", "!", "?"}, got.Marks[3])
	require.Equal(t, []string{"yomikiri: $2", "a [Game { b"}, got.Comments[3])
	require.Equal(t, []string{"({yomikiri} 2. a2)", "(x (y {) [z]}))", "(u)"}, got.Variations[3])
	require.Equal(t, got, read(string(got.Append(nil))))
	for end, want := range map[string]string{"{a\n*\n": `line 9: the game ends within "{a *"`, "(a {)} *": `within "(a {)} *"`} {
		for _, err := range ReadNotation(strings.TrimSuffix(text, "*\n") + end) {
			require.ErrorContains(t, err, want)
		}
	}
}

// FuzzNotation requires that what was read, written and read again is the same.
func FuzzNotation(f *testing.F) {
	f.Add("[Game \"x\"]\n[Round \"1\"]\n1. b2! {a {} a1 $3 (1... c1\n(c2 {)})) 2... x 1-0")
	f.Fuzz(func(t *testing.T, text string) {
		for n, err := range ReadNotation(text) {
			if err != nil || n.Game == "" || n.Tags[0].Name != tagGame {
				continue
			}
			written := string(n.Append(nil))
			for again, err := range ReadNotation(written) {
				require.NoError(t, err, "%s", written)
				again.Line = n.Line
				require.Equal(t, n, again, "%s", written)
			}
		}
	})
}
