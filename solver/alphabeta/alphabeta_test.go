package alphabeta

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// oracle finds values of a game that always ends, by trying everything.
type oracle[P, M comparable] struct {
	game   games.Game[P, M]
	values map[P]games.Result
}

func (o *oracle[P, M]) value(p P) games.Result {
	if v, finished := o.game.Outcome(p); finished {
		return v.Result()
	}
	if v, ok := o.values[p]; ok {
		return v
	}
	best := games.Lost
	for _, m := range o.game.AppendMoves(nil, p) {
		best = max(best, -o.value(o.game.Play(p, m)))
	}
	o.values[p] = best
	return best
}

// agrees searches positions of random games, to a depth that is enough and to smaller ones.
func agrees[P, M comparable](t *testing.T, g games.Game[P, M], depth, n int) {
	o := oracle[P, M]{g, map[P]games.Result{}}
	s, err := New(g, Config[P]{Depth: depth, Memory: 1 << 16})
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		p := g.Start()
		for range rng.IntN(depth) {
			moves := g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
		want := o.value(p)
		shallow, err := New(g, Config[P]{Depth: 1 + rng.IntN(3), Memory: 1 << 12})
		require.NoError(t, err)
		r, err := shallow.Search(t.Context(), p)
		require.NoError(t, err)
		require.True(t, r.Lower <= want && want <= r.Upper, "%s: %v to %v, want %v", g.AppendPosition(nil, p), r.Lower, r.Upper, want)
		if r, err = s.Search(t.Context(), p); err != nil {
			require.NoError(t, err)
		}
		require.True(t, r.Known() && r.Lower == want, "%s: %v to %v, want %v", g.AppendPosition(nil, p), r.Lower, r.Upper, want)
		require.Equal(t, WinScore*int(want), r.Score)
		_, finished := g.Outcome(p)
		require.Equal(t, !finished, r.Moved)
		if r.Moved {
			require.Equal(t, want, -o.value(g.Play(p, r.Move)), "%s: move %s", g.AppendPosition(nil, p), g.AppendMove(nil, p, r.Move))
		}
	}
}

func TestGames(t *testing.T) {
	agrees(t, tictactoe.Game{}, 9, 200)
	for _, size := range []string{"3x4", "4x4"} {
		g, err := connect4.Family.Open("connect4:size=" + size)
		require.NoError(t, err)
		agrees(t, g, 16, 60)
	}
}

// graph is a random game in which positions repeat. The value of a cycle is a draw.
type graph struct {
	next    [][]int
	outcome []games.Value
	score   []int
}

func (*graph) Name() string { return "graph" }
func (*graph) Start() int   { return 0 }
func (*graph) FeatureSet() *games.FeatureSet {
	return &games.FeatureSet{Size: 1, Weights: []float32{1}}
}
func (g *graph) AppendFeatures(dst []games.Feature, p int) []games.Feature {
	return append(dst, games.Feature{Count: int32(g.score[p])})
}
func (g *graph) Outcome(p int) (games.Value, bool) {
	return g.outcome[p], g.outcome[p] != games.Unfinished
}
func (g *graph) AppendMoves(dst []int, p int) []int { return append(dst, g.next[p]...) }
func (*graph) Play(_, m int) int                    { return m }
func (*graph) AppendPosition(dst []byte, p int) []byte {
	return strconv.AppendInt(dst, int64(p), 10)
}
func (*graph) ParsePosition(text string) (int, error) { return strconv.Atoi(text) }
func (*graph) AppendMove(dst []byte, _, m int) []byte {
	return strconv.AppendInt(dst, int64(m), 10)
}

func newGraph(rng *rand.Rand) *graph {
	g := &graph{}
	for range 3 + rng.IntN(40) {
		g.next = append(g.next, nil)
		v := games.Unfinished
		if len(g.outcome) > 0 && rng.IntN(5) == 0 {
			v = []games.Value{games.Loss(0), games.Draw, games.Win(0)}[rng.IntN(3)]
		}
		g.outcome, g.score = append(g.outcome, v), append(g.score, rng.IntN(200)-100)
	}
	for p := range g.next {
		for n := 1 + rng.IntN(3); n > 0 && g.outcome[p] == games.Unfinished; n-- {
			to := rng.IntN(len(g.next))
			for _, q := range g.next[p] {
				if q == to {
					to = p // listed twice otherwise
				}
			}
			if to != p {
				g.next[p] = append(g.next[p], to)
			}
		}
		if g.outcome[p] == games.Unfinished && len(g.next[p]) == 0 {
			g.next[p] = []int{(p + 1) % len(g.next)}
		}
	}
	return g
}

// solve finds values with their distance, by plain iteration.
func (g *graph) solve() []games.Value {
	values := make([]games.Value, len(g.next))
	for p, v := range g.outcome {
		if v != games.Unfinished {
			values[p] = v
		}
	}
	for n := 1; n <= len(g.next); n++ {
		next := append([]games.Value{}, values...)
		for p, list := range g.next {
			if g.outcome[p] != games.Unfinished || values[p] != games.Draw {
				continue
			}
			best := games.Loss(0)
			for _, q := range list {
				best = max(best, values[q].Backup(0))
			}
			next[p] = best
		}
		values = next
	}
	return values
}

// TestBounds searches every position of random games with cycles, in one table that is too
// small and in a new one: bounds are never wrong, and a win or a loss is proven at its depth.
func TestBounds(t *testing.T) {
	known := map[games.Result]int{}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		g := newGraph(rng)
		values := g.solve()
		shared, err := New(g, Config[int]{Depth: 12, Memory: uint64(100 + rng.IntN(5000)), Nodes: 2000})
		require.NoError(t, err)
		for _, p := range rng.Perm(len(values)) {
			want := values[p].Result()
			check := func(r Result[int]) {
				require.True(t, r.Lower <= want && want <= r.Upper, "game %d: position %d is worth %v, not %v to %v", seed, p, values[p], r.Lower, r.Upper)
				if r.Known() {
					known[want]++
				}
			}
			r, err := shared.Search(t.Context(), p)
			require.NoError(t, err)
			check(r)
			plies, distance := values[p].Plies()
			fresh, err := New(g, Config[int]{Depth: max(1, plies), Memory: 1 << 16})
			require.NoError(t, err)
			r, err = fresh.Search(t.Context(), p)
			require.NoError(t, err)
			check(r)
			if distance {
				require.True(t, r.Known(), "game %d: position %d, %v", seed, p, values[p])
			}
		}
	}
	for _, r := range []games.Result{games.Lost, games.Drawn, games.Won} {
		require.Greater(t, known[r], 100, r)
	}
}

// TestRepetition checks that a score which depends on the path is not kept: after 0-1 the
// way back to 0 is a draw, but only on that path.
func TestRepetition(t *testing.T) {
	u := games.Unfinished
	g := &graph{
		next:    [][]int{{1}, {0, 2}, {3}, {2}},
		outcome: []games.Value{u, u, u, u},
		score:   []int{0, 0, 50, -50}, // 2 is good for the opponent of 1
	}
	s, err := New(g, Config[int]{Depth: 3, Memory: 1 << 14})
	require.NoError(t, err)
	r, err := s.Search(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, 0, r.Score)
	require.False(t, r.Known())
	root, middle := 0, 1
	require.Equal(t, exact, s.table.find(s.hash(&root), &root).kind)
	require.EqualValues(t, 3, s.table.find(s.hash(&root), &root).depth)
	e := s.table.find(s.hash(&middle), &middle)
	require.NotNil(t, e)
	require.Zero(t, e.kind)
}

// TestLimits checks that results of limited searches are those of complete depths, and the
// same each time.
func TestLimits(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=5x5")
	require.NoError(t, err)
	search := func(cfg Config[connect4.Position]) Result[connect4.Move] {
		cfg.Memory = 1 << 18
		s, err := New(g, cfg)
		require.NoError(t, err)
		r, err := s.Search(t.Context(), g.Start())
		require.NoError(t, err)
		r.Time = 0
		return r
	}
	r := search(Config[connect4.Position]{Nodes: 20_000})
	require.Equal(t, r, search(Config[connect4.Position]{Nodes: 20_000}))
	require.EqualValues(t, 20_000, r.Nodes)
	require.Less(t, search(Config[connect4.Position]{Depth: r.Depth}).Nodes, r.Nodes)
	require.Greater(t, search(Config[connect4.Position]{Depth: r.Depth + 1}).Nodes, r.Nodes)

	_, err = New(g, Config[connect4.Position]{Depth: MaxDepth + 1})
	require.ErrorContains(t, err, "depth 101")
	a, err := awari.Family.Open("awari")
	require.NoError(t, err)
	_, err = New(a, Config[awari.Position]{})
	require.ErrorIs(t, err, ErrUnsuited)
}
