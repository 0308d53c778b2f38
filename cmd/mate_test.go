package cmd

import (
	"bytes"
	"os"
	"path/filepath"
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
		newUSIEngine(&out).answerMate(entry.Problem, tsume.Solution{Outcome: dfpn.Proven, Length: 3, Line: []shogi.Move{m}, Cut: cut}, nil)
		require.Regexp(t, `^info depth 3 .* score mate 3 pv R\*5b\n`, out.String())
		require.Equal(t, cut, strings.Contains(out.String(), "\ninfo string a limit was reached before the line was known to its end\n"))
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

// commented is a record of a problem whose moves have comments.
const commented = "後手の持駒：残り全部\n" +
	"| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n" +
	"| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n" +
	"| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n" +
	"先手の持駒：金\n手数----指手---------消費時間--\n*before the first move\n   1 MOVE打\n*after the first move\n   2 中断\n"

// TestTsumeKIF reads a record with comments and writes one: the comments stay, those of other moves
// than ours in a variation.
func TestTsumeKIF(t *testing.T) {
	for _, c := range []struct{ move, after string }{
		{"５二金", "   1 ５二金打"}, {"４二金", "変化：1手\n"},
	} {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in.kifu"), filepath.Join(dir, "out.kifu")
		require.NoError(t, os.WriteFile(in, []byte(strings.Replace(commented, "MOVE", c.move, 1)), 0o600))
		code, _, stderr := run("tsume -q --kif "+out+" "+in, Game(shogi.Family, Tsume))
		require.Equal(t, exitOK, code, stderr)
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Contains(t, string(text), "\n*before the first move\n")
		_, rest, found := strings.Cut(string(text), "   1 "+c.move+"打")
		require.True(t, found, "%s", text)
		require.Contains(t, rest, "\n*after the first move\n", c.move)
		require.Contains(t, string(text), c.after)
	}
}

// TestResultsAttacker has a result of a problem, and asks for the position with the other side as the
// attacker: that is another problem, and none that can be judged.
func TestResultsAttacker(t *testing.T) {
	results := filepath.Join(t.TempDir(), "results.jsonl")
	for _, c := range []struct {
		attacker string
		code     int
		answer   string
	}{{"white", exitOK, `^unsound\b`}, {"white", exitOK, `^unsound\b`}, {"black", exitUsage, `^$`}} {
		var stdout, stderr bytes.Buffer
		args := []string{"yomikiri", "tsume", "-q", "--judge", "--results", results, "--attacker", c.attacker, "8k/9/7NG/9/9/9/9/9/4K4 w G"}
		code := Run(t.Context(), args, Stdio{strings.NewReader(""), &stdout, &stderr}, Game(shogi.Family, Tsume))
		require.Equal(t, c.code, code, stderr.String())
		require.Regexp(t, c.answer, stdout.String())
	}
}
