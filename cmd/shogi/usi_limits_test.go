package shogi

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestUSICut has a limit end the search when the mate is proven and its line is not yet known to its
// end: the answer is the mate.
func TestUSICut(t *testing.T) {
	entry, err := tsume.ParseEntry(mateInThree, tsume.Reading{})
	require.NoError(t, err)
	m, err := shogi.NewBoard(entry.Position).ParseUSI("R*5b")
	require.NoError(t, err)
	for _, cut := range []bool{false, true} {
		var out bytes.Buffer
		search := mateSearch{problem: entry.Problem, solution: tsume.Solution{Outcome: dfpn.Proven, Length: 3, Line: []shogi.Move{m}, Cut: cut}}
		search.answer(newUSIEngine(&out).Say)
		require.Regexp(t, `(?m)^info depth 3 .* score mate 3 pv R\*5b$`, out.String())
		require.Equal(t, cut, strings.HasPrefix(out.String(), "info string a limit was reached before the line was known to its end\n"))
		require.True(t, strings.HasSuffix(out.String(), "\ncheckmate R*5b\n"), out.String())
	}
}

// TestUSIHandsLater sets how hands are read after the position.
func TestUSIHandsLater(t *testing.T) {
	g := startGUI(t)
	g.send("setoption name USI_Hash value 16", "position sfen 8k/7pp/9/9/9/9/9/9/R3K4 b - 1")
	for _, c := range []struct{ reading, want string }{
		{"rest", "checkmate nomate"}, {"given", `checkmate 9i9a\+?`}, {"rest", "checkmate nomate"}, {"usual", `checkmate 9i9a\+?`},
	} {
		g.send("setoption name Hands value "+c.reading, "go mate infinite")
		g.expect(c.want)
	}
	g.send("quit")
	g.end()
}
