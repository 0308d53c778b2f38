package cmd

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/shogi"
)

func TestWrapped(t *testing.T) {
	word := strings.Repeat("w", 39)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"one\ntwo\n\nthree", "one two\n\nthree"},
		{word + " " + word + " x", word + " " + word + "\nx"},
		{word + " " + word + "w x", word + " " + word + "w\nx"},
		{word + " " + word + "ww x", word + "\n" + word + "ww x"},
		{"  name   " + word + "\n         " + word + "\n  more   x", "  name   " + word + "\n         " + word + "\n  more   x"},
		{"text:\n\n  command one\n  command two", "text:\n\n  command one\n  command two"},
		{"/" + word + word + word + " x", "/" + word + word + word + "\nx"},
		{strings.Repeat("ō", 39) + " " + word, strings.Repeat("ō", 39) + " " + word},
	} {
		require.Equal(t, c.want, wrappedText(c.text))
		require.Equal(t, c.want, wrappedText(c.want), "again")
	}
}

// TestWidth requires that helps and the list of games fit into 80 columns.
func TestWidth(t *testing.T) {
	var out bytes.Buffer
	root, err := newRoot("yomikiri", plugins{Game(dobutsu.Family), Game(awari.Family), Game(checkers.Family, Checkers), Game(gomoku.Family, Gomoku), Game(shogi.Family, Tsume)}, &out)
	require.NoError(t, err)
	root.SetArgs([]string{"games"})
	require.NoError(t, root.Execute())
	var helps func(c *cobra.Command)
	helps = func(c *cobra.Command) {
		if c.Name() == "completion" {
			return // its text is not ours
		}
		out.WriteString("\n" + c.CommandPath() + "\n\n" + c.Long + "\n")
		if c.HasAvailableSubCommands() {
			out.WriteString(c.UsageString())
		}
		for _, sub := range c.Commands() {
			helps(sub)
		}
	}
	helps(root)
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), textWidth, line)
	}
}
