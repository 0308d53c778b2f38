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

// threats checks the form of branches, and what they say of moves that end the
// game.
func (s *suite[P, M]) threats(t *testing.T, threats games.Threats[P, M]) {
	brancher, again := threats.NewBrancher(), threats.NewBrancher()
	for i, p := range s.positions {
		if _, finished := s.g.Outcome(p); finished {
			continue
		}
		attackerToMove := i%2 == 0
		legal := map[M]bool{}
		for _, m := range s.g.AppendMoves(nil, p) {
			legal[m] = true
		}
		branches, _ := brancher.AppendBranches(make([]games.Branch[M], 1), p, attackerToMove)
		require.Equal(t, games.Branch[M]{}, branches[0], "AppendBranches appends")
		for _, b := range branches[1:] {
			move := s.g.AppendMove(nil, p, b.Move)
			require.True(t, legal[b.Move], "%s: the move %s is not legal, or there twice", s.name(p), move)
			delete(legal, b.Move)
			proven, disproven := b.Proof == 0, b.Disproof == 0
			require.Equal(t, proven, b.Disproof == games.Unproven, "%s: move %s: %+v", s.name(p), move, b)
			require.Equal(t, disproven, b.Proof == games.Unproven, "%s: move %s: %+v", s.name(p), move, b)
			require.LessOrEqual(t, max(b.Proof, b.Disproof), uint32(games.Unproven))
			if v, finished := s.g.Outcome(s.g.Play(p, b.Move)); finished {
				won := v.Result() == games.Lost // for who moved
				require.Equal(t, won == attackerToMove && v.Result() != games.Drawn, proven, "%s: move %s ends the game: %+v", s.name(p), move, b)
				require.True(t, proven || disproven)
			}
		}
		if certificate, ok := again.AppendCertificate([]byte("> "), p, attackerToMove); ok {
			require.Equal(t, "> ", string(certificate[:2]), "AppendCertificate appends")
		}
	}
}
