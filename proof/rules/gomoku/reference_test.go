package gomoku

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku/gomokutest"
	"github.com/yomikiri/yomikiri/proof"
)

// reference checks trees as docs/proof-format.md says it, word by word: on boards that are
// strings of squares, window by window, without remembering anything.
type reference struct {
	plain
	// trusts says that the squares of moves that make a line are not tested in zones: where
	// all else is right, they are empty.
	trusts bool
}

// with returns a board with a square changed.
func with(squares []byte, m Move, to byte) []byte {
	squares = slices.Clone(squares)
	squares[m] = to
	return squares
}

// right reports whether a node is right on a board.
func (r reference) right(node int, board []byte) bool {
	n := &r.nodes[node]
	if board[n.move] != empty || r.hasWon(string(board), r.defender) {
		return false
	}
	board = with(board, n.move, r.attacker)
	if r.hasWon(string(board), r.attacker) != n.wins {
		return false
	}
	if n.wins {
		return true
	}
	for m := range board {
		if board[m] == empty && r.hasWon(string(with(board, Move(m), r.defender)), r.defender) {
			return false
		}
	}
	next, ok := r.changed(board, &n.otherwise)
	if !ok || !r.right(n.otherwise.then, next) || !r.carriesOver(n.otherwise.then, next, board, n.otherwise.removed) {
		return false
	}
	zone := make([]bool, len(board))
	if !r.addZone(zone, n.otherwise.then, withGhosts(board, &n.otherwise), 0) {
		return false
	}
	for i := range n.answers {
		a := &n.answers[i]
		next, ok := r.changed(board, a)
		if !ok || !r.right(a.then, next) {
			return false
		}
		for _, reply := range a.replies {
			stones := slices.Clone(a.removed)
			if !slices.Contains(a.placed, reply) {
				stones = append(stones, reply)
			}
			if board[reply] != empty || !r.carriesOver(a.then, next, with(board, reply, r.defender), stones) {
				return false
			}
			zone[reply] = false
		}
	}
	for m, in := range zone {
		if in && board[m] == empty {
			return false
		}
	}
	return true
}

// changed returns the board where an answer is proven.
func (r reference) changed(board []byte, a *treeAnswer) ([]byte, bool) {
	board = slices.Clone(board)
	for _, m := range a.placed {
		if board[m] != empty {
			return nil, false
		}
		board[m] = r.defender
	}
	for _, m := range a.removed {
		if board[m] != r.defender || slices.Contains(a.placed, m) {
			return nil, false
		}
		board[m] = empty
	}
	return board, true
}

// carriesOver reports whether a node that is right on one board carries over to another, which
// alone has some stones.
func (r reference) carriesOver(node int, from, to []byte, stones []Move) bool {
	board := slices.Clone(from)
	for m := range board {
		if from[m] == r.defender && to[m] == empty {
			board[m] = ghost
		}
	}
	for _, m := range stones {
		zone := make([]bool, len(board))
		if !r.addZone(zone, node, board, 0) || zone[m] {
			return false
		}
		board[m] = r.defender
	}
	return true
}

// addZone adds the zone of a node on a board, unless the tree is to be refused for it.
func (r reference) addZone(zone []bool, node int, board []byte, unknown int) bool {
	n := &r.nodes[node]
	zone[n.move] = true
	if board[n.move] != empty && !(n.wins && r.trusts) {
		return false
	}
	if n.wins {
		return true
	}
	board = with(board, n.move, r.attacker)
	for i := range r.windows {
		if w := &r.windows[i]; r.stones(w, board, r.defender) >= r.k-2-unknown {
			for _, m := range w.squares {
				if board[m] != r.defender {
					zone[m] = true
				}
			}
		}
	}
	if !r.addZone(zone, n.otherwise.then, withGhosts(board, &n.otherwise), unknown+1) {
		return false
	}
	for i := range n.answers {
		a := &n.answers[i]
		for _, reply := range a.replies {
			if board[reply] == empty && !r.addZone(zone, a.then, with(withGhosts(board, a), reply, r.defender), unknown) {
				return false
			}
		}
	}
	return true
}

// accepts reports whether a certificate is right for a position.
func (r reference) accepts(p Position, text string) bool {
	root, err := r.parse(text)
	if err != nil {
		return false
	}
	board := []byte(p.squares)
	next, ok := r.changed(board, &root)
	return ok && r.right(root.then, next) && r.carriesOver(root.then, next, board, root.removed)
}

// TestReference has trees that were grown and mutated, and the zones of their nodes on other
// boards, compared with the reference.
func TestReference(t *testing.T) {
	trees := 8_000
	if testing.Short() {
		trees = 1_500
	}
	rng := rand.New(rand.NewPCG(7, 7))
	count := map[string]int{}
	for i, rules := range gomokutest.Boards {
		game := open(t, rules.Spec())
		positions := gomokutest.NewGenerator(rules, 13, rng)
		for count["trees"] < trees*(i+1)/len(gomokutest.Boards) {
			p, err := game.ParsePosition(rules.Text(positions.Next()))
			require.NoError(t, err)
			huntTree(game, p, rng, func(text string) {
				count["trees"]++
				r := reference{newPlain(game, p), true}
				err := game.CheckCertificate(unlimited(), p, true, proof.Win, []byte(text))
				require.Equal(t, r.accepts(p, text), err == nil, "%s %s: %v\n%s", game.Name(), p.squares, err, text)
				r.trusts = false
				require.Equal(t, r.accepts(p, text), err == nil, "%s %s: %v\n%s", game.Name(), p.squares, err, text)
				requireSecond(t, game, p, proof.Win, text, err == nil)
				if err == nil {
					count["accepted"]++
				}
				for range 4 {
					if len(r.nodes) == 0 {
						break
					}
					node, unknown := rng.IntN(len(r.nodes)), rng.IntN(3)
					board := []byte(p.squares)
					for range rng.IntN(4) {
						if m := rng.IntN(len(board)); board[m] != r.attacker {
							board[m] = []byte{empty, ghost, r.defender}[rng.IntN(3)]
						}
					}
					want := make([]bool, len(board))
					ok := r.addZone(want, node, board, unknown)
					zone, err := r.zone(node, board, unknown)
					require.Equal(t, ok, err == nil)
					if ok {
						require.Equal(t, want, zone, "%s %s, node %d, %d unknown:\n%s", game.Name(), board, node, unknown, text)
						count["zones"]++
					}
				}
			})
		}
	}
	t.Log(count)
	require.Greater(t, count["accepted"], trees/10)
	require.Greater(t, count["zones"], trees)
}

// TestRandomNodes compares the parts of the checker with the reference, for nodes, answers and
// boards that are put together at random: so they have all that a tree may say.
func TestRandomNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	count := map[string]int{}
	for _, spec := range []string{"gomoku:size=7x7,k=4", "gomoku:size=6x8,rule=exact", "gomoku:size=8x9", "gomoku:size=9x8,k=3"} {
		g := open(t, spec)
		squares := func(n int) (list []Move) {
			for range n {
				list = append(list, Move(rng.IntN(g.rows*g.columns)))
			}
			return list
		}
		answer := func(node int) treeAnswer {
			a := treeAnswer{placed: squares(rng.IntN(3)), removed: squares(rng.IntN(3)), then: rng.IntN(node)}
			a.replies = append(squares(1+rng.IntN(2)), a.placed...)
			return a
		}
		for range 150 {
			p := Position{g.Start().squares, []byte{black, white}[rng.IntN(2)]}
			r := reference{newPlain(g, p), false}
			for node := range 12 {
				n := treeNode{move: squares(1)[0], wins: node < 4}
				if !n.wins {
					n.otherwise = answer(node)
					for range rng.IntN(4) {
						n.answers = append(n.answers, answer(node))
					}
				}
				r.nodes = append(r.nodes, n)
			}
			for range 20 {
				board := []byte(p.squares)
				for range 8 {
					board[rng.IntN(len(board))] = []byte{r.attacker, r.defender, r.defender}[rng.IntN(3)]
				}
				a := answer(len(r.nodes))
				for i := range a.removed { // often there are such stones
					if m := a.removed[i]; rng.IntN(4) > 0 && !slices.Contains(a.placed, m) {
						board[m] = r.defender
					}
				}
				b := r.board(board)
				next, err := r.treeChecker.change(&b, &a)
				want, ok := r.changed(board, &a)
				require.Equal(t, ok, err == nil, "%s %+v", board, a)
				if ok {
					require.Equal(t, r.board(want), next)
					require.Equal(t, r.carriesOver(a.then, want, board, a.removed), r.treeChecker.carries(&b, &a, nil) == nil)
					carries := true
					for _, reply := range a.replies {
						stones := slices.Clone(a.removed)
						if !slices.Contains(a.placed, reply) {
							stones = append(stones, reply)
						}
						carries = carries && board[reply] == empty && r.carriesOver(a.then, want, with(board, reply, r.defender), stones)
					}
					require.Equal(t, carries, r.treeChecker.answers(&b, &a) == nil)
					count["answers"]++
					if carries {
						count["answers that carry over"]++
					}
				}
				for range 3 {
					board[rng.IntN(len(board))] = ghost
				}
				unknown, node := rng.IntN(2), rng.IntN(len(r.nodes))
				zone := make([]bool, len(board))
				ok = r.addZone(zone, node, board, unknown)
				got, err := r.zone(node, board, unknown)
				require.Equal(t, ok, err == nil)
				if ok {
					require.Equal(t, zone, got)
					count["zones"]++
				}
			}
		}
	}
	t.Log(count)
	require.Greater(t, count["answers that carry over"], 500)
	require.Greater(t, count["zones"], 5000)
}
