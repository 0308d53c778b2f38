package checkers

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParsePDN requires that what was read, written and read again is the same. In a text
// without comments, variations, tags and draws it requires that each pair of squares is in the moves
// of a game, or that something is wrong with a game.
func FuzzParsePDN(f *testing.F) {
	for _, text := range []string{
		"[Event \"x\"] [Result \"1-0\"]\n1. 11-15 23-19! 2. 8-11 22-17 1-0\n[Event \"y\"]\n11-16 *",
		"1. 11-15 (1. 9-13 {see :-) game} 22-18) 23-19 *",
		"[GameType \"21,B,8,8,A0,0\"]\n[FEN \"W:Wf6,Kd8:BKa1,Kb8:H0:F1\"]\nf6:e7 1/2-1/2",
		"[FEN \"W:W22,K26:B9,10,17,18,K25\"]\r\n%\r\n1. 22x6 $1 9 - 13 ; the end\r\n2... 26:23? 0-0",
		"1115 2319 0811 2217 2-0 11 15 1 11-15 \ufeff…",
		"[Site \"C:\\x\\\"y\\\\\"]\n1 11–15 ( ( ) ; )\n) 22x18 {",
		"[FEN \"B:W6,7,14,15:BK2\"]2x2 adjourned*",
		"[FEN \"B:W6,7,15:B2,12\"]\n1. 2x11 2. 11x18 6-2",
		"[Variant \"English\"]\n1. c3-d4 f6-g5 2 d4e5 d6:f4 3 g3xe5 2-0",
	} {
		f.Add(text)
	}
	g := open(f, "checkers")
	pair := regexp.MustCompile(`([1-9][0-9]?)[-x:]([1-9][0-9]?)\b`)
	f.Fuzz(func(t *testing.T, text string) {
		var moves []string
		bad := 0
		for r, err := range g.ParsePDN(text) {
			if err != nil {
				require.Regexp(t, `^PDN line [0-9]+: `, err.Error())
				bad++
				continue
			}
			p := r.Start
			for _, m := range r.Moves {
				require.True(t, slices.Contains(g.AppendMoves(nil, p), m))
				moves = append(moves, string(g.AppendMove(nil, p, m)))
				p = g.Play(p, m)
			}
			written := string(g.AppendPDN(nil, r))
			for again, err := range g.ParsePDN(written) {
				require.NoError(t, err, written)
				again.Line = r.Line
				require.Equal(t, r, again, written)
				r = nil
			}
			require.Nil(t, r, written)
		}
		if bad > 0 || strings.ContainsAny(text, "{}();%[$/") {
			return
		}
		rest := strings.Join(moves, " ")
		for _, p := range pair.FindAllStringSubmatch(text, -1) {
			if slices.Contains(results, p[1]+"-"+p[2]) {
				continue
			}
			_, after, ok := strings.Cut(rest, p[1])
			require.True(t, ok && strings.Contains(after, p[2]), "%s of %q is not in %q", p[0], text, rest)
			rest = after
		}
	})
}
