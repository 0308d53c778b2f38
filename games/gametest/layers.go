package gametest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// layers checks that every move leads to a later layer, and mirror images are in
// the same.
func (s *suite[P, M]) layers(t *testing.T, layerer games.Layerer[P]) {
	for _, p := range s.positions {
		layer := layerer.Layer(p)
		if s.canonicalizer != nil {
			require.Equal(t, layer, layerer.Layer(s.canonicalizer.Canonical(p)), "%s: the layer of its canonical position", s.name(p))
		}
		for _, m := range s.g.AppendMoves(nil, p) {
			q := s.g.Play(p, m)
			require.Greater(t, layerer.Layer(q), layer, "%s: the layer of %s, behind it", s.name(p), s.name(q))
		}
	}
}
