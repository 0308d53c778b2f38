package judge

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/review"
)

// TestMarks goes through random games of tic-tac-toe whose values are known: by plain search, and to the review only
// where little is left.
func TestMarks(t *testing.T) {
	g := tictactoe.Game{}
	rng := rand.New(rand.NewPCG(1, 2))
	var list []Played[tictactoe.Position, tictactoe.Move]
	for range 20 {
		var x Played[tictactoe.Position, tictactoe.Move]
		x.From = g.Start()
		for p := x.From; ; p = g.Play(p, x.Moves[len(x.Moves)-1]) {
			moves := g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			x.Moves = append(x.Moves, moves[rng.IntN(len(moves))])
		}
		list = append(list, x)
	}
	m := Marks[tictactoe.Position, tictactoe.Move]{
		Judge: Judge[tictactoe.Position, tictactoe.Move]{
			Game: g, Threads: 2,
			Search: func() (play.Engine[tictactoe.Position, tictactoe.Move], error) {
				return play.New(g, play.Config[tictactoe.Position]{Memory: 1 << 16})
			},
		},
		Review: review.Config[tictactoe.Position, tictactoe.Move]{Leaves: 10, Calibration: games.Calibration{Optimism: [2]int32{5, 6}}},
		Truth: func(_ context.Context, _ play.Engine[tictactoe.Position, tictactoe.Move], p tictactoe.Position) (games.Bounds, error) {
			r := games.Result(result(p))
			return games.BoundsOfResults(r, r), nil
		},
	}
	found, err := m.Run(t.Context(), list)
	require.NoError(t, err)
	kept, lost, sums, i := 0, 0, 0, 0
	for number, x := range list {
		p := x.From
		for ply := range len(x.Moves) + 1 {
			f := &found[i]
			i++
			require.Equal(t, number, f.Game)
			require.Equal(t, len(x.Moves)-ply, f.Left)
			require.Equal(t, string(g.AppendPosition(nil, p)), f.Text)
			require.False(t, f.Wrong)
			r, known := f.Truth.Result()
			require.True(t, known)
			require.Equal(t, result(p), int(r))
			if ply == len(x.Moves) {
				require.Equal(t, Unknown, f.Fate)
				break
			}
			q := g.Play(p, x.Moves[ply])
			if -result(q) == result(p) {
				require.Equal(t, Keeps, f.Fate)
				kept++
			} else {
				require.Equal(t, Loses, f.Fate)
				lost++
			}
			if f.Sum != nil {
				require.Equal(t, float64(*f.Score+*found[i].Score), *f.Sum)
				require.Equal(t, [2]int{f.Depth, found[i].Depth}, f.Depths)
				require.Equal(t, *f.Sum+float64(10+f.Depth%2+found[i].Depth%2), f.Searched)
				sums++
			}
			p = q
		}
	}
	require.Len(t, found, i)
	require.Positive(t, kept)
	require.Positive(t, lost)
	require.Positive(t, sums)
	v, n := MarkedShare(found, 1, func(x *MarkedMove) (float64, bool) { return 1, x.Fate == Loses })
	require.Equal(t, lost, n)
	require.Equal(t, 1.0, v.Value)
	_, n = MarkedShare(found, 1, func(*MarkedMove) (float64, bool) { return 0, false })
	require.Zero(t, n)

	m.Last = 3
	end, err := m.Run(t.Context(), list)
	require.NoError(t, err)
	require.Len(t, end, 3*len(list))
	require.Equal(t, 0, end[2].Left)
	m.Last, m.Truth = 0, func(_ context.Context, _ play.Engine[tictactoe.Position, tictactoe.Move], p tictactoe.Position) (games.Bounds, error) {
		return games.BoundsOf(games.Result(-result(p)).Value()), nil
	}
	found, err = m.Run(t.Context(), list)
	require.NoError(t, err)
	wrong := 0
	for i := range found {
		if found[i].Wrong {
			wrong++
		}
	}
	require.Positive(t, wrong, "a false truth agrees with what is proven")
}

func TestFates(t *testing.T) {
	win, draw, loss := games.BoundsOf(games.Win(5)), games.BoundsOf(games.Draw), games.BoundsOf(games.Loss(4))
	for _, c := range []struct {
		order      games.Order
		now, after games.Bounds
		fate       Fate
	}{
		{games.ByDistance, win, games.BoundsOf(games.Win(9)), Keeps},
		{games.ByDistance, win, draw, Loses},
		{games.ByDistance, draw, games.BoundsOfResults(games.Drawn, games.Won), Keeps},
		{games.ByDistance, win, games.Unbounded, Unknown},
		{games.ByDistance, games.Unbounded, win, Keeps},
		{games.ByDistance, loss, games.Unbounded, Keeps},
		{games.ByScore, games.BoundsOf(games.Score(4)), games.BoundsOf(games.Score(2)), Loses},
		{games.ByScore, games.BoundsOf(games.Score(4)), games.BoundsOf(games.Score(4)), Keeps},
		{games.ByScore, games.BoundsOf(games.Score(4)), games.Bounds{Lower: games.Score(2), Upper: games.Score(6)}, Unknown},
	} {
		require.Equal(t, c.fate, fateOf(c.order, c.now, c.after), "%v, %v", c.now, c.after)
	}
}
