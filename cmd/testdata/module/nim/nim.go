// Package nim is the game of nim with three heaps: a move takes any number of stones
// from one heap, and who takes the last one wins.
package nim

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// Family is nim with heaps of all sizes.
var Family = games.NewFamily(games.Info{
	Name:     "nim",
	Title:    "Nim",
	Notation: "position: 3-4-5 (the heaps)\nmove: b2 (two stones of the second heap)",
	Options:  []games.Option{{Name: "heaps", Values: []string{"3-4-5"}, Form: "A-B-C", Parse: parseHeaps, Help: "the heaps at the start"}},
}, func(r games.Rules) Game {
	start, _ := read(r.Get("heaps"))
	return Game{r.String(), start}
})

// Position is the stones in each heap.
type Position [3]uint8

// Move takes stones from a heap.
type Move struct{ heap, stones uint8 }

// Game is nim from some heaps.
type Game struct {
	name  string
	start Position
}

func parseHeaps(text string) (string, error) {
	p, err := read(text)
	return p.String(), err
}

func read(text string) (p Position, err error) {
	_, err = fmt.Sscanf(text, "%d-%d-%d", &p[0], &p[1], &p[2])
	if err == nil && p.String() != text {
		err = fmt.Errorf("want three numbers, as in 3-4-5")
	}
	return p, err
}

func (p Position) String() string { return fmt.Sprintf("%d-%d-%d", p[0], p[1], p[2]) }

func (g Game) Name() string    { return g.name }
func (g Game) Start() Position { return g.start }

// Layer makes nim a game that ends.
func (Game) Layer(p Position) int { return 3*255 - int(p[0]) - int(p[1]) - int(p[2]) }

func (Game) Outcome(p Position) (games.Value, bool) {
	if p == (Position{}) {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

func (Game) AppendMoves(dst []Move, p Position) []Move {
	for heap, stones := range p {
		for n := uint8(1); n <= stones; n++ {
			dst = append(dst, Move{uint8(heap), n})
		}
	}
	return dst
}

func (Game) Play(p Position, m Move) Position {
	p[m.heap] -= m.stones
	return p
}

func (Game) AppendPosition(dst []byte, p Position) []byte { return append(dst, p.String()...) }

func (Game) ParsePosition(text string) (Position, error) {
	p, err := read(text)
	if err != nil {
		return p, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

func (Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	return fmt.Appendf(dst, "%c%d", 'a'+m.heap, m.stones)
}
