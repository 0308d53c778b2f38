package gomoku

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestPromising checks what a search that plays looks at: moves that are legal and different, all
// the moves that matter if there is a four, the middle of an empty board, and at least one move
// in every position.
func TestPromising(t *testing.T) {
	for _, c := range []struct{ game, position, want string }{
		{"gomoku", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x", "h8"},
		{"gomoku:size=6x9", "9/9/9/9/9/9 x", "e4"},
		{"gomoku:size=7x9", "9/9/oooo5/9/xxxx5/9/9 x", "e3"},                                // its own five
		{"gomoku:size=7x9", "9/9/1oooo4/9/xxx6/9/9 x", "a5 f5"},                             // the opponent's
		{"gomoku:size=3x3,k=3", "xox/oxo/3 o", "a1 c1"},                                     // the same for three
		{"gomoku:size=3x3,k=3", "xox/xoo/ox1 x", "c1"},                                      // the last square
		{"gomoku:size=3x3,k=3", "xox/xxo/oxo x", ""},                                        // a full board
		{"gomoku:size=3x3,k=3", "xxx/oo1/3 o", ""},                                          // the game is over
		{"gomoku:size=10x10", "10/10/10/10/10/10/10/10/10/x9 o", "a2 b1 b2 a3 b3 c1 c2 c3"}, // near the stone
	} {
		g := open(t, c.game)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		cursor := g.NewCursor(nil)
		cursor.Set(p)
		names := []string{}
		for _, s := range cursor.(games.Selector[Square]).AppendPromising(nil) {
			names = append(names, s.String())
		}
		want := []string{}
		if c.want != "" {
			want = strings.Fields(c.want)
		}
		require.ElementsMatch(t, want, names, "%s %s", c.game, c.position)
	}
	rng := rand.New(rand.NewPCG(1, 9))
	for _, spec := range []string{"gomoku", "gomoku:size=6x7,k=4", "gomoku:rule=exact", "gomoku:size=20x20,k=7"} {
		g := open(t, spec)
		cursor := g.NewCursor(nil)
		for range 20 {
			cursor.Set(g.Start())
			for {
				moves := cursor.AppendMoves(nil)
				if len(moves) == 0 {
					break
				}
				promising := cursor.(games.Selector[Square]).AppendPromising(nil)
				require.NotEmpty(t, promising)
				require.Subset(t, moves, promising)
				seen := map[Square]bool{}
				for _, s := range promising {
					require.False(t, seen[s], "%v twice", s)
					seen[s] = true
				}
				cursor.Do(moves[rng.IntN(len(moves))])
			}
		}
	}
}

// TestStraights compares the squares of straight fours with making the move and counting where a
// line can be completed.
func TestStraights(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found := 0
	for _, spec := range []string{"gomoku:size=7x7,k=4", "gomoku:size=8x9", "gomoku:size=8x9,rule=exact"} {
		g := open(t, spec)
		for range 300 {
			b := g.NewBoard(g.Start())
			for _, s := range rng.Perm(g.rows * g.columns)[:16+rng.IntN(16)] {
				side := Side(rng.IntN(2))
				if b.Place(g.fromTop(s), side); b.HasWon(side) {
					b.Remove(g.fromTop(s), side)
				}
			}
			for side := Black; side <= White; side++ {
				straights := b.straights(side)
				for s := range g.squares.All() {
					if !b.IsEmpty(s) {
						require.False(t, straights.Has(s))
						continue
					}
					before := b.Fives(side)
					if before.Has(s) {
						continue // a line
					}
					b.Place(s, side)
					after := b.Fives(side)
					b.Remove(s, side)
					if straights.Has(s) {
						found++
						require.GreaterOrEqual(t, after.Len(), 2, "%v", s)
						continue
					}
					after.RemoveAll(&before)
					require.Less(t, after.Len(), 2, "%v", s)
				}
			}
		}
	}
	require.Greater(t, found, 500)
}
