package games_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestErase checks that a game with hidden types answers like the game itself.
func TestErase(t *testing.T) {
	g := &countdown{name: "countdown", start: 5}
	e := games.Erase(g)
	require.Same(t, g, games.Underlying(e))
	require.Same(t, g, games.Underlying(g), "a game that hides nothing")
	require.Equal(t, "countdown", e.Name())
	require.Equal(t, 5, e.Start())
	v, finished := e.Outcome(0)
	require.True(t, finished)
	require.Equal(t, games.Loss(0), v)
	_, finished = e.Outcome(5)
	require.False(t, finished)
	require.Equal(t, []any{"before", 1, 2}, e.AppendMoves([]any{"before"}, 5))
	require.Equal(t, 3, e.Play(5, 2))
	require.Equal(t, "at 5", string(e.AppendPosition([]byte("at "), 5)))
	require.Equal(t, "by 2", string(e.AppendMove([]byte("by "), 5, 2)))
	p, err := e.ParsePosition("17")
	require.NoError(t, err)
	require.Equal(t, 17, p)
	m, err := e.ParseMove(p, "2")
	require.NoError(t, err)
	require.Equal(t, 2, m)
	p, err = e.ParsePosition("x")
	require.Error(t, err)
	require.Nil(t, p)
	m, err = e.ParseMove(5, "3")
	require.EqualError(t, err, "no step of 3")
	require.Nil(t, m)
}

// TestEraseCapabilities checks that hiding types neither takes nor gives a
// capability.
func TestEraseCapabilities(t *testing.T) {
	none := games.Erase(&countdown{})
	_, ok := games.IndexerOf(none)
	require.False(t, ok)
	_, ok = games.CanonicalizerOf(none)
	require.False(t, ok)
	_, ok = games.DrawerOf(none)
	require.False(t, ok)
	_, ok = games.FinisherOf(none)
	require.False(t, ok)
	_, ok = games.GainerOf(none)
	require.False(t, ok)

	g := &capable{*newNumbered(5, games.Tier{Size: 101, Open: 101})}
	all := games.Erase(g)
	indexer, ok := games.IndexerOf(all)
	require.True(t, ok)
	require.Equal(t, g.Tiers(), indexer.Tiers())
	i, err := indexer.Index(5)
	require.NoError(t, err)
	require.EqualValues(t, 4, i)
	_, err = indexer.Index(1000)
	require.Error(t, err)
	p, ok := indexer.Position(6)
	require.True(t, ok)
	require.Equal(t, 6, p)
	_, ok = indexer.Position(7)
	require.False(t, ok)
	canonicalizer, ok := games.CanonicalizerOf(all)
	require.True(t, ok)
	require.Equal(t, 8, canonicalizer.Canonical(9))
	drawer, ok := games.DrawerOf(all)
	require.True(t, ok)
	require.Equal(t, "> board of 3\n", string(drawer.AppendBoard([]byte("> "), 3)))
	finisher, ok := games.FinisherOf(all)
	require.True(t, ok)
	require.Equal(t, []any{"before", 1003}, finisher.AppendFinishing([]any{"before"}, 3))
	gainer, ok := games.GainerOf(all)
	require.True(t, ok)
	require.Equal(t, 32, gainer.Gain(3, 2))

	// The same for the game itself.
	_, ok = games.IndexerOf(g)
	require.True(t, ok)
	_, ok = games.CanonicalizerOf(g)
	require.True(t, ok)
	_, ok = games.DrawerOf(g)
	require.True(t, ok)
	_, ok = games.FinisherOf(g)
	require.True(t, ok)
	_, ok = games.GainerOf(g)
	require.True(t, ok)
	_, ok = games.IndexerOf(&countdown{})
	require.False(t, ok)
}
