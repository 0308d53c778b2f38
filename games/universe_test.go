package games_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestSuccessor packs and unpacks every outcome with some indices.
func TestSuccessor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 1 << 16 {
		outcome := games.Value(int16(i - 1<<15))
		for _, index := range []uint64{0, 1<<games.IndexBits - 1, rng.Uint64N(1 << games.IndexBits)} {
			s := games.NewSuccessor(index, outcome)
			if s.Index() != index || s.Outcome() != outcome {
				require.Equal(t, index, s.Index(), "%d with %v", index, outcome)
				require.Equal(t, outcome, s.Outcome(), "%d with %v", index, outcome)
			}
		}
	}
	require.Equal(t, games.Successor(1234), games.NewSuccessor(1234, games.Unfinished), "an unfinished successor is its index")
}

func TestExpansion(t *testing.T) {
	x := games.Expansion{
		Status: []games.Value{games.Unfinished, games.Hole, games.Unfinished}, End: []int{2, 2, 3},
		Successors: []games.Successor{5, 6, 7}, Gains: []int16{1, 2, 3}, Moves: 4,
	}
	require.Equal(t, []games.Successor{5, 6}, x.Of(0))
	require.Empty(t, x.Of(1))
	require.Equal(t, []games.Successor{7}, x.Of(2))
	x.Reset()
	require.Empty(t, x.Status)
	require.Empty(t, x.End)
	require.Empty(t, x.Successors)
	require.Empty(t, x.Gains)
	require.Zero(t, x.Moves)
	require.Equal(t, 3, cap(x.Successors), "its memory is kept")
	before := games.Predecessors{Indices: []uint64{1, 2}}
	before.Reset()
	require.Empty(t, before.Indices)
	require.Equal(t, 2, cap(before.Indices))
}

func newNumbered(start int, tiers ...games.Tier) *numbered {
	return &numbered{countdown{name: "numbered", start: start}, tiers}
}

func TestUniverseErrors(t *testing.T) {
	_, err := games.UniverseOf(&countdown{name: "countdown"})
	require.ErrorIs(t, err, games.ErrNoIndex)
	require.EqualError(t, err, "countdown: the game does not number its positions")
	for _, c := range []struct {
		name  string
		start int
		tiers []games.Tier
		want  string
	}{
		{"none", 5, nil, "numbered: the game has no tiers"},
		{"not from 0", 5, []games.Tier{{Start: 1, Size: 10, Open: 10}},
			"numbered: tier 0 starts at 1, want 0, the end of the tier before"},
		{"a gap", 5, []games.Tier{{Size: 10, Open: 10}, {Start: 11, Size: 1}},
			"numbered: tier 1 starts at 11, want 10, the end of the tier before"},
		{"overlapping", 5, []games.Tier{{Size: 10, Open: 10}, {Start: 10, Size: 2}, {Start: 11, Size: 1}},
			"numbered: tier 2 starts at 11, want 12, the end of the tier before"},
		{"out of order", 5, []games.Tier{{Start: 10, Size: 10}, {Size: 10}},
			"numbered: tier 0 starts at 10, want 0, the end of the tier before"},
		{"empty", 5, []games.Tier{{Size: 10}, {Start: 10}}, "numbered: tier 1 has 0 positions of which 0 are open"},
		{"more open than there are", 5, []games.Tier{{Size: 10, Open: 11}}, "numbered: tier 0 has 10 positions of which 11 are open"},
		{"too large", 5, []games.Tier{{Size: 1 << 48, Open: 1}, {Start: 1 << 48, Size: 1}},
			"numbered: tier 1 has 1 positions from 281474976710656 on, past the largest index"},
		{"so large that it wraps around", 5, []games.Tier{{Size: 10}, {Start: 10, Size: 1<<64 - 5}}, ""},
		{"a start without index", 101, []games.Tier{{Size: 101, Open: 101}},
			"numbered: the start position has no index: 101 is out of range"},
		{"a start past the end", 50, []games.Tier{{Size: 50, Open: 50}}, ""},
	} {
		u, err := games.UniverseOf(newNumbered(c.start, c.tiers...))
		require.Error(t, err, c.name)
		require.Nil(t, u, c.name)
		if c.want != "" {
			require.EqualError(t, err, c.want, c.name)
		}
	}
}

func TestUniverse(t *testing.T) {
	tiers := []games.Tier{{Name: "low", Size: 10, Open: 10}, {Name: "high", Start: 10, Size: 91, Open: 0}}
	for _, g := range []games.Game[int, int]{newNumbered(9, tiers...), &capable{*newNumbered(9, tiers...)}} {
		u, err := games.UniverseOf(g)
		require.NoError(t, err)
		require.Equal(t, "numbered", u.Name)
		require.Equal(t, tiers, u.Tiers)
		require.EqualValues(t, 101, u.Size())
	}
	u, err := games.UniverseOf(newNumbered(9, tiers...))
	require.NoError(t, err)
	require.EqualValues(t, 9, u.Start)
	require.Equal(t, games.ByDistance, u.Order)
	require.Nil(t, u.Retractor)
	var x games.Expansion
	u.Expander.Expand([]uint64{9}, &x)
	require.Equal(t, []games.Successor{8, 7}, x.Successors, "made of the moves")

	u, err = games.UniverseOf(&capable{*newNumbered(9, tiers...)})
	require.NoError(t, err)
	require.EqualValues(t, 8, u.Start, "9 is numbered like 8")
	require.Equal(t, games.ByScore, u.Order)
	u.Expander.Expand([]uint64{9}, &x)
	require.Equal(t, 1001, x.Moves, "the game's own")
	var before games.Predecessors
	u.Retractor.Retract([]uint64{1, 2, 3}, &before)
	require.Equal(t, []uint64{2003}, before.Indices)
	require.Equal(t, uint64(1<<48), (&games.Universe{Tiers: []games.Tier{{Size: 1 << 48}}}).Size())
}

// counter is a Counter that leaves out the first successor of each position.
type counter struct{ games.Expander }

func (c counter) Count(indices []uint64, out *games.Expansion) {
	c.Expand(indices, out)
	out.Successors, out.End, out.Counted = out.Successors[1:], []int{len(out.Successors) - 1}, []int{1}
}

// TestCount counts with and without a Counter, and with results for values.
func TestCount(t *testing.T) {
	u, err := games.UniverseOf(newNumbered(9, games.Tier{Name: "all", Size: 100, Open: 100}))
	require.NoError(t, err)
	var x games.Expansion
	games.Count(u.Expander, []uint64{9}, &x)
	require.Equal(t, []games.Successor{8, 7}, x.Successors)
	require.Zero(t, x.CountedOf(0))
	u.Expander = counter{u.Expander}
	r, err := u.Results()
	require.NoError(t, err)
	for _, from := range []*games.Universe{u, r} {
		games.Count(from.Expander, []uint64{9}, &x)
		require.Equal(t, []games.Successor{7}, x.Successors)
		require.Equal(t, 1, x.CountedOf(0))
		require.Equal(t, []games.Successor{7}, x.Of(0))
		from.Expander.Expand([]uint64{9}, &x)
		require.Equal(t, []games.Successor{8, 7}, x.Successors)
		require.Zero(t, x.CountedOf(0), "Expand leaves nothing out")
	}
}

// TestMoveExpander checks what is made of moves: holes, outcomes, equal
// successors, gains.
func TestMoveExpander(t *testing.T) {
	g := newNumbered(9, games.Tier{Size: 101, Open: 101})
	var x games.Expansion
	x.Moves = 77 // what was there before is gone
	games.MoveExpander(g, g).Expand([]uint64{5, 0, 7, 200, 2, 1}, &x)
	lost := func(index uint64) games.Successor { return games.NewSuccessor(index, games.Loss(0)) }
	require.Equal(t, games.Expansion{
		Status:     []games.Value{games.Unfinished, games.Loss(0), games.Hole, games.Hole, games.Unfinished, games.Unfinished},
		End:        []int{2, 2, 2, 2, 4, 5},
		Successors: []games.Successor{4, 3, 1, lost(0), lost(0)},
		Moves:      2 + 2 + 1,
	}, x)

	c := &capable{*newNumbered(9, games.Tier{Size: 101, Open: 101})}
	games.MoveExpander(c, c).Expand([]uint64{6, 5}, &x)
	require.Equal(t, []games.Successor{4, 4, 2}, x.Successors, "5 is numbered like 4, 3 like 2")
	require.Equal(t, []int{1, 3}, x.End)
	require.Equal(t, 4, x.Moves, "moves to equal positions count")
	require.Equal(t, []int16{62, 51, 52}, x.Gains, "the best gain of those that lead to equal ones")
}

// TestMoveExpanderPanics has a move that leads out of the index.
func TestMoveExpanderPanics(t *testing.T) {
	g := &climbing{*newNumbered(100, games.Tier{Size: 101, Open: 101})}
	require.PanicsWithValue(t, "numbered: move 1 in 100 leads to a position without an index: 101 is out of range", func() {
		games.MoveExpander(g, g).Expand([]uint64{100}, &games.Expansion{})
	})
}

type climbing struct{ numbered }

func (g *climbing) Play(p, m int) int { return p + m }
