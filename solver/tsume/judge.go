package tsume

import (
	"context"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// JudgeOptions configures [Judge]. The zero JudgeOptions is ready to use.
type JudgeOptions struct {
	// Threads, Nodes, Time and Progress are as in [Options]. Several goroutines search for the
	// first mate together, and then different positions. With more than one, a judgement that
	// a limit ends is not the same in every run.
	Threads  int
	Nodes    uint64
	Time     time.Duration
	Progress func(Progress)
	// Rules are the rules to judge by. The zero Rules are [DefaultRules].
	Rules Rules
	// FirstFault asks for no more than one fault that makes the problem unsound, where that can be
	// known before the rest.
	FirstFault bool
	// Declared is the length that is claimed for a problem without an intended line, or 0.
	Declared int
	// Superfluous asks which pieces are superfluous if the problem is sound.
	Superfluous bool
	// Variations asks for lines of play for all other replies along the main line.
	Variations bool
	// Certain asks to judge a sound problem again with other keys, within the limits too: see
	// [Judgement.Certain]. If that does not decide it, the verdict is NotDecided.
	Certain bool
}

// Verdict says whether a problem is sound.
type Verdict uint8

// The verdicts.
const (
	NotDecided Verdict = iota // a limit was reached, and no fault found that makes it unsound
	Sound                     // perhaps with blemishes
	Faulty                    // not sound
)

// String returns the verdict in words.
func (v Verdict) String() string { return [...]string{"not decided", "sound", "unsound"}[v] }

// Japanese returns the verdict as composers call it.
func (v Verdict) Japanese() string { return [...]string{"未判定", "完全", "不完全"}[v] }

// Judgement is the result of [Judge].
type Judgement struct {
	Verdict Verdict
	// Line is the main line, on which the faults are: the intended line without futile
	// interpositions at its end, or the one that was found. It is empty if there is no mate
	// or none was found.
	Line []shogi.Move
	// Given is true if Line is the intended line.
	Given bool
	// Unfinished is true if the intended line does not end with mate.
	Unfinished bool
	// InHand is what the attacker has left in hand after Line.
	InHand shogi.Hand
	// Faults are the faults, by grade and place.
	Faults []Fault
	// Open is what is not decided.
	Open []OpenQuestion
	// Certain is true if the problem is sound by a second judgement with other keys too, with
	// [JudgeOptions.Certain].
	Certain bool
	// Variations and Incomplete are as in [Solution], with [JudgeOptions.Variations].
	Variations []Variation
	Incomplete bool
	// Nodes, Time, TimedOut and Full are as in [Solution].
	Nodes    uint64
	Time     time.Duration
	TimedOut bool
	Full     float64
}

// OpenQuestion is what a limit left open: whether the move after ply moves of the main line is
// a fault of a kind. With [shogi.NoMove] it is about the whole problem if Kind is NoMate, and
// about the main line otherwise.
type OpenQuestion struct {
	Ply    int
	Move   shogi.Move
	Kind   FaultKind
	Square shogi.Square // of a piece that may be superfluous
}

// Judge says whether a problem is sound, and names its faults. The attacker must be to move.
// line is the intended line; without one the main line is searched for. The table may hold
// results of other problems; it serves all searches of the problem. Reaching a limit, or the end
// of ctx, is not an error. It fails with [solver.ErrContradiction] if [JudgeOptions.Certain] shows
// that the verdict is wrong.
func Judge(ctx context.Context, p Problem, line []shogi.Move, table *dfpn.Table, options JudgeOptions) (Judgement, error) {
	if p.Defends {
		return Judgement{}, errDefends.Error()
	}
	options.Rules = options.Rules.orDefault()
	s, end := newSolving(ctx, p, table, Options{Threads: options.Threads, Nodes: options.Nodes, Time: options.Time, Progress: options.Progress, Futile: options.Rules.futile})
	j := newJudging(s, options)
	err := j.run(line)
	r := &j.result
	if err == nil && options.Variations {
		s.solution.Line = r.Line
		s.variations()
		r.Variations, r.Incomplete = s.solution.Variations, s.solution.Incomplete
	}
	if err == nil && options.Certain && r.Verdict == Sound {
		err = j.confirmJudgement(line, options)
	}
	r.TimedOut = end()
	r.Time, r.Full, r.Nodes = time.Since(s.begin), table.Full(), j.nodes()
	return *r, err
}

// judging is the judging of a problem. All its searches share a table.
type judging struct {
	*solving
	rules       Rules
	declared    int
	superfluous bool
	firstFault  bool
	faulted     bool // with firstFault: there is one
	// searchers settle questions. cursor and reader are those of the first one, which also do
	// all that is done by one goroutine.
	searchers []*searcher
	cursor    *cursor
	reader    *dfpn.Reader
	composer  *composer
	barring   []*searcher // searchers that bar the line of a view
	others    uint64      // nodes of readers that are not in use any more
	share     float64     // of the limits after which a phase ends
	known     map[questionKey]*question
	result    Judgement
}

func newJudging(s *solving, options JudgeOptions) *judging {
	return &judging{
		solving: s, rules: options.Rules.orDefault(), declared: options.Declared, superfluous: options.Superfluous, firstFault: options.FirstFault,
		share: 1, known: map[questionKey]*question{},
	}
}

// nodes returns the number of nodes searched. No searcher may be at work.
func (j *judging) nodes() uint64 {
	if len(j.searchers) > 0 {
		j.searchers[0].count()
	}
	return j.spent()
}

// spent is nodes while searchers are at work: they count their nodes now and then.
func (j *judging) spent() uint64 {
	n := j.solution.Nodes + j.others
	for _, list := range [...][]*searcher{j.searchers, j.barring} {
		for _, s := range list {
			n += s.nodes.Load()
		}
	}
	return n
}

// reached reports whether the share of a limit was reached after a number of nodes.
func (j *judging) reached(nodes uint64) bool {
	o := &j.options
	return j.faulted || j.ctx.Err() != nil || o.Nodes > 0 && float64(nodes) >= j.share*float64(o.Nodes) ||
		o.Time > 0 && float64(time.Since(j.begin)) >= j.share*float64(o.Time)
}

func (j *judging) stopped() bool { return j.reached(j.nodes()) }

func (j *judging) settle(questions ...*question) { j.settleBy(j.searchers, questions) }

func (j *judging) settleBy(searchers []*searcher, questions []*question) {
	j.searchers[0].count()
	settle(searchers, func() bool { return j.reached(j.spent()) }, questions)
}

func (j *judging) run(line []shogi.Move) error {
	line, err := j.intended(line)
	if err != nil {
		return err
	}
	first, err := j.search(dfpn.Unlimited)
	if err != nil {
		return err
	}
	j.searchers = j.newSearchers(func() *cursor { return j.solving.cursor() }, j.left())
	j.cursor, j.reader = j.searchers[0].cursor, j.searchers[0].reader
	j.composer = newComposer(j.cursor, j.reader, j.rules.futile)
	j.composer.pieces, j.composer.stopped = true, j.stopped
	j.result.Given, j.result.Line = line != nil, line
	switch {
	case first.Outcome == dfpn.Unknown && line == nil:
		j.open(0, shogi.NoMove, NoMate)
	case first.Outcome == dfpn.Disproven && line == nil:
		j.fault(Fault{Kind: NoMate})
	case line != nil:
		v := j.view(line)
		v.choices()
		j.result.Faults, j.result.Open = v.faults, v.open
		if first.Outcome == dfpn.Disproven && !slices.ContainsFunc(v.faults, func(f Fault) bool { return f.Kind == NoMate }) {
			j.fault(Fault{Kind: NoMate}) // a limit was reached before the reply was known
		}
	default:
		j.solution.Length = int(first.Length)
		j.findLine()
	}
	if j.problem.Position.King(j.problem.Attacker()) != shogi.NoSquare {
		j.fault(Fault{Kind: TwoKings})
	}
	j.decide()
	if j.superfluous && j.result.Verdict == Sound {
		j.judgePieces()
		j.decide()
	}
	return nil
}

// decide sets the verdict and sorts the faults.
func (j *judging) decide() {
	r := &j.result
	r.Faults = slices.DeleteFunc(r.Faults, func(f Fault) bool { return f.Grade == Allowed })
	slices.SortStableFunc(r.Faults, func(f, g Fault) int {
		if f.Grade != g.Grade {
			return int(f.Grade) - int(g.Grade)
		}
		return f.Ply - g.Ply
	})
	switch {
	case len(r.Faults) > 0 && r.Faults[0].Grade == Unsound:
		r.Verdict = Faulty
		if j.firstFault {
			r.Open = nil // not asked for
		}
	case slices.ContainsFunc(r.Open, j.matters):
		r.Verdict = NotDecided
	default:
		r.Verdict = Sound
	}
	if len(r.Line) > 0 {
		at := played(j.problem.Position, r.Line)
		r.InHand = at.Hand(j.problem.Attacker())
	}
}

// matters reports whether a problem may be unsound because of what is open.
func (j *judging) matters(q OpenQuestion) bool {
	g, _ := j.rules.Grade(PointEqualChoice)
	return q.Kind != EqualChoice || g == Unsound
}

func (j *judging) open(ply int, m shogi.Move, kind FaultKind) {
	j.result.Open = append(j.result.Open, OpenQuestion{Ply: ply, Move: m, Kind: kind})
}

func (j *judging) fault(f Fault) {
	j.rules.grade(&f, len(j.result.Line)-f.Ply)
	j.result.Faults = append(j.result.Faults, f)
}

// played returns the position after moves.
func played(p shogi.Position, moves []shogi.Move) shogi.Position {
	b := shogi.NewBoard(p)
	for _, m := range moves {
		b.Do(m)
	}
	return b.Position()
}

// intended returns the intended line up to the first position in which the defender has
// nothing but futile interpositions. If there is none, the line is not finished. It fails if a
// move is not legal, or gives no check.
func (j *judging) intended(line []shogi.Move) ([]shogi.Move, error) {
	if len(line) == 0 {
		return nil, nil
	}
	c := j.solving.cursor()
	for i, m := range line {
		if err := c.board.CheckMove(m); err != nil {
			return nil, errIntended.Error(i+1, err)
		}
		c.board.Do(m)
		if i%2 == 1 {
			continue
		}
		if !c.board.InCheck() {
			return nil, errIntended.Error(i+1, errNoCheck.Error(m))
		}
		var n dfpn.Node
		if c.Expand(&n); n.Status == dfpn.Won {
			return line[:i+1], nil
		}
	}
	j.result.Unfinished = true
	return line, nil
}
