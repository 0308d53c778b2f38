//go:build !race

package retro_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/retro"
)

const amazonsText = `
[two:amazons]
maxRank = 3
maxFile = c
startFen = q1q/3/Q1Q w - - 0 1

[uneven:amazons]
maxRank = 3
maxFile = c
startFen = 1q1/3/QQ1 b - - 0 1

[long:amazons]
maxRank = 4
maxFile = c
startFen = q1q/3/3/Q1Q w - - 0 1

[four:amazons]
maxRank = 4
maxFile = d
startFen = 1qq1/q2q/Q2Q/1QQ1 w - - 0 1

[amazons4x5:amazons]
maxRank = 5
maxFile = d
startFen = 1qq1/q2q/4/Q2Q/1QQ1 w - - 0 1

[amazons5x4:amazons]
maxRank = 4
maxFile = e
startFen = 1q1q1/q3q/Q3Q/1Q1Q1 w - - 0 1
`

// amazons opens a game of Amazons by the numbers of its walls.
func amazons(t *testing.T, name string) (games.Game[variant.Position, variant.Move], *games.Universe) {
	f, err := variant.Read("amazons.ini", strings.NewReader(amazonsText), variant.BuiltIn())
	require.NoError(t, err)
	g, err := f.Family(name, name).Open(name + ":pieces=start")
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	u, err = u.Results()
	require.NoError(t, err)
	require.NotNil(t, u.Settler)
	return g, u
}

// amazonsBoard is Amazons by rules of its own: what stands on each square of the ranks from the top, with files squares each.
type amazonsBoard struct {
	files int
	known map[string]bool // by squares and side to move: whether it wins
}

// read reads the squares and the side to move of a FEN.
func (a *amazonsBoard) read(fen string) (squares string, side byte) {
	fields := strings.Fields(fen)
	for _, c := range strings.ReplaceAll(fields[0], "/", "") {
		if c >= '1' && c <= '9' {
			squares += strings.Repeat(".", int(c-'0'))
		} else {
			squares += string(c)
		}
	}
	if fields[1] == "w" {
		return squares, 'Q'
	}
	return squares, 'q'
}

// each calls do for each empty square on the lines of a queen, until it returns true, and reports whether it did.
func (a *amazonsBoard) each(squares []byte, from int, do func(to int) bool) bool {
	ranks := len(squares) / a.files
	for down := -1; down <= 1; down++ {
		for right := -1; right <= 1; right++ {
			if down == 0 && right == 0 {
				continue
			}
			rank, file := from/a.files+down, from%a.files+right
			for ; rank >= 0 && rank < ranks && file >= 0 && file < a.files; rank, file = rank+down, file+right {
				to := rank*a.files + file
				if squares[to] != '.' {
					break
				}
				if do(to) {
					return true
				}
			}
		}
	}
	return false
}

// wins reports whether a side to move wins.
func (a *amazonsBoard) wins(text string, side byte) bool {
	key := text + string(side)
	if win, ok := a.known[key]; ok {
		return win
	}
	squares, win := []byte(text), false
	for from := range squares {
		if win = squares[from] == side && a.winsWith(squares, from, side); win {
			break
		}
	}
	a.known[key] = win
	return win
}

// winsWith reports whether a side wins with a move of the queen on a square.
func (a *amazonsBoard) winsWith(squares []byte, from int, side byte) bool {
	return a.each(squares, from, func(to int) bool {
		squares[from], squares[to] = '.', side
		win := a.each(squares, to, func(arrow int) bool {
			squares[arrow] = '*'
			win := !a.wins(string(squares), side^('Q'^'q'))
			squares[arrow] = '.'
			return win
		})
		squares[from], squares[to] = side, '.'
		return win
	})
}

// TestAmazons compares all values of small boards with those of other rules and a plain search, and with those that are found
// with distances. With -written.large, it compares 1,000 random positions of four amazons a side on 4×4 with three walls or more;
// the start is lost.
func TestAmazons(t *testing.T) {
	for _, name := range []string{"two", "uneven", "long"} {
		t.Run(name, func(t *testing.T) {
			if name == "long" && testing.Short() {
				t.Skip()
			}
			g, u := amazons(t, name)
			s, err := retro.Analyze(t.Context(), u, retro.Config{Positions: retro.All})
			require.NoError(t, err)
			measured, err := games.UniverseOf(g)
			require.NoError(t, err)
			d, err := retro.Analyze(t.Context(), measured, retro.Config{Positions: retro.All})
			require.NoError(t, err)
			plain := &amazonsBoard{3, map[string]bool{}}
			unfinished := uint64(0)
			for i := range u.Size() {
				compareAmazons(t, plain, g, u, s.Value, i)
				v, ok := s.Value(i)
				w, also := d.Value(i)
				require.Equal(t, also, ok)
				if ok {
					require.Equal(t, w.Result(), v.Result())
					unfinished++
				}
			}
			for i := range s.Tiers {
				require.Equal(t, d.Tiers[i].Moves, s.Tiers[i].Moves)
				require.Equal(t, d.Tiers[i].Finished[games.Loss(0)], s.Tiers[i].Finished[games.Lost.Value()])
				unfinished -= s.Tiers[i].Unfinished
			}
			require.Zero(t, unfinished)
		})
	}
	if !*writtenLarge {
		return
	}
	g, u := amazons(t, "four")
	s, err := retro.Analyze(t.Context(), u, retro.Config{Positions: retro.All})
	require.NoError(t, err)
	require.Equal(t, games.Lost.Value(), s.StartValue()) // as the README of smallgames has it, by jh85, 2026, and cites of J. Song and M. Müller, 2015
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		plain := &amazonsBoard{4, map[string]bool{}}
		tier := u.Tiers[rng.IntN(6)]
		compareAmazons(t, plain, g, u, s.Value, tier.Start+rng.Uint64N(tier.Size))
	}
}

var (
	amazonsDatabase = flag.String("amazons", "", "database of amazons4x5 or amazons5x4, without distances, for TestAmazonsDatabase")
	amazonsWalls    = flag.Int("amazons.walls", 3, "the fewest walls of the positions that it takes from there")
)

// TestAmazonsDatabase compares 1,000 random positions of a database of 20 squares, not finished and with as many of each number of
// walls, with other rules and a plain search.
func TestAmazonsDatabase(t *testing.T) {
	if *amazonsDatabase == "" {
		t.Skip("needs a database: -amazons DIRECTORY")
	}
	m, err := store.ReadManifest(nil, *amazonsDatabase)
	require.NoError(t, err)
	name, _, _ := strings.Cut(m.Content.Game, ":")
	g, u := amazons(t, name)
	d, err := store.Open(*amazonsDatabase, nil)
	require.NoError(t, err)
	defer d.Close()
	value := func(index uint64) (games.Value, bool) {
		v, ok, err := d.Value(index)
		require.NoError(t, err)
		return v, ok
	}
	start, _, _ := strings.Cut(string(g.AppendPosition(nil, g.Start())), "/")
	files := 4
	if start == "1q1q1" {
		files = 5
	}
	rng := rand.New(rand.NewPCG(1, 1))
	tiers := u.Tiers[1 : len(u.Tiers)-*amazonsWalls] // the full board comes first, and is finished
	for compared := 0; compared < 1000; {
		tier := tiers[compared%len(tiers)]
		if compareAmazons(t, &amazonsBoard{files, map[string]bool{}}, g, u, value, tier.Start+rng.Uint64N(tier.Size)) {
			compared++
		}
	}
}

// compareAmazons compares the value of an index, unless it is a hole, and reports whether it is that of a position that is not finished.
func compareAmazons(t *testing.T, plain *amazonsBoard, g games.Game[variant.Position, variant.Move], u *games.Universe, value func(index uint64) (games.Value, bool), index uint64) bool {
	p, ok := g.(games.Indexer[variant.Position]).Position(index)
	if !ok {
		return false
	}
	v, finished := g.Outcome(p)
	if !finished {
		v, ok = value(index)
		require.True(t, ok)
	}
	text := u.Text(index)
	win := games.Lost
	if plain.wins(plain.read(text)) {
		win = games.Won
	}
	require.Equal(t, win, v.Result(), text)
	return !finished
}

// interrupting is a Settler that ends a context at a call.
type interrupting struct {
	games.Settler
	calls atomic.Int64
	end   context.CancelFunc
}

func (s *interrupting) Settle(first uint64, n int, lost []uint64, out *games.Settled) {
	if s.calls.Add(-1) == 0 {
		s.end()
	}
	s.Settler.Settle(first, n, lost, out)
}

// TestAmazonsInterrupted interrupts a solve at every few calls of the Settler, within tiers too: what goes on ends with the same
// database, with all tiers in memory and with as few as possible.
func TestAmazonsInterrupted(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls int64
		least bool
	}{{"two", 2, true}, {"long", 11, false}} {
		_, u := amazons(t, c.name)
		cfg := retro.Config{Positions: retro.All, Threads: 2}
		_, whole, err := retro.Solve(t.Context(), u, t.TempDir(), cfg)
		require.NoError(t, err)
		if c.least {
			cfg.Memory = 1
			cfg.Plan = retro.PlanOf(u, cfg)
			cfg.Memory, cfg.Plan.Limit = cfg.Plan.Least, cfg.Plan.Least
		}
		dir := t.TempDir()
		settler := u.Settler
		interrupted := 0
		for {
			ctx, end := context.WithCancel(t.Context())
			s := &interrupting{Settler: settler, end: end}
			s.calls.Store(c.calls)
			u.Settler = s
			_, m, err := retro.Solve(ctx, u, dir, cfg)
			end()
			if err == nil {
				require.Equal(t, whole.Checksum, m.Checksum)
				break
			}
			require.ErrorIs(t, err, retro.ErrInterrupted)
			interrupted++
		}
		require.Greater(t, interrupted, 1)
	}
}
