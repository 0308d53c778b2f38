package match

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/play"
)

// searching returns a function that makes searching players.
func searching[P, M comparable](g games.Game[P, M], nodes uint64) Maker[P, M] {
	return func(context.Context) (Player[P, M], error) {
		s, err := play.New(g, play.Config[P]{Memory: 1 << 16, Pruning: play.AllPruning})
		if err != nil {
			return nil, err
		}
		return NewSearcher(s, Settings{Limits: play.Limits{Nodes: nodes}}), nil
	}
}

func config[P, M comparable](g games.Game[P, M], first, second uint64, pairs int) Config[P, M] {
	return Config[P, M]{
		Players: [2]Maker[P, M]{searching(g, first), searching(g, second)},
		Pairs:   pairs, RandomPlies: 4, Seed: 1, Settings: "test",
	}
}

// asked is an engine that notes the queries that it gets.
type asked struct {
	play.Engine[dobutsu.Position, dobutsu.Move]
	queries []play.Query[dobutsu.Position, dobutsu.Move]
}

func (e *asked) Search(ctx context.Context, q play.Query[dobutsu.Position, dobutsu.Move]) (play.Result[dobutsu.Move], error) {
	e.queries = append(e.queries, q)
	return e.Engine.Search(ctx, q)
}

// TestPlayerAdvised has players that ask what is proven, and others that do not.
func TestPlayerAdvised(t *testing.T) {
	g := dobutsu.New()
	s, err := play.New(g, play.Config[dobutsu.Position]{})
	require.NoError(t, err)
	for _, advised := range []bool{true, false} {
		e := &asked{Engine: s}
		p := NewSearcher[dobutsu.Position, dobutsu.Move](e, Settings{Limits: play.Limits{Depth: 1}, Advised: advised})
		require.NoError(t, p.Begin(t.Context(), 1))
		_, err := p.Move(t.Context(), State[dobutsu.Position, dobutsu.Move]{From: g.Start(), Position: g.Start()})
		require.NoError(t, err)
		require.Len(t, e.queries, 1)
		require.Equal(t, advised, e.queries[0].Advised)
	}
}

// fixed is a book with the same moves of every position.
type fixed []play.BookMove[dobutsu.Move]

func (b fixed) Moves(dobutsu.Position) []play.BookMove[dobutsu.Move] { return b }

// TestBook has a match by a book: it is the same each time, its games differ, and scores are known only where the book
// has some.
func TestBook(t *testing.T) {
	g := dobutsu.New()
	var book fixed
	for _, m := range g.AppendMoves(nil, g.Start()) {
		book = append(book, play.BookMove[dobutsu.Move]{Move: m, Weight: 1, Score: 7, Judged: true})
	}
	played := func() string {
		c := config(g, 50, 50, 4)
		for i, search := range c.Players {
			c.Players[i] = func(ctx context.Context) (Player[dobutsu.Position, dobutsu.Move], error) {
				p, err := search(ctx)
				p.(*Searcher[dobutsu.Position, dobutsu.Move]).Book = book
				return p, err
			}
		}
		c.RandomPlies, c.File = 0, filepath.Join(t.TempDir(), "games")
		r, err := Play(t.Context(), g, c)
		require.NoError(t, err)
		require.Greater(t, r.Distinct, 2)
		text, err := os.ReadFile(c.File)
		require.NoError(t, err)
		return string(text)
	}
	judged := played()
	require.Equal(t, judged, played())
	require.Contains(t, judged, `"scores":[7,`)
	for i := range book {
		book[i].Score, book[i].Judged = 0, false
	}
	require.NotContains(t, played(), `"scores"`)
}

// TestStronger has a player that sees more win.
func TestStronger(t *testing.T) {
	if race.Enabled {
		t.Skip("it plays some hundred games; other tests play in parallel too")
	}
	stronger(t, dobutsu.New())
	c, err := connect4.Family.Open("connect4:size=5x6")
	require.NoError(t, err)
	stronger(t, c)
	if testing.Short() {
		return
	}
	a, err := awari.Family.Open("awari:stones=24")
	require.NoError(t, err)
	stronger(t, a)
}

func stronger[P, M comparable](t *testing.T, g games.Game[P, M]) {
	t.Helper()
	r, err := Play(t.Context(), g, config(g, 2000, 50, 20))
	require.NoError(t, err)
	mean, _ := r.Tally.Score()
	require.Greater(t, mean, 0.6, "%s: %+v", g.Name(), r)
	require.Equal(t, 40, r.Games())
	back, err := Play(t.Context(), g, config(g, 50, 2000, 20))
	require.NoError(t, err)
	mirrored := Tally{}
	for i, n := range r.Tally {
		mirrored[4-i] = n
	}
	require.Equal(t, mirrored, back.Tally, "players swapped")
	require.Equal(t, [3]int{r.Lost, r.Drawn, r.Won}, [3]int{back.Won, back.Drawn, back.Lost})
}

// TestResume stops a match at every pair, goes on with another number of threads, and compares
// the file with that of a match that was not stopped.
func TestResume(t *testing.T) {
	g := dobutsu.New()
	dir := t.TempDir()
	whole := config(g, 300, 300, 6)
	whole.File = filepath.Join(dir, "whole")
	want, err := Play(t.Context(), g, whole)
	require.NoError(t, err)
	text, err := os.ReadFile(whole.File)
	require.NoError(t, err)

	c := config(g, 300, 300, 6)
	c.File = filepath.Join(dir, "parts")
	for n := 1; ; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		c.Threads = 1 + n%3
		c.Progress = func(*Result) { cancel() }
		r, err := Play(ctx, g, c)
		cancel()
		if err == nil {
			require.Equal(t, want.Tally, r.Tally)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		f, err := os.OpenFile(c.File, os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteString(`{"pair":9,"from":"half`) // killed while it wrote
		require.NoError(t, errors.Join(err, f.Close()))
		require.Less(t, n, 10)
	}
	got, err := os.ReadFile(c.File)
	require.NoError(t, err)
	require.Equal(t, string(text), string(got))

	// A file of something else is left as it is, even if it has no line that is complete.
	for _, text := range []string{"a note", "{", "a note\n", "{}\n"} {
		other := config(g, 300, 300, 1)
		other.File = filepath.Join(dir, "other")
		require.NoError(t, os.WriteFile(other.File, []byte(text), 0o600))
		_, err := Play(t.Context(), g, other)
		if text == "{" { // as if killed when it began to write
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, ErrFile)
		kept, err := os.ReadFile(other.File)
		require.NoError(t, err)
		require.Equal(t, text, string(kept))
	}

	c.Settings = "other"
	_, err = Play(t.Context(), g, c)
	require.ErrorContains(t, err, `with "test"`)
}

func TestTally(t *testing.T) {
	// 60 pairs: mean (20·0.5 + 20·0.75 + 20·1)/60.
	elo := Tally{0, 0, 20, 20, 20}
	mean, deviation := elo.Score()
	require.InDelta(t, 0.75, mean, 1e-12)
	require.InDelta(t, math.Sqrt(40*0.0625/59)/math.Sqrt(60), deviation, 1e-12)
	require.InDelta(t, 190.85, elo.Elo().Elo, 0.01)
	require.Equal(t, math.Inf(1), Tally{0, 0, 0, 0, 3}.Elo().Elo)
	require.InDelta(t, 0, Tally{5, 0, 0, 0, 5}.Elo().Elo, 1e-9)
	require.Equal(t, "+0 [-191, +191]", Elo{-191, Tally{0, 0, 9, 0, 0}.Elo().Elo, 191}.String())
	// By hand, 100 pairs: mean (20·0.25 + 40·0.5 + 30·0.75 + 10)/100 = 0.575,
	// variance (20·0.325² + 40·0.075² + 30·0.175² + 10·0.425²)/99 = 0.0511364.
	elo = Tally{0, 20, 40, 30, 10}
	mean, half := elo.Interval()
	require.InDelta(t, 0.575, mean, 1e-12)
	require.InDelta(t, 1.959964*math.Sqrt(0.05113636363)/10, half, 1e-9)
	require.InDelta(t, 52.51, elo.Elo().Elo, 0.01)
	require.InDelta(t, 21.34, elo.Elo().Low, 0.01)
	require.InDelta(t, 84.54, elo.Elo().High, 0.01)
	// Hypotheses 0 and 20 Elo: scores 0.5 and 0.528751; the standard error is 0.0226133.
	ratio, v := SPRT{Elo0: 0, Elo1: 20}.Test(elo)
	require.InDelta(t, 0.028751*(2*0.575-0.5-0.528751)/(2*0.000511364), ratio, 1e-3)
	require.Equal(t, Stronger, v, "beyond the logarithm of 19")
}

// TestOpening has more random moves than any game.
func TestOpening(t *testing.T) {
	c := config(dobutsu.New(), 10, 10, 1)
	c.RandomPlies = 1000
	_, err := Play(t.Context(), dobutsu.New(), c)
	require.ErrorIs(t, err, ErrOpening)
}

func TestSPRT(t *testing.T) {
	s := SPRT{Elo0: 0, Elo1: 20}
	_, v := s.Test(Tally{0, 2, 16, 2, 0})
	require.Equal(t, Open, v)
	_, v = s.Test(Tally{10, 100, 400, 200, 60})
	require.Equal(t, Stronger, v)
	_, v = s.Test(Tally{60, 200, 400, 150, 20})
	require.Equal(t, Weaker, v)
	_, v = SPRT{}.Test(Tally{0, 0, 0, 0, 1000})
	require.Equal(t, Open, v)
}
