package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/retro"
)

// placed is Dōbutsu shōgi without an index, from a position in which few animals are
// left.
type placed struct {
	*dobutsu.Game
	start dobutsu.Position
}

func (placed) Tiers() {}

func (p placed) Start() dobutsu.Position { return p.start }

// scored is awari without an index.
type scored struct{ *awari.Game }

func (scored) Tiers() {}

// TestTooMany says of a game that is too large what to use instead: by material, if its start position can be numbered so.
func TestTooMany(t *testing.T) {
	root := &cobra.Command{Use: "yomikiri"}
	list, _, err := standard.Variants.Variants(nil)
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"variant:dobutsu", games.ErrMemory, "many: allow more, or give the game a numbering of its own; it has one with: yomikiri solve variant:dobutsu --pieces start"},
		{"chess", games.ErrTooMany, "many: no memory will do, the game needs a numbering of its own; to search a position use: yomikiri prove"},
		{"hexapawn", games.ErrTooMany, "many: no memory will do, the game needs a numbering of its own; it has one with: yomikiri solve hexapawn --pieces start; " +
			"to search a position use: yomikiri prove"},
		{"hexapawn", errors.New("else"), "many: else"},
	} {
		g, err := list[slices.IndexFunc(list, func(p Plugin) bool { return p.Name == c.name })].Open(c.name)
		require.NoError(t, err)
		require.EqualError(t, insteadOfSolving(root, g, fmt.Errorf("many: %w", c.err)), c.want)
	}
}

// values solves a game and returns the values of the positions that can be reached.
func values[P, M comparable](t *testing.T, g games.Game[P, M], x games.Indexer[P]) map[P]games.Value {
	t.Helper()
	u, err := games.UniverseWith(g, x)
	require.NoError(t, err)
	s, err := retro.Analyze(t.Context(), u, retro.Config{Positions: retro.Reachable})
	require.NoError(t, err)
	found := map[P]games.Value{}
	for i := range u.Size() {
		if v, ok := s.Value(i); ok {
			p, _ := x.Position(i)
			found[p] = v
		}
	}
	return found
}

// TestNumbered compares values of games with cycles and with scores by numbers that
// are made up and by their own index.
func TestNumbered(t *testing.T) {
	a, err := awari.Family.Open("awari:stones=7")
	require.NoError(t, err)
	n, err := games.Number(t.Context(), scored{a}, games.NumberOptions{})
	require.NoError(t, err)
	want := values(t, a, a)
	require.Greater(t, len(want), 1000)
	require.Equal(t, want, values(t, scored{a}, n))

	d, err := dobutsu.Family.Open("dobutsu:drops=none")
	require.NoError(t, err)
	g := placed{Game: d}
	g.start, err = g.ParsePosition("1l1/1c1/E2/1LG b GCe")
	require.NoError(t, err)
	m, err := games.Number(t.Context(), g, games.NumberOptions{})
	require.NoError(t, err)
	small := values(t, g, m)
	require.Greater(t, len(small), 1000)
	for p, v := range small {
		best := games.Loss(0)
		for _, move := range g.AppendMoves(nil, p) {
			q := g.Canonical(g.Play(p, move))
			w, finished := g.Outcome(q)
			if !finished {
				w = small[q]
			}
			best = max(best, w.Backup(0))
		}
		require.Equal(t, best, v, "%s", g.AppendPosition(nil, p))
	}
}

// shuffled is awari with its moves in another order.
type shuffled struct{ scored }

func (g shuffled) AppendMoves(dst []awari.Move, p awari.Position) []awari.Move {
	list := g.scored.AppendMoves(nil, p)
	for i := range list {
		dst = append(dst, list[len(list)-1-i])
	}
	return dst
}

// TestNumberedChanged checks that a database is refused when the game would number
// positions differently.
func TestNumberedChanged(t *testing.T) {
	plugin := func(open func(*awari.Game) games.Game[awari.Position, awari.Move]) Plugin {
		return Plugin{Family: app.New(games.NewFamily(games.Info{Name: "awari", Options: awari.Family.Options}, func(r games.Rules) games.Game[awari.Position, awari.Move] {
			return open(awari.Family.New(r))
		}))}
	}
	before := plugin(func(g *awari.Game) games.Game[awari.Position, awari.Move] { return scored{g} })
	after := plugin(func(g *awari.Game) games.Game[awari.Position, awari.Move] { return shuffled{scored{g}} })
	dir := filepath.Join(t.TempDir(), "a.db")
	code, stdout, stderr := run("solve awari --stones 7 --db "+dir, before)
	require.Equal(t, ui.ExitOK, code, stderr)
	require.Contains(t, stdout, "game             awari:stones=7\n")
	code, _, stderr = run("query awari:stones=7 startpos --db "+dir, before)
	require.Equal(t, ui.ExitOK, code, stderr)
	code, _, stderr = run("query awari 7,0,0,0,0,0,0,0,0,0,0,0 --db "+dir, before)
	require.Equal(t, ui.ExitUnknown, code)
	require.Equal(t, "yomikiri: the database does not hold the position \"7,0,0,0,0,0,0,0,0,0,0,0\": not reachable from the start position\n", stderr)
	code, stdout, stderr = run("verify "+dir, before)
	require.Equal(t, ui.ExitOK, code, stderr)
	require.Contains(t, stdout, "OK: ")
	code, stdout, _ = run("stats "+dir, before)
	require.Equal(t, ui.ExitOK, code)
	require.Contains(t, stdout, "tier 7\n")

	const changed = "the moves of the game, their order, or its own numbering have changed since it was solved: delete the directory and solve it again\n"
	for command, want := range map[string]int{"query awari:stones=7 startpos --db " + dir: ui.ExitUsage, "verify " + dir: ui.ExitUsage,
		"solve awari --stones 7 --db " + dir: ui.ExitUsage, "solve awari --stones 7 -q --db " + dir: ui.ExitUsage} {
		code, _, stderr = run(command, after)
		require.Equal(t, want, code, command)
		require.Contains(t, stderr, changed, command)
	}

	// A solve that was interrupted does not go on with other numbers.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	part := filepath.Join(t.TempDir(), "part.db")
	g, err := awari.Family.Open("awari:stones=7")
	require.NoError(t, err)
	n, err := games.Number(t.Context(), scored{g}, games.NumberOptions{})
	require.NoError(t, err)
	u, err := games.UniverseWith(scored{g}, n)
	require.NoError(t, err)
	_, _, err = retro.Solve(ctx, u, part, retro.Config{})
	require.ErrorIs(t, err, retro.ErrInterrupted)
	require.FileExists(t, filepath.Join(part, "checkpoint"))
	code, _, stderr = run("solve awari --stones 7 --db "+part, after)
	require.Equal(t, ui.ExitUsage, code)
	require.Contains(t, stderr, "has a checkpoint of a program that numbers positions differently")
	require.NoError(t, os.Remove(filepath.Join(part, "checkpoint")))
	code, _, stderr = run("solve awari -q --stones 7 --db "+part, after)
	require.Equal(t, ui.ExitOK, code, stderr)
}
