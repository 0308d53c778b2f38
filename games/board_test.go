package games_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestPlace reads boards by a layout.
func TestPlace(t *testing.T) {
	grid := games.NewLayout(games.Grid, []string{"a", "b"}, []string{"2", "1"},
		games.PieceKind{Name: "king", Text: "K"}, games.PieceKind{Name: "pawn", Text: "P", Hand: true})
	require.Equal(t, []string{"a2", "b2", "a1", "b1"}, grid.Squares)
	pits := games.Layout{Style: games.Pits, Columns: make([]string, 1), Rows: make([]string, 2),
		Squares: []string{"a", "A"}, Kinds: []games.PieceKind{{Name: "stone", Text: "o"}}, Relative: true}

	king := games.Piece{Kind: "king", Side: 1, Square: "a1"}
	pawns := games.Piece{Kind: "pawn", Side: 2, Count: 3}
	squares, hand, err := grid.Place(games.Board{Turn: 2, Pieces: []games.Piece{pawns, king}})
	require.NoError(t, err)
	require.Equal(t, []games.Piece{{}, {}, {Kind: "king", Side: 1, Square: "a1", Count: 1}, {}}, squares)
	require.Equal(t, []games.Piece{pawns}, hand)

	stones := games.Piece{Kind: "stone", Side: 1, Square: "A", Count: 4}
	for _, c := range []struct {
		layout games.Layout
		turn   int
		pieces []games.Piece
		want   string
	}{
		{grid, 0, nil, "side 0 to move, want 1 or 2"},
		{pits, 0, []games.Piece{stones}, ""},
		{pits, 1, []games.Piece{{Kind: "stone", Side: 1, Square: "a"}}, "side 1 has no stones in a: it is a pit of the other side"},
		{grid, 1, []games.Piece{king, {Kind: "pawn", Side: 2, Square: "a1"}}, "two pieces on a1"},
		{grid, 1, []games.Piece{pawns, pawns}, "the hand of side 2 has two entries for the kind pawn, want one with a count"},
		{grid, 1, []games.Piece{{Kind: "queen", Side: 1, Square: "a1"}}, `"queen" is not a kind of pieces of this game`},
		{grid, 1, []games.Piece{{Kind: "king", Side: 1, Square: "c1"}}, `"c1" is not a square`},
		{grid, 1, []games.Piece{{Kind: "king", Side: 1}}, "a king cannot be in hand"},
		{grid, 1, []games.Piece{{Kind: "king", Square: "a1"}}, "side 0 of a king, want 1 or 2"},
		{grid, 1, []games.Piece{{Kind: "pawn", Side: 1, Square: "a1", Count: 2}}, "2 pieces on a1, want one"},
		{grid, 1, []games.Piece{{Kind: "pawn", Side: 1, Count: 100}}, "100 of the kind pawn in one place, want 1 to 99"},
		{grid, 1, []games.Piece{{Kind: "pawn", Side: 1, Count: -1}}, "-1 of the kind pawn in one place, want 1 to 99"},
	} {
		_, _, err := c.layout.Place(games.Board{Turn: c.turn, Pieces: c.pieces})
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, c.want)
	}
}

// A game that is a [games.Describer] gets its layout like this.
func ExampleNewLayout() {
	layout := games.NewLayout(games.Grid, games.Labels(3, 'a', 1), games.Labels(3, '3', -1),
		games.PieceKind{Name: "mark", Text: "x"})
	fmt.Println(layout.Squares)
	// Output: [a3 b3 c3 a2 b2 c2 a1 b1 c1]
}
