package shogi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/uci"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/measure"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// usiPlayer is the part of the engine that plays. Its search is made when a GUI first wants a move.
type usiPlayer struct {
	searcher *play.Searcher[shogi.Position, shogi.Move]
	made     usiOptions // with which the searcher was made
	// evaluation is nil for the one that the game comes with.
	evaluation *play.Evaluation
	book       play.Book[shogi.Position, shogi.Move] // nil if there is none
	seed       uint64                                // 0 for another each time

	from     shogi.Position
	moves    []shogi.Move
	position error // why there is no position
	games    uint64
}

// evaluationBy returns the evaluation of shogi with weights.
func evaluationBy(w app.Weights) (*play.Evaluation, error) {
	e, err := play.EvaluationOf(shogi.Game{})
	if err != nil {
		return nil, err
	}
	return w.For(shogi.Game{}.Name(), e)
}

// openBook returns the opening book in a file, nil if the name is empty.
func openBook(name string) (play.Book[shogi.Position, shogi.Move], error) {
	b, err := app.ReadBook(name)
	if err != nil {
		return nil, err
	}
	return app.BookOf(b, games.Game[shogi.Position, shogi.Move](shogi.Game{}))
}

// set puts the player on a position.
func (p *usiPlayer) set(text string) {
	p.from, p.moves, p.position = shogi.ParsePosition(text)
	if p.position == nil && (p.from.King(shogi.Black) == shogi.NoSquare || p.from.King(shogi.White) == shogi.NoSquare) {
		p.position = errors.New("a game has two kings")
	}
}

// preparePlayer makes a searcher for the options that are set, unless there is one. There is one table
// of this size at a time: that for mates is given up.
func (e *usiEngine) preparePlayer() error {
	p, o := &e.player, e.options
	if p.searcher != nil && p.made.hash == o.hash && p.made.threads == o.threads {
		return nil
	}
	if err := ui.CheckMemory(uint64(o.hash) << 20); err != nil {
		return fmt.Errorf("USI_Hash %d: %w", o.hash, err)
	}
	e.table, p.searcher = nil, nil
	runtime.GC() // so that there are never two tables
	memory := uint64(o.hash) << 20
	mates := min(memory/8, 32<<20)
	decider, err := tsume.NewDecider(mates)
	if err != nil {
		return err
	}
	p.searcher, err = play.New(shogi.Game{}, play.Config[shogi.Position]{Evaluation: p.evaluation, Memory: memory - mates, Threads: o.threads, Pruning: play.AllPruning}, decider)
	p.made = o
	return err
}

// goLimits are what follows go.
type goLimits struct {
	play.Limits
	infinite, ponder bool
	only             []shogi.Move // to choose among, empty for all
}

// parseGo reads what follows go. It returns the words that it ignores, too: those that it does not know,
// limits without a number, and moves that are not legal. A GUI that sends them still wants a move.
func parseGo(args []string, b *shogi.Board, margin time.Duration) (l goLimits, ignored []string) {
	turn := b.Turn()
	var left, increment [2]time.Duration
	var byoyomi time.Duration
	timed := false
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "infinite":
			l.infinite = true
			continue
		case "ponder":
			l.ponder = true
			continue
		case "searchmoves":
			for ; i+1 < len(args) && usiMove.MatchString(args[i+1]); i++ {
				if m, err := b.ParseUSI(args[i+1]); err == nil {
					l.only = append(l.only, m)
				} else {
					ignored = append(ignored, args[i+1])
				}
			}
			continue
		}
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		n, err := strconv.ParseInt(next, 10, 64)
		if err != nil {
			ignored = append(ignored, args[i])
			continue
		}
		d := time.Duration(min(max(n, 0), int64(1<<60/time.Millisecond))) * time.Millisecond
		switch args[i] {
		case "btime":
			left[shogi.Black], timed = d, true
		case "wtime":
			left[shogi.White], timed = d, true
		case "binc":
			increment[shogi.Black], timed = d, true
		case "winc":
			increment[shogi.White], timed = d, true
		case "byoyomi":
			byoyomi, timed = d, true
		case "movetime":
			l.Time = max(d-margin, time.Millisecond)
		case "nodes":
			l.Nodes = uint64(max(n, 1))
		case "depth":
			l.Depth = int(min(max(n, 1), play.MaxDepth))
		default:
			ignored = append(ignored, args[i])
			continue
		}
		i++
	}
	if timed {
		// What this move adds may be used for it.
		l.Clock = play.Clock{Left: left[turn] + increment[turn], Increment: increment[turn], Byoyomi: byoyomi, Margin: margin}
		if l.Clock == (play.Clock{Margin: margin}) {
			l.Time = time.Millisecond // no time at all is left
		}
	}
	return l, ignored
}

// usiMove is what a move looks like.
var usiMove = regexp.MustCompile(`^([1-9][a-i]|[A-Z]\*)[1-9][a-i]\+?$`)

// goPlay starts a search for a move.
func (e *usiEngine) goPlay(ctx context.Context, args []string) error {
	p := &e.player
	if p.position != nil {
		return fmt.Errorf("position: %w", p.position)
	}
	board := shogi.NewBoard(p.from)
	for _, m := range p.moves {
		board.Do(m)
	}
	l, ignored := parseGo(args, board, time.Duration(e.options.margin)*time.Millisecond+e.Late)
	e.Late = 0
	if len(ignored) > 0 {
		e.Say("info string go: ignored: %s", strings.Join(ignored, " "))
	}
	if err := e.preparePlayer(); err != nil {
		return err
	}
	q := play.Query[shogi.Position, shogi.Move]{
		From: p.from, Moves: p.moves, Only: l.only, Lines: e.options.lines, Choice: e.options.choice, Progress: e.told,
		Advised: true,
	}
	q.Choice.Seed = p.games<<16 + uint64(len(p.moves))
	if e.options.skill < play.Levels {
		limits, choice, _ := play.Level(e.options.skill)
		q.Nodes, q.Choice.Budget = limits.Nodes, max(choice.Budget, q.Choice.Budget)
	}
	if !l.infinite && !l.ponder {
		if e.options.ownBook && p.book != nil {
			q.Book, q.Choice.Seed = p.book, q.Choice.Seed^cmp.Or(p.seed, rand.Uint64())
		}
		if q.Nodes > 0 {
			l.Nodes = min(q.Nodes, cmp.Or(l.Nodes, q.Nodes))
		}
		q.Limits = l.Limits
		if q.Limits == (play.Limits{}) {
			q.Time = time.Second
		}
	}
	searching, cancel := context.WithCancel(ctx)
	s := &uci.Search{Wait: l.infinite || l.ponder}
	if l.ponder {
		s.Args = args
	}
	here := board.Position()
	options, searcher := e.options, p.searcher
	answer := "bestmove resign"
	s.Answer = func() { e.Say("%s", answer) }
	e.Start(s, cancel, func() {
		if len(q.Only) == 0 && (shogi.Game{}).Declares(here) {
			e.Say("info string a declaration wins")
			answer = "bestmove win"
			return
		}
		r, err := searcher.Search(searching, q)
		if r.Advice.By != "" {
			e.Say("info string %s: %v", r.Advice.By, r.Advice.Bounds)
		}
		if r.Book != nil {
			e.Say("info string book")
		}
		switch {
		case errors.Is(err, play.ErrFinished):
		case err != nil:
			e.Say("info string %v", err)
		case r.Advice.Lower > games.Draw || !resigns(options, r.Best().Score):
			line := r.Best().Moves
			answer = "bestmove " + line[0].String()
			if len(line) > 1 {
				answer += " ponder " + line[1].String()
			}
		}
	})
	return nil
}

// resigns reports whether the options say to resign in a position with a score.
func resigns(o usiOptions, score play.Score) bool {
	if o.resign > 0 && score <= play.Score(-o.resign) {
		return true
	}
	// Half of the positions that the model was fitted to were resignations, few of those of a game are.
	const sure = 0.9
	return o.resignModel && measure.Amateurs.Probability(score) >= sure
}

// told reports a depth that is done.
func (e *usiEngine) told(r play.Result[shogi.Move]) {
	for i, line := range r.Lines {
		which := ""
		if len(r.Lines) > 1 {
			which = fmt.Sprintf(" multipv %d", i+1)
		}
		e.Say("info depth %d seldepth %d%s %s score %s pv%s", r.Depth, max(r.Depth, len(line.Moves)), which,
			usiSpeed(r.Nodes, r.Time, r.Full), usiScore(line.Score), usiLine(line.Moves))
	}
}

// usiScore writes a score for the side to move.
func usiScore(s play.Score) string {
	if plies, mate := s.Mate(); mate {
		if s < 0 {
			plies = -plies
		}
		return fmt.Sprintf("mate %d", plies)
	}
	return fmt.Sprintf("cp %d", s)
}
