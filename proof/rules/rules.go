package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
)

// Position and Move are those of all games here.
type (
	Position = plain.Position
	Move     = plain.Move
)

// Game is a game by the rules of package plain. It implements [games.Game] and
// [games.Canonicalizer], and [games.Monotone] and, as [Open] returns it, [games.Scorer],
// [proof.Unending] and [proof.PlainSearcher] where these apply.
type Game struct {
	*plain.Game
	name  string
	start Position
	work  int
}

var (
	_ games.Game[Position, Move]       = (*Game)(nil)
	_ games.MoveParser[Position, Move] = (*Game)(nil)
	_ games.Canonicalizer[Position]    = (*Game)(nil)
	_ games.Monotone[Position]         = (*Game)(nil)
	_ proof.Unending                   = unending{}
	_ games.Scorer[Position, Move]     = scored{}
	_ proof.PlainSearcher[Position]    = othello{}
)

// Open returns the game with the given name, which begins in some position.
func Open(name, start string) (games.Game[Position, Move], error) {
	rules, err := plain.Open(name)
	if err != nil {
		return nil, err
	}
	g := &Game{Game: rules, name: name, work: cmp.Or(work[before(name)], 200)}
	if g.start, err = rules.Parse(start); err != nil {
		return nil, err
	}
	if before(name) == "hex" {
		board, _ := g.start.Board()
		g.work = 20 * len(board) // chains of the whole board are followed
	}
	points, scores := rules.Rules.(plain.Points)
	switch {
	case before(name) == "othello":
		return othello{scored{g, points}, newSearch(g)}, nil
	case scores:
		return scored{g, points}, nil
	case rules.Unending:
		return unending{g}, nil
	}
	return g, nil
}

// Check checks a proof by these rules, as [proof.Check] does.
func Check(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
	g, err := Open(r.Header().Game, r.Header().Root)
	if errors.Is(err, plain.ErrRefused) {
		err = fmt.Errorf("%w: root: %s", proof.ErrRefused, strings.TrimPrefix(err.Error(), plain.ErrRefused.Error()+": "))
	}
	if err != nil {
		return proof.Report{}, err
	}
	return proof.Check(ctx, r, g, o)
}

// before returns the name of a game without its options.
func before(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}

// work is the work for a position, in steps; see [proof.PositionWorker]. Positions of shogi with
// hundreds of moves are rare in honest proofs and take some times longer than others.
var work = map[string]int{"checkers": 500, "othello": 500, "shogi": 1200}

// PositionWork implements [proof.PositionWorker].
func (g *Game) PositionWork() int { return g.work }

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// Start implements [games.Game].
func (g *Game) Start() Position { return g.start }

// Outcome implements [games.Game].
func (g *Game) Outcome(p Position) (games.Value, bool) {
	switch result, over := g.Result(p); {
	case !over:
		return games.Unfinished, false
	case result > 0:
		return games.Win(1), true
	case result < 0:
		return games.Loss(0), true
	}
	return games.Draw, true
}

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move { return append(dst, g.Moves(p)...) }

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, p Position, m Move) []byte { return append(dst, g.Text(p, m)...) }

// ParseMove implements [games.MoveParser].
func (g *Game) ParseMove(p Position, text string) (Move, error) {
	for _, m := range g.Moves(p) {
		if g.Text(p, m) == text {
			return m, nil
		}
	}
	return 0, fmt.Errorf("move %q is not legal here", text)
}

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte { return append(dst, g.Format(p)...) }

// ParsePosition implements [games.Game].
func (g *Game) ParsePosition(text string) (Position, error) { return g.Parse(text) }

// Monotone implements [games.Monotone].
func (g *Game) Monotone() bool { return g.Game.Monotone }

// Placement implements [games.Monotone]: x is side 0.
func (g *Game) Placement(p Position) (q games.Placement) {
	board, mover := p.Board()
	for s := range len(board) {
		switch board[s] {
		case 'x':
			q.Stones[0] = q.Stones[0].With(s)
		case 'o':
			q.Stones[1] = q.Stones[1].With(s)
		}
	}
	if mover == 'o' {
		q.ToMove = 1
	}
	return q
}

// unending is a game in which play without end is not always a draw.
type unending struct{ *Game }

func (unending) Unending() {}

// scored is a game with scores.
type scored struct {
	*Game
	points plain.Points
}

// Outcome implements [games.Game].
func (g scored) Outcome(p Position) (games.Value, bool) {
	if score, over := g.Result(p); over {
		return games.Score(score), true
	}
	return games.Unfinished, false
}

// Gain implements [games.Scorer].
func (g scored) Gain(p Position, m Move) int { return g.points.Gain(p, m) }

// Remaining implements [games.Scorer].
func (g scored) Remaining(p Position) int { return g.points.Left(p) }
