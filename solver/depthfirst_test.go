//go:build !race

package solver

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// tables are sizes of tables, down to four clusters, which hold eight positions.
var tables = []uint64{256, 1 << 10, 1 << 12, 1 << 18}

// answers asks both questions about a position, each with a new solver.
func answers[P, M comparable](t *testing.T, g games.Game[P, M], p P, cfg Config) (list [2]Outcome) {
	t.Helper()
	for attacker := range list {
		s, err := New(g, branchers(g), p, cfg)
		require.NoError(t, err)
		q, err := s.ask(context.Background(), proof.Side(attacker))
		if cfg.Nodes > 0 && err != nil {
			require.ErrorIs(t, err, ErrLimit)
			require.Equal(t, Unknown, q.Outcome)
			require.LessOrEqual(t, q.Nodes, cfg.Nodes)
		} else {
			require.NoError(t, err)
		}
		require.Equal(t, q.Nodes > 0, q.Memory > 0, "a finished position needs no table")
		list[attacker] = q.Outcome
	}
	return list
}

// expected are the answers to the questions about a position of a value.
func expected(value games.Result) (list [2]Outcome) {
	list = [2]Outcome{Disproven, Disproven}
	switch value {
	case games.Won:
		list[proof.Mover] = Proven
	case games.Lost:
		list[proof.Other] = Proven
	}
	return list
}

// TestDepthFirstGraphs compares both answers with those of best-first and full-width
// search, in tables of all sizes.
func TestDepthFirstGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	values, unknown := map[games.Result]int{}, 0
	for i := range 800 {
		g := gametest.NewGraph(rng, 3+rng.IntN(12), 12)
		want := gametest.Negamax(g, g.Start(), map[int]games.Result{})
		values[want]++
		cfg := Config{Method: DepthFirst, Memory: tables[i%len(tables)]}
		if cfg.Memory < 1<<12 {
			// A search may not end in so small a table.
			cfg.Nodes = 20_000
		}
		got := answers(t, g, g.Start(), cfg)
		for attacker, answer := range got {
			if answer == Unknown {
				require.NotZero(t, cfg.Nodes)
				unknown++
				continue
			}
			require.Equal(t, expected(want)[attacker], answer)
		}
		require.Equal(t, expected(want), answers(t, g, g.Start(), Config{}))
		if cfg.Nodes == 0 {
			r, _ := solve(t, g, g.Start(), g, cfg)
			require.Equal(t, want, r.Value)
		}
	}
	t.Log(values, unknown)
	require.Less(t, unknown, 20)
	for _, v := range []games.Result{games.Won, games.Drawn, games.Lost} {
		require.Greater(t, values[v], 50, "%v", v)
	}
}

// TestDepthFirstCycles solves games in which positions repeat. A win has a proof; a draw
// has none, and WriteProof fails before it writes anything.
func TestDepthFirstCycles(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	values, proofs, repeats := map[games.Result]int{}, 0, 0
	for i := range 1500 {
		g := gametest.NewCyclic(rng, 4+rng.IntN(60))
		known := g.Values()
		want := known[g.Start()]
		values[want]++
		var game games.Game[int, int] = g
		if i%2 == 0 {
			// Threats that are known, some of them won in more plies than one.
			game = cyclicSeer{newSeer(g.Graph, rng, known, false)}
		}
		cfg := Config{Method: DepthFirst, Memory: tables[2+i%2]}
		require.Equal(t, expected(want), answers(t, game, g.Start(), cfg))
		s, err := New(game, branchers(game), g.Start(), cfg)
		require.NoError(t, err)
		r, err := s.Solve(context.Background())
		require.NoError(t, err)
		require.True(t, r.Known)
		require.Equal(t, want, r.Value)
		if _, finished := g.Outcome(g.Start()); want != games.Drawn || finished {
			report := checkProof(t, s, r, g)
			if !finished && report.Ranks[0] > 4 {
				proofs++
			}
			continue
		}
		var file bytes.Buffer
		w, err := proof.NewWriter(&file, s.Header())
		require.NoError(t, err)
		size := w.Bytes()
		require.ErrorIs(t, s.WriteProof(context.Background(), w), ErrRepetition)
		require.Zero(t, w.Counts().Nodes)
		require.Equal(t, size, w.Bytes())
		repeats++
	}
	t.Log(values, proofs, repeats)
	require.Greater(t, proofs, 50)
	require.Greater(t, repeats, 50)
	for _, v := range []games.Result{games.Won, games.Drawn, games.Lost} {
		require.Greater(t, values[v], 50, "%v", v)
	}
}

// TestDepthFirstLosses writes proofs of wins in games in which positions repeat, from
// tables that have lost much of them: some positions occur below themselves, with a
// shorter win.
func TestDepthFirstLosses(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	checked, twice := 0, 0
	for checked < 4000 {
		g := gametest.NewCyclic(rng, 4+rng.IntN(60))
		if r := g.Values()[g.Start()]; r == games.Drawn {
			continue
		}
		s, err := New(games.Game[int, int](g), branchers(games.Game[int, int](g)), g.Start(), Config{Method: DepthFirst, Memory: 512})
		require.NoError(t, err)
		r, err := s.Solve(context.Background())
		require.NoError(t, err)
		checkProof(t, s, r, g)
		if _, finished := g.Outcome(g.Start()); !finished {
			b, err := s.build(context.Background(), r.Claims[0])
			require.NoError(t, err)
			twice += len(b.nodes) - 1 - len(b.plan.entries)
		}
		checked++
	}
	t.Log(twice)
	require.Greater(t, twice, 3)
}

// TestDepthFirstCyclicThreats leaves out moves of the attacker where positions repeat.
func TestDepthFirstCyclicThreats(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	counts := map[Outcome]int{}
	for range 1000 {
		g := gametest.NewCyclic(rng, 4+rng.IntN(60))
		known := g.Values()
		game := cyclicSeer{newSeer(g.Graph, rng, known, true)}
		s, err := New(game, branchers(game), g.Start(), Config{Method: DepthFirst, Memory: 1 << 14})
		require.NoError(t, err)
		var r Result
		for range 2 { // the second search finds the table of the first
			r, err = s.Solve(context.Background())
			require.NoError(t, err)
			for _, q := range r.Questions {
				if q.Outcome.Settled() {
					require.Equal(t, expected(known[g.Start()])[q.Attacker], q.Outcome)
				}
				if game.left {
					counts[q.Outcome]++
				}
			}
		}
		if r.Known && r.Value != games.Drawn {
			checkProof(t, s, r, g)
		}
	}
	t.Log(counts)
	for _, a := range []Outcome{Failed, Proven, Disproven} {
		require.Greater(t, counts[a], 20, "%v", a)
	}
}

// cyclicSeer is a seer of a game in which positions repeat.
type cyclicSeer struct{ *seer }

func (cyclicSeer) Layer() {}

// giverUp is a quitter as a game.
type giverUp struct{ *quitter }

func (g giverUp) NewBrancher() Brancher[int, int] { return g.quitter }

// TestDepthFirstThreats has games with threats that leave out moves: answers are right,
// unknown only if moves were left out, and no even then if that does not rest on them.
func TestDepthFirstThreats(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	unknown, sure, proofs := 0, 0, 0
	for i := range 2000 {
		known := map[int]games.Result{}
		g := newSeer(gametest.NewGraph(rng, 4+rng.IntN(10), 12), rng, known, i%2 == 0)
		var game games.Game[int, int] = g
		if i%4 < 2 {
			game = giverUp{&quitter{g}}
		}
		want := gametest.Negamax(g, g.Start(), known)
		s, err := New(game, branchers(game), g.Start(), Config{Method: DepthFirst, Memory: tables[1+i%3], Nodes: 100_000})
		require.NoError(t, err)
		r, err := s.Solve(context.Background())
		require.NoError(t, err)
		for _, q := range r.Questions {
			switch {
			case q.Outcome == Failed:
				require.True(t, g.left, "all moves were looked at")
				unknown++
			case q.Outcome == Disproven && g.left:
				sure++
			}
			if q.Outcome != Failed {
				require.Equal(t, expected(want)[q.Attacker], q.Outcome)
			}
		}
		if r.Known && i%4 == 3 {
			checkProof(t, s, r, g.Graph)
			proofs++
		}
	}
	t.Log(unknown, sure, proofs)
	require.Greater(t, unknown, 100)
	require.Greater(t, sure, 20)
	require.Greater(t, proofs, 100)
}

// TestNeverNo tries the first move of the attacker only. The answer is no only if it
// would be even if every move left out won.
func TestNeverNo(t *testing.T) {
	g := tictactoe.Game{}
	known := map[tictactoe.Position]games.Result{}
	gametest.Negamax(g, g.Start(), known)
	counts := map[Outcome]int{}
	for p := range known {
		for attacker, answer := range answers(t, narrow{g}, p, Config{Method: DepthFirst, Memory: 1 << 14}) {
			toMove := proof.Side(attacker) == proof.Mover
			require.Equal(t, firstMoves(p, toMove, false), answer == Proven, "%s", g.AppendPosition(nil, p))
			if answer == Disproven {
				require.False(t, firstMoves(p, toMove, true), "%s", g.AppendPosition(nil, p))
			}
			counts[answer]++
		}
	}
	t.Log(counts)
	require.Greater(t, counts[Proven], 100)
	require.Greater(t, counts[Disproven], 100)
	require.Greater(t, counts[Failed], 100)
}

// firstMoves reports whether the attacker wins by first moves, or by any move that was
// left out if those win.
func firstMoves(p tictactoe.Position, toMove, leftOutWins bool) bool {
	g := tictactoe.Game{}
	p = g.Canonical(p) // as the search does
	if v, finished := g.Outcome(p); finished {
		return attackerWins(v, toMove)
	}
	moves := g.AppendMoves(nil, p)
	if toMove {
		return leftOutWins && len(moves) > 1 || firstMoves(g.Play(p, moves[0]), false, leftOutWins)
	}
	for _, m := range moves {
		if !firstMoves(g.Play(p, m), true, leftOutWins) {
			return false
		}
	}
	return true
}

// narrow is tic-tac-toe in which only the first move of the attacker is tried.
type narrow struct{ tictactoe.Game }

func (n narrow) NewBrancher() Brancher[tictactoe.Position, tictactoe.Move] {
	return &narrowBrancher{allMoves[tictactoe.Position, tictactoe.Move]{game: n.Game}}
}

type narrowBrancher struct {
	allMoves[tictactoe.Position, tictactoe.Move]
}

func (n *narrowBrancher) AppendBranches(dst []Branch[tictactoe.Move], p tictactoe.Position, attackerToMove bool) ([]Branch[tictactoe.Move], bool) {
	dst, complete := n.allMoves.AppendBranches(dst, p, attackerToMove)
	if attackerToMove && len(dst) > 1 {
		return dst[:1], false
	}
	return dst, complete
}

// TestUnsureAside has a position with the defender to move. After the first reply the
// attacker fails with one move, at an incomplete node, and wins with the next. After the
// second reply the attacker fails for sure, so the answer is no; if that rests on an
// incomplete node too, it is unknown.
func TestUnsureAside(t *testing.T) {
	g := &gametest.Graph{Moves: [][]int{{1, 2}, {3, 4}, {10}, {5}, {7}, {6, 13}, nil, {8}, nil, nil, {11}, {12}, nil, nil}}
	for p := range g.Moves {
		g.Outcomes, g.Layers = append(g.Outcomes, games.Unfinished), append(g.Layers, p)
	}
	g.Outcomes[6], g.Outcomes[8], g.Outcomes[9], g.Outcomes[12], g.Outcomes[13] = games.Draw, games.Loss(0), games.Draw, games.Draw, games.Draw
	open := func(m int, proof, disproof uint32) Branch[int] {
		return Branch[int]{Move: m, Proof: proof, Disproof: disproof}
	}
	s := &scripted{g, map[int][]Branch[int]{
		0: {open(1, 1, 1), open(2, 1, 500)},
		1: {open(3, 1, 1), open(4, 50, 1)},
		3: {open(5, 1, 1)}, 5: {open(6, unproven, 0)}, // 13 is left out
		4: {open(7, 1, 1)}, 7: {open(8, 0, unproven)},
		2: {open(10, 1, 1)}, 10: {open(11, 1, 1)}, 11: {open(12, unproven, 0)},
	}, map[int]bool{5: true}}
	cfg := Config{Method: DepthFirst, Memory: 1 << 12}
	require.Equal(t, Disproven, answers(t, s, 0, cfg)[proof.Other])
	require.Equal(t, Disproven, answers(t, s, 0, Config{})[proof.Other])
	s.incomplete[11] = true
	require.Equal(t, Failed, answers(t, s, 0, cfg)[proof.Other])
	require.Equal(t, Failed, answers(t, s, 0, Config{})[proof.Other])
	delete(s.incomplete, 5)
	delete(s.incomplete, 11)
	require.Equal(t, Disproven, answers(t, s, 0, cfg)[proof.Other])
}

// cyclicScripted is a scripted game in which positions repeat.
type cyclicScripted struct{ *scripted }

func (cyclicScripted) Layer() {}

// TestSureRepetition has a first reply like that of TestUnsureAside. After the second
// one the attacker can only go round in circles, which makes the answer no.
func TestSureRepetition(t *testing.T) {
	g := &gametest.Graph{Moves: [][]int{{1, 2}, {3, 4}, {9}, {5}, {7}, {6}, nil, {8}, nil, {2}}}
	for range g.Moves {
		g.Outcomes = append(g.Outcomes, games.Unfinished)
	}
	g.Outcomes[6], g.Outcomes[8] = games.Draw, games.Loss(0)
	open := func(m int, proof, disproof uint32) Branch[int] {
		return Branch[int]{Move: m, Proof: proof, Disproof: disproof}
	}
	s := cyclicScripted{&scripted{g, map[int][]Branch[int]{
		0: {open(1, 1, 1), open(2, 1, 500)},
		1: {open(3, 1, 1), open(4, 50, 1)},
		3: {open(5, 1, 1)}, 5: {open(6, unproven, 0)},
		4: {open(7, 1, 1)}, 7: {open(8, 0, unproven)},
		2: {open(9, 1, 1)}, 9: {open(2, 1, 1)},
	}, map[int]bool{5: true}}}
	cfg := Config{Method: DepthFirst, Memory: 1 << 12}
	require.Equal(t, Disproven, answers(t, s, 0, cfg)[proof.Other])
	s.incomplete[2] = true
	require.Equal(t, Failed, answers(t, s, 0, cfg)[proof.Other])
}

func TestDepthFirstLimits(t *testing.T) {
	g, _ := newGomoku(t, gomoku.Rules{Rows: 8, Columns: 8, K: 5})
	for name, cfg := range map[string]Config{
		"few nodes": {Nodes: 100},
		"nodes":     {Nodes: 1000},
		"time":      {Time: time.Nanosecond},
	} {
		t.Run(name, func(t *testing.T) {
			cfg.Method, cfg.Memory = DepthFirst, 1<<20
			s, err := New(g, branchers(g), g.Start(), cfg)
			require.NoError(t, err)
			r, err := s.Solve(context.Background())
			require.ErrorIs(t, err, ErrLimit)
			require.False(t, r.Known)
			require.Len(t, r.Questions, 1)
			q := r.Questions[0]
			require.Equal(t, Unknown, q.Outcome)
			require.Positive(t, q.Nodes)
			require.Positive(t, q.Time)
			require.Equal(t, cfg.Memory, q.Memory)
			if cfg.Nodes > 0 {
				require.LessOrEqual(t, q.Nodes, cfg.Nodes)
				require.Greater(t, q.Nodes, cfg.Nodes/2)
			}
			require.Empty(t, r.Claims)
			require.Error(t, s.WriteProof(context.Background(), nil))
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	var shown []Progress
	s, err := New(g, branchers(g), g.Start(), Config{Method: DepthFirst, Memory: 1 << 20, ProgressEvery: 1, Progress: func(p Progress) {
		if shown = append(shown, p); len(shown) == 3 {
			cancel()
		}
	}})
	require.NoError(t, err)
	r, err := s.Solve(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, ErrLimit)
	require.GreaterOrEqual(t, len(shown), 3)
	last := shown[2]
	require.Equal(t, proof.Mover, last.Attacker)
	require.Greater(t, last.Nodes, shown[0].Nodes)
	require.GreaterOrEqual(t, r.Questions[0].Nodes, last.Nodes)
	require.Greater(t, last.Proof, uint32(1))
	require.Greater(t, last.Disproof, uint32(1))
	require.Equal(t, uint64(1<<20), last.Memory)

	_, err = New(g, branchers(g), g.Start(), Config{Method: DepthFirst, Memory: 100})
	require.ErrorContains(t, err, "too small")
	scored, err := awari.Family.Open("awari")
	require.NoError(t, err)
	_, err = New(scored, branchers(scored), scored.Start(), Config{Method: DepthFirst})
	require.ErrorIs(t, err, ErrUnsuited)
}

// TestLongLines has a game with a single line, longer than the depth limit.
func TestLongLines(t *testing.T) {
	for length, answer := range map[int]Outcome{3000: Proven, 5000: Unknown} {
		g := &gametest.Graph{}
		for p := range length {
			g.Moves, g.Outcomes, g.Layers = append(g.Moves, []int{p + 1}), append(g.Outcomes, games.Unfinished), append(g.Layers, p)
		}
		g.Moves, g.Outcomes, g.Layers = append(g.Moves, nil), append(g.Outcomes, games.Win(0)), append(g.Layers, length)
		s, err := New(g, branchers(g), 0, Config{Method: DepthFirst, Memory: 1 << 20})
		require.NoError(t, err)
		q, err := s.ask(context.Background(), proof.Mover)
		require.Equal(t, answer, q.Outcome)
		if answer == Unknown {
			require.ErrorIs(t, err, ErrLimit)
			require.ErrorContains(t, err, "depth limit")
		}
	}
}

// TestWriteLimits stops the writing of a proof.
func TestWriteLimits(t *testing.T) {
	g, _ := newGomoku(t, gomoku.Rules{Rows: 5, Columns: 5, K: 4})
	s, err := New(g, branchers(g), g.Start(), Config{Method: DepthFirst, Memory: 1 << 12})
	require.NoError(t, err)
	_, err = s.Solve(context.Background())
	require.NoError(t, err)
	write := func(ctx context.Context) error {
		w, err := proof.NewWriter(&bytes.Buffer{}, s.Header())
		require.NoError(t, err)
		return s.WriteProof(ctx, w)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, write(ctx), context.Canceled)
	s.cfg.Time = time.Nanosecond
	require.ErrorIs(t, write(context.Background()), ErrLimit)
	s.cfg.Time = 0
	require.NoError(t, write(context.Background()))
}
