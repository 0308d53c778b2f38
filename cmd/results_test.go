package cmd

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCutOff has ends of files of results: what a killed run has left is overwritten, and nothing
// else is.
func TestCutOff(t *testing.T) {
	begins := []string{`{"id":`, `{"sfen":`}
	for _, end := range []string{"", "{", `{"i`, `{"id":"a","sf`, `{"sfen":"4k4/`} {
		require.True(t, isCutOff([]byte(end), begins), end)
	}
	for _, end := range []string{"4k4/9/4P4/9/9/9/9/9/9 b 2G", `{"name":1}`, "[", "{}"} {
		require.False(t, isCutOff([]byte(end), begins), end)
	}
}
