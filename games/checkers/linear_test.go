package checkers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// TestLinear reads games in PDN of different sizes.
func TestLinear(t *testing.T) {
	g := open(t, "checkers")
	shuffle := func(n int, format string) string {
		text := []byte("[FEN \"B:WK1:BK32\"]\n")
		for i := range n {
			text = fmt.Appendf(text, format, [...]string{"32-28", "1-5", "28-32", "5-1"}[i%4])
		}
		return string(text)
	}
	for name, text := range map[string]func(n int) string{
		"moves on one line": func(n int) string { return shuffle(n, "%s ") },
		"moves on lines":    func(n int) string { return shuffle(n, "%s\n") },
		"comments":          func(n int) string { return shuffle(n, "%s {a} (b) ;c\n") },
		"open brackets":     func(n int) string { return "11-15 " + strings.Repeat("(", n) },
		"open comments":     func(n int) string { return "11-15 " + strings.Repeat("{\n[a \"b\"]\n", n) },
		"digits":            func(n int) string { return "11-15 " + strings.Repeat("1", n) },
		"numbers":           func(n int) string { return "11-15 " + strings.Repeat("1 ", n) },
		"squares":           func(n int) string { return strings.Repeat("1-", n) + "5" },
		"named squares":     func(n int) string { return "[GameType \"21,B,8,8,A0,0\"]\n" + strings.Repeat("a1b2", n) },
		"letters":           func(n int) string { return "11-15 " + strings.Repeat("a", n) + "1" },
		"blanks":            func(n int) string { return "11-15 1" + strings.Repeat(" ", n) + "1" },
		"quotes in a tag":   func(n int) string { return "[Event \"" + strings.Repeat("\" \\\" ", n) + "\"]\n11-15" },
		"tags":              func(n int) string { return strings.Repeat("[Event \"a\"]\n", n) + "11-15" },
		"games":             func(n int) string { return strings.Repeat("[Event \"a\"]\n11-15 *\n", n) },
		"results":           func(n int) string { return "11-15" + strings.Repeat(" 1-0", n) },
	} {
		t.Run(name, func(t *testing.T) {
			gametest.Linear(t, 300, func(n int) func() {
				text := text(n)
				return func() {
					games := 0
					for r, err := range g.ParsePDN(text) {
						games++
						if name == "moves on one line" || name == "comments" {
							require.NoError(t, err)
							require.Len(t, r.Moves, n)
						}
					}
					require.Positive(t, games)
				}
			})
		})
	}
}
