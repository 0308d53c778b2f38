package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/solver"
)

// falseProof is the certificate of a false win, as a file of a version whose rules refuse it.
func falseProof(t *testing.T) []byte {
	data, err := os.ReadFile("../proof/testdata/false-6x9.proof")
	require.NoError(t, err)
	data[len("YKPROOF\n")] = 2
	return data
}

// TestVerify has what is false refused as an internal error, and its file removed.
func TestVerify(t *testing.T) {
	_, err := verifyProof(context.Background(), verifyGomoku, bytes.NewReader(falseProof(t)), 0, nil)
	require.ErrorIs(t, err, solver.ErrContradiction)
	require.ErrorContains(t, err, "xxoxo1xoo/1oxox1oxx/ooo3xx1/xxoooxoxo/oxoxxxoo1/o1xox1xxo x")
	require.Equal(t, exitInternal, exitCode(err))

	path := filepath.Join(t.TempDir(), "false.proof")
	require.NoError(t, os.WriteFile(path, falseProof(t), 0o600))
	_, err = verifyFile(context.Background(), verifyGomoku, path, 0, nil)
	require.ErrorIs(t, err, solver.ErrContradiction)
	require.NoFileExists(t, path)
}

// TestVerifyReports verifies a proof and reports how far that has come.
func TestVerifyReports(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.proof")
	code, _, stderr := run("prove -q gomoku:size=5x6,k=4 --proof "+file, inputGames...)
	require.Equal(t, exitOK, code, stderr)
	var done, total uint64
	_, err := verifyFile(t.Context(), verifyGomoku, file, 10, func(d, of uint64) { done, total = d, of })
	require.NoError(t, err)
	require.Positive(t, done)
	require.EqualValues(t, 10, total)
}
