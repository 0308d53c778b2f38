package gomoku

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Options of the rules.
const (
	optionSize = "size"
	optionK    = "k"
	optionRule = "rule"

	ruleFree  = "free"
	ruleExact = "exact"

	minSide = 2
	minK    = 3
	maxK    = MaxSide
)

// Family is gomoku under all its rules.
var Family = games.NewFamily(games.Info{
	Name:  "gomoku",
	Title: "Gomoku",
	Notation: "position: 3/1x1/3 o (the top row first; x black, o white, numbers for empty squares; side to move)\n" +
		"move: h8 (column, row from the bottom)",
	Options: []games.Option{
		{Name: optionSize, Values: []string{"15x15"}, Form: "ROWSxCOLUMNS", Parse: parseSize,
			Help: "rows and columns of the board, 2 to 20 each"},
		{Name: optionK, Values: []string{"5"}, Form: "NUMBER", Parse: parseK,
			Help: "how many stones in a row win, 3 to 20"},
		{Name: optionRule, Values: []string{ruleFree, ruleExact},
			Help: "free: k or more stones in a row win; exact: exactly k win"},
	},
}, newGame)

func parseSize(text string) (string, error) {
	rows, columns, ok := readSize(text)
	if !ok {
		return "", errors.New("want rows x columns, 2 to 20 each, as in 15x15")
	}
	return fmt.Sprintf("%dx%d", rows, columns), nil
}

// readSize reads the two sides of a board, as in 15x15.
func readSize(text string) (first, second int, ok bool) {
	a, b, _ := strings.Cut(text, "x")
	first, ok = parseNumber(a, minSide, MaxSide)
	second, ok2 := parseNumber(b, minSide, MaxSide)
	return first, second, ok && ok2
}

func parseK(text string) (string, error) {
	k, ok := parseNumber(text, minK, maxK)
	if !ok {
		return "", errors.New("want a number, 3 to 20")
	}
	return strconv.Itoa(k), nil
}

// parseNumber reads a number of decimal digits in a range.
func parseNumber(text string, least, most int) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err == nil && int(n) >= least && int(n) <= most
}

// Rules are the rules of a game of this family.
type Rules struct {
	Rows, Columns int  // 2 to 20 each
	K             int  // how many in a row win, 3 to 20
	Exact         bool // more than K do not win
}

// New returns the game under some rules. It fails if one is out of range.
func New(r Rules) (*Game, error) {
	rule := ruleFree
	if r.Exact {
		rule = ruleExact
	}
	return Family.Open(fmt.Sprintf("gomoku:size=%dx%d,k=%d,rule=%s", r.Rows, r.Columns, r.K, rule))
}

// Game is gomoku under some rules. It implements [games.Game] and its
// capabilities [games.Canonicalizer], [games.Layerer], [games.Drawer] and
// [games.Describer].
type Game struct {
	name          string
	rows, columns int
	k             int
	exact         bool
	squares       Set // all squares of the board
	words         int // number of words of a Set up to the last square
	room          [len(directions)]room
	images        [][MaxSquares]Square
	layout        *layout
}

var (
	_ games.Canonicalizer[Position]     = (*Game)(nil)
	_ games.Layerer[Position]           = (*Game)(nil)
	_ games.Drawer[Position]            = (*Game)(nil)
	_ games.Describer[Position, Square] = (*Game)(nil)
)

func newGame(r games.Rules) *Game {
	g := &Game{name: r.String(), exact: r.Get(optionRule) == ruleExact}
	g.rows, g.columns, _ = readSize(r.Get(optionSize))
	g.k, _ = parseNumber(r.Get(optionK), minK, maxK)
	for row := range g.rows {
		for column := range g.columns {
			g.squares.Add(SquareAt(row, column))
		}
	}
	g.words = int(SquareAt(g.rows-1, g.columns-1))/64 + 1
	for direction := range g.room {
		g.room[direction] = newRoom(g, direction)
	}
	g.images = images(g.rows, g.columns)
	g.layout = newLayout(g)
	return g
}

// Rules returns the rules of the game.
func (g *Game) Rules() Rules { return Rules{g.rows, g.columns, g.k, g.exact} }

// Squares returns all squares of the board.
func (g *Game) Squares() Set { return g.squares }

// EmptySquares returns the squares without a stone.
func (g *Game) EmptySquares(p Position) Set {
	empty := g.squares
	empty.RemoveAll(&p.stones[Black])
	empty.RemoveAll(&p.stones[White])
	return empty
}

func (g *Game) Name() string    { return g.name }
func (g *Game) Start() Position { return Position{} }

func (g *Game) Outcome(p Position) (games.Value, bool) {
	if g.hasLine(&p.stones[p.toMove.Opponent()]) { // by the move just made
		return games.Loss(0), true
	}
	if empty := g.EmptySquares(p); empty.Empty() {
		return games.Draw, true
	}
	return games.Unfinished, false
}

// AppendMoves implements [games.Game]: the empty squares, row by row from the
// bottom.
func (g *Game) AppendMoves(dst []Square, p Position) []Square {
	if g.hasLine(&p.stones[p.toMove.Opponent()]) {
		return dst
	}
	empty := g.EmptySquares(p)
	empty.Each(func(s Square) { dst = append(dst, s) })
	return dst
}

// Layer implements [games.Layerer]: the number of stones.
func (g *Game) Layer(p Position) int { return p.stones[Black].Len() + p.stones[White].Len() }

func (g *Game) Play(p Position, s Square) Position {
	p.stones[p.toMove].Add(s)
	p.toMove = p.toMove.Opponent()
	return p
}
