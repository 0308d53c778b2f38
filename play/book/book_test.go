package book

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
)

// game returns a game with these moves. Points are those of the first side; below 0 there is no result.
func game[P, M comparable](t testing.TB, g games.Game[P, M], points float64, moves ...string) learn.Game[P, M] {
	t.Helper()
	list, _, err := games.ParseMoves(g, g.Start(), moves)
	require.NoError(t, err)
	return learn.Game[P, M]{From: g.Start(), Moves: list, Points: points, Decided: points >= 0}
}

// fewGames are games of tic-tac-toe. Corners are the same as each other by symmetry, and so are edges.
func fewGames(t testing.TB) []learn.Game[tictactoe.Position, tictactoe.Move] {
	g := tictactoe.Game{}
	return []learn.Game[tictactoe.Position, tictactoe.Move]{
		game(t, g, 1, "b2", "a1", "c1"), game(t, g, 0.5, "b2", "c3", "a3"), game(t, g, 0, "b2", "b1", "a1"), game(t, g, -1, "a3", "b2"),
	}
}

// build makes a book, reads its file again, and opens it.
func build[P, M comparable](t testing.TB, g games.Game[P, M], c Config[P, M]) *Opening[P, M] {
	t.Helper()
	b, err := Build(t.Context(), g, c)
	require.NoError(t, err)
	fs := vfs.NewMem()
	require.NoError(t, b.Write(fs, "book"))
	read, err := Read(fs, "book")
	require.NoError(t, err)
	require.Equal(t, b, read)
	o, err := Open(read, g)
	require.NoError(t, err)
	return o
}

// at returns the moves in the position after some, by their texts.
func at[P, M comparable](t testing.TB, o *Opening[P, M], moves ...string) map[string]Move {
	t.Helper()
	p, err := games.PlayMoves(o.game, o.game.Start(), moves)
	require.NoError(t, err)
	list := map[string]Move{}
	for _, k := range o.Lookup(p) {
		for _, m := range k.Same {
			text := string(o.game.AppendMove(nil, p, m))
			list[text] = *k.Move
		}
	}
	return list
}

// TestCounts compares a book of games with what was counted by hand.
func TestCounts(t *testing.T) {
	all := func(m Move, texts ...string) map[string]Move {
		list := map[string]Move{}
		for _, text := range texts {
			list[text] = m
		}
		return list
	}
	both := func(a, b map[string]Move) map[string]Move {
		for text, m := range b {
			a[text] = m
		}
		return a
	}
	centre := Move{Weight: 3, Played: 3, Won: 1, Drawn: 1, Lost: 1}
	opened := Move{Weight: 1, Played: 1}
	reply := Move{Weight: 1, Played: 2, Drawn: 1, Lost: 1}
	edge := Move{Weight: 2, Played: 1, Won: 1}
	for _, c := range []struct {
		least, plies int
		after        []string
		want         map[string]Move
	}{
		{1, 9, nil, both(all(centre, "b2"), all(opened, "a1", "a3", "c1", "c3"))},
		{1, 9, []string{"b2"}, both(all(reply, "a1", "a3", "c1", "c3"), all(edge, "a2", "b1", "b3", "c2"))},
		{1, 9, []string{"c1"}, all(Move{Weight: 1, Played: 1}, "b2")},
		{2, 9, nil, all(centre, "b2")},
		{2, 9, []string{"b2"}, all(reply, "a1", "a3", "c1", "c3")},
		{1, 1, []string{"b2"}, map[string]Move{}},
		{1, 9, []string{"b2", "b1"}, map[string]Move{}}, // the only move lost
	} {
		o := build(t, tictactoe.Game{}, Config[tictactoe.Position, tictactoe.Move]{Games: fewGames(t), Plies: c.plies, Least: c.least, Most: 100})
		got := at(t, o, c.after...)
		for text, m := range got {
			m.Move = ""
			got[text] = m
		}
		require.Equal(t, c.want, got, "least %d, after %q", c.least, c.after)
	}
	_, err := Build(t.Context(), tictactoe.Game{}, Config[tictactoe.Position, tictactoe.Move]{Games: fewGames(t), Plies: 9, Least: 4, Most: 100})
	require.ErrorIs(t, err, ErrEmpty)
}

var update = flag.Bool("update", false, "rewrite the book in testdata")

// TestGolden reads a book that an earlier version has written.
func TestGolden(t *testing.T) {
	const golden = "testdata/tictactoe.book"
	b, err := Build(t.Context(), tictactoe.Game{}, Config[tictactoe.Position, tictactoe.Move]{
		Games: fewGames(t), Plies: 9, Least: 1, Most: 100, Database: values{}, Made: "4 games",
	})
	require.NoError(t, err)
	if *update {
		require.NoError(t, b.Write(vfs.Default, golden))
	}
	old, err := Read(vfs.Default, golden)
	require.NoError(t, err)
	require.Equal(t, b, old)
}

// TestSymmetry has the four first moves of Othello be one, and all of them be played.
func TestSymmetry(t *testing.T) {
	f, err := othello.Family.Open("othello")
	require.NoError(t, err)
	type config = Config[othello.Position, othello.Move]
	first := []string{"d3", "c4", "f5", "e6"}
	var list []learn.Game[othello.Position, othello.Move]
	for i, m := range first {
		list = append(list, game(t, f, float64(i%2), m))
	}
	o := build(t, f, config{Games: list, Plies: 9, Least: 4, Most: 10})
	require.Len(t, o.positions, 1)
	shared := map[string]float64{}
	for _, m := range o.Moves(f.Start()) {
		shared[string(f.AppendMove(nil, f.Start(), m.Move))] = m.Weight
	}
	require.Equal(t, map[string]float64{"d3": 1, "c4": 1, "f5": 1, "e6": 1}, shared)
	require.Equal(t, 4, at(t, o)["d3"].Played)

	s, err := play.New(games.Game[othello.Position, othello.Move](f), play.Config[othello.Position]{Pruning: play.AllPruning})
	require.NoError(t, err)
	o = build(t, f, config{Plies: 3, Most: 5, Search: s, Nodes: 200, Margin: 100})
	for _, m := range first {
		require.Len(t, at(t, o), 4)
		require.NotEmpty(t, at(t, o, m))
	}
}

// values has the values of all positions of tic-tac-toe, by plain minimax.
type values map[tictactoe.Position]games.Value

func (v values) of(p tictactoe.Position) games.Value {
	g := tictactoe.Game{}
	if v, finished := g.Outcome(p); finished {
		return v
	}
	if known, ok := v[p]; ok {
		return known
	}
	best := games.Loss(0)
	for i, m := range g.AppendMoves(nil, p) {
		if after := v.of(g.Play(p, m)).Backup(0); i == 0 || after > best {
			best = after
		}
	}
	v[p] = best
	return best
}

func (v values) Value(p tictactoe.Position) (games.Value, bool, error) { return v.of(p), true, nil }

// optimist is an engine that likes the moves of a side the better, the worse they are, and proves nothing.
type optimist struct {
	play.Engine[tictactoe.Position, tictactoe.Move]
	values values
}

func (o optimist) Clear() {}

func (o optimist) Decide(context.Context, tictactoe.Position, uint64) (games.Advice[tictactoe.Move], error) {
	return games.Advice[tictactoe.Move]{Bounds: games.Unbounded}, nil
}

func (o optimist) Search(_ context.Context, q play.Query[tictactoe.Position, tictactoe.Move]) (r play.Result[tictactoe.Move], err error) {
	for i, m := range q.Only {
		r.Lines = append(r.Lines, play.Line[tictactoe.Move]{Score: play.Score(900 - i), Moves: []tictactoe.Move{m}})
	}
	return r, nil
}

// TestExact has values count for more than estimates and results: no book loses.
func TestExact(t *testing.T) {
	g, v := tictactoe.Game{}, values{}
	type config = Config[tictactoe.Position, tictactoe.Move]
	for name, c := range map[string]config{
		"grown":             {Database: v},
		"grown by a search": {Database: v, Search: optimist{values: v}, Nodes: 10},
		"of games":          {Database: v, Games: []learn.Game[tictactoe.Position, tictactoe.Move]{game(t, g, 0, "a1", "b1", "b2", "c3"), game(t, g, 1, "a1", "b2")}},
	} {
		c.Plies, c.Least, c.Most, c.Margin = 9, 1, 1000, 10_000
		o := build(t, g, c)
		require.Positive(t, len(o.positions), name)
		for text := range o.positions {
			p, err := g.ParsePosition(text)
			require.NoError(t, err)
			for _, k := range o.Lookup(p) {
				value := v.of(g.Play(p, k.Same[0])).Backup(0)
				require.Equal(t, games.BoundsOf(value), *k.Value, "%s: %s %s", name, text, k.Move.Move)
				require.Nil(t, k.Estimate)
				require.Contains(t, []string{play.ByDatabase, play.ByRules}, k.ProvedBy)
				require.Equal(t, v.of(p), value, "%s: %s %s gives something away", name, text, k.Move.Move)
			}
		}
	}
	// In games a1 b1 was won by the second side, and a1 b2 by the first: by the values b1 loses, and b2 draws.
	o := build(t, g, config{Database: v, Games: []learn.Game[tictactoe.Position, tictactoe.Move]{
		game(t, g, 0, "a1", "b1"), game(t, g, 1, "a1", "b2"),
	}, Plies: 9, Least: 1, Most: 10})
	require.Len(t, at(t, o, "a1"), 1)
	require.Equal(t, 1, at(t, o, "a1")["b2"].Weight)
}

// partly knows the values of some positions.
type partly struct {
	values
	known func(p tictactoe.Position) bool
}

func (v partly) Value(p tictactoe.Position) (games.Value, bool, error) {
	return v.of(p), v.known(p), nil
}

// TestEstimates leaves out moves that are estimated to be much worse than others, beside values.
func TestEstimates(t *testing.T) {
	g := tictactoe.Game{}
	type config = Config[tictactoe.Position, tictactoe.Move]
	// The optimist's estimates are 900 for a1, 899 for b1 and 898 for b2.
	after := func(m string) tictactoe.Position {
		p, err := games.PlayMoves(g, g.Start(), []string{m})
		require.NoError(t, err)
		return g.Canonical(p)
	}
	nothing := func(tictactoe.Position) bool { return false }
	for _, c := range []struct {
		margin play.Score
		known  func(tictactoe.Position) bool
		want   []string
	}{
		{2, nothing, []string{"a1", "b1", "b2"}},
		{1, nothing, []string{"a1", "b1"}},
		{0, nothing, []string{"a1"}},
		{1, func(p tictactoe.Position) bool { return p == after("a1") }, []string{"b1", "b2"}}, // a draw is 0
		{900, func(p tictactoe.Position) bool { return p == after("a1") }, []string{"a1", "b1", "b2"}},
	} {
		v := values{}
		o := build(t, g, config{Database: partly{v, c.known}, Search: optimist{values: v}, Nodes: 10, Plies: 1, Most: 1, Margin: c.margin})
		got := at(t, o)
		for _, m := range []string{"a1", "b1", "b2"} {
			_, has := got[m]
			require.Equal(t, has, slices.Contains(c.want, m), "%s with margin %d: %v", m, c.margin, got)
		}
	}
}

// TestChoose compares values and estimates, in games with wins and with scores.
func TestChoose(t *testing.T) {
	value := func(v games.Value) candidate[int, int] {
		c := candidate[int, int]{}
		(&builder[int, int]{}).prove(&c, games.BoundsOf(v), "someone")
		return c
	}
	guess := func(s play.Score) candidate[int, int] {
		return candidate[int, int]{Move: Move{Estimate: &s}, score: s, judged: true}
	}
	unknown := candidate[int, int]{}
	for name, c := range map[string]struct {
		order games.Order
		list  []candidate[int, int]
		want  []int
	}{
		"the quickest win":           {games.ByResult, []candidate[int, int]{value(games.Win(3)), value(games.Win(5)), value(games.Draw)}, []int{0}},
		"a win beside estimates":     {games.ByResult, []candidate[int, int]{guess(9000), value(games.Win(5)), unknown}, []int{1}},
		"no loss":                    {games.ByResult, []candidate[int, int]{value(games.Loss(4)), guess(-500)}, []int{1}},
		"all lost":                   {games.ByResult, []candidate[int, int]{value(games.Loss(4)), value(games.Loss(6))}, nil},
		"draws":                      {games.ByResult, []candidate[int, int]{value(games.Draw), value(games.Draw), value(games.Loss(6))}, []int{0, 1}},
		"a draw is worth 0":          {games.ByResult, []candidate[int, int]{value(games.Draw), guess(-50), guess(-51)}, []int{0, 1}},
		"a draw that is worse":       {games.ByResult, []candidate[int, int]{value(games.Draw), guess(51)}, []int{1}},
		"the most points":            {games.ByScore, []candidate[int, int]{value(games.Score(2)), value(games.Score(1)), value(games.Score(2))}, []int{0, 2}},
		"the fewest lost":            {games.ByScore, []candidate[int, int]{value(games.Score(-2)), value(games.Score(-1))}, []int{1}},
		"points beside an estimate":  {games.ByScore, []candidate[int, int]{value(games.Score(1)), guess(149), guess(49)}, []int{0, 1}},
		"more than the known points": {games.ByScore, []candidate[int, int]{value(games.Score(1)), guess(151)}, []int{1}},
	} {
		b := &builder[int, int]{Config: Config[int, int]{Margin: 50}, order: c.order}
		for i := range c.list {
			c.list[i].Move.Move = string(rune('0' + i))
		}
		var got []int
		for _, m := range b.choose(c.list, false) {
			got = append(got, int(m.Move[0]-'0'))
		}
		slices.Sort(got)
		require.Equal(t, c.want, got, name)
	}
	// Of games without a search nothing is said against other moves, but that one wins.
	played := candidate[int, int]{Move: Move{Played: 2, Won: 2}}
	b := &builder[int, int]{Config: Config[int, int]{Least: 2}, order: games.ByResult}
	require.Len(t, b.choose([]candidate[int, int]{value(games.Win(5)), played}, true), 1)
	require.Len(t, b.choose([]candidate[int, int]{value(games.Loss(4)), played}, true), 1)
}

// TestResumes makes a book again after it was interrupted anywhere: it is the same.
func TestResumes(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=5x4")
	require.NoError(t, err)
	type config = Config[connect4.Position, connect4.Move]
	s, err := play.New(games.Game[connect4.Position, connect4.Move](g), play.Config[connect4.Position]{Memory: 1 << 20, Pruning: play.AllPruning})
	require.NoError(t, err)
	played := []learn.Game[connect4.Position, connect4.Move]{
		game(t, g, 1, "c", "c", "b"), game(t, g, 0.5, "c", "b", "b"), game(t, g, 0, "b", "c", "c"),
	}
	file := filepath.Join(t.TempDir(), "state")
	for name, c := range map[string]config{
		"grown":    {Most: 12, Margin: 60},
		"of games": {Most: 6, Margin: 500, Games: played},
	} {
		c.Plies, c.Least, c.Search, c.Nodes, c.Settings = 8, 1, s, 300, name
		want, err := Build(t.Context(), g, c)
		require.NoError(t, err)
		c.File = file
		stops := 0
		for {
			ctx, stop := context.WithCancel(t.Context())
			c.Progress = func(_ string, done, _ uint64) {
				if int(done) > 2*stops {
					stop()
				}
			}
			got, err := Build(ctx, g, c)
			stop()
			if err == nil {
				require.Equal(t, bytesOf(t, want), bytesOf(t, got), name)
				require.NoFileExists(t, file)
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			require.FileExists(t, file)
			stops++
		}
		require.Greater(t, stops, 1)
	}

	// The state of another book is not used, and neither is one that is damaged.
	ctx, stop := context.WithCancel(t.Context())
	c := config{Most: 12, Plies: 8, Search: s, Nodes: 300, File: file, Progress: func(string, uint64, uint64) { stop() }}
	_, err = Build(ctx, g, c)
	require.ErrorIs(t, err, context.Canceled)
	for _, change := range []func(c *config){
		func(c *config) { c.Nodes++ }, func(c *config) { c.Margin++ }, func(c *config) { c.Plies++ }, func(c *config) { c.Settings = "other" },
		func(c *config) { c.Games = played },
	} {
		other := c
		change(&other)
		_, err = Build(t.Context(), g, other)
		require.ErrorIs(t, err, ErrState)
		require.ErrorContains(t, err, "remove it to begin again")
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	data[len(data)/2] ^= 1
	require.NoError(t, os.WriteFile(file, data, 0o600))
	_, err = Build(t.Context(), g, c)
	require.ErrorIs(t, err, ErrState)
	require.ErrorIs(t, err, sealed.ErrDamaged)
}

func bytesOf(t testing.TB, b *Book) []byte {
	t.Helper()
	fs := vfs.NewMem()
	require.NoError(t, b.Write(fs, "book"))
	return contents(t, fs)
}

func contents(t testing.TB, fs vfs.FS) []byte {
	f, err := fs.Open("book")
	require.NoError(t, err)
	defer f.Close()
	data, err := io.ReadAll(f)
	require.NoError(t, err)
	return data
}

func put(t testing.TB, fs vfs.FS, data []byte) {
	f, err := fs.Create("book", vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	_, err = f.Write(data)
	require.NoError(t, errors.Join(err, f.Close()))
}

// TestDamaged refuses a file with any bit changed, or says what the file said.
func TestDamaged(t *testing.T) {
	b, err := Build(t.Context(), tictactoe.Game{}, Config[tictactoe.Position, tictactoe.Move]{Games: fewGames(t), Plies: 9, Least: 1, Most: 100})
	require.NoError(t, err)
	whole := bytesOf(t, b)
	fs := vfs.NewMem()
	for i := range whole {
		for bit := range 8 {
			data := bytes.Clone(whole)
			data[i] ^= 1 << bit
			put(t, fs, data)
			if got, err := Read(fs, "book"); err == nil {
				require.Equal(t, b, got)
			} else {
				require.True(t, errors.Is(err, sealed.ErrDamaged) || errors.Is(err, ErrBook), "bit %d of byte %d: %v", bit, i, err)
			}
		}
		put(t, fs, whole[:i])
		_, err := Read(fs, "book")
		require.ErrorIs(t, err, sealed.ErrDamaged)
	}
}

// TestRefused refuses books that say what cannot be, although their checksums are right.
func TestRefused(t *testing.T) {
	g := tictactoe.Game{}
	start := string(g.AppendPosition(nil, g.Start()))
	of := Origin{Game: g.Name()}
	moves := func(list ...Move) []Position { return []Position{{start, list}} }
	for _, c := range []struct {
		book Book
		want string
	}{
		{Book{of, moves(Move{Move: "a4", Weight: 1})}, `position 1, "` + start + `": move "a4" is not legal`},
		{Book{of, moves(Move{Move: "", Weight: 1})}, `move "" is not legal`},
		{Book{of, moves(Move{Move: "a1", Weight: 1}, Move{Move: "c3", Weight: 1})}, `move "c3" leads where another one leads`},
		{Book{of, append(moves(), moves()...)}, "it is there twice"},
		{Book{of, []Position{{Position: "nonsense"}}}, `position 1, "nonsense"`},
		{Book{of, []Position{{Position: ".../oo./xxx"}}}, "the game is over"},
		{Book{of, []Position{{Position: "..x/.../..."}}}, "want the one that stands for it"},
		{Book{Origin{Game: "othello"}, nil}, "it is of othello, not of tictactoe"},
		{Book{Origin{Game: g.Name(), Rules: "0123"}, nil}, `it is of other rules of tictactoe, with the digest "0123"`},
	} {
		fs := vfs.NewMem()
		require.NoError(t, c.book.Write(fs, "book"))
		read, err := Read(fs, "book")
		require.NoError(t, err)
		_, err = Open(read, g)
		require.ErrorIs(t, err, ErrBook)
		require.ErrorContains(t, err, c.want)
	}
	least := play.Score(math.MinInt32)
	for _, c := range []struct {
		move Move
		want string
	}{
		{Move{Move: "a1", Weight: 1, Estimate: &least}, "the estimate is -2147483648"},
		{Move{Move: "a1"}, "the weight is 0"},
		{Move{Move: "a1", Weight: MostWeight + 1}, "the weight is 1073741825"},
		{Move{Move: "a1", Weight: 1, Played: 1, Won: 1, Lost: 1}, "played in 1 games, of which 1 won"},
		{Move{Move: "a1", Weight: 1, Played: 1, Won: -1, Lost: 1}, "-1 won"},
	} {
		fs := vfs.NewMem()
		require.NoError(t, (&Book{of, moves(c.move)}).Write(fs, "book"))
		_, err := Read(fs, "book")
		require.ErrorIs(t, err, sealed.ErrDamaged)
		require.ErrorContains(t, err, c.want)
	}
	fs := vfs.NewMem()
	require.NoError(t, sealed.Write(fs, "book", stateKind, state{}, nil))
	_, err := Read(fs, "book")
	require.ErrorIs(t, err, ErrBook)
	require.ErrorContains(t, err, "it holds the state of an opening book, not an opening book")
}

// TestLeavesIllegalMovesOut looks up a book whose moves have become wrong after it was opened.
func TestLeavesIllegalMovesOut(t *testing.T) {
	g := tictactoe.Game{}
	b := &Book{Origin{Game: g.Name()}, []Position{{string(g.AppendPosition(nil, g.Start())), []Move{{Move: "a1", Weight: 1}}}}}
	o, err := Open(b, g)
	require.NoError(t, err)
	require.Len(t, o.Moves(g.Start()), 4)
	b.Positions[0].Moves[0].Move = "a4"
	require.Empty(t, o.Moves(g.Start()))
}

// FuzzRead reads files with any text under right checksums, and files of any bytes. What is accepted has only legal moves.
func FuzzRead(f *testing.F) {
	g := tictactoe.Game{}
	b, err := Build(f.Context(), g, Config[tictactoe.Position, tictactoe.Move]{Games: fewGames(f), Plies: 9, Least: 1, Most: 100})
	require.NoError(f, err)
	fs := vfs.NewMem()
	require.NoError(f, b.Write(fs, "book"))
	file, err := sealed.Open(fs, "book", bookKind, new(Origin))
	require.NoError(f, err)
	lines, _, err := file.Chunk(0, nil, nil)
	require.NoError(f, errors.Join(err, file.Close()))
	f.Add(lines, true)
	f.Add(contents(f, fs), false)
	f.Add([]byte(`{"position":".../.../...","moves":[{"move":"a1","weight":1,"value":"win in 3 or less","estimate":-5}]}`), true)
	f.Fuzz(func(t *testing.T, data []byte, summed bool) {
		fs := vfs.NewMem()
		if summed {
			require.NoError(t, sealed.Write(fs, "book", bookKind, Origin{Game: g.Name()}, func(w *sealed.Writer) error { return w.Append(data) }))
		} else {
			put(t, fs, data)
		}
		read, err := Read(fs, "book")
		if err != nil {
			return
		}
		o, err := Open(read, g)
		if err != nil {
			require.ErrorIs(t, err, ErrBook)
			return
		}
		for _, x := range read.Positions {
			p, err := g.ParsePosition(x.Position)
			require.NoError(t, err)
			require.Len(t, o.Lookup(p), len(x.Moves))
			for _, m := range o.Moves(p) {
				require.Contains(t, g.AppendMoves(nil, p), m.Move)
				require.Positive(t, m.Weight)
			}
		}
		o.Walk(func([]tictactoe.Move, tictactoe.Position, []Known[tictactoe.Move]) {})
	})
}
