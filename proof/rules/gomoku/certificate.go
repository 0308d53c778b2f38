package gomoku

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/yomikiri/yomikiri/proof"
)

// one is a weight of 1. Weights are multiples of 1/one as long as a window has no
// more than 32 squares.
const one uint64 = 1 << 32

// parseWork is the work for a byte of a certificate.
const parseWork = 6

// CheckCertificate implements proof's Certifier: a pairing for claims to hold, a winning tree
// for either claim, since a side that wins also holds.
func (g *Game) CheckCertificate(work *proof.Work, p Position, claimantToMove bool, goal proof.Goal, certificate []byte) error {
	text := string(certificate)
	switch kind := kindOf(text); {
	case kind == "pairing" && goal == proof.Hold:
		return g.checkPairing(work, p, claimantToMove, text)
	case kind == "pairing":
		return errors.New("a pairing shows that a side holds, not that it wins")
	case kind != "tree":
		return fmt.Errorf("it is a %q, want a pairing or a tree", kind)
	case !claimantToMove:
		return errors.New("a tree is for the side to move")
	}
	return g.checkTree(work, p, text)
}

// kindOf returns the first word of a certificate.
func kindOf(certificate string) string {
	if end := strings.IndexAny(certificate, " \n"); end >= 0 {
		return certificate[:end]
	}
	return certificate
}

// checkPairing checks a pairing: the word "pairing" and an even number of empty squares, all
// different, each after a space: the first two are a pair, the next two, and so on. It shows
// that the opponent of the claimant cannot win, so the claimant holds:
//
// The opponent needs k squares in a row, a window, without a stone of the
// claimant's. A window with both squares of a pair is covered: when the opponent
// takes one, the claimant takes the other (if he has it already, or both squares
// are taken, he has a move to spare, which does not hurt in this game). Every other window is
// dangerous with weight 2^-n, where n is the number of its empty squares outside all pairs:
// the opponent is assumed to have all squares of pairs already. If the weights add up to less
// than 1, with the claimant to move, or less than 1/2, with the opponent to move, the
// claimant always takes the square outside the pairs whose windows weigh most, and no window
// is ever filled (Erdős, Selfridge 1973). So a certificate without pairs may be enough, and
// so may one whose pairs cover all windows (Hales, Jewett 1963).
func (g *Game) checkPairing(work *proof.Work, p Position, claimantToMove bool, text string) error {
	if err := work.Spend(parseWork*len(text) + 2*len(p.squares)*g.k); err != nil {
		return err
	}
	pair, err := g.parsePairing(p, text)
	if err != nil {
		return err
	}
	claimant := p.toMove
	limit := one
	if !claimantToMove {
		claimant = opponent(p.toMove)
		limit = one / 2
	}
	if total := g.weigh(p, claimant, pair); total >= limit {
		return fmt.Errorf("the windows that no pair covers weigh %d/%d, want less than %d/%[2]d", total, one, limit)
	}
	return nil
}

// parsePairing returns the number of the pair of each square, 0 for none.
func (g *Game) parsePairing(p Position, text string) ([]uint8, error) {
	squares := strings.Count(text, " ")
	kind, text, found := strings.Cut(text, " ")
	switch {
	case kind != "pairing":
		return nil, fmt.Errorf("%.20q: want squares behind the word pairing, each after a space", kind)
	case squares%2 != 0:
		return nil, fmt.Errorf("want pairs of squares, got %d", squares)
	}
	pair := make([]uint8, len(p.squares)) // at most 200 pairs
	for i := 0; found; i++ {
		var word string
		word, text, found = strings.Cut(text, " ")
		m, err := g.parseSquare(word)
		if err != nil {
			return nil, err
		}
		if p.squares[m] != empty {
			return nil, fmt.Errorf("%s is not empty", word)
		}
		if pair[m] > 0 {
			return nil, fmt.Errorf("%s is in two pairs", word)
		}
		pair[m] = uint8(i/2 + 1)
	}
	return pair, nil
}

// weigh returns the sum of the weights of all windows. A window is harmless, and weighs
// nothing, if the claimant has a stone in it, a pair covers it, or the rule is exact and the
// opponent has the square before or after it, so that a line there would be too long.
func (g *Game) weigh(p Position, claimant byte, pair []uint8) (total uint64) {
	w := weighing{own: g.stonesOf(p.squares, opponent(claimant))}
	for m, number := range pair {
		w.pair[g.grid.bits[m]] = number
	}
	claimants := g.stonesOf(p.squares, claimant)
	own, free := w.own.wide(), g.free(&claimants)
	for _, step := range g.grid.steps {
		for word := range g.grid.words {
			for found := g.windows(&own, &free, 64*word, step, g.k); found != 0; found &= found - 1 {
				total += w.weight(64*word+bits.TrailingZeros64(found), step, g.k)
			}
		}
	}
	return total
}

// weighing has what the weights of windows depend on.
type weighing struct {
	own  set                            // the opponent's stones
	pair [maxSide * (maxSide + 1)]uint8 // the number of the pair of each square, by its bit
}

// weight returns the weight of a window without a stone of the claimant's: k squares from bit
// on. Squares of pairs may have stones when a game has gone on.
func (w *weighing) weight(bit, step, k int) uint64 {
	open := 0          // squares that are empty and in no pair
	var seen [4]uint64 // bits of the pairs, of which there are at most 200
	for range k {
		switch number := w.pair[bit]; {
		case w.own.has(bit):
		case number == 0:
			open++
		case seen[number>>6]>>(number&63)&1 > 0:
			return 0
		default:
			seen[number>>6] |= 1 << (number & 63)
		}
		bit += step
	}
	return one >> open
}
