package variant

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

// walledText has small boards of Amazons, one with walls at the start, and games with other pieces and without symmetry.
const walledText = `
[two:amazons]
maxRank = 4
maxFile = d
startFen = 1q1q/4/4/Q1Q1 w - - 0 1

[one:amazons]
maxRank = 3
maxFile = c
startFen = q2/*2/2Q w - - 0 1

[knights:amazons]
maxRank = 3
maxFile = d
customPiece1 = q:mNmW
customPiece2 = b:mB2
startFen = q2b/4/1Q1B b - - 0 1
wallingRegionWhite = *1 *2

[misere:one]
stalemateValue = win
maxFile = d
startFen = q3/4/3Q w - - 0 1
`

func openWalled(t testing.TB, name string) *Walled {
	f, err := Read("walled.ini", strings.NewReader(walledText), BuiltIn())
	require.NoError(t, err)
	g, err := f.Family(name, name).Open(name + ":pieces=start")
	require.NoError(t, err)
	return g.(*Walled)
}

// TestWalled checks the promises of games that are numbered by walls.
func TestWalled(t *testing.T) {
	for _, name := range []string{"one", "two", "knights", "misere"} {
		if name != "one" && testing.Short() {
			continue
		}
		t.Run(name, func(t *testing.T) { gametest.Run[Position, Move](t, openWalled(t, name)) })
	}
}

// TestWalledIndex has all indices of small games: each has its own position, or is a hole, and holes are few.
func TestWalledIndex(t *testing.T) {
	for _, name := range []string{"one", "knights"} {
		if name != "one" && testing.Short() {
			continue
		}
		x := openWalled(t, name)
		holes, size := uint64(0), x.tiers[len(x.tiers)-1].Start+x.tiers[len(x.tiers)-1].Size
		for i := range size {
			p, ok := x.Position(i)
			if !ok {
				holes++
				continue
			}
			index, err := x.Index(p)
			require.NoError(t, err)
			require.Equal(t, i, index)
		}
		require.Less(t, holes, size/4)
	}
}

// TestWalledRefused has games whose positions are not numbered by walls, each for another reason.
func TestWalledRefused(t *testing.T) {
	f, err := Read("walled.ini", strings.NewReader(walledText+`
[duck:one]
wallingRule = duck

[taking:one]
customPiece1 = q:Q

[hopping:one]
customPiece1 = q:mpR

[twice:one]
customPiece1 = q:mRmW

[drawn:one]
stalemateValue = draw

[either:one]
wallOrMove = true
`), BuiltIn())
	require.NoError(t, err)
	for _, name := range []string{"duck", "taking", "hopping", "drawn", "either"} {
		g, err := f.Game(name)
		require.NoError(t, err)
		_, err = g.newWalled(name)
		require.Error(t, err, name)
	}
	large := open(t, "amazons")
	_, err = large.newWalled("amazons")
	require.ErrorContains(t, err, "at most 64")
}

var _ games.Game[Position, Move] = (*Walled)(nil)
