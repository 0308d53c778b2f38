package gomoku

import (
	"context"
	"errors"

	"github.com/yomikiri/yomikiri/proof"
)

var _ proof.Follower[Position, Move] = (*Game)(nil)

// Follow implements [proof.Follower]: by trees and, to hold, by pairings too. It searches a
// tree for a line from p to q, with the defender's stones in any order.
func (g *Game) Follow(ctx context.Context, p Position, claimantToMove bool, goal proof.Goal, q Position, certificate func() (string, error)) (Move, bool, error) {
	if (p.toMove == q.toMove) != claimantToMove {
		return 0, false, nil // it is about the other side
	}
	var text string
	for _, from := range g.images {
		if !contains(q, from, p) {
			continue
		}
		if text == "" {
			var err error
			if text, err = certificate(); err != nil {
				return 0, false, err
			}
		}
		squares := make([]byte, len(from))
		for to, at := range from {
			squares[to] = q.squares[at]
		}
		image := Position{string(squares), q.toMove}
		var m Move
		var ok bool
		var err error
		if kindOf(text) == "pairing" {
			m, ok, err = g.followPairing(p, image, text)
		} else {
			m, ok, err = g.followTree(ctx, p, image, text)
		}
		if ok || err != nil {
			return Move(from[m]), ok, err
		}
	}
	return 0, false, nil
}

// contains reports whether an image of q has all stones of p. from gives the square of q that
// each of its squares comes from.
func contains(q Position, from []int, p Position) bool {
	for to, at := range from {
		if square := p.squares[to]; square != empty && square != q.squares[at] {
			return false
		}
	}
	return true
}

// maxFollowed is the largest number of positions of a tree that are visited for one move.
// Usually there are few: most orders of the defender's stones lead to a move of the attacker
// that was not played.
const maxFollowed = 1 << 20

// followTree returns the attacker's next move in q, if following a tree for p can lead there.
func (g *Game) followTree(ctx context.Context, p, q Position, text string) (Move, bool, error) {
	w, root, start, err := g.newFollower(ctx, p, text)
	if err != nil {
		return 0, false, err
	}
	w.left = maxFollowed
	to := w.board(q)
	m, err := w.find(root, &start, &to)
	if errors.Is(err, errNotFollowed) {
		return 0, false, nil
	}
	return m, err == nil, err
}

// errNotFollowed says that no line leads to a board.
var errNotFollowed = errors.New("not followed")

// find follows a node from the board at to the board to, and returns the attacker's move
// there.
func (w *follower) find(node int, at, to *board) (Move, error) {
	key := followed{place{node, *at}, 0}
	if w.left--; w.left < 0 || w.seen[key] {
		return 0, errNotFollowed
	}
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	w.seen[key] = true
	b := *at
	won, err := w.move(node, &b)
	m := w.nodes[node].move
	switch {
	case err != nil:
		return 0, err
	case at.attacker == to.attacker && at.defender == to.defender:
		return m, nil
	case won, !to.attacker.has(w.grid.bits[m]):
		return 0, errNotFollowed
	}
	for reply, bit := range w.grid.bits {
		if !to.defender.has(bit) || b.defender.has(bit) {
			continue
		}
		next := b
		then, err := w.reply(node, &next, Move(reply))
		if err != nil {
			return 0, err
		}
		if m, err := w.find(then, &next, to); !errors.Is(err, errNotFollowed) {
			return m, err
		}
	}
	return 0, errNotFollowed
}

// followPairing returns a move by which the side to move in q holds with the pairs of a
// certificate for p. That it holds follows from q alone: after the move the opponent has no
// square of a pair whose other square is empty, and the windows weigh less than 1 whatever
// square outside the pairs he takes, so the argument of checkPairing continues to apply.
func (g *Game) followPairing(p, q Position, text string) (best Move, ok bool, err error) {
	pair, err := g.parsePairing(p, text)
	if err != nil {
		return 0, false, err
	}
	claimant := q.toMove
	first := make([]Move, len(pair)) // first square of each pair, plus 1
	var urgent, free, all []Move     // squares of pairs to be answered, outside of pairs, empty
	for m, number := range pair {
		at := q.squares[m]
		if at == empty {
			all = append(all, Move(m))
		}
		switch other := first[number]; {
		case number == 0 && at == empty:
			free = append(free, Move(m))
		case number == 0:
		case other == 0:
			first[number] = Move(m) + 1
		default:
			switch two := [2]byte{q.squares[other-1], at}; two {
			case [2]byte{opponent(claimant), opponent(claimant)}:
				return 0, false, nil
			case [2]byte{opponent(claimant), empty}:
				urgent = append(urgent, Move(m))
			case [2]byte{empty, opponent(claimant)}:
				urgent = append(urgent, other-1)
			}
		}
	}
	candidates := all
	switch {
	case len(urgent) > 1:
		return 0, false, nil
	case len(urgent) == 1:
		candidates = urgent
	case len(free) > 0:
		candidates = free
	}
	least := one
	for _, m := range candidates {
		if total := g.weigh(g.Play(q, m), claimant, pair); total < least {
			best, least = m, total
		}
	}
	if least == one {
		return 0, false, nil
	}
	after := g.Play(q, best)
	for _, m := range free {
		if m != best && g.weigh(g.Play(after, m), claimant, pair) >= one {
			return 0, false, nil
		}
	}
	return best, true, nil
}
