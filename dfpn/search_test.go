package dfpn_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
)

// TestGraphs compares searches of random graphs with cycles with the oracle: with and
// without hands, limits of length, groups, tables that replace entries all the time, and
// several goroutines.
func TestGraphs(t *testing.T) {
	graphs := 4000
	if testing.Short() {
		graphs = 800
	}
	outcomes := map[dfpn.Outcome]int{}
	for seed := range uint64(graphs) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := newGraph(rng, 6+2*rng.IntN(12), 1+rng.IntN(4), seed%2 == 0)
		distances := g.distances()
		size := int64(4 * 64)
		if seed%3 == 0 {
			size = 1 << 16
		}
		table, err := dfpn.NewFixedTable(size)
		require.NoError(t, err)
		for range 8 {
			root := state{rng.IntN(len(g.or)), 0}
			if g.hands {
				root.hand = makeHand(rng.IntN(most+1), rng.IntN(most+1))
			}
			config := dfpn.Config{Threads: 1, Nodes: 200_000}
			if rng.IntN(2) == 0 {
				config.Limit = uint16(1 + rng.IntN(9))
			}
			if rng.IntN(4) == 0 {
				config.Threads = 4
			}
			if rng.IntN(4) == 0 {
				table.Clear()
			}
			group := rng.IntN(2) == 0
			r, err := dfpn.Solve(t.Context(), table, func() dfpn.Cursor {
				return newWalker(g, root, group)
			}, config)
			require.NoError(t, err)
			outcomes[r.Outcome]++
			if config.Threads == 1 {
				require.NotEqual(t, dfpn.Unknown, r.Outcome, "seed %d, root %v", seed, root)
			}
			limit := never - 1
			if config.Limit > 0 {
				limit = int(config.Limit)
			}
			d := distances[root]
			switch r.Outcome {
			case dfpn.Proven:
				require.LessOrEqual(t, d, int(r.Length), "seed %d, root %v", seed, root)
				require.LessOrEqual(t, int(r.Length), limit)
			case dfpn.Disproven:
				if d < never {
					require.Greater(t, d, int(r.Length), "seed %d, root %v", seed, root)
				}
				if config.Limit == 0 {
					require.EqualValues(t, dfpn.Unlimited, r.Length)
				} else {
					require.GreaterOrEqual(t, r.Length, config.Limit)
				}
			}
		}
	}
	t.Log(outcomes)
	// Goroutines that replace each other's entries in a table of four clusters may
	// reach the limit of nodes.
	require.LessOrEqual(t, outcomes[dfpn.Unknown], graphs/1000, "of %v", outcomes)
}

func newTable(t *testing.T, size int64) *dfpn.Table {
	t.Helper()
	table, err := dfpn.NewFixedTable(size)
	require.NoError(t, err)
	return table
}

// TestKeyZero has a position whose key is 0, which the table uses for empty slots.
func TestKeyZero(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := newGraph(rng, 6+2*rng.IntN(8), 1+rng.IntN(4), seed%2 == 0)
		zero := rng.IntN(len(g.or))
		g.seed = -uint64(zero)
		require.Zero(t, g.key(zero))
		distances := g.distances()
		table := newTable(t, 1<<12)
		for node := range g.or {
			root := state{node, 0}
			r, err := dfpn.Solve(t.Context(), table, func() dfpn.Cursor { return newWalker(g, root, false) }, dfpn.Config{Nodes: 200_000})
			require.NoError(t, err)
			require.NotEqual(t, dfpn.Unknown, r.Outcome, "seed %d, root %v", seed, root)
			require.Equal(t, distances[root] < never, r.Outcome == dfpn.Proven, "seed %d, root %v", seed, root)
			if r.Outcome == dfpn.Proven {
				line, err := dfpn.NewReader(t.Context(), table, newWalker(g, root, false), dfpn.Config{}).Line(true)
				require.NoError(t, err)
				require.Len(t, line, distances[root], "seed %d, root %v", seed, root)
			}
		}
	}
}

// TestIncomplete leaves out moves of the attacker. A proof is a proof and a sure
// disproof is one of the whole graph; the move that settles the root does so.
func TestIncomplete(t *testing.T) {
	counts := map[dfpn.Outcome]map[bool]int{dfpn.Unknown: {}, dfpn.Proven: {}, dfpn.Disproven: {}}
	moves := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		g := newGraph(rng, 6+2*rng.IntN(12), 1+rng.IntN(4), seed%2 == 0)
		whole := g.distances()
		reduced, complete := whole, seed%5 == 0
		if !complete {
			reduced = g.omit(rng).distances()
		}
		table := newTable(t, 1<<(8+seed%8))
		for range 6 {
			root := state{rng.IntN(len(g.or)), 0}
			if g.hands {
				root.hand = makeHand(rng.IntN(most+1), rng.IntN(most+1))
			}
			config := dfpn.Config{Threads: 1 + 3*rng.IntN(2)*rng.IntN(2), Nodes: 200_000}
			if rng.IntN(3) == 0 {
				config.Limit = uint16(1 + rng.IntN(9))
			}
			r, err := dfpn.Solve(t.Context(), table, func() dfpn.Cursor { return newWalker(g, root, false) }, config)
			require.NoError(t, err)
			counts[r.Outcome][r.Sure]++
			settles := func(s state) bool { return reduced[s] > int(r.Length) && (!r.Sure || whole[s] > int(r.Length)) }
			if r.Outcome == dfpn.Proven {
				settles = func(s state) bool { return reduced[s] <= int(r.Length) }
			}
			if r.Outcome == dfpn.Unknown {
				require.False(t, r.Sure)
				continue
			}
			require.True(t, settles(root), "seed %d, root %v: %+v", seed, root, r)
			require.True(t, r.Sure || !complete, "repetition and limits of length are no reason to be unsure")
			if g.or[root.node] == (r.Outcome == dfpn.Proven) && g.statusOf(root.node, root.hand) == dfpn.Open {
				e := &g.edges[root.node][r.Move]
				h, ok := g.has(root.node, e, root.hand)
				require.True(t, ok)
				r.Length = max(r.Length, 1) - 1 // one ply less is left
				require.True(t, settles(state{e.to, h}), "seed %d, root %v: %+v", seed, root, r)
				moves++
			}
		}
	}
	t.Log(counts, moves)
	require.Zero(t, counts[dfpn.Proven][false])
	for _, n := range []int{counts[dfpn.Proven][true], counts[dfpn.Disproven][true], counts[dfpn.Disproven][false], moves} {
		require.Greater(t, n, 500)
	}
}

// TestSharedTable has several searches at once in one table.
func TestSharedTable(t *testing.T) {
	for seed := range uint64(20) {
		g := newGraph(rand.New(rand.NewPCG(seed, 4)), 30, 4, seed%2 == 0)
		distances := g.distances()
		table := newTable(t, 1<<14)
		var group sync.WaitGroup
		for worker := range 4 {
			group.Go(func() {
				for node := worker; node < len(g.or); node += 4 {
					root := state{node, 0}
					r, err := dfpn.Solve(t.Context(), table, func() dfpn.Cursor { return newWalker(g, root, false) }, dfpn.Config{})
					if err != nil || r.Outcome == dfpn.Proven != (distances[root] < never) {
						t.Errorf("seed %d, root %v: %v, %v", seed, root, r.Outcome, err)
					}
				}
			})
		}
		group.Wait()
	}
}

// TestOtherHands uses a table with other hands than before.
func TestOtherHands(t *testing.T) {
	with := newGraph(rand.New(rand.NewPCG(1, 5)), 10, 3, true)
	without := newGraph(rand.New(rand.NewPCG(1, 5)), 10, 3, false)
	table := newTable(t, 1<<10)
	solve := func(g *graph) error {
		_, err := dfpn.Solve(t.Context(), table, func() dfpn.Cursor { return newWalker(g, state{}, false) }, dfpn.Config{})
		return err
	}
	require.NoError(t, solve(with))
	require.NoError(t, solve(with))
	require.ErrorContains(t, solve(without), "other hands")
	require.Panics(t, func() { dfpn.NewReader(t.Context(), table, newWalker(without, state{}, false), dfpn.Config{}) })
	table.Clear()
	require.NoError(t, solve(without))
	require.ErrorContains(t, solve(with), "other hands")
}

// endless is a game without an end. Its search is interrupted at the tenth node.
type endless struct {
	path      []uint64
	expanded  int
	interrupt func()
}

func (e *endless) Root() uint64 { return e.path[len(e.path)-1] }

func (e *endless) Expand(n *dfpn.Node) {
	if e.expanded++; e.expanded == 10 {
		e.interrupt()
	}
	n.Or = len(e.path)%2 == 1
	for m := range uint64(2) {
		n.Children = append(n.Children, dfpn.Child{Key: 2*e.Root() + m, Move: dfpn.Move(m), Proof: 1, Disproof: 1})
	}
}

func (e *endless) Do(m dfpn.Move) { e.path = append(e.path, 2*e.Root()+uint64(m)) }

func (e *endless) Undo(dfpn.Move) { e.path = e.path[:len(e.path)-1] }

// A node may take long, so that a search ends soon only if it looks at the context often.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	game := &endless{path: []uint64{1}, interrupt: cancel}
	r, err := dfpn.Solve(ctx, newTable(t, 1<<20), func() dfpn.Cursor { return game }, dfpn.Config{Nodes: 1000})
	require.NoError(t, err)
	require.Equal(t, dfpn.Unknown, r.Outcome)
	require.LessOrEqual(t, game.expanded, 12)
}
