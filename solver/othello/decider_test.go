package othello_test

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof/rules"
	solver "github.com/yomikiri/yomikiri/solver/othello"
)

const deciderMemory = 32 << 20

// enough is how many nodes suffice for all positions of these tests.
const enough = 20_000

// advised checks the advice about a position of a known score, and returns it.
func advised(t *testing.T, g *othello.Game, second games.Game[rules.Position, rules.Move], p othello.Position, want int, nodes uint64) games.Advice[othello.Move] {
	text := g.AppendPosition(nil, p)
	d, err := solver.NewDecider(g, deciderMemory)
	require.NoError(t, err)
	a, err := d.Decide(t.Context(), p, nodes)
	require.NoError(t, err)
	require.LessOrEqual(t, a.Lower, games.Score(want), "%s %s", g.Name(), text)
	require.GreaterOrEqual(t, a.Upper, games.Score(want), "%s %s", g.Name(), text)
	require.Equal(t, a.Bounds != games.Unbounded, a.By != "")
	require.Equal(t, a.Lower != games.Lost.Value(), len(a.Line) > 0)
	if len(a.Line) == 0 {
		return a
	}
	require.Contains(t, g.AppendMoves(nil, p), a.Line[0])
	if a.Exact() && len(a.Line) > 1 {
		require.Equal(t, want, follow(t, g, p, a.Line), "%s %s", g.Name(), text)
		return a
	}
	q, err := second.ParsePosition(string(g.AppendPosition(nil, g.Play(p, a.Line[0]))))
	require.NoError(t, err)
	require.GreaterOrEqual(t, games.Score(-score(second, q, -65, 65)), a.Lower, "%s %s", g.Name(), text)
	return a
}

// TestDeciderEndings compares advice about endings, many of them with passes or with a side that loses all its discs,
// with a plain search by the second rules.
func TestDeciderEndings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	passes, wiped, partial := 0, 0, 0
	for _, name := range []string{"othello:size=4x4", "othello:size=4x6,empty=winner", "othello:size=6x6", "othello:size=6x6,empty=winner", "othello", "othello:empty=winner"} {
		g, second := open(t, name)
		all, _, _ := g.Areas()
		squares := bits.OnesCount64(all)
		for n := range 150 {
			p := ending(g, rng, 1+n%9)
			q, err := second.ParsePosition(string(g.AppendPosition(nil, p)))
			require.NoError(t, err)
			want := score(second, q, -65, 65)
			a := advised(t, g, second, p, want, enough)
			require.True(t, a.Decided(games.ByScore))
			if g.AppendMoves(nil, p)[0] == othello.Pass {
				passes++
			}
			if max(want, -want) == squares {
				wiped++
			}
			for nodes := uint64(4); nodes < 600; nodes += nodes / 2 {
				if a := advised(t, g, second, p, want, nodes); a.Bounds != games.Unbounded && !a.Exact() {
					partial++
				}
			}
		}
	}
	t.Logf("%d passes, %d all won or lost, %d bounds", passes, wiped, partial)
	require.Greater(t, min(passes, wiped, partial), 5)
}

// ending returns an unfinished position with at most some empty squares, on a board of which one colour often has most.
func ending(g *othello.Game, rng *rand.Rand, empties int) othello.Position {
	all, _, _ := g.Areas()
	for {
		var own, empty uint64
		share := 1 + rng.IntN(9)
		for left := all; left != 0; left &= left - 1 {
			if square := left & -left; rng.IntN(100) < 11*share {
				own |= square
			}
		}
		for range empties {
			empty |= 1 << rng.IntN(64)
		}
		p, err := g.ParsePosition(string(g.AppendPosition(nil, g.Position(own&^empty, all&^own&^empty))))
		if err != nil {
			continue // a square in the middle is empty
		}
		if _, over := g.Outcome(p); !over {
			return p
		}
	}
}

// TestDeciderGames has positions of games, between players that look ahead and between random ones: at the default
// effort nearly all with 12 or fewer empty squares are decided, and scores of neighbours agree.
func TestDeciderGames(t *testing.T) {
	const number, empties = 6, 12
	rng := rand.New(rand.NewPCG(1, 2))
	g, _ := open(t, "othello")
	all, _, _ := g.Areas()
	d, err := solver.NewDecider(g, deciderMemory)
	require.NoError(t, err)
	positions, decided := 0, 0
	for range number {
		var before games.Bounds
		for p := g.Start(); ; {
			if _, over := g.Outcome(p); over {
				break
			}
			moves := g.AppendMoves(nil, p)
			m := moves[rng.IntN(len(moves))]
			own, opposite := p.Sets()
			if bits.OnesCount64(all&^(own|opposite)) <= empties {
				a, err := d.Decide(t.Context(), p, enough)
				require.NoError(t, err)
				positions++
				if a.Decided(games.ByScore) {
					decided++
					m = a.Line[0]
					if before.Exact() && before != (games.Bounds{}) {
						require.Equal(t, before, a.Bounds, "%s", g.AppendPosition(nil, p))
					}
					before = a.Backup(0)
				}
			}
			p = g.Play(p, m)
		}
	}
	t.Logf("%d of %d", decided, positions)
	require.GreaterOrEqual(t, decided*100, positions*95)
}

// TestDeciderAlone asks about positions in both orders: the answer depends on nothing else.
func TestDeciderAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	g, _ := open(t, "othello")
	var list []othello.Position
	for range 20 {
		list = append(list, ending(g, rng, 9+rng.IntN(3)))
	}
	first, err := solver.NewDecider(g, deciderMemory)
	require.NoError(t, err)
	second, err := solver.NewDecider(g, deciderMemory)
	require.NoError(t, err)
	answers := make([]games.Advice[othello.Move], len(list))
	for i, p := range list {
		answers[i], err = first.Decide(t.Context(), p, enough)
		require.NoError(t, err)
	}
	for i := len(list) - 1; i >= 0; i-- {
		a, err := second.Decide(t.Context(), list[i], enough)
		require.NoError(t, err)
		require.Equal(t, answers[i], a)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = first.Decide(cancelled, list[0], enough)
	require.ErrorIs(t, err, context.Canceled)
	a, err := first.Decide(t.Context(), g.Start(), enough)
	require.NoError(t, err)
	require.Equal(t, games.Advice[othello.Move]{Bounds: games.Unbounded}, a, "too many empty squares")
}
