//go:build !race

package solver

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
)

func TestRandomGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	values := map[games.Result]int{}
	for range 600 {
		g := gametest.NewGraph(rng, 3+rng.IntN(12), 12)
		want := gametest.Negamax(g, g.Start(), map[int]games.Result{})
		r, _ := solve(t, g, g.Start(), g, Config{})
		require.Equal(t, want, r.Value)
		values[want]++
	}
	for _, v := range []games.Result{games.Won, games.Drawn, games.Lost} {
		require.Greater(t, values[v], 50, "%v", v)
	}
}

// TestThreats has a game that knows more than its rules and leaves out moves.
func TestThreats(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	unknown := 0
	for i := range 800 {
		known := map[int]games.Result{}
		g := newSeer(gametest.NewGraph(rng, 4+rng.IntN(10), 12), rng, known, i%2 == 0)
		want := gametest.Negamax(g, g.Start(), known)
		s, err := New(g, branchers(g), g.Start(), Config{})
		require.NoError(t, err)
		r, err := s.Solve(context.Background())
		require.NoError(t, err)
		if !r.Known {
			require.True(t, g.restrict, "all moves were looked at")
			unknown++
			continue
		}
		require.Equal(t, want, r.Value)
		if !g.restrict {
			checkProof(t, s, r, g.Graph)
		}
	}
	require.Greater(t, unknown, 20)
}

// TestSecondLevel judges all leaves by searches of the second level.
func TestSecondLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range 400 {
		known := map[int]games.Result{}
		g := newSeer(gametest.NewGraph(rng, 4+rng.IntN(12), 12), rng, known, i%4 == 0)
		want := gametest.Negamax(g, g.Start(), known)
		r := rules[int, int]{game: g, layerer: g, brancher: g}
		s := &search[int, int]{rules: r, arena: newArena[int, int]()}
		s.second = &search[int, int]{rules: r, arena: newArena[int, int](), limit: 1 + uint64(rng.IntN(6))}
		if _, finished := g.Outcome(0); finished {
			continue
		}
		require.NoError(t, s.start(0, true))
		require.NoError(t, s.run())
		root := s.nodes.at(s.root)
		if root.flags&unsure == 0 {
			require.Equal(t, want == games.Won, root.proof == 0)
		} else {
			require.True(t, g.restrict)
		}
		if root.proof == 0 {
			require.Equal(t, games.Won, want)
		}
		require.Positive(t, s.visited)
	}
}

// eachTicTacToe calls do with each position of tic-tac-toe, up to symmetry, and its value.
func eachTicTacToe(do func(p tictactoe.Position, want games.Result)) {
	g := tictactoe.Game{}
	known := map[tictactoe.Position]games.Result{}
	gametest.Negamax(g, g.Start(), known)
	seen := map[tictactoe.Position]bool{}
	for p, want := range known {
		if c := g.Canonical(p); !seen[c] {
			seen[c] = true
			do(p, want)
		}
	}
}

func TestTicTacToe(t *testing.T) {
	g := tictactoe.Game{}
	eachTicTacToe(func(p tictactoe.Position, want games.Result) {
		r, _ := solve(t, g, p, g, Config{})
		require.Equal(t, want, r.Value, "%s", g.AppendPosition(nil, p))
	})
}

// TestGomokuPositions compares positions of small boards with a search of all
// moves by the plain rules.
func TestGomokuPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	values := map[games.Result]int{}
	for _, rules := range []gomoku.Rules{
		{Rows: 3, Columns: 3, K: 3}, {Rows: 3, Columns: 4, K: 3}, {Rows: 3, Columns: 5, K: 3, Exact: true}, {Rows: 2, Columns: 7, K: 4},
		{Rows: 4, Columns: 4, K: 3}, {Rows: 4, Columns: 4, K: 4}, {Rows: 4, Columns: 4, K: 3, Exact: true},
	} {
		g, plain := newGomoku(t, rules)
		known := map[gomokurules.Position]games.Result{}
		for range 40 {
			p := plain.Start()
			least := max(0, rules.Rows*rules.Columns-10)
			for range least + rng.IntN(6) {
				if moves := plain.AppendMoves(nil, p); len(moves) > 0 {
					p = plain.Play(p, moves[rng.IntN(len(moves))])
				}
			}
			q, err := g.ParsePosition(string(plain.AppendPosition(nil, p)))
			require.NoError(t, err)
			want := gametest.Negamax(plain, p, known)
			for _, cfg := range []Config{{}, {Method: DepthFirst, Memory: 1 << 12}} {
				r, _ := solve(t, g, q, plain, cfg)
				require.Equal(t, want, r.Value, "%s, %v: %s", g.Name(), cfg.Method, plain.AppendPosition(nil, p))
			}
			values[want]++
		}
	}
	for _, v := range []games.Result{games.Won, games.Drawn, games.Lost} {
		require.Greater(t, values[v], 10, "%v", v)
	}
}

// TestBoards solves whole boards. The values are in the literature: Uiterwijk,
// van den Herik, The advantage of the initiative (2000), and the works that
// they name.
func TestBoards(t *testing.T) {
	for _, c := range []struct {
		rows, columns, k int
		want             games.Result
		slow             bool
	}{
		{3, 3, 3, games.Drawn, false}, {2, 9, 3, games.Drawn, false}, {3, 4, 3, games.Won, false}, {4, 4, 3, games.Won, false},
		{4, 4, 4, games.Drawn, false}, {4, 5, 4, games.Drawn, false}, {4, 6, 4, games.Drawn, false}, {4, 7, 4, games.Drawn, true},
		{5, 5, 4, games.Drawn, false}, {5, 6, 4, games.Won, false}, {6, 6, 4, games.Won, false}, {7, 7, 4, games.Won, false},
		{5, 5, 5, games.Drawn, false}, {5, 6, 5, games.Drawn, false}, {6, 6, 5, games.Drawn, false}, {7, 7, 5, games.Drawn, true},
	} {
		t.Run(fmt.Sprintf("%dx%d,%d", c.rows, c.columns, c.k), func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("takes some seconds")
			}
			g, plain := newGomoku(t, gomoku.Rules{Rows: c.rows, Columns: c.columns, K: c.k})
			r, report := solve(t, g, g.Start(), plain, Config{})
			require.Equal(t, c.want, r.Value)
			t.Logf("%+v; %+v", r.Questions, report)
		})
	}
}

// TestExactBoards solves boards on which more than k in a row do not win.
func TestExactBoards(t *testing.T) {
	for _, rules := range []gomoku.Rules{{Rows: 4, Columns: 5, K: 3, Exact: true}, {Rows: 5, Columns: 5, K: 4, Exact: true}, {Rows: 6, Columns: 6, K: 4, Exact: true}} {
		g, plain := newGomoku(t, rules)
		solve(t, g, g.Start(), plain, Config{})
	}
}

// TestSecondLevelBoards solves boards with so little memory that the second level
// is needed.
func TestSecondLevelBoards(t *testing.T) {
	for _, rules := range []gomoku.Rules{{Rows: 5, Columns: 5, K: 4}, {Rows: 6, Columns: 6, K: 4}} {
		g, plain := newGomoku(t, rules)
		s, err := New(g, branchers(g), g.Start(), Config{Memory: 3 << 20})
		require.NoError(t, err)
		r, err := s.Solve(context.Background())
		require.NoError(t, err)
		require.True(t, r.Known)
		require.LessOrEqual(t, r.Questions[0].Memory, uint64(3<<20))
		checkProof(t, s, r, plain)
	}
}

func TestLimits(t *testing.T) {
	g, _ := newGomoku(t, gomoku.Rules{Rows: 8, Columns: 8, K: 5})
	for name, cfg := range map[string]Config{
		"nodes":  {Nodes: 2000},
		"time":   {Time: time.Nanosecond},
		"memory": {Memory: 700 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := New(g, branchers(g), g.Start(), cfg)
			require.NoError(t, err)
			r, err := s.Solve(context.Background())
			require.ErrorIs(t, err, ErrLimit)
			require.False(t, r.Known)
			require.Len(t, r.Questions, 1)
			require.Equal(t, Unknown, r.Questions[0].Outcome)
			if cfg.Nodes > 0 {
				require.LessOrEqual(t, r.Questions[0].Nodes, cfg.Nodes)
			}
			require.Empty(t, r.Claims)
			require.Error(t, s.WriteProof(context.Background(), nil))
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	s, err := New(g, branchers(g), g.Start(), Config{ProgressEvery: 1, Progress: func(p Progress) {
		require.Equal(t, proof.Mover, p.Attacker)
		require.Positive(t, p.Nodes)
		cancel()
	}})
	require.NoError(t, err)
	_, err = s.Solve(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// TestDeterminism solves twice: the same nodes.
func TestDeterminism(t *testing.T) {
	g, plain := newGomoku(t, gomoku.Rules{Rows: 5, Columns: 5, K: 4})
	r1, report1 := solve(t, g, g.Start(), plain, Config{})
	r2, report2 := solve(t, g, g.Start(), plain, Config{})
	require.Equal(t, r1.Questions[0].Nodes, r2.Questions[0].Nodes)
	require.Equal(t, report1, report2)
}

func TestUnsuited(t *testing.T) {
	g := dobutsu.New()
	_, err := New(g, branchers(g), g.Start(), Config{})
	require.ErrorIs(t, err, ErrUnsuited)
	require.ErrorContains(t, err, "best first: dobutsu does not say that it always ends, so positions may repeat")
	a, err := awari.Family.Open("awari")
	require.NoError(t, err)
	_, err = New(a, branchers(a), a.Start(), Config{})
	require.ErrorIs(t, err, ErrUnsuited)
	require.ErrorContains(t, err, "awari has scores instead of wins")
}

func ExampleSolver() {
	g := tictactoe.Game{}
	s, _ := New(g, branchers(g), g.Start(), Config{})
	r, _ := s.Solve(context.Background())
	fmt.Println(r.Value, r.Claims)

	var file bytes.Buffer
	w, _ := proof.NewWriter(&file, s.Header())
	fmt.Println(s.WriteProof(context.Background(), w), w.Close())
	reader, _ := proof.NewReader(&file)
	report, err := proof.Check(context.Background(), reader, g, proof.CheckOptions{})
	fmt.Println(report.Nodes > 0, err)
	// Output:
	// draw [other holds mover holds]
	// <nil> <nil>
	// true <nil>
}
