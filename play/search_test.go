package play

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/games/variant"
)

// quiescence is the depth of quiescence searches here. Without pruning they take for ever in some
// games.
const quiescence = 3

// minimax is a plain search of all moves, with the same leaves.
type minimax[P, M comparable] struct {
	g       games.Game[P, M]
	cursor  games.Cursor[P, M] // evaluates
	path    []P
	visited int
}

func newMinimax[P, M comparable](t *testing.T, g games.Game[P, M]) *minimax[P, M] {
	e, err := EvaluationOf(g)
	require.NoError(t, err)
	return &minimax[P, M]{g: g, cursor: games.NewCursor(g, e.Set.Folded(e.Weights))}
}

func (x *minimax[P, M]) gain(p P, m M) Score {
	if s, ok := x.g.(games.Scorer[P, M]); ok {
		return Score(s.Gain(p, m)) * Point
	}
	return 0
}

func (x *minimax[P, M]) score(p P, at, depth int) Score {
	x.visited++
	for i := len(x.path) - 2; i >= 0; i -= 2 {
		if x.path[i] == p {
			return 0
		}
	}
	if depth == 0 {
		return x.quiet(p, at, 0)
	}
	if v, finished := x.g.Outcome(p); finished {
		return ScoreOf(v).aged(at)
	}
	x.path = append(x.path, p)
	best := -Infinity
	for _, m := range x.g.AppendMoves(nil, p) {
		best = max(best, x.gain(p, m)-x.score(x.g.Play(p, m), at+1, depth-1))
	}
	x.path = x.path[:len(x.path)-1]
	return best
}

func (x *minimax[P, M]) quiet(p P, at, n int) Score {
	x.visited++
	if v, finished := x.g.Outcome(p); finished {
		return ScoreOf(v).aged(at)
	}
	x.cursor.Set(p)
	best, all := -Infinity, x.cursor.Forced()
	moves := x.g.AppendMoves(nil, p)
	if selector, ok := x.cursor.(games.Selector[M]); ok && all {
		moves = selector.AppendPromising(nil)
	}
	if !all || n == quiescence {
		if best = Score(x.cursor.Evaluate()); n == quiescence {
			return best
		}
	}
	ranks := x.cursor.AppendRanks(nil, moves)
	for i, m := range moves {
		if all || ranks[i] > 0 {
			best = max(best, x.gain(p, m)-x.quiet(x.g.Play(p, m), at+1, n+1))
		}
	}
	return best
}

// randomPositions returns unfinished positions of random games.
func randomPositions[P, M comparable](g games.Game[P, M], rng *rand.Rand, n, plies int) (list []P) {
	for len(list) < n {
		p := g.Start()
		for range rng.IntN(plies) {
			if moves := g.AppendMoves(nil, p); len(moves) > 0 {
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
		}
		if _, finished := g.Outcome(p); !finished {
			list = append(list, p)
		}
	}
	return list
}

func equalsMinimax[P, M comparable](t *testing.T, g games.Game[P, M], depth, plies int) {
	t.Helper()
	s, err := New(g, Config[P]{})
	require.NoError(t, err)
	s.deepest = quiescence
	x := newMinimax(t, g)
	rng := rand.New(rand.NewPCG(5, 6))
	number := 60
	if testing.Short() {
		number, depth = 12, max(depth-1, 1)
	}
	list := randomPositions(g, rng, number, plies)
	repeats(t, g, list[:10])
	for _, p := range list {
		name := string(g.AppendPosition(nil, p))
		for d := 1; d <= depth; d++ {
			x.path = x.path[:0]
			want := x.score(p, 0, d)
			r, err := s.Search(t.Context(), Query[P, M]{From: p, Limits: Limits{Depth: d}})
			require.NoError(t, err)
			if plies, mate := want.Mate(); mate && plies < d {
				d = depth // the search ends once it has seen the end
			}
			require.Equal(t, want, r.Best().Score, "%s, depth %d", name, d)
			x.path = append(x.path[:0], p)
			m := r.Best().Moves[0]
			require.Equal(t, want, x.gain(p, m)-x.score(g.Play(p, m), 1, d-1), "%s, depth %d, move %s", name, d, g.AppendMove(nil, p, m))

			// Windows answer whether a score is better or worse than even.
			up, err := s.Search(t.Context(), Query[P, M]{From: p, Limits: Limits{Depth: d}, Window: AtLeastEven})
			require.NoError(t, err)
			down, err := s.Search(t.Context(), Query[P, M]{From: p, Limits: Limits{Depth: d}, Window: AtMostEven})
			require.NoError(t, err)
			require.Equal(t, want > 0, up.Best().Score > 0, "%s, depth %d: %d, window gives %d", name, d, want, up.Best().Score)
			require.Equal(t, want < 0, down.Best().Score < 0, "%s, depth %d: %d, window gives %d", name, d, want, down.Best().Score)
		}
	}
}

// TestMinimax compares searches without pruning with a plain one, in every game there is.
func TestMinimax(t *testing.T) {
	t.Run("tictactoe", func(t *testing.T) { equalsMinimax(t, tictactoe.Game{}, 5, 8) })
	t.Run("dobutsu", func(t *testing.T) { equalsMinimax(t, dobutsu.New(), 3, 60) })
	c, err := connect4.Family.Open("connect4:size=5x6")
	require.NoError(t, err)
	t.Run("connect4", func(t *testing.T) { equalsMinimax(t, c, 4, 30) })
	k, err := checkers.Family.Open("checkers:size=6x6")
	require.NoError(t, err)
	t.Run("checkers", func(t *testing.T) { equalsMinimax(t, k, 4, 60) })
	t.Run("shogi", func(t *testing.T) { equalsMinimax(t, shogi.Game{}, 2, 80) })
	a, err := awari.Family.Open("awari")
	require.NoError(t, err)
	t.Run("awari", func(t *testing.T) { equalsMinimax(t, a, 4, 80) })
	for _, spec := range []string{"gomoku:size=5x6,k=4", "gomoku:size=6x6,rule=exact", "gomoku:size=4x4,k=3"} {
		g, err := gomoku.Family.Open(spec)
		require.NoError(t, err)
		t.Run(spec, func(t *testing.T) { equalsMinimax(t, g, 3, 24) })
	}
	for _, spec := range []string{"othello", "othello:size=4x6"} {
		g, err := othello.Family.Open(spec)
		require.NoError(t, err)
		t.Run(spec, func(t *testing.T) { equalsMinimax(t, g, 4, 50) })
	}
	for _, spec := range []string{"hex:size=4x4", "hex:size=5x5,swap=yes"} {
		g, err := hex.Family.Open(spec)
		require.NoError(t, err)
		t.Run(spec, func(t *testing.T) { equalsMinimax(t, g, 3, 14) })
	}
	gardner, err := variant.BuiltIn().Game("gardner")
	require.NoError(t, err)
	t.Run("gardner", func(t *testing.T) { equalsMinimax(t, gardner, 2, 40) })
	minishogi, err := variant.BuiltIn().Game("minishogi")
	require.NoError(t, err)
	t.Run("minishogi", func(t *testing.T) {
		if testing.Short() {
			equalsMinimax(t, minishogi, 1, 20) // with full hands the plain search takes long
			return
		}
		equalsMinimax(t, minishogi, 2, 40)
	})
	// A game that is added has to be added here.
	folders, err := os.ReadDir("../games")
	require.NoError(t, err)
	var found []string
	for _, f := range folders {
		if f.IsDir() && !slices.Contains([]string{"gametest", "movetext", "pgn", "sgf"}, f.Name()) {
			found = append(found, f.Name())
		}
	}
	require.Equal(t, []string{"awari", "checkers", "connect4", "dobutsu", "gomoku", "hex", "othello", "shogi", "tictactoe", "variant"}, found)
}

// repeats requires that searches with all pruning, a table and a limit of nodes find the same again, each after
// the same searches before.
func repeats[P, M comparable](t *testing.T, g games.Game[P, M], list []P) {
	t.Helper()
	const limit = 700
	search := func(s *Searcher[P, M]) (found []Result[M]) {
		for i, p := range list {
			q := Query[P, M]{From: p, Limits: Limits{Nodes: limit}}
			if i%2 > 0 {
				q.Choice = Choice{Jitter: 50, Seed: uint64(i)}
			}
			r, err := s.Search(t.Context(), q)
			require.NoError(t, err)
			require.True(t, r.Nodes <= limit+5 || r.Depth <= 1, "%d nodes at depth %d", r.Nodes, r.Depth)
			r.Time = 0
			found = append(found, r)
		}
		return found
	}
	for _, memory := range []uint64{0, 1 << 12, 1 << 20} {
		s, err := New(g, Config[P]{Pruning: AllPruning, Memory: memory})
		require.NoError(t, err)
		other, err := New(g, Config[P]{Pruning: AllPruning, Memory: memory})
		require.NoError(t, err)
		want := search(s)
		require.Equal(t, want, search(other), "another searcher")
		s.Clear()
		require.Equal(t, want, search(s), "the same searcher")
	}
}

// TestWithout compares searches that switch pruning off with those of a searcher that has none.
func TestWithout(t *testing.T) {
	requireWithout(t, shogi.Game{}, 5, []Pruning{{}, {NullMoves: true}, {Reductions: true}, {Futility: true}, {Extensions: true}, AllPruning})
	g, err := gomoku.Family.Open("gomoku:size=5x6,k=4")
	require.NoError(t, err)
	requireWithout(t, g, 3, []Pruning{{}, {Selection: true}})
	require.Equal(t, Pruning{}, AllPruning.without(AllPruning))
}

// requireWithout compares searches without some pruning with those of searchers that never have it.
func requireWithout[P, M comparable](t *testing.T, g games.Game[P, M], depth int, list []Pruning) {
	t.Helper()
	nodes := map[uint64]bool{}
	for _, without := range list {
		all, err := New(g, Config[P]{Pruning: AllPruning})
		require.NoError(t, err)
		some, err := New(g, Config[P]{Pruning: AllPruning.without(without)})
		require.NoError(t, err)
		var sum uint64
		for _, p := range randomPositions(g, rand.New(rand.NewPCG(9, 9)), 4, 80) {
			q := Query[P, M]{From: p, Limits: Limits{Depth: depth}}
			want, err := some.Search(t.Context(), q)
			require.NoError(t, err)
			q.Without = without
			got, err := all.Search(t.Context(), q)
			require.NoError(t, err)
			require.Equal(t, want.Best(), got.Best(), "without %+v", without)
			require.Equal(t, want.Leaves, got.Leaves)
			require.Equal(t, want.Nodes, got.Nodes)
			sum += got.Nodes
		}
		require.False(t, nodes[sum], "%+v makes no difference", without)
		nodes[sum] = true
	}
}

// TestLinesBestFirst checks the order of several lines, of which a later one may turn out better.
func TestLinesBestFirst(t *testing.T) {
	g := shogi.Game{}
	s, err := New(g, Config[shogi.Position]{Memory: 1 << 20, Pruning: AllPruning})
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(3, 5))
	for range 3 {
		p := g.Start()
		for range 12 {
			r, err := s.Search(t.Context(), Query[shogi.Position, shogi.Move]{From: p, Lines: 3, Limits: Limits{Depth: 5, Nodes: 10_000}})
			require.NoError(t, err)
			for i := 1; i < len(r.Lines); i++ {
				require.LessOrEqual(t, r.Lines[i].Score, r.Lines[i-1].Score, "line %d of %s", i+1, g.AppendPosition(nil, p))
			}
			moves := g.AppendMoves(nil, p)
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
	}
}

// TestAspiration compares searches that begin with a narrow window with those whose window has no ends, where
// nothing is left out.
func TestAspiration(t *testing.T) {
	g, err := othello.Family.Open("othello")
	require.NoError(t, err)
	s, err := New(g, Config[othello.Position]{})
	require.NoError(t, err)
	s.deepest = quiescence
	differ := 0
	for _, p := range randomPositions(g, rand.New(rand.NewPCG(8, 8)), 20, 50) {
		q := Query[othello.Position, othello.Move]{From: p, Limits: Limits{Depth: 5}}
		narrow, err := s.Search(t.Context(), q)
		require.NoError(t, err)
		q.Window = Window{-Infinity, Infinity}
		full, err := s.Search(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, full.Best().Score, narrow.Best().Score, "%s", g.AppendPosition(nil, p))
		require.Equal(t, full.Depth, narrow.Depth)
		if full.Nodes < narrow.Nodes {
			differ++
		}
	}
	require.Positive(t, differ, "no window was too narrow")
}
