package cmd

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app/records"
)

// TestRecordHands reads records for serve and analyze: of a game the hands are those given, of a
// problem the defender has the rest, and the record says which it was.
func TestRecordHands(t *testing.T) {
	g, err := plugins{Game("shogi")}.open("shogi")
	require.NoError(t, err)
	served, err := plugins{Game("shogi")}.search(g, false, &servedFiles{servedWeights: &servedWeights{}, servedBooks: &servedBooks{}})
	require.NoError(t, err)
	const problem = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p"
	for _, c := range []struct{ name, text, hands, position string }{
		{"CSA, two kings", "P1 *  *  *  *  *  *  *  * -OU\nP9+HI *  *  * +OU *  *  *  * \n+\n+9998HI\n", "given", "8k/9/9/9/9/9/9/9/R3K4 b -"},
		{"CSA, one king", "P1 *  *  *  * -OU *  *  *  * \nP3 *  *  *  * +FU *  *  *  * \nP+00KI\n+\n+0052KI\n", "rest", problem},
		{"USI, two kings", "sfen 8k/9/9/9/9/9/9/9/R3K4 b - 1 moves 9i9h", "given", "8k/9/9/9/9/9/9/9/R3K4 b -"},
	} {
		text := []byte(c.text)
		list, err := served.Records(t.Context(), text)
		require.NoError(t, err, c.name)
		require.Len(t, list, 1, c.name)
		require.Empty(t, list[0].Error, c.name)
		require.Equal(t, c.hands, list[0].Hands, c.name)
		require.Equal(t, c.position, list[0].Position, c.name)
		read, err := records.Read(t.Context(), g, c.name, text)
		require.NoError(t, err, c.name)
		require.Equal(t, c.hands, read[0].Hands, c.name)
		require.Equal(t, c.position, g.PositionText(read[0].From), c.name)
	}
}
