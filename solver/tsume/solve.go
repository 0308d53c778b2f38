package tsume

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// Problem is a position in which one side, the attacker, mates or not.
type Problem struct {
	// Position has every piece that is not on the board and not in the
	// attacker's hand in the defender's.
	Position shogi.Position
	// Defends is true if the side to move, which is in check, is the one to be
	// mated. Otherwise the side to move attacks.
	Defends bool
}

// Attacker says which side of a position is to mate the other.
type Attacker uint8

const (
	// Natural is the side to move; but if only the side to move has a king,
	// and is in check, it is the other one.
	Natural Attacker = iota
	// BlackAttacks and WhiteAttacks are what they say.
	BlackAttacks
	WhiteAttacks
)

// NewProblem returns the problem of a position. The defender, who must have a king,
// gets all pieces that are left, and if it is his turn he must be in check. The
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
		return Problem{}, fmt.Errorf("%s is to be mated but has no king on the board", defender)
	case defender == turn && !check:
		return Problem{}, fmt.Errorf("%s is to be mated and to move, but is not in check: the attacker gives check with every move", defender)
	}
	return Problem{Position: p.WithRest(defender), Defends: defender == turn}, nil
}

// Attacker returns the side that is to mate.
func (p *Problem) Attacker() shogi.Color {
	if p.Defends {
		return p.Position.Turn().Other()
	}
	return p.Position.Turn()
}

// Options say how to search.
type Options struct {
	// Threads is the number of goroutines; 0 is one.
	Threads int
	// Nodes is after how many nodes to give up; 0 is never.
	Nodes uint64
	// Shortest asks for the shortest mate against the longest defence.
	Shortest bool
	// Progress, if it is not nil, is called about once a second while the problem is
	// worked on, by one goroutine at a time, which waits for it.
	Progress func(Progress)
	// CountFutile counts futile interpositions in lengths.
	CountFutile bool
	// FirstMoves asks for all first moves that mate, if it is the attacker's turn.
	FirstMoves bool
}

// Solution is what a search has found out about a problem.
type Solution struct {
	// Outcome is [dfpn.Proven] if the defender is mated, [dfpn.Disproven] if
	// there is no mate, and [dfpn.Unknown] if a limit was reached before that
	// was known.
	Outcome dfpn.Outcome
	// Length is, if there is a mate, a number of plies within which it is
	// proven, futile interpositions at the end not counted.
	Length int
	// Shortest is true if no mate is shorter.
	Shortest bool
	// Line is a line of play of that length if Shortest is true; otherwise it
	// may be shorter, since lengths are bounds. It is empty if a limit was
	// reached before it was known, or if the defender is mated already and
	// Length is 0.
	Line []shogi.Move
	// Tail are the futile interpositions and captures behind Line, to a
	// position in which no move is left.
	Tail []shogi.Move
	// Composed is, if Shortest is true, the length as composers count: futile
	// interpositions in the middle do not count either. It is how long the
	// defender holds out if he makes none, and the attacker's moves are such that
	// no others mate in fewer plies with those in the middle counted. It is never
	// more than Length. It is 0 if a limit was reached before it was known, or if
	// [Options.CountFutile] was set.
	Composed int
	// ComposedLine is a line of play of that length. Behind it the defender has
	// nothing but futile interpositions.
	ComposedLine []shogi.Move
	// FirstMoves are all first moves with what they lead to, if asked for.
	FirstMoves []FirstMove
	// Nodes is how many positions were searched, and Time how long that took.
	Nodes uint64
	Time  time.Duration
	// Full is how full the table was at the end, from 0 to 1.
	Full float64
	// Depth is the greatest depth, in plies, that was reached.
	Depth int
}

// Progress is how far a search has come.
type Progress struct {
	Nodes uint64        // positions searched
	Time  time.Duration // since the search began
	Depth int           // greatest depth reached, in plies
	Full  float64       // how full the table is, from 0 to 1
	// Line leads from the problem to a position that is searched just now. It is
	// empty if one search has just ended and another one begins.
	Line []shogi.Move
}

// FirstMove is a first move and what comes of it.
type FirstMove struct {
	Move    shogi.Move
	Outcome dfpn.Outcome
	// Length is, if it mates, a number of plies within which a mate that
	// begins with it is proven.
	Length int
	// Shortest is true if no mate that begins with it is shorter.
	Shortest bool
}

// Solve searches a problem. Everything that the table holds must come from
// problems of the same attacker; [dfpn.Table.Clear] empties it. An end of ctx, or
// any other limit, is no error: what is known by then is returned.
func Solve(ctx context.Context, p Problem, table *dfpn.Table, options Options) (Solution, error) {
	s := &solving{ctx: ctx, problem: p, table: table, options: options, begin: time.Now(), reported: time.Now()}
	err := s.run()
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

// search searches for mates in at most limit plies, from the position after
// some moves.
func (s *solving) search(limit uint16, moves ...shogi.Move) (dfpn.Result, error) {
	config := dfpn.Config{Threads: s.options.Threads, Limit: limit}
	// The goroutine of the first cursor is the one that tells of progress.
	var first *cursor
	if s.options.Progress != nil {
		config.Progress = func(nodes uint64, depth int) { s.report(nodes, depth, first.line()) }
	}
	if s.options.Nodes > 0 {
		if s.solution.Nodes >= s.options.Nodes {
			return dfpn.Result{}, nil
		}
		config.Nodes = s.options.Nodes - s.solution.Nodes
	}
	r, err := dfpn.Solve(s.ctx, s.table, func() dfpn.Cursor {
		c := newCursor(s.problem, s.options.CountFutile)
		for _, m := range moves {
			c.board.Do(m)
		}
		if first == nil {
			first = c
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

// report tells of progress: nodes are those that are not in the solution yet.
func (s *solving) report(nodes uint64, depth int, line []shogi.Move) {
	s.reported = time.Now()
	s.options.Progress(Progress{
		Nodes: s.solution.Nodes + nodes, Time: time.Since(s.begin), Full: s.table.Full(), Line: line,
		Depth: max(s.solution.Depth, depth, len(line)),
	})
}

func (s *solving) run() error {
	r, err := s.search(dfpn.Unlimited)
	if err != nil {
		return err
	}
	s.solution.Outcome = r.Outcome
	if r.Outcome == dfpn.Proven {
		s.solution.Length = int(r.Length)
		if s.options.Shortest {
			if err := s.shorten(); err != nil {
				return err
			}
		}
		if err := s.line(); err != nil {
			return err
		}
	}
	if s.options.FirstMoves && !s.problem.Defends {
		return s.firstMoves()
	}
	return nil
}

// line returns the moves that were made on the board.
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

// shorten asks for mates in two plies less until there is none.
func (s *solving) shorten() error {
	for {
		if s.solution.Length <= 2 {
			s.solution.Shortest = true
			return nil
		}
		r, err := s.search(uint16(s.solution.Length - 2))
		if err != nil || r.Outcome == dfpn.Unknown {
			return err
		}
		if r.Outcome == dfpn.Disproven {
			s.solution.Shortest = true
			return nil
		}
		s.solution.Length = int(r.Length)
	}
}

// line reads the line of play out of the table.
func (s *solving) line() error {
	c := newCursor(s.problem, s.options.CountFutile)
	config := dfpn.Config{}
	if s.options.Nodes > 0 {
		config.Nodes = s.options.Nodes + 1 - min(s.solution.Nodes, s.options.Nodes)
	}
	if s.options.Progress != nil {
		config.Progress = func(nodes uint64, depth int) { s.report(nodes, depth, c.line()) }
	}
	reader := dfpn.NewReader(s.ctx, s.table, c, config)
	reader.Choose = (&chooser{cursor: c, reader: reader, exact: s.solution.Shortest}).choose
	defer func() { s.solution.Nodes += reader.Nodes() }()
	moves, err := reader.Line(s.solution.Shortest)
	if err != nil {
		return nil // a limit was reached: the mate is proven all the same
	}
	for _, m := range moves {
		s.solution.Line = append(s.solution.Line, shogi.Move(m))
		c.board.Do(shogi.Move(m))
	}
	if s.solution.Tail, err = c.tail(); err != nil {
		return err
	}
	if s.solution.Shortest && !s.options.CountFutile {
		s.compose(newComposer(c, reader))
	}
	return nil
}

// compose counts as composers do.
func (s *solving) compose(c *composer) {
	line, err := c.line(s.problem.Position, s.solution.Line)
	if err != nil {
		return // a limit was reached: the mate and its length are proven all the same
	}
	s.solution.Composed, s.solution.ComposedLine = len(line), line
}

// firstMoves searches every first move on its own.
func (s *solving) firstMoves() error {
	for _, m := range shogi.NewBoard(s.problem.Position).AppendChecks(nil) {
		r, err := s.search(dfpn.Unlimited, m)
		if err != nil {
			return err
		}
		first := FirstMove{Move: m, Outcome: r.Outcome}
		for r.Outcome == dfpn.Proven {
			first.Length = int(r.Length) + 1
			if first.Shortest = r.Length < 2; first.Shortest || !s.options.Shortest {
				break
			}
			// The search for a mate in 0 would be one without a limit: mate
			// at once has been found already.
			if first.Shortest = r.Length == 2; first.Shortest {
				break
			}
			if r, err = s.search(r.Length-2, m); err != nil {
				return err
			}
			first.Shortest = r.Outcome == dfpn.Disproven
		}
		s.solution.FirstMoves = append(s.solution.FirstMoves, first)
	}
	return nil
}

// tail returns futile interpositions and captures up to a position without a
// move left. The defender must be mated but for them.
func (c *cursor) tail() ([]shogi.Move, error) {
	b := c.board
	var line []shogi.Move
	for range 81 {
		drops := b.AppendEvasions(nil)
		if len(drops) == 0 {
			return line, nil
		}
		checker := b.Checkers().First()
		capture := shogi.NoMove
		b.Do(drops[0])
		for _, promote := range [...]bool{false, true} {
			m := shogi.MoveOf(checker, drops[0].To(), promote)
			if !b.Legal(m) {
				continue
			}
			b.Do(m)
			if b.InCheck() && (b.Mated() || c.onlyFutile()) {
				capture = m
			}
			b.Undo()
			if capture != shogi.NoMove {
				break
			}
		}
		if capture == shogi.NoMove {
			break
		}
		b.Do(capture)
		line = append(line, drops[0], capture)
	}
	return nil, errors.New("tsume: the last position of the line is no mate")
}

// onlyFutile reports whether the defender, in check, has futile interpositions
// and nothing else.
func (c *cursor) onlyFutile() bool {
	moves, drops := c.board.Replies()
	return moves == 0 && drops > 0 && c.allFutile()
}
