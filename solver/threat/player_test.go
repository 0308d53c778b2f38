//go:build !race

package threat

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		spec, position string
		want           []string // any of these
		wins           bool
	}{
		{"gomoku:size=7x7", "7/7/7/7/7/7/7 x", []string{"d4"}, false},
		{"gomoku:size=7x7", "7/1oooo2/7/xxxx3/7/7/7 x", []string{"e4"}, true},
		{"gomoku:size=7x7", "7/1oooo2/7/xxxx3/7/7/7 o", []string{"a6", "f6"}, true},
		{"gomoku:size=9x9", "9/9/9/2xxxxo2/9/4o4/9/1o7/9 o", []string{"b6"}, false},
		{"gomoku:size=9x9", "9/9/9/9/3xxx3/5o3/9/7o1/9 o", []string{"b5", "c5", "g5", "h5"}, false},
		{"gomoku:size=9x9", "9/9/9/oxxxx1x2/4oo3/9/2o6/9/9 o", []string{"f6"}, false},
		{"gomoku:size=9x9,rule=exact", "9/9/9/oxxxx1x2/4oo3/6o2/9/7o1/9 o", nil, true}, // six do not win
		{"gomoku:size=3x3,k=3", "xo1/oxx/1xo o", []string{"a1", "c3"}, false},
	} {
		g := open(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		move, tree := NewPlayer(NewSearcher(g, 10), nil).Choose(context.Background(), p)
		require.Equal(t, c.wins, tree != nil, c.position)
		if tree != nil {
			require.Equal(t, tree.Move, move)
		}
		if c.want != nil {
			require.Contains(t, c.want, move.String(), c.position)
		}
	}
}

// TestChooseAgainstRandom plays against random moves: each game is won, from a
// position in which neither side has begun a line.
func TestChooseAgainstRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, spec := range []string{"gomoku:size=9x9", "gomoku:size=11x10,rule=exact", "gomoku:size=7x7,k=4"} {
		g := open(t, spec)
		s := NewPlayer(NewSearcher(g, 12), nil)
		for round := range 4 {
			p := g.Start()
			own := gomoku.Side(round % 2)
			for {
				v, finished := g.Outcome(p)
				if finished {
					require.Less(t, v, v.Backup(0), "%s", g.AppendPosition(nil, p)) // lost for the side to move
					require.Equal(t, own.Opponent(), p.ToMove())
					break
				}
				var m gomoku.Square
				if p.ToMove() == own {
					m, _ = s.Choose(context.Background(), p)
				} else {
					moves := g.AppendMoves(nil, p)
					m = moves[rng.IntN(len(moves))]
				}
				require.Contains(t, g.AppendMoves(nil, p), m)
				p = g.Play(p, m)
			}
		}
	}
}

// TestChooseStopped chooses without time: a move that stops the opponent or looks best.
func TestChooseStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := open(t, "gomoku:size=9x9")
	differ := 0
	rng := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		p := g.Start()
		for range 10 {
			moves := g.AppendMoves(nil, p)
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
		player := NewPlayer(NewSearcher(g, 10), nil)
		want, win := player.Choose(context.Background(), p)
		got, winStopped := player.Choose(ctx, p)
		require.Equal(t, win, winStopped)
		require.Contains(t, g.AppendMoves(nil, p), got)
		if got != want {
			differ++
		}
	}
	require.Positive(t, differ, "a search that is not stopped chooses the same")
}

func TestSwap(t *testing.T) {
	for _, c := range []struct {
		position string
		want     bool
	}{
		{"9/9/9/9/3x1x3/9/9/9/o8 o", true},   // White stops it, but has nothing
		{"x7x/9/9/9/3oo4/9/9/9/x8 o", false}, // White has what there is
	} {
		g := open(t, "gomoku:size=9x9")
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		move, swap := NewPlayer(NewSearcher(g, 10), nil).Swap(context.Background(), p)
		require.Equal(t, c.want, swap, c.position)
		require.Contains(t, g.AppendMoves(nil, p), move)
	}
}
