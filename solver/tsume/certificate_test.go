//go:build !race

package tsume

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// certificate shows by legal moves alone that there is no mate in a number of plies: in
// each position with the attacker to move, every check has a reply after which there is
// no mate in two plies less. The search only suggests the reply.
type certificate struct {
	t      *testing.T
	board  *shogi.Board
	reader *dfpn.Reader
	none   map[shogi.Position]int // plies in which there is no mate
}

func (c *certificate) require(plies int) {
	if plies <= 0 {
		return
	}
	p := c.board.Position()
	if c.none[p] >= plies {
		return
	}
	for _, m := range c.board.AppendMoves(nil) {
		c.board.Do(m)
		if c.board.InCheck() {
			c.requireReply(plies - 2)
		}
		c.board.Undo()
	}
	c.none[p] = plies
}

func (c *certificate) requireReply(plies int) {
	replies := c.board.AppendMoves(nil)
	require.NotEmpty(c.t, replies, "a mate was missed")
	if plies <= 0 {
		return
	}
	for _, known := range []bool{true, false} {
		for _, m := range replies {
			c.board.Do(m)
			holds := c.none[c.board.Position()] >= plies
			if !known && c.reader.Search(uint16(plies)).Outcome == dfpn.Disproven {
				c.require(plies)
				holds = true
			}
			c.board.Undo()
			if holds {
				return
			}
		}
	}
	require.Fail(c.t, "no reply holds out", "%d plies, %s", plies, c.board.Position())
}

// TestShortestIsShortest shows that no mate is shorter than those found by search, for
// problems of Shōgi Zukō.
func TestShortestIsShortest(t *testing.T) {
	for _, c := range []struct {
		sfen   string
		length int
	}{
		{"6kp1/8n/5R1L1/4+b2sB/6N2/9/6L2/9/9 b -", 13},                      // 92
		{"1p3ls1+P/+B4+P1gg/7P1/6S1g/8n/7n1/4sS3/1r4+r1G/5+p1k1 b BLP", 15}, // 66
	} {
		if testing.Short() && c.length > 13 {
			continue
		}
		p, err := ParseProblem(c.sfen, Reading{})
		require.NoError(t, err)
		table, err := dfpn.NewTable(64 << 20)
		require.NoError(t, err)
		s, err := Solve(t.Context(), p, table, Options{Shortest: true})
		require.NoError(t, err)
		require.True(t, s.Shortest)
		require.Equal(t, c.length, s.Length)
		at := newCursor(p, false)
		none := certificate{t, at.board, dfpn.NewReader(t.Context(), table, at, dfpn.Config{}), map[shogi.Position]int{}}
		none.require(c.length - 2)
		t.Log(len(none.none), "positions show that there is no mate in", c.length-2)
	}
}
