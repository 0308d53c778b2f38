package gomoku

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A winning tree is a certificate that the claimant, here the attacker, who is to
// move, wins. docs/proof-format.md has its form, and why it is enough. In short:
// each node has the attacker's move, a node that answers any irrelevant reply,
// and answers to the relevant ones. Which replies are relevant is not in the
// certificate: the checker computes the relevance zone of the answer to the others,
// and each reply in it must have an answer of its own.
//
// A node may have been proven on another board than the one it is used on: with
// more stones of the defender, which do not help the attacker, or without some, which
// must then lie outside its zone.

// ghost marks an empty square that had a stone of the defender's where the node was
// proven. The node has no answer to a reply there.
const ghost = '_'

// maxVisits limits the work that a certificate may cause.
const maxVisits = 1 << 22

// treeNode is a move of the attacker's.
type treeNode struct {
	move      Move
	wins      bool       // the move makes a line
	otherwise treeAnswer // to replies without an answer of their own
	answers   []treeAnswer
}

// treeAnswer is the answer to some replies. It is proven with the stones placed
// and without those removed.
type treeAnswer struct {
	replies, placed, removed []Move
	then                     int
}

// visit is a node on a board, with some of the defender's stones unknown.
type visit struct {
	node, unknown int
	squares       string
}

// window is k squares in a row, and the squares before and after it, -1 off the
// board.
type window struct {
	squares       []int
	before, after int
}

// treeChecker checks a tree.
type treeChecker struct {
	g                  *Game
	attacker, defender byte
	nodes              []treeNode
	windows            []window
	won                map[visit]bool
	zones              map[visit][]bool
	visits             int
}

func (g *Game) newTreeChecker(p Position) *treeChecker {
	return &treeChecker{
		g: g, attacker: p.toMove, defender: opponent(p.toMove), windows: g.windows(),
		won: map[visit]bool{}, zones: map[visit][]bool{},
	}
}

// checkTree checks a tree for the side to move in p.
func (g *Game) checkTree(p Position, text string) error {
	if g.hasWon(p.squares, opponent(p.toMove)) {
		return errors.New("the game is over")
	}
	t := g.newTreeChecker(p)
	root, err := t.parse(text)
	if err != nil {
		return err
	}
	squares := []byte(p.squares)
	next, err := t.change(squares, &root)
	if err != nil {
		return err
	}
	if err := t.wins(root.then, next); err != nil {
		return err
	}
	return t.carries(squares, &root)
}

// parse reads the nodes and returns what stands before them, the root as an answer.
func (t *treeChecker) parse(text string) (root treeAnswer, err error) {
	lines := strings.Split(text, "\n")
	for _, word := range strings.Split(lines[0], " ")[1:] {
		if err := t.parseSquares(&root, word, false); err != nil {
			return root, err
		}
	}
	used := make([]bool, len(lines))
	for number, line := range lines[1:] {
		n, err := t.parseNode(line, number, used)
		if err != nil {
			return root, fmt.Errorf("line %d of the tree: %w", number+1, err)
		}
		t.nodes = append(t.nodes, n)
	}
	if root.then = len(t.nodes) - 1; root.then < 0 {
		return root, errors.New("a tree without a move")
	}
	if i := slices.Index(used[:root.then], false); i >= 0 {
		return root, fmt.Errorf("line %d of the tree: no line refers to it", i+1)
	}
	return root, nil
}

// parseNode reads the node with the given number, which may refer to smaller ones.
func (t *treeChecker) parseNode(line string, number int, used []bool) (n treeNode, err error) {
	reference := func(text string) int {
		back, e := strconv.Atoi(text)
		if e != nil || back < 1 || back > number || strconv.Itoa(back) != text {
			err = fmt.Errorf("%q: want how many lines back, 1 to %d", text, number)
			return 0
		}
		used[number-back] = true
		return number - back
	}
	words := strings.Split(line, " ")
	if n.move, err = t.g.parseSquare(words[0]); err != nil {
		return n, err
	}
	if n.wins = len(words) == 1; n.wins {
		return n, nil
	}
	squares, then, changed := strings.Cut(words[1], "=")
	if !changed {
		squares, then = "", words[1]
	}
	if err := t.parseSquares(&n.otherwise, squares, false); err != nil {
		return n, err
	}
	n.otherwise.then = reference(then)
	for _, word := range words[2:] {
		squares, then, _ := strings.Cut(word, "=")
		var a treeAnswer
		if e := t.parseSquares(&a, squares, true); e != nil {
			return n, e
		}
		a.then = reference(then)
		n.answers = append(n.answers, a)
	}
	return n, err
}

// parseSquares reads squares with a sign before each: + for a stone placed, which
// is also a reply, - for one removed, and . for a reply, where replies may stand.
func (t *treeChecker) parseSquares(a *treeAnswer, text string, replies bool) error {
	signs := "+-"
	if replies {
		signs = "+-."
	}
	for len(text) > 0 {
		if !strings.Contains(signs, text[:1]) {
			return fmt.Errorf("%q: want one of %s before each square", text, signs)
		}
		end := 1 + strings.IndexAny(text[1:], "+-.")
		if end == 0 {
			end = len(text)
		}
		m, err := t.g.parseSquare(text[1:end])
		if err != nil {
			return err
		}
		switch text[0] {
		case '+':
			a.placed = append(a.placed, m)
			if replies {
				a.replies = append(a.replies, m)
			}
		case '-':
			a.removed = append(a.removed, m)
		default:
			a.replies = append(a.replies, m)
		}
		text = text[end:]
	}
	if replies && len(a.replies) == 0 {
		return errors.New("an answer to nothing")
	}
	if t.g.exact && len(a.placed) > 0 && (len(a.placed) > 1 || len(a.replies) != 1) {
		return errors.New("with the exact rule no stone may be placed but the only reply")
	}
	return nil
}

// change returns the board on which an answer is proven.
func (t *treeChecker) change(squares []byte, a *treeAnswer) ([]byte, error) {
	next := slices.Clone(squares)
	for _, m := range a.placed {
		if next[m] != empty {
			return nil, fmt.Errorf("%s is not empty", t.name(m))
		}
		next[m] = t.defender
	}
	for _, m := range a.removed {
		if squares[m] != t.defender || next[m] != t.defender {
			return nil, fmt.Errorf("%s has no stone of the defender's", t.name(m))
		}
		next[m] = empty
	}
	return next, nil
}

func (t *treeChecker) name(m Move) []byte { return t.g.AppendMove(nil, Position{}, m) }

// count counts a visit.
func (t *treeChecker) count() error {
	if t.visits++; t.visits > maxVisits {
		return errors.New("the tree is too large to be checked")
	}
	return nil
}

// wins checks that the attacker, to move, wins by a node on a board, whatever the
// defender does.
func (t *treeChecker) wins(node int, squares []byte) error {
	n, at := &t.nodes[node], visit{node, 0, string(squares)}
	if t.won[at] {
		return nil
	}
	if err := t.count(); err != nil {
		return err
	}
	if squares[n.move] != empty {
		return fmt.Errorf("line %d of the tree: %s is not empty", node+1, t.name(n.move))
	}
	if t.g.hasWon(string(squares), t.defender) {
		return fmt.Errorf("line %d of the tree: the defender has a line on the board where it is proven", node+1)
	}
	squares[n.move] = t.attacker
	err := t.holds(n, squares)
	squares[n.move] = empty
	if err != nil {
		return fmt.Errorf("%s, %w", t.name(n.move), err)
	}
	t.won[at] = true
	return nil
}

// holds is wins after the attacker's move.
func (t *treeChecker) holds(n *treeNode, squares []byte) error {
	if line := t.g.hasWon(string(squares), t.attacker); line || n.wins {
		if line != n.wins {
			return errors.New("a win where the tree has none, or none where it has one")
		}
		return nil
	}
	for i := range t.windows {
		if t.stones(&t.windows[i], squares) == t.g.k-1 {
			return errors.New("the defender wins at once")
		}
	}
	next, err := t.change(squares, &n.otherwise)
	if err != nil {
		return err
	}
	if err := t.wins(n.otherwise.then, next); err != nil {
		return err
	}
	if err := t.carries(squares, &n.otherwise); err != nil {
		return err
	}
	zone, err := t.zone(n.otherwise.then, haunted(squares, &n.otherwise), 0)
	if err != nil {
		return err
	}
	open := make([]bool, len(squares))
	for m, in := range zone {
		open[m] = in && squares[m] == empty
	}
	for i := range n.answers {
		a := &n.answers[i]
		next, err := t.change(squares, a)
		if err != nil {
			return err
		}
		if err := t.wins(a.then, next); err != nil {
			return err
		}
		for _, m := range a.replies {
			if squares[m] != empty {
				return fmt.Errorf("the reply %s is not empty", t.name(m))
			}
			squares[m] = t.defender
			err := t.carries(squares, t.after(a, m))
			squares[m] = empty
			if err != nil {
				return fmt.Errorf("reply %s: %w", t.name(m), err)
			}
			open[m] = false
		}
	}
	if m := slices.Index(open, true); m >= 0 {
		return fmt.Errorf("the reply %s in the zone is not answered", t.name(Move(m)))
	}
	return nil
}

// after returns an answer as seen from the board with a reply: what is placed and
// removed leads from there to where the answer is proven.
func (t *treeChecker) after(a *treeAnswer, reply Move) *treeAnswer {
	b := &treeAnswer{removed: a.removed, then: a.then}
	for _, m := range a.placed {
		if m != reply {
			b.placed = append(b.placed, m)
		}
	}
	if !slices.Contains(a.placed, reply) {
		b.removed = append(slices.Clone(a.removed), reply)
	}
	return b
}

// carries checks that a node wins on a board if it does with some of the
// defender's stones placed and others removed: one after the other, the latter are
// outside its zone.
func (t *treeChecker) carries(squares []byte, a *treeAnswer) error {
	if len(a.removed) == 0 {
		return nil
	}
	common := slices.Clone(squares)
	for _, m := range a.removed {
		common[m] = empty
	}
	for _, m := range a.placed {
		common[m] = ghost
	}
	for _, m := range a.removed {
		zone, err := t.zone(a.then, common, 0)
		if err != nil {
			return err
		}
		if zone[m] {
			return fmt.Errorf("%s is in the zone of the answer", t.name(m))
		}
		common[m] = t.defender
	}
	return nil
}

// zone returns the relevance zone of a node on a board, with a number of further
// stones of the defender's that may be anywhere: the squares of the attacker's
// moves, and the empty squares of windows in which the defender could lack a single
// stone for his line after the attacker's move.
func (t *treeChecker) zone(node int, squares []byte, unknown int) ([]bool, error) {
	n, at := &t.nodes[node], visit{node, unknown, string(squares)}
	if zone, ok := t.zones[at]; ok {
		return zone, nil
	}
	if err := t.count(); err != nil {
		return nil, err
	}
	zone := make([]bool, len(squares))
	zone[n.move] = true
	if n.wins {
		return zone, nil
	}
	if squares[n.move] != empty {
		return nil, fmt.Errorf("line %d of the tree: %s is not empty", node+1, t.name(n.move))
	}
	squares = bytes.Clone(squares)
	squares[n.move] = t.attacker
	for i := range t.windows {
		if w := &t.windows[i]; t.stones(w, squares) >= t.g.k-2-unknown {
			for _, m := range w.squares {
				if squares[m] != t.defender {
					zone[m] = true
				}
			}
		}
	}
	add := func(node int, squares []byte, unknown int) error {
		more, err := t.zone(node, squares, unknown)
		for m, in := range more {
			zone[m] = zone[m] || in
		}
		return err
	}
	free := unknown
	if !t.nodes[n.otherwise.then].wins {
		free++
	}
	if err := add(n.otherwise.then, haunted(squares, &n.otherwise), free); err != nil {
		return nil, err
	}
	for i := range n.answers {
		a := &n.answers[i]
		for _, reply := range a.replies {
			if squares[reply] != empty {
				continue
			}
			next := haunted(squares, a)
			next[reply] = t.defender
			if err := add(a.then, next, unknown); err != nil {
				return nil, err
			}
		}
	}
	t.zones[at] = zone
	return zone, nil
}

// haunted returns a board with ghosts on the empty squares where an answer is proven
// with stones.
func haunted(squares []byte, a *treeAnswer) []byte {
	squares = bytes.Clone(squares)
	for _, m := range a.placed {
		if squares[m] == empty {
			squares[m] = ghost
		}
	}
	return squares
}

// windows returns all windows of the board.
func (g *Game) windows() (list []window) {
	at := func(row, column int) int {
		if row < 0 || row >= g.rows || column < 0 || column >= g.columns {
			return -1
		}
		return row*g.columns + column
	}
	for row := range g.rows {
		for column := range g.columns {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				if at(row+(g.k-1)*d[0], column+(g.k-1)*d[1]) < 0 {
					continue
				}
				w := window{before: at(row-d[0], column-d[1]), after: at(row+g.k*d[0], column+g.k*d[1])}
				for i := range g.k {
					w.squares = append(w.squares, at(row+i*d[0], column+i*d[1]))
				}
				list = append(list, w)
			}
		}
	}
	return list
}

// stones returns how many stones the defender has in a window, and a large
// negative number if he cannot make his line there: the attacker has a stone in it, or the
// rule is exact and the line would be too long.
func (t *treeChecker) stones(w *window, squares []byte) (n int) {
	const never = -1 << 20
	for _, m := range w.squares {
		switch squares[m] {
		case t.defender:
			n++
		case t.attacker:
			return never
		}
	}
	if t.g.exact && (w.before >= 0 && squares[w.before] == t.defender || w.after >= 0 && squares[w.after] == t.defender) {
		return never
	}
	return n
}
