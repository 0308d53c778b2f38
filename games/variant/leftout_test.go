package variant

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestLeftOut has variants with the rules of history of chess, with others, and with none.
func TestLeftOut(t *testing.T) {
	file, err := Read("test.ini", strings.NewReader(`
[forever:chess]
nMoveRule = 0
[child:forever]
maxRank = 6
startFen = rnbqkbnr/pppppppp/8/8/PPPPPPPP/RNBQKBNR w - - 0 1
[lost:chess]
nFoldRule = 2
nFoldValue = loss
[unfolded:lost]
nFoldRule = 0
[never:chess]
perpetualCheckIllegal = false
moveRepetitionIllegal = true
countingRule = none
`), BuiltIn())
	require.NoError(t, err)
	for name, want := range map[string][]string{
		"chess":    {"nMoveRule = 50"},
		"forever":  nil,
		"child":    nil,
		"lost":     {"nMoveRule = 50", "nFoldRule = 2", "nFoldValue = loss"},
		"unfolded": {"nMoveRule = 50"},
		"never":    {"nMoveRule = 50", "moveRepetitionIllegal = true"},
		"xiangqi":  {"nMoveRule = 50", "perpetualCheckIllegal = true", "chasingRule = axf"},
		"connect4": nil,
	} {
		g, err := file.Game(name)
		if err != nil {
			g, err = BuiltIn().Game(name)
		}
		require.NoError(t, err)
		require.Equal(t, want, games.LeftOutOf(g), name)
	}
}
