package shogi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRepetition(t *testing.T) {
	const quiet = "2h3h 8b7b 3h2h 7b8b "
	const dragon = "6k2/4+R4/9/9/9/9/9/9/K8 b - 1"
	for _, c := range []struct {
		sfen, moves string
		want        Repetition
	}{
		{startSFEN, strings.Repeat(quiet, 2), NoRepetition},
		{startSFEN, strings.Repeat(quiet, 3), Draw},
		{startSFEN, strings.Repeat(quiet, 3) + "2h3h", Draw},
		{startSFEN, strings.Repeat(quiet, 3) + "7g7f", NoRepetition},
		{startSFEN, "7g7f 3c3d " + strings.Repeat(quiet, 3), Draw},
		// The dragon checks all the time.
		{dragon, strings.Repeat("5b5a 3a3b 5a5b 3b3a ", 3), LostByChecks},
		{dragon, strings.Repeat("5b5a 3a3b 5a5b 3b3a ", 3) + "5b5a", WonByChecks},
		// One of its moves does not.
		{dragon, "5b5a 3a3b 5a9a 3b2b 9a5a 2b3b " + strings.Repeat("5a5b 3b3a 5b5a 3a3b ", 2), Draw},
	} {
		p, err := ParseSFEN(c.sfen)
		require.NoError(t, err)
		b := NewBoard(p)
		for _, text := range strings.Fields(c.moves) {
			m, err := b.ParseUSI(text)
			require.NoError(t, err)
			b.Do(m)
		}
		require.Equal(t, c.want, b.Repetition(), c.moves)
	}
}
