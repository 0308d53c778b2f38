package play

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// listed is a book that has the same moves in every position.
type listed []BookMove[shogi.Move]

func (b listed) Moves(shogi.Position) []BookMove[shogi.Move] { return b }

// usiMoves returns moves that are legal in the start position, or after 7g7f 3c3d.
func usiMoves(t *testing.T, texts ...string) (list listed) {
	start, open := shogi.NewBoard(shogi.Start()), shogi.NewBoard(shogi.Start())
	for _, text := range []string{"7g7f", "3c3d"} {
		m, err := open.ParseUSI(text)
		require.NoError(t, err)
		open.Do(m)
	}
	for i, text := range texts {
		m, err := start.ParseUSI(text)
		if err != nil {
			m, err = open.ParseUSI(text)
		}
		require.NoError(t, err)
		list = append(list, BookMove[shogi.Move]{Move: m, Weight: float64(i + 1), Score: Score(i), Judged: true})
	}
	return list
}

// TestBook chooses moves of a book, the heavier ones more often, but none that is illegal or not asked for.
func TestBook(t *testing.T) {
	s, err := New(shogi.Game{}, Config[shogi.Position]{})
	require.NoError(t, err)
	book := usiMoves(t, "7g7f", "2g2f", "8h2b+")
	weightless := usiMoves(t, "7g7f", "2g2f", "2g2f", "2g2f")
	weightless[1].Weight, weightless[2].Weight, weightless[3].Weight = 0, -1, math.NaN()
	type query = Query[shogi.Position, shogi.Move]
	for name, c := range map[string]struct {
		query query
		want  map[string][2]int // the least and the most of 300 choices
	}{
		"weights":   {query{Book: book}, map[string][2]int{"7g7f": {70, 130}, "2g2f": {170, 230}}},
		"only":      {query{Book: book, Only: []shogi.Move{book[1].Move}}, map[string][2]int{"2g2f": {300, 300}}},
		"no weight": {query{Book: weightless}, map[string][2]int{"7g7f": {300, 300}}},
		"at random": {query{Book: book, Choice: Choice{Budget: 1000}}, map[string][2]int{"7g7f": {70, 130}, "2g2f": {170, 230}}},
	} {
		got := map[string]int{}
		for seed := range uint64(300) {
			q := c.query
			q.From, q.Depth, q.Choice.Seed = shogi.Start(), 1, seed
			r, err := s.Search(t.Context(), q)
			require.NoError(t, err)
			require.NotNil(t, r.Book, name)
			require.Equal(t, Line[shogi.Move]{r.Book.Score, []shogi.Move{r.Book.Move}}, r.Best())
			got[r.Best().Moves[0].String()]++
			again, err := s.Search(t.Context(), q)
			require.NoError(t, err)
			require.Equal(t, r.Book, again.Book, "the same seed")
		}
		require.Len(t, got, len(c.want), name)
		for m, n := range c.want {
			require.True(t, n[0] <= got[m] && got[m] <= n[1], "%s: %s: %d times", name, m, got[m])
		}
	}
	for name, book := range map[string]Book[shogi.Position, shogi.Move]{
		"none": nil, "empty": listed(nil), "illegal": book[2:], "without weight": weightless[1:],
	} {
		with, err := s.Search(t.Context(), query{From: shogi.Start(), Limits: Limits{Depth: 2}, Book: book})
		require.NoError(t, err)
		require.Nil(t, with.Book, name)
		require.Equal(t, 2, with.Depth, name)
	}
}

// TestProvenBeforeBook has what is proven come before a book, which costs the deciders most of their share.
func TestProvenBeforeBook(t *testing.T) {
	book := usiMoves(t, "7g7f", "2g2f")
	type query = Query[shogi.Position, shogi.Move]
	search := func(d games.Decider[shogi.Position, shogi.Move], q query) Result[shogi.Move] {
		s, err := New(shogi.Game{}, Config[shogi.Position]{}, d)
		require.NoError(t, err)
		q.From, q.Book, q.Advised = shogi.Start(), book, true
		r, err := s.Search(t.Context(), q)
		require.NoError(t, err)
		return r
	}
	win := usiMoves(t, "5g5f")[0].Move
	r := search(sure{Bounds: games.BoundsOf(games.Win(5)), By: "someone", Line: []shogi.Move{win}}, query{})
	require.Nil(t, r.Book)
	require.Equal(t, win, r.Best().Moves[0])
	r = search(sure{Bounds: games.BoundsOf(games.Loss(6)), By: "someone"}, query{Limits: Limits{Depth: 1}})
	require.Nil(t, r.Book, "lost, and no move is known")
	for seed := range uint64(20) {
		r = search(sure{Bounds: games.Unbounded, Left: []shogi.Move{book[0].Move, win}}, query{Choice: Choice{Seed: seed}})
		require.NotNil(t, r.Book)
		require.Equal(t, book[0].Move, r.Best().Moves[0], "the others lose")
	}
	r = search(sure{Bounds: games.Unbounded, Left: []shogi.Move{win}}, query{Limits: Limits{Depth: 1}})
	require.Nil(t, r.Book)
	require.Equal(t, win, r.Best().Moves[0])

	var nodes []uint64
	search(asked{&nodes}, query{Limits: Limits{Nodes: 1_000_000}})
	require.Equal(t, []uint64{shallowNodes}, nodes)
}
