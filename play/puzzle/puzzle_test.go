package puzzle

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/play"
)

type (
	position = tictactoe.Position
	move     = tictactoe.Move
)

// solved has all unfinished positions of tic-tac-toe with their values, by brute force.
type solved struct {
	values    map[position]games.Value
	positions []position
}

func solve() *solved {
	s := &solved{values: map[position]games.Value{}}
	s.value(tictactoe.Game{}.Start())
	return s
}

func (s *solved) value(p position) games.Value {
	g := tictactoe.Game{}
	if v, finished := g.Outcome(p); finished {
		return v
	}
	v, known := s.values[p]
	if known {
		return v
	}
	v = games.Unfinished
	for _, m := range g.AppendMoves(nil, p) {
		v = max(v, s.value(g.Play(p, m)).Backup(0))
	}
	s.values[p], s.positions = v, append(s.positions, p)
	return v
}

func (s *solved) Draw(ctx context.Context, rng *rand.Rand) (position, uint64, error) {
	i := rng.IntN(len(s.positions))
	return s.positions[i], uint64(i), ctx.Err()
}

func (s *solved) ProbeMoves(p position) (list []db.MoveValue[move], err error) {
	g := tictactoe.Game{}
	for _, m := range g.AppendMoves(nil, p) {
		list = append(list, db.MoveValue[move]{Move: m, Value: s.value(g.Play(p, m)).Backup(0)})
	}
	slices.SortStableFunc(list, func(a, b db.MoveValue[move]) int { return cmp.Compare(b.Value, a.Value) })
	return list, nil
}

// count returns how many of the positions are puzzles, by their successors alone.
func (s *solved) count(result games.Result) (n int) {
	g := tictactoe.Game{}
	for _, p := range s.positions {
		moves := g.AppendMoves(nil, p)
		kept, atOnce := 0, false
		for _, m := range moves {
			next := g.Play(p, m)
			if -s.value(next).Result() >= result {
				_, finished := g.Outcome(next)
				kept, atOnce = kept+1, finished
			}
		}
		if s.values[p].Result() == result && kept == 1 && len(moves) > 1 && !(atOnce && result == games.Won) {
			n++
		}
	}
	return n
}

// TestFind finds all puzzles of a game, and no more.
func TestFind(t *testing.T) {
	s := solve()
	require.Len(t, s.positions, 4520, "all unfinished positions")
	wins, saves := s.count(games.Won), s.count(games.Drawn)
	require.NotZero(t, wins)
	require.NotZero(t, saves)
	for _, c := range []struct {
		wins, saves bool
		want        int
	}{{true, true, wins + saves}, {true, false, wins}, {false, true, saves}} {
		f := Finder[position, move]{Game: tictactoe.Game{}, Database: s, Wins: c.wins, Saves: c.saves}
		list, _, err := f.Find(t.Context(), c.want, 1)
		require.NoError(t, err)
		seen := map[position]bool{}
		for _, x := range list {
			require.False(t, seen[x.Position])
			seen[x.Position] = true
			require.Equal(t, s.positions[x.Index], x.Position)
			require.Equal(t, s.values[x.Position], x.Value)
			require.Equal(t, s.value(tictactoe.Game{}.Play(x.Position, x.Move)).Backup(0), x.Value)
			require.Less(t, x.Second.Result(), x.Value.Result())
			require.True(t, x.Win() && c.wins || !x.Win() && c.saves)
		}
		again, _, err := f.Find(t.Context(), c.want, 1)
		require.NoError(t, err)
		require.Equal(t, list, again)
		_, _, err = f.Find(t.Context(), c.want+1, 1)
		require.ErrorIs(t, err, ErrFew)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := Finder[position, move]{Game: tictactoe.Game{}, Database: s, Wins: true}
	_, _, err := f.Find(ctx, 1, 1)
	require.ErrorIs(t, err, context.Canceled)
}

// engines returns searches as a ranker wants them.
func engines(t *testing.T, n int) (list []play.Engine[position, move]) {
	for range n {
		s, err := play.New(tictactoe.Game{}, play.Config[position]{Memory: TableMemory, Pruning: play.AllPruning})
		require.NoError(t, err)
		list = append(list, s)
	}
	return list
}

// TestRank has the same ranks with any number of engines, whatever they have searched before.
func TestRank(t *testing.T) {
	f := Finder[position, move]{Game: tictactoe.Game{}, Database: solve(), Wins: true, Saves: true}
	found, _, err := f.Find(t.Context(), 200, 1)
	require.NoError(t, err)
	var first []Puzzle[position, move]
	for _, n := range []int{1, 3} {
		list := slices.Clone(found)
		slices.Reverse(list)
		r := Ranker[position, move]{Engines: engines(t, n), Game: f.Game}
		require.NoError(t, r.Rank(t.Context(), list))
		if first == nil {
			first = list
		}
		require.Equal(t, first, list)
	}
	require.Greater(t, first[0].Rank, first[len(first)-1].Rank)
	for i, x := range first {
		require.GreaterOrEqual(t, x.Rank, 0.0)
		require.LessOrEqual(t, x.Rank, 1.0)
		if i > 0 {
			require.LessOrEqual(t, x.Rank, first[i-1].Rank)
		}
		require.Less(t, x.Traps, x.Legal)
		require.NotZero(t, x.Depth, "a search of the whole game finds each")
		if x.Win() {
			require.LessOrEqual(t, x.Depth, 9)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := Ranker[position, move]{Engines: engines(t, 2), Game: f.Game}
	require.ErrorIs(t, r.Rank(ctx, found), context.Canceled)
}

func TestRankOf(t *testing.T) {
	win := Puzzle[position, move]{Value: games.Win(10), Second: games.Draw, Legal: 5}
	save := Puzzle[position, move]{Value: games.Draw, Second: games.Loss(30), Legal: 5}
	bare := Puzzle[position, move]{Value: games.Won.Value(), Second: games.Lost.Value(), Legal: 5}
	scored := Puzzle[position, move]{Value: games.Score(3), Second: games.Score(-1), Legal: 5}
	for _, c := range []struct {
		of   Puzzle[position, move]
		d    Difficulty
		want float64
	}{
		{win, Difficulty{Depth: 1, Nodes: 7}, pliesWeight / 2},
		{save, Difficulty{Depth: 1, Nodes: 7}, pliesWeight * 3 / 4},
		{win, Difficulty{Errors: 1, Traps: 4}, 1 - pliesWeight/2},
		{win, Difficulty{Errors: 0.5, Depth: 3, Nodes: fewNodes}, 0.5*errorsWeight + pliesWeight/2},
		{save, Difficulty{Depth: 9, Nodes: MostNodes + 100, Traps: 1}, nodesWeight + trapsWeight/4 + pliesWeight*3/4},
		{bare, Difficulty{Errors: 1, Traps: 4}, 1},
		{scored, Difficulty{Errors: 1, Traps: 4}, 1},
		{bare, Difficulty{Depth: 1, Nodes: 7}, 0},
	} {
		c.of.Difficulty = c.d
		require.InDelta(t, c.want, c.of.rank(), 1e-12)
	}
}
