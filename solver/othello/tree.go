package othello

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
)

// tree is the proof that one side gets at least some points: the nodes of a proof file, children
// before parents.
type tree struct {
	*search
	settle    Settle
	points    int // that the claimant needs
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
	first     uint32 // of its children
	count     uint8  // of its children
	move      uint8  // of the claimant, in the canonical position
	positions uint32 // of a node that is left to the checker
	rank      uint32
	uses      uint32
}

// errWrong is returned if the results of the search do not fit together.
var errWrong = errors.New("the search contradicts itself")

// triedEmpties is the largest number of empty squares of positions that may be left to the checker.
const triedEmpties = 13

// prove adds the proof of a position that is not finished and returns its number.
func (t *tree) prove(at place) (uint32, error) {
	own, opposite := at.own, at.opposite
	moves := t.moves(own, opposite)
	if number, ok := t.numbers[at]; ok {
		return number, nil
	}
	n := node{place: at}
	empties := bits.OnesCount64(t.all &^ (own | opposite))
	if t.report != nil {
		t.report(empties)
	}
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	if empties <= triedEmpties {
		points := t.points
		if !at.claimant {
			points = 1 - points
		}
		reached, positions, settled, err := t.settle(own, opposite, points, t.most)
		switch {
		case err != nil:
			return 0, err
		case settled && reached != at.claimant:
			return 0, fmt.Errorf("%w: %s", errWrong, t.text(at))
		case settled:
			n.positions, n.rank = uint32(positions), 1
			t.positions += positions
			return t.add(n), nil
		}
	}
	var below []uint32
	child := func(own, opposite uint64) error {
		if t.moves(own, opposite) == 0 && t.moves(opposite, own) == 0 {
			score := t.game.Score(own, opposite) // for the side that is to move there
			if at.claimant {
				score = -score
			}
			if score < t.points {
				return fmt.Errorf("%w: %s", errWrong, t.text(at))
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
		n.move = noMove
		if err := child(opposite, own); err != nil {
			return 0, err
		}
	case at.claimant:
		var err error
		if n.move, err = t.winning(own, opposite, moves, empties); err != nil {
			return 0, err
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
	return t.add(n), nil
}

func (t *tree) add(n node) uint32 {
	t.nodes = append(t.nodes, n)
	number := uint32(len(t.nodes))
	t.numbers[n.place] = number
	return number
}

// winning returns a move by which the claimant gets its points.
func (t *tree) winning(own, opposite, moves uint64, empties int) (uint8, error) {
	k := key{own, opposite}
	known, held := t.kept[k], empties >= keptEmpties
	if !held {
		known, held = t.look(k)
	}
	first := uint8(noMove)
	if held {
		first = known.move
	}
	best := uint8(noMove)
	score := t.each(own, opposite, moves, t.points-1, empties, first, &best)
	if t.err != nil {
		return 0, t.err
	}
	if score < t.points {
		return 0, fmt.Errorf("%w: %s", errWrong, t.text(place{k, true}))
	}
	return best, nil
}

func (t *tree) text(at place) []byte {
	points := t.points
	if !at.claimant {
		points = 1 - points
	}
	return fmt.Appendf(t.game.AppendPosition(nil, t.game.Position(at.own, at.opposite)), " >=%d", points)
}

// write writes the tree as the proof of a claim.
func (t *tree) write(w *proof.Writer) error {
	if len(t.nodes) > 0 {
		t.nodes[len(t.nodes)-1].uses++
	}
	for i := range t.nodes {
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
