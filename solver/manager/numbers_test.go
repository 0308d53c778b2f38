package manager

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/solver"
)

// TestNumberAll has nodes of which all children count: the largest number, and one for each
// other child that has one above 0, open or settled.
func TestNumberAll(t *testing.T) {
	for _, c := range []struct {
		open, settled []uint32
		want          uint32
	}{
		{[]uint32{5}, nil, 5}, {[]uint32{5, 3}, nil, 6}, {[]uint32{0, 5}, nil, 5}, {[]uint32{5, 0, 0, 2}, nil, 6},
		{[]uint32{0, 0}, nil, 0}, {[]uint32{0, 5}, []uint32{0}, 5}, {[]uint32{4, 0}, []uint32{7, 0}, 8},
		{[]uint32{unproven - 1, 3}, nil, unproven - 1},
	} {
		all := &node{}
		open, numbers := []*node{all}, map[*node]uint32{}
		for _, x := range c.open {
			n := &node{}
			numbers[n] = x
			open, all.children = append(open, n), append(all.children, n)
		}
		for _, x := range c.settled {
			n := &node{outcome: solver.Proven}
			numbers[n] = x
			all.children = append(all.children, n)
		}
		got := numberAll(open, func(*node) bool { return false }, func(n *node) (uint32, bool) { return numbers[n], n != all })
		require.Contains(t, got, all)
		require.Equal(t, c.want, got[all], "%+v", c)
	}
}

// TestNumbered has a large tree of positions that can repeat: an event does not number all
// of it.
func TestNumbered(t *testing.T) {
	g := gametest.NewCyclic(rand.New(rand.NewPCG(71, 72)), 20_000)
	for p := range g.Outcomes { // mostly moves, so that it is not proven early
		if g.Outcomes[p] != games.Unfinished && p%8 != 0 {
			g.Outcomes[p], g.Moves[p] = games.Unfinished, []int{(p + 1) % len(g.Moves)}
		}
	}
	list, err := solver.NewBackends[int, int](g, nil, solver.Config{Method: solver.DepthFirst, Memory: 1 << 16}, 1)
	require.NoError(t, err)
	f := newFrontEnd(NewRules[int, int](g), nil, Manifest{Game: "graph", Root: "p0", Question: AskValue}, Policy{Budget: 1, Tries: 1})
	var r *cluster.Result
	for range 600 {
		a, err := f.Step(t.Context(), Event{Jobs: 1, Result: r})
		require.NoError(t, err)
		require.Len(t, a.Offer, 1)
		found, err := list[0].Search(t.Context(), a.Offer[0].Body.(*solver.Job))
		require.NoError(t, err)
		r = &cluster.Result{Job: a.Offer[0].ID, Body: found}
	}
	open := uint64(len(f.reachable()))
	require.Greater(t, open, uint64(500))
	require.Less(t, f.stats.Numbered/f.stats.Jobs, open/8)
	t.Log(open, f.stats.Numbered/f.stats.Jobs)
}
