//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// onTerminal runs a command on a terminal and returns what it shows.
func onTerminal(t *testing.T, columns uint16, environment string, args ...string) string {
	c := exec.Command("yomikiri", args...)
	c.Env = append(os.Environ(), "NO_COLOR=", "TERM=xterm", environment)
	f, err := pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: columns})
	require.NoError(t, err)
	text, _ := io.ReadAll(f) // fails where the command ends
	c.Wait()
	require.NoError(t, f.Close())
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// TestColour colours values and errors on a terminal, unless the user does not want it or a program reads it.
func TestColour(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t.db")
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "tictactoe", "--db", dir).Run())
	query := func(more ...string) []string {
		return append([]string{"query", "tictactoe", "startpos", "--db", dir}, more...)
	}
	for _, c := range []struct {
		environment string
		args        []string
		want        string // of what is coloured; empty if nothing is
	}{
		{"", query(), "value     \x1b[33mdraw\x1b[0m\n"},
		{"NO_COLOR=1", query(), ""},
		{"TERM=dumb", query(), ""},
		{"", query("--color", "never"), ""},
		{"NO_COLOR=1", query("--color", "always"), "value     \x1b[33mdraw\x1b[0m\n"},
		{"", query("--json"), ""},
		{"", query("--json", "--color", "always"), ""},
		{"", []string{"verify", dir}, "\x1b[32mOK\x1b[0m: "},
		{"", []string{"verify", "nowhere"}, "\x1b[31myomikiri:\x1b[0m there is no file"},
		{"NO_COLOR=1", []string{"verify", "nowhere"}, ""},
		{"", []string{"tsume", "4k4/9/4P4/9/9/9/9/9/9 b G"}, "\x1b[32mmate in 1\x1b[0m  "},
		{"", []string{"analyze", "tictactoe", "startpos", "moves", "a1", "a2", "--db", dir}, "a2\x1b[31m??\x1b[0m       \x1b[33mdraw\x1b[0m   "},
	} {
		text := onTerminal(t, 80, c.environment, c.args...)
		if c.want == "" {
			require.NotContains(t, text, "\x1b[3", "%s %q", c.environment, c.args)
			require.NotEmpty(t, text)
			continue
		}
		require.Contains(t, text, c.want, "%s %q", c.environment, c.args)
	}
	piped, err := exec.Command("yomikiri", query()...).Output()
	require.NoError(t, err)
	require.NotContains(t, string(piped), "\x1b")
}

// TestHelpWidth wraps help at the width of the terminal.
func TestHelpWidth(t *testing.T) {
	for _, columns := range []uint16{50, 80, 120} {
		longest := 0
		text, _, _ := strings.Cut(onTerminal(t, columns, "", "help", "analyze"), "\nUsage:")
		for line := range strings.Lines(text) {
			longest = max(longest, len([]rune(strings.TrimSuffix(line, "\n"))))
		}
		require.LessOrEqual(t, longest, int(columns))
		require.Greater(t, longest, int(columns)-15)
	}
}

// TestTerminal runs commands that show progress in terminals of 40 and 80 columns. No
// status is as long as a line, so each is painted over the one before.
func TestTerminal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "awari.db")
	widths := []uint16{40, 80}
	if testing.Short() {
		widths = widths[:1]
	}
	for _, columns := range widths {
		painted := 0
		for _, args := range [][]string{
			{"solve", "awari", "--stones", "11", "--threads", "1", "--db", dir},
			{"verify", dir, "--threads", "1"},
			{"prove", "gomoku", "--size", "4x7", "--k", "4"},
		} {
			c := exec.Command("yomikiri", args...)
			c.Stdout = io.Discard
			f, err := pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: columns})
			require.NoError(t, err)
			text, _ := io.ReadAll(f) // fails where the command ends
			require.NoError(t, c.Wait(), "%s", text)
			require.NoError(t, f.Close())

			for _, line := range strings.Split(string(text), "\n") {
				line = strings.TrimSuffix(line, "\r")
				if !strings.Contains(line, "\r") {
					continue // not painted
				}
				for _, status := range strings.Split(line, "\r") {
					require.Less(t, len([]rune(status)), int(columns), "%q", status)
					painted++
				}
			}
		}
		require.Positive(t, painted, "no command shows progress")
		dir += "2"
	}
}
