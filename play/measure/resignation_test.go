package measure

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAmateurs compares the model that ships with what the documentation says about it.
func TestAmateurs(t *testing.T) {
	text, err := os.ReadFile("../../docs/judging.md")
	require.NoError(t, err)
	require.Contains(t, string(text), fmt.Sprintf("μ %.1f and σ %.1f", Amateurs.Mean, Amateurs.Deviation))
	require.Contains(t, string(text), "Half of its positions were resignations (the base rate)")
	require.Equal(t, 0.5, Amateurs.Base)
	// By hand: Φ((725 − 199.4)/409.4) = Φ(1.2838) = 0.9004.
	require.InDelta(t, 0.9004, Amateurs.Probability(-725), 0.0001)
	require.InDelta(t, 0.5, Amateurs.Probability(-199), 0.0005)
}
