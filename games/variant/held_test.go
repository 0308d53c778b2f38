package variant

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// TestHeld checks the promises of an indexed game whose captures fill hands.
func TestHeld(t *testing.T) {
	for _, c := range []struct {
		class    string
		takeable bool
	}{{"LCvL", false}, {"LCvL", true}, {"LGvLE", true}} {
		t.Run(c.class, func(t *testing.T) {
			g := *open(t, "dobutsu").core
			g.takeable = c.takeable
			roots, name, err := g.classes(c.class)
			require.NoError(t, err)
			x, err := g.newTables("dobutsu:pieces="+name, roots, false)
			require.NoError(t, err)
			gametest.Run[Position, Move](t, x)
		})
	}
}

// TestStart checks the promises of the class of a start position.
func TestStart(t *testing.T) {
	f, err := Read("tiny.ini", strings.NewReader(tinyText), BuiltIn())
	require.NoError(t, err)
	for _, name := range []string{"tiny", "hopper"} {
		t.Run(name, func(t *testing.T) {
			g, err := f.Family(name, name).Open(name + ":pieces=start")
			require.NoError(t, err)
			plain, err := f.Game(name)
			require.NoError(t, err)
			require.Equal(t, plain.Start(), g.Start())
			gametest.Run(t, g)
		})
	}
	_, err = BuiltIn().Family("crazyhouse", "crazyhouse").Open("crazyhouse:pieces=start")
	require.ErrorContains(t, err, "can be distributed in more than")
	_, err = BuiltIn().Family("chess", "chess").Open("chess:pieces=start")
	require.ErrorContains(t, err, "classes of material")
}

const tinyText = `
[tiny:dobutsu]
maxRank = 3
startFen = 1lc/3/CL1[-] w - - 0 1
promotionRegionWhite = *3
promotionRegionBlack = *1
flagRegionWhite = *3
flagRegionBlack = *1

[hopper:hexapawn]
maxRank = 4
startFen = ppp/3/3/PPP w - - 0 1
`
