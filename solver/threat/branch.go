package threat

import (
	"context"
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// NewBrancher returns a [solver.Brancher] for gomoku. It belongs to one goroutine.
func NewBrancher(g *gomoku.Game) solver.Brancher[gomoku.Position, gomoku.Square] {
	return &brancher{game: g, board: g.NewBoard(gomoku.Position{}), searcher: NewSearcher(g, branchTableBits)}
}

// brancher implements [solver.Brancher]: it finds wins by fours and threes, the relevant
// replies, and positions that a side holds by a pairing or by weights.
type brancher struct {
	game       *gomoku.Game
	board      *gomoku.Board
	searcher   *Searcher
	holder     holder
	symmetries []int                  // symmetries that map the position to itself
	weights    [gomoku.MaxSquares]int // of weigh, and what it returns
	heaviest   [answerSquares]gomoku.Square
}

const (
	known   = 0
	unknown = solver.Unproven
)

// Limits of the searches for continuous fours.
const (
	branchTableBits = 12
	maxBranchVCF    = 200
)

// AppendBranches implements [solver.Brancher]. It leaves out moves after which the
// opponent wins by his threats, and those that mirror another.
func (r *brancher) AppendBranches(dst []solver.Branch[gomoku.Square], p gomoku.Position, attackerToMove bool) ([]solver.Branch[gomoku.Square], bool) {
	b := r.board
	b.Set(p)
	r.searcher.Reset() // so that the answer does not depend on earlier positions
	mover, begin := p.ToMove(), len(dst)
	if fives := b.Fives(mover); !fives.Empty() {
		return append(dst, won(fives.First(), attackerToMove)), true
	}
	moves := b.EmptySquares()
	if fives := b.Fives(mover.Opponent()); !fives.Empty() {
		if fives.Len() > 1 {
			return dst, true
		}
		moves = fives
	} else if tree := r.threats(mover, attackerToMove); tree != nil {
		return append(dst, won(tree.Move, attackerToMove)), true
	} else if tree := r.threats(mover.Opponent(), !attackerToMove); tree != nil {
		moves = tree.relevant(b, mover.Opponent(), "a zone") // this tree wins after all other moves
	}
	r.symmetries = r.game.AppendFixing(r.symmetries[:0], p)
	for s := range moves.All() {
		if r.mirrors(s) {
			continue
		}
		b.Place(s, mover)
		branch := r.judge(s, mover, attackerToMove)
		b.Remove(s, mover)
		if branch.Proof == known && attackerToMove || branch.Disproof == known && !attackerToMove {
			return append(dst[:begin], branch), true // it decides
		}
		dst = append(dst, branch)
	}
	return dst, true
}

// won returns the branch of a move by which the side to move wins.
func won(s gomoku.Square, attackerToMove bool) solver.Branch[gomoku.Square] {
	if attackerToMove {
		return solver.Branch[gomoku.Square]{Move: s, Proof: known, Disproof: unknown}
	}
	return solver.Branch[gomoku.Square]{Move: s, Proof: unknown, Disproof: known}
}

// judge judges the board after the mover's stone on s, where the opponent has no five. The
// number of squares that a pairing lacks estimates how hard it is to show that the attacker
// cannot win. It is squared because the last squares are the easiest to find.
func (r *brancher) judge(s gomoku.Square, mover gomoku.Side, attackerMoved bool) solver.Branch[gomoku.Square] {
	b := r.board
	fives := b.Fives(mover)
	count := fives.Len()
	if count > 1 {
		return won(s, attackerMoved)
	}
	attacker := mover
	if !attackerMoved {
		attacker = mover.Opponent()
	}
	if count == 1 {
		// The opponent's reply is forced, so the mover is to move again.
		block := fives.First()
		b.Place(block, mover.Opponent())
		defer b.Remove(block, mover.Opponent())
		if r.fours(mover) {
			return won(s, attackerMoved)
		}
	} else if r.fours(mover.Opponent()) {
		return won(s, !attackerMoved)
	}
	attackerToMove := attackerMoved == (count == 1)
	lack := r.holder.lacks(b, attacker, attackerToMove, far)
	if lack > 0 && lack <= answerLack && !attackerToMove && r.answered(attacker) {
		lack = 0
	}
	if lack == 0 {
		claimHeld(b, attacker, attackerToMove, "a pairing or weights")
		return solver.Branch[gomoku.Square]{Move: s, Proof: unknown, Disproof: known}
	}
	return solver.Branch[gomoku.Square]{Move: s, Proof: 1, Disproof: 1 + uint32(lack*lack)}
}

// threats returns a win of the side to move, or nil if it finds none: by threat-space
// search for the attacker, by continuous fours for the defender, who need only hold, which
// is proven faster.
func (r *brancher) threats(side gomoku.Side, isAttacker bool) *Tree {
	if isAttacker {
		return r.searcher.ThreatSpace(r.board, side)
	}
	tree, _ := r.searcher.VCF(r.board, side, AllMoves, maxBranchVCF)
	return tree
}

// fours reports whether the side to move wins by continuous fours.
func (r *brancher) fours(side gomoku.Side) bool {
	_, verdict := r.searcher.VCF(r.board, side, AllMoves, maxBranchVCF)
	return verdict == Proven
}

// Limits of answered: how many squares it tries, and at what lack of a pairing. More find
// hardly more answers.
const (
	answerSquares = 6
	answerLack    = 6
)

// answered reports whether the defender, to move, holds after a stone on one of the squares
// that matter most to the attacker.
func (r *brancher) answered(attacker gomoku.Side) bool {
	b := r.board
	for _, s := range r.weigh(attacker) {
		b.Place(s, attacker.Opponent())
		holds := r.holder.holds(b, attacker, true)
		b.Remove(s, attacker.Opponent())
		if holds {
			return true
		}
	}
	return false
}

// weigh returns up to answerSquares empty squares with the largest weights, in falling order. A
// square's weight is the sum of those of the windows through it that the attacker can still
// fill: 2^n for one with n of his stones.
func (r *brancher) weigh(attacker gomoku.Side) []gomoku.Square {
	b := r.board
	empty := b.EmptySquares()
	for s := range empty.All() {
		r.weights[s] = 0
	}
	for i, live := range b.Live(attacker) {
		for ; live != 0; live &= live - 1 {
			window := 64*i + bits.TrailingZeros64(live)
			weight := 1 << b.StonesIn(uint16(window), attacker)
			for e := b.EmptyBits(window); e != 0; e &= e - 1 {
				r.weights[b.WindowSquare(window, bits.TrailingZeros32(e))] += weight
			}
		}
	}
	list := r.heaviest[:0]
	for s := range empty.All() {
		if len(list) == answerSquares {
			if r.weights[s] <= r.weights[list[answerSquares-1]] {
				continue
			}
			list = list[:answerSquares-1]
		}
		at := len(list)
		for at > 0 && r.weights[list[at-1]] < r.weights[s] {
			at--
		}
		list = slices.Insert(list, at, s)
	}
	return list
}

// mirrors reports whether a move is the image of one with a smaller number.
func (r *brancher) mirrors(s gomoku.Square) bool {
	for _, symmetry := range r.symmetries {
		if r.game.Image(symmetry, s) < s {
			return true
		}
	}
	return false
}

// AppendCertificate implements [solver.Brancher]: a win of the defender by continuous fours, or
// a pairing.
func (r *brancher) AppendCertificate(dst []byte, p gomoku.Position, attackerToMove bool) ([]byte, bool) {
	attacker := p.ToMove()
	if !attackerToMove {
		attacker = attacker.Opponent()
	}
	r.board.Set(p)
	r.searcher.Reset() // as in AppendBranches
	if !attackerToMove {
		if tree := r.threats(p.ToMove(), false); tree != nil && !tree.Wins {
			c := certifier{ctx: context.Background(), game: r.game, attacker: p.ToMove()}
			return append(dst, c.certificate(wonBy{p, p, tree, gomoku.NoSquare})...), true
		}
	}
	for i := range r.game.Symmetries() {
		if i > 0 {
			r.board.Set(r.game.ImageOf(i, p))
		}
		if r.holder.holds(r.board, attacker, attackerToMove) {
			claimHeld(r.board, attacker, attackerToMove, "a certificate")
			return r.holder.appendPairing(dst, r.game, i), true
		}
	}
	return dst, false
}
