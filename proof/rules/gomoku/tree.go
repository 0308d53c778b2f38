package gomoku

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/proof"
)

// A winning tree is a certificate that the claimant, here the attacker, who is to
// move, wins. docs/proof-format.md describes its form and shows why it suffices. In short:
// each node has the attacker's move, a node that answers any irrelevant reply, and answers to
// the relevant ones. The certificate does not say which replies are relevant: the checker
// computes the relevance zone of the node that answers irrelevant replies, and each reply in
// that zone must have an answer of its own.
//
// The board on which a node is proven may differ from the board on which it is used. It may
// have more stones of the defender, which do not help the attacker, or lack some, which must
// then lie outside the node's zone.

// treeNode is a move of the attacker and the answers to the replies.
type treeNode struct {
	move      Move
	size      int        // of its line, in bytes
	wins      bool       // the move makes a line
	moves     int        // of the attacker, at most, up to his line
	order     int        // of the threats, as in Win
	otherwise treeAnswer // to replies without an answer of their own
	answers   []treeAnswer
}

// treeAnswer is the answer to some replies: the node whose number is then. It is proven on a
// board to which the stones placed are added and from which the stones removed are taken.
type treeAnswer struct {
	replies, placed, removed []Move
	then                     int
}

// place is a node on a board.
type place struct {
	node  int
	board board
}

// zoned is a call of zone.
type zoned struct {
	place
	unknown, reply int
}

// maxRight is the largest number of places that are remembered as right, and of those that are
// remembered in a zone.
const maxRight = 1 << 16

// treeChecker checks a tree.
type treeChecker struct {
	*Game
	attacker, defender byte
	nodes              []treeNode
	right              map[place]bool
	zoned              map[zoned]bool // if not nil, what one computation of a zone has added
	work               *proof.Work
}

func (g *Game) newTreeChecker(p Position, work *proof.Work) *treeChecker {
	return &treeChecker{Game: g, attacker: p.toMove, defender: opponent(p.toMove), right: map[place]bool{}, work: work}
}

// checkTree checks a tree for the side to move in p.
func (g *Game) checkTree(work *proof.Work, p Position, text string) error {
	if g.hasWon(p.squares, opponent(p.toMove)) {
		return errors.New("the game is over")
	}
	if err := work.Spend(parseWork * len(text)); err != nil {
		return err
	}
	t := g.newTreeChecker(p, work)
	root, err := t.parse(text)
	if err != nil {
		return err
	}
	b := t.board(p)
	next, err := t.change(&b, &root)
	if err != nil {
		return err
	}
	// This is much less work than checking that the tree is right.
	if err := t.carries(&b, &root, nil); err != nil {
		return err
	}
	return t.wins(root.then, &next)
}

// parse reads the nodes and returns what stands before them, the root as an answer.
func (t *treeChecker) parse(text string) (root treeAnswer, err error) {
	lines := strings.Split(text, "\n")
	if _, squares, changed := strings.Cut(lines[0], " "); changed {
		if squares == "" {
			return root, errors.New("a space, and no squares after it")
		}
		if err := t.parseSquares(&root, squares, false); err != nil {
			return root, err
		}
	}
	used := make([]bool, len(lines))
	t.nodes = make([]treeNode, 0, len(lines)-1)
	for number, line := range lines[1:] {
		n, err := t.parseNode(line, number, used)
		if err != nil {
			return root, wrongLine(number, "%w", err)
		}
		t.nodes = append(t.nodes, n)
	}
	if root.then = len(t.nodes) - 1; root.then < 0 {
		return root, errors.New("a tree without a move")
	}
	if i := slices.Index(used[:root.then], false); i >= 0 {
		return root, wrongLine(i, "no line refers to it")
	}
	return root, nil
}

// parseNode reads the node with the given number, which may refer to smaller ones.
func (t *treeChecker) parseNode(line string, number int, used []bool) (n treeNode, err error) {
	n.size, n.moves = len(line), 1
	reference := func(text string) int {
		back, e := strconv.Atoi(text)
		if e != nil || back < 1 || back > number || strconv.Itoa(back) != text {
			err = fmt.Errorf("%q: want how many lines back, 1 to %d", text, number)
			return 0
		}
		used[number-back] = true
		then := &t.nodes[number-back]
		n.moves, n.order = max(n.moves, then.moves+1), max(n.order, then.order)
		return number - back
	}
	words := strings.Split(line, " ")
	if n.move, err = t.parseSquare(words[0]); err != nil {
		return n, err
	}
	if n.wins = len(words) == 1; n.wins {
		return n, nil
	}
	squares, then, changed := strings.Cut(words[1], "=")
	if !changed {
		squares, then = "", words[1]
	} else if squares == "" {
		return n, fmt.Errorf("%q: no squares before =", words[1])
	}
	if err := t.parseSquares(&n.otherwise, squares, false); err != nil {
		return n, err
	}
	n.otherwise.then = reference(then)
	n.order++
	n.answers = make([]treeAnswer, 0, len(words)-2)
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

// parseSquares reads squares with a sign before each: + for a stone placed, - for one removed
// and, if replies is set, . for a reply. If replies is set, each stone placed is also a
// reply.
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
		m, err := t.parseSquare(text[1:end])
		if err != nil {
			return err
		}
		switch text[0] {
		case '+':
			a.placed = append(a.placed, m)
			if replies {
				a.reply(m)
			}
		case '-':
			a.removed = append(a.removed, m)
		default:
			a.reply(m)
		}
		text = text[end:]
	}
	if replies && len(a.replies) == 0 {
		return errors.New("an answer to nothing")
	}
	if t.exact && len(a.placed) > 0 && len(a.replies) != 1 {
		return errors.New("with the exact rule no stone may be placed but the only reply")
	}
	return nil
}

// reply adds a reply, once.
func (a *treeAnswer) reply(m Move) {
	if !slices.Contains(a.replies, m) {
		a.replies = append(a.replies, m)
	}
}

// change returns the board on which an answer is proven.
func (t *treeChecker) change(b *board, a *treeAnswer) (board, error) {
	next := *b
	for _, m := range a.placed {
		bit := t.grid.bits[m]
		if next.taken.has(bit) {
			return next, fmt.Errorf("%s is not empty", t.name(m))
		}
		next.place(bit)
	}
	for _, m := range a.removed {
		bit := t.grid.bits[m]
		if !b.defender.has(bit) || !next.defender.has(bit) {
			return next, fmt.Errorf("%s has no stone of the defender's", t.name(m))
		}
		next.take(bit)
	}
	return next, nil
}

// wrongLine says what is wrong with a node.
func wrongLine(node int, format string, args ...any) error {
	return fmt.Errorf("line %d of the tree: %w", node+1, fmt.Errorf(format, args...))
}

func (t *treeChecker) name(m Move) []byte { return t.AppendMove(nil, Position{}, m) }

// spend counts the work for a node on a board, including that for examining windows.
func (t *treeChecker) spend(n *treeNode, windows int) error {
	return t.work.Spend(10 + n.size/2 + t.k*windows/2)
}

// wins checks that a node is right on the board b: the attacker, who is to move, wins by it
// whatever the defender does.
func (t *treeChecker) wins(node int, b *board) error {
	n, at := &t.nodes[node], place{node, *b}
	if t.right[at] {
		return nil
	}
	if err := t.spend(n, 4*t.grid.words); err != nil {
		return err
	}
	bit := t.grid.bits[n.move]
	if b.taken.has(bit) {
		return wrongLine(node, "%s is not empty", t.name(n.move))
	}
	if t.hasLine(&b.defender) {
		return wrongLine(node, "the defender has a line on the board where it is proven")
	}
	after := *b
	after.attacker.add(bit)
	after.taken.add(bit)
	if err := t.holds(n, &after); err != nil {
		return fmt.Errorf("%s, %w", t.name(n.move), err)
	}
	if !n.wins && len(t.right) < maxRight {
		t.right[at] = true
	}
	return nil
}

// holds is the part of wins after the attacker's move.
func (t *treeChecker) holds(n *treeNode, b *board) error {
	if line := t.hasLine(&b.attacker); line || n.wins {
		if line != n.wins {
			return errors.New("a win where the tree has none, or none where it has one")
		}
		return nil
	}
	if t.threatens(&b.defender, &b.attacker) {
		return errors.New("the defender wins at once")
	}
	next, err := t.change(b, &n.otherwise)
	if err != nil {
		return err
	}
	if err := t.wins(n.otherwise.then, &next); err != nil {
		return err
	}
	if err := t.carries(b, &n.otherwise, nil); err != nil {
		return err
	}
	ghosts := t.withGhosts(b, &n.otherwise)
	var open set
	if err := t.zone(&open, n.otherwise.then, &ghosts, 0, -1); err != nil {
		return err
	}
	for w := range open {
		open[w] &^= b.taken[w]
	}
	for i := range n.answers {
		a := &n.answers[i]
		next, err := t.change(b, a)
		if err != nil {
			return err
		}
		if err := t.wins(a.then, &next); err != nil {
			return err
		}
		if err := t.answers(b, a); err != nil {
			return err
		}
		for _, m := range a.replies {
			open.remove(t.grid.bits[m])
		}
	}
	for m, bit := range t.grid.bits {
		if open.has(bit) {
			return fmt.Errorf("the reply %s in the zone is not answered", t.name(Move(m)))
		}
	}
	return nil
}

// answers checks that an answer carries over to the board b with each of its replies added.
func (t *treeChecker) answers(b *board, a *treeAnswer) error {
	var others []Move // that are not placed
	for _, m := range a.replies {
		bit := t.grid.bits[m]
		if b.taken.has(bit) {
			return fmt.Errorf("the reply %s is not empty", t.name(m))
		}
		if !slices.Contains(a.placed, m) {
			others = append(others, m)
			continue
		}
		replied := *b
		replied.place(bit)
		if err := t.carries(&replied, a, nil); err != nil {
			return fmt.Errorf("reply %s: %w", t.name(m), err)
		}
	}
	if len(others) == 0 {
		return nil
	}
	return t.carries(b, a, others)
}

// carries checks that the node of an answer wins on the board b if it wins on the board on
// which the answer is proven, with stones of the defender placed and others removed. It puts
// the removed stones back one after the other, and each must be outside the node's zone on
// the board to which it is added. Then each square of last must be outside the zone too, as
// if a stone on that square alone were added.
func (t *treeChecker) carries(b *board, a *treeAnswer, last []Move) error {
	if len(a.removed)+len(last) == 0 {
		return nil
	}
	common := *b
	for _, m := range a.removed {
		common.take(t.grid.bits[m])
	}
	common = t.withGhosts(&common, a)
	for _, m := range a.removed {
		if err := t.spares(&common, a.then, m); err != nil {
			return err
		}
		common.place(t.grid.bits[m])
	}
	return t.spares(&common, a.then, last...)
}

// spares checks that squares are outside of the zone of a node.
func (t *treeChecker) spares(b *board, node int, squares ...Move) error {
	if len(squares) == 0 {
		return nil
	}
	var zone set
	if err := t.zone(&zone, node, b, 0, -1); err != nil {
		return err
	}
	for _, m := range squares {
		if zone.has(t.grid.bits[m]) {
			return fmt.Errorf("%s is in the zone of the answer", t.name(m))
		}
	}
	return nil
}

// zone adds to the set zone the relevance zone of a node on the board b, where the defender
// may have unknown further stones anywhere. The zone has the squares of the attacker's moves,
// and the squares without a stone in the windows in which, after the attacker's move, one
// stone more could leave the defender a single stone short of his line.
//
// reply is the square of the defender's stone that b has and the board before it did not
// have, if the windows of that board are in the set, for the same number of unknown stones:
// then only windows with the reply are new. It is -1 if all windows are.
func (t *treeChecker) zone(zone *set, node int, b *board, unknown, reply int) error {
	n := &t.nodes[node]
	bit := t.grid.bits[n.move]
	zone.add(bit)
	if b.taken.has(bit) {
		return wrongLine(node, "%s is not empty", t.name(n.move))
	}
	if n.wins {
		return nil
	}
	if t.zoned != nil {
		at := zoned{place{node, *b}, unknown, reply}
		if t.zoned[at] {
			return nil
		}
		if len(t.zoned) < maxRight {
			t.zoned[at] = true
		}
	}
	windows := 4 * t.grid.words // examined 64 at a time, in four directions
	if reply >= 0 {
		windows = 8
	}
	if err := t.spend(n, windows); err != nil {
		return err
	}
	after := *b
	after.attacker.add(bit)
	after.taken.add(bit)
	if reply >= 0 {
		t.addWindowsThrough(reply, zone, &after.defender, &after.attacker, unknown+2)
	} else {
		t.addWindows(zone, &after.defender, &after.attacker, unknown+2)
	}
	next := t.withGhosts(&after, &n.otherwise) // here, so that it is not allocated for each reply
	if err := t.zone(zone, n.otherwise.then, &next, unknown+1, -1); err != nil {
		return err
	}
	for i := range n.answers {
		a := &n.answers[i]
		ghosts := t.withGhosts(&after, a)
		for _, m := range a.replies {
			bit := t.grid.bits[m]
			if after.taken.has(bit) {
				continue
			}
			next = ghosts
			next.place(bit)
			if err := t.zone(zone, a.then, &next, unknown, bit); err != nil {
				return err
			}
		}
	}
	return nil
}

// withGhosts returns the board b with ghosts on those empty squares where the answer a is proven
// with stones placed.
func (t *treeChecker) withGhosts(b *board, a *treeAnswer) board {
	next := *b
	for _, m := range a.placed {
		next.taken.add(t.grid.bits[m])
	}
	return next
}
