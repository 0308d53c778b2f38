//go:build !race

package server_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScripts runs the unit tests of the page's scripts, which need no browser, with the test
// runner of Node.
func TestScripts(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run the scripts of the page")
	}
	dir := t.TempDir() // where a package.json says that the scripts are modules
	require.NoError(t, os.CopyFS(filepath.Join(dir, "web"), os.DirFS("web")))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "scripts"), os.DirFS("testdata/scripts")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o600))
	files, err := filepath.Glob("testdata/scripts/*.test.mjs")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	all := "" // in one process
	for _, file := range files {
		all += "import './scripts/" + filepath.Base(file) + "'\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "all.mjs"), []byte(all), 0o600))
	out, err := exec.CommandContext(t.Context(), node, filepath.Join(dir, "all.mjs")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
