package othello_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
	"github.com/yomikiri/yomikiri/proof/rules"
	general "github.com/yomikiri/yomikiri/solver"
	solver "github.com/yomikiri/yomikiri/solver/othello"
)

func open(t testing.TB, name string) (*othello.Game, games.Game[rules.Position, rules.Move]) {
	g, err := othello.Family.Open(name)
	require.NoError(t, err)
	second, err := rules.Open(g.Name(), string(g.AppendPosition(nil, g.Start())))
	require.NoError(t, err)
	return g, second
}

// settle is the search of the second rules.
func settle(g *othello.Game, second games.Game[rules.Position, rules.Move]) solver.Settle {
	return func(own, opposite uint64, points int, most uint64) (bool, uint64, bool, error) {
		p, err := second.ParsePosition(string(g.AppendPosition(nil, g.Position(own, opposite))))
		if err != nil {
			return false, 0, false, err
		}
		reached, positions, settled := second.(proof.PlainSearcher[rules.Position]).SearchPlainly(p, points, most)
		return reached, positions, settled, nil
	}
}

// score searches all lines by the second rules.
func score(g games.Game[rules.Position, rules.Move], p rules.Position, alpha, beta int) int {
	if v, over := g.Outcome(p); over {
		return int(v)
	}
	for _, m := range g.AppendMoves(nil, p) {
		if alpha = max(alpha, -score(g, g.Play(p, m), -beta, -alpha)); alpha >= beta {
			break
		}
	}
	return alpha
}

// written returns the proof of what a solver has found.
func written(t *testing.T, ctx context.Context, s *solver.Solver) ([]byte, proof.Header, error) {
	h, err := s.Prove(ctx)
	if err != nil {
		return nil, h, err
	}
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, h)
	require.NoError(t, err)
	require.NoError(t, s.WriteProof(ctx, w))
	require.NoError(t, w.Close())
	return file.Bytes(), h, nil
}

// proven writes the proof of what a solver has found, and checks it by the second rules.
func proven(t *testing.T, s *solver.Solver, second games.Game[rules.Position, rules.Move]) (proof.Header, proof.Counts) {
	text, h, err := written(t, context.Background(), s)
	require.NoError(t, err)
	_, err = plain.Check(t.Context(), bytes.NewReader(text), plain.Options{})
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(text))
	require.NoError(t, err)
	report, err := proof.Check[rules.Position, rules.Move](context.Background(), r, second, proof.CheckOptions{})
	require.NoError(t, err)
	return h, report.Counts
}

// follow checks that a line is one of legal moves to the end of the game, and returns the score there for
// the side to move in root.
func follow(t *testing.T, g *othello.Game, root othello.Position, line []othello.Move) int {
	sign, p := 1, root
	for _, m := range line {
		require.Contains(t, g.AppendMoves(nil, p), m)
		p, sign = g.Play(p, m), -sign
	}
	v, over := g.Outcome(p)
	require.True(t, over)
	return sign * int(v)
}

// solved has a solver find the score of a position, checks the line and the proof, and returns how
// many positions were left to the checker.
func solved(t *testing.T, g *othello.Game, second games.Game[rules.Position, rules.Move], root othello.Position, want int, positions uint64) uint64 {
	text := g.AppendPosition(nil, root)
	s, err := solver.New(g, root, solver.Config{Memory: 1 << 20, Settle: settle(g, second), Positions: positions})
	require.NoError(t, err)
	lower, upper, err := s.Solve(t.Context())
	require.NoError(t, err)
	require.Equal(t, [2]int{want, want}, [2]int{lower, upper}, "%s %s", g.Name(), text)
	best, err := s.Line(t.Context())
	require.NoError(t, err, "%s %s", g.Name(), text)
	require.Equal(t, want, follow(t, g, root, best), "%s %s", g.Name(), text)
	_, counts := proven(t, s, second)
	return counts.Searched
}

// TestScores compares scores of positions of random games, under both rules for empty squares, with
// a plain search by the second rules, and has all proofs checked.
func TestScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	searched := uint64(0)
	for _, name := range []string{"othello:size=4x4", "othello:size=4x6,empty=winner", "othello:size=6x6", "othello:size=6x6,empty=winner", "othello:size=8x4", "othello:size=8x8"} {
		g, second := open(t, name)
		for range 25 {
			var line []othello.Position
			for p := g.Start(); ; {
				moves := g.AppendMoves(nil, p)
				if len(moves) == 0 {
					break
				}
				line = append(line, p)
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
			root := line[max(0, len(line)-1-rng.IntN(9))]
			q, err := second.ParsePosition(string(g.AppendPosition(nil, root)))
			require.NoError(t, err)
			searched += solved(t, g, second, root, score(second, q, -65, 65), uint64(1+rng.IntN(50)))
		}
	}
	require.Greater(t, searched, uint64(500))
}

var (
	endings = flag.Int("hunt.endings", 40, "number of random endings on each board")
	seed    = flag.Uint64("hunt.seed", 1, "seed of the random endings")
)

// TestEndings does the same with random boards on which one colour has most of the discs: often all
// moves lose everything, or a side has none.
func TestEndings(t *testing.T) {
	rng := rand.New(rand.NewPCG(*seed, 11))
	seen := map[string]int{}
	for _, size := range []string{"4x4", "4x8", "6x6", "8x8"} {
		for _, empty := range []string{"nobody", "winner"} {
			g, second := open(t, "othello:size="+size+",empty="+empty)
			rows, columns := g.Size()
			for found := 0; found < *endings; {
				text := []byte(strings.Repeat("X", rows*columns) + " X")
				for range 1 + rng.IntN([]int{3, rows * columns}[rng.IntN(2)]) {
					text[rng.IntN(rows*columns)] = 'O'
				}
				for range 2 + rng.IntN(7) {
					text[rng.IntN(rows*columns)] = '-'
				}
				if rng.IntN(4) > 0 {
					text[len(text)-1] = 'O'
				}
				root, err := g.ParsePosition(string(text))
				if err != nil {
					continue // a square in the middle is empty
				}
				if _, over := g.Outcome(root); over {
					continue
				}
				found++
				q, err := second.ParsePosition(string(text))
				require.NoError(t, err)
				want := score(second, q, -65, 65)
				solved(t, g, second, root, want, uint64(1+rng.IntN(50)))
				switch want {
				case rows * columns:
					seen["all won"]++
				case -rows * columns:
					seen["all lost"]++
				}
				if g.AppendMoves(nil, root)[0] == othello.Pass {
					seen["passes"]++
				}
			}
		}
	}
	t.Log(seen)
	require.Greater(t, min(seen["all won"], seen["all lost"], seen["passes"]), *endings/20)
}

// TestAllLost has positions on 8×8 in which each move loses everything.
func TestAllLost(t *testing.T) {
	for name, text := range map[string]string{
		"othello":              "------X-OOOO-XX-XXXXXXX-XXXXXXXXXXXXXXX-XXXXXXXOXXXXXXX-XXXXXXXX X",
		"othello:empty=winner": "X--XXX--X-X-XX-XXXXXOXXXXXXXXXXXXOXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X",
	} {
		g, second := open(t, name)
		root, err := g.ParsePosition(text)
		require.NoError(t, err)
		s, err := general.NewScore(games.Game[othello.Position, othello.Move](g), root, general.Config{Memory: 1 << 28})
		require.NoError(t, err)
		plain, err := s.Solve(t.Context(), 64)
		require.NoError(t, err)
		require.True(t, plain.Known())
		solved(t, g, second, root, plain.Lower, 50)
	}
}

// TestBoards has the values of whole boards.
func TestBoards(t *testing.T) {
	for name, want := range map[string]int{"othello:size=4x4": -8, "othello:size=4x4,empty=winner": -10, "othello:size=4x6": 16, "othello:size=6x4": 16} {
		g, second := open(t, name)
		s, err := solver.New(g, g.Start(), solver.Config{Memory: 1 << 20, Settle: settle(g, second), Positions: 100})
		require.NoError(t, err)
		lower, upper, err := s.Solve(context.Background())
		require.NoError(t, err)
		require.Equal(t, [2]int{want, want}, [2]int{lower, upper}, name)
		h, _ := proven(t, s, second)
		value, err := proof.Value(h.Claims)
		require.NoError(t, err)
		require.Equal(t, games.Score(want).String(), value)
	}
}

// TestResume ends searches again and again after a number of reports, by turns with the directory
// closed and as by a kill. What was kept must be found, and the value must be the same.
func TestResume(t *testing.T) {
	g, second := open(t, "othello:size=4x6")
	whole, err := solver.New(g, g.Start(), solver.Config{Memory: 1 << 20, Settle: settle(g, second), Positions: 100})
	require.NoError(t, err)
	_, _, err = whole.Solve(context.Background())
	require.NoError(t, err)

	fs, ended, rng := vfs.NewCrashableMem(), 0, rand.New(rand.NewPCG(7, 8))
	var kept []uint64
	for {
		ctx, cancel := context.WithCancel(context.Background())
		reports := 0
		var last solver.Progress
		s, err := solver.New(g, g.Start(), solver.Config{Dir: "tree", FS: fs, Memory: 1 << 20, Settle: settle(g, second), Positions: 100,
			Progress: func(p solver.Progress) {
				if last = p; reports == 10*(ended+1) { // so that it ends if nothing was kept
					cancel()
				}
				reports++
			}})
		require.NoError(t, err)
		lower, upper, err := s.Solve(ctx)
		cancel()
		kept = append(kept, last.Kept)
		if err == nil {
			require.Equal(t, [2]int{16, 16}, [2]int{lower, upper})
			require.GreaterOrEqual(t, ended, 3)
			require.Less(t, s.Nodes(), whole.Nodes())
			proven(t, s, second)
			require.NoError(t, s.Close())
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		ended++
		if ended%2 == 0 { // a kill: what the store has passed on is there, which depends on the time
			next := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng})
			require.NoError(t, s.Close())
			fs = next
			continue
		}
		require.NoError(t, s.Close())
		fs = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng})
	}
	require.True(t, slices.IsSorted(kept), "%d", kept)

	other, _ := open(t, "othello:size=4x4")
	_, err = solver.New(other, other.Start(), solver.Config{Dir: "tree", FS: fs})
	require.ErrorContains(t, err, "it is about othello:size=4x6, not about othello:size=4x4")
	require.NoError(t, fs.MkdirAll("files", 0o777))
	file, err := fs.Create("files/notes", vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	_, err = solver.New(g, g.Start(), solver.Config{Dir: "files", FS: fs})
	require.ErrorContains(t, err, "it has something else in it, such as notes")
}

// TestResumeProof ends the making of a proof again and again. The file is the same as without an
// interrupt. No position is given to the checker's search twice if the directory was closed in
// order, and after a kill few are.
func TestResumeProof(t *testing.T) {
	g, second := open(t, "othello:size=4x8")
	root := g.Start()
	for range 9 {
		root = g.Play(root, g.AppendMoves(nil, root)[0])
	}
	plain, rng := settle(g, second), rand.New(rand.NewPCG(9, 8))
	run := func(fs *vfs.MemFS, most int, end func(s *solver.Solver)) (text []byte, settled int) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		s, err := solver.New(g, root, solver.Config{Dir: "tree", FS: fs, Positions: 3, Settle: func(own, opposite uint64, points int, limit uint64) (bool, uint64, bool, error) {
			if settled == most {
				cancel()
				return false, 0, false, ctx.Err()
			}
			settled++
			return plain(own, opposite, points, limit)
		}})
		require.NoError(t, err)
		_, _, err = s.Solve(ctx)
		require.NoError(t, err)
		_, err = s.Line(ctx)
		require.NoError(t, err)
		text, _, err = written(t, ctx, s)
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		end(s)
		require.NoError(t, s.Close())
		return text, settled
	}
	want, all := run(vfs.NewMem(), -1, func(*solver.Solver) {})
	t.Log(all)
	const parts, lost = 5, 1000 // what the store had not passed on when it was killed
	require.Greater(t, all/parts, 2*lost)
	for _, killed := range []bool{false, true} {
		fs, sum := vfs.NewCrashableMem(), 0
		for interrupts := 0; ; interrupts++ {
			require.Less(t, interrupts, 2*parts)
			next := fs
			text, settled := run(fs, (all-1)/parts, func(*solver.Solver) {
				if killed {
					next = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng})
				}
			})
			if sum += settled; text != nil {
				require.Equal(t, want, text)
				require.GreaterOrEqual(t, interrupts, parts)
				if killed {
					require.LessOrEqual(t, sum, all+lost*interrupts)
				} else {
					require.Equal(t, all, sum)
				}
				break
			}
			fs = next
		}
	}
}

// TestMemory has memories that do not suffice for what a search has to keep.
func TestMemory(t *testing.T) {
	g, second := open(t, "othello:size=4x6")
	find := func(memory uint64) (*solver.Solver, error) {
		s, err := solver.New(g, g.Start(), solver.Config{Memory: memory, Settle: settle(g, second), Positions: 40})
		require.NoError(t, err)
		_, _, err = s.Solve(t.Context())
		if err == nil {
			_, err = s.Prove(t.Context())
		}
		return s, err
	}
	s, err := find(0)
	require.NoError(t, err)
	all := s.Memory()
	for _, share := range []uint64{10, 4, 2} { // in the search, or while the proof is made
		_, err := find(all / share)
		require.ErrorIs(t, err, general.ErrLimit)
	}
	tight, err := find(2 * all) // it counts more while a proof is made
	require.NoError(t, err)
	require.LessOrEqual(t, tight.Memory(), 2*all)
}

// TestSmall has a position near the end, and a memory for the largest: the table stays small.
func TestSmall(t *testing.T) {
	g, second := open(t, "othello")
	root, err := g.ParsePosition("XXXXXXX-OOOOXXOOXXXXXXXXOOOXXXX-OXXXOXXXXXOXXXXXXXXOXXX-XXXXX-X- X")
	require.NoError(t, err)
	s, err := solver.New(g, root, solver.Config{Memory: 1 << 40, Settle: settle(g, second)})
	require.NoError(t, err)
	_, _, err = s.Solve(t.Context())
	require.NoError(t, err)
	require.Less(t, s.Memory(), uint64(1<<16))
}

// TestContradiction has a settling search that lies: no proof comes of it.
func TestContradiction(t *testing.T) {
	g, second := open(t, "othello:size=4x4")
	right := settle(g, second)
	s, err := solver.New(g, g.Start(), solver.Config{Positions: 1000, Settle: func(own, opposite uint64, points int, most uint64) (bool, uint64, bool, error) {
		reached, positions, settled, err := right(own, opposite, points, most)
		return !reached, positions, settled, err
	}})
	require.NoError(t, err)
	_, _, err = s.Solve(context.Background())
	require.NoError(t, err)
	_, err = s.Prove(context.Background())
	require.ErrorIs(t, err, general.ErrContradiction)

	failing := errors.New("no search today")
	s, err = solver.New(g, g.Start(), solver.Config{Positions: 1000, Settle: func(uint64, uint64, int, uint64) (bool, uint64, bool, error) { return false, 0, false, failing }})
	require.NoError(t, err)
	_, _, err = s.Solve(context.Background())
	require.NoError(t, err)
	_, err = s.Prove(context.Background())
	require.ErrorIs(t, err, failing)
}

// published is a line of best play on 6×6, by J. Feinstein (1993), who wrote the squares as those
// in the middle of 8×8.
const published = "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 e1 f1"

// TestPublishedLine plays the line: it ends 16:20, and all positions from 18 empty squares on are
// worth that.
func TestPublishedLine(t *testing.T) {
	g, second := open(t, "othello:size=6x6")
	p, want := g.Start(), -4
	for i, text := range strings.Fields(published) {
		const empties, last = 32, 18
		if empties-i <= last {
			s, err := solver.New(g, p, solver.Config{Memory: 1 << 24, Settle: settle(g, second), Positions: 2000})
			require.NoError(t, err)
			lower, upper, err := s.Solve(context.Background())
			require.NoError(t, err)
			require.Equal(t, [2]int{want, want}, [2]int{lower, upper}, "before move %d", i+1)
		}
		if moves := g.AppendMoves(nil, p); len(moves) == 1 && moves[0] == othello.Pass {
			p, want = g.Play(p, othello.Pass), -want
		}
		m, err := games.ParseMove(g, p, text)
		require.NoError(t, err)
		p, want = g.Play(p, m), -want
	}
	v, over := g.Outcome(p)
	require.True(t, over)
	require.Equal(t, games.Score(want), v)
}

// TestDamagedStore changes bytes of the files of a directory: it is refused as damaged, or the score is the
// same.
func TestDamagedStore(t *testing.T) {
	g, second := open(t, "othello:size=4x4")
	solve := func(fs vfs.FS) (lower, upper int, err error) {
		s, err := solver.New(g, g.Start(), solver.Config{Dir: "tree", FS: fs, Settle: settle(g, second)})
		if err != nil {
			return 0, 0, err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		return s.Solve(t.Context())
	}
	whole := vfs.NewMem()
	lower, _, err := solve(whole)
	require.NoError(t, err)
	names, err := whole.List("tree")
	require.NoError(t, err)
	refused := map[string]bool{}
	for _, name := range names {
		kind, _, _ := strings.Cut(name, "-")
		for at := 0; ; at += 29 {
			fs := vfs.NewMem()
			_, err := vfs.Clone(whole, fs, "tree", "tree")
			require.NoError(t, err)
			f, err := fs.OpenReadWrite(fs.PathJoin("tree", name), vfs.WriteCategoryUnspecified)
			require.NoError(t, err)
			_, err = f.WriteAt([]byte{0}, int64(at))
			info, e := f.Stat()
			require.NoError(t, errors.Join(err, e, f.Close()))
			got, _, err := solve(fs)
			if err != nil {
				require.ErrorIs(t, err, storage.ErrDamaged, "byte %d of %s", at, name)
				refused[kind] = true
			} else {
				require.Equal(t, lower, got)
			}
			if int64(at+29) >= info.Size() {
				break
			}
		}
	}
	require.True(t, refused["OPTIONS"] && refused["MANIFEST"], refused)
}
