package gomoku

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/proof"
)

// Verification is what [Verify] has checked.
type Verification struct {
	// Nodes is how many nodes the proof has.
	Nodes uint64 `json:"nodes"`
	// Win says how the root is won, if a single tree proves that.
	Win *Win `json:"-"`
}

// Verify checks a proof file by the rules alone, and finds out how its root is won. It fails with
// [ErrNoRules] if the file is about another game, and as [proof.Check] does.
func Verify(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (Verification, error) {
	g, ok := Open(r.Header().Game)
	if !ok {
		return Verification{}, fmt.Errorf("%w: %s", ErrNoRules, r.Header().Game)
	}
	s := shower{Game: g}
	if root, err := g.ParsePosition(r.Header().Root); err == nil {
		s.root = root
	}
	report, err := proof.Check(ctx, r, &s, o)
	return Verification{Nodes: report.Nodes, Win: s.win}, err
}

// ErrNoRules says that a proof is about a game whose rules this package does not have.
var ErrNoRules = errors.New("no rules of this game")

// shower is a [Game] that keeps what the tree of the root shows.
type shower struct {
	*Game
	root Position
	mu   sync.Mutex
	win  *Win
}

// CheckCertificate implements proof's Certifier.
func (s *shower) CheckCertificate(work *proof.Work, p Position, claimantToMove bool, goal proof.Goal, certificate []byte) error {
	err := s.Game.CheckCertificate(work, p, claimantToMove, goal, certificate)
	if err != nil || goal != proof.Win || p != s.root {
		return err
	}
	w, root, start, err := s.newFollower(work.Context(), p, string(certificate))
	if err != nil {
		return err
	}
	win, err := w.win(root, &start)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.win = win
	return err
}

// follower follows a tree. On its boards a ghost is an empty square where a reply of the
// defender is answered as if it were a null move.
type follower struct {
	*treeChecker
	ctx  context.Context
	left int // positions to visit
	seen map[followed]bool
}

// followed is a node that was followed on a board, for depth moves of the attacker.
type followed struct {
	place
	depth int
}

// newFollower returns a follower of a tree for p, the tree's root, and the board there.
func (g *Game) newFollower(ctx context.Context, p Position, text string) (w *follower, root int, start board, err error) {
	w = &follower{treeChecker: g.newTreeChecker(p, proof.NewWork(ctx, math.MaxInt64)), ctx: ctx, seen: map[followed]bool{}}
	first, err := w.parse(text)
	if err != nil {
		return nil, 0, start, err
	}
	start = w.board(p)
	return w, first.then, w.withGhosts(&start, &first), nil
}

// move makes the attacker's move on a board, and reports whether it wins.
func (w *follower) move(node int, b *board) (won bool, err error) {
	n := &w.nodes[node]
	bit := w.grid.bits[n.move]
	if b.taken.has(bit) {
		return false, w.fails(b, "%s is not empty", w.name(n.move))
	}
	b.attacker.add(bit)
	b.taken.add(bit)
	won = w.lineThrough(&b.attacker, bit)
	if won != n.wins {
		return won, w.fails(b, "%s wins: %v, the tree says %v", w.name(n.move), won, n.wins)
	}
	return won, nil
}

// reply makes the defender's reply to a node's move, and returns the node that
// answers it.
func (w *follower) reply(node int, b *board, m Move) (next int, err error) {
	n := &w.nodes[node]
	bit := w.grid.bits[m]
	a := &n.otherwise
	if !b.taken.has(bit) {
		if i := slices.IndexFunc(n.answers, func(a treeAnswer) bool { return slices.Contains(a.replies, m) }); i >= 0 {
			a = &n.answers[i]
		}
	}
	b.place(bit)
	if w.lineThrough(&b.defender, bit) {
		return 0, w.fails(b, "the defender wins by %s", w.name(m))
	}
	*b = w.withGhosts(b, a)
	return a.then, nil
}

// open reports whether a square has no stone.
func (b *board) open(bit int) bool { return !b.attacker.has(bit) && !b.defender.has(bit) }

func (w *follower) fails(b *board, format string, args ...any) error {
	squares := make([]byte, len(w.grid.bits))
	for m, bit := range w.grid.bits {
		switch squares[m] = empty; {
		case b.attacker.has(bit):
			squares[m] = w.attacker
		case b.defender.has(bit):
			squares[m] = w.defender
		}
	}
	p := w.AppendPosition(nil, Position{string(squares), w.attacker})
	return fmt.Errorf("followed to %q: %s", p, fmt.Sprintf(format, args...))
}

// lineThrough reports whether a side with the stones own has a line that includes the stone
// on the square bit. Unlike the checker, it does not rely on windows.
func (w *follower) lineThrough(own *set, bit int) bool {
	for _, step := range w.grid.steps {
		n := 1
		for _, step := range [2]int{step, -step} {
			for at := bit + step; at >= 0 && at < 64*len(own) && own.has(at); at += step {
				n++
			}
		}
		if n == w.k || n > w.k && !w.exact {
			return true
		}
	}
	return false
}
