package learn

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
)

// sumOf returns the sum of the folded weights of example i.
func sumOf(x *Examples, i int, folded []int16) float64 {
	sum := float64(x.list[i].offset)
	for _, t := range x.terms[x.begin(i):x.list[i].end] {
		sum += float64(folded[t.feature()]) * float64(t.count())
	}
	return sum
}

// playRandom returns a game of the given length in which the best move by a shallow search is made, after a
// few first moves.
func playRandom[P, M comparable](t *testing.T, g games.Game[P, M], plies int) *Game[P, M] {
	s, err := play.New(g, play.Config[P]{})
	require.NoError(t, err)
	r := &Game[P, M]{Group: 7, From: g.Start(), Points: 1, Decided: true}
	p := g.Start()
	for i := range plies {
		res, err := s.Search(t.Context(), play.Query[P, M]{From: p, Limits: play.Limits{Depth: 2}, Choice: play.Choice{Budget: 300, Seed: uint64(i)}})
		require.NoError(t, err)
		m := res.Best().Moves[0]
		r.Moves = append(r.Moves, m)
		if p = g.Play(p, m); len(g.AppendMoves(nil, p)) == 0 {
			break
		}
	}
	return r
}

// testTeacher checks that the sums of examples are the scores of searches.
func testTeacher[P, M comparable](t *testing.T, g games.Game[P, M], plies int) {
	e, err := play.EvaluationOf(g)
	require.NoError(t, err)
	x, err := NewExamples(e.Set)
	require.NoError(t, err)
	teacher, err := NewTeacher(g, e, Lessons[P]{Results: 1, Moves: 1}, x)
	require.NoError(t, err)
	game := playRandom(t, g, plies)
	require.NoError(t, teacher.Add(game))
	search, err := play.New(g, play.Config[P]{})
	require.NoError(t, err)
	scorer, _ := g.(games.Scorer[P, M])
	quiet := func(p P) float64 {
		v, _ := search.Quiet(p, play.Window{})
		return float64(v)
	}
	after := func(p P, m M) float64 {
		v := -quiet(g.Play(p, m))
		if scorer != nil {
			v += float64(scorer.Gain(p, m)) * float64(play.Point)
		}
		return v
	}
	folded := e.Set.Folded(e.Weights)
	i, compared, evaluated := 0, 0, 0
	p := game.From
	for ply, m := range game.Moves {
		if i < x.Len() && x.list[i].loss != Comparison {
			require.InDelta(t, quiet(p), sumOf(x, i, folded), 0.5, "ply %d", ply)
			if scorer == nil {
				require.InDelta(t, 1-ply%2, x.list[i].target, 0)
			}
			i++
			evaluated++
		}
		for _, other := range g.AppendMoves(nil, p) {
			if other == m || i == x.Len() || x.list[i].loss != Comparison {
				continue
			}
			if _, finished := g.Outcome(g.Play(p, other)); finished {
				continue
			}
			if d := after(p, other) - after(p, m); math.Abs(d) < 100_000 {
				require.InDelta(t, d, sumOf(x, i, folded), 0.5, "ply %d, example %d", ply, i)
				i++
				compared++
			}
		}
		p = g.Play(p, m)
	}
	require.GreaterOrEqual(t, evaluated, len(game.Moves)/2)
	require.Greater(t, compared, len(game.Moves))
	for _, e := range x.list {
		require.EqualValues(t, 7, e.group)
	}
}

func TestTeacher(t *testing.T) {
	t.Run("shogi", func(t *testing.T) { testTeacher(t, shogi.Game{}, 40) })
	t.Run("awari", func(t *testing.T) { testTeacher(t, open(t), 40) })
}

type oneValue[P comparable] struct {
	at    P
	value games.Value
}

func (d oneValue[P]) Value(p P) (games.Value, bool, error) { return d.value, p == d.at, nil }

func TestTargets(t *testing.T) {
	g := shogi.Game{}
	e, err := play.EvaluationOf(g)
	require.NoError(t, err)
	parse := func(p shogi.Position, text string) shogi.Move {
		m, err := games.ParseMove(g, p, text)
		require.NoError(t, err)
		return m
	}
	first := parse(g.Start(), "7g7f")
	after := g.Play(g.Start(), first)
	game := &Game[shogi.Position, shogi.Move]{From: g.Start(), Moves: []shogi.Move{first}, Points: 1, Decided: true, Scores: []play.Score{0}}
	for _, c := range []struct {
		name    string
		lessons Lessons[shogi.Position]
		decided bool
		want    []float32
	}{
		{"results", Lessons[shogi.Position]{Results: 1}, true, []float32{1, 0}},
		{"half of the scores", Lessons[shogi.Position]{Results: 1, Scores: 0.5}, true, []float32{0.75, 0}},
		{"no result", Lessons[shogi.Position]{Results: 1}, false, nil},
		{"a database", Lessons[shogi.Position]{Results: 1, Database: oneValue[shogi.Position]{after, games.Win(3)}}, false, []float32{1}},
		{"a draw", Lessons[shogi.Position]{Results: 1, Database: oneValue[shogi.Position]{after, games.Draw}}, true, []float32{0.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := NewExamples(e.Set)
			require.NoError(t, err)
			teacher, err := NewTeacher(g, e, c.lessons, x)
			require.NoError(t, err)
			game.Decided = c.decided
			require.NoError(t, teacher.Add(game))
			var got []float32
			for _, e := range x.list {
				got = append(got, e.target)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func open(t *testing.T) games.Game[awari.Position, awari.Move] {
	g, err := awari.Family.Open("awari")
	require.NoError(t, err)
	return g
}
