package shogi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// TestReadMate reads positions for a server as tsume reads them, and says in answers how it read them.
func TestReadMate(t *testing.T) {
	for _, c := range []struct{ text, hands, used, answer string }{
		{"8k/7pp/9/9/9/9/9/9/R3K4 b -", "", "given", "mate"},
		{"8k/7pp/9/9/9/9/9/9/R3K4 b -", "rest", "rest", "no mate"},
		{"8k/7pp/9/9/9/9/9/9/R8 b -", "", "rest", "no mate"},
		{"8k/7pp/9/9/9/9/9/9/R8 b -", "given", "given", "mate"},
		{"8k/9/7G1/9/9/9/9/9/9 b R moves R*5a P*4a", "", "rest", "no mate"},
	} {
		p, used, err := readMate(c.text, c.hands)
		require.NoError(t, err, c.text)
		require.Equal(t, c.used, used, c.text)
		found, err := findMate(t.Context(), shogi.Game{}, p, app.SearchOptions{Memory: 1 << 20, Hands: used})
		require.NoError(t, err, c.text)
		r := found.Result.(solvedProblem)
		require.Equal(t, c.answer, r.Answer, c.text)
		require.Equal(t, c.used, r.Hands, c.text)
	}
	_, _, err := readMate("startpos", "all")
	require.EqualError(t, err, `hands "all": want given or rest`)
}

// TestDecider has a decider for games, and none where a side must give check: a lost one has to be told moves that
// do.
func TestDecider(t *testing.T) {
	for g, want := range map[shogi.Game]bool{{}: true, shogi.Checking(shogi.Black): false, shogi.Checking(shogi.White): false} {
		d, err := Extra.Decider(g, 1<<20)
		require.NoError(t, err)
		require.Equal(t, want, d != nil, g.Name())
	}
}
