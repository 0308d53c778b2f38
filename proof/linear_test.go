package proof

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// TestLinearHeader reads headers of different sizes.
func TestLinearHeader(t *testing.T) {
	gametest.Linear(t, 500, func(n int) func() {
		var b bytes.Buffer
		_, err := NewWriter(&b, Header{Game: "tictactoe", Root: strings.Repeat("x", n), By: strings.Repeat("y", n), Claims: []Claim{{}}})
		require.NoError(t, err)
		return func() {
			r, err := NewReader(bytes.NewReader(b.Bytes()))
			require.NoError(t, err)
			require.Len(t, r.Header().Root, n)
		}
	})
}
