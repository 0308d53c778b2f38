package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri"
)

// TestCommit builds the program in a repository and asks it for the commit.
func TestCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("links the program")
	}
	if info, err := os.Stat("../../.git"); err != nil || !info.IsDir() {
		t.Skip("this is not a clone, of which Go knows the commit")
	}
	commit, err := exec.Command("git", "rev-parse", "HEAD").Output()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "yomikiri.exe")
	text, err := exec.Command("go", "build", "-buildvcs=true", "-ldflags=-s -w", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", text)
	version, err := exec.Command(program, "--version").Output()
	require.NoError(t, err)
	require.Contains(t, string(version), "version "+yomikiri.Version+" ("+strings.TrimSpace(string(commit)))
}
