package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/play/match"
)

// TestForfeits learns the moves of games that a player has forfeited, but not their results.
func TestForfeits(t *testing.T) {
	g := opened(t, "tictactoe")
	for _, ending := range []match.Ending{match.ByResigning, match.ByTime, match.ByCrash, match.ByIllegal} {
		decided := ending == match.ByResigning
		file := filepath.Join(t.TempDir(), "games")
		line := `{"pair":0,"from":"` + g.PositionText(g.Start()) + `","moves":["b2","a1"],"points":1,"ending":"` + string(ending) + `"}` + "\n"
		require.NoError(t, os.WriteFile(file, []byte(`{"game":"tictactoe","settings":""}`+"\n"+line+line), 0o600))
		list, bad, err := records.ReadMatch(g, file)
		require.NoError(t, err)
		require.Empty(t, bad)
		require.Len(t, list, 2)
		require.Len(t, list[1].Moves, 2)
		require.Equal(t, decided, list[1].Decided)

		var b strings.Builder
		r := match.Record{From: g.PositionText(g.Start()), Moves: []string{"b2", "a1"}, Points: 1, Ending: ending}
		require.NoError(t, match.WriteRecord(&b, g.Board, r, "A", "B"))
		read, err := records.Read(t.Context(), g, "file", []byte(b.String()))
		require.NoError(t, err)
		require.Len(t, read, 1)
		require.NoError(t, read[0].Err)
		require.Equal(t, decided, read[0].Points != nil)
	}
}
