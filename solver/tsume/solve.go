package tsume

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// Problem asks whether one side of a position, the attacker, can mate.
type Problem struct {
	// Position is the position, with the hands that are meant, see [shogi.Hands.Read].
	Position shogi.Position
	// Defends is true if the side to move is the defender, which is then in check.
	Defends bool
}

// Attacker says which side of a position attacks.
type Attacker uint8

const (
	// Natural is the side to move, unless that side is in check and the only one
	// with a king.
	Natural Attacker = iota
	BlackAttacks
	WhiteAttacks
)

// NewProblem returns the problem of a position, with the hands that it has; [ParseProblem] also reads
// those that are missing. The defender must have a king, and be in check if it is to move. The
// attacker needs no king.
func NewProblem(p shogi.Position, a Attacker) (Problem, error) {
	turn := p.Turn()
	defender := turn.Other()
	check := shogi.NewBoard(p).InCheck()
	switch {
	case a == Natural && check && p.King(turn.Other()) == shogi.NoSquare:
		defender = turn
	case a == BlackAttacks:
		defender = shogi.White
	case a == WhiteAttacks:
		defender = shogi.Black
	}
	switch {
	case p.King(defender) == shogi.NoSquare:
		return Problem{}, errNoDefender.Error(defender)
	case defender == turn && !check:
		return Problem{}, errNotInCheck.Error(defender)
	}
	return Problem{Position: p, Defends: defender == turn}, nil
}

// Attacker returns the side that attacks.
func (p *Problem) Attacker() shogi.Color {
	if p.Defends {
		return p.Position.Turn().Other()
	}
	return p.Position.Turn()
}

// Options configures a search. The zero Options is ready to use.
type Options struct {
	// Threads is the number of goroutines; 0 means 1.
	Threads int
	// Nodes is the number of nodes after which to give up; 0 means never.
	Nodes uint64
	// Time is the time after which to give up; 0 means never.
	Time time.Duration
	// Shortest asks for the shortest mate against the longest defence.
	Shortest bool
	// Progress, if not nil, is called about once a second by one goroutine at a
	// time, which waits for it.
	Progress func(Progress)
	// Found, if not nil, is called when a mate is found, and again for each shorter one
	// with Shortest, with a proven bound in plies and a line of play.
	Found func(length int, line []shogi.Move)
	// CountFutile counts futile interpositions in lengths.
	CountFutile bool
	// Futile is what else does not count at the end of a line, unless CountFutile is set.
	Futile Futile
	// Composed, with Shortest, also asks for the length as composers count. That may take
	// several times the nodes.
	Composed bool
	// FirstMoves asks which first moves mate, if the attacker is to move.
	FirstMoves bool
	// Lines is the number of lines of play that are wanted, each with another first move; 0 means
	// one.
	Lines int
	// Alternatives asks which other checks along the whole line mate too.
	Alternatives bool
	// Variations asks for lines of play for all other replies along the line.
	Variations bool
	// Certain asks for another search with other keys, of at most Nodes nodes too, which must
	// come to the same answers: see [Solution.Certain].
	Certain bool
}

// Solution is the result of a search.
type Solution struct {
	// Outcome is [dfpn.Proven] if there is a mate, [dfpn.Disproven] if there is
	// none, and [dfpn.Unknown] if a limit was reached first.
	Outcome dfpn.Outcome
	// Length is a proven upper bound on the length of the mate in plies, without futile
	// interpositions at the end.
	Length int
	// Shortest is true if no mate is shorter than Length.
	Shortest bool
	// Longer is a number of plies that every mate is proven to exceed, with
	// [Options.Shortest]; 0 means that none is known.
	Longer int
	// Line is a line of play of that length if Shortest is true. Otherwise it is the
	// main line of the mate found, which may be shorter: the defender leaves the
	// attacker as little in hand at the end as it can, and then holds out as long as it
	// can. If a limit was reached before it was chosen, Line is any line of the proof, of at
	// most that length. It is empty only if the defender is mated in the problem itself.
	Line []shogi.Move
	// Cut is true if Line ends before the mate, because a limit was reached and the table has
	// lost the rest of the proof.
	Cut bool
	// Tail holds the futile interpositions and captures after Line, up to a position
	// without a legal move.
	Tail []shogi.Move
	// InHand is what the attacker has left in hand after Line.
	InHand shogi.Hand
	// Composed is the length as composers count, with [Options.Composed]: futile
	// interpositions in the middle do not count either. The attacker is restricted to the
	// moves that mate in the fewest plies with those counted. Composed is at most
	// Length. It is 0 if a limit was reached before it was known, and with
	// [Options.CountFutile].
	Composed int
	// ComposedLine is a line of play of that length. After it the defender has only
	// futile interpositions.
	ComposedLine []shogi.Move
	// FirstMoves are all first moves with their results, with [Options.FirstMoves].
	FirstMoves []FirstMove
	// Others are lines of play with other first moves, with [Options.Lines], the best first. There
	// are fewer than wanted if no others were found with as many nodes as the mate took. Unsettled is the
	// number of moves of which it is not known whether they would be among them.
	Others    []Alternative
	Unsettled int
	// Alternatives are the other checks along Line that mate, or may mate if a limit was
	// reached, with [Options.Alternatives].
	Alternatives []Alternative
	// Variations are lines for the other replies along Line, with [Options.Variations],
	// one for all drops on the same square. They need not be the shortest. Incomplete is
	// true if some are missing because a limit was reached.
	Variations []Variation
	Incomplete bool
	// Certain is true if a search with other keys, with [Options.Certain], has confirmed Outcome,
	// Shortest and FirstMoves.
	Certain bool
	// Nodes is the number of nodes searched, and Time how long that took.
	Nodes uint64
	Time  time.Duration
	// TimedOut is true if [Options.Time] ended the search.
	TimedOut bool
	// Full is how full the table is at the end, from 0 to 1.
	Full float64
	// Depth is the greatest depth reached, in plies.
	Depth int
}

// Progress is a progress report.
type Progress struct {
	Nodes uint64        // nodes searched
	Time  time.Duration // since the search began
	Depth int           // greatest depth reached, in plies
	Full  float64       // how full the table is, from 0 to 1
	// Line leads from the problem to a position that is being searched. It is empty
	// between two searches.
	Line []shogi.Move
	// Length and Longer are as in [Solution]; Length is 0 before a mate is found.
	Length, Longer int
}

// FirstMove is a first move with its result.
type FirstMove struct {
	Move    shogi.Move
	Outcome dfpn.Outcome
	// Length is a proven upper bound on the length in plies of the mate that begins with
	// Move.
	Length int
	// Shortest is true if no such mate is shorter.
	Shortest bool
}

// Solve searches a problem. The table may hold results of other problems. Reaching a limit, or
// the end of ctx, is not an error: Solve returns what is known by then. It fails with
// [solver.ErrContradiction] if [Options.Certain] shows that an answer is wrong.
func Solve(ctx context.Context, p Problem, table *dfpn.Table, options Options) (Solution, error) {
	s, end := newSolving(ctx, p, table, options)
	err := s.run()
	if err == nil && options.Certain {
		err = s.confirm()
	}
	s.solution.TimedOut = end()
	s.solution.Time = time.Since(s.begin)
	s.solution.Full = table.Full()
	return s.solution, err
}

// solving is a search of a problem.
type solving struct {
	ctx      context.Context
	problem  Problem
	table    *dfpn.Table
	options  Options
	begin    time.Time
	reported time.Time
	solution Solution
}

// newSolving returns a search of a problem, and a function that ends it and reports whether its
// time limit has done so before.
func newSolving(ctx context.Context, p Problem, table *dfpn.Table, options Options) (s *solving, end func() bool) {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if options.Time > 0 {
		limited, cancel = context.WithTimeout(ctx, options.Time)
	}
	now := time.Now()
	return &solving{ctx: limited, problem: p, table: table, options: options, begin: now, reported: now}, func() bool {
		defer cancel()
		return ctx.Err() == nil && limited.Err() != nil
	}
}

// search searches for a mate in at most limit plies from the position after the given
// moves.
func (s *solving) search(limit uint16, moves ...shogi.Move) (dfpn.Result, error) {
	return s.searchWithin(limit, 0, moves...)
}

// searchWithin is search with at most the given number of nodes; 0 means no limit.
func (s *solving) searchWithin(limit uint16, nodes uint64, moves ...shogi.Move) (dfpn.Result, error) {
	return s.searchFrom(limit, nodes, func() (dfpn.Cursor, *cursor) {
		c := s.cursor(moves...)
		return c, c
	})
}

// searchFrom is searchWithin from the position of new cursors, each with the one that knows
// the line.
func (s *solving) searchFrom(limit uint16, nodes uint64, newCursor func() (dfpn.Cursor, *cursor)) (dfpn.Result, error) {
	config := dfpn.Config{Threads: s.options.Threads, Limit: limit, Nodes: nodes}
	// The goroutine of the first cursor is the one that reports progress.
	var first *cursor
	if s.options.Progress != nil {
		config.Progress = func(nodes uint64, depth int) { s.report(nodes, depth, first.line()) }
	}
	if s.options.Nodes > 0 {
		if s.solution.Nodes >= s.options.Nodes {
			return dfpn.Result{}, nil
		}
		if rest := s.options.Nodes - s.solution.Nodes; nodes == 0 || rest < nodes {
			config.Nodes = rest
		}
	}
	r, err := dfpn.Solve(s.ctx, s.table, func() dfpn.Cursor {
		c, own := newCursor()
		if first == nil {
			first = own
		}
		return c
	}, config)
	s.solution.Nodes += r.Nodes
	s.solution.Depth = max(s.solution.Depth, r.Depth)
	if s.options.Progress != nil && time.Since(s.reported) >= time.Second {
		s.report(0, 0, nil)
	}
	return r, err
}

// cursor returns a cursor on the position after the given moves.
func (s *solving) cursor(moves ...shogi.Move) *cursor {
	c := newCursor(s.problem, s.options.CountFutile, s.table)
	if s.options.Futile != 0 {
		c = newCursorOf(s.problem, s.options.Futile, s.table)
	}
	for _, m := range moves {
		c.board.Do(m)
	}
	return c
}

// report reports progress; nodes are those of the current search.
func (s *solving) report(nodes uint64, depth int, line []shogi.Move) {
	s.reported = time.Now()
	s.options.Progress(Progress{
		Nodes: s.solution.Nodes + nodes, Time: time.Since(s.begin), Full: s.table.Full(), Line: line,
		Depth: max(s.solution.Depth, depth, len(line)), Length: s.solution.Length, Longer: s.solution.Longer,
	})
}

func (s *solving) run() error {
	r, err := s.search(dfpn.Unlimited)
	if err != nil {
		return err
	}
	s.solution.Outcome = r.Outcome
	if r.Outcome == dfpn.Proven {
		s.found(r.Length)
		if s.options.Shortest {
			if err := s.shorten(); err != nil {
				return err
			}
		}
		if err := s.line(shogi.Move(r.Move)); err != nil {
			return err
		}
		if err := s.others(); err != nil {
			return err
		}
	}
	if s.options.Variations {
		s.variations()
	}
	if s.options.Alternatives {
		if err := s.alternatives(); err != nil {
			return err
		}
	}
	if s.options.FirstMoves && !s.problem.Defends {
		s.solution.FirstMoves, err = s.checks(nil, shogi.NoMove)
	}
	return err
}

func (c *cursor) line() []shogi.Move {
	line := make([]shogi.Move, 0, c.board.Ply())
	for c.board.Ply() > 0 {
		line = append(line, c.board.LastMove())
		c.board.Undo()
	}
	slices.Reverse(line)
	for _, m := range line {
		c.board.Do(m)
	}
	return line
}

// Budgets of [solving.shorten] in nodes. A search for a shorter mate that its budget does not
// settle makes way for one that raises the lower bound, which gets a part of the budget.
const (
	shorterBudget = 1 << 17
	longerShare   = 32
)

// shorten searches for a mate two plies shorter until there is none. If that takes long, it
// raises the lower bound meanwhile.
func (s *solving) shorten() error {
	for budget := uint64(shorterBudget); ; {
		switch {
		case s.solution.Length <= s.solution.Longer+2: // all lengths are odd, or all are even
			s.solution.Shortest = true
			return nil
		case s.exhausted():
			return nil
		}
		limit := s.solution.Length - 2
		r, err := s.searchWithin(uint16(limit), budget)
		switch {
		case err != nil:
			return err
		case r.Outcome == dfpn.Proven:
			s.found(r.Length)
		case r.Outcome == dfpn.Disproven:
			s.solution.Longer = limit
			s.solution.Shortest = true
			return nil
		default:
			if err := s.lengthen(budget / longerShare); err != nil {
				return err
			}
			budget *= 2
		}
	}
}

// lengthen raises the lower bound as far as budget nodes go.
func (s *solving) lengthen(budget uint64) error {
	for end := s.solution.Nodes + budget; s.solution.Nodes < end && s.solution.Longer+2 < s.solution.Length; {
		limit := s.solution.Longer + 1
		limit += (s.solution.Length - limit) % 2
		r, err := s.searchWithin(uint16(limit), end-s.solution.Nodes)
		if err != nil || r.Outcome != dfpn.Disproven {
			return err
		}
		s.solution.Longer = limit
	}
	return nil
}

// exhausted reports whether a limit of the whole search was reached.
func (s *solving) exhausted() bool {
	return s.ctx.Err() != nil || s.options.Nodes > 0 && s.solution.Nodes >= s.options.Nodes
}

// found records the length of a mate and reports it.
func (s *solving) found(length uint16) {
	s.solution.Length = int(length)
	if s.options.Found == nil {
		return
	}
	reader := s.reader(s.cursor(), s.rest())
	line, err := reader.Line(false)
	s.solution.Nodes += reader.Nodes()
	if err == nil {
		s.options.Found(s.solution.Length, moves(line))
	}
}

// moves converts moves of the engine to shogi moves.
func moves(line []dfpn.Move) []shogi.Move {
	out := make([]shogi.Move, len(line))
	for i, m := range line {
		out[i] = shogi.Move(m)
	}
	return out
}

// line finds the main line of the mate, in which the attacker can begin with the move first.
func (s *solving) line(first shogi.Move) error {
	if !s.solution.Shortest {
		s.solution.Line = s.findMainLine()
	}
	c := s.cursor()
	reader := s.reader(c, s.rest())
	defer func() { s.solution.Nodes += reader.Nodes() }()
	if len(s.solution.Line) == 0 {
		reader.Choose = (&chooser{cursor: c, reader: reader, exact: s.solution.Shortest}).choose
		line, err := reader.Line(s.solution.Shortest)
		if s.solution.Line = moves(line); err != nil { // a limit was reached
			s.solution.Line, s.solution.Cut = s.proofLine(first)
		}
	}
	if s.solution.Cut {
		return nil
	}
	for _, m := range s.solution.Line {
		c.board.Do(m)
	}
	s.solution.InHand = c.board.Hand(c.attacker)
	var err error
	if s.solution.Tail, err = c.tail(); err != nil {
		return err
	}
	if s.solution.Shortest && len(s.solution.Line) == s.solution.Length && s.options.Composed && !s.options.CountFutile {
		line, err := newComposer(c, reader, ByAnyPiece).line(s.problem.Position, s.solution.Line)
		if err == nil { // otherwise a limit was reached; the mate and its length are proven nevertheless
			s.solution.Composed, s.solution.ComposedLine = len(line), line
		}
	}
	return nil
}

// proofNodes is how many nodes are searched again, beyond the limits, for a line of a proof.
const proofNodes = 1 << 13

// proofLine returns a line of the mate that is proven, after a limit was reached. cut is true if the
// line ends before the mate: it has the move first at least, or any reply.
func (s *solving) proofLine(first shogi.Move) (line []shogi.Move, cut bool) {
	c := s.cursor()
	if s.problem.Defends {
		replies := c.board.AppendEvasions(nil)
		if len(replies) == 0 {
			return nil, false
		}
		first = replies[0]
	}
	reader := dfpn.NewReader(context.WithoutCancel(s.ctx), s.table, c, dfpn.Config{Nodes: proofNodes})
	read, err := reader.Line(false)
	if line = moves(read); len(line) == 0 {
		line = []shogi.Move{first}
	}
	return line, err != nil
}

// rest returns the number of nodes that a reader may search; 0 means no limit.
func (s *solving) rest() uint64 {
	if s.options.Nodes == 0 {
		return 0
	}
	return s.options.Nodes + 1 - min(s.solution.Nodes, s.options.Nodes)
}

// reader returns a reader of the table with a limit of nodes, 0 for none. It reports
// progress.
func (s *solving) reader(c *cursor, nodes uint64) *dfpn.Reader {
	config := dfpn.Config{Nodes: nodes}
	if s.options.Progress != nil {
		config.Progress = func(nodes uint64, depth int) { s.report(nodes, depth, c.line()) }
	}
	return dfpn.NewReader(s.ctx, s.table, c, config)
}

// tail returns the futile interpositions and captures up to a position without a legal
// move.
func (c *cursor) tail() ([]shogi.Move, error) {
	b := c.board
	var line []shogi.Move
	for range 81 {
		replies := b.AppendEvasions(nil)
		if len(replies) == 0 {
			return line, nil
		}
		checker := b.Checkers().First()
		b.Do(replies[0])
		capture := c.futileCapture(replies[0].To(), checker)
		if capture == shogi.NoMove {
			break
		}
		b.Do(capture)
		line = append(line, replies[0], capture)
	}
	return nil, errors.New("tsume: the last position of the line is not mate")
}

// futileCapture returns the capture on a square after which the defender is mated: by the piece that
// gave check, without promotion, if possible.
func (c *cursor) futileCapture(to, checker shogi.Square) shogi.Move {
	b := c.board
	captures := slices.DeleteFunc(b.AppendChecks(nil), func(m shogi.Move) bool { return m.IsDrop() || m.To() != to })
	other := func(m shogi.Move) int {
		n := 0
		if m.From() != checker {
			n = 2
		}
		if m.Promotes() {
			n++
		}
		return n
	}
	slices.SortStableFunc(captures, func(m, n shogi.Move) int { return other(m) - other(n) })
	for _, m := range captures {
		b.Do(m)
		_, over := c.over(b.Replies())
		b.Undo()
		if over {
			return m
		}
	}
	return shogi.NoMove
}
