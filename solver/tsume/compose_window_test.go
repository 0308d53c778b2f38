//go:build !race

package tsume

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// TestComposeWindows asks the same composer with wider and wider windows: what was cut
// off before must be found then. Pieces left in hand count, or not.
func TestComposeWindows(t *testing.T) {
	cut := 0
	for _, pieces := range []bool{false, true} {
		cut += composeWindows(t, pieces)
	}
	require.Greater(t, cut, 150)
}

func composeWindows(t *testing.T, pieces bool) (cut int) {
	for _, position := range []string{
		"6l1k/7p1/7+P1/9/9/9/9/9/2R6 b l6p",
		"6Glk/8p/8S/9/9/9/6B2/9/9 b sn",
		"8k/6P2/6+P2/9/9/9/3R5/9/9 b g",
		"7k1/6+l1p/4+L+B2+R/2+R6/9/9/9/9/9 b p",
		"5lk2/4BL1pp/L1R6/9/9/9/9/9/9 b Nb",
		"9/9/9/9/9/b3r4/P1N6/K5+l2/3L5 w SNs",
		"7n1/5+B+P1r/7k1/7+p1/6P2/7N1/7N1/8B/9 b N2Pr4g4s4l13p", // Shōgi Zukō 18
	} {
		p, err := shogi.ParseSFEN(position)
		require.NoError(t, err)
		table, err := dfpn.NewFixedTable(1 << 24)
		require.NoError(t, err)
		s, err := Solve(t.Context(), Problem{Position: p}, table, Options{Shortest: true, Composed: true})
		require.NoError(t, err)
		require.Positive(t, s.Composed)
		at := newCursor(Problem{Position: p}, false, table)
		fresh := func() *composer {
			c := newComposer(at, dfpn.NewReader(t.Context(), table, at, dfpn.Config{}), ByAnyPiece)
			c.pieces = pieces
			return c
		}
		// All positions of the line as the rules count, each with all windows.
		b := shogi.NewBoard(p)
		c := fresh()
		for i, m := range s.Line {
			length := len(s.Line) - i
			ask := c.defend
			if b.Turn() == p.Turn() {
				ask = func(p shogi.Position, length, most int) (int, error) { return c.attack(p, length, 0, most) }
			}
			whole := fresh()
			line, err := whole.line(b.Position(), s.Line[i:])
			require.NoError(t, err)
			want := ply*len(line) + c.mated(played(b.Position(), line))
			for most := range c.top(length) + 1 {
				score, err := ask(b.Position(), length, most)
				require.NoError(t, err)
				if want <= most {
					require.Equal(t, want, score, "%s, ply %d, at most %d", position, i, most)
				} else {
					cut++
					require.Greater(t, score, most, "%s, ply %d", position, i)
					require.LessOrEqual(t, score, want, "%s, ply %d", position, i)
				}
			}
			// What was cut off has left nothing wrong behind.
			again, err := c.line(b.Position(), s.Line[i:])
			require.NoError(t, err)
			require.Equal(t, want, ply*len(again)+c.mated(played(b.Position(), again)), "%s, ply %d", position, i)
			b.Do(m)
		}
	}
	return cut
}
