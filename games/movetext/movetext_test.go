package movetext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAppend(t *testing.T) {
	var a Asides
	a.Comments = Add(a.Comments, 0, "before")
	a.Remark(0, "!", "", nil)
	a.Remark(1, "$6", "a } and\nb", []string{"x", "y", "z"})
	a.Remark(1, "?!", "", nil)
	a.Remark(2, "", "", []string{"u", "v"})
	copied := a.Clone()
	copied.Remark(1, "??", "more", []string{"w"})
	text := string(Append(nil, 0, []string{"m", "n", "o"}, &a, "*"))
	require.Equal(t, "{before} 1. m! {yomikiri: !} n $6 ?! {yomikiri: $6 a ) and b} {yomikiri: ?!}\n({yomikiri} 1... x 2. y z) 2. o ({yomikiri} 2. u v) *\n", text)
	require.Equal(t, "1-0\n", string(Append(nil, 0, nil, new(Asides), "1-0")))

	// Lines are short, and a number stays with its move.
	for line := range strings.Lines(string(Append(nil, 0, strings.Fields(strings.Repeat("a1xb2 ", 60)), &a, "*"))) {
		require.LessOrEqual(t, len(line), width+1)
		require.False(t, strings.HasSuffix(line, ".\n"), line)
	}
}

// TestUnremark removes remarks, and nothing that was there before or was added to them.
func TestUnremark(t *testing.T) {
	others := func() *Asides {
		return &Asides{
			Comments:   [][]string{{"before"}, {"yomikiri is right", "the end: yomikiri: no"}},
			Marks:      [][]string{nil, {"??", "$4"}, {"!"}},
			Variations: [][]string{nil, {"(1. x)", "({yomikiri} 1. x {mine})", "({yomikiri} 1. x (1. y))"}},
		}
	}
	moves := []string{"m", "n"}
	want := string(Append(nil, 0, moves, others(), "*"))
	a := others()
	a.Remark(0, "??", "worse", []string{"x"})
	a.Remark(0, "?", "", []string{"z", "z"})
	a.Remark(1, "!", "", nil)
	a.Remark(1, "?!", "end", []string{"u"})
	require.Equal(t, [][]string{nil, {"??", "$4", "?"}, {"!", "?!"}}, a.Marks)
	require.Len(t, a.Variations[1], 4, "the first line is there already")
	a.Unremark()
	require.Equal(t, want, string(Append(nil, 0, moves, a, "*")))
}

func TestSigned(t *testing.T) {
	for _, c := range []struct {
		comment, mark string
		ours          bool
	}{
		{Sign("??", "worse"), "??", true}, {Sign("?!", ""), "?!", true}, {Sign("", "end"), "", true}, {" yomikiri: ? x\n", "?", true},
		{"yomikiri: ~+1", "", true}, {"yomikiri: !?x", "", true}, {"yomikiri", "", false}, {"yomikiri says", "", false}, {"? yomikiri: x", "", false}, {"", "", false},
	} {
		mark, ours := Signed(c.comment)
		require.Equal(t, c.ours, ours, c.comment)
		require.Equal(t, c.mark, mark, c.comment)
	}
}
