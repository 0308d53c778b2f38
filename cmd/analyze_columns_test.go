package cmd

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// spreading is a game of shogi in which each side spreads its attacks over the board, so that the opening is over
// after 20 plies.
const spreading = "startpos moves 7g7f 3c3d 8h3c+ 2b3c 8i7g 3c7g+ 2h6h B*3h 3i2h 3h4g+ 7i8h 7a7b 2g2f N*2g 6g6f 3a2b 6f6e 7g8g 6h6f 4a3a"

// TestAnalyzeColumns has a model of resignation, with its base rate, and the opening only where they were measured: in
// shogi. No game has an endgame, which no measure tells.
func TestAnalyzeColumns(t *testing.T) {
	list := []Plugin{Game("dobutsu"), Game("checkers"), Game("shogi")}
	for _, c := range []struct {
		game   string
		fields bool
	}{
		{"shogi " + spreading, true},
		{"dobutsu startpos moves b3b2 b1b2 c4c3", false},
		{"checkers startpos moves 11-15 23-19", false},
	} {
		answer := func(flags string) string {
			code, stdout, stderr := run("analyze -q --leaves 1 --memory 1MiB --threads 1 "+c.game+flags, list...)
			require.Equal(t, ui.ExitOK, code, stderr)
			return stdout
		}
		head, _, _ := strings.Cut(answer(""), "\n")
		want := []string{"ply", "move", "value", "win", "%", "b*", "better"}
		if c.fields {
			want = []string{"ply", "move", "value", "win", "%", "b*", "resign", "E", "phase", "better"}
			require.Contains(t, answer(""), "\nopening   until ply 20\n")
			require.Regexp(t, `more likely than not from ply \d+ on, by a model of amateurs, of which 50 % of the positions were resignations\n`, answer(""))
		}
		require.Equal(t, want, strings.Fields(head))

		for line := range strings.Lines(answer(" --json")) {
			var record map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &record))
			require.NotContains(t, record, "phases")
			if record["marks"] != nil {
				require.Equal(t, c.fields, record["hopeless"] != nil, line)
				require.Equal(t, c.fields, record["opening_ends"] != nil, line)
				continue
			}
			require.Equal(t, c.fields && record["value"] == nil, record["resign"] != nil, line)
			require.Equal(t, record["resign"] != nil, record["resign_base"] == 0.5, line)
			require.Equal(t, c.fields, record["evidence"] != nil, line)
			require.Equal(t, c.fields && record["ply"].(float64) < 20, record["phase"] == "opening", line)
		}

		table, err := csv.NewReader(strings.NewReader(answer(" --csv"))).ReadAll()
		require.NoError(t, err)
		for i, name := range table[0] {
			require.NotEqual(t, "end", name)
			if name == "opening_ends" || name == "hopeless" {
				require.Equal(t, c.fields, table[1][i] != "", name)
			}
		}
	}
}

// TestAnalyzeLost has no mark on moves of sides that have lost already (docs/marks.md): the first by its estimate, the others
// since deciders look at many more positions before a move is marked.
func TestAnalyzeLost(t *testing.T) {
	for _, c := range []struct{ line, by string }{
		{"gomoku 15/4o10/15/12x2/15/6xxox5/15/3x11/15/3o11/3oo10/15/15/15/15 x moves f5 --leaves 1000", ""},
		{"gomoku 15/4o2o7/1o12o/1xo11x/1o12x/14x/15/15/15/15/12x2/11o3/10xx3/9x1o3/15 x moves f15 --leaves 4000", "loss in 32 or less"},
		{"connect4:size=5x5 ...../...../...../..x.x/oooxx moves e --leaves 20000", "loss"},
	} {
		code, stdout, stderr := run("analyze --threads 1 --json -q "+c.line, Game("gomoku"), Game("connect4"))
		require.Equal(t, ui.ExitOK, code, stderr)
		first, _, _ := strings.Cut(stdout, "\n")
		var row struct{ Move, Mark, Value string }
		require.NoError(t, json.Unmarshal([]byte(first), &row))
		require.NotEmpty(t, row.Move)
		require.Empty(t, row.Mark, first)
		require.Equal(t, c.by, row.Value, first)
	}
}
