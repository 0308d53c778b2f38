package variant

import (
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
