package gomoku

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku/gomokutest"
)

var closureNodes = flag.Int("hunt.closure", 0, "nodes that TestClosure builds for each of its rules; 0 for what an ordinary test run takes")

// closureRules are boards small enough to know the value of any position on them,
// and to follow any tree to its end.
var closureRules = []gomokutest.Rules{
	{Rows: 1, Columns: 6, K: 2}, {Rows: 1, Columns: 6, K: 2, Exact: true}, {Rows: 1, Columns: 9, K: 4},
	{Rows: 1, Columns: 8, K: 3}, {Rows: 1, Columns: 8, K: 3, Exact: true}, {Rows: 3, Columns: 3, K: 3},
	{Rows: 2, Columns: 5, K: 3}, {Rows: 3, Columns: 4, K: 3}, {Rows: 3, Columns: 4, K: 3, Exact: true},
}

// closureSize limits the nodes of a closure, and with them its memory.
const closureSize = 20_000

// proven is a node and a board on which the checker says that it wins.
type proven struct {
	node  int
	board string
}

// closure is a set of proven nodes. New nodes are built from those it has, as the
// checker allows: so it comes closer and closer to all that the checker accepts,
// far from anything a solver would write.
type closure struct {
	grower
	oracle   *gomokutest.Solver
	proven   map[string][]proven // by the attacker's stones
	followed map[place]bool      // nodes that won when followed
	count    map[string]int      // of all closures with the same rules
}

// TestClosure puts nodes together at random, on random boards and with all that a
// certificate may say. What the checker accepts must be won by full-width search, and
// by the node itself, followed against all replies and passes; also on the boards to
// which it carries over. -hunt.closure and -hunt.seed make the search longer and
// another.
func TestClosure(t *testing.T) {
	nodes := *closureNodes
	if nodes == 0 {
		if nodes = 12_000; testing.Short() {
			nodes = 800
		}
	}
	for i, rules := range closureRules {
		t.Run(rules.Spec(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(*huntSeed, uint64(i)))
			count := map[string]int{}
			for left := nodes; left > 0; left -= closureSize {
				newClosure(tiny(t, rules.Spec()), rules, rng, count).grow(t, min(left, closureSize))
			}
			t.Log(count)
			require.Greater(t, count["proven, of three moves or more"], nodes/50)
			require.Greater(t, count["carried over"], nodes)
		})
	}
}

func newClosure(game *Game, rules gomokutest.Rules, rng *rand.Rand, count map[string]int) *closure {
	c := &closure{
		grower:   grower{plain: newPlain(game, game.Start()), rng: rng},
		oracle:   gomokutest.NewSolver(rules, 1<<20),
		proven:   map[string][]proven{},
		followed: map[place]bool{},
		count:    count,
	}
	c.oracle.Keep(1 << 20)
	return c
}

// grow builds nodes and tests each on the boards where the checker says it wins.
func (c *closure) grow(t *testing.T, nodes int) {
	wins := 0
	for len(c.nodes) < nodes {
		board := c.randomBoard()
		for _, m := range c.rng.Perm(len(board))[:min(len(board), 6)] {
			n, ok := c.build(board, Move(m))
			if !ok || n.wins && 3*wins > len(c.nodes) && c.rng.IntN(20) > 0 {
				continue // lines alone teach nothing
			}
			if n.wins {
				wins++
			}
			node := c.node(n)
			for try := range 8 {
				squares := slices.Clone(board)
				if try > 0 {
					c.disturb(squares, 1+c.rng.IntN(3))
				}
				if c.wins(node, squares) == nil {
					c.add(t, proven{node, string(squares)})
				}
			}
		}
	}
}

// add adds a proven node and tests it.
func (c *closure) add(t *testing.T, p proven) {
	key := c.key(p.board)
	if slices.Contains(c.proven[key], p) {
		return
	}
	c.proven[key] = append(c.proven[key], p)
	if n := &c.nodes[p.node]; !n.wins && !c.nodes[n.otherwise.then].wins {
		c.count["proven, of three moves or more"]++
	}
	c.testWon(t, p, []byte(p.board), []byte(p.board))
	c.testZone(t, p)
	for range 30 {
		c.testCarried(t, p)
	}
}

// testWon tests that a proven node wins on a board, by the value of the board and by
// following the node there; followed has ghosts where the node was proven with stones.
func (c *closure) testWon(t *testing.T, p proven, board, followed []byte) {
	if !c.hasValueWin(t, board) {
		c.fail(t, p, board, "full-width search finds no win")
	}
	if !c.follows(p.node, c.board(followed)) {
		c.fail(t, p, board, "it does not win when followed")
	}
}

// testZone tests that a stone outside the zone of a proven node changes nothing.
func (c *closure) testZone(t *testing.T, p proven) {
	zone, err := c.zone(p.node, []byte(p.board), 0)
	require.NoError(t, err)
	for m, in := range zone {
		board := []byte(p.board)
		if in || board[m] != empty {
			continue
		}
		board[m] = c.defender
		c.count["stones outside the zone"]++
		if !c.hasWon(string(board), c.defender) && !c.follows(p.node, c.board(board)) {
			c.fail(t, p, board, "a stone outside the zone matters")
		}
	}
}

// testCarried tests a proven node on another board, if it carries over to it.
func (c *closure) testCarried(t *testing.T, p proven) {
	board := []byte(p.board)
	c.disturb(board, 1+c.rng.IntN(4))
	a, ok := c.lead(board, p)
	if !ok || c.hasWon(string(board), c.defender) || c.exact && len(a.placed) > 0 || c.carries(board, &a) != nil {
		return
	}
	c.count["carried over"]++
	c.testWon(t, p, board, withGhosts(board, &a))
}

// fail reports what is wrong with a proven node on a board, with a certificate of it,
// and ends the test: with one wrong node all that is built on it is wrong.
func (c *closure) fail(t *testing.T, p proven, board []byte, what string) {
	root, _ := c.lead(board, p)
	text := c.AppendPosition(nil, Position{string(board), c.attacker})
	require.FailNow(t, what, "position %q, node proven on %q:\n%s", text, p.board, c.render(&root))
}

// randomBoard returns a board on which nobody has a line.
func (c *closure) randomBoard() []byte {
	squares := make([]byte, c.rows*c.columns)
	for {
		own, other := c.rng.IntN(50), c.rng.IntN(35)
		for m := range squares {
			squares[m] = empty
			if r := c.rng.IntN(100); r < own {
				squares[m] = c.attacker
			} else if r < own+other {
				squares[m] = c.defender
			}
		}
		if !c.hasWon(string(squares), c.attacker) && !c.hasWon(string(squares), c.defender) {
			return squares
		}
	}
}

// disturb places some of the defender's stones and takes others off.
func (c *closure) disturb(squares []byte, changes int) {
	for range changes {
		switch m := c.rng.IntN(len(squares)); squares[m] {
		case empty:
			squares[m] = c.defender
		case c.defender:
			squares[m] = empty
		}
	}
}

// key returns the attacker's stones on a board. A node can only be used on a board
// with the attacker's stones of the board where it was proven.
func (c *closure) key(board string) string {
	return strings.ReplaceAll(board, string(c.defender), string(empty))
}

// build returns a node with a move on a board, put together from proven ones so that
// the checker should accept it.
func (c *closure) build(board []byte, move Move) (n treeNode, ok bool) {
	if board[move] != empty {
		return n, false
	}
	squares := slices.Clone(board)
	squares[move] = c.attacker
	n.move = move
	if n.wins = c.hasWon(string(squares), c.attacker); n.wins {
		return n, true
	}
	list := c.proven[c.key(string(squares))]
	if len(list) == 0 {
		return n, false
	}
	if n.otherwise, ok = c.buildOtherwise(squares, list); !ok {
		return n, false
	}
	zone, err := c.zone(n.otherwise.then, withGhosts(squares, &n.otherwise), 0)
	if err != nil {
		return n, false
	}
	var open []Move
	for m, in := range zone {
		if in && squares[m] == empty {
			open = append(open, Move(m))
		}
	}
	c.shuffle(open)
	crowded, generous := c.rng.IntN(2) == 0, c.rng.IntN(4) == 0
	for len(open) > 0 {
		a, ok := c.buildAnswer(squares, list, open, crowded, generous)
		if !ok {
			return n, false
		}
		// Where replies have two answers, the order of the answers matters.
		n.answers = slices.Insert(n.answers, c.rng.IntN(2)*len(n.answers), a)
		open = slices.DeleteFunc(open, func(m Move) bool { return slices.Contains(a.replies, m) })
	}
	return n, true
}

// buildOtherwise returns the answer to irrelevant replies.
func (c *closure) buildOtherwise(squares []byte, list []proven) (a treeAnswer, ok bool) {
	for range 12 {
		a, ok := c.lead(squares, c.pick(list))
		if ok && !(c.exact && len(a.placed) > 0) && c.carries(squares, &a) == nil {
			return a, true
		}
	}
	return a, false
}

// buildAnswer returns an answer to the first of the open replies, and to others. A
// crowded one is proven with many stones of the defender's, most of them ghosts
// afterwards; a generous one also answers replies that need no answer.
func (c *closure) buildAnswer(squares []byte, list []proven, open []Move, crowded, generous bool) (a treeAnswer, ok bool) {
	stone := string(c.defender)
	for try := range 40 {
		p := c.pick(list)
		for range 6 {
			if q := c.pick(list); crowded && strings.Count(q.board, stone) > strings.Count(p.board, stone) {
				p = q
			}
		}
		a, ok := c.lead(squares, p)
		if !ok || len(a.placed)+len(a.removed) > 4 && try < 25 {
			continue // few changes carry over most often
		}
		a.replies = slices.Clone(a.placed)
		if !slices.Contains(a.replies, open[0]) {
			a.replies = append(a.replies, open[0])
		}
		single := c.exact && len(a.placed) > 0
		if single && len(a.replies) > 1 || !c.carriesAll(squares, &a) {
			continue
		}
		for m := range squares {
			reply := Move(m)
			wanted := slices.Contains(open, reply) && c.rng.IntN(3) > 0 || generous
			if single || !wanted || squares[m] != empty || slices.Contains(a.replies, reply) {
				continue
			}
			one := a
			if one.replies = []Move{reply}; c.carriesAll(squares, &one) {
				a.replies = append(a.replies, reply)
			}
		}
		return a, true
	}
	return a, false
}

// pick returns a proven node at random, now and then rather a later one: it is deeper.
func (c *closure) pick(list []proven) proven {
	p := list[c.rng.IntN(len(list))]
	if c.rng.IntN(3) == 0 {
		for range 3 {
			if q := list[c.rng.IntN(len(list))]; q.node > p.node {
				p = q
			}
		}
	}
	return p
}

// lead returns the answer that leads from a board to a proven node, if the boards
// differ in the defender's stones only. The order of stones matters to the checker.
func (c *closure) lead(squares []byte, p proven) (a treeAnswer, ok bool) {
	a.then = p.node
	for m := range squares {
		switch {
		case squares[m] == p.board[m]:
		case squares[m] == empty && p.board[m] == c.defender:
			a.placed = append(a.placed, Move(m))
		case squares[m] == c.defender && p.board[m] == empty:
			a.removed = append(a.removed, Move(m))
		default:
			return a, false
		}
	}
	c.shuffle(a.placed)
	c.shuffle(a.removed)
	return a, true
}

func (c *closure) shuffle(list []Move) {
	c.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// hasValueWin reports whether the attacker, to move, wins by full-width search.
func (c *closure) hasValueWin(t *testing.T, squares []byte) bool {
	if c.hasWon(string(squares), c.defender) {
		return false
	}
	var p gomokutest.Position
	for m, stone := range squares {
		switch stone {
		case c.attacker:
			p.Mover |= 1 << m
		case c.defender:
			p.Other |= 1 << m
		}
	}
	won, err := c.oracle.Wins(p, true)
	require.NoError(t, err)
	return won
}

// follows reports whether a node wins on a board against all replies and passes,
// however long it takes. On ghosts the defender may play.
func (c *closure) follows(node int, b board) bool {
	at := place{node, b}
	if c.followed[at] {
		return true
	}
	w := follower{treeChecker: c.treeChecker}
	if won, err := w.move(node, &b); won || err != nil {
		return err == nil
	}
	pass := &c.nodes[node].otherwise
	if !c.follows(pass.then, c.withGhosts(&b, pass)) {
		return false
	}
	for m, bit := range c.grid.bits {
		if !b.open(bit) {
			continue
		}
		next := b
		then, err := w.reply(node, &next, Move(m))
		if err != nil || !c.follows(then, next) {
			return false
		}
	}
	c.followed[at] = true
	return true
}
