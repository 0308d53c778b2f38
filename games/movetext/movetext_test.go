package movetext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAppend(t *testing.T) {
	var a Asides
	a.Comments = Add(a.Comments, 0, "before")
	for range 2 { // what is there is not added again
		a.Remark(0, "!", "", nil)
		a.Remark(1, "$6", "a } and\nb", []string{"x", "y", "z"})
		a.Remark(1, "?!", "", nil)
		a.Remark(2, "", "", []string{"u", "v"})
	}
	copied := a.Clone()
	copied.Remark(1, "??", "more", []string{"w"})
	text := string(Append(nil, 0, []string{"m", "n", "o"}, &a, "*"))
	require.Equal(t, "{before} 1. m! n $6 ?! {a ) and b} (1... x 2. y z) 2. o (2. u v) *\n", text)
	require.Equal(t, "1-0\n", string(Append(nil, 0, nil, new(Asides), "1-0")))

	// Lines are short, and a number stays with its move.
	for line := range strings.Lines(string(Append(nil, 0, strings.Fields(strings.Repeat("a1xb2 ", 60)), &a, "*"))) {
		require.LessOrEqual(t, len(line), width+1)
		require.False(t, strings.HasSuffix(line, ".\n"), line)
	}
}
