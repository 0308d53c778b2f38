package app

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestBoard compares random games on a board with the game itself.
func TestBoard(t *testing.T) {
	t.Run("awari", func(t *testing.T) { testBoard(t, awari.Family) })
	t.Run("checkers", func(t *testing.T) { testBoard(t, checkers.Family) })
	t.Run("dobutsu", func(t *testing.T) { testBoard(t, dobutsu.Family) })
	t.Run("hex", func(t *testing.T) { testBoard(t, hex.Family) })
	t.Run("shogi", func(t *testing.T) { testBoard(t, shogi.Family) })
	t.Run("tictactoe", func(t *testing.T) { testBoard(t, tictactoe.Family) })
}

func testBoard[G games.Game[P, M], P, M comparable](t *testing.T, f *games.Family[G]) {
	g, err := f.Open(f.Name)
	require.NoError(t, err)
	typed := games.Game[P, M](g)
	b := NewBoard(typed) // without the engines, which take long to compile
	require.Equal(t, g.Name(), b.Name())
	hasSame[games.Scorer[P, M], games.Scorer[Position, Move]](t, typed, b)
	hasSame[games.Describer[P, M], games.Describer[Position, Move]](t, typed, b)
	hasSame[games.Finisher[P, M], games.Finisher[Position, Move]](t, typed, b)
	hasSame[games.Drawer[P], games.Drawer[Position]](t, typed, b)
	hasSame[games.Influence[P], games.Influence[Position]](t, typed, b)
	hasSame[games.Declarer[P], games.Declarer[Position]](t, typed, b)
	hasSame[games.Layerer[P], games.Layerer[Position]](t, typed, b)
	hasSame[games.MoveFeatures[P, M], games.MoveFeatures[Position, Move]](t, typed, b)
	hasSame[games.Monotone[P], games.Monotone[Position]](t, typed, b)

	scorer, _ := games.As[games.Scorer[Position, Move]](b)
	describer, _ := games.As[games.Describer[Position, Move]](b)
	features, _ := games.As[games.MoveFeatures[Position, Move]](b)
	rng := rand.New(rand.NewPCG(1, 2))
	cursor := games.NewCursor(games.Game[Position, Move](b), nil)
	for range 3 {
		p, q := g.Start(), b.Start()
		var last *M
		var hiddenLast *Move
		cursor.Set(q)
		for range 60 {
			require.Equal(t, Position{p}, q)
			require.Equal(t, q, cursor.Position())
			text := string(g.AppendPosition(nil, p))
			require.Equal(t, text, b.PositionText(q))
			again, err := b.ParsePosition(text)
			require.NoError(t, err)
			require.Equal(t, q, again)
			v, finished := g.Outcome(p)
			w, over := b.Outcome(q)
			require.Equal(t, finished, over)
			require.Equal(t, v, w)
			if drawer := games.DrawerOf(typed); drawer == nil {
				require.Nil(t, b.Drawing(q))
			} else {
				require.Equal(t, string(drawer.AppendBoard(nil, p)), string(b.Drawing(q)))
			}
			moves, list := g.AppendMoves(nil, p), b.AppendMoves(nil, q)
			require.Equal(t, hidden(moves), list)
			if len(moves) == 0 {
				break
			}
			if features != nil {
				want := typed.(games.MoveFeatures[P, M]).AppendMoveFeatures(nil, p, last, moves)
				require.Equal(t, want, features.AppendMoveFeatures(nil, q, hiddenLast, list))
			}
			i := rng.IntN(len(moves))
			name := b.MoveText(q, list[i])
			require.Equal(t, string(g.AppendMove(nil, p, moves[i])), name)
			m, err := b.ParseMove(q, name)
			require.NoError(t, err)
			require.Equal(t, list[i], m)
			if scorer != nil {
				require.Equal(t, typed.(games.Scorer[P, M]).Gain(p, moves[i]), scorer.Gain(q, m))
			}
			if describer != nil {
				require.Equal(t, typed.(games.Describer[P, M]).Board(p), describer.Board(q))
				require.Equal(t, typed.(games.Describer[P, M]).Trace(p, moves[i]), describer.Trace(q, m))
			}
			p, q = g.Play(p, moves[i]), b.Play(q, m)
			last, hiddenLast = &moves[i], &m
			cursor.Do(m)
		}
	}
}

// hasSame checks that a board has a capability if the game does.
func hasSame[T, Hidden any](t *testing.T, g, b any) {
	t.Helper()
	_, want := g.(T)
	_, got := games.As[Hidden](b)
	require.Equal(t, want, got)
}
