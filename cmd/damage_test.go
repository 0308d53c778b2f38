package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// TestStatsDamaged counts by the manifest of a database whose values are gone or have another size, and fails.
func TestStatsDamaged(t *testing.T) {
	list := []Plugin{Game("tictactoe")}
	dir := filepath.Join(t.TempDir(), "t.db")
	code, _, stderr := run("solve tictactoe -q --db "+dir, list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	tables, err := filepath.Glob(filepath.Join(dir, "store", "*.sst"))
	require.NoError(t, err)
	require.NotEmpty(t, tables)
	check := func(reason string) {
		for _, flag := range []string{"", " --csv", " --json"} {
			code, stdout, stderr := run("stats "+dir+flag, list...)
			require.Equal(t, ui.ExitCorrupt, code, flag)
			require.Contains(t, stdout, "draw")
			require.Regexp(t, "^yomikiri: .*t.db: damaged data: "+reason+"\n$", stderr)
		}
	}
	require.NoError(t, os.Truncate(tables[0], 100))
	check(`file .*sst has 100 bytes, want \d+`)
	for _, table := range tables {
		require.NoError(t, os.Remove(table))
	}
	check(".*sst: there is no such file or directory")
}

// TestAnalyzeDamaged has a game meet a damaged block: it is not judged, and the others are.
func TestAnalyzeDamaged(t *testing.T) {
	list := []Plugin{Game("checkers")}
	dir := t.TempDir()
	base := filepath.Join(dir, "2.db")
	code, _, stderr := run("solve checkers --pieces 2 -q --db "+base, list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	damage(t, base, func(table []byte) {
		for i := range len(table) / 2 {
			table[i] ^= 0x55
		}
	})
	whole, lost := "[Event \"whole\"]\n"+pdnRecord, "[Event \"lost\"]\n[FEN \"W:WK32:BK1\"]\n\n32-27 1/2-1/2\n"
	for name, text := range map[string]string{"a.pdn": whole + lost, "b.pdn": lost, "c.pdn": whole} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	files := " " + filepath.Join(dir, "a.pdn") + " " + filepath.Join(dir, "b.pdn") + " " + filepath.Join(dir, "c.pdn")
	for flag, rows := range map[string]int{"": 2, " --csv": 5, " --json": 12} {
		code, stdout, stderr := run("analyze checkers -q --leaves 2 --memory 1MiB --db "+base+flag+files, list...)
		require.Equal(t, ui.ExitCorrupt, code, stderr)
		require.Regexp(t, `^.*a.pdn game 2: .*damaged data.*\n.*b.pdn: .*damaged data.*\nyomikiri: 2 of 4 games: damaged data\n$`, stderr)
		switch flag {
		case "":
			require.Equal(t, rows, strings.Count(stdout, "11-15"), stdout)
		case " --csv":
			require.Equal(t, rows, strings.Count(stdout, "\n"))
			require.Equal(t, 2, strings.Count(stdout, "damaged data"))
		default:
			require.Equal(t, rows, strings.Count(stdout, "\n"), stdout)
			require.Equal(t, 2, strings.Count(stdout, `"error":"`))
		}
	}
}
