package alphabeta

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
)

// TestDecider compares what is decided with few and with many positions with all values, which a plain search with memory finds.
func TestDecider(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	values := map[connect4.Position]games.Value{}
	var value func(p connect4.Position) games.Value
	value = func(p connect4.Position) games.Value {
		v, ok := values[p]
		if ok {
			return v
		}
		v, finished := g.Outcome(p)
		if !finished {
			for _, m := range g.AppendMoves(nil, p) {
				v = max(v, value(g.Play(p, m)).Backup(0))
			}
		}
		values[p] = v
		return v
	}
	d, err := NewDecider(g, 1<<20)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	decided, short := 0, 0
	for range 40 {
		for p := g.Start(); ; {
			moves := g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			v := value(p)
			for _, nodes := range []uint64{1, 100, 1_000_000} {
				a, err := d.Decide(t.Context(), p, nodes)
				require.NoError(t, err)
				require.LessOrEqual(t, a.Lower, v)
				require.GreaterOrEqual(t, a.Upper, v)
				if v == games.Win(1) || v == games.Loss(2) {
					short++
					require.True(t, a.Exact(), "%s with %d positions", g.AppendPosition(nil, p), nodes)
				}
				if r, ok := a.Result(); ok {
					decided++
					require.Equal(t, "exhausted search", a.By)
					require.Equal(t, v.Result(), r)
					require.Equal(t, r, value(g.Play(p, a.Line[0])).Backup(0).Result(), "the line attains it")
				} else {
					require.NotEqual(t, uint64(1_000_000), nodes)
				}
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
	}
	require.Greater(t, decided, 300)
	require.Greater(t, short, 30)
}
