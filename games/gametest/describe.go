package gametest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// described is the number of positions whose boards are checked.
const described = 300

// describe checks that a board can be set up again as its position, also via JSON, that moves
// name squares and pieces of the layout, and that a randomly changed board is either refused
// or set up as the position that it shows.
func (s *suite[P, M]) describe(t *testing.T, d games.Describer[P, M]) {
	layout := d.Layout()
	requireLayout(t, layout)
	for i, at := range s.rng.Perm(len(s.positions))[:min(described, len(s.positions))] {
		p := s.positions[at]
		b := d.Board(p)
		require.Contains(t, []int{1, 2}, b.Turn, "%s: the side to move", s.name(p))
		if layout.Relative {
			require.Equal(t, 1, b.Turn, "%s: the side to move of a relative layout is side 1", s.name(p))
		}
		text, err := json.Marshal(b)
		require.NoError(t, err)
		var read games.Board
		require.NoError(t, json.Unmarshal(text, &read))
		slices.Reverse(read.Pieces)
		q, err := d.SetUp(read)
		require.NoError(t, err, "the board of %s", s.name(p))
		require.Equal(t, p, q, "the board of %s is set up as %s", s.name(p), s.name(q))
		s.traces(t, d, &layout, p)
		if i%4 == 0 && len(b.Pieces) > 0 {
			s.changeBoard(t, d, &layout, b)
		}
	}
}

func requireLayout(t *testing.T, l games.Layout) {
	require.Contains(t, []games.Style{games.Grid, games.Chequered, games.Lines, games.Columns, games.Pits, games.Hexagons}, l.Style)
	require.Len(t, l.Squares, len(l.Columns)*len(l.Rows), "the layout has a name for each square")
	squares := usedSquares(&l)
	require.NotEmpty(t, squares)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(squares))), len(squares), "two squares have the same name")
	require.NotEmpty(t, l.Kinds)
	names := map[string]bool{"": true}
	for _, k := range l.Kinds {
		require.False(t, names[k.Name], "two kinds are called %q", k.Name)
		require.NotEmpty(t, k.Text, k.Name)
		names[k.Name] = true
	}
}

// usedSquares returns the names of the squares on which pieces can stand.
func usedSquares(l *games.Layout) []string {
	return slices.DeleteFunc(slices.Clone(l.Squares), func(name string) bool { return name == "" })
}

// traces checks the traces of all moves of p. Two moves may have the same trace; their texts
// then tell them apart.
func (s *suite[P, M]) traces(t *testing.T, d games.Describer[P, M], layout *games.Layout, p P) {
	moves, b := s.g.AppendMoves(nil, p), d.Board(p)
	for _, m := range moves {
		if !layout.Relative {
			require.NotEqual(t, b.Turn, d.Board(s.g.Play(p, m)).Turn, "%s: after move %s the same side is to move", s.name(p), s.g.AppendMove(nil, p, m))
		}
	}
	if s.finisher != nil {
		moves = s.finisher.AppendFinishing(moves, p)
	}
	for _, m := range moves {
		trace, text := d.Trace(p, m), s.g.AppendMove(nil, p, m)
		require.NotEmpty(t, trace.Squares, "%s: move %s has no squares", s.name(p), text)
		require.Subset(t, usedSquares(layout), trace.Squares, "%s: move %s", s.name(p), text)
		if trace.Drop != "" {
			require.True(t, slices.ContainsFunc(b.Pieces, func(x games.Piece) bool {
				return x.Square == "" && x.Kind == trace.Drop && (x.Side == b.Turn)
			}), "%s: move %s drops a %s that is not in hand", s.name(p), text, trace.Drop)
		}
	}
}

// changeBoard changes b in ways that may be valid, and in ways that must be refused.
func (s *suite[P, M]) changeBoard(t *testing.T, d games.Describer[P, M], l *games.Layout, b games.Board) {
	squares := usedSquares(l)
	change := func(alter func(b *games.Board, x *games.Piece)) (games.Board, error) {
		c := games.Board{Turn: b.Turn, Pieces: slices.Clone(b.Pieces)}
		alter(&c, &c.Pieces[s.rng.IntN(len(c.Pieces))])
		p, err := d.SetUp(c)
		if err != nil {
			return c, err
		}
		q, err := s.g.ParsePosition(s.name(p))
		require.NoError(t, err, "the board %v is set up as %s, which is refused", c, s.name(p))
		require.Equal(t, p, q)
		got := d.Board(p)
		if !l.Derived {
			require.Equal(t, c.Turn, got.Turn, "%v is set up as %s", c, s.name(p))
		}
		require.ElementsMatch(t, withCounts(c.Pieces), withCounts(got.Pieces), "%v is set up as %s", c, s.name(p))
		return c, nil
	}
	change(func(_ *games.Board, x *games.Piece) { x.Square = squares[s.rng.IntN(len(squares))] })
	change(func(_ *games.Board, x *games.Piece) { x.Kind = l.Kinds[s.rng.IntN(len(l.Kinds))].Name })
	change(func(b *games.Board, _ *games.Piece) { b.Pieces = b.Pieces[1:] })
	change(func(_ *games.Board, x *games.Piece) { x.Side = 3 - x.Side })
	if !l.Relative {
		change(func(b *games.Board, _ *games.Piece) { b.Turn = 3 - b.Turn })
	}
	for what, alter := range map[string]func(b *games.Board, x *games.Piece){
		"square":      func(_ *games.Board, x *games.Piece) { x.Square = "?" },
		"kind":        func(_ *games.Board, x *games.Piece) { x.Kind = "?" },
		"side":        func(_ *games.Board, x *games.Piece) { x.Side = 3 },
		"count":       func(_ *games.Board, x *games.Piece) { x.Count = 100 },
		"same square": func(b *games.Board, x *games.Piece) { b.Pieces = append(b.Pieces, *x) },
	} {
		bad, err := change(alter)
		require.Error(t, err, "%s: %v", what, bad)
	}
}

// withCounts returns the pieces with a count of 1 where there is none.
func withCounts(pieces []games.Piece) []games.Piece {
	list := slices.Clone(pieces)
	for i := range list {
		list[i].Count = max(list[i].Count, 1)
	}
	return list
}
