package proof

import (
	"bytes"
	"errors"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Searcher settles positions by the plain search that a [Searched] node leaves to the checker. It is
// for checkers and for programs that write such nodes. It remembers nothing but the line that it is
// on, and belongs to one goroutine.
//
// In a position the search makes all moves, and has then looked at one position for each. It first
// tries the moves after which the other side has fewest, none if the game is over; equal ones in
// the order of their texts. It goes on until a move shows whether the claim holds. It makes no more
// than 1,000 moves in a row.
type Searcher[P, M comparable] struct {
	rules  *rules[P, M]
	claim  Claim
	work   *Work // counts the positions too; may be nil
	levels []searchLevel[P, M]
	looked uint64 // at positions
	most   uint64 // positions to look at
}

// searchLevel is about one position of the line. Its memory is reused.
type searchLevel[P, M comparable] struct {
	tries   []searchMove[P]
	order   []int32 // of the tries; sorting numbers is compiled once for all games
	replies []M     // of all tries
	texts   []byte  // of all tries
}

// searchMove is a move that the search tries.
type searchMove[P comparable] struct {
	position        P    // after the move
	over, holds     bool // the game is over there, as claimed
	replies, before int  // the number of replies, and where they begin
	text, end       int  // where its text is
}

// maxLine is the largest number of moves in a row.
const maxLine = 1000

// ErrUnsettled says that a [Searcher] would have to look at more positions than it may, or further ahead.
var ErrUnsettled = errors.New("the search needs more positions")

// NewSearcher returns a searcher that asks whether a claim holds. For a claim about points g is the
// game that [games.Aiming] makes.
func NewSearcher[P, M comparable](g games.Game[P, M], claim Claim) *Searcher[P, M] {
	return &Searcher[P, M]{rules: newRules(g, nil), claim: claim}
}

// Search reports whether the claim holds in an unfinished position, and how many positions it
// looked at. If it would have to look at more than most, it fails with [ErrUnsettled].
func (s *Searcher[P, M]) Search(p P, claimantToMove bool, most uint64) (holds bool, positions uint64, err error) {
	s.looked, s.most = 0, most
	if len(s.levels) == 0 {
		s.levels = make([]searchLevel[P, M], 1)
	}
	s.levels[0].replies = s.rules.g.AppendMoves(s.levels[0].replies[:0], p)
	holds, err = s.search(p, s.levels[0].replies, claimantToMove, 1)
	return holds, s.looked, err
}

// search searches a position with the given moves. Its level is depth.
func (s *Searcher[P, M]) search(p P, moves []M, claimantToMove bool, depth int) (bool, error) {
	s.looked += uint64(len(moves))
	if s.looked > s.most || depth > maxLine {
		return false, ErrUnsettled
	}
	if s.work != nil {
		if err := s.work.Spend(len(moves) * s.rules.positionWork); err != nil {
			return false, err
		}
	}
	if depth == len(s.levels) {
		s.levels = append(s.levels, searchLevel[P, M]{})
	}
	l := s.levels[depth] // s.levels may move
	l.tries, l.order, l.replies, l.texts = l.tries[:0], l.order[:0], l.replies[:0], l.texts[:0]
	for _, m := range moves {
		t := searchMove[P]{position: s.rules.g.Play(p, m), before: len(l.replies), text: len(l.texts)}
		v, over, err := s.rules.decided(t.position)
		if err != nil {
			return false, err
		}
		if t.over = over; over {
			t.holds = s.claim.Reached(v, !claimantToMove)
		} else {
			l.replies = s.rules.g.AppendMoves(l.replies, t.position)
			t.replies = len(l.replies) - t.before
		}
		l.texts = s.rules.g.AppendMove(l.texts, p, m)
		t.end = len(l.texts)
		l.order = append(l.order, int32(len(l.tries)))
		l.tries = append(l.tries, t)
	}
	s.levels[depth] = l
	slices.SortFunc(l.order, func(i, j int32) int {
		a, b := &l.tries[i], &l.tries[j]
		if a.replies != b.replies {
			return a.replies - b.replies
		}
		return bytes.Compare(l.texts[a.text:a.end], l.texts[b.text:b.end])
	})
	for _, i := range l.order {
		t := &l.tries[i]
		holds := t.holds
		if !t.over {
			var err error
			if holds, err = s.search(t.position, l.replies[t.before:t.before+t.replies], !claimantToMove, depth+1); err != nil {
				return false, err
			}
		}
		if holds == claimantToMove {
			return holds, nil
		}
	}
	return !claimantToMove && len(moves) > 0, nil // a game that is not over has moves
}
