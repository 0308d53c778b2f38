//go:build !race

package threat

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

const (
	deciderMemory = 32 << 20
	effort        = 20_000
)

func newDecider(t testing.TB, g *gomoku.Game) *decider {
	d, err := NewDecider(g, deciderMemory)
	require.NoError(t, err)
	return d.(*decider)
}

// distance returns the exact value of a position, by a search of all moves to a depth in plies, and true if that is a
// win or a loss within it.
func distance(g *gomoku.Game, p gomoku.Position, depth int) (games.Value, bool) {
	if v, over := g.Outcome(p); over {
		return v, v != games.Draw
	}
	if depth == 0 {
		return 0, false
	}
	best, all := games.Lost.Value(), true
	for _, m := range g.AppendMoves(nil, p) {
		v, ok := distance(g, g.Play(p, m), depth-1)
		switch {
		case !ok:
			all = false
		case v.Backup(0) > best:
			if best = v.Backup(0); best == games.Win(1) {
				return best, true
			}
		}
	}
	return best, best.Result() == games.Won || all
}

// TestDecider compares advice about positions of small boards with full-width search: with the result, and with the
// distance where a shallow search finds it.
func TestDecider(t *testing.T) {
	positions := 6000
	if testing.Short() {
		positions = 600
	}
	left := 0
	rng := rand.New(rand.NewPCG(5, 9))
	for _, spec := range smallBoards {
		g := open(t, spec)
		o, fours, d := newOracle(t, g), newFoursOracle(g), newDecider(t, g)
		seen := map[string]int{}
		for range positions / len(smallBoards) {
			p := smallPosition(g, rng)
			if rng.IntN(2) == 0 {
				p = randomPosition(g, rng, 1+rng.IntN(10))
			}
			name := string(g.AppendPosition(nil, p))
			nodes := []uint64{effort, 1 + rng.Uint64N(30)}[rng.IntN(2)]
			a, err := d.threats(t.Context(), p, nodes)
			require.NoError(t, err)
			require.Equal(t, p, d.board.Position(p.ToMove()))
			r := o.result(p)
			require.LessOrEqual(t, a.Lower.Result(), r, name)
			require.GreaterOrEqual(t, a.Upper.Result(), r, name)
			if result, ok := a.Result(); ok {
				seen[result.String()+" by "+a.By]++
			}
			if v, ok := distance(g, p, 5); ok {
				require.LessOrEqual(t, a.Lower, v, name)
				require.GreaterOrEqual(t, a.Upper, v, name)
			}
			if nodes == effort && fours.vcf(fours.stones(p.Stones(p.ToMove())), fours.stones(p.Stones(p.ToMove().Opponent()))) > 0 {
				require.Equal(t, games.Won, a.Lower.Result(), name)
			}
			if len(a.Left) > 0 {
				seen["moves left"]++
				for _, m := range g.AppendMoves(nil, p) {
					if q := g.Play(p, m); !slices.Contains(a.Left, m) {
						require.True(t, o.wins(q, q.ToMove()), "%s: %v loses", name, m)
					}
				}
			}
			for q, at := p, 0; at < len(a.Line); at++ { // legal moves, which the winner makes as it should
				require.Contains(t, g.AppendMoves(nil, q), a.Line[at], "%s: %v", name, a.Line)
				q = g.Play(q, a.Line[at])
				winner := p.ToMove()
				if r == games.Lost {
					winner = winner.Opponent()
				}
				require.True(t, o.wins(q, winner), "%s: %v", name, a.Line[:at+1])
			}
			all, err := d.Decide(t.Context(), p, nodes)
			require.NoError(t, err)
			require.LessOrEqual(t, all.Lower.Result(), r, name)
			require.GreaterOrEqual(t, all.Upper.Result(), r, name)
			require.LessOrEqual(t, a.Lower, all.Lower, name)
		}
		t.Log(spec, seen)
		left += seen["moves left"]
	}
	require.Positive(t, left)
}

// TestDeciderFours has positions of games between programs: every victory by continuous fours is found, and
// the answers are the same in the other order.
func TestDeciderFours(t *testing.T) {
	number := 1 << 20
	if testing.Short() {
		number = 30
	}
	list := puzzles(t)
	rng := rand.New(rand.NewPCG(6, 6))
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(number, len(list))]
	won, more := 0, 0
	answers := make([]games.Advice[gomoku.Square], len(list))
	deciders := map[string][2]*decider{}
	for i, p := range list {
		if deciders[p.game.Name()][0] == nil {
			deciders[p.game.Name()] = [2]*decider{newDecider(t, p.game), newDecider(t, p.game)}
		}
		var err error
		answers[i], err = deciders[p.game.Name()][0].Decide(t.Context(), p.position, effort)
		require.NoError(t, err)
		if r, ok := answers[i].Result(); ok && r == games.Won {
			won++
			require.NotEmpty(t, answers[i].Line)
			if p.moves == 0 {
				more++
			} else {
				require.Equal(t, games.Win(2*p.moves-1), answers[i].Lower, p.id)
			}
		} else {
			require.Zero(t, p.moves, p.id)
		}
	}
	t.Logf("%d positions, %d won, %d not by fours", len(list), won, more)
	require.Positive(t, more)
	for i := len(list) - 1; i >= 0; i-- {
		a, err := deciders[list[i].game.Name()][1].Decide(t.Context(), list[i].position, effort)
		require.NoError(t, err)
		require.Equal(t, answers[i], a, list[i].id)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	g := list[0].game
	_, err := newDecider(t, g).Decide(cancelled, middleGame(g, rng, 30), effort)
	require.ErrorIs(t, err, context.Canceled)
}
