//go:build unix

package main

import (
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

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
