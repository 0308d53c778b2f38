package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestTrainWeighs weighs positions by progress and whole games.
func TestTrainWeighs(t *testing.T) {
	list := []Plugin{Game(connect4.Family), Game(tictactoe.Family)}
	dir := t.TempDir()
	db := filepath.Join(dir, "db")
	code, _, stderr := run("solve -q tictactoe --db "+db, list...)
	require.Equal(t, exitOK, code, stderr)
	plain := filepath.Join(dir, "plain")
	common := "train tictactoe -q --from made --self-play 40 --nodes 20 --random-plies 2 --l1 0.1 --epochs 3 --agreement 0 "
	code, _, stderr = run(common+"--out "+plain, list...)
	require.Equal(t, exitOK, code, stderr)

	for _, by := range []string{"progress", "games"} {
		out := filepath.Join(dir, by)
		command := common + "--weigh " + by + " --individuals 4 --steps 3 --first-games 12 --step-games 16 --final-games 8 --out " + out
		code, stdout, stderr := run(command, list...)
		require.Equal(t, exitOK, code, stderr)
		require.Contains(t, stdout, "tictactoe, data weighed by "+by+"\nsteps     3 of 3\n")
		require.Regexp(t, `(?m)^0 +4 +\d +-?\d+ +-?\d+\n1 +1 `, stdout)
		require.Regexp(t, `best of the first +\d\.\d{3} ± \d\.\d{3} in 8 games`, stdout)
		weights, err := os.ReadFile(out)
		require.NoError(t, err)

		// The same again, from what is there, and from nothing with threads.
		for _, more := range []string{"", " --threads 3"} {
			require.NoError(t, os.Remove(out))
			if more != "" {
				require.NoError(t, os.Remove(out+".weigh"))
				require.NoError(t, os.RemoveAll(out+".individuals"))
				for _, name := range []string{"best", "best-of-the-first", "mean-weights"} {
					require.NoError(t, os.Remove(out+".final-3-"+name))
				}
			}
			code, again, stderr := run(command+more, list...)
			require.Equal(t, exitOK, code, stderr)
			require.Equal(t, stdout, again)
			got, err := os.ReadFile(out)
			require.NoError(t, err)
			require.Equal(t, weights, got)
		}

		state := out + ".weigh"
		code, shown, stderr := run("train tictactoe --show "+state, list...)
		require.Equal(t, exitOK, code, stderr)
		require.Contains(t, stdout, shown)
		code, shown, stderr = run("train tictactoe --json --show "+state, list...)
		require.Equal(t, exitOK, code, stderr)
		var w weighing
		require.NoError(t, json.Unmarshal([]byte(shown), &w))
		require.True(t, w.Complete)
		require.Len(t, w.Individuals, 7)
		require.Len(t, w.Mean, map[string]int{"progress": 32, "games": 40}[by])
		svg := filepath.Join(dir, by+".svg")
		code, _, stderr = run("train tictactoe -q --show "+state+" --plot "+svg, list...)
		if by == "games" {
			require.Equal(t, exitUsage, code)
			require.Contains(t, stderr, "--plot draws weights by progress; these are of games")
		} else {
			require.Equal(t, exitOK, code, stderr)
			require.FileExists(t, svg)
		}
		code, stdout, stderr = run("bench errors tictactoe -q --db "+db+" --weights made --weighed "+state+" --games 20 --positions 0 --limits 0", list...)
		require.Equal(t, exitOK, code, stderr)
		require.Regexp(t, `steps 0 +[+-]\d+ Elo +0\.\d{3} \[[^]]+\]\n +0  steps 1 +[+-]\d+ Elo .*\] +[+-]0\.\d{3} \[`, stdout)
		require.Contains(t, stdout, "rank correlation of Elo and decisions kept: ")
	}

	state := filepath.Join(dir, "progress.weigh")
	broken := filepath.Join(dir, "broken.weigh")
	text, err := os.ReadFile(state)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(broken, text[:len(text)/2], 0o600))
	out := "--out " + filepath.Join(dir, "progress")
	for _, c := range []struct{ command, want string }{
		{"train connect4 --show " + state, "is of tictactoe, not of connect4"},
		{"train tictactoe --show " + plain, `want "yomikiri state 1\n"; remove it to begin again`},
		{"train tictactoe --show " + broken, "the file is damaged; remove it to begin again"},
		{"train tictactoe --show " + filepath.Join(dir, "none"), "no such file"},
		{"train tictactoe --show " + state + " " + out, "--show shows a state and learns nothing"},
		{"train tictactoe --plot x.svg --self-play 10 " + out, "want --show FILE"},
		{"train tictactoe --weigh plies --self-play 10 " + out, `"plies": want progress or games`},
		{"train tictactoe --weigh games --db " + db + " " + out, "--weigh weighs games: want --records FILES or --self-play N"},
		{"train tictactoe --weigh games --self-play 10 --positions 10 --db " + db + " " + out, "--weigh weighs games: want no --positions"},
		{common + "--weigh progress --individuals 4 --steps 3 --first-games 12 --step-games 18 " + out, "it is of other data or other settings; remove it to begin again"},
		{common + "--weigh progress --individuals 4 --steps 2 --first-games 12 --step-games 16 " + out, "3 steps are done, and 2 were asked for"},
		{"bench errors tictactoe --db " + db + " --weighed " + broken, "the file is damaged"},
	} {
		code, _, stderr := run(c.command, list...)
		require.Equal(t, exitUsage, code, "%s: %s", c.command, stderr)
		require.Contains(t, stderr, c.want, c.command)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "progress.individuals")))
	code, _, stderr = run("bench errors tictactoe --db "+db+" --weighed "+state, list...)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "000.weights: there is no such file")
}

func TestBenchMatchmaking(t *testing.T) {
	svg := filepath.Join(t.TempDir(), "m.svg")
	command := "bench matchmaking --players 6 --pairs 40 --runs 3 --plot " + svg
	code, stdout, stderr := run(command)
	require.Equal(t, exitOK, code, stderr)
	require.Equal(t, 2, strings.Count(stdout, "\nmixed "))
	require.Regexp(t, `pairs +10 +20 +30 +40\nrandom +\d\.\d\d ± \d\.\d\d`, stdout)
	require.FileExists(t, svg)
	code, again, stderr := run(command + " --threads 3")
	require.Equal(t, exitOK, code, stderr)
	require.Equal(t, stdout, again)
	code, _, stderr = run("bench matchmaking --players 1")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "want a whole number from 2 to ")
}
