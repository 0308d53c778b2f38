package games_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func number[P, M comparable](t *testing.T, g games.Game[P, M]) *games.Numbering[P] {
	t.Helper()
	n, err := games.Number(t.Context(), g, games.NumberOptions{})
	require.NoError(t, err)
	return n
}

// TestNumber has a game in one tier: unfinished positions in the order in which they
// are found, then finished ones.
func TestNumber(t *testing.T) {
	g := &countdown{name: "countdown", start: 5}
	n := number(t, g)
	require.Equal(t, []games.Tier{{Size: 6, Open: 5}}, n.Tiers())
	for i, want := range []int{5, 4, 3, 2, 1, 0} {
		p, ok := n.Position(uint64(i))
		require.True(t, ok)
		require.Equal(t, want, p)
		index, err := n.Index(want)
		require.NoError(t, err)
		require.EqualValues(t, i, index)
	}
	_, ok := n.Position(6)
	require.False(t, ok)
	_, err := n.Index(7)
	require.ErrorIs(t, err, games.ErrNotReached)
	require.EqualError(t, err, `position "7": not reachable from the start position`)

	u, err := games.UniverseWith(g, n)
	require.NoError(t, err)
	require.Equal(t, n.Fingerprint(), u.Numbering)
	var x games.Expansion
	u.Expander.Expand([]uint64{0, 4}, &x)
	require.Equal(t, []games.Successor{1, 2, games.NewSuccessor(5, games.Loss(0))}, x.Successors)

	finished := number(t, &countdown{start: 0})
	require.Equal(t, []games.Tier{{Size: 1}}, finished.Tiers())
}

// reversed lists the moves of a countdown in another order.
type reversed struct{ countdown }

func (g *reversed) AppendMoves(dst []int, p int) []int {
	list := g.countdown.AppendMoves(nil, p)
	slices.Reverse(list)
	return append(dst, list...)
}

func TestFingerprint(t *testing.T) {
	print := number(t, &countdown{start: 9}).Fingerprint()
	require.Equal(t, print, number(t, &countdown{start: 9}).Fingerprint())
	require.NotEqual(t, print, number(t, &countdown{start: 10}).Fingerprint())
	require.NotEqual(t, print, number(t, &reversed{countdown{start: 9}}).Fingerprint(), "positions are found in another order")
	require.Empty(t, games.FingerprintOf(newNumbered(9, games.Tier{Size: 101, Open: 101})))
}

// layered is tic-tac-toe without an index.
type layered struct{ tictactoe.Game }

func (layered) Tiers() {}

// TestNumberLayers has a game in layers, whose mirror images are merged.
func TestNumberLayers(t *testing.T) {
	n := number(t, layered{})
	list := n.Tiers()
	require.Len(t, list, 10)
	require.Equal(t, "9", list[0].Name)
	require.Zero(t, list[0].Open, "the board is full")
	require.Equal(t, games.Tier{Name: "0", Start: 764, Size: 1, Open: 1}, list[9])
	for i, s := range list {
		for index := s.Start; index < s.Start+s.Size; index++ {
			p, ok := n.Position(index)
			require.True(t, ok)
			require.Equal(t, 9-i, tictactoe.Game{}.Layer(p))
			_, finished := tictactoe.Game{}.Outcome(p)
			require.Equal(t, index >= s.Start+s.Open, finished)
		}
	}
	checkNumbers(t, layered{}, n)
}

// scored is awari without an index.
type scored struct{ *awari.Game }

func (scored) Tiers() {}

// TestNumberScores has a game of scores: its tiers are points left.
func TestNumberScores(t *testing.T) {
	g, err := awari.Family.Open("awari:stones=7")
	require.NoError(t, err)
	n := number(t, scored{g})
	for _, s := range n.Tiers() {
		p, _ := n.Position(s.Start)
		require.Equal(t, s.Name, string(rune('0'+p.Stones())))
	}
	checkNumbers(t, scored{g}, n)
}

// checkNumbers checks that every position and each of its mirror images has its
// number, and that moves lead to the same tier or an earlier one.
func checkNumbers[P, M comparable](t *testing.T, g games.Game[P, M], n *games.Numbering[P]) {
	t.Helper()
	list := n.Tiers()
	last := list[len(list)-1]
	tier := func(index uint64) int {
		return slices.IndexFunc(list, func(s games.Tier) bool { return index < s.Start+s.Size })
	}
	for i := range last.Start + last.Size {
		p, ok := n.Position(i)
		require.True(t, ok)
		for _, m := range g.AppendMoves(nil, p) {
			index, err := n.Index(g.Play(p, m))
			require.NoError(t, err)
			require.LessOrEqual(t, tier(index), tier(i))
		}
		index, err := n.Index(p)
		require.NoError(t, err)
		require.Equal(t, i, index)
	}
}

func TestNumberFails(t *testing.T) {
	g := &countdown{name: "countdown", start: 5000}
	_, err := games.Number[int, int](t.Context(), g, games.NumberOptions{Memory: 1 << 10})
	require.ErrorContains(t, err, "countdown has more than ")
	require.ErrorContains(t, err, " reachable positions, too many to number in so little memory: allow more, or give the game a numbering of its own")
	require.ErrorIs(t, err, games.ErrMemory)
	require.NotErrorIs(t, err, games.ErrTooMany)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = games.Number[int, int](ctx, g, games.NumberOptions{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = games.Number[int, int](t.Context(), &sinking{countdown{name: "sinking", start: 5}}, games.NumberOptions{})
	require.EqualError(t, err, `sinking: move 1 in "5" leads to "4", which is in an earlier layer or has more points left`)
	calls := 0
	_, err = games.Number[int, int](t.Context(), g, games.NumberOptions{Progress: func(string, uint64, uint64) { calls++ }})
	require.NoError(t, err)
	require.Positive(t, calls)
}

// random is a game whose positions hardly ever meet again. It counts moves.
type random struct {
	countdown
	moves *int
}

func (g *random) Play(p, m int) int {
	*g.moves++
	return p*31 + m
}

func (g *random) AppendMoves(dst []int, _ int) []int { return append(dst, 1, 2, 3, 5, 7, 11, 13, 17) }

func (g *random) Outcome(int) (games.Value, bool) { return games.Unfinished, false }

// TestCheckNumber refuses a game that is much too large before many of its positions are
// numbered, and no other.
func TestCheckNumber(t *testing.T) {
	moves := 0
	g := &random{countdown{name: "random", start: 1}, &moves}
	_, err := games.Number[int, int](t.Context(), g, games.NumberOptions{Memory: 1 << 30})
	require.ErrorIs(t, err, games.ErrTooMany)
	require.EqualError(t, err, "random has more than 268435456 reachable positions, too many to number: no memory will do, the game needs a numbering of its own")
	require.Less(t, moves, 4_000_000)
	for _, start := range []int{1, 100, 100_000} {
		require.NoError(t, games.CheckNumber[int, int](t.Context(), &countdown{name: "countdown", start: start}, games.NumberOptions{}))
	}
}

// made counts the moves that are made of a countdown.
type made struct {
	countdown
	moves *int
}

func (g *made) Play(p, m int) int {
	*g.moves++
	return g.countdown.Play(p, m)
}

// TestNumberSmall makes each move of a small game once: random plays would say nothing that numbering does not.
func TestNumberSmall(t *testing.T) {
	moves := 0
	n := number(t, &made{countdown{name: "made", start: 5000}, &moves})
	require.EqualValues(t, 5001, n.Tiers()[0].Size)
	require.LessOrEqual(t, moves, 2*5001)
}

// sinking has layers that moves make smaller.
type sinking struct{ countdown }

func (g *sinking) Layer(p int) int { return p }
