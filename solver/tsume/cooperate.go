package tsume

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// cooperate finds all shortest lines by which both sides reach a goal, by iterative deepening
// (Korf 1985).
func (s *solving) cooperate(goal Goal, most int, r *GoalSolution) {
	x := &cooperation{solving: s, goal: goal}
	for n := s.problem.firstLength(goal); n <= most; n += 2 {
		lines, none := x.lines(n)
		s.solution.Nodes = x.nodes.Load()
		switch {
		case len(lines) > 0:
			r.Outcome, r.Length, r.Incomplete = dfpn.Proven, n, x.stopped.Load()
			r.More = len(lines) > s.options.Lines
			r.Lines = lines[:min(len(lines), s.options.Lines)]
			return
		case x.stopped.Load():
			return
		}
		r.None = n
		if r.Never = none == dfpn.Unlimited; r.Never {
			break
		}
	}
	r.Outcome = dfpn.Disproven
	if !r.Never {
		r.None = most
	}
}

// cooperation is a search for lines by which both sides reach a goal, by one or more walkers.
type cooperation struct {
	*solving
	goal    Goal
	nodes   atomic.Uint64
	stopped atomic.Bool // by a limit
}

// lines returns the lines of n plies if there are none of fewer, a few more than were asked for at most if
// there are many, and otherwise a number of plies, at least n, in which there is none.
func (x *cooperation) lines(n int) (lines [][]shogi.Move, none uint16) {
	threads := max(x.options.Threads, 1)
	first := x.walker()
	split := 0
	if threads > 1 && n > 2 {
		split = 2
	}
	openings := first.openings(split)
	found := make([][][]shogi.Move, len(openings))
	bounds := make([]uint16, len(openings))
	var next atomic.Int64
	walk := func(w *walker) {
		for i := next.Add(1) - 1; i < int64(len(openings)); i = next.Add(1) - 1 {
			for _, m := range openings[i] {
				w.do(m)
			}
			bounds[i] = w.walk(n - split)
			for range openings[i] {
				w.undo()
			}
			found[i], w.found = w.found, nil
		}
	}
	var group sync.WaitGroup
	for range threads - 1 {
		w := x.walker()
		group.Go(func() { walk(w) })
	}
	first.reports = x.options.Progress != nil
	walk(first)
	group.Wait()
	none = dfpn.Unlimited
	for i := range openings {
		lines = append(lines, found[i]...)
		none = min(none, deeper(bounds[i], split))
	}
	return lines, none
}

// deeper returns the bound of a position for one that lies plies before it.
func deeper(bound uint16, plies int) uint16 {
	return uint16(min(int(bound)+plies, dfpn.Unlimited))
}

// walker walks through the lines. It belongs to one goroutine.
type walker struct {
	*cooperation
	board    *shogi.Board
	attacker shogi.Color
	salt     uint64
	line     []shogi.Move
	moves    [][]shogi.Move // of each position on the way
	found    [][]shogi.Move
	reports  bool
}

func (x *cooperation) walker() *walker {
	board := shogi.NewBoardWithKeys(x.problem.Position, shogi.KeysOf(x.table.Seed()))
	return &walker{cooperation: x, board: board, attacker: x.problem.Attacker(), salt: goalSalt(x.problem, x.goal)}
}

func (w *walker) do(m shogi.Move) {
	w.board.Do(m)
	w.line = append(w.line, m)
}

func (w *walker) undo() {
	w.board.Undo()
	w.line = w.line[:len(w.line)-1]
}

// next returns the checks or the replies in the current position. They are overwritten when the walker
// has gone back.
func (w *walker) next() []shogi.Move {
	ply := len(w.line)
	for ply >= len(w.moves) {
		w.moves = append(w.moves, nil)
	}
	if w.board.Turn() == w.attacker {
		w.moves[ply] = w.board.AppendChecks(w.moves[ply][:0])
	} else {
		w.moves[ply] = w.board.AppendEvasions(w.moves[ply][:0])
	}
	return w.moves[ply]
}

// openings returns all sequences of so many plies.
func (w *walker) openings(plies int) (all [][]shogi.Move) {
	if plies == 0 {
		return [][]shogi.Move{slices.Clone(w.line)}
	}
	for _, m := range w.next() {
		w.do(m)
		all = append(all, w.openings(plies-1)...)
		w.undo()
	}
	return all
}

// mated reports whether the goal is reached.
func (w *walker) mated() bool {
	return (w.board.Turn() == w.attacker) == (w.goal == HelpSelfmate) && w.board.Mated()
}

// walk adds the lines that reach the goal in exactly left plies, if none takes fewer. If there is no such line,
// it returns a number of plies, at least left, in which there is none.
func (w *walker) walk(left int) (none uint16) {
	switch {
	case w.stopped.Load() || len(w.found) > w.options.Lines:
		return 0
	case w.mated():
		w.found = append(w.found, slices.Clone(w.line))
		return 0
	case left == 0:
		return 0
	}
	b := w.board
	key := b.Key() ^ w.salt ^ handSalt(b.Hand(w.attacker))
	if known, ok := w.table.NotWon(key, uint16(left)); ok {
		return known
	}
	before := w.count()
	found := len(w.found)
	none = 1
	if left > 1 || w.goal == HelpSelfmate || w.matesInOne() {
		none = w.walkAll(left)
	}
	if w.stopped.Load() || len(w.found) > found {
		return 0
	}
	w.table.KeepNotWon(key, none, w.nodes.Load()-before)
	return none
}

func (w *walker) matesInOne() bool {
	_, mates := w.board.MateInOne()
	return mates
}

// walkAll is walk for all moves of a position.
func (w *walker) walkAll(left int) (none uint16) {
	none = dfpn.Unlimited
	for _, m := range w.next() {
		if left == 1 && !w.board.GivesCheck(m) {
			none = 1
			continue
		}
		w.do(m)
		none = min(none, deeper(w.walk(left-1), 1))
		w.undo()
	}
	return none
}

// count counts a position, checks the limits now and then, and returns how many there were.
func (w *walker) count() uint64 {
	const interval = 1 << 8
	n := w.nodes.Add(1)
	if limit := w.options.Nodes; limit > 0 && n >= limit || n%interval == 0 && w.ctx.Err() != nil {
		w.stopped.Store(true)
	}
	if w.reports && n%interval == 0 && time.Since(w.reported) >= time.Second {
		w.report(n-w.solution.Nodes, len(w.line), slices.Clone(w.line))
	}
	return n - 1
}
