package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/solver"
)

func TestExitCode(t *testing.T) {
	wrapped := func(err error) error { return fmt.Errorf("somewhere: %w", err) }
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("any"), 1},
		{os.ErrNotExist, 1},
		{db.ErrNoDatabase, 1},
		{usageError{errors.New("any")}, 2},
		{wrapped(usageError{errors.New("any")}), 2},
		{db.ErrNotHeld, 3},
		{solver.ErrLimit, 3},
		{errLimit, 3},
		{db.ErrCorrupt, 4},
		{errVerification, 4},
		{proof.ErrCorrupt, 4},
		{proof.ErrRefused, 4},
		{proof.ErrLimit, 3},
		{proof.ErrVersion, 1},
		{solver.ErrContradiction, 5},
		{retro.ErrInterrupted, 130},
		{context.Canceled, 130},
		{interruptedError{"interrupted"}, 130},
		{errors.Join(errors.New("any"), wrapped(context.Canceled)), 130},
	} {
		require.Equal(t, c.want, exitCode(c.err), "%v", c.err)
		require.Equal(t, c.want, exitCode(wrapped(c.err)), "%v", c.err)
	}
	require.Equal(t, []int{0, 1, 2, 3, 4, 130}, []int{exitOK, exitFailure, exitUsage, exitUnknown, exitCorrupt, exitInterrupted})
}
