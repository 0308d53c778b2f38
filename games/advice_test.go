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
		{BoundsOfResults(Drawn, Won), "at least draw", false, "at most draw"},
		{BoundsOfResults(Lost, Drawn), "at most draw", false, "at least draw"},
		{BoundsOfResults(Won, Won), "win", true, "loss"},
		{BoundsOfResults(Lost, Won), "unknown", false, "unknown"},
		{Bounds{Lost.Value(), Win(7)}, "at most win in 7", false, "at least loss in 8"},
		{Bounds{Loss(12), Draw}, "loss in 12 to draw", false, "draw to win in 13"},
	} {
		require.Equal(t, c.text, c.bounds.String())
		require.Equal(t, c.decided, c.bounds.Decided(ByDistance), c.text)
		require.Equal(t, c.backup, c.bounds.Backup(0).String(), c.text)
		var read Bounds
		require.NoError(t, read.UnmarshalText([]byte(c.text)))
		require.Equal(t, c.text, read.String())
	}
	for _, c := range []struct {
		bounds       Bounds
		text, backup string // a move that gains 3 points
		decided      bool
	}{
		{Bounds{Score(2), Won.Value()}, "at least +2", "at most +1", false},
		{Bounds{Score(2), Score(6)}, "+2 to +6", "-3 to +1", false},
		{BoundsOf(Score(-2)), "-2", "+5", true},
		{Bounds{Lost.Value(), Draw}, "at most draw", "at least +3", false},
	} {
		require.Equal(t, c.text, c.bounds.String())
		require.Equal(t, c.decided, c.bounds.Decided(ByScore), c.text)
		var read Bounds
		require.NoError(t, read.UnmarshalText([]byte(c.text)))
		require.Equal(t, c.bounds, read)
		require.Equal(t, c.backup, c.bounds.Backup(3).String(), c.text)
	}
	require.Error(t, new(Bounds).UnmarshalText([]byte("win in x or less")))
	both, err := Bounds{Win(9), Won.Value()}.Meet(Bounds{Lost.Value(), Win(5)})
	require.NoError(t, err)
	require.Equal(t, Bounds{Win(9), Win(5)}, both)
	_, err = BoundsOf(Draw).Meet(BoundsOf(Win(3)))
	require.ErrorIs(t, err, ErrContradiction)
	require.ErrorContains(t, err, "draw and win in 3")
}

// TestBackup says that the bounds of a move hold whatever value within bounds the position after it has, and those
// after a move whatever value the position has.
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
				for _, after := range append(values, Loss(4), Win(3), Win(7)) {
					if lower <= v && v <= upper && after.Backup(0) <= v {
						require.LessOrEqual(t, Bounds{lower, upper}.After(0).Lower, after, "%v %v %v", lower, upper, v)
						require.Equal(t, after, BoundsOf(after.Backup(0)).After(0).Lower)
					}
				}
			}
		}
	}
}
