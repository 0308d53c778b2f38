package othello

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// tree is the proof that one side gets at least some points: the nodes of a proof file, children
// before parents.
type tree struct {
	*search
	settle    Settle
	store     *store // of decisions; nil if there is none
	known     bool   // it has decisions of an earlier run
	points    int    // that the claimant needs
	most      uint64
	nodes     []node
	children  []uint32 // of all nodes
	numbers   map[place]uint32
	positions uint64 // of the nodes that are left to the checker
	report    func(empties int)
}

// Settle reports whether a search of at most a number of positions shows that the side to move gets
// some points, or that it does not, and how many it needs. It is the search of proof.Searcher.
type Settle func(own, opposite uint64, points int, most uint64) (reached bool, positions uint64, settled bool, err error)

// place is a canonical position, and whose move it is.
type place struct {
	key
	claimant bool
}

// node is a node of the tree. Its number is its place in the list, from 1.
type node struct {
	place
	decision
	count uint8  // of its children
	first uint32 // of its children
	rank  uint32
	uses  uint32
}

// decision is what takes time to find out about a node.
type decision struct {
	move      uint8  // of the claimant, in the canonical position; noMove if there is none
	positions uint32 // of a node that is left to the checker; 0 for others
}

// What a node and its number take, at most: a list that becomes longer is copied.
const (
	nodeSize   = 9 * uint64(unsafe.Sizeof(node{})) / 4
	childSize  = 9 * 4 / 4
	numberSize = 56
)

// triedEmpties is the largest number of empty squares of positions that may be left to the checker.
const triedEmpties = 14

// prove adds the proof of a position that is not finished and returns its number.
func (t *tree) prove(at place) (uint32, error) {
	own, opposite := at.own, at.opposite
	moves := t.moves(own, opposite)
	if number, ok := t.numbers[at]; ok {
		return number, nil
	}
	n := node{place: at}
	if t.report != nil {
		t.report(bits.OnesCount64(t.all &^ (own | opposite)))
	}
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	var err error
	if n.decision, err = t.decide(at, moves); err != nil {
		return 0, err
	}
	if n.positions > 0 {
		n.rank = 1
		t.positions += uint64(n.positions)
		return t.add(n)
	}
	var below []uint32
	child := func(own, opposite uint64) error {
		if t.moves(own, opposite) == 0 && t.moves(opposite, own) == 0 {
			score := t.game.Score(own, opposite) // for the side that is to move there
			if at.claimant {
				score = -score
			}
			if score < t.points {
				return t.wrong(at)
			}
			return nil
		}
		var k place
		k.own, k.opposite = t.canonical(own, opposite)
		k.claimant = !at.claimant
		number, err := t.prove(k)
		if err == nil {
			below = append(below, number)
		}
		return err
	}
	switch {
	case moves == 0:
		if err := child(opposite, own); err != nil {
			return 0, err
		}
	case at.claimant:
		if moves>>n.move&1 == 0 {
			return 0, t.wrong(at)
		}
		turned := t.flips(own, opposite, int(n.move))
		if err := child(opposite&^turned, own|turned|1<<n.move); err != nil {
			return 0, err
		}
	default:
		for left := moves; left != 0; left &= left - 1 {
			square := bits.TrailingZeros64(left)
			turned := t.flips(own, opposite, square)
			if err := child(opposite&^turned, own|turned|1<<square); err != nil {
				return 0, err
			}
		}
		slices.Sort(below)
		below = slices.Compact(below)
	}
	n.first, n.count = uint32(len(t.children)), uint8(len(below))
	n.rank = 1
	for _, number := range below {
		t.nodes[number-1].uses++
		n.rank = max(n.rank, t.nodes[number-1].rank+1)
	}
	t.children = append(t.children, below...)
	t.proof += childSize * uint64(len(below))
	return t.add(n)
}

func (t *tree) add(n node) (uint32, error) {
	t.nodes = append(t.nodes, n)
	number := uint32(len(t.nodes))
	t.numbers[n.place] = number
	t.proof += nodeSize + numberSize
	return number, t.fit()
}

// decide returns what an earlier run has decided about a node, or decides it.
func (t *tree) decide(at place, moves uint64) (d decision, err error) {
	d.move = noMove
	empties := bits.OnesCount64(t.all &^ (at.own | at.opposite))
	tried := empties <= triedEmpties
	if !tried && (!at.claimant || moves == 0) {
		return d, nil
	}
	if t.known {
		if known, ok, err := t.store.decision(t, at); ok || err != nil {
			return known, err
		}
	}
	if tried {
		points := t.points
		if !at.claimant {
			points = 1 - points
		}
		reached, positions, settled, err := t.settle(at.own, at.opposite, points, t.most)
		switch {
		case err != nil:
			return d, err
		case settled && reached != at.claimant:
			return d, t.wrong(at)
		case settled:
			d.positions = uint32(positions)
		}
	}
	if d.positions == 0 && at.claimant && moves != 0 {
		var found bool
		if d.move, found, err = t.winning(at.key, moves, t.points); err == nil && !found {
			err = t.wrong(at)
		}
		if err != nil {
			return d, err
		}
	}
	if t.store != nil {
		err = t.store.decide(t, at, d)
	}
	return d, err
}

// winning returns the claimant's move: the first in the order of the search by which it gets its
// points. That order depends on nothing that changes while proofs are made, so that a proof has the
// same moves however often its making was interrupted.
func (s *search) winning(at key, moves uint64, points int) (move uint8, found bool, err error) {
	empties := bits.OnesCount64(s.all &^ (at.own | at.opposite))
	first := uint8(noMove)
	if known, held := s.kept[at]; held {
		first = known.move
	}
	list := s.choices(s.lists[empties][:0], at.own, at.opposite, moves)
	s.lists[empties] = list
	s.order(list, points-1, empties, first)
	for i := range list {
		c := &list[i]
		score := -s.visit(c.own, c.opposite, c.moves, -points)
		switch {
		case s.err != nil:
			return 0, false, s.err
		case score >= points:
			return c.square, true, nil
		}
	}
	return 0, false, nil
}

// wrong returns the error for results of the search that do not fit together.
func (t *tree) wrong(at place) error {
	return fmt.Errorf("%w: %s", solver.ErrContradiction, t.text(at))
}

func (t *tree) text(at place) []byte {
	points := t.points
	if !at.claimant {
		points = 1 - points
	}
	return fmt.Appendf(t.game.AppendPosition(nil, t.game.Position(at.own, at.opposite)), " >=%d", points)
}

// write writes the tree as the proof of a claim.
func (t *tree) write(ctx context.Context, w *proof.Writer) error {
	if len(t.nodes) > 0 {
		t.nodes[len(t.nodes)-1].uses++
	}
	for i := range t.nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := &t.nodes[i]
		record := proof.Node{Uses: uint64(n.uses), Rank: uint64(n.rank), Position: t.text(n.place), Positions: uint64(n.positions)}
		for _, child := range t.children[n.first : n.first+uint32(n.count)] {
			record.Children = append(record.Children, uint64(child))
		}
		switch {
		case n.positions > 0 && n.claimant:
			record.Kind = proof.Searched
		case n.positions > 0:
			record.Kind = proof.SearchedReply
		case n.claimant:
			record.Kind = proof.Or
			record.Move = t.game.AppendMove(nil, othello.Position{}, othello.Move(n.move))
		default:
			record.Kind = proof.And
		}
		if _, err := w.Add(&record); err != nil {
			return err
		}
	}
	return w.EndClaim(uint64(len(t.nodes)))
}
