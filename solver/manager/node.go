package manager

import (
	"slices"

	"github.com/yomikiri/yomikiri/solver"
)

const unproven = solver.Unproven

// node is a question of the proof tree.
type node struct {
	solver.Question
	outcome solver.Outcome
	basis   basis
	// by is the move that settles the node, for basis byMove: an index of children.
	by int
	// fragment is the number of the fragment, for basis byFragment, refs are the children that
	// it refers to, and rests the numbers, all lower, of the fragments that have the other
	// positions it refers to.
	fragment uint32
	refs     []int
	rests    []uint32

	moves    []string
	children []*node // one for each of moves; none at a leaf
	parents  []*node // that are open, each once
	// partial says that irrelevant moves are missing, incomplete that moves of the
	// attacker are missing that may win.
	partial, incomplete bool

	// proof and disproof are the numbers: those of the last answer at a leaf, else
	// derived from the children. With virtual loss they are larger.
	proof, disproof uint32
	// score is the score of the last answer at a leaf.
	score int32

	// memory is the memory of the back end that last searched the node, or its parent.
	memory string
	named  bool   // a result of this run has named its moves
	whole  bool   // its next fragment must not rest on others
	jobs   int    // that have ended
	spent  uint64 // nodes of these jobs
	job    *running

	changed bool   // since it was stored
	seen    uint64 // the round of the last walk that visited it
}

// basis is what the proof of a settled node consists of; 0 if it is not settled.
type basis uint8

const (
	// byMove: a move of the side that the outcome favours.
	byMove basis = 1 + iota
	// byAll: all replies.
	byAll
	// byFragment: a proof that a back end has written.
	byFragment
	// byRepetition: the defender holds because positions repeat, see held. There is no
	// fragment.
	byRepetition
	// byRules: the game is over.
	byRules
)

func (n *node) leaf() bool { return len(n.children) == 0 }

// givenUp reports whether the search of n has ended without a proof.
func (n *node) givenUp() bool { return n.outcome == solver.Failed || n.outcome == solver.Unverified }

// decided reports whether searching below n is useless: n is settled or given up, or lacks
// only the proof of irrelevant moves.
func (n *node) decided() bool { return n.outcome != solver.Unknown || n.proof == 0 || n.disproof == 0 }

// number returns the numbers of a node as its parents see them. A leaf whose score reaches
// the threshold counts as likely settled.
func (n *node) number(threshold int64) (proof, disproof uint32) {
	switch n.outcome {
	case solver.Proven:
		return 0, unproven
	case solver.Disproven, solver.Failed, solver.Unverified:
		return unproven, 0
	}
	switch {
	case !n.likely(threshold):
	case n.score > 0:
		return 0, unproven - 1 // finite: a node that lacks a number is settled, see renumberAll
	default:
		return unproven - 1, 0
	}
	proof, disproof = n.proof, n.disproof
	if n.leaf() && n.job != nil {
		return virtual(proof), virtual(disproof)
	}
	return proof, disproof
}

// likely reports whether a node is a leaf that counts as likely settled.
func (n *node) likely(threshold int64) bool {
	return n.leaf() && n.outcome == solver.Unknown && threshold > 0 && max(int64(n.score), -int64(n.score)) >= threshold
}

// virtual returns a number with virtual loss: while a leaf is searched it looks farther
// from being settled either way, so that other jobs go elsewhere unless it is far better.
func virtual(number uint32) uint32 { return min(2*number+1, unproven-1) }

// derive derives the numbers from those of the children and reports whether they
// changed. As in package solver, the largest plus one for each other child counts, not
// the sum (weak proof-number search).
func (n *node) derive(threshold int64) bool {
	own, largest, left := uint32(unproven), uint32(0), uint32(0)
	for _, c := range n.children {
		a, b := n.split(c, threshold)
		own = min(own, a)
		if b > 0 {
			left++
			largest = max(largest, b)
		}
	}
	return n.setOwn(own, weakSum(largest, left))
}

// split returns the numbers of a child: the one that the side to move wants to be small,
// and the other one.
func (n *node) split(c *node, threshold int64) (own, other uint32) {
	own, other = c.number(threshold)
	if !n.Attacker {
		own, other = other, own
	}
	return own, other
}

// weakSum combines the numbers of several children which all must be settled.
func weakSum(largest, left uint32) uint32 {
	if left > 0 && largest < unproven {
		return min(largest+left-1, unproven-1)
	}
	return largest
}

// setOwn sets the numbers as the side to move sees them and reports whether they changed.
func (n *node) setOwn(own, other uint32) bool {
	if own == 0 {
		other = unproven
	}
	if other == 0 {
		own = unproven
	}
	if !n.Attacker {
		own, other = other, own
	}
	if n.proof == own && n.disproof == other {
		return false
	}
	n.proof, n.disproof = own, other
	return true
}

// child returns the index of the child with question q, -1 if there is none.
func (n *node) child(q solver.Question) int {
	return slices.IndexFunc(n.children, func(c *node) bool { return c.Question == q })
}
