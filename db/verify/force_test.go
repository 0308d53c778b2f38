package verify_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/games"
)

// ring is a game with scores: from each of the positions 1 to 4 a move leads to
// the next one, and from 4 to 1; from 2 a move that gains the bonus ends the game.
type ring struct {
	*dbtest.Graph
	bonus int
}

func (ring) Remaining(int) int { return 0 }

func (r ring) Gain(_, m int) int {
	if m == 0 {
		return r.bonus
	}
	return 0
}

func newRing(bonus int) ring {
	g := &dbtest.Graph{GameName: "ring", First: 1, TierList: []games.Tier{{Size: 5, Open: 5}}}
	g.Nodes = []dbtest.Node{{Outcome: games.Score(0)}}
	for i := 1; i <= 4; i++ {
		to := []int{i%4 + 1}
		if i == 2 {
			to = append(to, 0)
		}
		g.Nodes = append(g.Nodes, dbtest.Node{Outcome: games.Unfinished, To: to, Index: uint64(i)})
	}
	return ring{g, bonus}
}

// TestVerifyForced has values that agree with each other round the ring, though
// nobody can force them.
func TestVerifyForced(t *testing.T) {
	for _, c := range []struct {
		bonus  int
		values [4]games.Value
		want   []string
	}{
		{2, [4]games.Value{-2, 2, -2, 2}, nil},
		{-2, [4]games.Value{0, 0, 0, 0}, nil},
		{-2, [4]games.Value{-1, 1, -1, 1}, []string{
			`position "1" has the value -1, which is not forced`, `position "2" has the value +1, which is not forced`,
			`position "3" has the value -1, which is not forced`, `position "4" has the value +1, which is not forced`,
		}},
		{-2, [4]games.Value{1, -1, 1, -1}, []string{
			`position "1" has the value +1, which is not forced`, `position "2" has the value -1, which is not forced`,
			`position "3" has the value +1, which is not forced`, `position "4" has the value -1, which is not forced`,
		}},
		{2, [4]games.Value{-3, 3, -3, 3}, []string{ // more than the bonus
			`position "1" has the value -3, which is not forced`, `position "2" has the value +3, which is not forced`,
			`position "3" has the value -3, which is not forced`, `position "4" has the value +3, which is not forced`,
		}},
	} {
		u, err := games.UniverseOf(newRing(c.bonus))
		require.NoError(t, err)
		s := &dbtest.Solved{U: u, Positions: "all", Values: map[uint64]games.Value{}, Finished: map[uint64]games.Value{0: 0}, Moves: map[uint64]int{}}
		for i, v := range c.values {
			s.Values[uint64(i+1)] = v
			s.Moves[uint64(i+1)] = 1
		}
		s.Moves[2] = 2
		fs := vfs.NewMem()
		s.Write(t, fs)
		_, problems, err := dbtest.Verify(fs, u)
		require.NoError(t, err)
		require.ElementsMatch(t, c.want, problems, "%v", c.values)
	}
}
