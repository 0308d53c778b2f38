package games

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		bounds  Bounds
		text    string
		decided bool // where values are distances
		backup  string
	}{
		{Unbounded, "unknown", false, "unknown"},
		{BoundsOf(Win(7)), "win in 7", true, "loss in 8"},
		{BoundsOf(Loss(4)), "loss in 4", true, "win in 5"},
		{BoundsOf(Draw), "draw", true, "draw"},
		{BoundsOf(Won.Value()), "win", true, "loss"},
		{BoundsOf(Lost.Value()), "loss", true, "win"},
		{Bounds{Win(9), Won.Value()}, "win in 9 or less", true, "loss in 10 or less"},
		{Bounds{Lost.Value(), Loss(10)}, "loss in 10 or less", true, "win in 11 or less"},
		{Bounds{Win(9), Win(5)}, "win in 9 or less", true, "loss in 10 or less"},
		{BoundsOfResults(Drawn, Won), "draw or more", false, "draw or less"},
		{BoundsOfResults(Lost, Drawn), "draw or less", false, "draw or more"},
		{BoundsOfResults(Won, Won), "win", true, "loss"},
		{BoundsOfResults(Lost, Won), "unknown", false, "unknown"},
		{Bounds{Loss(12), Draw}, "loss in 12 to draw", false, "draw to win in 13"},
	} {
		require.Equal(t, c.text, c.bounds.String())
		require.Equal(t, c.decided, c.bounds.Decided(ByDistance), c.text)
		require.Equal(t, c.backup, c.bounds.Backup(0).String(), c.text)
	}
	for _, c := range []struct {
		bounds       Bounds
		text, backup string // a move that gains 3 points
		decided      bool
	}{
		{Bounds{Score(2), Won.Value()}, "+2 or more", "+1 or less", false},
		{Bounds{Score(2), Score(6)}, "+2 to +6", "-3 to +1", false},
		{BoundsOf(Score(-2)), "-2", "+5", true},
		{Bounds{Lost.Value(), Draw}, "draw or less", "+3 or more", false},
	} {
		require.Equal(t, c.text, c.bounds.String())
		require.Equal(t, c.decided, c.bounds.Decided(ByScore), c.text)
		require.Equal(t, c.backup, c.bounds.Backup(3).String(), c.text)
	}
	both, err := Bounds{Win(9), Won.Value()}.Meet(Bounds{Lost.Value(), Win(5)})
	require.NoError(t, err)
	require.Equal(t, Bounds{Win(9), Win(5)}, both)
	_, err = BoundsOf(Draw).Meet(BoundsOf(Win(3)))
	require.ErrorContains(t, err, "draw and win in 3")
	require.Positive(t, BoundsOf(Win(3)).Compare(BoundsOf(Win(5))))
}

// TestBackup says that the bounds of a move hold whatever value within bounds the position after it has.
func TestBackup(t *testing.T) {
	values := []Value{Loss(0), Loss(6), Draw, Win(5), Win(1)}
	for _, lower := range append(values, Lost.Value()) {
		for _, upper := range append(values, Won.Value()) {
			for _, v := range values {
				if lower <= v && v <= upper {
					b := Bounds{lower, upper}.Backup(0)
					require.LessOrEqual(t, b.Lower, v.Backup(0), "%v %v %v", lower, upper, v)
					require.GreaterOrEqual(t, b.Upper, v.Backup(0), "%v %v %v", lower, upper, v)
				}
			}
		}
	}
}
