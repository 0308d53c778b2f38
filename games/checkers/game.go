package checkers

import (
	"errors"
	"math/bits"
	"strconv"

	"github.com/yomikiri/yomikiri/games"
)

// Options of the rules.
const (
	optionSize   = "size"
	optionPieces = "pieces"

	allPieces = "all"
	maxPieces = 24
)

var sides = map[string]int{"8x8": 8, "6x6": 6, "4x4": 4}

// Family is checkers on boards of several sizes.
var Family = games.NewFamily(games.Info{
	Name:  "checkers",
	Title: "Checkers (English draughts)",
	Notation: "position: B:W21,22,K30:B1,K2 (as in PDN: side to move B or W, squares of White and Black, K for kings)\n" +
		"move: 11-15, or with all squares of a capture 22x15x8 (22x8 is read if only one route leads there)",
	Options: []games.Option{
		{Name: optionSize, Values: []string{"8x8", "6x6", "4x4"}, Help: "squares of the board; a side has three, two or one rows of men"},
		{Name: optionPieces, Values: []string{allPieces}, Form: "N", Parse: parsePieces, Extent: true,
			Help: "the most pieces on the board, 2 to 24"},
	},
}, newGame)

func parsePieces(text string) (string, error) {
	if text == allPieces {
		return text, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 || n > maxPieces {
		return "", errors.New("want a number of pieces from 2 to 24")
	}
	return strconv.Itoa(n), nil
}

// Game is checkers on a board of some size. It implements [games.Game] and its
// capabilities [games.Indexer], [games.Expander], [games.Retractor],
// [games.Canonicalizer], [games.Features], [games.Tactics], [games.Drawer],
// [games.Describer] and [games.MoveParser].
type Game struct {
	name   string
	pieces int // at most on the board
	army   int // at most of a side
	*geometry
	index  index
	layout games.Layout
}

var (
	_ games.Indexer[Position]          = (*Game)(nil)
	_ games.Expander                   = (*Game)(nil)
	_ games.Retractor                  = (*Game)(nil)
	_ games.Canonicalizer[Position]    = (*Game)(nil)
	_ games.Drawer[Position]           = (*Game)(nil)
	_ games.Describer[Position, Move]  = (*Game)(nil)
	_ games.MoveParser[Position, Move] = (*Game)(nil)
)

func newGame(r games.Rules) *Game {
	g := &Game{name: r.String(), geometry: newGeometry(sides[r.Get(optionSize)])}
	g.army = (g.side - 2) / 2 * g.side / 2
	g.pieces = 2 * g.army
	if text := r.Get(optionPieces); text != allPieces {
		n, err := strconv.Atoi(text)
		if err != nil {
			panic(err) // parsePieces accepted it
		}
		g.pieces = min(g.pieces, n)
	}
	g.index.init(g)
	g.layout = layoutOf(g.geometry)
	return g
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// Start implements [games.Game]: both sides have their men in the rows nearest to them.
// With fewer pieces, the first rows are filled first.
func (g *Game) Start() Position {
	p := Position{own: g.board(1<<((g.pieces+1)/2) - 1)}
	p.opposite = g.turned(g.board(1<<(g.pieces/2) - 1))
	return p
}

// Outcome implements [games.Game]: a side that cannot move has lost.
func (g *Game) Outcome(p Position) (games.Value, bool) {
	if g.canMove(&p) {
		return games.Unfinished, false
	}
	return games.Loss(0), true
}

// canMove reports whether the side to move has a move.
func (g *Game) canMove(p *Position) bool { return g.steppers(p)|g.jumpers(p) != 0 }

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	if jumpers := g.jumpers(&p); jumpers != 0 {
		return g.appendCaptures(dst, &p, jumpers)
	}
	return g.appendSteps(dst, &p)
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position { return g.turnedPosition(g.play(p, m)) }

// Canonical implements [games.Canonicalizer]: Black is to move. All positions in which the
// side to move has no piece have the same canonical position.
func (g *Game) Canonical(p Position) Position {
	if p.own == 0 {
		return Position{opposite: 1, kings: 1}
	}
	p.white = false
	return p
}

// square returns the number of a square in PDN, where Black's men move to higher numbers.
func (g *geometry) square(b board, white bool) int {
	n := bits.OnesCount64(g.valid & (b - 1))
	if white {
		return g.squares - n
	}
	return n + 1
}
