package shogi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeclares(t *testing.T) {
	for _, c := range []struct {
		position string
		want     bool
	}{
		{"startpos", false},
		{"K+R+BGGSS+N+L/PP7/9/9/9/9/9/9/8k b 10P", true},   // 10 pieces, 18 points, 10 in hand
		{"K+R+BGGSS+N+L/PP7/9/9/9/9/9/9/8k b 9P", false},   // 27 points
		{"K+R+BGGSS+N+L/P8/9/9/9/9/9/9/8k b 11P", false},   // 9 pieces
		{"+R+BGGSS+N+L1/PP7/9/K8/9/9/9/9/8k b 10P", false}, // the king is outside
		{"8K/9/9/9/9/9/7pp/9/k+r+bggss+n+l w 9p", true},    // White needs 27
		{"8K/9/9/9/9/9/7pp/9/k+r+bggss+n+l w 8p", false},
		{"K+R+BGGSS+N+L/PPr6/9/9/9/9/9/9/8k b 10P", true},
		{"K2+R+BGGSS/1PP+N+N4/r8/P8/9/9/9/9/8k b 11P", false}, // in check
	} {
		p, err := Game{}.ParsePosition(c.position)
		require.NoError(t, err)
		require.Equal(t, c.want, Game{}.Declares(p), c.position)
	}
	p, err := Game{}.ParsePosition("K+R+BGGSS+N+L/PP7/9/9/9/9/9/9/8k b 10P")
	require.NoError(t, err)
	require.False(t, Checking(White).Declares(p))
}
