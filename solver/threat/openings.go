package threat

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// Openings on 15×15 for the free and for the exact rule. A line has the moves from the
// empty board to a position, in any order, and then the move to try there.
var (
	//go:embed openings-free.txt
	freeOpenings string
	//go:embed openings-exact.txt
	exactOpenings string
)

// openings returns the attacker's moves to try first in positions of g and in their mirror
// images. They are hints: a search that fails with them goes on to the others.
func openings(g *gomoku.Game) map[gomoku.Position]gomoku.Square {
	r := g.Rules()
	if r.Rows != 15 || r.Columns != 15 || r.K != 5 {
		return nil
	}
	lines := freeOpenings
	if r.Exact {
		lines = exactOpenings
	}
	first := map[gomoku.Position]gomoku.Square{}
	for line := range strings.Lines(lines) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		p, moves := g.Start(), strings.Fields(line)
		for i, text := range moves {
			m, err := g.ParseMove(p, text)
			if err != nil {
				panic(fmt.Sprintf("%s: opening %q: %v", g.Name(), line, err))
			}
			if i < len(moves)-1 {
				p = g.Play(p, m)
				continue
			}
			for symmetry := range g.Symmetries() {
				first[g.ImageOf(symmetry, p)] = g.Image(symmetry, m)
			}
		}
	}
	return first
}
