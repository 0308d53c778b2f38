package connect_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/solver/connect"
)

const (
	deciderMemory = 32 << 20
	effort        = 20_000
)

// wins finds out by brute force whether the side to move wins, and keeps what it has found.
func wins(g *hex.Game, p hex.Position, known map[hex.Position]bool) bool {
	if _, over := g.Outcome(p); over {
		return false
	}
	if won, ok := known[p]; ok {
		return won
	}
	won := false
	for _, m := range g.AppendMoves(nil, p) {
		if won = !wins(g, g.Play(p, m), known); won {
			break
		}
	}
	known[p] = won
	return won
}

// TestDecider compares advice about all positions of random games with brute force, also with the swap rule, and
// with little effort.
func TestDecider(t *testing.T) {
	const most = 12 // empty squares, for brute force
	rng := rand.New(rand.NewPCG(1, 4))
	for _, name := range []string{"hex:size=3x3", "hex:size=3x3,swap=yes", "hex:size=4x4", "hex:size=4x4,swap=yes", "hex:size=5x5"} {
		g, err := hex.Family.Open(name)
		require.NoError(t, err)
		d, err := connect.NewDecider(g, deciderMemory)
		require.NoError(t, err)
		positions, decided, won := 0, 0, 0
		for range 10 {
			known := map[hex.Position]bool{}
			for p := g.Start(); ; {
				if _, over := g.Outcome(p); over {
					break
				}
				at := g.Placement(p)
				moves := g.AppendMoves(nil, p)
				if len(moves) <= most {
					positions++
					nodes := []uint64{effort, 1 + rng.Uint64N(500)}[rng.IntN(2)]
					a, err := d.Decide(t.Context(), p, nodes)
					require.NoError(t, err)
					if a.Bounds == games.Unbounded {
						require.Empty(t, a.By)
					} else {
						decided++
						r, ok := a.Result()
						require.True(t, ok)
						truth := wins(g, p, known)
						require.Equal(t, truth, r == games.Won, "%s %v", name, at)
						require.Equal(t, truth, len(a.Line) == 1)
						if truth {
							won++
							require.Contains(t, moves, a.Line[0])
							require.False(t, wins(g, g.Play(p, a.Line[0]), known), "%s %v: %v", name, at, a.Line)
						}
					}
				}
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
		}
		t.Logf("%s: %d of %d, %d of them won", name, decided, positions, won)
		require.Greater(t, min(won, decided-won), 5)
	}
}

// TestDeciderShare has all positions of random games on 5×5: at the default effort nearly all are decided, and so that
// values of neighbours agree.
func TestDeciderShare(t *testing.T) {
	number := 40
	if testing.Short() {
		number = 8
	}
	rng := rand.New(rand.NewPCG(1, 2))
	g, err := hex.Family.Open("hex:size=5x5")
	require.NoError(t, err)
	d, err := connect.NewDecider(g, deciderMemory)
	require.NoError(t, err)
	positions, decided := 0, 0
	for range number {
		lost := false // the position, by a move of the advice
		for p := g.Start(); ; {
			if _, over := g.Outcome(p); over {
				break
			}
			a, err := d.Decide(t.Context(), p, effort)
			require.NoError(t, err)
			positions++
			r, ok := a.Result()
			if ok {
				decided++
			}
			require.False(t, lost && r == games.Won && ok)
			lost = false
			moves := g.AppendMoves(nil, p)
			m := moves[rng.IntN(len(moves))]
			if len(a.Line) > 0 && rng.IntN(2) == 0 {
				m, lost = a.Line[0], true
			}
			p = g.Play(p, m)
		}
	}
	t.Logf("%d of %d", decided, positions)
	require.GreaterOrEqual(t, decided*100, positions*95)
}

// TestDeciderAlone asks about a position before and after others.
func TestDeciderAlone(t *testing.T) {
	g, err := hex.Family.Open("hex:size=5x5,swap=yes")
	require.NoError(t, err)
	d, err := connect.NewDecider(g, deciderMemory)
	require.NoError(t, err)
	p, err := games.PlayMoves(g, g.Start(), []string{"a1", "b4", "d2"})
	require.NoError(t, err)
	first, err := d.Decide(t.Context(), p, effort)
	require.NoError(t, err)
	require.True(t, first.Decided(games.ByDistance))
	other, err := games.PlayMoves(g, g.Start(), []string{"b2", "swap", "c3"})
	require.NoError(t, err)
	for _, p := range []hex.Position{other, g.Play(p, hex.Move(12))} {
		a, err := d.Decide(t.Context(), p, effort)
		require.NoError(t, err)
		require.True(t, a.Decided(games.ByDistance))
	}
	again, err := d.Decide(t.Context(), p, effort)
	require.NoError(t, err)
	require.Equal(t, first, again)

	for _, moves := range [][]string{nil, {"a1"}} { // a stone may still be taken over
		p, err := games.PlayMoves(g, g.Start(), moves)
		require.NoError(t, err)
		a, err := d.Decide(t.Context(), p, 100*effort)
		require.NoError(t, err)
		require.Equal(t, games.Unbounded, a.Bounds)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = d.Decide(cancelled, p, effort)
	require.ErrorIs(t, err, context.Canceled)
}
