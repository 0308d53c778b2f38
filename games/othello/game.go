package othello

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

const (
	optionSize  = "size"
	optionEmpty = "empty"

	toNobody = "nobody"
	toWinner = "winner"
)

// Family is Othello on all its boards.
var Family = games.NewFamily(games.Info{
	Name:  "othello",
	Title: "Othello (Reversi)",
	Notation: "position: -----OX--XO----- X (4x4: rows from the top, and the side to move)\n" +
		"move: f5, or pass if there is no other",
	Options: []games.Option{
		{Name: optionSize, Values: []string{"8x8", "4x4", "4x6", "4x8", "6x4", "6x6", "6x8", "8x4", "8x6"},
			Help: "rows and columns of the board"},
		{Name: optionEmpty, Values: []string{toNobody, toWinner},
			Help: "whose points the squares are that stay empty: nobody's, or the winner's, as in tournaments"},
	},
}, newGame)

// Position is a position as the side to move sees it.
type Position struct {
	own, opposite uint64
	white         bool // O is to move
}

// Move is the number of a square's bit, or Pass.
type Move uint8

// Pass is the move of a side that cannot put a disc.
const Pass Move = 64

// Game is Othello on a board of some size.
type Game struct {
	name          string
	rows, columns int
	board, middle uint64
	edge, corners uint64
	toWinner      bool // empty squares at the end are the winner's
	layout        games.Layout
}

var (
	_ games.Canonicalizer[Position]   = (*Game)(nil)
	_ games.Layerer[Position]         = (*Game)(nil)
	_ games.Scorer[Position, Move]    = (*Game)(nil)
	_ games.Drawer[Position]          = (*Game)(nil)
	_ games.Describer[Position, Move] = (*Game)(nil)
)

func newGame(r games.Rules) *Game {
	rows, columns, _ := strings.Cut(r.Get(optionSize), "x")
	g := &Game{name: r.String(), toWinner: r.Get(optionEmpty) == toWinner}
	g.rows, g.columns = mustNumber(rows), mustNumber(columns)
	for row := range g.rows {
		g.board |= (1<<g.columns - 1) << (8 * row)
	}
	last := uint64(1) << (8 * (g.rows - 1)) // the first square of the last row
	right := uint64(1) << (g.columns - 1)
	g.corners = 1 | right | last | last*right
	g.edge = g.board & (left | left*right | 0xff | 0xff*last)
	g.middle = uint64(0x0303) << (8*(g.rows/2-1) + g.columns/2 - 1)
	g.layout = newLayout(g.rows, g.columns)
	return g
}

// mustNumber reads a number of the values of an option.
func mustNumber(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// Start implements [games.Game].
func (g *Game) Start() Position {
	corner := g.middle & -g.middle // the top left square of the middle
	return Position{own: corner<<1 | corner<<8, opposite: corner | corner<<9}
}

// moves returns the squares on which a side can put a disc.
func (g *Game) moves(own, opposite uint64) uint64 {
	return targets(own, opposite) & g.board &^ (own | opposite)
}

// Outcome implements [games.Game].
func (g *Game) Outcome(p Position) (games.Value, bool) {
	if g.moves(p.own, p.opposite) != 0 || g.moves(p.opposite, p.own) != 0 {
		return games.Unfinished, false
	}
	return games.Score(g.Score(p.own, p.opposite)), true
}

// Score returns the score of a finished position with these discs, as [Position.Sets] has them.
func (g *Game) Score(own, opposite uint64) int {
	score := bits.OnesCount64(own) - bits.OnesCount64(opposite)
	if !g.toWinner || score == 0 {
		return score
	}
	empty := bits.OnesCount64(g.board &^ (own | opposite))
	if score > 0 {
		return score + empty
	}
	return score - empty
}

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	list := g.moves(p.own, p.opposite)
	if list == 0 && g.moves(p.opposite, p.own) != 0 {
		return append(dst, Pass)
	}
	for ; list != 0; list &= list - 1 {
		dst = append(dst, Move(bits.TrailingZeros64(list)))
	}
	return dst
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position {
	if m != Pass {
		square := uint64(1) << (m & 63)
		turned := flips(p.own, p.opposite, square)
		p.own, p.opposite = p.own|square|turned, p.opposite&^turned
	}
	return Position{p.opposite, p.own, !p.white}
}

// Gain implements [games.Scorer]: only the discs at the end count.
func (g *Game) Gain(Position, Move) int { return 0 }

// Remaining implements [games.Scorer]: all squares. Those that count for nobody are shared.
func (g *Game) Remaining(Position) int { return g.rows * g.columns }

// Layer implements [games.Layerer]: twice the number of discs, less one if the side to move has to
// pass. A pass puts no disc, but is never followed by another.
func (g *Game) Layer(p Position) int {
	layer := 2 * bits.OnesCount64(p.own|p.opposite)
	if g.moves(p.own, p.opposite) == 0 && g.moves(p.opposite, p.own) != 0 {
		layer--
	}
	return layer
}

// Canonical implements [games.Canonicalizer]: the least image of the position, with X to move.
func (g *Game) Canonical(p Position) Position {
	least := Position{own: p.own, opposite: p.opposite}
	try := func(own, opposite uint64) {
		if own < least.own || own == least.own && opposite < least.opposite {
			least.own, least.opposite = own, opposite
		}
	}
	own, opposite := p.own, p.opposite
	for range 2 {
		try(own, opposite)
		upOwn, upOpposite := g.upsideDown(own), g.upsideDown(opposite)
		try(upOwn, upOpposite)
		try(g.mirrored(own), g.mirrored(opposite))
		try(g.mirrored(upOwn), g.mirrored(upOpposite))
		if g.rows != g.columns {
			break
		}
		own, opposite = transposed(own), transposed(opposite)
	}
	return least
}

// check refuses impossible positions.
func (g *Game) check(p Position) error {
	occupied := p.own | p.opposite
	if missing := g.middle &^ occupied; missing != 0 {
		return fmt.Errorf("%s is empty, and the four squares in the middle never are", g.square(bits.TrailingZeros64(missing)))
	}
	reached := g.middle
	for {
		next := around(reached) & occupied
		if next == reached {
			break
		}
		reached = next
	}
	if alone := occupied &^ reached; alone != 0 {
		return fmt.Errorf("no row of discs side by side connects %s with the middle", g.square(bits.TrailingZeros64(alone)))
	}
	return nil
}
