package review

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/measure"
)

// solve returns the values of all positions of a small game, by a plain search with memory.
func solve[P, M comparable](g games.Game[P, M]) func(p P) games.Value {
	values := map[P]games.Value{}
	var value func(p P) games.Value
	value = func(p P) games.Value {
		if v, ok := values[p]; ok {
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
	return value
}

func config[P, M comparable](g games.Game[P, M]) Config[P, M] {
	return Config[P, M]{
		Leaves: 200,
		Search: func() (play.Engine[P, M], error) {
			pruning := play.AllPruning
			pruning.Extensions = false
			return play.New(g, play.Config[P]{Memory: 1 << 16, Pruning: pruning})
		},
	}
}

// TestKnown compares what moves give away with all values.
func TestKnown(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	value := solve(g)
	c := config(g)
	c.Value = func(p connect4.Position) (games.Value, string, bool, error) { return value(p), "database", true, nil }
	rng := rand.New(rand.NewPCG(1, 2))
	marks := 0
	for range 20 {
		p := g.Start()
		var moves []connect4.Move
		for list := g.AppendMoves(nil, p); len(list) > 0; list = g.AppendMoves(nil, p) {
			m := list[rng.IntN(len(list))]
			moves = append(moves, m)
			p = g.Play(p, m)
		}
		r, err := Game(t.Context(), g, g.Start(), moves, c)
		require.NoError(t, err)
		require.Len(t, r.Rows, len(moves)+1)
		p = g.Start()
		for i, m := range moves {
			row := r.Rows[i]
			require.Equal(t, games.BoundsOf(value(p)), *row.Value)
			require.Nil(t, row.Score, "an estimate beside a value")
			after := value(g.Play(p, m)).Backup(0)
			require.Equal(t, games.BoundsOf(after), *row.After)
			switch {
			case after == value(p):
				require.Empty(t, row.Mark)
			case after.Result() != value(p).Result():
				require.Equal(t, Blunder, row.Mark)
			default:
				require.Equal(t, Inaccuracy, row.Mark)
				require.Positive(t, row.Plies)
			}
			if row.Mark != "" {
				marks++
				best, err := games.ParseMove(g, p, row.Best)
				require.NoError(t, err)
				require.Equal(t, value(p), value(g.Play(p, best)).Backup(0))
			}
			p = g.Play(p, m)
		}
		require.Equal(t, "rules", r.Rows[len(moves)].ProvedBy)
	}
	require.Greater(t, marks, 20)
}

// TestEstimated finds an obvious mistake without values, and gives the same on two threads.
func TestEstimated(t *testing.T) {
	g := dobutsu.New()
	var moves []dobutsu.Move
	p := g.Start()
	for _, text := range []string{"b3b2", "b1b2", "c4c3", "a1a2"} {
		m, err := games.ParseMove(g, p, text)
		require.NoError(t, err)
		moves = append(moves, m)
		p = g.Play(p, m)
	}
	c := config(g)
	r, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	for i := range r.Rows {
		require.True(t, (r.Rows[i].ProvedBy == "") == (r.Rows[i].Value == nil) && (r.Rows[i].Value == nil) == (r.Rows[i].Score != nil), "%+v", r.Rows[i])
	}
	c.Threads = 2
	again, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	require.Equal(t, r, again)
	svg, err := r.Plot("a < b")
	require.NoError(t, err)
	require.Contains(t, string(svg), "a &lt; b")
	require.Contains(t, string(svg), "<polyline")
}

// TestFirst goes through the end of a game only, and finds there what a review of all of it finds.
func TestFirst(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	var moves []connect4.Move
	for p := g.Start(); len(moves) < 8; p = g.Play(p, moves[len(moves)-1]) {
		list := g.AppendMoves(nil, p)
		moves = append(moves, list[len(moves)%len(list)])
	}
	c := config(g)
	all, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	done := 0
	c.First, c.Progress = 5, func(_ string, _, most uint64) { done++; require.Equal(t, uint64(4), most) }
	end, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	require.Equal(t, all.Rows[5:], end.Rows)
	require.Equal(t, 4, done)
}

// symmetric is a review of one move from a position, with deciders that know nothing.
func symmetric[P, M comparable](t *testing.T, g games.Game[P, M], from P, m M) Row {
	c := config(g)
	c.Leaves = 3000 // with fewer, searches of such moves do not differ
	r, err := Game(t.Context(), g, from, []M{m}, c)
	require.NoError(t, err)
	return r.Rows[0]
}

// TestSymmetric says that moves that lead to the same position but for symmetry are judged alike.
func TestSymmetric(t *testing.T) {
	g, err := othello.Family.Open("othello")
	require.NoError(t, err)
	p := g.Start()
	moves := g.AppendMoves(nil, p)
	first := symmetric(t, g, p, moves[0])
	for _, m := range moves[1:] {
		row := symmetric(t, g, p, m)
		require.Equal(t, first.Lost, row.Lost, "%s", g.AppendMove(nil, p, m))
		require.Equal(t, first.Mark, row.Mark)
	}
}

// oracle is an engine that has proven what it is told to.
type oracle[P, M comparable] struct {
	play.Engine[P, M]
	of map[P]games.Bounds
}

func (k oracle[P, M]) Decide(_ context.Context, p P, _ uint64) (games.Advice[M], error) {
	if b, ok := k.of[p]; ok {
		return games.Advice[M]{Bounds: b, By: "oracle"}, nil
	}
	return games.Advice[M]{Bounds: games.Unbounded}, nil
}

// TestCarried goes through games of which the values of some positions are known, drawn at random: no
// row says what is not so, a move that keeps a value that is known is not marked, and one that loses it is.
func TestCarried(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	value := solve(g)
	rng := rand.New(rand.NewPCG(5, 6))
	carried := 0
	for range 40 {
		var moves []connect4.Move
		positions := []connect4.Position{g.Start()}
		for p := positions[0]; ; positions = append(positions, p) {
			list := g.AppendMoves(nil, p)
			if len(list) == 0 {
				break
			}
			moves = append(moves, list[rng.IntN(len(list))])
			p = g.Play(p, moves[len(moves)-1])
		}
		k := oracle[connect4.Position, connect4.Move]{of: map[connect4.Position]games.Bounds{}}
		for range 4 {
			p := positions[rng.IntN(len(positions))]
			v := value(p)
			k.of[p] = [...]games.Bounds{games.BoundsOf(v), games.BoundsOfResults(v.Result(), v.Result()), {Lower: v, Upper: games.Won.Value()}}[rng.IntN(3)]
		}
		c := config(g)
		search := c.Search
		c.Leaves = 20
		c.Search = func() (play.Engine[connect4.Position, connect4.Move], error) {
			s, err := search()
			k := k
			k.Engine = s
			return k, err
		}
		r, err := Game(t.Context(), g, g.Start(), moves, c)
		require.NoError(t, err)
		for i := range r.Rows {
			row := &r.Rows[i]
			v := value(positions[i])
			if row.Value != nil {
				require.LessOrEqual(t, row.Value.Lower, v)
				require.GreaterOrEqual(t, row.Value.Upper, v)
				if _, here := k.of[positions[i]]; !here && row.ProvedBy == "oracle" {
					carried++
				}
			}
			if row.After == nil {
				continue
			}
			after := value(positions[i+1]).Backup(0)
			require.LessOrEqual(t, row.After.Lower, after)
			require.GreaterOrEqual(t, row.After.Upper, after)
			if after.Result() == v.Result() {
				require.NotEqual(t, Blunder, row.Mark)
			} else {
				require.Equal(t, Blunder, row.Mark)
			}
		}
	}
	require.Greater(t, carried, 4)
}

// randomMoves returns the first moves of a random game.
func randomMoves[P, M comparable](g games.Game[P, M], number int) (moves []M) {
	rng := rand.New(rand.NewPCG(7, 8))
	for p := g.Start(); len(moves) < number; p = g.Play(p, moves[len(moves)-1]) {
		list := g.AppendMoves(nil, p)
		moves = append(moves, list[rng.IntN(len(list))])
	}
	return moves
}

// TestDoubt says that estimates that were measured to be rough mark large losses only.
func TestDoubt(t *testing.T) {
	g, err := othello.Family.Open("othello:size=6x6")
	require.NoError(t, err)
	moves := randomMoves(g, 16)
	c := config(g)
	marks := func() (n int) {
		r, err := Game(t.Context(), g, g.Start(), moves, c)
		require.NoError(t, err)
		for _, row := range r.Rows {
			if row.Mark != "" {
				n++
				require.GreaterOrEqual(t, row.Lost, max(c.Calibration.Doubt, Thresholds[0]))
				require.True(t, c.Side == 0 || row.Side == c.Side)
			}
		}
		return n
	}
	all := marks()
	require.Positive(t, all)
	c.Side = 1
	first := marks()
	c.Side = 2
	require.Equal(t, all, first+marks())
	c.Side, c.Calibration.Doubt = 0, 0.3
	require.Less(t, marks(), all)
	c.Calibration.Doubt, c.Faults = 0, true
	require.Positive(t, marks())

	c.Calibration.Doubt, c.Faults = 1, false
	r, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	for _, row := range r.Rows {
		require.True(t, row.Mark == "" || row.After != nil, "only values mark moves")
	}
}

// TestOpening says that only a game from the start position has an opening.
func TestOpening(t *testing.T) {
	g := shogi.Game{}
	for text, phase := range map[string]string{"startpos": Opening, "l4k3/7g1/9/9/9/9/9/9/4K4 b RG": ""} {
		p, err := games.ReadPosition(g, text)
		require.NoError(t, err)
		r, err := Game(t.Context(), g, p, nil, config(g))
		require.NoError(t, err)
		require.Equal(t, phase, r.Rows[0].Phase, text)
	}
}

// TestOptimism says that scores are without what a search to an even or an odd depth is too high by, and nothing else.
func TestOptimism(t *testing.T) {
	g := shogi.Game{}
	moves, _, err := games.ParseMoves(g, g.Start(), []string{"7g7f", "3c3d", "2g2f", "2b8h+"})
	require.NoError(t, err)
	c := config(g)
	c.Resignation = measure.Amateurs
	var depths [2]int
	for _, leaves := range []uint64{0, 60, 120, 180, 240} {
		c.Leaves = leaves
		c.Calibration.Optimism = [2]int32{}
		before, err := Game(t.Context(), g, g.Start(), moves, c)
		require.NoError(t, err)
		c.Calibration.Optimism = [2]int32{10, 25}
		after, err := Game(t.Context(), g, g.Start(), moves, c)
		require.NoError(t, err)
		for i := range before.Rows {
			was, is := &before.Rows[i], &after.Rows[i]
			depths[is.Depth%2]++
			require.Equal(t, *was.Score-play.Score(c.Calibration.Optimism[is.Depth%2]), *is.Score)
			require.Equal(t, play.WinRate(*is.Score), *is.WinRate)
			require.Equal(t, was.Resign, is.Resign)
		}
	}
	require.Positive(t, depths[0])
	require.Positive(t, depths[1])

	// A mate remains one.
	p, err := games.ReadPosition(g, "8k/9/7GP/9/9/9/9/9/4K4 b G")
	require.NoError(t, err)
	r := &reviewer[shogi.Position, shogi.Move]{Config: c}
	require.Equal(t, play.ScoreOf(games.Win(3)), r.calibrated(play.ScoreOf(games.Win(3)), 3))
	mate, err := Game(t.Context(), g, p, nil, c)
	require.NoError(t, err)
	_, seen := mate.Rows[0].Score.Mate()
	require.True(t, seen)
}

// asked is an engine that notes how many positions deciders may search at most.
type asked[P, M comparable] struct {
	play.Engine[P, M]
	most *uint64
}

func (a asked[P, M]) Decide(_ context.Context, _ P, nodes uint64) (games.Advice[M], error) {
	*a.most = max(*a.most, nodes)
	return games.Advice[M]{Bounds: games.Unbounded}, nil
}

// TestConfirm says how much more deciders search before a move is marked by estimates.
func TestConfirm(t *testing.T) {
	g, err := othello.Family.Open("othello:size=6x6")
	require.NoError(t, err)
	moves := randomMoves(g, 16)
	for confirm, times := range map[uint64]uint64{0: 4, 256: 256} {
		for _, faults := range []bool{false, true} {
			var most uint64
			c := config(g)
			search := c.Search
			c.Search = func() (play.Engine[othello.Position, othello.Move], error) {
				s, err := search()
				return asked[othello.Position, othello.Move]{s, &most}, err
			}
			c.Calibration.Confirm, c.Faults = confirm, faults
			_, err := Game(t.Context(), g, g.Start(), moves, c)
			require.NoError(t, err)
			require.Equal(t, times*c.Leaves, most)
		}
	}
}

// late is an engine that has proven values only with more than the usual effort, and notes what it was asked then.
type late[P, M comparable] struct {
	oracle[P, M]
	usual uint64
	asked map[P]bool
}

func (k late[P, M]) Decide(ctx context.Context, p P, nodes uint64) (games.Advice[M], error) {
	if nodes <= k.usual {
		return games.Advice[M]{Bounds: games.Unbounded}, nil
	}
	k.asked[p] = true
	return k.oracle.Decide(ctx, p, nodes)
}

// TestConfirmAll says that no mark by estimates is left that was not confirmed, though what is found for one move may mark
// another.
func TestConfirmAll(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	value := solve(g)
	marked := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var moves []connect4.Move
		positions := []connect4.Position{g.Start()}
		k := late[connect4.Position, connect4.Move]{oracle: oracle[connect4.Position, connect4.Move]{of: map[connect4.Position]games.Bounds{}}, usual: 20, asked: map[connect4.Position]bool{}}
		for p := positions[0]; ; positions = append(positions, p) {
			list := g.AppendMoves(nil, p)
			if len(list) == 0 {
				break
			}
			if rng.IntN(2) == 0 {
				k.of[p] = games.BoundsOf(value(p))
			}
			moves = append(moves, list[rng.IntN(len(list))])
			p = g.Play(p, moves[len(moves)-1])
		}
		c := config(g)
		search := c.Search
		c.Leaves = k.usual
		c.Search = func() (play.Engine[connect4.Position, connect4.Move], error) {
			k := k
			var err error
			k.Engine, err = search()
			return k, err
		}
		r, err := Game(t.Context(), g, g.Start(), moves, c)
		require.NoError(t, err)
		for i := range moves {
			if row := r.Rows[i]; row.Mark != "" && row.After == nil {
				marked++
				require.True(t, row.Value != nil || k.asked[positions[i]], "game %d: %s%s", seed, row.Title(), row.Mark)
				require.True(t, r.Rows[i+1].Value != nil || k.asked[positions[i+1]], "game %d: after %s%s", seed, row.Title(), row.Mark)
			}
		}
	}
	require.Greater(t, marked, 10)
}
