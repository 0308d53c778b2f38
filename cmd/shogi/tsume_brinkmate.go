package shogi

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// brinkmate looks for brinkmates in up to most moves in all problems.
func (c *tsumeCommand) brinkmate(ctx context.Context, most int) error {
	return eachGoal(ctx, c, func(ctx context.Context, p tsume.Problem, table *dfpn.Table, options tsume.Options) (tsume.BrinkmateSolution, error) {
		return tsume.SolveBrinkmate(ctx, p, most, table, options)
	}, c.writeBrinkmate, func(s *tsume.BrinkmateSolution) bool { return s.Outcome != dfpn.Unknown })
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
