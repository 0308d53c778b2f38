package gomoku

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
	second "github.com/yomikiri/yomikiri/proof/plain"
)

// requireSecond has the plain checker accept a certificate just if it is right. The side to
// move is the claimant.
func requireSecond(t *testing.T, g *Game, p Position, goal proof.Goal, certificate string, right bool) {
	t.Helper()
	text := g.AppendPosition(nil, p)
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{Game: g.Name(), Root: string(text), Claims: []proof.Claim{{Side: proof.Mover, Goal: goal}}})
	require.NoError(t, err)
	root, err := w.Add(&proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: text, Certificate: []byte(certificate)})
	require.NoError(t, errors.Join(err, w.EndClaim(root), w.Close()))
	_, err = second.Check(t.Context(), &file, second.Options{})
	if right {
		require.NoError(t, err, "%s %s: %q", g.Name(), text, certificate)
		return
	}
	require.ErrorIs(t, err, second.ErrRefused, "%s %s: %q", g.Name(), text, certificate)
}
