package shogi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// mateSearch is what go mate begins.
type mateSearch struct {
	problem  tsume.Problem
	options  usiOptions
	table    *dfpn.Table
	progress func(tsume.Progress)
	found    func(length int, line []shogi.Move)

	solution tsume.Solution
	judged   *judgedProblem // nil if the problem was not judged
	err      error
}

// run searches until the answer is known or ctx ends. A problem that is judged is solved first: so its mate is known
// whatever the judge has time for, and that finds the proof in the table.
func (m *mateSearch) run(ctx context.Context) {
	o := tsume.Options{
		Threads: m.options.threads, Nodes: m.options.nodes, Shortest: m.options.shortest || m.options.composed, Composed: m.options.composed,
		Lines: m.options.lines, CountFutile: m.options.countFutile, Progress: m.progress, Found: m.found,
	}
	judge := m.options.judge && !m.problem.Defends
	if judge {
		o.Shortest, o.Lines = false, 0
		if !o.CountFutile {
			o.Futile = m.options.rules.Futile()
		}
	}
	if m.solution, m.err = tsume.Solve(ctx, m.problem, m.table, o); m.err != nil || !judge || m.solution.Outcome == dfpn.Unknown {
		return
	}
	limit := m.options.nodes
	if limit > 0 {
		limit = max(limit-min(limit, m.solution.Nodes), 1)
	}
	j, err := tsume.Judge(ctx, m.problem, nil, m.table, tsume.JudgeOptions{
		Threads: o.Threads, Nodes: limit, Progress: m.progress, Rules: m.options.rules,
	})
	if m.err = err; err != nil {
		return
	}
	judging := problemJudge{tsumeJudge: tsumeJudge{rules: m.options.rules}, tsumeCommand: &tsumeCommand{notation: "usi"}}
	m.judged = judging.record(&tsume.Entry{Problem: m.problem}, &judged{Judgement: j})
	m.solution.Nodes += j.Nodes
	m.solution.Time += j.Time
	m.solution.Full = j.Full
}

// answer says what was found. What is said in words comes before the lines: some GUIs no longer show a line after which
// there are words.
func (m *mateSearch) answer(say func(format string, args ...any)) {
	s := &m.solution
	speed := usiSpeed(s.Nodes, s.Time, s.Full)
	switch {
	case m.err != nil:
		say("info string %v", m.err)
		say("checkmate timeout")
	case s.Outcome == dfpn.Disproven:
		say("info depth %d seldepth %d %s", s.Depth, s.Depth, speed)
		m.sayFaults(say)
		say("checkmate nomate")
	case s.Outcome == dfpn.Proven && s.Length == 0:
		// GUIs treat checkmate without a move as an error, or keep waiting.
		say("info string the side to move is mated")
		say("checkmate nomate")
	case s.Outcome == dfpn.Proven && len(s.Line) > 0:
		m.answerLines(say, speed)
	default:
		say("info depth %d seldepth %d %s", s.Depth, s.Depth, speed)
		say("checkmate timeout")
	}
}

// usiPV is a line that is shown, with a mate in at most length plies unless length is 0.
type usiPV struct {
	length int
	text   string // moves, each after a space
}

// answerLines says what is known of a mate: the main line and others.
func (m *mateSearch) answerLines(say func(format string, args ...any), speed string) {
	s := &m.solution
	main := usiPV{s.Length, usiLine(s.Line)}
	if s.Composed > 0 {
		say("info string %d as composers count", s.Composed)
		main = usiPV{s.Composed, usiLine(s.ComposedLine)}
	}
	if s.Cut {
		say("info string a limit was reached before the line was known to its end")
	}
	if (m.options.shortest || m.options.composed) && !s.Shortest && m.judged == nil {
		say("info string there may be a shorter mate")
	}
	if s.Unsettled > 0 {
		say("info string first moves that are not decided: %d", s.Unsettled)
	}
	if m.options.judge && m.problem.Defends {
		say("info string a problem that is judged begins with the attacker")
	}
	var others []usiPV
	for _, o := range s.Others {
		others = append(others, usiPV{o.Length, usiLine(o.Line)})
	}
	if m.judged != nil {
		others = m.sayFaults(say)
		if r := m.judged; len(r.Line) > 0 && !r.mainLineOpen() {
			main = usiPV{len(r.Line), " " + strings.Join(r.Line, " ")}
		}
	}
	show := func(number int, l usiPV) {
		which, score := "", ""
		if len(others) > 0 {
			which = fmt.Sprintf(" multipv %d", number)
		}
		if length := l.length; length > 0 {
			if m.problem.Defends {
				length = -length
			}
			score = fmt.Sprintf(" score mate %d", length)
		}
		say("info depth %d seldepth %d%s %s%s pv%s", max(l.length, 1), s.Depth, which, speed, score, l.text)
	}
	if m.judged == nil {
		show(1, main)
	}
	for i, l := range others {
		show(i+2, l)
	}
	if m.judged != nil {
		show(1, main) // of lines with the same first move, some GUIs show the last
	}
	say("checkmate%s", main.text)
}

// mainLineOpen reports whether the main line is not known for certain.
func (r *judgedProblem) mainLineOpen() bool {
	return slices.ContainsFunc(r.Open, func(q judgeOpen) bool { return q.judgePlace == judgePlace{} })
}

// sayFaults says what the judge has found, the verdict last, and returns the lines of the faults. They follow the main
// line, which is the first.
func (m *mateSearch) sayFaults(say func(format string, args ...any)) (lines []usiPV) {
	r := m.judged
	if r == nil {
		return nil
	}
	c := new(tsumeCommand) // English, without colours
	for _, f := range r.Faults {
		which := ""
		if f.Move != "" {
			line := f.Line
			if len(line) == 0 {
				line = []string{f.Move}
			}
			l := usiPV{text: " " + strings.Join(append(slices.Clone(r.Line[:f.Ply-1]), line...), " ")}
			if f.Length > 0 {
				l.length = f.Ply - 1 + f.Length
			}
			lines = append(lines, l)
			which = fmt.Sprintf("line %d, ", len(lines)+1)
		}
		f.Line = nil // it is shown
		say("info string %s%s", which, strings.TrimSpace(f.text(c, r.Rules)))
	}
	for line := range strings.Lines(r.openText(c)) {
		say("info string %s", strings.TrimSpace(line))
	}
	say("info string %s", r.headline(c))
	return lines
}
