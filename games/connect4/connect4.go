package connect4

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

const (
	optionSize = "size"

	minSide, maxSide = 2, 15
)

// Family is Connect Four on boards of all sizes.
var Family = games.NewFamily(games.Info{
	Name:     "connect4",
	Title:    "Connect Four",
	Notation: "position: ..../..../.o../.xx. (rows from the top; x begins)\nmove: d (the column)",
	Options: []games.Option{
		{Name: optionSize, Values: []string{"6x7"}, Form: "ROWSxCOLUMNS", Parse: parseSize,
			Help: "rows and columns of the board, 2 to 15 each, as far as positions can be numbered"},
	},
}, newGame)

func parseSize(text string) (string, error) {
	rows, columns, ok := readSize(text)
	if !ok {
		return "", errors.New("want rows x columns, 2 to 15 each, as in 6x7")
	}
	if (rows+1)*columns > 63 || newIndex(rows, columns) == nil {
		return "", errors.New("the board is too large: its positions cannot be numbered")
	}
	return fmt.Sprintf("%dx%d", rows, columns), nil
}

func readSize(text string) (rows, columns int, ok bool) {
	first, second, _ := strings.Cut(text, "x")
	r, err := strconv.ParseUint(first, 10, 8) // no sign
	c, err2 := strconv.ParseUint(second, 10, 8)
	rows, columns = int(r), int(c)
	return rows, columns, err == nil && err2 == nil && min(rows, columns) >= minSide && max(rows, columns) <= maxSide
}

// Position is a position. A column has rows+1 bits, the lowest for the bottom square;
// the highest is always 0.
type Position struct {
	x     uint64 // discs of player x
	discs uint64 // of both
}

// Move is the number of a column.
type Move uint8

// Game is Connect Four on a board of some size.
type Game struct {
	name          string
	rows, columns int
	bottom, full  uint64 // the lowest squares; all squares
	index         *index
	layout        games.Layout
}

var (
	_ games.Indexer[Position]         = (*Game)(nil)
	_ games.Expander                  = (*Game)(nil)
	_ games.Retractor                 = (*Game)(nil)
	_ games.Canonicalizer[Position]   = (*Game)(nil)
	_ games.Layerer[Position]         = (*Game)(nil)
	_ games.Drawer[Position]          = (*Game)(nil)
	_ games.Describer[Position, Move] = (*Game)(nil)
)

func newGame(r games.Rules) *Game {
	g := &Game{name: r.String()}
	g.rows, g.columns, _ = readSize(r.Get(optionSize))
	for column := range g.columns {
		g.bottom |= 1 << (column * (g.rows + 1))
	}
	g.full = g.bottom * (1<<g.rows - 1)
	g.index = newIndex(g.rows, g.columns)
	g.layout = newLayout(g.rows, g.columns)
	return g
}

func (g *Game) column(c int) uint64 { return (1<<g.rows - 1) << (c * (g.rows + 1)) }

func (g *Game) hasFour(discs uint64) bool {
	for _, step := range g.directions() {
		pairs := discs & (discs >> step)
		if pairs&(pairs>>(2*step)) != 0 {
			return true
		}
	}
	return false
}

func (p Position) xToMove() bool { return bits.OnesCount64(p.discs)%2 == 0 }

// last returns the discs of the player who made the last move.
func (p Position) last() uint64 {
	if p.xToMove() {
		return p.discs &^ p.x
	}
	return p.x
}

func (g *Game) Name() string    { return g.name }
func (g *Game) Start() Position { return Position{} }

func (g *Game) Outcome(p Position) (games.Value, bool) {
	switch {
	case g.hasFour(p.last()):
		return games.Loss(0), true
	case p.discs == g.full:
		return games.Draw, true
	}
	return games.Unfinished, false
}

func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	if _, finished := g.Outcome(p); finished {
		return dst
	}
	for c := range g.columns {
		if column := g.column(c); p.discs&column != column {
			dst = append(dst, Move(c))
		}
	}
	return dst
}

// Play implements [games.Game]. Adding the bottom square of a column to its discs
// carries over to the lowest empty one.
func (g *Game) Play(p Position, m Move) Position {
	column := g.column(int(m))
	disc := (p.discs&column + g.bottom&column) & column
	if p.xToMove() {
		p.x |= disc
	}
	p.discs |= disc
	return p
}

// Layer implements [games.Layerer]: the number of discs.
func (g *Game) Layer(p Position) int { return bits.OnesCount64(p.discs) }

func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	for row := g.rows - 1; row >= 0; row-- {
		for c := range g.columns {
			dst = append(dst, p.mark(g.square(row, c)))
		}
		if row > 0 {
			dst = append(dst, '/')
		}
	}
	return dst
}

func (g *Game) square(row, column int) uint64 { return 1 << (column*(g.rows+1) + row) }

func (p Position) mark(square uint64) byte {
	switch {
	case p.x&square != 0:
		return 'x'
	case p.discs&square != 0:
		return 'o'
	}
	return '.'
}

func (g *Game) ParsePosition(text string) (Position, error) {
	var p Position
	rows := strings.Split(text, "/")
	if len(rows) != g.rows {
		return p, fmt.Errorf("position %q: want %d rows with / between, got %d", text, g.rows, len(rows))
	}
	for i, row := range rows {
		if len(row) != g.columns {
			return p, fmt.Errorf("position %q: row %d: want %d squares, got %d", text, g.rows-i, g.columns, len(row))
		}
		for c := range g.columns {
			square := g.square(g.rows-1-i, c)
			switch row[c] {
			case 'x':
				p.x |= square
				p.discs |= square
			case 'o':
				p.discs |= square
			case '.':
			default:
				return p, fmt.Errorf("position %q: row %d, column %c: %q, want x, o or . for empty", text, g.rows-i, 'a'+c, row[c])
			}
		}
	}
	if err := g.check(p); err != nil {
		return p, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

// check refuses impossible positions.
func (g *Game) check(p Position) error {
	for c := range g.columns {
		if column := p.discs & g.column(c); column&(column+g.bottom&g.column(c)) != 0 {
			return fmt.Errorf("column %c: a disc has none below it", 'a'+c)
		}
	}
	x := bits.OnesCount64(p.x)
	if o := bits.OnesCount64(p.discs) - x; x != o && x != o+1 {
		return fmt.Errorf("%d x and %d o, want equal numbers, or one x more", x, o)
	}
	if !g.possible(p) {
		return errors.New("the game was over before the last move")
	}
	return nil
}

// possible reports whether the game can have lasted until the last move: the side to move has
// no four, and if the other side has one, taking away one of its top discs removes it.
func (g *Game) possible(p Position) bool {
	last := p.last()
	if g.hasFour(p.discs &^ last) {
		return false
	}
	if !g.hasFour(last) {
		return true
	}
	top := p.discs &^ (p.discs >> 1)
	for list := top & last; list != 0; list &= list - 1 {
		if !g.hasFour(last &^ (list & -list)) {
			return true
		}
	}
	return false
}

func (g *Game) AppendMove(dst []byte, _ Position, m Move) []byte { return append(dst, 'a'+byte(m)) }

// Mirror returns the mirror image of p.
func (g *Game) Mirror(p Position) Position {
	var q Position
	for c := range g.columns {
		shift, back := c*(g.rows+1), (g.columns-1-c)*(g.rows+1)
		q.x |= p.x >> shift & (1<<g.rows - 1) << back
		q.discs |= p.discs >> shift & (1<<g.rows - 1) << back
	}
	return q
}

// Canonical implements [games.Canonicalizer]: the smaller of p and its mirror image.
func (g *Game) Canonical(p Position) Position {
	if q := g.Mirror(p); q.discs < p.discs || q.discs == p.discs && q.x < p.x {
		return q
	}
	return p
}

func (g *Game) AppendBoard(dst []byte, p Position) []byte {
	for row := g.rows - 1; row >= 0; row-- {
		for c := range g.columns {
			mark := p.mark(g.square(row, c))
			if mark == '.' {
				mark = ' '
			}
			dst = append(dst, '|', ' ', mark, ' ')
		}
		dst = append(dst, "|\n"...)
	}
	dst = append(dst, strings.Repeat("+---", g.columns)+"+\n"...)
	for c := range g.columns {
		if c > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, ' ', ' ', 'a'+byte(c))
	}
	return append(dst, '\n')
}
