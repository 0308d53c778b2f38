package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/play/match"
)

// TestTrainRepeats checks that a training that was stopped at any point gives the same weights.
func TestTrainRepeats(t *testing.T) {
	list := []Plugin{Game("connect4"), Game("tictactoe")}
	dir := t.TempDir()
	out, from := filepath.Join(dir, "w"), filepath.Join(dir, "zero")
	g, err := connect4.Family.Open("connect4")
	require.NoError(t, err)
	set := g.FeatureSet()
	var zero bytes.Buffer
	require.NoError(t, games.WriteWeights(&zero, set, make([]float32, set.Size+set.Coarse), "nothing"))
	require.NoError(t, os.WriteFile(from, zero.Bytes(), 0o600))
	command := "train connect4 --self-play 60 --nodes 40 --moves 0.1 --epochs 4 --l1 0.1 -q --out " + out + " --from " + from
	code, stdout, stderr := run(command, list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	require.Regexp(t, `games +60, 0 not read whole\nexamples +[\d,]+, and [\d,]+ held out`, stdout)
	require.Regexp(t, `agreement with the moves played in \d+ positions held out, before → after
quiescence      [\d.]+ → [\d.]+ % ± [\d.]+
40 nodes        [\d.]+ → [\d.]+ % ± [\d.]+
log-likelihood  -[\d.]+ → -[\d.]+, temperature \d+ → \d+
`, stdout)
	require.NoFileExists(t, out+".state")
	weights, err := os.ReadFile(out)
	require.NoError(t, err)
	played, err := os.ReadFile(out + ".games")
	require.NoError(t, err)

	again := func(command string) {
		require.NoError(t, os.RemoveAll(out))
		code, _, stderr := run(command, list...)
		require.Equal(t, ui.ExitOK, code, stderr)
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		require.True(t, bytes.Equal(weights, got))
	}
	again(command)
	require.NoError(t, os.WriteFile(out+".games", played[:len(played)*2/5], 0o600))
	again(command + " --threads 3")
	code, stdout, stderr = run(command+" --json", list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	var result trained
	require.NoError(t, json.Unmarshal([]byte(stdout), &result))
	require.Positive(t, result.Agreement.Before.Positions)
	require.Greater(t, result.Agreement.After.LogLikelihood, result.Agreement.Before.LogLikelihood)
	code, stdout, stderr = run(command+" --agreement 0", list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	require.NotContains(t, stdout, "agreement")
	got, err := os.ReadFile(out + ".games")
	require.NoError(t, err)
	require.Equal(t, string(played), string(got))

	// The weights are those of the game, and play.
	w, origin, err := games.ReadWeights(bytes.NewReader(weights), g.FeatureSet())
	require.NoError(t, err)
	require.NotEqual(t, make([]float32, set.Size+set.Coarse), w)
	require.Contains(t, origin, "60 games, 60 of them of self-play at 40 nodes a move")
	code, stdout, stderr = run("match connect4 nodes=50,weights="+out+" nodes=50,weights=made --games 4 -q", list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	require.Contains(t, stdout, "games     4:")

	for _, c := range []struct{ command, want string }{
		{"train tictactoe --self-play 10 --out " + out + "2 --file " + out + ".games", "it has a match of connect4|it has games of connect4, not of tictactoe"},
		{"train tictactoe --out " + out + "2 --records " + out + ".games", "it has games of connect4, not of tictactoe"},
		{"train tictactoe --self-play 10 --out " + out + "2 --from " + out, `they are \d+ weights of the features connect4-2`},
		{"train connect4 --self-play 10 --nodes 41 --out " + out, "it has a match with .*nodes 40.*, not with .*nodes 41"},
		{"train connect4 --self-play 10 --out " + out + "2 --from " + out + ".games", "this is not a file of weights"},
	} {
		code, _, stderr := run(c.command, list...)
		require.Equal(t, ui.ExitUsage, code, c.command)
		require.Regexp(t, c.want, stderr, c.command)
	}

	// Long games are draws.
	code, _, stderr = run("train connect4 -q --self-play 20 --nodes 40 --plies 12 --agreement 0 --out "+out+"3", list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	short, err := os.ReadFile(out + "3.games")
	require.NoError(t, err)
	records, err := match.Read(bytes.NewReader(short), g.Name())
	require.NoError(t, err)
	drawn := 0
	for _, r := range records {
		require.LessOrEqual(t, len(r.Moves), 12)
		if r.Ending == match.ByLength {
			drawn++
			require.Len(t, r.Moves, 12)
			require.InDelta(t, 0.5, r.Points, 0)
		}
	}
	require.Positive(t, drawn)

	// Of a damaged match the games before the damage are used.
	lines := bytes.SplitAfter(played, []byte("\n"))
	lines[41] = []byte("{\n")
	damaged := filepath.Join(dir, "damaged")
	require.NoError(t, os.WriteFile(damaged, bytes.Join(lines, nil), 0o600))
	code, stdout, stderr = run("train connect4 -q --out "+out+"2 --records "+damaged, list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	require.Equal(t, damaged+": bad file of a match: game 41: unexpected end of JSON input\n", stderr)
	require.Contains(t, stdout, "games     40, 1 not read whole")
}

// TestTrainRecords learns from records, some of which are broken.
func TestTrainRecords(t *testing.T) {
	list := []Plugin{Game("tictactoe")}
	dir := t.TempDir()
	write := func(name string, lines ...string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
		return path
	}
	game := "startpos moves a1 b1 a2 b2 a3"
	good := write("good", strings.Split(strings.Repeat(game+"\n", 12), "\n")...)
	broken := write("broken", game, "startpos moves a1 a1", "", "# a comment")
	empty, nothing := write("empty"), write("nothing", "startpos moves z9")
	out := filepath.Join(dir, "w")

	code, stdout, stderr := run("train tictactoe -q --out "+out+" --records "+good+" "+broken+" "+empty+" "+dir+"/missing", list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	require.Contains(t, stdout, "games     14, 3 not read whole")
	require.Contains(t, stderr, "broken: line 2: move 2:")
	require.Contains(t, stderr, "\n"+empty+" is empty\n")
	require.Contains(t, stderr, "missing: ")

	for _, c := range []struct{ args, want string }{
		{"--out " + out, "want something to learn from: --records FILES, --self-play N or --db DIR"},
		{"--self-play 10", "want --out FILE"},
		{"--out " + out + " " + good, "want --records before files"},
		{"--out " + out + " --records " + empty, "none of 1 file has a game that could be read"},
		{"--out " + out + " --records " + empty + "," + nothing, "none of 2 files has a game that could be read"},
		{"--out " + out + " --records " + good + " --results 0", "there is nothing to learn"},
		{"--out " + out + " --records " + good + " --file x", "--file has no effect without games to play: want --self-play N"},
		{"--out " + out + " --records " + good + " --threads 2", "--threads has no effect without games to play: "},
		{"--out " + out + " --records " + good + " --plies 20", "--plies has no effect without games to play: "},
		{"--out " + out + " --records " + good + " --random-plies 2", "--random-plies has no effect without games to play: "},
		{"--out " + out + " --records " + good + " --every 2", "--every has no effect without moves to compare: want --moves"},
		{"--out " + out + " --records " + good + " --agreement 0 --nodes 5", "--nodes has no effect with --agreement 0 and without games to play: "},
		{"--out " + out + " --records " + good + " --results 0 --moves 1 --scores 0.1", "--scores has no effect with --results 0: no results are learned"},
		{"--out " + out + " --records " + broken, "too few examples"},
		{"--out " + out + " --records " + good + " --from " + good, "this is not a file of weights"},
		{"--out " + out + " --records " + good + " --scores 2", "want a number from 0 to 1"},
	} {
		code, _, stderr := run("train tictactoe -q "+c.args, list...)
		require.Equal(t, ui.ExitUsage, code, c.args)
		require.Contains(t, stderr, c.want, c.args)
	}
}

// TestTrainDatabase learns from positions of a database alone.
func TestTrainDatabase(t *testing.T) {
	list := []Plugin{Game("tictactoe"), Game("connect4")}
	dir := t.TempDir()
	db, out := filepath.Join(dir, "db"), filepath.Join(dir, "w")
	code, _, stderr := run("solve -q tictactoe --db "+db, list...)
	require.Equal(t, ui.ExitOK, code, stderr)

	command := "train tictactoe -q --db " + db + " --positions 2000 --epochs 3 --l1 0.1 --from made --out "
	var files [2][]byte
	for i := range files {
		code, stdout, stderr := run(command+out, list...)
		require.Equal(t, ui.ExitOK, code, stderr)
		require.Regexp(t, `games +0, .*\ndrawn +2,000 positions\nexamples`, stdout)
		var err error
		files[i], err = os.ReadFile(out)
		require.NoError(t, err)
	}
	require.Equal(t, files[0], files[1])
	code, _, stderr = run(command+out+" --seed 2", list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	other, err := os.ReadFile(out)
	require.NoError(t, err)
	require.NotEqual(t, files[0], other)

	for _, c := range []struct{ command, want string }{
		{"train connect4 --db " + db + " --out " + out, "is a database of tictactoe, not of connect4"},
		{"train tictactoe --positions 10 --out " + out, "--positions draws from a database: want --db DIR"},
		{"train tictactoe --db " + db + " --results 0 --moves 1 --out " + out, "there is nothing to learn"},
		{"train tictactoe --db " + db + " --moves 1 --out " + out, "--moves has no effect without games: want --records FILES or --self-play N"},
		{"train tictactoe --db " + db + " --agreement 5 --out " + out, "--agreement has no effect without games: "},
		{"train tictactoe --db " + db + " --nodes 5 --out " + out, "--nodes has no effect without games: "},
		{"train tictactoe --db " + db + " --scores 0.1 --out " + out, "--scores has no effect with --db, whose values are learned instead"},
		{"train tictactoe --db " + db + " --results 0 --moves 1 --positions 5 --self-play 4 --out " + out, "--positions has no effect with --results 0: "},
		{"train tictactoe --db " + db + " --results 0 --moves 1 --records x --out " + out, "--db has no effect with --results 0: its values are results, and no games are played"},
	} {
		code, _, stderr := run(c.command, list...)
		require.Equal(t, ui.ExitUsage, code, c.command)
		require.Contains(t, stderr, c.want, c.command)
	}
}
