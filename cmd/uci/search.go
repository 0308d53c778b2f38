package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// limits are what follows go.
type limits struct {
	play.Limits
	infinite, ponder bool
	perft            int
	only             []app.Move // to choose among, empty for all
}

// parseGo reads what follows go. It returns the words that it ignores, too: those that it does not know, limits without a number,
// and moves that are not legal. A GUI that sends them still wants a move. second says that the second side is to move.
func parseGo(args []string, second bool, move func(text string) (app.Move, error), margin time.Duration) (l limits, ignored []string) {
	var left, increment [2]time.Duration
	timed := false
	moves := 0
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "infinite":
			l.infinite = true
			continue
		case "ponder":
			l.ponder = true
			continue
		case "searchmoves":
			for ; i+1 < len(args) && !goWords[args[i+1]]; i++ {
				if m, err := move(args[i+1]); err == nil {
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
		if err != nil || !goWords[args[i]] {
			ignored = append(ignored, args[i])
			continue
		}
		d := time.Duration(min(max(n, 0), int64(1<<60/time.Millisecond))) * time.Millisecond
		small := int(min(max(n, 1), play.MaxDepth))
		switch args[i] {
		case "wtime":
			left[0], timed = d, true
		case "btime":
			left[1], timed = d, true
		case "winc":
			increment[0], timed = d, true
		case "binc":
			increment[1], timed = d, true
		case "movestogo":
			moves = int(min(max(n, 0), 1000))
		case "movetime":
			l.Time = max(d-margin, time.Millisecond)
		case "nodes":
			l.Nodes = uint64(max(n, 1))
		case "depth":
			l.Depth = small
		case "mate":
			l.Depth = min(2*small, play.MaxDepth) // with the position of the mate
		case "perft":
			l.perft = small
		}
		i++
	}
	if timed {
		us := 0
		if second {
			us = 1
		}
		l.Clock = play.Clock{Left: left[us], Increment: increment[us], Moves: moves, Margin: margin}
		if left[us] == 0 && increment[us] == 0 {
			l.Clock, l.Time = play.Clock{}, time.Millisecond // no time at all is left
		}
	}
	return l, ignored
}

// goWords are the words after which something else than a move follows.
var goWords = map[string]bool{
	"infinite": true, "ponder": true, "searchmoves": true, "wtime": true, "btime": true, "winc": true, "binc": true, "movestogo": true,
	"movetime": true, "nodes": true, "depth": true, "mate": true, "perft": true,
}

// noMove is the answer where there is no move.
const noMove = "bestmove (none)"

// obeyGo starts a search. With infinite and ponder the answer must not come before stop or ponderhit. There is always an
// answer: a GUI would wait forever otherwise.
func (e *Engine) obeyGo(ctx context.Context, args []string) {
	if err := e.search(ctx, args); err != nil {
		e.Say("info string %v", err)
		e.Say(noMove)
	}
}

func (e *Engine) search(ctx context.Context, args []string) error {
	if e.position != nil {
		return fmt.Errorf("position: %w", e.position)
	}
	g, p := e.game, e.here()
	second := len(e.moves)%2 == 1
	if fields := strings.Fields(g.PositionText(e.from)); len(fields) > 1 && fields[1] == UCI.second {
		second = !second
	}
	move := func(text string) (app.Move, error) { return games.ParseMove(g.Board, p, text) }
	l, ignored := parseGo(args, second, move, time.Duration(e.options.overhead)*time.Millisecond+e.Late)
	e.Late = 0
	if len(ignored) > 0 {
		e.Say("info string go: ignored: %s", strings.Join(ignored, " "))
	}
	if l.perft > 0 {
		e.count(ctx, p, l.perft)
		return nil
	}
	if err := e.prepare(); err != nil {
		return err
	}
	q := play.Query[app.Position, app.Move]{From: e.from, Moves: e.moves, Only: l.only, Lines: e.options.lines, Advised: true}
	q.Progress = func(r play.Result[app.Move]) { e.told(g, p, r) }
	q.Choice.Seed = e.newGames<<16 + uint64(len(e.moves))
	if e.options.skill < play.Levels {
		level, choice, _ := play.Level(e.options.skill)
		q.Nodes, q.Choice.Budget = level.Nodes, choice.Budget
	}
	if !l.infinite && !l.ponder {
		if e.options.ownBook && e.opening != nil {
			q.Book, q.Choice.Seed = e.opening, q.Choice.Seed^cmp.Or(e.config.Seed, rand.Uint64())
		}
		if q.Nodes > 0 {
			l.Nodes = min(q.Nodes, cmp.Or(l.Nodes, q.Nodes))
		}
		if q.Limits = l.Limits; q.Limits == (play.Limits{}) {
			q.Time = time.Second
		}
	}
	searching, cancel := context.WithCancel(ctx)
	answer := noMove
	s := &Search{Wait: l.infinite || l.ponder, Answer: func() { e.Say("%s", answer) }}
	if l.ponder {
		s.Args = args
	}
	searcher := e.searcher
	e.Start(s, cancel, func() {
		r, err := searcher.Search(searching, q)
		if r.Advice.By != "" {
			e.Say("info string %s: %v", r.Advice.By, r.Advice.Bounds)
		}
		if r.Book != nil {
			e.Say("info string book")
		}
		if errors.Is(err, play.ErrFinished) {
			v, _ := g.Outcome(p)
			e.Say("info depth 0 score %s", scoreText(play.ScoreOf(v)))
			return
		}
		if err != nil {
			e.Say("info string %v", err)
		}
		if len(r.Lines) == 0 {
			return
		}
		words := strings.Fields(lineText(g, p, r.Best().Moves))
		answer = "bestmove " + words[0]
		if len(words) > 1 {
			answer += " ponder " + words[1]
		}
	})
	return nil
}

// count counts the sequences of moves from a position.
func (e *Engine) count(ctx context.Context, p app.Position, depth int) {
	counting, cancel := context.WithCancel(ctx)
	g, all := e.game, uint64(0)
	var err error
	end := func() {
		if err != nil {
			e.Say("info string perft: %v", err)
			return
		}
		e.Say("\nNodes searched: %d", all)
	}
	e.Start(&Search{Answer: end}, cancel, func() {
		err = g.Sequences(counting, p, depth, func(first app.Move, n uint64) {
			all += n
			e.Say("%s: %d", g.MoveText(p, first), n)
		})
	})
}

// told reports a depth that is done.
func (e *Engine) told(g *app.Game, p app.Position, r play.Result[app.Move]) {
	ms := r.Time.Milliseconds()
	for i, line := range r.Lines {
		e.Say("info depth %d seldepth %d multipv %d score %s nodes %d nps %.0f hashfull %.0f time %d pv%s", r.Depth, max(r.Depth, len(line.Moves)), i+1,
			scoreText(line.Score), r.Nodes, float64(r.Nodes)/max(r.Time.Seconds(), 1e-9), 1000*r.Full, ms, lineText(g, p, line.Moves))
	}
}

// lineText writes moves from a position, each after a space.
func lineText(g *app.Game, p app.Position, line []app.Move) string {
	var b []byte
	for _, m := range line {
		b = g.AppendMove(append(b, ' '), p, m)
		p = g.Play(p, m)
	}
	return string(b)
}

// unmeasured is what a win is worth whose length is not known.
const unmeasured = 20_000

// scoreText writes a score for the side to move. Mates are counted in moves.
func scoreText(s play.Score) string {
	plies, mate := s.Mate()
	sign := 1
	if s < 0 {
		sign = -1
	}
	switch {
	case mate && plies >= games.MaxPlies:
		return fmt.Sprintf("cp %d", sign*unmeasured)
	case mate:
		return fmt.Sprintf("mate %d", sign*((plies+1)/2))
	}
	return fmt.Sprintf("cp %d", s)
}

// inPlies returns how many plies a mate takes in so many moves; fewer than none for a side that is mated.
func inPlies(moves int) int {
	if moves > 0 {
		return 2*moves - 1
	}
	return 2 * moves
}
