package gomoku

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/yomikiri/yomikiri/proof"
)

// Verification is what [Verify] has checked.
type Verification struct {
	// Nodes is how many nodes the proof has.
	Nodes uint64 `json:"nodes"`
	// Trees is how many of them have a winning tree.
	Trees int `json:"trees"`
	// Depth is for how many of the attacker's moves each tree was followed with
	// all replies, if there are trees.
	Depth int `json:"depth,omitempty"`
	// Games is how many games were played out.
	Games int `json:"games,omitempty"`
}

// Limits say how far [Verify] follows each winning tree.
type Limits struct {
	// Positions is how many positions it may visit with all replies.
	Positions int
	// Games is how many games it plays out against replies chosen at random.
	Games int
}

// Verify checks a proof file and follows its winning trees by the rules alone:
// against all replies, those outside of every zone too, up to the limits. So it
// does not trust the argument that zones are enough. It fails with [ErrNoRules] if
// the file is about another game, and as [proof.Check] does.
func Verify(ctx context.Context, r *proof.Reader, limits Limits) (Verification, error) {
	g, ok := Open(r.Header().Game)
	if !ok {
		return Verification{}, fmt.Errorf("%w: %s", ErrNoRules, r.Header().Game)
	}
	f := following{Game: g, Limits: limits}
	report, err := proof.Check(ctx, r, &f, proof.CheckOptions{})
	f.done.Nodes = report.Nodes
	return f.done, err
}

// ErrNoRules says that a proof is about a game that this package has no rules of.
var ErrNoRules = errors.New("no rules of this game")

// following is a [Game] that follows the trees that it checks.
type following struct {
	*Game
	Limits
	done Verification
}

// CheckCertificate implements proof's Certifier.
func (f *following) CheckCertificate(p Position, claimantToMove bool, goal proof.Goal, certificate []byte) error {
	if err := f.Game.CheckCertificate(p, claimantToMove, goal, certificate); err != nil || goal != proof.Win {
		return err
	}
	return f.follow(p, string(certificate))
}

// follow follows a tree from p.
func (f *following) follow(p Position, text string) error {
	w := follower{treeChecker: f.newTreeChecker(p), rng: rand.New(rand.NewPCG(1, 2))}
	root, err := w.parse(text)
	if err != nil {
		return err
	}
	start := haunted([]byte(p.squares), &root)
	depth := 1
	for ; ; depth++ {
		w.left, w.cut, w.seen = f.Positions, false, map[visit]bool{}
		switch err := w.follow(root.then, start, depth); {
		case errors.Is(err, errFollowLimit):
			depth--
		case err != nil:
			return err
		case w.cut:
			continue
		}
		break
	}
	if f.done.Trees++; f.done.Trees == 1 || depth < f.done.Depth {
		f.done.Depth = depth
	}
	f.done.Games += f.Games
	for range f.Games {
		if err := w.play(root.then, start); err != nil {
			return err
		}
	}
	return nil
}

var errFollowLimit = errors.New("more positions than allowed")

// follower follows a tree. On its boards, ghosts are squares that are empty, and
// where the defender's reply is answered like a null move.
type follower struct {
	*treeChecker
	rng  *rand.Rand
	left int
	cut  bool // some line was not followed to its end
	seen map[visit]bool
}

// move makes the attacker's move on a board, and reports whether it wins.
func (w *follower) move(node int, squares []byte) (won bool, err error) {
	n := &w.nodes[node]
	if squares[n.move] != empty {
		return false, w.fails(squares, "%s is not empty", w.name(n.move))
	}
	squares[n.move] = w.attacker
	won = w.lineThrough(squares, int(n.move), w.attacker)
	if won != n.wins {
		return won, w.fails(squares, "%s wins: %v, the tree says %v", w.name(n.move), won, n.wins)
	}
	return won, nil
}

// reply makes the defender's reply to a node's move, and returns the node that
// answers it.
func (w *follower) reply(node int, squares []byte, m Move) (next int, err error) {
	n := &w.nodes[node]
	a := &n.otherwise
	if squares[m] == empty {
		if i := slices.IndexFunc(n.answers, func(a treeAnswer) bool { return slices.Contains(a.replies, m) }); i >= 0 {
			a = &n.answers[i]
		}
	}
	squares[m] = w.defender
	if w.lineThrough(squares, int(m), w.defender) {
		return 0, w.fails(squares, "the defender wins by %s", w.name(m))
	}
	for _, m := range a.placed {
		if squares[m] == empty {
			squares[m] = ghost
		}
	}
	return a.then, nil
}

func (w *follower) fails(squares []byte, format string, args ...any) error {
	board := slices.Clone(squares)
	for m := range board {
		if board[m] == ghost {
			board[m] = empty
		}
	}
	p := w.g.AppendPosition(nil, Position{string(board), w.attacker})
	return fmt.Errorf("followed to %q: %s", p, fmt.Sprintf(format, args...))
}

// follow follows a node on a board against all replies, for depth moves of the
// attacker.
func (w *follower) follow(node int, squares []byte, depth int) error {
	at := visit{node, depth, string(squares)}
	if w.seen[at] {
		return nil
	}
	if w.left--; w.left < 0 {
		return errFollowLimit
	}
	squares = slices.Clone(squares)
	if won, err := w.move(node, squares); won || err != nil {
		return err
	}
	if depth == 1 {
		w.cut = true
		return nil
	}
	replies := 0
	for m := range squares {
		if squares[m] != empty && squares[m] != ghost {
			continue
		}
		replies++
		next := slices.Clone(squares)
		then, err := w.reply(node, next, Move(m))
		if err == nil {
			err = w.follow(then, next, depth-1)
		}
		if err != nil {
			return err
		}
	}
	if replies == 0 {
		return w.fails(squares, "the board is full")
	}
	w.seen[at] = true
	return nil
}

// play plays a game out. The defender makes the most of his lines, or plays where
// the tree has an answer of its own, or anywhere.
func (w *follower) play(node int, squares []byte) error {
	squares = slices.Clone(squares)
	for {
		won, err := w.move(node, squares)
		if won || err != nil {
			return err
		}
		var replies, best []Move
		for m := range squares {
			if squares[m] == empty || squares[m] == ghost {
				replies = append(replies, Move(m))
			}
		}
		if len(replies) == 0 {
			return w.fails(squares, "the board is full")
		}
		switch w.rng.IntN(4) {
		case 0:
			most := 0
			for i := range w.windows {
				switch n := w.stones(&w.windows[i], squares); {
				case n > most:
					most, best = n, nil
					fallthrough
				case n == most && n > 0:
					for _, m := range w.windows[i].squares {
						if squares[m] != w.defender {
							best = append(best, Move(m))
						}
					}
				}
			}
		case 1, 2:
			for i := range w.nodes[node].answers {
				best = append(best, w.nodes[node].answers[i].replies...)
			}
			best = slices.DeleteFunc(best, func(m Move) bool { return squares[m] != empty && squares[m] != ghost })
		}
		if len(best) > 0 {
			replies = best
		}
		if node, err = w.reply(node, squares, replies[w.rng.IntN(len(replies))]); err != nil {
			return err
		}
	}
}

// lineThrough reports whether a side has a line that includes the stone on a
// square.
func (w *follower) lineThrough(squares []byte, m int, side byte) bool {
	row, column := m/w.g.columns, m%w.g.columns
	for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
		n := 1
		for _, sign := range [2]int{1, -1} {
			for r, c := row+sign*d[0], column+sign*d[1]; r >= 0 && r < w.g.rows && c >= 0 && c < w.g.columns && squares[r*w.g.columns+c] == side; r, c = r+sign*d[0], c+sign*d[1] {
				n++
			}
		}
		if n == w.g.k || n > w.g.k && !w.g.exact {
			return true
		}
	}
	return false
}
