package gomoku

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku/gomokutest"
	"github.com/yomikiri/yomikiri/proof"
)

// testWin tests what an accepted tree shows of the win of p: the bound on the moves and the zone,
// by full-width search and by following the tree to its end against all replies; and the line.
func testWin(t *testing.T, game *Game, oracle *gomokutest.Solver, position gomokutest.Position, p Position, text string, count map[string]int) {
	f := following{Game: game, followLimits: followLimits{500, 3}, root: p}
	require.NoError(t, f.follow(t.Context(), p, text), text)
	win := f.done.win
	require.NotNil(t, win)

	follower, root, start, err := game.newFollower(t.Context(), p, text)
	require.NoError(t, err)
	w := allFollower{follower: follower}
	test := func(what string, position gomokutest.Position, b board) {
		count[what]++
		w.left, w.cut = math.MaxInt, false
		clear(w.seen)
		require.NoError(t, w.follow(root, &b, win.Moves), "%s, %s: %s", what, p.squares, text)
		require.False(t, w.cut, "%s: not won within %d moves: %s, %s", what, win.Moves, p.squares, text)
		won, err := oracle.WinsWithin(position, win.Moves)
		if err != nil {
			count["too hard"]++
			return
		}
		require.True(t, won, "%s: full-width search finds no win within %d moves: %s, %s", what, win.Moves, p.squares, text)
	}
	test("wins", position, start)
	if game.exact {
		count["wins, exact rule"]++
	}
	if win.Order > 1 {
		count["wins, not by fours alone"]++
	}
	var zone set // without what is remembered in between
	w.addWindows(&zone, &start.defender, &start.attacker, 1)
	require.NoError(t, w.zone(&zone, root, &start, 0, -1))
	for m, bit := range game.grid.bits {
		if !start.open(bit) {
			continue
		}
		in := slices.Contains(win.Zone, string(game.AppendMove(nil, p, Move(m))))
		require.Equal(t, zone.has(bit), in, "%s, %s: %d", p.squares, text, m)
		if in {
			continue
		}
		if start.taken.has(bit) {
			count["ghosts outside the zone"]++
		}
		more, b := position, start
		more.Other |= 1 << m
		b.place(bit)
		require.False(t, game.hasLine(&b.defender), "%s, %s: a line with %d", p.squares, text, m)
		test("stones outside the zone", more, b)
	}
	testLine(t, game, p, win)
}

// testLine plays the line of a win.
func testLine(t *testing.T, game *Game, p Position, win *Win) {
	attacker := p.toMove
	for i, name := range win.Line {
		require.False(t, game.hasWon(p.squares, opponent(p.toMove)), "the line goes on after %d moves", i)
		m, err := game.ParseMove(p, name)
		require.NoError(t, err)
		p = game.Play(p, m)
	}
	require.True(t, game.hasWon(p.squares, attacker))
	require.LessOrEqual(t, len(win.Line), 2*win.Moves-1)
}

// TestWin compares what trees show of a win with what is known of it.
func TestWin(t *testing.T) {
	for _, c := range []struct {
		name, game, position, tree string
		want                       Win
	}{
		{"a line at once", "gomoku:size=2x5,k=3", "xx3/5 x", "tree\nc2", Win{1, 0, []string{"c2"}, []string{"c2"}}},
		{"both have one", "gomoku:size=2x5,k=3", "xx3/oo3 x", "tree\nc2", Win{1, 0, []string{"c2"}, []string{"c1", "c2"}}},
		{"the other's would be too long", "gomoku:size=2x7,k=3,rule=exact", "xx5/oo1o3 x", "tree\nc2", Win{1, 0, []string{"c2"}, []string{"c2"}}},
		{"two ends", "gomoku:size=2x5,k=3", "5/1x3 x", "tree\na1\nd1\nc1 2 +a1=1", Win{2, 1, []string{"c1", "a1", "d1"}, []string{"a1", "c1", "d1"}}},
		{
			// The answer to the other replies takes one move more than any of the others.
			"OTHERWISE takes longest", "gomoku:size=3x9,k=3", "1x6x/9/1x7 x",
			"tree\na3\nd3\nc3 2 +a3=1\ng3\nh3 1 +g3=2\na1\nd1\nc1 2 +a1=1\n" +
				"e2 4 +a3=1 +c3=1 +d3=1 +e3=1 +f3=1 +g3=1 +h3=1 +e1=1 +f2=1 +g1=1 +g2=1 +h2=1 +i1=1",
			Win{4, 2, []string{"e2", "a1", "h3", "g3", "c3", "a3", "d3"}, strings.Fields(
				"a1 c1 d1 e1 f1 g1 h1 i1 a2 b2 c2 d2 e2 f2 g2 h2 i2 a3 c3 d3 e3 f3 g3 h3")},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := open(t, c.game)
			p, err := g.ParsePosition(c.position)
			require.NoError(t, err)
			f := following{Game: g, followLimits: followLimits{1000, 5}, root: p}
			require.NoError(t, f.CheckCertificate(unlimited(), p, true, proof.Win, []byte(c.tree)))
			require.Equal(t, &c.want, f.done.win)
		})
	}
}
