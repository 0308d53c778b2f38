package play

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// sure is a decider that says the same of every position.
type sure games.Advice[shogi.Move]

func (d sure) Decide(context.Context, shogi.Position, uint64) (games.Advice[shogi.Move], error) {
	return games.Advice[shogi.Move](d), nil
}

// TestAdvised has queries that what is proven answers, and others that need a search nevertheless.
func TestAdvised(t *testing.T) {
	_, round, err := shogi.ParsePosition("startpos moves 7i6h 3a4b 6h7i 4b3a")
	require.NoError(t, err)
	move := func(text string) shogi.Move {
		b := shogi.NewBoard(shogi.Start())
		m, err := b.ParseUSI(text)
		require.NoError(t, err)
		return m
	}
	win := games.Bounds{Lower: games.Win(7), Upper: games.Won.Value()}
	loss := games.Bounds{Lower: games.Lost.Value(), Upper: games.Loss(8)}
	for _, c := range []struct {
		name     string
		bounds   games.Bounds
		query    Query[shogi.Position, shogi.Move]
		searched bool
		first    string // empty for any but 7i6h
		score    Score  // 0 for any
	}{
		{"a win", win, Query[shogi.Position, shogi.Move]{Advised: true}, false, "7i6h", ScoreOf(games.Win(7))},
		{"a loss", loss, Query[shogi.Position, shogi.Move]{Advised: true}, false, "7i6h", ScoreOf(games.Loss(8))},
		{"not decided", games.Bounds{Lower: games.Loss(3), Upper: games.Won.Value()}, Query[shogi.Position, shogi.Move]{Advised: true, Only: []shogi.Move{move("2g2f")}}, true, "2g2f", 0},
		{"a win that repeats", win, Query[shogi.Position, shogi.Move]{Advised: true, Moves: round}, true, "", 0},
		{"a loss that repeats", loss, Query[shogi.Position, shogi.Move]{Advised: true, Moves: round}, false, "7i6h", ScoreOf(games.Loss(8))},
		{"several lines", win, Query[shogi.Position, shogi.Move]{Advised: true, Lines: 3}, true, "7i6h", ScoreOf(games.Win(7))},
		{"another move is wanted", win, Query[shogi.Position, shogi.Move]{Advised: true, Only: []shogi.Move{move("2g2f")}}, true, "2g2f", 0},
		{"that move is wanted", win, Query[shogi.Position, shogi.Move]{Advised: true, Only: []shogi.Move{move("2g2f"), move("7i6h")}}, false, "7i6h", ScoreOf(games.Win(7))},
		{"a weaker move is wanted", win, Query[shogi.Position, shogi.Move]{Advised: true, Choice: Choice{Jitter: 10}, Only: []shogi.Move{move("2g2f")}}, true, "2g2f", 0},
		{"not asked", win, Query[shogi.Position, shogi.Move]{Only: []shogi.Move{move("2g2f")}}, true, "2g2f", 0},
	} {
		const asked = 1_000_000
		a := games.Advice[shogi.Move]{Bounds: c.bounds, By: "oracle", Line: []shogi.Move{move("7i6h")}, Nodes: asked}
		s, err := New(shogi.Game{}, Config[shogi.Position]{}, games.Decider[shogi.Position, shogi.Move](sure(a)))
		require.NoError(t, err)
		told := 0
		q := c.query
		q.From, q.Depth = shogi.Start(), 2
		q.Progress = func(r Result[shogi.Move]) {
			told++
			require.Equal(t, c.searched && q.Advised, r.Nodes > asked, c.name)
			if c.score != 0 {
				require.Equal(t, c.score, r.Best().Score, c.name)
			}
		}
		r, err := s.Search(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, c.searched && q.Advised, r.Nodes > asked, c.name)
		require.Equal(t, map[bool]int{false: 1, true: 2}[c.searched], told, c.name)
		if c.first == "" {
			require.NotEqual(t, "7i6h", r.Best().Moves[0].String(), c.name)
		} else {
			require.Equal(t, c.first, r.Best().Moves[0].String(), c.name)
		}
		if c.score != 0 {
			require.Equal(t, c.score, r.Best().Score, c.name)
		}
		require.Len(t, r.Lines, max(q.Lines, 1), c.name)
		for _, line := range r.Lines[1:] {
			require.NotEqual(t, move("7i6h"), line.Moves[0], c.name)
		}
		if q.Advised {
			require.Equal(t, c.bounds, r.Advice.Bounds, c.name)
		}
	}
}
