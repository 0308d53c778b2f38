package tsume

import (
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// Alternative is a check other than the one in the line of play.
type Alternative struct {
	// Ply is the number of moves of the line before it.
	Ply int
	FirstMove
	// Line is a line of play that begins with it, if it mates. It is empty if a limit
	// was reached.
	Line []shogi.Move
}

// Variation is a line of play that leaves the line of the solution with a reply.
type Variation struct {
	Ply  int // number of moves of the line before it
	Line []shogi.Move
}

// alternatives searches all other checks along the line.
func (s *solving) alternatives() error {
	line := s.solution.Line
	for i := range line {
		if s.defends(i) {
			continue
		}
		checks, err := s.checks(line[:i], line[i])
		if err != nil {
			return err
		}
		for _, m := range checks {
			if m.Outcome == dfpn.Disproven {
				continue
			}
			a := Alternative{Ply: i, FirstMove: m}
			if m.Outcome == dfpn.Proven {
				a.Line = s.lineAfter(line[:i], m.Move)
			}
			s.solution.Alternatives = append(s.solution.Alternatives, a)
		}
	}
	return nil
}

// minOthers is the least number of nodes that a first move gets in [solving.others].
const minOthers = 1 << 16

// others finds lines with other first moves: the shortest mates of those that are found first, or
// the replies that hold out longest. Each gets as many nodes as the mate took, the easy ones first.
func (s *solving) others() error {
	want := s.options.Lines - 1
	if want <= 0 || len(s.solution.Line) == 0 {
		return nil
	}
	most := max(s.solution.Nodes, minOthers)
	b := s.cursor().board
	var left []shogi.Move
	if s.problem.Defends {
		left = b.AppendEvasions(left)
	} else {
		left = b.AppendChecks(left)
	}
	left = slices.DeleteFunc(left, func(m shogi.Move) bool { return m == s.solution.Line[0] })
	var found []Alternative
	for budget := uint64(firstBudget); len(left) > 0 && budget < most*budgetGrowth; budget *= budgetGrowth {
		var open []shogi.Move
		for _, m := range left {
			if s.exhausted() || !s.problem.Defends && len(found) == want {
				break
			}
			r, err := s.searchWithin(dfpn.Unlimited, min(budget, most), m)
			switch {
			case err != nil:
				return err
			case r.Outcome == dfpn.Unknown:
				open = append(open, m)
			case r.Outcome == dfpn.Proven:
				found = append(found, Alternative{FirstMove: FirstMove{Move: m, Outcome: r.Outcome, Length: int(r.Length) + 1}})
			}
		}
		left = open
	}
	if s.problem.Defends || len(found) < want {
		s.solution.Unsettled = len(left)
	}
	slices.SortStableFunc(found, func(a, b Alternative) int {
		if s.problem.Defends {
			a, b = b, a
		}
		return a.Length - b.Length
	})
	for _, a := range found[:min(want, len(found))] {
		if a.Line = s.lineAfter(nil, a.Move); a.Line == nil {
			a.Line = []shogi.Move{a.Move}
		}
		s.solution.Others = append(s.solution.Others, a)
	}
	return nil
}

// variations finds a line for every other reply along the line. Of several drops on the
// same square it gives only one that holds out longest.
func (s *solving) variations() {
	line := s.solution.Line
	b := shogi.NewBoard(s.problem.Position)
	for i, m := range line {
		if s.defends(i) {
			s.solution.Variations = append(s.solution.Variations, s.replies(b, line[:i], m)...)
		}
		b.Do(m)
	}
}

// replies returns the variations that begin with a reply other than m.
func (s *solving) replies(b *shogi.Board, before []shogi.Move, m shogi.Move) []Variation {
	var all []Variation
	drops := map[shogi.Square]int{} // the index in all
	for _, reply := range b.AppendEvasions(nil) {
		if reply == m || reply.IsDrop() && m.IsDrop() && reply.To() == m.To() {
			continue
		}
		line := s.lineAfter(before, reply)
		if line == nil {
			s.solution.Incomplete = true
			continue
		}
		v := Variation{len(before), line}
		if !reply.IsDrop() {
			all = append(all, v)
			continue
		}
		at, seen := drops[reply.To()]
		switch {
		case !seen:
			drops[reply.To()] = len(all)
			all = append(all, v)
		case len(line) > len(all[at].Line):
			all[at] = v
		}
	}
	return all
}

// defends reports whether the defender makes move number ply, from 0, of the line.
func (s *solving) defends(ply int) bool { return (ply%2 == 1) != s.problem.Defends }

// lineAfter returns a line to the mate that begins with a move after others. It returns
// nil if a limit was reached.
func (s *solving) lineAfter(before []shogi.Move, m shogi.Move) []shogi.Move {
	reader := s.reader(s.cursor(append(slices.Clone(before), m)...), s.rest())
	line, err := reader.Line(false)
	s.solution.Nodes += reader.Nodes()
	if err != nil {
		return nil
	}
	return append([]shogi.Move{m}, moves(line)...)
}

// checks searches all checks except one after the given moves, each separately.
func (s *solving) checks(before []shogi.Move, except shogi.Move) ([]FirstMove, error) {
	var all []FirstMove
	for _, m := range s.cursor(before...).board.AppendChecks(nil) {
		if m == except {
			continue
		}
		first, err := s.check(append(slices.Clone(before), m))
		if err != nil {
			return nil, err
		}
		all = append(all, first)
	}
	return all, nil
}

// check searches the last of the given moves, a check.
func (s *solving) check(moves []shogi.Move) (FirstMove, error) {
	r, err := s.search(dfpn.Unlimited, moves...)
	if err != nil {
		return FirstMove{}, err
	}
	first := FirstMove{Move: moves[len(moves)-1], Outcome: r.Outcome}
	for r.Outcome == dfpn.Proven {
		first.Length = int(r.Length) + 1
		// A limit of 0 would mean no limit. An immediate mate has been found already.
		if first.Shortest = r.Length <= 2; first.Shortest || !s.options.Shortest {
			break
		}
		if r, err = s.search(r.Length-2, moves...); err != nil {
			return FirstMove{}, err
		}
		first.Shortest = r.Outcome == dfpn.Disproven
	}
	return first, nil
}
