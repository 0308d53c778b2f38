package dbtest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// Graph is a game given by its positions and moves, so that a test can have any
// kind of position that it needs. A position is the number of a node, a move the
// number of the node that it leads to.
type Graph struct {
	GameName string
	First    int // the start position
	Nodes    []Node
	TierList []games.Tier
}

// Node is a position. Its index is its number times spread, so that there are
// holes between.
type Node struct {
	Outcome games.Value // Unfinished if there are moves
	To      []int
	Index   uint64
}

const Finish = -1 // the move that ends the game from a finished, won position

func (g *Graph) Name() string { return g.GameName }

func (g *Graph) Start() int { return g.First }

func (g *Graph) Outcome(p int) (games.Value, bool) {
	return g.Nodes[p].Outcome, g.Nodes[p].Outcome != games.Unfinished
}

func (g *Graph) AppendMoves(dst []int, p int) []int { return append(dst, g.Nodes[p].To...) }

func (g *Graph) Play(_, m int) int { return m }

func (g *Graph) AppendPosition(dst []byte, p int) []byte { return strconv.AppendInt(dst, int64(p), 10) }

func (g *Graph) ParsePosition(text string) (int, error) {
	p, err := strconv.ParseUint(text, 10, 31)
	if err == nil && p >= uint64(len(g.Nodes)) {
		err = fmt.Errorf("there are %d positions", len(g.Nodes))
	}
	return int(p), err
}

func (g *Graph) AppendMove(dst []byte, _, m int) []byte { return strconv.AppendInt(dst, int64(m), 10) }

func (g *Graph) ParseMove(p int, text string) (int, error) {
	m, err := strconv.Atoi(text)
	if err == nil && !slices.Contains(g.Nodes[p].To, m) {
		err = fmt.Errorf("no move from %d to %d", p, m)
	}
	return m, err
}

func (g *Graph) AppendFinishing(dst []int, p int) []int {
	if g.Nodes[p].Outcome == games.Win(1) {
		dst = append(dst, Finish)
	}
	return dst
}

func (g *Graph) Tiers() []games.Tier { return g.TierList }

func (g *Graph) Index(p int) (uint64, error) {
	if p < 0 || p >= len(g.Nodes) {
		return 0, fmt.Errorf("no index for %d", p)
	}
	return g.Nodes[p].Index, nil
}

func (g *Graph) Position(index uint64) (int, bool) {
	return slices.BinarySearchFunc(g.Nodes, index, func(n Node, i uint64) int {
		return cmp.Compare(n.Index, i)
	})
}

// Ladder returns a game with many values and tiers. The first tier begins with
// a ring of three positions, each with one move to the next: draws. Then, like
// the others, it has rungs, each with a move to the rung below, and the lowest
// of all is lost. After the rungs of a tier, in its closed part, comes a pit,
// where the opponent wins at once; the lowest rung of the next tier and the top
// rung have a move into one. The game begins on the rung given by the start,
// counted from the lowest; from the top rung a move leads to the ring.
func Ladder(name string, start int, spread uint64, rungs ...int) *Graph {
	g := &Graph{GameName: name}
	below, pit, top := -1, -1, 0
	for _, n := range rungs {
		top += n
	}
	rung := 0
	var next uint64
	add := func(outcome games.Value, to ...int) int {
		g.Nodes = append(g.Nodes, Node{outcome, to, next})
		next += spread
		return len(g.Nodes) - 1
	}
	for i, n := range rungs {
		s := games.Tier{Name: fmt.Sprintf("part %d", i+1), Start: next}
		if i == 0 {
			for k := range 3 {
				add(games.Unfinished, (k+1)%3)
			}
		}
		for range n {
			p := len(g.Nodes)
			if rung == start {
				g.First = p
			}
			switch {
			case below < 0:
				add(games.Loss(0))
			case pit >= 0:
				add(games.Unfinished, below, pit)
				pit = -1
			case rung == top-1:
				add(games.Unfinished, below, p+1, 0)
			default:
				add(games.Unfinished, below)
			}
			below = p
			rung++
		}
		s.Open = next - s.Start
		pit = add(games.Win(1))
		s.Size = next - s.Start
		g.TierList = append(g.TierList, s)
	}
	return g
}

// Solved is what a database of a game must say.
type Solved struct {
	U         *games.Universe
	Positions string // "reachable" or "all"
	Values    map[uint64]games.Value
	Finished  map[uint64]games.Value
	Moves     map[uint64]int
}

// Solve finds the values of a game level by level, in the simplest way.
func Solve[P, M comparable](t testing.TB, g games.Game[P, M], positions string) *Solved {
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	s := &Solved{u, positions, map[uint64]games.Value{}, map[uint64]games.Value{}, map[uint64]int{}}
	successors := map[uint64][]games.Successor{}
	var list []uint64
	if positions == "all" {
		for i := range u.Size() {
			list = append(list, i)
		}
	} else {
		list = []uint64{u.Start}
	}
	seen := map[uint64]bool{u.Start: true}
	var x games.Expansion
	for at := 0; at < len(list); at++ {
		i := list[at]
		u.Expander.Expand([]uint64{i}, &x)
		switch status := x.Status[0]; {
		case status == games.Unfinished:
			successors[i], s.Moves[i] = slices.Clone(x.Of(0)), x.Moves
		case status != games.Hole:
			s.Finished[i] = status
		}
		for _, c := range x.Of(0) {
			if positions != "all" && !seen[c.Index()] {
				seen[c.Index()] = true
				list = append(list, c.Index())
			}
		}
	}
	s.settle(successors)
	return s
}

func (s *Solved) settle(successors map[uint64][]games.Successor) {
	value := func(c games.Successor) (games.Value, bool) {
		if v := c.Outcome(); v != games.Unfinished {
			return v, true
		}
		v, ok := s.Values[c.Index()]
		return v, ok
	}
	open := len(successors)
	for level, idle := 1, 0; open > 0 && idle < 2; level++ {
		idle++
		for i, list := range successors {
			if _, known := s.Values[i]; known {
				continue
			}
			best, all := games.Loss(0), true
			for _, c := range list {
				if v, ok := value(c); ok {
					best = max(best, v.Backup(0))
				} else {
					all = false
				}
			}
			if best == games.Win(level) || all && best == games.Loss(level) {
				s.Values[i] = best
				open--
				idle = 0
			}
		}
	}
	for i := range successors {
		if _, known := s.Values[i]; !known {
			s.Values[i] = games.Draw
		}
	}
}

// Manifest describes the database.
func (s *Solved) Manifest() *db.Manifest {
	c := db.Content{Game: s.U.Name, Order: s.U.Order.String(), Positions: s.Positions, Start: s.U.Start}
	c.Values = slices.Compact(slices.Sorted(maps.Values(s.Values)))
	slices.Reverse(c.Values)
	var ok bool
	if c.StartValue, ok = s.Values[s.U.Start]; !ok {
		c.StartValue = s.Finished[s.U.Start]
	}
	for i, v := range s.Values {
		// The largest value, rather a win than a loss, and the first position that has it.
		if old := c.Longest; old == nil || v.Size() > old.Value.Size() ||
			v.Size() == old.Value.Size() && (v > old.Value || v == old.Value && i < old.Index) {
			c.Longest = &db.Example{Value: v, Index: i}
		}
	}
	for _, tier := range s.U.Tiers {
		d := db.Tier{Name: tier.Name, Start: tier.Start, Size: tier.Size, Open: tier.Open}
		counts := map[games.Value]db.Count{}
		for i := tier.Start; i < tier.Start+tier.Size; i++ {
			if v, held := s.Values[i]; held {
				d.Unfinished++
				d.Moves += uint64(s.Moves[i])
				counts[v] = db.Count{Value: v, Positions: counts[v].Positions + 1, Finished: counts[v].Finished}
			}
			if v, over := s.Finished[i]; over {
				counts[v] = db.Count{Value: v, Positions: counts[v].Positions + 1, Finished: counts[v].Finished + 1}
			}
		}
		d.Counts = slices.Collect(maps.Values(counts))
		db.SortCounts(d.Counts)
		c.Tiers = append(c.Tiers, d)
	}
	return &db.Manifest{Content: c}
}

// Source gives the blocks of the database.
func (s *Solved) Source(c *db.Content) db.Source {
	code := map[games.Value]int{}
	for i, v := range c.Values {
		code[v] = i + 1
	}
	width := c.Width()
	return func(tier int, block uint64, dst []byte) error {
		clear(dst)
		first := c.Tiers[tier].Start + block*db.BlockSize
		for k := range len(dst) / width {
			if v, ok := s.Values[first+uint64(k)]; ok {
				dst[k*width] = byte(code[v])
				if width == 2 {
					dst[2*k+1] = byte(code[v] >> 8)
				}
			}
		}
		return nil
	}
}

// Write writes the database into the directory "db" of a file system and returns its
// manifest.
func (s *Solved) Write(t testing.TB, fs vfs.FS) *db.Manifest {
	t.Helper()
	m := s.Manifest()
	s.WriteAs(t, fs, m)
	return m
}

func (s *Solved) WriteAs(t testing.TB, fs vfs.FS, m *db.Manifest) {
	t.Helper()
	require.NoError(t, fs.MkdirAll("db", 0o755))
	require.NoError(t, store.Write(context.Background(), "db", m, s.Source(&m.Content), store.WriteOptions{FS: fs}))
}

// WriteEncoded does the same from blocks that are already encoded, after change has had a look
// at each.
func (s *Solved) WriteEncoded(fs vfs.FS, change func(tier int, block uint64, stored []byte) []byte) (*db.Manifest, error) {
	if err := fs.MkdirAll("db", 0o755); err != nil {
		return nil, err
	}
	m := s.Manifest()
	source := s.Source(&m.Content)
	return m, store.WriteEncoded(context.Background(), "db", m, func(tier int, block uint64) ([]byte, error) {
		n := min(db.BlockSize, m.Content.Tiers[tier].Open-block*db.BlockSize) * uint64(m.Content.Width())
		codes := make([]byte, n)
		if err := source(tier, block, codes); err != nil {
			return nil, err
		}
		return change(tier, block, m.Content.AppendBlock(nil, tier, block, codes)), nil
	}, store.WriteOptions{FS: fs})
}

// RequireHolds checks every index of a database.
func (s *Solved) RequireHolds(t testing.TB, d *db.DB) {
	t.Helper()
	for i := range s.U.Size() + 10 {
		got, held, err := d.Value(i)
		require.NoError(t, err)
		want, ok := s.Values[i]
		if held != ok || got != want {
			require.Equal(t, fmt.Sprint(want, ok), fmt.Sprint(got, held), "index %d", i)
		}
	}
}

// TicTacToe is Solved once for all tests, which must not change it.
var TicTacToe = func() func(t testing.TB) *Solved {
	var s *Solved
	return func(t testing.TB) *Solved {
		if s == nil {
			s = Solve(t, tictactoe.Game{}, "reachable")
		}
		return s
	}
}()

// Databases are the databases that most tests use: one block and several, one tier and
// several, codes of one byte and of two, reachable positions and all.
var Databases = map[string]func(t testing.TB) *Solved{
	"tictactoe": TicTacToe,
	"tictactoe all": func(t testing.TB) *Solved {
		return Solve(t, tictactoe.Game{}, "all")
	},
	"tiers": func(t testing.TB) *Solved {
		return Solve(t, Ladder("tiers", 230, 50, 20, 1, 90, 130), "reachable")
	},
	"tiers all": func(t testing.TB) *Solved {
		return Solve(t, Ladder("tiers", 200, 50, 20, 1, 90, 130), "all")
	},
	"wide codes": func(t testing.TB) *Solved {
		return Solve(t, Ladder("wide", 699, 7, 700), "reachable")
	},
	"wide codes, tiers": func(t testing.TB) *Solved {
		return Solve(t, Ladder("wide", 699, 13, 1, 350, 350), "all")
	},
	"one value too many for one byte": func(t testing.TB) *Solved {
		return Solve(t, Ladder("wide", 255, 1, 257), "all")
	},
	"full blocks": func(t testing.TB) *Solved { // its open part ends with a block
		return Solve(t, Ladder("full", 124, 32, 253), "reachable")
	},
}

// Clone returns a copy that a test can change.
func (s *Solved) Clone() *Solved {
	return &Solved{s.U, s.Positions, maps.Clone(s.Values), s.Finished, s.Moves}
}

// Indices returns the indices of the unfinished positions in order.
func (s *Solved) Indices() []uint64 { return slices.Sorted(maps.Keys(s.Values)) }

// Verify returns the result and the problems that [verify.Run] reports for the database in "db".
func Verify(fs vfs.FS, u *games.Universe) (*verify.Result, []string, error) {
	var problems []string
	v, err := verify.Run(context.Background(), "db", u, verify.Options{
		FS: fs, Threads: 2, Problem: func(err error) { problems = append(problems, err.Error()) },
	})
	return v, problems, err
}

// RequireSound checks that Verify finds nothing wrong.
func RequireSound(t testing.TB, fs vfs.FS, u *games.Universe) *verify.Result {
	t.Helper()
	v, problems, err := Verify(fs, u)
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Zero(t, v.Problems)
	return v
}

func Open(t testing.TB, fs vfs.FS) *db.DB {
	t.Helper()
	d, err := store.Open("db", &store.Options{FS: fs})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// ReadFile and WriteFile read and replace files of a database.
func ReadFile(t testing.TB, fs vfs.FS, path string) []byte {
	t.Helper()
	f, err := fs.Open(path)
	require.NoError(t, err)
	defer f.Close()
	data, err := io.ReadAll(f)
	require.NoError(t, err)
	return data
}

func WriteFile(t testing.TB, fs vfs.FS, path string, data []byte) {
	t.Helper()
	f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	_, err = f.Write(slices.Clone(data)) // a MemFS may overwrite it when it checks invariants
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// Sealed returns the text of a manifest followed by its checksum, as the docs of the
// format have it.
func Sealed(text []byte) []byte { return fmt.Appendf(text, "xxh64 %016x\n", xxhash.Sum64(text)) }

// RewriteManifest changes a manifest, leaving its file with a valid checksum.
func RewriteManifest(t testing.TB, fs vfs.FS, change func(*db.Manifest)) {
	t.Helper()
	m, err := store.ReadManifest(fs, "db")
	require.NoError(t, err)
	change(m)
	text, err := json.Marshal(m)
	require.NoError(t, err)
	WriteFile(t, fs, "db/"+db.ManifestName, Sealed(append(text, '\n')))
}

// StoreFiles returns the paths of the files of the store.
func StoreFiles(t testing.TB, fs vfs.FS) []string {
	t.Helper()
	names, err := fs.List("db/store")
	require.NoError(t, err)
	slices.Sort(names)
	for i := range names {
		names[i] = "db/store/" + names[i]
	}
	return names
}
