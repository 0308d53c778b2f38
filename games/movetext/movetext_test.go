package movetext

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestAppend(t *testing.T) {
	var a Asides
	a.Comments = Add(a.Comments, 0, "before")
	a.Remark(0, 0, "!", "", nil)
	a.Remark(0, 1, "$6", "a } and\nb", []string{"x", "y", "z"})
	a.Remark(0, 1, "?!", "", nil) // which $6 is
	a.Remark(0, 1, "?", "", nil)
	a.Remark(0, 2, "", "", []string{"u", "v"})
	copied := a.Clone()
	copied.Remark(0, 1, "??", "more", []string{"w"})
	text := string(Append(nil, 0, []string{"m", "n", "o"}, &a, "*"))
	require.Equal(t, "{before} 1. m! {yomikiri: !} 1... n $6 ? {yomikiri: $6 a ) and b} {yomikiri: ?}\n({yomikiri} 1... x 2. y z) 2. o ({yomikiri} 2. u v) *\n", text)
	require.Equal(t, "1-0\n", string(Append(nil, 0, nil, new(Asides), "1-0")))

	// Numbers are those of the game.
	a = Asides{}
	a.Remark(47, 0, "", "", []string{"x", "y"})
	a.Remark(47, 1, "", "good", nil)
	require.Equal(t, "24... m ({yomikiri} 24... x 25. y) 25. n {yomikiri: good} 25... o *\n", string(Append(nil, 47, []string{"m", "n", "o"}, &a, "*")))
}

// TestLines breaks what is beside the moves too, and never so that a line is read as something else.
func TestLines(t *testing.T) {
	const long = `[%clk 0:10:00] 12 % of [x "y" ] für alle {a ( ; `
	var a Asides
	a.Comments = [][]string{{strings.Repeat(long, 20)}, {"to } the end", "after"}}
	a.Variations = [][]string{nil, nil, {OneLine("(1... " + strings.Repeat("12. a1xb2!? $1 [%x %y (34...c2 ({"+long+"})) ", 20) + ")")}}
	text := string(Append(nil, 0, strings.Fields(strings.Repeat("a1xb2 ", 60)), &a, "*"))
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), width+1)
		require.NotRegexp(t, `^%|^\[x|[0-9]\.\n|%clk\n`, line)
	}
	require.Contains(t, text, " 1. a1xb2 ;to } the end\n{after} 1... a1xb2 (1... 12. a1xb2!? $1")
}

// TestOneLine has variations as texts may have them, and what they are when they are written.
func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"( 1.d4\n\td5 ( 1...Nf6 ) $2 )": "(1.d4 d5 (1...Nf6) $2)",
		"(1. e4{a  b}e5;c {d\n2. Nf3)":  "(1. e4 {a b} e5 {c {d} 2. Nf3)",
		"(1. e4 ; a } b\n)":             "(1. e4 ;a } b\n)",
		"(1. e4 ; a }\n;\n{} [x \"y\")": "(1. e4 ;a }\n{} [x \"y\")",
		"(1. e4 ; a }\n %x)":            "(1. e4 ;a }\n{} %x)",
		"(1. e4\n% e5)\n 2. Nf3)":       "(1. e4 2. Nf3)",
		"(a ; b)":                       "(a ; b)",
		"( )":                           "()",
	} {
		require.Equal(t, want, OneLine(text))
		require.Equal(t, want, OneLine(want))
		require.Equal(t, "(1. x "+want+") *\n", string(Append(nil, 0, nil, &Asides{Variations: [][]string{{"(1. x " + want + ")"}}}, "*")))
	}
	require.True(t, "("+strings.Repeat("; ", 99_999)+";end)" == OneLine("("+strings.Repeat(";", 100_000)+"end)")) // at once
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
	a.Remark(0, 0, "??", "worse", []string{"x"})
	a.Remark(0, 0, "?", "", []string{"z", "z"})
	a.Remark(0, 1, "!", "", nil)
	a.Remark(0, 1, "?!", "end", []string{"u"})
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
