//go:build verifyclaims

package threat

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/gomoku/gomokutest"
)

// init turns the verification on in every build with the tag.
func init() { claims = verifier{} }

// verifier verifies claims by full-width search on small boards, otherwise by following
// the tree against all replies. A false claim panics with the position.
type verifier struct{}

// Limits of a verification.
const (
	assertNodes     = 3_000   // of full-width search
	assertEmpty     = 18      // squares; with more of them full-width search is not tried
	assertPositions = 300     // of a tree that is followed
	assertReplies   = 4       // on a board that is too large for full-width search
	assertKept      = 1 << 20 // positions that full-width search remembers
)

// oracles holds the full-width solvers, nil for boards that are too large, the
// positions that are too hard for them, and the trees that were followed.
var oracles struct {
	sync.Mutex
	of       map[gomoku.Rules]*gomokutest.Solver
	tooHard  seen[question]
	followed seen[claim]
}

// question asks whether a side wins, with a side to move.
type question struct {
	game             *gomoku.Game
	key              gomoku.Key
	attacker, toMove gomoku.Side
}

func (verifier) win(b *gomoku.Board, attacker gomoku.Side, t *Tree, by string) {
	if t == nil {
		return
	}
	if b.HasWon(attacker) || b.HasWon(attacker.Opponent()) {
		refuse(b, attacker, by, errors.New("the game is over"))
	}
	if won, ok := fullWidth(b, attacker, attacker); ok {
		if !won {
			refuse(b, attacker, by, fmt.Errorf("%v does not win", t.Move))
		}
		return
	}
	oracles.Lock()
	c := claim{b.Game(), b.Key(), attacker, t.Move}
	before := oracles.followed[c]
	oracles.followed.add(c)
	oracles.Unlock()
	if !before {
		if err := follow(b, attacker, t); err != nil {
			refuse(b, attacker, by, err)
		}
	}
}

// claim is a win by a move in a position, where a tree was followed.
type claim struct {
	game     *gomoku.Game
	key      gomoku.Key
	attacker gomoku.Side
	move     gomoku.Square
}

// seen is a set that is emptied when it is full.
type seen[T comparable] map[T]bool

func (s *seen[T]) add(x T) {
	if *s == nil || len(*s) == assertKept {
		*s = seen[T]{}
	}
	(*s)[x] = true
}

// winsAfter verifies only some of the replies on a large board; the stones seed the
// choice.
func (v verifier) winsAfter(b *gomoku.Board, attacker gomoku.Side, t *Tree, set gomoku.Set, by string) {
	replies := slices.Collect(set.All())
	if r := b.Game().Rules(); r.Rows*r.Columns > gomokutest.MaxSquares && len(replies) > assertReplies {
		rng := rand.New(rand.NewPCG(b.Key()[0], 0))
		rng.Shuffle(len(replies), func(i, j int) { replies[i], replies[j] = replies[j], replies[i] })
		replies = replies[:assertReplies]
	}
	for _, s := range replies {
		b.Place(s, attacker.Opponent())
		v.win(b, attacker, t, by)
		b.Remove(s, attacker.Opponent())
	}
}

func (verifier) held(b *gomoku.Board, attacker gomoku.Side, attackerToMove bool, by string) {
	toMove := attacker
	if !attackerToMove {
		toMove = attacker.Opponent()
	}
	if won, ok := fullWidth(b, attacker, toMove); ok && won {
		refuse(b, toMove, by, fmt.Errorf("%v wins", attacker))
	}
}

func refuse(b *gomoku.Board, toMove gomoku.Side, by string, err error) {
	panic(fmt.Sprintf("%s: false claim of %s: %v: %s", b.Game().Name(), by, err, b.Game().AppendPosition(nil, b.Position(toMove))))
}

// fullWidth reports whether the attacker wins, and false if that is too hard to
// tell.
func fullWidth(b *gomoku.Board, attacker, toMove gomoku.Side) (won, ok bool) {
	oracles.Lock()
	defer oracles.Unlock()
	r := b.Game().Rules()
	if empty := b.EmptySquares(); empty.Len() > assertEmpty {
		return false, false
	}
	o, known := oracles.of[r]
	if !known {
		if oracles.of == nil {
			oracles.of = map[gomoku.Rules]*gomokutest.Solver{}
		}
		if r.Rows*r.Columns <= gomokutest.MaxSquares {
			o = gomokutest.NewSolver(gomokutest.Rules{Rows: r.Rows, Columns: r.Columns, K: r.K, Exact: r.Exact}, assertNodes)
			o.Keep(assertKept)
		}
		oracles.of[r] = o
	}
	if o == nil {
		return false, false
	}
	stones := func(side gomoku.Side) (n uint64) {
		set := b.Stones(side)
		set.Each(func(s gomoku.Square) { n |= 1 << (s.Row()*r.Columns + s.Column()) })
		return n
	}
	q := question{b.Game(), b.Key(), attacker, toMove}
	if oracles.tooHard[q] {
		return false, false
	}
	won, err := o.Wins(gomokutest.Position{Mover: stones(toMove), Other: stones(toMove.Opponent())}, toMove == attacker)
	if err != nil {
		oracles.tooHard.add(q)
	}
	return won, err == nil
}

// follow follows a tree against all replies, deeper and deeper until there are too many
// positions.
func follow(b *gomoku.Board, attacker gomoku.Side, t *Tree) error {
	f := follower{board: b, attacker: attacker}
	for depth := 0; ; depth++ {
		f.left, f.cut = assertPositions, false
		if err := f.follow(t, depth); err != nil || !f.cut || f.left < 0 {
			return err
		}
	}
}

type follower struct {
	board    *gomoku.Board
	attacker gomoku.Side
	left     int  // how many more positions may be visited
	cut      bool // some line was not followed to its end
}

func (f *follower) follow(t *Tree, depth int) error {
	b, defender := f.board, f.attacker.Opponent()
	if empty := b.EmptySquares(); !empty.Has(t.Move) {
		return fmt.Errorf("%v is not empty in %s", t.Move, f.text())
	}
	b.Place(t.Move, f.attacker)
	defer b.Remove(t.Move, f.attacker)
	if won := b.HasWon(f.attacker); won || t.Wins {
		if won != t.Wins {
			return fmt.Errorf("%v wins: %v, the tree says %v in %s", t.Move, won, t.Wins, f.text())
		}
		return nil
	}
	if fives := b.Fives(defender); !fives.Empty() {
		return fmt.Errorf("the defender wins by %v in %s", fives.First(), f.text())
	}
	if depth == 0 {
		f.cut = true
		return nil
	}
	empty := b.EmptySquares()
	if empty.Empty() {
		return fmt.Errorf("the board is full: %s", f.text())
	}
	for s := range empty.All() {
		if f.left--; f.left < 0 {
			return nil
		}
		b.Place(s, defender)
		err := f.follow(t.After(s), depth-1)
		b.Remove(s, defender)
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *follower) text() []byte {
	return f.board.Game().AppendPosition(nil, f.board.Position(f.attacker))
}
