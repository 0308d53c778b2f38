package play

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/games"
)

// MaxDepth is the largest depth of a search.
const MaxDepth = 100

// Config configures a searcher.
type Config[P comparable] struct {
	// Evaluation judges positions; nil means the one that the game comes with.
	Evaluation *Evaluation
	// Memory is the size of the table in bytes; 0 means no table.
	Memory uint64
	// Threads is the number of threads that search the same position; 0 means 1.
	Threads int
	// Pruning says what is not searched to the full depth.
	Pruning Pruning
	// Database, if not nil, has exact values.
	Database Database[P]
	// Proofs, if not nil, say what else is proven. They are asked about the position that is searched only.
	Proofs Proofs[P]
}

// Database has the exact values of unfinished positions. [db.Endgame] implements it.
type Database[P comparable] interface {
	// Value returns the value of p for the side to move, and false if it is not known.
	Value(p P) (games.Value, bool, error)
}

// Proofs have bounds of the values of unfinished positions. [proof.Values] implements it.
type Proofs[P comparable] interface {
	// Bounds returns what is proven of the value of p for the side to move, [games.Unbounded] if that is nothing, and a
	// rank above 0: whoever wins comes nearer to the end by a move to a position of less rank.
	Bounds(p P) (games.Bounds, uint64)
}

// Pruning says what a search does not look at as deeply as at the rest, or more deeply.
type Pruning struct {
	NullMoves  bool // a position that is still good after a pass is good enough
	Reductions bool // moves that come late in the order are searched less deeply
	Futility   bool // near the end, moves that can hardly make up for the score are left out
	Extensions bool // positions in which the side to move is forced are searched deeper
	Selection  bool // moves that the game thinks are hardly ever good are left out; see [games.Selector]
}

// without returns p but for what q has.
func (p Pruning) without(q Pruning) Pruning {
	p.NullMoves = p.NullMoves && !q.NullMoves
	p.Reductions = p.Reductions && !q.Reductions
	p.Futility = p.Futility && !q.Futility
	p.Extensions = p.Extensions && !q.Extensions
	p.Selection = p.Selection && !q.Selection
	return p
}

// AllPruning is how to search in order to play well.
var AllPruning = Pruning{NullMoves: true, Reductions: true, Futility: true, Extensions: true, Selection: true}

// Engine is a [Searcher], perhaps of a game whose positions are hidden behind those of another.
type Engine[P, M comparable] interface {
	// Search, Decide and Clear are as in [Searcher].
	Search(ctx context.Context, q Query[P, M]) (Result[M], error)
	Decide(ctx context.Context, p P, nodes uint64) (games.Advice[M], error)
	Clear()
}

// Searcher searches positions of a game. It keeps its table and what it has learned about
// moves from search to search. It must not be used by several goroutines at once.
type Searcher[P, M comparable] struct {
	game       games.Game[P, M]
	cfg        Config[P]
	evaluation *Evaluation
	deciders   []games.Decider[P, M]
	plain      bool   // they search all moves, as the searcher does
	table      *Table // nil if there is none
	workers    []*worker[P, M]
	deepest    int // of quiescence searches, in plies
}

// New returns a searcher that can ask deciders. It fails with [ErrNoFeatures] if there is no evaluation.
func New[P, M comparable](g games.Game[P, M], cfg Config[P], deciders ...games.Decider[P, M]) (*Searcher[P, M], error) {
	s := &Searcher[P, M]{game: g, cfg: cfg, evaluation: cfg.Evaluation, deciders: deciders, plain: arePlain(deciders), deepest: maxQuiescence}
	if s.evaluation == nil {
		var err error
		if s.evaluation, err = EvaluationOf(g); err != nil {
			return nil, err
		}
	}
	if cfg.Memory > 0 {
		s.table = NewTable(cfg.Memory)
	}
	weights := s.evaluation.Set.Folded(s.evaluation.Weights)
	for i := range max(cfg.Threads, 1) {
		s.workers = append(s.workers, newWorker(s, i, games.NewCursor(g, weights)))
	}
	return s, nil
}

// Clear forgets what earlier searches have found.
func (s *Searcher[P, M]) Clear() {
	if s.table != nil {
		s.table.Clear()
	}
	for _, w := range s.workers {
		w.history = [2][slots]int16{}
	}
}

// Query asks for the best moves in a position.
type Query[P, M comparable] struct {
	// From is a position, and Moves are the moves made since, so that repetitions are seen.
	From  P
	Moves []M
	// Only, if not empty, are the moves to choose among.
	Only []M
	Limits
	// Advised says that the deciders are asked first. If they have decided the position, their line is the first of the
	// result, and there is no search for others unless these are wanted. That needs a line: with a move to choose among,
	// and, to win, one that repeats no position of the game; and a distance, if a [games.PlainDecider] has it. They are not asked if the choice is at random. If they
	// have not decided it, and one line is wanted, moves that they have proven to lose are not searched.
	Advised bool
	// Book, if not nil, has moves that are played without a search, one of them at random by Choice.Seed, unless the value of
	// the position is known: by the rules or the database or, if Advised, by deciders.
	Book Book[P, M]
	// Without switches off some of the searcher's pruning for this search.
	Without Pruning
	// Window bounds the scores that matter.
	Window Window
	// Lines is the number of moves whose lines are wanted; 0 means 1.
	Lines int
	// Choice says which of the moves is chosen.
	Choice Choice
	// Progress, if not nil, is called on the searching goroutine when a depth is done.
	Progress func(Result[M])
}

// advised reports whether the deciders are asked.
func (q *Query[P, M]) advised() bool { return q.Advised && !q.Choice.random() }

// Window is a range of scores, its ends included. A score outside is only known to be at or
// beyond that end. The zero Window has no ends.
type Window struct{ Low, High Score }

// The windows of the two questions that measures of difficulty ask.
var (
	AtLeastEven = Window{0, Infinity}  // can the side to move do better?
	AtMostEven  = Window{-Infinity, 0} // can the opponent?
)

func (w Window) bounds() (alpha, beta Score) {
	if w == (Window{}) {
		return -Infinity, Infinity
	}
	return w.Low, w.High
}

// Result is the result of a search.
type Result[M comparable] struct {
	// Lines are the chosen move's line, and, if more were wanted, the best others, best first.
	Lines []Line[M]
	// Advice is what is proven about the position. The scores of lines are estimates.
	Advice games.Advice[M]
	// Book is the chosen move if it comes from the book of the query, and then the only line; nil otherwise.
	Book *BookMove[M]
	// Depth is the depth that was completed, in plies.
	Depth int
	// Nodes is the number of positions visited. Leaves is how many of them had no depth left
	// and were passed to the quiescence search, which visits the rest.
	Nodes, Leaves uint64
	Time          time.Duration
	// Full is the share of the table in use.
	Full float64
}

// Line is a move and how play may go on.
type Line[M comparable] struct {
	Score Score // of the first move, for the side that makes it
	Moves []M   // at least one
}

// Best returns the chosen move's line.
func (r *Result[M]) Best() Line[M] { return r.Lines[0] }

// ErrFinished is returned for a position in which the game is over.
var ErrFinished = errors.New("the game is over")

// Search looks for the best move in a position. When a limit is reached or ctx ends it
// returns what it has found so far, at least at depth 1. It fails with [ErrFinished] if there is
// no move, or with the error of the database.
func (s *Searcher[P, M]) Search(ctx context.Context, q Query[P, M]) (Result[M], error) {
	run := &run[P, M]{ctx: ctx, query: q, begin: time.Now(), searcher: s}
	run.soft, run.hard = q.Time, q.Time
	if q.Clock != (Clock{}) {
		soft, hard := q.Clock.budget()
		run.soft, run.hard = shorter(run.soft, soft), shorter(run.hard, hard)
	}
	if s.table != nil {
		s.table.age.Add(1)
	}
	for _, w := range s.workers {
		if err := w.begin(run); err != nil {
			return Result[M]{}, err
		}
	}
	position := s.workers[0].cursor.Position()
	booked := s.bookMoves(&q, position)
	advice, err := s.advise(ctx, run, position, len(booked) > 0)
	if err != nil {
		return Result[M]{}, err
	}
	run.decided = advice.By == ByDatabase && advice.Decided(games.OrderOf(s.game))
	if len(advice.Left) > 0 && len(q.Only) == 0 && q.Lines <= 1 {
		for _, w := range s.workers {
			w.keep(advice.Left)
		}
	}
	proven := s.proven(run, advice)
	if proven != nil && q.Lines <= 1 {
		r := Result[M]{Lines: []Line[M]{*proven}, Advice: advice, Depth: len(proven.Moves), Nodes: advice.Nodes, Time: time.Since(run.begin)}
		if q.Progress != nil {
			q.Progress(r)
		}
		return r, nil
	}
	if m := s.byBook(booked, advice, q.Choice.Seed); m != nil {
		return Result[M]{Lines: []Line[M]{{m.Score, []M{m.Move}}}, Advice: advice, Book: m, Nodes: advice.Nodes, Time: time.Since(run.begin)}, nil
	}
	advised := func(r Result[M]) Result[M] {
		r.Advice = advice
		r.Nodes += advice.Nodes
		if proven != nil {
			r.Lines = first(*proven, r.Lines, q.Lines)
		}
		return r
	}
	var progress func(Result[M])
	if q.Progress != nil {
		progress = func(r Result[M]) { q.Progress(advised(r)) }
	}
	// Rules of a game may panic. The caller can recover from that, whichever worker meets it.
	defer run.stop.Store(true)
	var helpers sync.WaitGroup
	var panicked atomic.Pointer[string]
	for _, w := range s.workers[1:] {
		helpers.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					text := fmt.Sprintf("%v\n\n%s", v, debug.Stack())
					panicked.Store(&text)
					run.stop.Store(true)
				}
			}()
			w.deepen(nil)
		})
	}
	main := s.workers[0]
	main.deepen(progress)
	run.stop.Store(true)
	helpers.Wait()
	if text := panicked.Load(); text != nil {
		panic(*text)
	}
	r := main.result
	r.Nodes, r.Leaves, r.Time = run.totals()
	r = advised(r)
	for _, w := range s.workers {
		if w.err != nil {
			return r, w.err
		}
	}
	return r, nil
}

func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b < a {
		return b
	}
	return a
}

// run is one search by all workers.
type run[P, M comparable] struct {
	ctx        context.Context // ends the search
	query      Query[P, M]
	searcher   *Searcher[P, M]
	begin      time.Time
	soft, hard time.Duration // 0 if there is no limit
	decided    bool          // the value is known
	stop       atomic.Bool   // the main worker has ended, or one has panicked
	nodes      atomic.Uint64 // visited by workers when they last looked
}

func (r *run[P, M]) totals() (nodes, leaves uint64, d time.Duration) {
	for _, w := range r.searcher.workers {
		nodes += w.nodes
		leaves += w.leaves
	}
	return nodes, leaves, time.Since(r.begin)
}
