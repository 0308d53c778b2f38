package dfpn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// gameCursor asks whether one player of a two-player game can force a win.
type gameCursor[P, M comparable] struct {
	game    games.Game[P, M]
	indexer games.Indexer[P]
	or      bool // the attacker is to move
	stack   []P
}

func newGameCursor[P, M comparable](g games.Game[P, M], p P, or bool) *gameCursor[P, M] {
	indexer, _ := g.(games.Indexer[P])
	return &gameCursor[P, M]{g, indexer, or, []P{p}}
}

func (c *gameCursor[P, M]) top() P { return c.stack[len(c.stack)-1] }

// key is a hash of the index of the position, which mirror images share, and the side to
// move.
func (c *gameCursor[P, M]) key(p P, or bool) uint64 {
	index, err := c.indexer.Index(p)
	if err != nil {
		panic(err)
	}
	key := 2*index + 3
	if or {
		key++
	}
	return key * 0x9e3779b97f4a7c15
}

func (c *gameCursor[P, M]) Root() uint64 { return c.key(c.top(), c.or) }

func (c *gameCursor[P, M]) Expand(n *dfpn.Node) {
	n.Or = c.or
	p := c.top()
	if v, finished := c.game.Outcome(p); finished {
		n.Status = dfpn.Lost
		if c.or && v.Result() == games.Won || !c.or && v.Result() == games.Lost {
			n.Status = dfpn.Won
		}
		return
	}
	for i, m := range c.game.AppendMoves(nil, p) {
		q := c.game.Play(p, m)
		n.Children = append(n.Children, dfpn.Child{Key: c.key(q, !c.or), Move: dfpn.Move(i), Proof: 1, Disproof: 1})
	}
}

func (c *gameCursor[P, M]) Do(m dfpn.Move) {
	p := c.top()
	c.stack = append(c.stack, c.game.Play(p, c.game.AppendMoves(nil, p)[m]))
	c.or = !c.or
}

func (c *gameCursor[P, M]) Undo(dfpn.Move) {
	c.stack = c.stack[:len(c.stack)-1]
	c.or = !c.or
}

// backUp is the oracle: it backs up the results of all positions reachable from start
// until nothing changes.
func backUp[P, M comparable](g games.Game[P, M], start P) map[P]games.Result {
	results := map[P]games.Result{start: games.Drawn}
	children := map[P][]P{}
	for queue := []P{start}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if v, finished := g.Outcome(p); finished {
			results[p] = v.Result()
			continue
		}
		for _, m := range g.AppendMoves(nil, p) {
			q := g.Play(p, m)
			children[p] = append(children[p], q)
			if _, known := results[q]; !known {
				results[q] = games.Drawn
				queue = append(queue, q)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for p, list := range children {
			if results[p] != games.Drawn {
				continue
			}
			losses := 0
			for _, q := range list {
				switch results[q] {
				case games.Lost:
					results[p], changed = games.Won, true
				case games.Won:
					losses++
				}
			}
			if losses == len(list) {
				results[p], changed = games.Lost, true
			}
		}
	}
	return results
}

// compare searches positions reachable from start for a forced win of either side, draws
// and a sample of the others.
func compare[P, M comparable](t *testing.T, g games.Game[P, M], start P, others int) {
	t.Helper()
	want := backUp(g, start)
	t.Log(len(want), "positions")
	rng := rand.New(rand.NewPCG(7, 7))
	counts := map[games.Result]int{}
	for _, bytes := range []int64{1 << 22, 1 << 16} {
		tables := map[bool]*dfpn.Table{}
		for _, or := range []bool{true, false} {
			table, err := dfpn.NewFixedTable(bytes)
			require.NoError(t, err)
			tables[or] = table
		}
		for p, result := range want {
			if _, finished := g.Outcome(p); finished || rng.IntN(len(want)) > others && (result != games.Drawn || counts[result] > others) {
				continue
			}
			counts[result]++
			for _, or := range []bool{true, false} {
				r, err := dfpn.Solve(t.Context(), tables[or], func() dfpn.Cursor { return newGameCursor(g, p, or) },
					dfpn.Config{Threads: 1 + counts[result]%2})
				require.NoError(t, err)
				proven := or && result == games.Won || !or && result == games.Lost
				require.Equal(t, map[bool]dfpn.Outcome{true: dfpn.Proven, false: dfpn.Disproven}[proven], r.Outcome,
					"%s is %v", g.AppendPosition(nil, p), result)
			}
		}
	}
	t.Logf("%d positions, searched %v", len(want), counts)
	require.Positive(t, counts[games.Won])
	require.Positive(t, counts[games.Lost])
}

func TestTicTacToe(t *testing.T) {
	g := tictactoe.Game{}
	compare(t, g, g.Start(), 100)
}

// TestDobutsu compares endgames of Dōbutsu shōgi, where few positions are reachable, with
// the oracle.
func TestDobutsu(t *testing.T) {
	others, starts := 150, 4
	if testing.Short() {
		others, starts = 15, 2
	}
	for _, c := range []struct{ rules, start string }{
		{"dobutsu:drops=none", "l2/3/1Ce/1L1 b 2GCE"},
		{"dobutsu:drops=none,try=no", "l2/3/1Ce/1L1 b 2GCE"},
		{"dobutsu:drops=none,try=no", "gl1/2h/3/EL1 b CGe"},
		{"dobutsu:drops=none", "1l1/1c1/E2/1LG b GCe"},
	}[:starts] {
		t.Run(c.rules+" "+c.start, func(t *testing.T) {
			g, err := dobutsu.Family.Open(c.rules)
			require.NoError(t, err)
			start, err := g.ParsePosition(c.start)
			require.NoError(t, err)
			compare[dobutsu.Position, dobutsu.Move](t, g, start, others)
		})
	}
}
