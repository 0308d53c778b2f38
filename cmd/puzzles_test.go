package cmd

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
)

// TestPuzzles asks query for the moves of each puzzle: one keeps the result. Databases of results and compact ones have
// the same puzzles; without distances the rank differs.
func TestPuzzles(t *testing.T) {
	t.Chdir(t.TempDir())
	list := []Plugin{Game("tictactoe"), Game("connect4"), Game("checkers"), Game("dobutsu"), Game("awari")}
	command := func(line string) string {
		code, stdout, stderr := run(line, list...)
		require.Equal(t, ui.ExitOK, code, "%s: %s", line, stderr)
		return stdout
	}
	for _, c := range []struct{ game, compact string }{
		{"tictactoe", ""}, {"connect4:size=4x4", ""}, {"dobutsu:size=3x3", ""}, {"awari:stones=5", ""},
		{"checkers:size=4x4,pieces=3", "db compact full.db small.db --results"},
		{"checkers:size=4x4,pieces=4", "db compact full.db small.db"},
	} {
		if testing.Short() && (c.game == "awari:stones=5" || c.game == "dobutsu:size=3x3") {
			continue
		}
		require.NoError(t, os.RemoveAll("full.db"))
		require.NoError(t, os.RemoveAll("small.db"))
		command("solve " + c.game + " --db full.db -q")
		whole, _, _ := strings.Cut(strings.TrimSuffix(c.game, ":stones=5"), ",pieces")
		command("puzzles full.db --count 20 --out found -q")
		text, err := os.ReadFile("found")
		require.NoError(t, err)
		require.Equal(t, string(text), command("puzzles full.db --count 20 --json -q --threads 3"))
		puzzles := map[string]puzzleRecord{}
		var positions strings.Builder
		last := 1.0
		for line := range strings.Lines(string(text)) {
			var p puzzleRecord
			require.NoError(t, json.Unmarshal([]byte(line), &p))
			require.Equal(t, whole, p.Game)
			require.LessOrEqual(t, p.Rank, last)
			last = p.Rank
			puzzles[p.Position] = p
			positions.WriteString(p.Position + "\n")
		}
		require.Len(t, puzzles, 20)
		require.NoError(t, os.WriteFile("positions", []byte(positions.String()), 0o600))
		for line := range strings.Lines(command("query full.db --file positions --json")) {
			var a db.Answer
			require.NoError(t, json.Unmarshal([]byte(line), &a))
			p := puzzles[a.Position]
			require.Equal(t, map[string]string{aimWin: "win", aimSave: "draw"}[p.Aim], a.Category)
			require.Len(t, a.Moves, p.Legal)
			for _, m := range a.Moves {
				require.Equal(t, m.Move == p.Move, m.Category == a.Category, line)
			}
		}
		if c.compact == "" {
			continue
		}
		command(c.compact + " -q")
		for line := range strings.Lines(command("puzzles small.db --count 20 --json -q")) {
			var p puzzleRecord
			require.NoError(t, json.Unmarshal([]byte(line), &p))
			want := puzzles[p.Position]
			require.Equal(t, want.Move, p.Move)
			require.Equal(t, want.Errors, p.Errors)
			if strings.Contains(c.compact, "--results") {
				require.Nil(t, p.DTM)
			} else {
				require.Equal(t, want, p)
			}
		}
	}

	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"puzzles tictactoe --db three.db --count 1000000 --out none", "the database has hardly any more", ui.ExitUnknown},
		{"puzzles tictactoe --db three.db --only save --count 1000000 --out none", "the database has hardly any more", ui.ExitUnknown},
		{"puzzles tictactoe --db three.db --only loss", `--only "loss": want win or save`, ui.ExitUsage},
		{"puzzles tictactoe --db three.db --count 10 --candidates 9", "--candidates 9: want at least the 10 of --count", ui.ExitUsage},
	} {
		if _, err := os.Stat("three.db"); err != nil {
			command("solve tictactoe --db three.db -q")
		}
		code, _, stderr := run(c.line, list...)
		require.Equal(t, c.code, code, stderr)
		require.Contains(t, stderr, c.want)
		require.NoFileExists(t, "none")
	}
}
