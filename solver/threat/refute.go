package threat

import (
	"slices"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// check checks the sequence that ends with the given threat, after one or two sequences,
// against every reply of the defender. It returns nil if a reply refutes it.
func (s *Searcher) check(before, other int32, t gomoku.Threat) *Tree {
	sp := &s.space
	sp.proofs++
	s.left = maxProofMoves
	return s.attack(append(sp.appendSequences(nil, before, other), t))
}

// attack returns a win of the attacker, to move, with the threats of plan where fours are
// not enough.
func (s *Searcher) attack(plan []gomoku.Threat) *Tree {
	b := s.board
	if s.left--; s.left < 0 {
		return nil
	}
	if tree, verdict := s.VCF(b, s.attacker, AllMoves, maxProofVCF); verdict == Proven {
		return tree
	}
	forced, ok := b.OnlyFive(s.defender)
	if !ok {
		return nil
	}
	for i := range plan {
		t := &plan[i]
		switch {
		case forced != gomoku.NoSquare && t.Gain != forced:
			continue
		case !b.IsEmpty(t.Gain):
			continue
		}
		return s.defend(t.Gain, t.Costs(), plan[i+1:])
	}
	if forced != gomoku.NoSquare {
		return s.defend(forced, nil, plan)
	}
	return nil
}

// defend returns the win by a move of the attacker, who then follows plan, against all
// replies. parries are the expected replies.
func (s *Searcher) defend(move gomoku.Square, parries []gomoku.Square, plan []gomoku.Threat) *Tree {
	b := s.board
	b.Place(move, s.attacker)
	defer b.Remove(move, s.attacker)
	if fives := b.Fives(s.attacker); !fives.Empty() {
		return s.defendFour(move, &fives, plan)
	}
	// The win after a null move determines which replies are relevant.
	otherwise, verdict := s.VCF(b, s.attacker, AllMoves, maxProofVCF)
	if verdict != Proven {
		return nil
	}
	if s.defenderWins() {
		return nil
	}
	zone := otherwise.relevant(b, s.attacker, "a null move in threat-space search")
	tree := &Tree{Move: move, Otherwise: otherwise}
	if together := s.together(parries, &zone); len(together) > 1 {
		then := s.against(together, plan)
		if then == nil {
			return nil
		}
		tree.Together = true
		var set gomoku.Set
		for _, c := range together {
			tree.Replies = append(tree.Replies, Reply{c, then})
			set.Add(c)
		}
		zone.RemoveAll(&set)
		if claims != nil {
			claims.winsAfter(b, s.attacker, then, set, "replies that are answered together")
		}
	}
	for reply := range zone.All() {
		then := s.against([]gomoku.Square{reply}, plan)
		if then == nil {
			return nil
		}
		tree.Replies = append(tree.Replies, Reply{reply, then})
	}
	return tree
}

// together returns the parries in the zone if they can be answered on one board with all of
// them. A win there wins against each alone, since a missing stone does not help the
// defender, unless
//
//   - the rule is exact: with one stone less his overline may become a line;
//   - that board has a line of his: the search does not see that the last of these stones
//     completes it.
func (s *Searcher) together(parries []gomoku.Square, zone *gomoku.Set) (list []gomoku.Square) {
	if s.game.Rules().Exact {
		return nil
	}
	b := s.board
	for _, c := range parries {
		if zone.Has(c) {
			list = append(list, c)
			b.Place(c, s.defender)
		}
	}
	line := b.HasWon(s.defender)
	for _, c := range list {
		b.Remove(c, s.defender)
	}
	if line {
		return nil
	}
	return list
}

// against returns a win of the attacker after replies of the defender.
func (s *Searcher) against(replies []gomoku.Square, plan []gomoku.Threat) *Tree {
	for _, r := range replies {
		s.board.Place(r, s.defender)
	}
	tree := s.attack(plan)
	for _, r := range replies {
		s.board.Remove(r, s.defender)
	}
	return tree
}

// defendFour returns the win by a four on the board, which a stone on any square of fives
// completes.
func (s *Searcher) defendFour(move gomoku.Square, fives *gomoku.Set, plan []gomoku.Threat) *Tree {
	places := slices.Collect(fives.All())
	tree := &Tree{Move: move, Otherwise: &Tree{Move: places[0], Wins: true}}
	then := &Tree{Move: places[len(places)-1], Wins: true}
	if len(places) == 1 {
		then = s.against(places, plan)
	}
	if then == nil {
		return nil
	}
	tree.Replies = []Reply{{places[0], then}}
	return tree
}

// defenderWins reports whether the defender, to move, has a victory by continuous fours,
// which refutes any plan.
func (s *Searcher) defenderWins() bool {
	attacker := s.attacker
	_, verdict := s.VCF(s.board, s.defender, AllMoves, maxProofVCF)
	s.begin(s.board, attacker, 0)
	return verdict == Proven
}
