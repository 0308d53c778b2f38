package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// zeroWeights writes weights that are all 0 to a file, by which everything is worth 0.
func zeroWeights(t *testing.T, name string, set *games.FeatureSet) string {
	var file bytes.Buffer
	require.NoError(t, games.WriteWeights(&file, set, make([]float32, set.Size+set.Coarse), ""))
	require.NoError(t, os.WriteFile(name, file.Bytes(), 0o600))
	return name
}

// runInput runs a command that reads lines.
func runInput(args string, lines []string, list ...Plugin) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	code = Run(context.Background(), append([]string{"yomikiri"}, strings.Fields(args)...), Stdio{in, &out, &err}, list...)
	return code, out.String(), err.String()
}

// TestWeightsFlag checks that each command with --weights judges by them, and says what is wrong with them.
func TestWeightsFlag(t *testing.T) {
	list := []Plugin{Game("connect4"), Game("tictactoe"), Game("shogi")}
	dir := t.TempDir()
	g, err := connect4.Family.Open("connect4")
	require.NoError(t, err)
	lines := zeroWeights(t, filepath.Join(dir, "connect4.w"), g.FeatureSet())
	pieces := zeroWeights(t, filepath.Join(dir, "shogi.w"), shogi.Game{}.FeatureSet())

	for _, c := range []struct {
		command string
		lines   []string
		own     string // what the weights of the game say
		zero    string
	}{
		{"play connect4 --level 1 --weights " + lines, []string{"hint", "quit"}, `[+-]\d+ for you, an estimate`, `\D0 for you, an estimate`},
		{"usi --weights " + pieces, []string{"isready", "position startpos moves 7g7f 3c3d", "go depth 1"}, `score cp -?[1-9]`, `score cp 0 `},
	} {
		without, _, _ := strings.Cut(c.command, " --weights")
		code, stdout, stderr := runInput(without, c.lines, list...)
		require.Equal(t, ui.ExitOK, code, stderr)
		require.Regexp(t, c.own, stdout)
		code, stdout, stderr = runInput(c.command, c.lines, list...)
		require.Equal(t, ui.ExitOK, code, stderr)
		require.Regexp(t, c.zero, stdout)
	}

	record := filepath.Join(dir, "record")
	require.NoError(t, os.WriteFile(record, nil, 0o600))
	foreign := `shogi\.w, as weights of connect4: bad weights: they are \d+ weights of the features shogi-1, want \d+ of connect4-\d`
	for _, c := range []struct{ command, want string }{
		{"play connect4 --level 3 --weights " + pieces, foreign},
		{"play connect4 --level 3 --weights " + record, "as weights of connect4: bad weights: this is not a file of weights"},
		{"play connect4 --level 3 --weights " + dir + "/none", "none: there is no such file"},
		{"play connect4 --weights " + lines, "--weights has no effect without a search: want --level N"},
		{"usi --weights " + lines, "connect4.w, as weights of shogi: .* of the features connect4-"},
		{"analyze connect4 startpos --weights " + pieces, foreign},
		{"match connect4 weights=" + pieces + " nodes=10", foreign},
		{"serve connect4 --weights " + pieces, "--weights: no game that is served has these weights; .*" + foreign},
		{"serve connect4 --weights " + lines + "," + record, "--weights: no game that is served has these weights; .*record, as weights of connect4: .*not a file"},
	} {
		code, _, stderr := run(c.command, list...)
		require.Equal(t, ui.ExitUsage, code, "%s: %s", c.command, stderr)
		require.Regexp(t, c.want, stderr, c.command)
	}
}

// TestServedWeights checks that a file is for the game with its features.
func TestServedWeights(t *testing.T) {
	list := plugins{Game("connect4"), Game("tictactoe")}
	g, err := list.open("connect4")
	require.NoError(t, err)
	own, err := g.Evaluation()
	require.NoError(t, err)
	other, err := list.open("tictactoe")
	require.NoError(t, err)
	w, err := readServedWeights([]string{zeroWeights(t, filepath.Join(t.TempDir(), "w"), own.Set)})
	require.NoError(t, err)
	e, err := w.of(other)
	require.NoError(t, err)
	own, err = other.Evaluation()
	require.NoError(t, err)
	require.Equal(t, own.Weights, e.Weights)
	require.ErrorIs(t, w.unused(), games.ErrWeights)
	e, err = w.of(g)
	require.NoError(t, err)
	require.Equal(t, make([]float32, len(e.Weights)), e.Weights)
	require.NoError(t, w.unused())
}
