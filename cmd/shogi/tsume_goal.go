package shogi

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// tsumeGoal are the flags of tsume that ask for another goal than a mate, each with a limit.
type tsumeGoal struct {
	brinkmate int    // number of moves, if it is not 0
	plies     [3]int // of each goal, if it is not 0
	solutions int
}

// goalFlags are the flags of the goals.
var goalFlags = [...]string{tsume.Helpmate: "helpmate", tsume.Selfmate: "selfmate", tsume.HelpSelfmate: "helpselfmate"}

// notGoalFlags are the flags that go with no goal.
var notGoalFlags = slices.Concat([]string{"judge", "certain"}, judgedFlags, notJudgedFlags)

func (o *tsumeGoal) addFlags(flags *pflag.FlagSet) {
	flags.IntVar(&o.brinkmate, "brinkmate", 0, "find a brinkmate (hisshi) of at most this number of moves of the attacker")
	flags.IntVar(&o.plies[tsume.Helpmate], goalFlags[tsume.Helpmate], 0, "find the help mates (kyoryoku-zume) of at most this number of plies: the defender helps")
	flags.IntVar(&o.plies[tsume.Selfmate], goalFlags[tsume.Selfmate], 0, "find a self mate (jigyoku-zume) of at most this number of plies: the defender has to mate the attacker")
	flags.IntVar(&o.plies[tsume.HelpSelfmate], goalFlags[tsume.HelpSelfmate], 0, "find the help self mates of at most this number of plies: the defender helps to mate the attacker")
	flags.IntVar(&o.solutions, "solutions", tsume.DefaultSolutions, "with --helpmate and --helpselfmate, list at most this number of solutions")
}

// check fails if the flags do not go together, or a number is none that can be asked for.
func (o *tsumeGoal) check(flags *pflag.FlagSet) error {
	asked := ""
	for i, name := range slices.Concat(goalFlags[:], []string{"brinkmate"}) {
		if !flags.Changed(name) {
			continue
		}
		n, most, unit := o.brinkmate, tsume.MostBrinkmate, "moves"
		if i < len(o.plies) {
			n, most, unit = o.plies[i], tsume.MostPlies, "plies"
		}
		switch {
		case n < 1 || n > most:
			return ui.Usage(errPlies.Error(name, n, unit, most))
		case asked != "":
			return ui.Usage(errTogether.Error(asked, name))
		}
		asked = name
	}
	if flags.Changed("solutions") && (o.plies[tsume.Helpmate]+o.plies[tsume.HelpSelfmate] == 0 || o.solutions < 1) {
		return ui.Usage(errSolutions.Error())
	}
	for _, name := range notGoalFlags {
		if asked != "" && flags.Changed(name) {
			return ui.Usage(errTogether.Error(asked, name))
		}
	}
	return nil
}

// run looks for what is asked for, and reports whether that is another goal than a mate.
func (o *tsumeGoal) run(ctx context.Context, c *tsumeCommand) (asked bool, err error) {
	if o.brinkmate > 0 {
		return true, c.brinkmate(ctx, o.brinkmate)
	}
	for goal, most := range o.plies {
		if most > 0 {
			c.options.Lines = o.solutions
			return true, c.goal(ctx, tsume.Goal(goal), most)
		}
	}
	return false, nil
}

// goalAnswer is what a search for a goal has found.
type goalAnswer[S any] struct {
	solution   S
	unreadable error // why there is none
}

// eachGoal searches for a goal in one problem on each thread, and prints the results in the order of the problems.
// complete reports whether a result answers what was asked.
func eachGoal[S any](ctx context.Context, c *tsumeCommand, search func(context.Context, tsume.Problem, *dfpn.Table, tsume.Options) (S, error), write func(*tsume.Entry, *S) error, complete func(*S) bool) error {
	workers, options, err := c.share()
	if err != nil {
		return err
	}
	written, undecided := 0, 0
	failure := tsume.Each(ctx, c.input.problems, workers, int64(c.memory), func(ctx context.Context, e tsume.Entry, table *dfpn.Table) (goalAnswer[S], error) {
		s, err := search(ctx, e.Problem, table, options)
		return goalAnswer[S]{s, err}, nil
	}, func(e tsume.Entry, a goalAnswer[S]) error {
		c.progress.Done()
		if a.unreadable != nil {
			return c.input.refuse(e, a.unreadable)
		}
		if !complete(&a.solution) {
			undecided++
		}
		written++
		err := write(&e, &a.solution)
		c.showCount(written, undecided)
		return err
	})
	c.progress.Done()
	if err := c.ended(ctx, written, failure); err != nil {
		return err
	}
	return c.unanswered(written, undecided, ui.ErrLimit)
}

// goal looks for a goal of up to most plies in all problems.
func (c *tsumeCommand) goal(ctx context.Context, goal tsume.Goal, most int) error {
	return eachGoal(ctx, c, func(ctx context.Context, p tsume.Problem, table *dfpn.Table, options tsume.Options) (tsume.GoalSolution, error) {
		return tsume.SolveGoal(ctx, p, goal, most, table, options)
	}, func(e *tsume.Entry, s *tsume.GoalSolution) error {
		return c.writeGoal(e, goal, s)
	}, func(s *tsume.GoalSolution) bool { return s.Outcome != dfpn.Unknown && !s.Incomplete })
}

// solvedGoal is the result of a problem with another goal as JSON. Lengths are in plies.
type solvedGoal struct {
	ID            string       `json:"id,omitempty"`
	SFEN          string       `json:"sfen"`
	Hands         string       `json:"hands,omitempty"`
	Declared      int          `json:"declared,omitempty"`
	Goal          string       `json:"goal"`
	Answer        string       `json:"answer"` // mate, none, or unknown
	Length        *int         `json:"length,omitempty"`
	NotIn         int          `json:"not_in,omitempty"` // proven
	Never         bool         `json:"never,omitempty"`
	Unique        bool         `json:"unique,omitempty"`
	Line          []string     `json:"line,omitempty"`
	Others        []goalLine   `json:"others,omitempty"`
	More          bool         `json:"more,omitempty"`
	InHand        string       `json:"in_hand,omitempty"`
	Cooks         []goalBranch `json:"cooks,omitempty"`
	EqualDefences []goalBranch `json:"equal_defences,omitempty"`
	Incomplete    bool         `json:"incomplete,omitempty"`
	Nodes         uint64       `json:"nodes"`
	Seconds       float64      `json:"seconds"`
	Full          float64      `json:"table_full"`
}

// goalLine is another solution.
type goalLine struct {
	Line []string `json:"line"`
}

// goalBranch is a move that leaves the line of a self mate.
type goalBranch struct {
	Ply    int      `json:"ply"` // from 1
	Move   string   `json:"move"`
	Length int      `json:"length"`
	Line   []string `json:"line,omitempty"`
}

// goalBranches are the moves that leave a line.
func (c *tsumeCommand) goalBranches(p shogi.Position, line []shogi.Move, list []tsume.Alternative) (all []goalBranch) {
	for _, a := range list {
		all = append(all, goalBranch{Ply: a.Ply + 1, Move: c.movesAfter(p, line, a.Ply, a.Move)[0], Length: a.Length, Line: c.movesAfter(p, line, a.Ply, a.Line...)})
	}
	return all
}

// writeGoal prints the result of a problem.
func (c *tsumeCommand) writeGoal(e *tsume.Entry, goal tsume.Goal, s *tsume.GoalSolution) error {
	r := solvedGoal{
		ID: e.ID, SFEN: e.Position.SFEN(), Hands: e.Hands.String(), Declared: e.Declared, Goal: goalFlags[goal], Answer: "unknown", NotIn: max(s.None, 0), Never: s.Never,
		Unique: s.Unique(), More: s.More, InHand: c.inHand(s.InHand), Incomplete: s.Incomplete,
		Nodes: s.Nodes, Seconds: math.Round(s.Time.Seconds()*1e6) / 1e6, Full: s.Full,
	}
	for i, line := range s.Lines {
		if texts := c.moves(e.Position, line); i == 0 {
			r.Line = texts
		} else {
			r.Others = append(r.Others, goalLine{texts})
		}
	}
	if len(s.Lines) > 0 {
		r.Cooks, r.EqualDefences = c.goalBranches(e.Position, s.Lines[0], s.Cooks), c.goalBranches(e.Position, s.Lines[0], s.Equal)
	}
	text := c.say(sayUnknown)
	switch {
	case s.Outcome == dfpn.Proven:
		r.Answer, r.Length = "mate", &s.Length
		text = c.say(sayGoal, goal, s.Length) + r.verdict(c)
	case s.Never:
		r.Answer, text = "none", c.say(sayNoGoal, goal)
	case s.Outcome == dfpn.Disproven:
		r.Answer, text = "none", c.say(sayNoGoalIn, goal, c.plies(r.NotIn))
	case r.NotIn > 0:
		text = c.say(sayUnknownBut, c.say(sayNoGoalIn, goal, c.plies(r.NotIn)))
	}
	text += c.cost(s.Nodes, s.Time.Seconds())
	if len(r.Line) > 0 {
		text += "  " + strings.Join(r.Line, " ")
	}
	text += "\n" + c.handsLine(e.Hands)
	for i, other := range r.Others {
		text += c.say(saySolution, i+2, strings.Join(other.Line, " "))
	}
	for _, cook := range r.Cooks {
		text += c.say(sayCook, cook.Ply, cook.Move, c.plies(cook.Length), strings.Join(cook.Line, " "))
	}
	for _, equal := range r.EqualDefences {
		text += c.say(sayEqualDefence, equal.Ply, equal.Move)
	}
	return c.Write(c.out, r, idText(e.ID)+text)
}

// verdict says how many solutions there are, what is left in hand, and whether another length was declared.
func (r *solvedGoal) verdict(c *tsumeCommand) (text string) {
	switch n := 1 + len(r.Others); {
	case r.Unique:
		text = c.say(sayUnique)
	case r.More:
		text = c.say(pick(uint64(n), sayMoreSolution1, sayMoreSolutions), n)
	case n > 1:
		text = c.say(saySolutions, n)
	case len(r.Cooks) > 0:
		text = c.say(pick(uint64(len(r.Cooks)), sayCook1, sayCooks), len(r.Cooks))
	}
	if r.Incomplete {
		text += c.say(sayOthersOpen)
	}
	if r.InHand != "" {
		text += c.say(sayInHand, r.InHand)
	}
	if r.Declared > 0 && r.Declared != *r.Length {
		text += c.say(sayDeclared, r.Declared)
	}
	return text
}
