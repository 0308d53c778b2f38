package cmd

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/extras"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
)

// watchedSearch is a search that calls before with the name of each part and its context before the
// part begins. The part fails with the error that it returns.
type watchedSearch struct {
	app.PointSearch
	before func(ctx context.Context, part string) error
}

func (s *watchedSearch) Solve(ctx context.Context) (lower, upper int, err error) {
	if err := s.before(ctx, "solve"); err != nil {
		return 0, 0, err
	}
	return s.PointSearch.Solve(ctx)
}

func (s *watchedSearch) Line(ctx context.Context) (moves []string, end string, err error) {
	if err := s.before(ctx, "line"); err != nil {
		return nil, "", err
	}
	return s.PointSearch.Line(ctx)
}

func (s *watchedSearch) Prove(ctx context.Context) (proof.Header, error) {
	if err := s.before(ctx, "prove"); err != nil {
		return proof.Header{}, err
	}
	return s.PointSearch.Prove(ctx)
}

func (s *watchedSearch) WriteProof(ctx context.Context, w *proof.Writer) error {
	if err := s.before(ctx, "write"); err != nil {
		return err
	}
	return s.PointSearch.WriteProof(ctx, w)
}

// proveWatched runs prove othello --tree on a position with four empty squares.
func proveWatched(ctx context.Context, t *testing.T, before func(ctx context.Context, part string) error, flags ...string) (code int, stdout, stderr string) {
	t.Helper()
	flags = append([]string{"--tree", filepath.Join(t.TempDir(), "tree")}, flags...)
	return provePoints(ctx, before, append(flags, "--", "OOOOOXXOOXXO---X X")...)
}

// provePoints runs prove othello on 4×4.
func provePoints(ctx context.Context, before func(ctx context.Context, part string) error, args ...string) (code int, stdout, stderr string) {
	extra := extras.Othello
	extra.Points = func(g *othello.Game, root othello.Position, o app.PointOptions) (app.PointSearch, error) {
		s, err := extras.Othello.Points(g, root, o)
		return &watchedSearch{s, before}, err
	}
	var out, err bytes.Buffer
	args = append([]string{"yomikiri", "prove", "othello:size=4x4"}, args...)
	code = Run(ctx, args, Stdio{strings.NewReader(""), &out, &err}, Plugin{Family: app.NewScored(othello.Family, extra)})
	return code, out.String(), err.String()
}

// TestProvePointsInterrupted interrupts each part of the proof of a score, which has the context of
// the command. That the parts end with it is tested with them.
func TestProvePointsInterrupted(t *testing.T) {
	for _, part := range []string{"solve", "line", "prove", "write"} {
		ctx, cancel := context.WithCancel(t.Context())
		var parts []string
		var ended error // checked after the command, as a part may run on another goroutine
		code, stdout, stderr := proveWatched(ctx, t, func(ctx context.Context, at string) error {
			if parts = append(parts, at); at == part {
				cancel()
				ended = ctx.Err()
			}
			return nil
		})
		require.Equal(t, ui.ExitInterrupted, code, "%s: %s", part, stderr)
		require.Regexp(t, "^yomikiri: interrupted; to resume: yomikiri prove othello:size=4x4 'OOOOOXXOOXXO---X X' --tree ", stderr)
		require.Empty(t, stdout)
		require.Contains(t, parts, part)
		require.ErrorIs(t, ended, context.Canceled, part)
	}

	// A limit of time is one for each part of the search, too.
	limited := map[string]bool{}
	code, _, stderr := proveWatched(t.Context(), t, func(ctx context.Context, at string) error {
		_, limited[at] = ctx.Deadline()
		return nil
	}, "--time", "1h")
	require.Equal(t, ui.ExitOK, code, stderr)
	require.Equal(t, map[string]bool{"solve": true, "line": true, "prove": true, "write": false}, limited)
}

// TestProvePointsDefault proves without a directory: the game's own search is used unless a method is named, but not
// for a finished position, and may have a limit.
func TestProvePointsDefault(t *testing.T) {
	for _, c := range []struct {
		args string
		own  bool
		code int
		text string
	}{
		{"-- OOOOOXXOOXXO---X X", true, ui.ExitOK, `(?m)^verified +a proof of `},
		{"", true, ui.ExitOK, `(?m)^value +-8$`},
		{"--nodes 50", true, ui.ExitUnknown, `(?m)^value +unknown$`},
		{"--time 1ns", true, ui.ExitUnknown, `(?m)^value +unknown$`},
		{"--method best-first -- OOOOOXXOOXXO---X X", false, ui.ExitOK, `(?m)^verified +a proof of `},
		{"-- XXXXXXXXXXXXXXXX O", false, ui.ExitOK, `(?m)^value +-16$`},
	} {
		var args []string
		if before, position, ok := strings.Cut(c.args, "-- "); ok {
			args = append(strings.Fields(before), "--", position)
		} else {
			args = strings.Fields(c.args)
		}
		own := false
		code, stdout, stderr := provePoints(t.Context(), func(context.Context, string) error {
			own = true
			return nil
		}, args...)
		require.Equal(t, c.code, code, "%s: %s", c.args, stderr)
		require.Equal(t, c.own, own, c.args)
		require.Regexp(t, c.text, stdout, c.args)
		require.NotContains(t, stderr, "the same command", "there is nothing that it could go on with")
	}
}

// TestProvePointsLine has the search fail to find the line: the score is proven and printed all the same.
func TestProvePointsLine(t *testing.T) {
	code, stdout, stderr := proveWatched(t.Context(), t, func(_ context.Context, at string) error {
		if at == "line" {
			return errors.New("no line")
		}
		return nil
	})
	require.Equal(t, ui.ExitFailure, code)
	require.Equal(t, "yomikiri: no line\n", stderr)
	require.Regexp(t, `(?m)^value +[-+]?\d+$`, stdout)
	require.Regexp(t, `(?m)^verified +a proof of `, stdout)
	require.NotRegexp(t, `(?m)^line `, stdout)
}

// TestProvePointsMemory sets a limit of the memory: garbage stays within what the code and the store
// leave, and the search within seven eighths of that. Then the limit is as it was.
func TestProvePointsMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	for _, c := range []struct {
		flag string
		want int64
	}{{"512MiB", 448 << 20}, {"1MiB", 64 << 20}} {
		limit := int64(0)
		code, _, stderr := proveWatched(t.Context(), t, func(context.Context, string) error {
			limit = debug.SetMemoryLimit(-1)
			return nil
		}, "--memory", c.flag)
		require.Equal(t, ui.ExitOK, code, stderr)
		require.Equal(t, c.want, limit)
		require.Equal(t, before, debug.SetMemoryLimit(-1), "the limit was for the command")
	}
}
