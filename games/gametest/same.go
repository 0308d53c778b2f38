package gametest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// Same compares what two implementations of a game say of a position: its text, whether it is
// finished, its value and its moves. It returns the moves in order, each with the position that it
// leads to.
func Same[P, M, Q, N comparable](t testing.TB, g games.Game[P, M], other games.Game[Q, N], text string) [][2]string {
	t.Helper()
	p, err := g.ParsePosition(text)
	require.NoError(t, err)
	q, err := other.ParsePosition(text)
	require.NoError(t, err)
	require.Equal(t, text, string(g.AppendPosition(nil, p)))
	require.Equal(t, text, string(other.AppendPosition(nil, q)))
	moves := successors(other, q)
	require.Equal(t, moves, successors(g, p), text)
	want, over := other.Outcome(q)
	v, finished := g.Outcome(p)
	require.Equal(t, want, v, text)
	require.Equal(t, over, finished, text)
	return moves
}

func successors[P, M comparable](g games.Game[P, M], p P) (list [][2]string) {
	for _, m := range g.AppendMoves(nil, p) {
		list = append(list, [2]string{string(g.AppendMove(nil, p, m)), string(g.AppendPosition(nil, g.Play(p, m)))})
	}
	slices.SortFunc(list, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return list
}
