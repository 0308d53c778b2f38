package sgf

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Game is a game of stones that are put on squares.
type Game[P, M comparable] interface {
	games.Game[P, M]
	games.Describer[P, M]
}

// Dialect is how a game is written in SGF. Black moves first in it.
type Dialect[P, M comparable] struct {
	Game Game[P, M]
	// Number is the value of GM that stands for the game.
	Number string
	// Rows and Columns are those of the board, and Sizes says which numbers they may be, for errors.
	Rows, Columns int
	Sizes         string
	Largest       int // number of rows or columns
	// Rules is the value of RU in new records, empty for none.
	Rules string
	// Square returns the name of the square that a value stands for, and Value the value for a square, or for a move that is
	// none.
	Square func(value string) (string, error)
	Value  func(move string) string
	// Word returns the move of the game that a value stands for that is no square, such as a pass, in the notation of the game.
	// It is empty if nothing is played by it. Word reports whether it knows the value. It is nil if all moves are squares.
	Word func(r *Record, n *Node, value string) (move string, is bool)
	// Forced returns the only move of a position, in the notation of the game, if records may leave it out. It is nil if they
	// leave out none.
	Forced func(p P) (move string, is bool)
	// Turn returns the side to move: 0 for Black, 1 for White.
	Turn func(p P) int
}

// Is reports whether a text that begins so is SGF of the game: of other games, Go among them, it is not.
func Is(begin, number string) bool {
	game, is := GameOf(begin)
	return is && game == number
}

// wrong says what is wrong in a node.
func (n *Node) wrong(err error) error { return fmt.Errorf("SGF line %d: %w", n.Line, err) }

// Replay returns the start position and the moves of a game. If one is wrong, it returns those before. It fails if the
// board has another size. It gives the record a node for each move that may be left out.
func (d *Dialect[P, M]) Replay(r *Record) (from P, moves []M, err error) {
	from = d.Game.Start()
	if err := d.checkSize(r); err != nil {
		return from, nil, err
	}
	from, n, err := d.setUp(r)
	if err != nil {
		return d.Game.Start(), nil, err
	}
	p := from
	for resigned := false; ; n = n.Children[0] {
		text, side, found := n.Move()
		switch {
		case (found || len(moves) > 0) && n.has(stones[0], stones[1], "AE"):
			return from, moves, n.wrong(errors.New("a position that is set up in the middle of a game is not read"))
		case found && resigned:
			return from, moves, n.wrong(errors.New("a move after the end of the game"))
		case found:
			m, played, err := d.move(r, n, p)
			if err != nil {
				return from, moves, n.wrong(fmt.Errorf("move %d, %s[%.10s]: %w", len(moves)+1, sides[side], text, err))
			}
			n.idle = !played
			resigned = isResignation(text)
			if played {
				moves = append(moves, m)
				p = d.Game.Play(p, m)
			}
		}
		if len(n.Children) == 0 {
			return from, moves, nil
		}
		if d.Forced == nil {
			continue
		}
		if pass, is := d.Forced(p); is {
			n.insert(d.Turn(p), d.Value(pass))
		}
	}
}

// isResignation reports whether the value of a move says that the player resigns.
func isResignation(value string) bool {
	value = strings.Trim(value, Blanks)
	return strings.EqualFold(value, "resign") || strings.EqualFold(value, "forfeit")
}

// insert puts a move of a side between a node and those after it that begin with the other side.
func (n *Node) insert(side int, value string) {
	_, next, found := n.Children[0].Move()
	if !found || next == side {
		return
	}
	between := &Node{Line: n.Children[0].Line, Properties: []Property{{sides[side], []string{value}}}}
	var rest []*Node
	for _, child := range n.Children {
		if _, next, found := child.Move(); found && next != side {
			between.Children = append(between.Children, child)
		} else {
			rest = append(rest, child)
		}
	}
	n.Children = append([]*Node{between}, rest...)
}

// checkSize refuses the game of another board.
func (d *Dialect[P, M]) checkSize(r *Record) error {
	columns, rows := r.Size()
	if columns == "" {
		return nil
	}
	c, err := strconv.Atoi(columns)
	n, err2 := strconv.Atoi(rows)
	switch size, _ := r.Root.Value("SZ"); {
	case err != nil || err2 != nil:
		return r.Root.wrong(fmt.Errorf("size of the board SZ[%.20s]: want %s, or columns:rows", size, d.Sizes))
	case max(c, n) > d.Largest:
		return fmt.Errorf("the record has a board of %d rows and %d columns, which is too large here: boards may have %s", n, c, d.Sizes)
	case c != d.Columns || n != d.Rows:
		return fmt.Errorf("the record has a board of %d rows and %d columns, want %d and %d; boards may have %s", n, c, d.Rows, d.Columns, d.Sizes)
	}
	return nil
}

// move returns the move of a node, and whether it is one of the game.
func (d *Dialect[P, M]) move(r *Record, n *Node, p P) (m M, played bool, err error) {
	value, side, _ := n.Move()
	if isResignation(value) {
		return m, false, nil
	}
	if turn := d.Turn(p); side != turn {
		return m, false, fmt.Errorf("it is %s's turn", [2]string{"Black", "White"}[turn])
	}
	text, is := "", false
	if d.Word != nil {
		text, is = d.Word(r, n, value)
	}
	switch {
	case !is:
		text, err = d.Square(strings.Trim(value, Blanks))
	case text == "":
		return m, false, nil
	}
	if err == nil {
		m, err = games.ParseMove(d.Game, p, text)
	}
	return m, true, err
}

// setUp returns the start position of a game, and the node from which its moves are played: the root, or the last one that
// sets up stones before the first move.
func (d *Dialect[P, M]) setUp(r *Record) (p P, from *Node, err error) {
	side := map[string]int{} // of the stones, by square
	var order []string
	turn := -1
	from = r.Root
	for n := r.Root; ; n = n.Children[0] {
		if _, next, found := n.Move(); found {
			if turn < 0 { // nothing says who begins
				turn = next
			}
			break
		}
		if n.has("PL", "AE", stones[0], stones[1]) {
			from = n
		}
		for _, x := range n.Properties {
			of := slices.Index(stones[:], x.Name)
			switch {
			case x.Name == "PL" && len(x.Values) > 0:
				turn = 0
				if text := strings.ToUpper(strings.Trim(x.Values[0], Blanks)); strings.HasPrefix(text, "W") {
					turn = 1
				}
				continue
			case of < 0 && x.Name != "AE":
				continue
			}
			for _, list := range x.Values {
				for _, value := range points(list) {
					square, err := d.Square(value)
					if err != nil {
						return p, nil, n.wrong(fmt.Errorf("%s[%.10s]: %w", x.Name, list, err))
					}
					if _, there := side[square]; !there {
						order = append(order, square)
					}
					side[square] = of
				}
			}
		}
		if len(n.Children) == 0 {
			break
		}
	}
	if len(order) == 0 && turn <= 0 {
		return d.Game.Start(), from, nil
	}
	b := d.Game.Board(d.Game.Start())
	b.Turn = 1 + max(turn, 0)
	if len(order) > 0 {
		b.Pieces = []games.Piece{}
	}
	for _, square := range order {
		if of := side[square]; of >= 0 {
			b.Pieces = append(b.Pieces, games.Piece{Kind: d.Game.Layout().Kinds[0].Name, Side: 1 + of, Square: square})
		}
	}
	if p, err = d.Game.SetUp(b); err != nil {
		return p, nil, r.Root.wrong(err)
	}
	return p, from, nil
}

// points returns the squares that a value names: one, or those of a rectangle between two corners, as in aa:cc.
func points(value string) (list []string) {
	value = strings.Trim(value, Blanks)
	one, other, two := strings.Cut(value, ":")
	if !two || len(one) != 2 || len(other) != 2 {
		return []string{value}
	}
	for row := min(one[1], other[1]); row <= max(one[1], other[1]); row++ {
		for column := min(one[0], other[0]); column <= max(one[0], other[0]); column++ {
			list = append(list, string([]byte{column, row}))
		}
	}
	return list
}

// New returns the record of a game.
func (d *Dialect[P, M]) New(from P, moves []M) *Record {
	r := &Record{Root: new(Node)}
	size := strconv.Itoa(d.Columns)
	if d.Rows != d.Columns {
		size += ":" + strconv.Itoa(d.Rows)
	}
	for _, p := range [][2]string{{"FF", "4"}, {"GM", d.Number}, {"CA", "UTF-8"}, {"SZ", size}, {"RU", d.Rules}} {
		if p[1] != "" {
			r.Root.Set(p[0], p[1])
		}
	}
	if from != d.Game.Start() {
		d.place(r.Root, from)
	}
	d.addLine(r.Root, from, moves)
	return r
}

// place sets up a position in a node.
func (d *Dialect[P, M]) place(n *Node, p P) {
	for side, name := range stones {
		set := Property{Name: name}
		for _, piece := range d.Game.Board(p).Pieces {
			if piece.Side == 1+side {
				set.Values = append(set.Values, d.Value(piece.Square))
			}
		}
		if len(set.Values) > 0 {
			n.Properties = append(n.Properties, set)
		}
	}
	n.Set("PL", sides[d.Turn(p)])
}

// addLine adds a line of play after a node.
func (d *Dialect[P, M]) addLine(n *Node, p P, moves []M) {
	for _, m := range moves {
		value := d.Value(string(d.Game.AppendMove(nil, p, m)))
		child := &Node{Properties: []Property{{sides[d.Turn(p)], []string{value}}}}
		n.Children = append(n.Children, child)
		n, p = child, d.Game.Play(p, m)
	}
}
