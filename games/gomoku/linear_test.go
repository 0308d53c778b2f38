package gomoku

import (
	"strings"
	"testing"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// TestLinear reads games in PSQ and boards of different sizes.
func TestLinear(t *testing.T) {
	g := open(t, "gomoku")
	for name, text := range map[string]func(n int) string{
		"moves":   func(n int) string { return strings.Repeat("1,1,0\n", n) },
		"one":     func(n int) string { return strings.Repeat("1,1,", n) },
		"blanks":  func(n int) string { return strings.Repeat(" \n", n) + "1,1" },
		"digits":  func(n int) string { return strings.Repeat("1", n) },
		"players": func(n int) string { return "-1\n" + strings.Repeat("player\n", n) },
		"board":   func(n int) string { return strings.Repeat("\n", n) + "1,1,1\nDONE" },
	} {
		t.Run(name, func(t *testing.T) {
			gametest.Linear(t, 500, func(n int) func() {
				lines := text(n)
				return func() {
					ParsePSQ("Piskvorky 15x15, 11:11, 0\n" + lines)
					g.ParseBoard(lines)
				}
			})
		})
	}
}
