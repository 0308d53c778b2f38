package ui

import (
	"bytes"
	"os"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestPaint colours what is known, and leaves text alone without colour.
func TestPaint(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Paint(true).Value(games.Win(9)), "\x1b[32mwin in 9\x1b[0m"},
		{Paint(true).Value(games.Loss(8)), "\x1b[31mloss in 8\x1b[0m"},
		{Paint(true).Value(games.Draw), "\x1b[33mdraw\x1b[0m"},
		{Paint(true).Value(games.Score(-3)), "\x1b[31m-3\x1b[0m"},
		{Paint(true).ValueText("win"), "\x1b[32mwin\x1b[0m"},
		{Paint(true).ValueText("unknown"), "unknown"},
		{Paint(true).Bounds(games.Bounds{Lower: games.Win(9), Upper: games.Win(3)}), "\x1b[32mwin in 9 or less\x1b[0m"},
		{Paint(true).Bounds(games.Unbounded), "unknown"},
		{Paint(true).Good("OK"), "\x1b[32mOK\x1b[0m"},
		{Paint(true).Bad(""), ""},
		{Paint(false).Value(games.Win(9)), "win in 9"},
		{Paint(false).Bad("wrong"), "wrong"},
	} {
		require.Equal(t, c.want, c.got)
	}
}

// TestPaintOf colours always, or never, or on a terminal only; the tests of the command have one.
func TestPaintOf(t *testing.T) {
	pipe, other, err := os.Pipe()
	require.NoError(t, err)
	defer pipe.Close()
	defer other.Close()
	for _, c := range []struct {
		args    []string
		noColor string
		want    Paint
	}{
		{nil, "", false},
		{[]string{"--color", "auto"}, "", false},
		{[]string{"--color", "always"}, "", true},
		{[]string{"--color", "always"}, "1", true},
		{[]string{"--color", "never"}, "", false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		out := NewOutput(other)
		cmd := &cobra.Command{Run: func(cmd *cobra.Command, _ []string) {
			require.Equal(t, c.want, PaintOf(cmd), c.args)
			require.Equal(t, c.want, out.PaintOf(&bytes.Buffer{}), c.args)
		}}
		out.ColourFlag(cmd)
		cmd.SetOut(out)
		cmd.SetArgs(append([]string{}, c.args...))
		require.NoError(t, cmd.Execute())
	}
	require.Equal(t, Paint(false), PaintOf(&cobra.Command{}), "not the results of a program")
}

func TestPad(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"draw", "draw  "},
		{"ＧＯ→", "ＧＯ→   "},
		{Paint(true).Value(games.Draw), Paint(true).Value(games.Draw) + "  "},
		{"loss in 8", "loss in 8"},
	} {
		require.Equal(t, c.want, Pad(c.text, 6))
	}
}
