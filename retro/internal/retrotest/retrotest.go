// Package retrotest has what the tests of several packages of retrograde analysis share.
package retrotest

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
)

// Open returns the universe of a game.
func Open(t *testing.T, spec string) *games.Universe {
	t.Helper()
	u := map[string]func() (*games.Universe, error){
		"awari":    func() (*games.Universe, error) { return universeOf(awari.Family.Open(spec)) },
		"checkers": func() (*games.Universe, error) { return universeOf(checkers.Family.Open(spec)) },
		"connect4": func() (*games.Universe, error) { return universeOf(connect4.Family.Open(spec)) },
		"dobutsu":  func() (*games.Universe, error) { return universeOf(dobutsu.Family.Open(spec)) },
	}
	name, _, _ := strings.Cut(spec, ":")
	opened, err := u[name]()
	require.NoError(t, err)
	return opened
}

func universeOf[P, M comparable, G games.Game[P, M]](g G, err error) (*games.Universe, error) {
	if err != nil {
		return nil, err
	}
	return games.UniverseOf[P, M](g)
}

// counted is an Expander and Retractor that calls at after a number of batches.
type counted struct {
	games.Expander
	games.Retractor
	left atomic.Int64
	at   func()
}

func (c *counted) tick() {
	if c.left.Add(-1) == 0 {
		c.at()
	}
}

func (c *counted) Expand(indices []uint64, out *games.Expansion) {
	c.tick()
	c.Expander.Expand(indices, out)
}

func (c *counted) Retract(indices []uint64, out *games.Predecessors) {
	c.tick()
	c.Retractor.Retract(indices, out)
}

// WithCounter returns u with an Expander and a Retractor that call at after n batches.
func WithCounter(u *games.Universe, n int64, at func()) *games.Universe {
	c := &counted{Expander: u.Expander, Retractor: u.Retractor, at: at}
	c.left.Store(n)
	v := *u
	v.Expander, v.Retractor = c, c
	return &v
}
