package shogi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHands reads the hands of positions in which pieces are missing.
func TestHands(t *testing.T) {
	const (
		one    = "4k4/9/4P4/9/9/9/9/9/9 b G"
		black  = "9/9/9/9/9/9/4p4/9/4K4 w g"
		two    = "4k4/9/4P4/9/9/9/9/9/4K4 b G"
		partly = "4k4/9/4P4/9/9/9/9/9/9 b Gr"
	)
	white, both := [2]bool{false, true}, [2]bool{true, true}
	for _, c := range []struct {
		name, position string
		reading        Hands
		written        Written
		want           Hands // what used is
		rest           Color // whose the rest is, if there is a whole set
	}{
		{"one king", one, UsualHands, Written{}, WhiteHasRest, White},
		{"one king, of Black", black, UsualHands, Written{}, BlackHasRest, Black},
		{"part of a hand in SFEN", partly, UsualHands, Written{}, WhiteHasRest, White},
		{"the attacker's hand", one, UsualHands, Written{Hand: [2]bool{true, false}}, WhiteHasRest, White},
		{"one king and none in hand", one, UsualHands, Written{Hand: white}, GivenHands, 0},
		{"two kings", two, UsualHands, Written{}, GivenHands, 0},
		{"two kings in a problem", two, UsualHands, Written{Problem: true}, WhiteHasRest, White},
		{"two kings in a problem, hands written", two, UsualHands, Written{Problem: true, Hand: both}, GivenHands, 0},
		{"the rest, in words", two, UsualHands, Written{Rest: white}, UsualHands, White},
		{"the rest, in words, and given", two, GivenHands, Written{Rest: [2]bool{true, false}}, UsualHands, Black},
		{"given", one, GivenHands, Written{}, GivenHands, 0},
		{"rest", two, RestOfSet, Written{Hand: both}, WhiteHasRest, White},
		{"rest of Black", two, BlackHasRest, Written{}, BlackHasRest, Black},
		{"a whole set", startSFEN, RestOfSet, Written{}, UsualHands, 0},
	} {
		p, err := ParseSFEN(c.position)
		require.NoError(t, err, c.name)
		q, used := c.reading.Read(p, c.written)
		require.Equal(t, c.want, used, c.name)
		want := p
		if c.want != GivenHands {
			want = p.WithRest(c.rest)
		}
		require.Equal(t, want, q, c.name)
		require.Equal(t, q, func() Position { again, _ := c.reading.Read(q, c.written); return again }(), c.name)
	}
	for text, want := range map[string]Hands{"": UsualHands, "usual": UsualHands, "given": GivenHands, "rest": RestOfSet} {
		h, err := ParseHands(text)
		require.NoError(t, err)
		require.Equal(t, want, h)
	}
	_, err := ParseHands("all")
	require.EqualError(t, err, `"all": want given or rest`)
}

// TestParsePositionWith has moves that drop what only the rest of a set has.
func TestParsePositionWith(t *testing.T) {
	const text = "8k/9/7G1/9/9/9/9/9/9 b R moves R*5a P*4a"
	p, moves, used, err := ParsePositionWith(text, UsualHands)
	require.NoError(t, err)
	require.Len(t, moves, 2)
	require.Equal(t, WhiteHasRest, used)
	require.Equal(t, 18, p.Hand(White).Count(Pawn))
	_, moves, used, err = ParsePositionWith(text, GivenHands)
	require.ErrorContains(t, err, "white, who is to move, has no pawn in hand")
	require.Len(t, moves, 1)
	require.Equal(t, GivenHands, used)
}
