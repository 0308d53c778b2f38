package gomoku

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku/gomokutest"
	"github.com/yomikiri/yomikiri/proof"
)

var (
	huntTrees = flag.Int("hunt.trees", 0, "trees of TestHunt; 0 for what an ordinary test run takes")
	huntSeed  = flag.Uint64("hunt.seed", 1, "seed of TestHunt")
)

// grower makes trees that look right: it uses the zones of the checker itself, and
// answers several replies on one board, with stones placed and taken off, as often
// as it may. What the checker forgets to demand, the trees will not have.
type grower struct {
	plain
	rng   *rand.Rand
	limit int
}

// grow returns a node that is said to win on a board.
func (g *grower) grow(squares []byte, depth int) (int, bool) {
	if g.limit--; g.limit < 0 {
		return 0, false
	}
	if m, ok := g.makes(squares, g.attacker); ok {
		return g.node(treeNode{move: m, wins: true}), true
	}
	if depth == 0 {
		return 0, false
	}
	for _, m := range g.moves(squares) {
		next := slices.Clone(squares)
		next[m] = g.attacker
		if n, ok := g.answers(m, next, depth-1); ok {
			return g.node(n), true
		}
	}
	return 0, false
}

func (g *grower) node(n treeNode) int {
	g.nodes = append(g.nodes, n)
	return len(g.nodes) - 1
}

// makes returns the first empty square on which a stone makes a line that includes it.
func (g *grower) makes(squares []byte, side byte) (first Move, ok bool) {
	next := func(at int) bool { return at >= 0 && squares[at] == side }
	at := len(squares)
	for i := range g.windows {
		w := &g.windows[i]
		own, open := 0, -1
		for _, m := range w.squares {
			switch squares[m] {
			case side:
				own++
			case empty:
				open = m
			}
		}
		if own == g.k-1 && open >= 0 && !(g.exact && (next(w.before) || next(w.after))) {
			at = min(at, open)
		}
	}
	return Move(at), at < len(squares)
}

// moves returns moves to try: what stops a line, or what adds to the attacker's.
func (g *grower) moves(squares []byte) (list []Move) {
	if m, ok := g.makes(squares, g.defender); ok {
		return []Move{m}
	}
	worth := make([]float64, len(squares))
	for i := range g.windows {
		own := 0
		for _, m := range g.windows[i].squares {
			switch squares[m] {
			case g.attacker:
				own++
			case g.defender:
				own = -len(squares)
			}
		}
		for _, m := range g.windows[i].squares {
			if own >= 0 && squares[m] == empty {
				worth[m] += math.Pow(4, float64(own)) * (1 + g.rng.Float64())
			}
		}
	}
	for m := range squares {
		if worth[m] > 0 {
			list = append(list, Move(m))
		}
	}
	slices.SortFunc(list, func(a, b Move) int { return cmp.Compare(worth[b], worth[a]) })
	return list[:min(len(list), 2)]
}

// answers completes a node whose move is on the board.
func (g *grower) answers(move Move, squares []byte, depth int) (n treeNode, ok bool) {
	if _, ok := g.makes(squares, g.defender); ok {
		return n, false
	}
	n.move = move
	if g.rng.IntN(5) == 0 {
		n.otherwise = g.changed(squares)
	}
	if n.otherwise.then, ok = g.elsewhere(squares, &n.otherwise, depth); !ok {
		return n, false
	}
	zone, err := g.zone(n.otherwise.then, withGhosts(squares, &n.otherwise), 0)
	if err != nil || g.carries(squares, &n.otherwise) != nil {
		return n, false
	}
	var open []Move
	for m, in := range zone {
		if in && squares[m] == empty {
			open = append(open, Move(m))
		}
	}
	g.rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	if g.rng.IntN(2) == 0 { // those that parry on one line together
		slices.SortStableFunc(open, func(a, b Move) int { return cmp.Compare(g.direction(move, a), g.direction(move, b)) })
	}
	for len(open) > 0 {
		a, ok := g.answer(move, squares, open, depth)
		if !ok {
			return n, false
		}
		n.answers = append(n.answers, a)
		open = slices.DeleteFunc(open, func(m Move) bool { return slices.Contains(a.replies, m) })
	}
	return n, true
}

// direction tells the squares in line with one apart by their line, and from others.
func (g *grower) direction(from, to Move) int {
	rows, columns := int(to)/g.columns-int(from)/g.columns, int(to)%g.columns-int(from)%g.columns
	switch {
	case rows == 0:
		return 0
	case columns == 0:
		return 1
	case rows == columns:
		return 2
	case rows == -columns:
		return 3
	}
	return 4
}

// changed returns stones of the defender's to place and to take off.
func (g *grower) changed(squares []byte) (a treeAnswer) {
	for _, want := range []byte{empty, g.defender} {
		for range g.rng.IntN(3) {
			m := Move(g.rng.IntN(len(squares)))
			switch {
			case squares[m] != want || slices.Contains(a.placed, m) || slices.Contains(a.removed, m):
			case want == empty && !g.exact:
				a.placed = append(a.placed, m)
			case want == g.defender:
				a.removed = append(a.removed, m)
			}
		}
	}
	return a
}

// elsewhere grows the node of an answer on its board.
func (g *grower) elsewhere(squares []byte, a *treeAnswer, depth int) (int, bool) {
	next, err := g.change(squares, a)
	if err != nil {
		return 0, false
	}
	return g.grow(next, depth)
}

// answer answers the first of the open replies, and others with it.
func (g *grower) answer(move Move, squares []byte, open []Move, depth int) (a treeAnswer, ok bool) {
	for try := range 3 {
		a = treeAnswer{}
		if g.rng.IntN(6) == 0 {
			a = g.changed(squares)
			a.placed = nil
		}
		group := open[:min(1+g.rng.IntN(4), len(open))]
		switch try {
		case 0: // all parries on one line
			for i, m := range open {
				if d := g.direction(move, m); d == 4 || d != g.direction(move, open[0]) {
					group = open[:min(max(i, 1), 4)]
					break
				}
			}
		case 2:
			group = open[:1]
		}
		if g.exact {
			group = group[:1]
		}
		a.replies = slices.Clone(group)
		a.placed = append(a.placed, group...)
		if len(group) == 1 && g.rng.IntN(8) == 0 {
			a.placed = nil // it is no more than a reply
		}
		if a.then, ok = g.elsewhere(squares, &a, depth); ok && g.carriesAll(squares, &a) {
			break
		}
		ok = false
	}
	if !ok || g.exact {
		return a, ok
	}
	for _, m := range open {
		if more := a; !slices.Contains(a.replies, m) && g.rng.IntN(2) == 0 {
			more.replies = append(slices.Clone(a.replies), m)
			if g.carriesAll(squares, &more) {
				a = more
			}
		}
	}
	return a, true
}

// carriesAll reports whether an answer carries over to the boards of all its
// replies.
func (g *grower) carriesAll(squares []byte, a *treeAnswer) bool {
	for _, m := range a.replies {
		squares[m] = g.defender
		err := g.carries(squares, g.after(a, m))
		squares[m] = empty
		if err != nil {
			return false
		}
	}
	return true
}

// render returns the certificate whose root is an answer.
func (g *grower) render(root *treeAnswer) string {
	var text strings.Builder
	lines := map[int]int{}
	square := func(sign byte, list []Move) (s string) {
		for _, m := range list {
			s += fmt.Sprintf("%c%s", sign, g.name(m))
		}
		return s
	}
	var line func(node int) int
	line = func(node int) int {
		if at, ok := lines[node]; ok {
			return at
		}
		n := &g.nodes[node]
		thens := []int{}
		if !n.wins {
			thens = append(thens, line(n.otherwise.then))
			for i := range n.answers {
				thens = append(thens, line(n.answers[i].then))
			}
		}
		at := len(lines)
		lines[node] = at
		fmt.Fprintf(&text, "\n%s", g.name(n.move))
		if n.wins {
			return at
		}
		text.WriteString(" ")
		if changed := square('+', n.otherwise.placed) + square('-', n.otherwise.removed); changed != "" {
			text.WriteString(changed + "=")
		}
		fmt.Fprint(&text, at-thens[0])
		for i := range n.answers {
			a := &n.answers[i]
			var only []Move // replies that are not placed
			for _, m := range a.replies {
				if !slices.Contains(a.placed, m) {
					only = append(only, m)
				}
			}
			fmt.Fprintf(&text, " %s%s%s=%d", square('+', a.placed), square('-', a.removed), square('.', only), at-thens[i+1])
		}
		return at
	}
	line(root.then)
	head := "tree"
	if changed := square('+', root.placed) + square('-', root.removed); changed != "" {
		head += " " + changed
	}
	return head + text.String()
}

// mutate changes one thing about a tree and returns how to undo it.
func (g *grower) mutate(root *treeAnswer, squares []byte) (undo func()) {
	var reachable []int
	seen := map[int]bool{}
	var visit func(node int)
	visit = func(node int) {
		if seen[node] {
			return
		}
		seen[node] = true
		reachable = append(reachable, node)
		if n := &g.nodes[node]; !n.wins {
			visit(n.otherwise.then)
			for i := range n.answers {
				visit(n.answers[i].then)
			}
		}
	}
	visit(root.then)
	if g.rng.IntN(8) == 0 {
		old := *root
		a := g.changed(squares)
		root.placed, root.removed = a.placed, a.removed
		return func() { *root = old }
	}
	at := reachable[g.rng.IntN(len(reachable))]
	old := g.nodes[at]
	n := old
	n.answers = slices.Clone(old.answers)
	g.change1(&n, squares, reachable)
	g.nodes[at] = n
	return func() { g.nodes[at] = old }
}

// change1 changes one thing about a node.
func (g *grower) change1(n *treeNode, squares []byte, nodes []int) {
	earlier := func(then int) int {
		var list []int
		for _, node := range nodes {
			if node < then {
				list = append(list, node)
			}
		}
		if len(list) == 0 {
			return then
		}
		return list[g.rng.IntN(len(list))]
	}
	if n.wins || len(n.answers) == 0 {
		n.move = Move(g.rng.IntN(len(squares)))
		return
	}
	i := g.rng.IntN(len(n.answers))
	a := n.answers[i]
	a.replies, a.placed, a.removed = slices.Clone(a.replies), slices.Clone(a.placed), slices.Clone(a.removed)
	m := Move(g.rng.IntN(len(squares)))
	switch g.rng.IntN(9) {
	case 0:
		n.answers = slices.Delete(n.answers, i, i+1)
		return
	case 1:
		a.then = earlier(a.then)
	case 2:
		n.otherwise.then = earlier(n.otherwise.then)
	case 3:
		c := g.changed(squares)
		n.otherwise.placed, n.otherwise.removed = c.placed, c.removed
	case 4: // a stone becomes a mere reply
		if len(a.placed) > 0 {
			a.placed = slices.Delete(a.placed, 0, 1)
		}
	case 5: // a stone more, which is a reply too
		a.placed, a.replies = append(a.placed, m), append(a.replies, m)
	case 6:
		a.replies = append(a.replies, m)
	case 7:
		a.removed = append(a.removed, m)
	case 8: // two answers become one
		if j := g.rng.IntN(len(n.answers)); j != i {
			a.replies = append(a.replies, n.answers[j].replies...)
			a.placed = append(a.placed, n.answers[j].placed...)
			n.answers[i] = a
			n.answers = slices.Delete(n.answers, j, j+1)
			return
		}
	}
	n.answers[i] = a
}

// TestHunt has trees checked that were grown and mutated for positions where parries
// complete a line of the defender's. What the checker accepts must be won by
// full-width search, within the moves and with the zone that the checker finds. -hunt.trees and -hunt.seed make the hunt longer and another.
func TestHunt(t *testing.T) {
	trees := *huntTrees
	if trees == 0 {
		if trees = 100_000; testing.Short() {
			trees = 5_000
		}
	}
	rng := rand.New(rand.NewPCG(*huntSeed, 1))
	count := map[string]int{}
	failures := 0
	for i, rules := range gomokutest.Boards {
		game := open(t, rules.Spec())
		follow := following{Game: game, followLimits: followLimits{500, 3}}
		positions, oracle := gomokutest.NewGenerator(rules, 13, rng), gomokutest.NewSolver(rules, 300_000)
		for count["trees"] < trees*(i+1)/len(gomokutest.Boards) {
			position := positions.Next()
			won, err := oracle.Wins(position, true)
			if err != nil {
				continue
			}
			p, err := game.ParsePosition(rules.Text(position))
			require.NoError(t, err)
			check := func(text string) {
				count["trees"]++
				if game.CheckCertificate(unlimited(), p, true, proof.Win, []byte(text)) != nil {
					return
				}
				count["accepted"]++
				if err := follow.follow(t.Context(), p, text); err != nil {
					t.Errorf("%s %s: accepted, but %v:\n%s", rules.Spec(), rules.Text(position), err, text)
				}
				if strings.Count(text, "\n") > 2 {
					count["accepted, longer than two lines"]++
				}
				if !won {
					if failures++; failures <= 10 {
						t.Errorf("%s %s: accepted, and full-width search finds no win:\n%s", rules.Spec(), rules.Text(position), text)
					}
					return
				}
				testWin(t, game, oracle, position, p, text, count)
			}
			grown := 12
			if won {
				grown = max(0, rng.IntN(8)-5) // that the attacker wins is right there anyway
			} else {
				count["positions without a win"]++
			}
			for range grown {
				huntTree(game, p, rng, check)
			}
		}
	}
	t.Log(count)
	require.Zero(t, failures)
	require.Greater(t, count["accepted, longer than two lines"], trees/100)
}

// huntTree has a tree for a position checked, if one can be grown, and mutants.
func huntTree(game *Game, p Position, rng *rand.Rand, check func(text string)) {
	g := &grower{newPlain(game, p), rng, 100}
	squares := []byte(p.squares)
	root := treeAnswer{}
	if rng.IntN(4) == 0 {
		root = g.changed(squares)
	}
	var ok bool
	if root.then, ok = g.elsewhere(squares, &root, 1+rng.IntN(4)); !ok {
		return
	}
	check(g.render(&root))
	for range 10 {
		undo := []func(){}
		for range 1 + rng.IntN(2) {
			undo = append(undo, g.mutate(&root, squares))
		}
		check(g.render(&root))
		for _, u := range slices.Backward(undo) {
			u()
		}
	}
}
