package tsume

import (
	"context"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// Goal is what is to be reached by checks, other than a mate against any defence.
type Goal uint8

// The goals.
const (
	// Helpmate is a mate of the defender by the moves of both sides (協力詰).
	Helpmate Goal = iota
	// Selfmate is a mate of the attacker by a defender who does all to avoid it (自玉詰).
	Selfmate
	// HelpSelfmate is a mate of the attacker by the moves of both sides (協力自玉詰).
	HelpSelfmate
)

// String returns the name of a goal, as in a help mate.
func (g Goal) String() string { return [...]string{"help mate", "self mate", "help self mate"}[g] }

// Japanese returns its name in Japanese.
func (g Goal) Japanese() string { return [...]string{"協力詰", "自玉詰", "協力自玉詰"}[g] }

const (
	// MostPlies is the greatest length that can be asked for in [SolveGoal].
	MostPlies = 999
	// DefaultSolutions is the number of solutions that [SolveGoal] lists by default.
	DefaultSolutions = 10
)

// GoalSolution is the result of [SolveGoal].
type GoalSolution struct {
	// Outcome is [dfpn.Proven] if the goal can be reached, [dfpn.Disproven] if not in the plies
	// asked for, and [dfpn.Unknown] if a limit was reached first.
	Outcome dfpn.Outcome
	// Length is the least number of plies in which the goal is reached.
	Length int
	// None is the number of plies in which it is proven not to be reached, -1 if none is known. Never is
	// true if it cannot be reached in any number.
	None  int
	Never bool
	// Lines are the solutions of Length plies. If both sides help, these are all lines of play, and
	// More is true if there are more than were asked for. For a self mate it is the main line, in
	// which the defender holds out as long as it can; it is missing if a limit was reached.
	Lines [][]shogi.Move
	More  bool
	// Cooks are the other checks along the main line of a self mate that force it too, within the
	// plies asked for, each with a shortest line.
	Cooks []Alternative
	// Equal are the other replies along the main line of a self mate that hold out as long.
	Equal []Alternative
	// Incomplete is true if a limit was reached after Length was proven: lines, cooks or replies may be
	// missing.
	Incomplete bool
	// InHand is what the attacker has left in hand after the first line.
	InHand shogi.Hand
	// Nodes, Time, TimedOut and Full are as in [Solution].
	Nodes    uint64
	Time     time.Duration
	TimedOut bool
	Full     float64
}

// Unique reports whether there is exactly one solution.
func (r *GoalSolution) Unique() bool {
	return r.Outcome == dfpn.Proven && len(r.Lines) == 1 && !r.More && len(r.Cooks) == 0 && !r.Incomplete
}

// SolveGoal finds the shortest way to a goal, of up to most plies, and whether it is the only one.
// The attacker gives check with every move. For a self mate of either kind it needs a king. All
// interpositions count. Of the options, Threads, Nodes, Time, Progress and Lines matter: Lines is
// the number of solutions to list where both sides help, 0 means [DefaultSolutions].
func SolveGoal(ctx context.Context, p Problem, goal Goal, most int, table *dfpn.Table, options Options) (GoalSolution, error) {
	switch attacker := p.Attacker(); {
	case most < 1 || most > MostPlies:
		return GoalSolution{}, fmt.Errorf("a %s of %d plies: want 1 to %d", goal, most, MostPlies)
	case goal != Helpmate && p.Position.King(attacker) == shogi.NoSquare:
		return GoalSolution{}, errNoAttacker.Error(attacker, goal)
	}
	if options.Lines == 0 {
		options.Lines = DefaultSolutions
	}
	s, end := newSolving(ctx, p, table, options)
	r := &GoalSolution{None: -1}
	var err error
	if goal == Selfmate {
		err = s.selfmate(most, r)
	} else {
		s.cooperate(goal, most, r)
	}
	if len(r.Lines) > 0 {
		b := shogi.NewBoard(p.Position)
		for _, m := range r.Lines[0] {
			b.Do(m)
		}
		r.InHand = b.Hand(p.Attacker())
	}
	r.Nodes, r.Time, r.Full = s.solution.Nodes, time.Since(s.begin), table.Full()
	r.TimedOut = end()
	return *r, err
}

// firstLength returns the least length that a solution can have; the others differ by a multiple of two.
func (p *Problem) firstLength(goal Goal) int {
	if (goal == Helpmate) != p.Defends {
		return 1
	}
	return 0
}

// goalSalt is added to the keys of the searches for a goal.
func goalSalt(p Problem, goal Goal) uint64 {
	return saltOf(p, true) ^ (uint64(goal)+1)*0x8ebc6af09c88c6e3
}

// handSalt is added to the keys of positions, where more in hand may also be worse.
func handSalt(h shogi.Hand) uint64 { return uint64(h) * 0x9e3779b97f4a7c15 }
