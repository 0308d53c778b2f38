package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

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
		code, _, stderr := run("tsume -q --kif "+out+" "+in, Game("shogi"))
		require.Equal(t, ui.ExitOK, code, stderr)
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
	}{{"white", ui.ExitOK, `^unsound\b`}, {"white", ui.ExitOK, `^unsound\b`}, {"black", ui.ExitUsage, `^$`}} {
		var stdout, stderr bytes.Buffer
		args := []string{"yomikiri", "tsume", "-q", "--judge", "--results", results, "--attacker", c.attacker, "8k/9/7NG/9/9/9/9/9/4K4 w G"}
		code := Run(t.Context(), args, Stdio{strings.NewReader(""), &stdout, &stderr}, Game("shogi"))
		require.Equal(t, c.code, code, stderr.String())
		require.Regexp(t, c.answer, stdout.String())
	}
}
