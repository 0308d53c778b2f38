package cmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	gomokucmd "github.com/yomikiri/yomikiri/cmd/gomoku"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// falseProof is a file with the certificate of a false win.
func falseProof(t *testing.T) []byte {
	data, err := os.ReadFile("../proof/testdata/false-6x9.proof")
	require.NoError(t, err)
	return data
}

// TestVerify has what is false refused as an internal error, and no file written.
func TestVerify(t *testing.T) {
	refused := func(err error) {
		require.ErrorIs(t, err, solver.ErrContradiction)
		require.ErrorContains(t, err, "xxoxo1xoo/1oxox1oxx/ooo3xx1/xxoooxoxo/oxoxxxoo1/o1xox1xxo x")
		require.Equal(t, ui.ExitInternal, ui.ExitCode(err))
	}
	text := falseProof(t)
	_, err := prooffile.Verify(context.Background(), gomokucmd.Extra.Verify, bytes.NewReader(text), 0, nil)
	refused(err)

	dir := t.TempDir()
	path := filepath.Join(dir, "a.proof")
	header := proof.Header{Game: "tictactoe", Root: "xx./oo./...", Claims: []proof.Claim{{Side: proof.Mover, Goal: proof.Win}}}
	write := func(w *proof.Writer) error {
		root, err := w.Add(&proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte(header.Root), Move: []byte("c3")})
		return errors.Join(err, w.EndClaim(root))
	}
	for _, before := range []string{"", "an older file"} {
		if before != "" {
			require.NoError(t, os.WriteFile(path, []byte(before), 0o600))
		}
		_, err := prooffile.Write(path, header, ui.NewProgress(io.Discard, false, true), write, func(path string, _ uint64) error {
			require.NoError(t, os.WriteFile(path, text, 0o600))
			_, err := prooffile.VerifyFile(t.Context(), gomokucmd.Extra.Verify, path, 0, nil)
			return err
		})
		refused(err)
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		require.NoError(t, err)
		if before == "" {
			require.Empty(t, names)
			continue
		}
		require.Equal(t, []string{path}, names)
		has, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, before, string(has))
	}
}

// TestVerifyReports verifies a proof and reports how far that has come.
func TestVerifyReports(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.proof")
	code, _, stderr := run("prove -q gomoku:size=5x6,k=4 --proof "+file, inputGames...)
	require.Equal(t, ui.ExitOK, code, stderr)
	var done, total uint64
	_, err := prooffile.VerifyFile(t.Context(), gomokucmd.Extra.Verify, file, 10, func(d, of uint64) { done, total = d, of })
	require.NoError(t, err)
	require.Positive(t, done)
	require.EqualValues(t, 10, total)
}
