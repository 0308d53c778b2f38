package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// kings are four moves that lead back to the start position, in several notations.
var (
	kingsKI2 = []string{"▲５八玉", "△５二玉", "▲５九玉", "△５一玉"}
	kingsKIF = []string{"５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"}
	kingsCSA = []string{"+5958OU", "-5152OU", "+5859OU", "-5251OU"}
	kingsUSI = []string{"5i5h", "5a5b", "5h5i", "5b5a"}
)

// joined returns n of these moves, with separators and perhaps numbers.
func joined(moves []string, n int, format, separator string) string {
	var b strings.Builder
	for i := range n {
		if format != "" {
			fmt.Fprintf(&b, format, i+1)
		}
		b.WriteString(moves[i%len(moves)])
		b.WriteString(separator)
	}
	return b.String()
}

// TestLinear reads inputs of different sizes, such that reading takes no more than in proportion.
func TestLinear(t *testing.T) {
	for name, c := range map[string]struct {
		text  func(n int) string
		moves func(n int) int // of the main line
	}{
		"KIF":                  {func(n int) string { return joined(kingsKIF, n, "%d ", "\n") }, nil},
		"KIF on one line":      {func(n int) string { return joined(kingsKIF, n, "%d ", " ") }, nil},
		"KIF with times":       {func(n int) string { return joined(kingsKIF, n, "%d ", "（ 0:01/00:00:01）\n") }, nil},
		"KIF, times on a line": {func(n int) string { return "1 " + joined(kingsKIF, n, "", " ( 0:01/00:00:01)") }, nil},
		"KI2":                  {func(n int) string { return "手合割：平手\n" + joined(kingsKI2, n, "", "") }, nil},
		"KI2 with blanks":      {func(n int) string { return "手合割：平手\n" + joined(kingsKI2, n, "", "  ") }, nil},
		"KI2 without marks": {func(n int) string {
			return "手合割：平手\n" + joined([]string{"５八玉", "５二玉", "５九玉", "５一玉"}, n, "", "")
		}, nil},
		"CSA":                   {func(n int) string { return "PI\n+\n" + joined(kingsCSA, n, "", "\nT1\n") }, nil},
		"CSA on one line":       {func(n int) string { return "V2,N+A,$EVENT:x,PI,+," + joined(kingsCSA, n, "", ",T1,") }, nil},
		"USI":                   {func(n int) string { return "startpos moves " + joined(kingsUSI, n, "", " ") }, nil},
		"variations":            {func(n int) string { return joined(kingsKIF, n, "%d ", "\n") + jumps(n) }, nil},
		"nested variations":     {func(n int) string { return joined(kingsKIF, n, "%d ", "\n") + nested(n) }, nil},
		"digits":                {func(n int) string { return "手合割：平手\n" + strings.Repeat("1", 10*n) }, none},
		"wide digits":           {func(n int) string { return "手合割：平手\n" + strings.Repeat("１", 10*n) }, none},
		"brackets":              {func(n int) string { return "手合割：平手\n" + strings.Repeat("▲７六歩(", n) }, none},
		"marks":                 {func(n int) string { return "手合割：平手\n1 ７六歩(77)\nx" + strings.Repeat("▲", n) }, func(int) int { return 1 }},
		"comments":              {func(n int) string { return "1 ７六歩(77)\n" + strings.Repeat("*注\n", n) }, func(int) int { return 1 }},
		"headers":               {func(n int) string { return strings.Repeat("場所：a\n", n) + "1 ７六歩(77)" }, func(int) int { return 1 }},
		"blanks in a hand":      {func(n int) string { return "先手の持駒：" + strings.Repeat("　", n) + "歩\n1 ７六歩(77)" }, func(int) int { return 1 }},
		"names with commas":     {func(n int) string { return "PI\nN+" + strings.Repeat("a,", n) + "\n+\n+7776FU" }, func(int) int { return 1 }},
		"comments in CSA":       {func(n int) string { return "PI\n+\n+7776FU\n" + strings.Repeat("'a\n", n) }, func(int) int { return 1 }},
		"many records":          {func(n int) string { return strings.Repeat("手合割：平手\n1 ７六歩(77)\n", n) }, func(int) int { return 1 }},
		"many records in CSA":   {func(n int) string { return strings.Repeat("PI,+,+7776FU,", n) }, func(int) int { return 1 }},
		"many positions in USI": {func(n int) string { return strings.Repeat("startpos moves 7g7f\n", n) }, func(int) int { return 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			gametest.Linear(t, 500, func(n int) func() {
				text := []byte(c.text(n))
				return func() {
					list, err := Parse(text, shogi.UsualHands)
					require.NoError(t, err)
					want := n
					if c.moves != nil {
						want = c.moves(n)
					} else {
						require.NoError(t, list[0].Err)
					}
					require.Len(t, list[0].Moves, want)
				}
			})
		})
	}
}

func none(int) int { return 0 }

// jumps returns variations that leave the main line early and late by turns.
func jumps(n int) string {
	var b strings.Builder
	for range n / 2 {
		fmt.Fprintf(&b, "変化：1手\n1 ７六歩(77)\n変化：%d手\n%d ７六歩(77)\n", n-1, n-1)
	}
	return b.String()
}

// nested returns variations that leave each other.
func nested(n int) string {
	var b strings.Builder
	b.WriteString("変化：1手\n1 ７六歩(77)\n2 ３四歩(33)\n")
	moves := []string{"５二玉(51)", "５八玉(59)", "５一玉(52)", "５九玉(58)"}
	for i := range n {
		fmt.Fprintf(&b, "変化：%d手\n%d %s\n%d %s\n", i+2, i+2, moves[i%4], i+3, moves[(i+1)%4])
	}
	return b.String()
}
