package checkers

import (
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

	// A word may be part of a capture.
	list = read("[FEN \"B:W6,14:BK1\"]\n1x10 {half} 10x17 {whole}")
	require.Equal(t, [][]string{{"half"}, {"whole"}}, list[0].Comments)
}
