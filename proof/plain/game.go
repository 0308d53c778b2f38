package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Position is one of any game. Each game has its own letters for what is on a square, in a
// hand, and for the sides.
type Position struct {
	board string // a byte for each square, row by row from the top left
	hands string // a byte for each kind of piece and side: how many are in hand
	mover byte   // the side to move
	need  int    // in a claim about points: those that the side to move must still get
}

// Board returns what is on the squares, row by row from the top left, and the side to move, by the
// letters of the game.
func (p Position) Board() (squares string, mover byte) { return p.board, p.mover }

// A Move is a number that the rules of a game give it.
type Move uint64

// Rules are the rules of a game.
type Rules interface {
	// parse returns the position of a text. It ends the check if there is none, or if [Rules.Format]
	// would spell it otherwise.
	parse(text string) Position
	// Format returns the text of a position.
	Format(p Position) string
	// Result returns whether the game is over and, if it is, who has won: the side to move if the
	// number is above 0, the other side if it is below. In a game with scores the number is the score.
	Result(p Position) (result int, over bool)
	// Moves returns all moves in a position in which the game is not over.
	Moves(p Position) []Move
	// Text returns the text of a move.
	Text(p Position, m Move) string
	// Play returns the position after a move.
	Play(p Position, m Move) Position
	// Canonical returns a position that all images of a position share, and nothing else.
	Canonical(p Position) Position
}

// Points are rules of a game with scores.
type Points interface {
	// Gain returns how many points more than the other side the mover gets by a move.
	Gain(p Position, m Move) int
	// Left returns how many points are left.
	Left(p Position) int
}

// A Game is a game with its options.
type Game struct {
	Rules
	Monotone bool // a stone more never hurts its owner
	Unending bool // play without end is not always a draw
}

// options are the options of each game, with their defaults.
var options = map[string]map[string]string{
	"gomoku":    {"size": "15x15", "k": "5", "rule": "free"},
	"tictactoe": {},
	"connect4":  {"size": "6x7"},
	"hex":       {"size": "11x11", "swap": "no"},
	"othello":   {"size": "8x8", "empty": "nobody"},
	"checkers":  {"size": "8x8", "pieces": "all"},
	"dobutsu":   {"size": "4x3", "drops": "any", "try": "win"},
	"shogi":     {"checks": "free"},
	"awari":     {"slam": "legal-if-only", "stones": "48"},
}

// Open returns the game that a header names.
func Open(text string) (g *Game, err error) {
	defer recovered(&err)
	name, list, given := strings.Cut(text, ":")
	o := map[string]string{}
	for option, value := range options[name] {
		o[option] = value
	}
	demand(options[name] != nil, ErrUnsuited, "no plain rules for %.100q", text)
	if given {
		seen := map[string]bool{}
		for option := range strings.SplitSeq(list, ",") {
			key, value, _ := strings.Cut(option, "=")
			_, known := o[key]
			demand(known && !seen[key], ErrUnsuited, "no plain rules for %.100q: option %q", text, option)
			o[key], seen[key] = value, true
		}
	}
	g = &Game{Monotone: name == "hex" && o["swap"] == "no", Unending: name == "shogi"}
	ok := false
	switch name {
	case "gomoku", "tictactoe", "connect4":
		g.Rules, ok = newRows(name, o)
	case "hex":
		g.Rules, ok = newHex(o)
	case "othello":
		g.Rules, ok = newOthello(o)
	case "checkers":
		g.Rules, ok = newCheckers(o)
	case "dobutsu":
		g.Rules, ok = newDobutsu(o)
	case "shogi":
		g.Rules, ok = newShogi(o)
	case "awari":
		g.Rules, ok = newAwari(o)
	}
	demand(ok, ErrUnsuited, "no plain rules for %.100q", text)
	return g, nil
}

// Parse returns the position of a text.
func (g *Game) Parse(text string) (p Position, err error) {
	defer recovered(&err)
	return g.parse(text), nil
}

// number returns the number that a text of digits is, and -1 for any other.
func number(text string) int {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return -1
	}
	return int(n)
}

// size returns the numbers of rows and columns that a text such as 7x7 has.
func size(text string) (rows, cols int) {
	first, second, _ := strings.Cut(text, "x")
	return number(first), number(second)
}

// with returns a board with something else on some squares.
func with(board string, piece byte, squares ...int) string {
	b := []byte(board)
	for _, s := range squares {
		b[s] = piece
	}
	return string(b)
}

// A grid is a board of squares.
type grid struct{ rows, cols int }

// square returns the square in a row and column, -1 off the board.
func (g grid) square(y, x int) int {
	if y < 0 || y >= g.rows || x < 0 || x >= g.cols {
		return -1
	}
	return y*g.cols + x
}

// line returns the squares from a square on in a direction, without it, at most some.
func (g grid) line(s, down, right, most int) (squares []int) {
	for n := 1; n <= most; n++ {
		if at := g.square(s/g.cols+n*down, s%g.cols+n*right); at >= 0 {
			squares = append(squares, at)
		} else {
			break
		}
	}
	return squares
}

// eight are the rows and columns to go in each direction.
var eight = [8][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}

// name returns the name of a square. Rows are numbered from the top.
func (g grid) name(s int) string { return string(rune('a'+s%g.cols)) + strconv.Itoa(s/g.cols+1) }

// An image says for each square which square comes to it.
type image []int

// images returns the images of a board: those turned or mirrored in all ways.
func (g grid) images() (list []image) {
	for way := range 8 {
		if way&4 != 0 && g.rows != g.cols {
			break
		}
		var m image
		for s := range g.rows * g.cols {
			y, x := s/g.cols, s%g.cols
			if way&1 != 0 {
				x = g.cols - 1 - x
			}
			if way&2 != 0 {
				y = g.rows - 1 - y
			}
			if way&4 != 0 {
				y, x = x, y
			}
			m = append(m, g.square(y, x))
		}
		list = append(list, m)
	}
	return list
}

// of returns the image of a board.
func (m image) of(board string) string {
	b := make([]byte, len(m))
	for to, from := range m {
		b[to] = board[from]
	}
	return string(b)
}

// least returns the image of a board that comes first.
func least(board string, images []image) string {
	first := board
	for _, m := range images {
		first = min(first, m.of(board))
	}
	return first
}

// exchanged returns a board with the sides exchanged, whose pieces are capital and small
// letters.
func exchanged(board string) string {
	b := []byte(board)
	for s, piece := range b {
		if isLetter(piece) {
			b[s] ^= 'a' ^ 'A'
		}
	}
	return string(b)
}

func isLetter(b byte) bool { return b|32 >= 'a' && b|32 <= 'z' }

// In texts with rows numbers may stand for empty squares, the largest that is possible.
const empty = '.'

var numbers, squares = func() (numbers, squares *strings.Replacer) {
	var to, from []string
	for n := 20; n > 0; n-- {
		row := strings.Repeat(string(empty), n)
		to, from = append(to, row, strconv.Itoa(n)), append(from, strconv.Itoa(n), row)
	}
	return strings.NewReplacer(to...), strings.NewReplacer(from...)
}()

// slashed returns a board with a / between rows.
func (g grid) slashed(board string) string {
	var rows []string
	for row := range slices.Chunk([]byte(board), g.cols) {
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "/")
}

// opponent returns the other side of b and w.
func opponent(mover byte) byte { return 'b' + 'w' - mover }

// own returns whether a piece, which is a letter, is one of a side: b has capital letters.
func own(piece, mover byte) bool {
	return isLetter(piece) && (piece&32 == 0) == (mover == 'b')
}

// owned returns a piece, given as a capital letter, as one of a side.
func owned(piece, mover byte) byte {
	if mover == 'w' {
		return piece | 32
	}
	return piece
}

// handOf returns where the hand of the side to move begins, if there are so many kinds.
func handOf(p Position, kinds int) int {
	if p.mover == 'w' {
		return kinds
	}
	return 0
}

// handText returns the hands of both sides: those of the one that begins, with capital letters,
// and those of the other. The kinds are in the order in which they are written.
func handText(hands, kinds string) string {
	text := ""
	for i, n := range []byte(hands) {
		letter := string(kinds[i%len(kinds)])
		if i >= len(kinds) {
			letter = strings.ToLower(letter)
		}
		if n > 1 {
			text += strconv.Itoa(int(n))
		}
		if n > 0 {
			text += letter
		}
	}
	if text == "" {
		return "-"
	}
	return text
}

// parseHands returns the hands of a text that handText may have written.
func parseHands(text, kinds string) string {
	hands, n := make([]byte, 2*len(kinds)), 0
	for _, letter := range []byte(text) {
		i := strings.IndexByte(kinds+strings.ToLower(kinds), letter)
		switch {
		case i >= 0:
			hands[i], n = byte(max(n, 1)), 0
		case letter >= '0' && letter <= '9' && n < 10:
			n = 10*n + int(letter-'0')
		}
	}
	return string(hands)
}

// spelled ends the check unless a position is spelled as in the file.
func spelled(r Rules, p Position, text string) {
	must(r.Format(p) == text, "%.1000q is no position", text)
}

// A failure is the panic that ends a check.
type failure struct{ error }

// must ends the check unless ok: the proof is refused.
func must(ok bool, format string, args ...any) { demand(ok, ErrRefused, format, args...) }

// demand ends the check with err unless ok.
func demand(ok bool, err error, format string, args ...any) {
	if !ok {
		panic(failure{fmt.Errorf("%w: %s", err, fmt.Sprintf(format, args...))})
	}
}

// recovered turns a failure into an error.
func recovered(err *error) {
	switch e := recover().(type) {
	case nil:
	case failure:
		*err = e.error
	default:
		panic(e)
	}
}
