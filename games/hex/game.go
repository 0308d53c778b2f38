package hex

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

const (
	optionSize = "size"
	optionSwap = "swap"
)

// Family is Hex on all its boards.
var Family = games.NewFamily(games.Info{
	Name:  "hex",
	Title: "Hex",
	Notation: "position: ..x/.o./... x (3x3: rows from the top, and the side to move; x connects top and bottom)\n" +
		"move: b2, or swap",
	Options: []games.Option{
		{Name: optionSize, Values: []string{"11x11", "3x3", "4x4", "5x5", "6x6", "7x7", "8x8", "9x9", "10x10"},
			Help: "rows and columns of the board"},
		{Name: optionSwap, Values: []string{"no", "yes"},
			Help: "whether the second player may take over the first stone"},
	},
}, newGame)

// The sides.
const (
	x = 0 // connects top and bottom, and begins
	o = 1 // connects left and right
)

// Position is a position.
type Position struct {
	stones [2]games.Squares
	toMove uint64 // x or o
}

// Move is the number of a square, or swap.
type Move uint8

const swap Move = 255

// Game is Hex on a board of some size.
type Game struct {
	name   string
	n      int // rows and columns
	swap   bool
	board  games.Squares
	edges  [2][2]games.Squares // of each side, where a chain begins and ends
	next   [][]int16           // the neighbours of each square, and the edges that it is on; see cursor
	layout games.Layout
}

var (
	_ games.Canonicalizer[Position]     = (*Game)(nil)
	_ games.Layerer[Position]           = (*Game)(nil)
	_ games.Features[Position]          = (*Game)(nil)
	_ games.CursorMaker[Position, Move] = (*Game)(nil)
	_ games.Describer[Position, Move]   = (*Game)(nil)
)

func newGame(r games.Rules) *Game {
	rows, _, _ := strings.Cut(r.Get(optionSize), "x")
	n, err := strconv.Atoi(rows)
	if err != nil {
		panic(err) // it is one of the values
	}
	g := &Game{name: r.String(), n: n, swap: r.Get(optionSwap) == "yes", layout: newLayout(n)}
	for i := range n * n {
		g.board = g.board.With(i)
	}
	for i := range n {
		g.edges[x][0], g.edges[x][1] = g.edges[x][0].With(i), g.edges[x][1].With(n*(n-1)+i)
		g.edges[o][0], g.edges[o][1] = g.edges[o][0].With(n*i), g.edges[o][1].With(n*i+n-1)
	}
	g.next = g.neighbours()
	return g
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// Start implements [games.Game].
func (g *Game) Start() Position { return Position{} }

// Outcome implements [games.Game].
func (g *Game) Outcome(p Position) (games.Value, bool) {
	if last := int(1 - p.toMove); g.connects(last, p.stones[last]) {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

// swaps reports whether the side to move can take over the first stone.
func (g *Game) swaps(p Position) bool {
	return g.swap && p.toMove == o && p.stones[o].Empty() && p.stones[x].Len() == 1
}

// swapped reports whether o has taken over the first stone: it has one more than without that.
func (p Position) swapped() bool { return p.stones[o].Len()+int(p.toMove) == p.stones[x].Len()+1 }

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	if _, finished := g.Outcome(p); finished {
		return dst
	}
	for free := g.board.Minus(p.stones[x]).Minus(p.stones[o]); !free.Empty(); free = free.Rest() {
		dst = append(dst, Move(free.First()))
	}
	if g.swaps(p) {
		dst = append(dst, swap)
	}
	return dst
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position {
	if m == swap {
		square := p.stones[x].First()
		return Position{stones: [2]games.Squares{o: games.Squares{}.With(square%g.n*g.n + square/g.n)}}
	}
	p.stones[p.toMove] = p.stones[p.toMove].With(int(m))
	p.toMove = 1 - p.toMove
	return p
}

// Layer implements [games.Layerer]: twice the number of stones, and one more after a swap, which
// puts none.
func (g *Game) Layer(p Position) int {
	layer := 2 * (p.stones[x].Len() + p.stones[o].Len())
	if p.swapped() {
		layer++
	}
	return layer
}

// Canonical implements [games.Canonicalizer]: the board may be turned by half a turn.
func (g *Game) Canonical(p Position) Position {
	q := Position{[2]games.Squares{g.turned(p.stones[x]), g.turned(p.stones[o])}, p.toMove}
	if less(q.stones[x], p.stones[x]) || q.stones[x] == p.stones[x] && less(q.stones[o], p.stones[o]) {
		return q
	}
	return p
}

// check refuses impossible positions. Without the swap rule numbers of stones need not balance.
func (g *Game) check(p Position) error {
	a, b := p.stones[x].Len(), p.stones[o].Len()
	before := b // x has as many before its move, and o one less
	if p.toMove == o {
		before++
	}
	if g.swap && a != before && !(p.swapped() && a+b > 0) {
		return fmt.Errorf("%d x and %d o with %s to move, want equal numbers if x is to move, else one x more", a, b, p.side())
	}
	last := int(1 - p.toMove)
	if g.connects(int(p.toMove), p.stones[p.toMove]) {
		return fmt.Errorf("%s is to move and has connected its edges", p.side())
	}
	if !g.connects(last, p.stones[last]) {
		return nil
	}
	for list := p.stones[last]; !list.Empty(); list = list.Rest() {
		if !g.connects(last, p.stones[last].Minus(games.Squares{}.With(list.First()))) {
			return nil
		}
	}
	return errors.New("the game was over before the last move")
}

// The features: how many stones more the opponent needs to connect its edges, and to be the side
// to move.
const (
	featureDistance = iota
	featureMover
	features
)

// The weights are made by hand. Estimates take few values, and a proven win is often estimated as one of them after a good move: only values mark moves.
var featureSet = games.FeatureSet{Calibration: games.Calibration{Doubt: 1}, Version: "hex-1", Size: features, Weights: []float32{200, 100}}

// FeatureSet implements [games.Features].
func (g *Game) FeatureSet() *games.FeatureSet { return &featureSet }

// AppendFeatures implements [games.Features].
func (g *Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	own, opposite := p.stones[p.toMove], p.stones[1-p.toMove]
	more := g.distance(int(1-p.toMove), opposite, own) - g.distance(int(p.toMove), own, opposite)
	return append(dst, games.Feature{Number: featureDistance, Count: int32(more)}, games.Feature{Number: featureMover, Count: 1})
}
