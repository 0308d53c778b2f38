package shogi

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// notBrinkmateFlags are the flags that do not go with --brinkmate.
var notBrinkmateFlags = slices.Concat([]string{"judge", "certain"}, judgedFlags, notJudgedFlags)

// checkBrinkmate fails if the flags do not go together, or the number of moves is none.
func checkBrinkmate(flags *pflag.FlagSet, most int) error {
	if most < 1 || most > tsume.MostBrinkmate {
		return ui.Usage(fmt.Errorf("--brinkmate %d: want a number of moves from 1 to %d", most, tsume.MostBrinkmate))
	}
	for _, name := range notBrinkmateFlags {
		if flags.Changed(name) {
			return ui.Usage(fmt.Errorf("--brinkmate does not go with --%s", name))
		}
	}
	return nil
}

// brinkmate looks for brinkmates in up to most moves, in one problem on each thread, and prints
// the results in the order of the problems.
func (c *tsumeCommand) brinkmate(ctx context.Context, most int) error {
	workers, options, err := c.share()
	if err != nil {
		return err
	}
	type answer struct {
		tsume.BrinkmateSolution
		unreadable error // why there is none
	}
	written, undecided := 0, 0
	failure := tsume.Each(ctx, c.input.problems, workers, int64(c.memory), func(ctx context.Context, e tsume.Entry, table *dfpn.Table) (answer, error) {
		s, err := tsume.SolveBrinkmate(ctx, e.Problem, most, table, options)
		return answer{s, err}, nil
	}, func(e tsume.Entry, a answer) error {
		c.progress.Done()
		if a.unreadable != nil {
			return c.input.refuse(e, a.unreadable)
		}
		if a.Outcome == dfpn.Unknown {
			undecided++
		}
		written++
		err := c.writeBrinkmate(&e, &a.BrinkmateSolution)
		c.showCount(written, undecided)
		return err
	})
	c.progress.Done()
	if err := c.ended(ctx, written, failure); err != nil {
		return err
	}
	return c.unanswered(written, undecided, ui.ErrLimit)
}

// solvedBrinkmate is the result of a problem with --brinkmate as JSON.
type solvedBrinkmate struct {
	ID      string   `json:"id,omitempty"`
	SFEN    string   `json:"sfen"`
	Hands   string   `json:"hands,omitempty"`
	Answer  string   `json:"answer"` // brinkmate, mate, none, or unknown
	Moves   int      `json:"moves,omitempty"`
	NotIn   int      `json:"not_in,omitempty"` // moves, proven
	Line    []string `json:"line,omitempty"`
	Tail    []string `json:"tail,omitempty"` // futile interpositions and captures after the line
	Nodes   uint64   `json:"nodes"`
	Seconds float64  `json:"seconds"`
	Full    float64  `json:"table_full"`
}

// writeBrinkmate prints the result of a problem.
func (c *tsumeCommand) writeBrinkmate(e *tsume.Entry, s *tsume.BrinkmateSolution) error {
	whole := c.moves(e.Position, slices.Concat(s.Line, s.Tail))
	r := solvedBrinkmate{
		ID: e.ID, SFEN: e.Position.SFEN(), Hands: e.Hands.String(), Moves: s.Moves, NotIn: max(s.None, 0), Line: whole[:len(s.Line)], Tail: whole[len(s.Line):],
		Nodes: s.Nodes, Seconds: math.Round(s.Time.Seconds()*1e6) / 1e6, Full: s.Full,
	}
	notIn := c.say(pick(uint64(r.NotIn), sayNoBrink1, sayNoBrink), r.NotIn)
	var text string
	switch {
	case s.Outcome == dfpn.Proven && s.Moves == 0:
		r.Answer, text = "mate", c.say(sayMateAlready)
	case s.Outcome == dfpn.Proven:
		r.Answer, text = "brinkmate", c.say(pick(uint64(s.Moves), sayBrinkmate1, sayBrinkmate), s.Moves)
	case s.Outcome == dfpn.Disproven:
		r.Answer, text = "none", notIn
	case r.NotIn > 0:
		r.Answer, text = "unknown", c.say(sayUnknownBut, notIn)
	default:
		r.Answer, text = "unknown", c.say(sayUnknown)
	}
	text += c.cost(s.Nodes, s.Time.Seconds())
	if len(r.Line) > 0 {
		text += "  " + strings.Join(r.Line, " ")
	}
	return c.Write(c.out, r, idText(e.ID)+text+"\n"+c.handsLine(e.Hands))
}
