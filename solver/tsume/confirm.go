package tsume

import (
	"fmt"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver"
)

// confirm searches again with other keys, and compares what both searches claim. Both are wrong
// in the same way only if both met a collision of keys. It fails with [solver.ErrContradiction] if
// the searches contradict each other.
func (s *solving) confirm() error {
	first := s.solution
	if first.Outcome == dfpn.Unknown {
		return nil
	}
	s.table.Rekey(games.DrawSeed())
	again := *s
	again.solution, again.options.Found = Solution{}, nil
	again.options.Composed, again.options.Alternatives, again.options.Variations = false, false, false
	err := again.run()
	second := &again.solution
	s.solution.Nodes += second.Nodes
	s.solution.Depth = max(first.Depth, second.Depth)
	if err != nil || second.Outcome == dfpn.Unknown {
		return err
	}
	if text := contradiction(&first, second); text != "" {
		return fmt.Errorf("%w: with other keys, %s", solver.ErrContradiction, text)
	}
	s.solution.Certain = second.Shortest || !first.Shortest && second.Longer >= first.Longer
	for i := range first.FirstMoves {
		s.solution.Certain = s.solution.Certain && second.FirstMoves[i].confirms(&first.FirstMoves[i])
	}
	return nil
}

// confirmJudgement judges a sound problem again with other keys. What it leaves open is open. It
// fails with [solver.ErrContradiction] if it finds a fault.
func (j *judging) confirmJudgement(line []shogi.Move, options JudgeOptions) error {
	j.table.Rekey(games.DrawSeed())
	s := j.sub(j.problem)
	s.options.Nodes = options.Nodes
	again := newJudging(s, options)
	err := again.run(line)
	j.others += again.nodes()
	if err != nil {
		return err
	}
	switch again.result.Verdict {
	case Faulty:
		return fmt.Errorf("%w: with other keys, the problem is not sound", solver.ErrContradiction)
	case NotDecided:
		j.result.Verdict, j.result.Open = NotDecided, again.result.Open
	case Sound:
		j.result.Certain = true
	}
	return nil
}

// contradiction says where two solutions of a problem cannot both be right; it returns nothing
// where they can.
func contradiction(a, b *Solution) string {
	claims := func(s *Solution) FirstMove {
		return FirstMove{Outcome: s.Outcome, Length: s.Length, Shortest: s.Shortest}
	}
	x, y := claims(a), claims(b)
	switch {
	case !x.agrees(&y):
		return "the problem has another answer"
	case a.Outcome == dfpn.Proven && (b.Length <= a.Longer || a.Length <= b.Longer):
		return "there is a mate that was shown not to be"
	}
	for i := range a.FirstMoves {
		if !a.FirstMoves[i].agrees(&b.FirstMoves[i]) {
			return fmt.Sprintf("%v has another answer", a.FirstMoves[i].Move)
		}
	}
	return ""
}

// agrees reports whether both results of a check can be right.
func (m *FirstMove) agrees(other *FirstMove) bool {
	switch {
	case m.Outcome == dfpn.Unknown || other.Outcome == dfpn.Unknown:
		return true
	case m.Outcome != other.Outcome:
		return false
	}
	return (!m.Shortest || m.Length <= other.Length) && (!other.Shortest || other.Length <= m.Length)
}

// confirms reports whether a result of a check claims what another one does, which agrees with it.
func (m *FirstMove) confirms(other *FirstMove) bool {
	return m.Outcome == other.Outcome && m.Shortest == other.Shortest
}
