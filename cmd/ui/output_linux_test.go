package ui

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWriteFile replaces a file, writes to a device, and keeps a file that it cannot
// replace.
func TestWriteFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "plot.svg")
	require.NoError(t, WriteFile(name, []byte("old")))
	require.NoError(t, WriteFile("/dev/null", []byte("new")))

	inTheWay := name + ".tmp"
	require.NoError(t, os.MkdirAll(filepath.Join(inTheWay, "full"), 0o700))
	require.ErrorIs(t, WriteFile(name, []byte("new and longer")), syscall.ENOTEMPTY)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "old", string(data))

	require.NoError(t, os.RemoveAll(inTheWay))
	require.NoError(t, WriteFile(name, []byte("new and longer")))
	data, err = os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "new and longer", string(data))
}
