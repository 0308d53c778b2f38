package solver

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumber writes and reads numbers: infinity is no number that could be taken for one.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		number, read Number
		text, json   string
	}{
		{0, 0, "0", "0"}, {12345, 12345, "12345", "12345"}, {Unproven - 2, Unproven - 2, "1073741822", "1073741822"},
		{Unproven - 1, Unproven, "infinite", "null"}, {Unproven, Unproven, "infinite", "null"},
	} {
		require.Equal(t, c.text, c.number.String())
		text, err := json.Marshal(c.number)
		require.NoError(t, err)
		require.Equal(t, c.json, string(text))
		var read Number
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, c.read, read)
	}
	var n Number
	require.NoError(t, json.Unmarshal([]byte("1073741824"), &n), "as older reports write it")
	require.True(t, n.Infinite())
	require.Error(t, json.Unmarshal([]byte("-1"), &n))
}
