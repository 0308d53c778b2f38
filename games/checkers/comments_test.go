package checkers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestComments reads comments of PDN and writes them again.
func TestComments(t *testing.T) {
	g := open(t, "checkers")
	read := func(text string) (list []*Record) {
		for r, err := range g.ParsePDN(text) {
			require.NoError(t, err)
			list = append(list, r)
		}
		return list
	}
	list := read("{before}\n[Event \"a\"]\n{ at the\n start } 1. 11-15 {[x \"y\"]} ; to } the end\n(8-11 {no}) 23-19 {} 8-11 1-0 {over}\n" +
		"[Event \"b\"]\n11-15 *\n")
	require.Len(t, list, 2)
	require.Equal(t, [][]string{{"before", "at the start"}, {`[x "y"]`, "to } the end"}, nil, {"over"}}, list[0].Comments)
	require.Nil(t, list[1].Comments)
	list[0].Comments[1][1] = "to ) the end"
	again := read(string(g.AppendPDN(nil, list[0])))
	require.Len(t, again, 1)
	require.Equal(t, list[0].Comments, again[0].Comments)
	require.Equal(t, list[0].Moves, again[0].Moves)

	// Marks and variations remain too.
	const marked = "1. 11-15! $9 ?! 22-17?? {it loses} (1... 23-19! {good} (24-20 ; or\n)) (22-18) 2. 8-11* *"
	list = read("[Event \"a\"]\n!" + marked)
	require.Equal(t, [][]string{nil, {"!", "$9", "?!"}, {"??"}, {"*"}}, list[0].Marks)
	require.Equal(t, [][]string{nil, nil, {"(1... 23-19! {good} (24-20 {or}))", "(22-18)"}}, list[0].Variations)
	again = read(string(g.AppendPDN(nil, list[0])))
	again[0].Line = list[0].Line
	require.Equal(t, list, again)
	list[0].Remark(0, 1, "??", "a comment", []string{"22-17", "8-11"})
	list[0].Remark(0, 2, "?", "the end", nil)
	require.Contains(t, strings.ReplaceAll(string(g.AppendPDN(nil, list[0])), "\n", " "),
		"22-17?? {it loses} {yomikiri: a comment} (1... 23-19! {good} (24-20 {or})) (22-18) ({yomikiri} 1... 22-17 2. 8-11) 2. 8-11* ? {yomikiri: ? the end} *")

	// A record that is not read.
	white, err := g.ParsePosition("W:W21:B1")
	require.NoError(t, err)
	won := 1.0
	for _, c := range []struct {
		from   Position
		points *float64
		want   string
	}{
		{g.Start(), nil, `[Black "A"] [White "B"] [Result "*"]  *`},
		{g.Start(), &won, `[Black "A"] [White "B"] [Result "1-0"]  1-0`},
		{white, &won, `[Black "B"] [White "A"] [Result "0-1"] [SetUp "1"] [FEN "W:W21:B1"]  0-1`},
	} {
		text := string(g.AppendPDN(nil, g.NewRecord(c.from, nil, [2]string{"A", "B"}, c.points)))
		require.Equal(t, c.want, strings.TrimSpace(strings.ReplaceAll(text, "\n", " ")))
	}

	// A word may be part of a capture, whose mark is lost.
	list = read("[FEN \"B:W6,14:BK1\"]\n1x10? {half} 10x17! {whole}")
	require.Equal(t, [][]string{nil, {"!"}}, list[0].Marks)
	require.Equal(t, [][]string{{"half"}, {"whole"}}, list[0].Comments)
}
