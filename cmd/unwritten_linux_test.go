package cmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// TestUnwritten prints results even if the file that is wanted too cannot be written.
func TestUnwritten(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"prove tictactoe --proof ", `(?m)^value +draw$`},
		{"prove gomoku:size=4x4,k=3 --proof ", `(?m)^value +win$`},
		{"prove gomoku:size=7x7,k=4 --attack --proof ", `(?m)^value +win$`},
		{"tsume 4k4/9/4P4/9/9/9/9/9/9 b 2G -q --kif ", `^mate in 1, `},
		{"tsume 4k4/9/4P4/9/9/9/9/9/9 b 2G -q --proof ", `^mate in 1, `},
	} {
		name := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.MkdirAll(filepath.Join(name+".tmp", "in the way"), 0o700))
		code, stdout, stderr := run(c.line+name, inputGames...)
		require.Equal(t, ui.ExitFailure, code, c.line)
		require.Regexp(t, c.want, stdout)
		require.NotContains(t, stdout, name)
		require.Contains(t, stderr, name+".tmp")
		require.NoFileExists(t, name)
	}
}

// TestUnwritable fails before the search where nothing can be written.
func TestUnwritable(t *testing.T) {
	code, stdout, stderr := run("prove gomoku --attack --proof /proc/self/a1.proof", inputGames...)
	require.Equal(t, ui.ExitUsage, code) // since the system says that no file can be there
	require.Empty(t, stdout)
	require.Contains(t, stderr, "--proof \"/proc/self/a1.proof\": cannot write to the directory /proc/self")
}
