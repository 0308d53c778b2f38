package gomoku

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/proof"
)

// Verification is what [Verify] has checked.
type Verification struct {
	// Nodes is how many nodes the proof has.
	Nodes uint64 `json:"nodes"`
	// Trees is the number of winning trees that were followed.
	Trees int `json:"trees"`
	// Depth is the number of the attacker's moves for which every tree was followed with all
	// replies, if there are trees.
	Depth int `json:"depth,omitempty"`
	// Games is how many games were played out.
	Games int `json:"games,omitempty"`
	// Win says how the root is won, if a single tree proves that.
	Win *Win `json:"-"`
}

// Limits say how far [Verify] follows each winning tree.
type Limits struct {
	// Positions is how many positions it may visit with all replies.
	Positions int
	// Games is how many games it plays out against replies chosen at random.
	Games int
}

// Verify checks a proof file and follows its winning trees by the rules alone:
// against all replies, including those outside every zone, up to the limits. So it does not
// rely on the argument that zones suffice. It fails with [ErrNoRules] if the file is about
// another game, and as [proof.Check] does.
func Verify(ctx context.Context, r *proof.Reader, limits Limits, o proof.CheckOptions) (Verification, error) {
	g, ok := Open(r.Header().Game)
	if !ok {
		return Verification{}, fmt.Errorf("%w: %s", ErrNoRules, r.Header().Game)
	}
	f := following{Game: g, Limits: limits}
	if root, err := g.ParsePosition(r.Header().Root); err == nil {
		f.root = root
	}
	report, err := proof.Check(ctx, r, &f, o)
	f.done.Nodes = report.Nodes
	return f.done, err
}

// ErrNoRules says that a proof is about a game whose rules this package does not have.
var ErrNoRules = errors.New("no rules of this game")

// following is a [Game] that follows the trees that it checks.
type following struct {
	*Game
	Limits
	root Position
	mu   sync.Mutex
	done Verification
}

// CheckCertificate implements proof's Certifier. It only checks the trees of claims to hold,
// since there may be hundreds of thousands of them.
func (f *following) CheckCertificate(work *proof.Work, p Position, claimantToMove bool, goal proof.Goal, certificate []byte) error {
	if err := f.Game.CheckCertificate(work, p, claimantToMove, goal, certificate); err != nil || goal != proof.Win {
		return err
	}
	return f.follow(work.Context(), p, string(certificate))
}

// follow follows a tree from p.
func (f *following) follow(ctx context.Context, p Position, text string) error {
	w := follower{treeChecker: f.newTreeChecker(p, proof.NewWork(ctx, math.MaxInt)), ctx: ctx, rng: rand.New(rand.NewPCG(1, 2)), seen: map[followed]bool{}}
	root, err := w.parse(text)
	if err != nil {
		return err
	}
	start := w.board(p)
	start = w.haunted(&start, &root)
	depth, moves := 1, w.nodes[root.then].moves
	for ; ; depth++ {
		w.left, w.cut = f.Positions, false
		clear(w.seen)
		switch err := w.follow(root.then, &start, depth); {
		case errors.Is(err, errFollowLimit):
			depth--
		case err != nil:
			return err
		case w.cut && depth == moves:
			return fmt.Errorf("it does not win in %d moves", moves)
		case w.cut:
			continue
		}
		break
	}
	for range f.Games {
		if err := w.play(root.then, start); err != nil {
			return err
		}
	}
	var win *Win
	if p == f.root {
		if win, err = w.win(root.then, &start); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if win != nil {
		f.done.Win = win
	}
	if f.done.Trees++; f.done.Trees == 1 || depth < f.done.Depth {
		f.done.Depth = depth
	}
	f.done.Games += f.Games
	return nil
}

var errFollowLimit = errors.New("more positions than allowed")

// follower follows a tree. On its boards a ghost is an empty square where a reply of the
// defender is answered as if it were a null move.
type follower struct {
	*treeChecker
	ctx  context.Context
	rng  *rand.Rand
	left int
	cut  bool // some line was not followed to its end
	seen map[followed]bool
}

// followed is a node that was followed on a board, for depth moves of the attacker.
type followed struct {
	place
	depth int
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
	*b = w.haunted(b, a)
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

// follow follows a node on a board against all replies, for depth moves of the
// attacker.
func (w *follower) follow(node int, at *board, depth int) error {
	key := followed{place{node, *at}, depth}
	if w.seen[key] {
		return nil
	}
	if w.left--; w.left < 0 {
		return errFollowLimit
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	b := *at
	if won, err := w.move(node, &b); won || err != nil {
		return err
	}
	if depth == 1 {
		w.cut = true
		return nil
	}
	replies := 0
	for m, bit := range w.grid.bits {
		if !b.open(bit) {
			continue
		}
		replies++
		next := b
		then, err := w.reply(node, &next, Move(m))
		if err == nil {
			err = w.follow(then, &next, depth-1)
		}
		if err != nil {
			return err
		}
	}
	if replies == 0 {
		return w.fails(&b, "the board is full")
	}
	w.seen[key] = true
	return nil
}

// play plays a game out. The defender plays, at random, where he needs fewest stones for a
// line, or where the node has an answer of its own, or anywhere.
func (w *follower) play(node int, b board) error {
	for left := w.nodes[node].moves; ; left-- {
		if left == 0 {
			return w.fails(&b, "the win takes longer than the tree says")
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		won, err := w.move(node, &b)
		if won || err != nil {
			return err
		}
		var replies, best []Move
		for m, bit := range w.grid.bits {
			if b.open(bit) {
				replies = append(replies, Move(m))
			}
		}
		if len(replies) == 0 {
			return w.fails(&b, "the board is full")
		}
		switch w.rng.IntN(4) {
		case 0:
			var lines set
			for lacks := 1; lacks < w.k && lines == (set{}); lacks++ {
				w.addWindows(&lines, &b.defender, &b.attacker, lacks)
			}
			for _, m := range replies {
				if lines.has(w.grid.bits[m]) {
					best = append(best, m)
				}
			}
		case 1, 2:
			for i := range w.nodes[node].answers {
				for _, m := range w.nodes[node].answers[i].replies {
					if b.open(w.grid.bits[m]) {
						best = append(best, m)
					}
				}
			}
		}
		if len(best) > 0 {
			replies = best
		}
		if node, err = w.reply(node, &b, replies[w.rng.IntN(len(replies))]); err != nil {
			return err
		}
	}
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
