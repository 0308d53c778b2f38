package db_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	_ "github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// prober writes and opens the database of a game.
func prober[P, M comparable](t *testing.T, g games.Game[P, M], positions string) (*db.Prober[P, M], *dbtest.Solved) {
	t.Helper()
	s, fs := dbtest.Solve(t, g, positions), vfs.NewMem()
	s.Write(t, fs)
	p, err := db.NewProber(dbtest.Open(t, fs), g)
	require.NoError(t, err)
	return p, s
}

// texts writes moves with their values.
func texts[P, M comparable](g games.Game[P, M], p P, list []db.MoveValue[M]) []string {
	var out []string
	for _, m := range list {
		out = append(out, fmt.Sprintf("%s %v", g.AppendMove(nil, p, m.Move), m.Value))
	}
	return out
}

func TestProbeTicTacToe(t *testing.T) {
	g := tictactoe.Game{}
	prober, _ := prober(t, g, "reachable")
	for _, c := range []struct {
		position string
		value    string
		moves    []string // best first, among equals in the game's order
	}{
		{".../.../...", "draw", []string{"a1 draw", "b1 draw", "c1 draw", "a2 draw", "b2 draw", "c2 draw", "a3 draw", "b3 draw", "c3 draw"}},
		{"x../.../...", "draw", []string{"b2 draw", "a1 loss in 6", "b1 loss in 6", "c1 loss in 6", "a2 loss in 6", "c2 loss in 6", "b3 loss in 6", "c3 loss in 6"}},
		{"x.o/.x./...", "draw", []string{"c1 draw", "a1 loss in 2", "b1 loss in 2", "a2 loss in 2", "c2 loss in 2", "b3 loss in 2"}},
		{"xo./.x./..o", "win in 3", []string{"a1 win in 3", "a2 win in 3", "b1 draw", "c2 draw", "c3 draw"}},
		{"xo./.x./...", "loss in 4", nil},
		{"xx./oo./...", "win in 1", nil},
		{"xxx/oo./...", "loss in 0", nil},
		{"xox/xxo/oxo", "draw", nil},
	} {
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		v, err := prober.Probe(p)
		require.NoError(t, err)
		require.Equal(t, c.value, v.String(), c.position)
		moves, err := prober.ProbeMoves(p)
		require.NoError(t, err)
		if c.moves != nil {
			require.Equal(t, c.moves, texts(g, p, moves), c.position)
		}
	}
}

// TestProbeEverything checks, for every position of a game, that the moves are
// sorted, that the best one has the value of the position, and that the line
// ends when the value says.
func TestProbeEverything(t *testing.T) {
	g := tictactoe.Game{}
	prober, s := prober(t, g, "reachable")
	for _, i := range s.Indices() {
		p, ok := g.Position(i)
		require.True(t, ok)
		checkProbes(t, g, prober, p)
	}
	ladder := dbtest.Ladder("tiers", 230, 5, 20, 1, 90, 130)
	ladderProber, s := probeAll(t, ladder)
	for p := range ladder.Nodes {
		if _, held := s.Values[ladder.Nodes[p].Index]; held {
			checkProbes(t, ladder, ladderProber, p)
		}
	}
}

func probeAll(t *testing.T, g *dbtest.Graph) (*db.Prober[int, int], *dbtest.Solved) {
	t.Helper()
	return prober(t, g, "all")
}

func checkProbes[P, M comparable](t *testing.T, g games.Game[P, M], prober *db.Prober[P, M], p P) {
	t.Helper()
	text := string(g.AppendPosition(nil, p))
	v, err := prober.Probe(p)
	require.NoError(t, err, text)
	moves, err := prober.ProbeMoves(p)
	require.NoError(t, err, text)
	require.Len(t, moves, len(g.AppendMoves(nil, p)), text)
	require.Equal(t, v, moves[0].Value, text)
	require.True(t, slices.IsSortedFunc(moves, func(a, b db.MoveValue[M]) int { return int(b.Value) - int(a.Value) }), text)
	line, end, err := prober.Line(t.Context(), p)
	require.NoError(t, err, text)
	plies, decided := v.Plies()
	if decided {
		require.Len(t, line, plies, "%s: %v", text, v)
	}
	for i, m := range line {
		want := v // seen from the side that moves
		for range i {
			want = opposite(want)
		}
		require.Equal(t, want, m.Value, "%s: move %d of its line", text, i+1)
		require.Contains(t, g.AppendMoves(nil, p), m.Move, "%s: move %d of its line", text, i+1)
		p = g.Play(p, m.Move)
	}
	if _, finished := g.Outcome(p); decided {
		require.True(t, finished, "%s: the line ends with the game", text)
		require.Equal(t, db.LineOver, end, text)
	}
}

// opposite is the inverse of Backup.
func opposite(v games.Value) games.Value {
	plies, ok := v.Plies()
	switch {
	case !ok:
		return v
	case v > 0:
		return games.Loss(plies - 1)
	}
	return games.Win(plies - 1)
}

// TestFinishedPositions checks positions that the rules decide, of which the
// database holds nothing.
func TestFinishedPositions(t *testing.T) {
	g := dbtest.Ladder("tiers", 23, 5, 20, 4, 10)
	prober, _ := probeAll(t, g)
	lowest, pit := 3, 23
	require.Equal(t, games.Win(1), g.Nodes[pit].Outcome)

	v, err := prober.Probe(lowest)
	require.NoError(t, err)
	require.Equal(t, games.Loss(0), v)
	moves, err := prober.ProbeMoves(lowest)
	require.NoError(t, err)
	require.Empty(t, moves)
	line, end, err := prober.Line(t.Context(), lowest)
	require.NoError(t, err)
	require.Empty(t, line)
	require.Equal(t, db.LineOver, end)

	v, err = prober.Probe(pit)
	require.NoError(t, err)
	require.Equal(t, games.Win(1), v)
	want := []db.MoveValue[int]{{Move: dbtest.Finish, Value: games.Win(1)}}
	moves, err = prober.ProbeMoves(pit)
	require.NoError(t, err)
	require.Equal(t, want, moves)
	line, end, err = prober.Line(t.Context(), pit)
	require.NoError(t, err)
	require.Equal(t, want, line)
	require.Equal(t, db.LineOver, end)
}

// TestLineOfDraw checks that a line that goes round ends when a position comes
// up again, wherever it begins.
func TestLineOfDraw(t *testing.T) {
	g := dbtest.Ladder("draws", 20, 1, 21)
	prober, _ := probeAll(t, g)
	for _, c := range []struct {
		from int
		want []string
	}{
		{0, []string{"1 draw", "2 draw", "0 draw"}},
		{2, []string{"0 draw", "1 draw", "2 draw"}},
		{g.First, []string{"0 draw", "1 draw", "2 draw", "0 draw"}},
	} {
		line, end, err := prober.Line(t.Context(), c.from)
		require.NoError(t, err)
		require.Equal(t, db.LineRepeats, end)
		require.Equal(t, c.want, texts(g, c.from, line), "from %d", c.from)
	}
}

func TestNotHeld(t *testing.T) {
	g := dbtest.Ladder("reachable", 5, 1, 20)
	prober, s := prober(t, g, "reachable")
	_, held := s.Values[g.Nodes[9].Index]
	require.False(t, held)
	_, err := prober.Probe(9)
	require.ErrorIs(t, err, db.ErrNotHeld)
	require.EqualError(t, err, `the database does not hold the position "9"`)
	_, err = prober.ProbeMoves(10)
	require.ErrorIs(t, err, db.ErrNotHeld)
	_, _, err = prober.Line(t.Context(), 10)
	require.ErrorIs(t, err, db.ErrNotHeld)
	for _, index := range []uint64{s.U.Size() - 1, s.U.Size(), s.U.Size() + 1, 1 << 47, 1<<64 - 1} {
		_, held, err := dbtest.Open(t, writeTo(t, s)).Value(index)
		require.NoError(t, err)
		require.False(t, held, "index %d", index)
	}
}

func writeTo(t *testing.T, s *dbtest.Solved) vfs.FS {
	t.Helper()
	fs := vfs.NewMem()
	s.Write(t, fs)
	return fs
}

// broken is a game whose positions have no index.
type broken struct{ *dbtest.Graph }

func (broken) Index(int) (uint64, error) { return 0, fmt.Errorf("no index today") }

func TestProbeWithoutIndex(t *testing.T) {
	g := dbtest.Ladder("broken", 5, 1, 20)
	d := dbtest.Open(t, writeTo(t, dbtest.Solve(t, g, "all")))
	prober, err := db.NewProber[int, int](d, broken{g})
	require.NoError(t, err)
	_, err = prober.Probe(5)
	require.EqualError(t, err, "no index today")
	v, err := prober.Probe(3)
	require.NoError(t, err, "a finished position needs none")
	require.Equal(t, games.Loss(0), v)
}

// plain hides the numbering of a game.
type plain struct{ games.Game[int, int] }

func TestProberOfAnotherGame(t *testing.T) {
	rungs := dbtest.Ladder("tiers", 23, 5, 20, 4, 10)
	d := dbtest.Open(t, writeTo(t, dbtest.Solve(t, rungs, "all")))
	_, err := db.NewProber(d, tictactoe.Game{})
	require.EqualError(t, err, "db is a database of tiers, not of tictactoe")
	for _, c := range []struct {
		game games.Game[int, int]
		want string
	}{
		{dbtest.Ladder("tiers:steps=2", 23, 5, 20, 4, 10), "db is a database of tiers, not of tiers:steps=2"},
		{dbtest.Ladder("tiers", 23, 5, 20, 14), "db: the database has 3 tiers, the game 2: they number positions differently"},
		{dbtest.Ladder("tiers", 23, 5, 20, 5, 10), "db: tier 1 of the database has 25 positions from 120 on (20 stored), that of the game 30 from 120 on (25): they number positions differently"},
		{dbtest.Ladder("tiers", 22, 5, 20, 4, 10), ""}, // another start alone changes no number
	} {
		_, err := db.NewProber(d, c.game)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
	_, err = db.NewProber(d, plain{rungs}.Game)
	require.NoError(t, err)
	_, err = db.NewProber[int, int](d, plain{rungs})
	require.ErrorIs(t, err, games.ErrNoIndex)
}

// TestProberOfVariant checks with a real game that other rules are refused, in
// both directions.
func TestProberOfVariant(t *testing.T) {
	names := []string{"dobutsu", "dobutsu:try=no", "dobutsu:drops=none"}
	for _, held := range names {
		g, err := dobutsu.Family.Open(held)
		require.NoError(t, err)
		u, err := games.UniverseOf(g)
		require.NoError(t, err)
		m := &db.Manifest{Content: db.Content{
			Game: held, Order: "distance", Positions: "reachable", Start: u.Start,
			Tiers: []db.Tier{{Size: u.Tiers[0].Size, Open: 10}}, // so that it is small
		}}
		fs := vfs.NewMem()
		require.NoError(t, fs.MkdirAll("db", 0o755))
		nothing := func(_ int, _ uint64, dst []byte) error {
			clear(dst)
			return nil
		}
		require.NoError(t, store.Write(context.Background(), "db", m, nothing, store.WriteOptions{FS: fs}))
		d := dbtest.Open(t, fs)
		for _, asked := range names {
			g, err := dobutsu.Family.Open(asked)
			require.NoError(t, err)
			_, err = db.NewProber(d, g)
			if asked == held {
				require.ErrorContains(t, err, "number positions differently")
			} else {
				require.EqualError(t, err, fmt.Sprintf("db is a database of %s, not of %s", held, asked))
			}
		}
	}
}

// pile is a game of scores: a player takes one or two stones of a pile and wins
// a point for each, but two points only for the second of a pair.
type pile struct{ *dbtest.Graph }

func (pile) Remaining(p int) int { return p }

func (pile) Gain(p, m int) int {
	if p-m == 2 {
		return 3
	}
	return 1
}

// newPile returns a pile of six stones and its values.
func newPile() (pile, *dbtest.Solved) {
	g := pile{&dbtest.Graph{GameName: "pile", First: 6, TierList: []games.Tier{{Size: 7, Open: 7}}}}
	for n := range 7 {
		p := dbtest.Node{Outcome: games.Unfinished, Index: uint64(n)}
		switch n {
		case 0:
			p.Outcome = games.Score(0)
		case 1:
			p.To = []int{0}
		default:
			p.To = []int{n - 1, n - 2}
		}
		g.Nodes = append(g.Nodes, p)
	}
	u, err := games.UniverseOf(g)
	if err != nil {
		panic(err)
	}
	return g, &dbtest.Solved{U: u, Positions: "all", Values: map[uint64]games.Value{1: 1, 2: 3, 3: 2, 4: 0, 5: 1, 6: 3}, Finished: map[uint64]games.Value{0: 0},
		Moves: map[uint64]int{1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}}
}

// TestScores checks that gains count.
func TestScores(t *testing.T) {
	g, s := newPile()
	fs := vfs.NewMem()
	s.Write(t, fs)
	prober, err := db.NewProber[int, int](dbtest.Open(t, fs), g)
	require.NoError(t, err)
	for _, c := range []struct {
		pile int
		want []string
	}{
		{1, []string{"0 +1"}},
		{2, []string{"0 +3", "1 draw"}},
		{3, []string{"1 +2", "2 -2"}},
		{4, []string{"2 draw", "3 -1"}},
		{6, []string{"4 +3", "5 draw"}},
	} {
		moves, err := prober.ProbeMoves(c.pile)
		require.NoError(t, err)
		require.Equal(t, c.want, texts(g, c.pile, moves), "pile of %d", c.pile)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = prober.Line(ctx, 6)
	require.ErrorIs(t, err, context.Canceled)
	_, _, err = prober.Best(ctx, 6)
	require.ErrorIs(t, err, context.Canceled)
	line, end, err := prober.Line(t.Context(), 6)
	require.NoError(t, err)
	require.Equal(t, db.LineOver, end)
	require.Equal(t, []string{"4 +3", "2 draw", "0 +3"}, texts(g, 6, line))
	_, problems, err := dbtest.Verify(fs, s.U)
	require.NoError(t, err)
	require.Empty(t, problems)
}

// TestNoValue probes a position without a value in a database of all positions: that is damage, such as a file
// of a database of other rules.
func TestNoValue(t *testing.T) {
	g := dbtest.Ladder("all", 5, 1, 20)
	s, fs := dbtest.Solve(t, g, "all").Clone(), vfs.NewMem()
	delete(s.Values, g.Nodes[9].Index)
	s.Write(t, fs)
	prober, err := db.NewProber(dbtest.Open(t, fs), g)
	require.NoError(t, err)
	_, err = prober.Probe(9)
	require.ErrorIs(t, err, db.ErrCorrupt)
	require.ErrorContains(t, err, `no value of "9"`)
	_, err = prober.Probe(10)
	require.NoError(t, err)
}
