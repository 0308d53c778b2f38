package connect4

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestMoveFeatures compares what moves do, the threats of both sides on their squares, and the discs around, with what is
// seen on the board.
func TestMoveFeatures(t *testing.T) {
	g, err := Family.Open("connect4")
	require.NoError(t, err)
	const none = games.NoFeature
	for _, c := range []struct {
		position, move               string
		effect, made, taken, touches int32
	}{
		{"......./......./......./......./......./.......", "d", none, none, none, 0},
		{"......./......./......./......./......./..xxo.o", "b", none, 3, none, 5}, // on a1
		{"......./......./......./......./oo...../xxx.o..", "d", 0, none, none, 6},
		{"......./......./......./......./......./xxx.oo.", "d", 5, 3, none, 6},
		{"......./......./......./......./.o...../.xx..o.", "d", none, 6, none, 5}, // on a1 and e1
		{"......./......./......./......./ooo..../xxo.xx.", "d", 1, 3, none, 7},    // o wins on d2
		{"......./......./......./......./xxx..../oox.oo.", "d", 3, none, 3, 11},   // o takes d2
	} {
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		m, err := games.ParseMove(g, p, c.move)
		require.NoError(t, err)
		f := g.AppendMoveFeatures(nil, p, nil, []Move{m})
		require.Equal(t, []int32{c.effect, c.made, c.taken, none, c.touches}, []int32{f[0], f[1], f[2], f[4], f[5]}, c.position)
	}
	a, d := Move(0), Move(3)
	require.Equal(t, int32(3), g.AppendMoveFeatures(nil, g.Play(g.Start(), a), &a, []Move{d})[4])
}
