package server

import (
	"context"
	"strconv"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/review"
)

// reviewLeaves is the effort for each position of a review; see [review.Config].
const reviewLeaves = 5_000

// mostReviewed is the most moves that one request goes through.
const mostReviewed = 8

// review goes through the moves of a game from ply first on, as analyze does.
func (o *opponent) review(ctx context.Context, from app.Position, moves []string, first int) ([]review.Row, error) {
	g := o.game
	made, _, err := games.ParseMoves(g.Board, from, moves)
	if err != nil {
		return nil, badMove(err)
	}
	cfg := play.Config[app.Position]{Evaluation: o.evaluation, Memory: opponentMemory, Pruning: play.AllPruning, Proofs: o.proofs}
	cfg.Pruning.Extensions = false // as analyze
	c := review.Config[app.Position, app.Move]{
		First: first, Leaves: reviewLeaves, Calibration: o.evaluation.Set.Calibration,
		Search: func() (play.Engine[app.Position, app.Move], error) { return g.Search(cfg) },
	}
	if o.database != nil {
		c.Value = func(p app.Position) (games.Value, string, bool, error) {
			v, known, err := o.database.Value(p)
			return v, play.ByDatabase, known, err
		}
	}
	r, err := review.Game(ctx, g.Board, from, made, c)
	if err != nil {
		return nil, err
	}
	return r.Rows, nil
}

// Review implements [Playable].
func (d *database) Review(ctx context.Context, q Query, first int) ([]review.Row, error) {
	p, err := d.lookup().From(q)
	if err != nil {
		return nil, err
	}
	return d.opponent.review(ctx, p, q.Moves, first)
}

// Review implements [Playable].
func (s *search) Review(ctx context.Context, q Query, first int) ([]review.Row, error) {
	p, _, err := s.from(q)
	if err != nil {
		return nil, err
	}
	return s.opponent.review(ctx, p, q.Moves, first)
}

// reviewAnswer answers GET /api/v1/{game}/review.
type reviewAnswer struct {
	Rows []review.Row `json:"rows"`
}

// goThrough answers with the last positions of a game and what its moves there give away.
func (s *Server) goThrough(r *request) (reply, error) {
	if r.played.Game().Levels == 0 {
		return reply{}, notFound("%s has no estimates, since there is no evaluation of its positions", r.played.Game().Name)
	}
	q, err := r.query()
	if err != nil {
		return reply{}, err
	}
	last := len(q.Moves)
	first := max(0, last-mostReviewed)
	if text, given := r.values["first"]; given {
		n, err := strconv.Atoi(text)
		if err != nil || n < first || n > last {
			return reply{}, badRequest("first %q: want a ply from %d to %d: the last %d moves at most", text, first, last, mostReviewed)
		}
		first = n
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		rows, err := r.played.Review(ctx, q, first)
		return reply{body: reviewAnswer{rows}}, err
	})
}
