package retro

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
	"github.com/yomikiri/yomikiri/retro/shared"
)

// share solves a game by several processes at once, each with its own file system, and returns how many
// tiers they have solved.
func share(t *testing.T, u *games.Universe, cfg Config, systems ...vfs.FS) (solved int) {
	t.Helper()
	counts, errs := make([]int, len(systems)), make([]error, len(systems))
	var group sync.WaitGroup
	for i, fs := range systems {
		own := cfg
		own.FS = fs
		group.Go(func() { counts[i], _, errs[i] = SolveShared(t.Context(), u, "solve", own) })
	}
	group.Wait()
	done := 0
	for i, n := range counts {
		if !errors.Is(errs[i], ErrSolved) { // on a busy machine one may come when the others are done
			require.NoError(t, errs[i])
			done++
		}
		solved += n
	}
	require.NotZero(t, done)
	return solved
}

// solvedAlone solves a game in the ordinary way.
func solvedAlone(t *testing.T, u *games.Universe) vfs.FS {
	t.Helper()
	fs := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: fs, Positions: All})
	require.NoError(t, err)
	return fs
}

// openVariant returns classes of a variant.
func openVariant(t *testing.T, name, pieces string) *games.Universe {
	t.Helper()
	g, err := variant.BuiltIn().Family(name, name).Open(name + ":pieces=" + pieces)
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	return u
}

// tiered is a game with tiers, and how its processes solve it.
type tiered struct {
	u   *games.Universe
	cfg Config
}

func tieredGames(t *testing.T) map[string]tiered {
	results, err := retrotest.Open(t, "checkers:pieces=3").Results()
	require.NoError(t, err)
	list := map[string]tiered{
		"checkers":         {u: retrotest.Open(t, "checkers:pieces=3")},
		"checkers on disk": {u: retrotest.Open(t, "checkers:pieces=3"), cfg: Config{Memory: 1, Threads: 2}},
		"results":          {u: results},
		"gardner":          {u: openVariant(t, "gardner", "KPvK")},
		"awari, a chain":   {u: retrotest.Open(t, "awari:stones=5")},
	}
	if race.Enabled { // they have the goroutines of the others
		delete(list, "results")
		delete(list, "gardner")
		delete(list, "awari, a chain")
	}
	return list
}

// TestShared solves games with one and with three processes that share a directory: the database is
// that of one process, byte for byte, and nothing else is left.
func TestShared(t *testing.T) {
	for name, c := range tieredGames(t) {
		t.Run(name, func(t *testing.T) {
			want := solvedAlone(t, c.u)
			c.cfg.Positions = All
			for _, processes := range []int{1, 3} {
				if race.Enabled && processes == 1 {
					continue
				}
				fs := vfs.NewMem()
				systems := make([]vfs.FS, processes)
				for i := range systems {
					systems[i] = fs
				}
				require.Equal(t, len(c.u.Tiers), share(t, c.u, c.cfg, systems...), "each tier is solved once")
				requireSame(t, want, fs)
				_, _, err := SolveShared(t.Context(), c.u, "solve", Config{FS: fs, Positions: All})
				require.EqualError(t, err, "solve: already solved")
			}
		})
	}
}

// moments are numbers of batches after which processes are stopped.
func moments() (list []int64) {
	step := int64(223)
	switch {
	case race.Enabled:
		step *= 7 // the first one only
	case testing.Short():
		step *= 6
	}
	for n := int64(100); n < 1500; n += step {
		list = append(list, n)
	}
	return list
}

// TestSharedStopped stops processes in the middle of a tier, which others then solve.
func TestSharedStopped(t *testing.T) {
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	for _, n := range moments() {
		fs := vfs.NewMem()
		ctx, cancel := context.WithCancel(t.Context())
		_, _, err := SolveShared(ctx, retrotest.WithCounter(u, n, cancel), "solve", Config{FS: fs, Positions: All, Threads: 1})
		require.ErrorIs(t, err, ErrInterrupted)
		require.Regexp(t, `^interrupted after \S+, with \d+ of 10 tiers finished; the tier in hand, .+, is to be solved again$`, err.Error())
		b, ok := Unfinished(fs, "solve")
		require.True(t, ok)
		require.Equal(t, Begun{Game: u.Name, Positions: All, Shared: true}, b)
		share(t, u, Config{Positions: All}, fs, fs)
		requireSame(t, want, fs)
	}
}

// TestSharedKilled takes what a crash at some moment would leave of the disk, where others go on.
func TestSharedKilled(t *testing.T) {
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	for _, n := range moments() {
		fs := vfs.NewCrashableMem()
		var clone *vfs.MemFS
		killed := retrotest.WithCounter(u, n, func() {
			clone = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(rand.NewPCG(uint64(n), 1))})
		})
		share(t, killed, Config{Positions: All}, fs)
		requireSame(t, want, fs)
		require.NotNil(t, clone)
		share(t, u, Config{Positions: All}, clone, clone)
		requireSame(t, want, clone)
	}
}

// TestSharedDamaged damages the file of a tier: whoever needs it says which file it is, and goes on
// without it.
func TestSharedDamaged(t *testing.T) {
	tries := 24
	if race.Enabled || testing.Short() {
		tries = 3
	}
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	fs := vfs.NewMem()
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := SolveShared(ctx, retrotest.WithCounter(u, 1400, cancel), "solve", Config{FS: fs, Positions: All, Threads: 1})
	require.ErrorIs(t, err, ErrInterrupted)
	const name = "solve/tier-4"
	data := readAll(t, fs, name)
	for at := 0; at < len(data); at += 1 + len(data)/tries {
		damaged := append([]byte{}, data...)
		damaged[at] ^= 0x10
		copied := vfs.NewMem()
		_, err := vfs.Clone(fs, copied, "solve", "solve")
		require.NoError(t, err)
		writeAll(t, copied, name, damaged)
		_, _, err = SolveShared(t.Context(), u, "solve", Config{FS: copied, Positions: All})
		require.ErrorContains(t, err, name, "byte %d", at)
		require.ErrorContains(t, err, "delete", "byte %d", at)
		require.NoError(t, copied.Remove(name))
		share(t, u, Config{Positions: All}, copied)
		requireSame(t, want, copied)
	}
}

// TestSharedRefused tells directories of other solves apart.
func TestSharedRefused(t *testing.T) {
	u := retrotest.Open(t, "checkers:pieces=2")
	begun := vfs.NewMem() // with a shared solve that is not finished
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := SolveShared(ctx, u, "solve", Config{FS: begun, Positions: All})
	require.ErrorIs(t, err, ErrInterrupted)

	rules := *u
	rules.Rules = "[checkers]"
	renumbered := *u
	renumbered.Numbering = "another"
	results, err := u.Results()
	require.NoError(t, err)
	for name, c := range map[string]struct {
		u    *games.Universe
		want string
	}{
		"game":      {retrotest.Open(t, "checkers:pieces=3"), "solve is shared to solve checkers:pieces=2, not checkers:pieces=3: choose another directory"},
		"rules":     {&rules, "solve is shared to solve checkers:pieces=2 by other rules, with the digest : choose another directory"},
		"order":     {results, "solve is shared to solve checkers:pieces=2 with values by distance, not by result: choose another directory"},
		"numbering": {&renumbered, "solve is shared by programs that number positions of checkers:pieces=2 differently: go on with such a program, or choose another directory"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := SolveShared(t.Context(), c.u, "solve", Config{FS: begun, Positions: All})
			require.EqualError(t, err, c.want)
			require.ErrorIs(t, err, ErrOther)
		})
	}
	_, _, err = Solve(t.Context(), u, "solve", Config{FS: begun, Positions: All})
	require.EqualError(t, err, "solve: processes share the tiers of a game there; continue that solve, or choose another directory")

	alone := vfs.NewMem()
	_, _, err = Solve(ctx, u, "solve", Config{FS: alone, Positions: All})
	require.ErrorIs(t, err, ErrInterrupted)
	_, _, err = SolveShared(t.Context(), u, "solve", Config{FS: alone, Positions: All})
	require.EqualError(t, err, "solve holds a solve that is not shared: continue that one, or choose another directory")

	fs := vfs.NewMem()
	_, _, err = SolveShared(t.Context(), u, "solve", Config{FS: fs})
	require.EqualError(t, err, "the reachable positions of checkers:pieces=2 are found in one piece, which processes cannot share: solve all of them")
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	writeAll(t, fs, "solve/letter.txt", nil)
	_, _, err = SolveShared(t.Context(), u, "solve", Config{FS: fs, Positions: All})
	require.EqualError(t, err, "solve has files that do not belong to a solve, such as letter.txt: choose another directory")

	writeAll(t, begun, "solve/"+shared.HeaderName, []byte("damaged"))
	_, _, err = SolveShared(t.Context(), u, "solve", Config{FS: begun, Positions: All})
	require.ErrorContains(t, err, "delete the directory to start again, or choose another directory")
}

// TestSharedLeftovers begins with what those may leave who are killed: the files of tiers of which no
// checkpoint knows, and files beside the database.
func TestSharedLeftovers(t *testing.T) {
	u := retrotest.Open(t, "checkers:pieces=2")
	want := solvedAlone(t, u)
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	for tier := range u.Tiers {
		writeAll(t, fs, fmt.Sprintf("solve/tier-%d", tier), []byte("of other rules"))
	}
	require.Equal(t, len(u.Tiers), share(t, u, Config{Positions: All}, fs))
	requireSame(t, want, fs)

	for name, solve := range map[string]func() error{
		"shared": func() error {
			_, _, err := SolveShared(t.Context(), u, "solve", Config{FS: fs, Positions: All})
			return err
		},
		"alone": func() error {
			_, _, err := Solve(t.Context(), u, "solve", Config{FS: fs, Positions: All})
			return err
		},
	} {
		for _, file := range []string{lockName, shared.HeaderName, "lock-0", "tier-0"} {
			writeAll(t, fs, "solve/"+file, nil)
		}
		require.ErrorIs(t, solve(), ErrSolved, name)
		requireSame(t, want, fs)
	}
}
