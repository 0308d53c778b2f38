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

// TestWhole checks the promises of small games that are numbered as a whole.
func TestWhole(t *testing.T) {
	for _, name := range []string{"variant:tiny", "variant:hopper"} {
		t.Run(name, func(t *testing.T) {
			f, err := Read("tiny.ini", strings.NewReader(tinyText), BuiltIn())
			require.NoError(t, err)
			g, err := f.Family(strings.TrimPrefix(name, "variant:"), name).Open(name)
			require.NoError(t, err)
			require.IsType(t, &wholeGame{}, g)
			gametest.Run(t, g)
		})
	}
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

// TestOpen opens all variants that are built in, as each command on them does. Only games of few pieces are numbered then.
func TestOpen(t *testing.T) {
	whole := 0
	for _, name := range BuiltIn().Names() {
		g, err := BuiltIn().Family(name, name).Open(name)
		require.NoError(t, err, name)
		if _, ok := g.(*wholeGame); ok {
			whole++
			t.Log(name)
		}
	}
	require.NotZero(t, whole)
}
