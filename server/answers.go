package server

import (
	"context"
	_ "embed" // for openapi.json
	"encoding/json"
	"errors"
	"fmt"

	"github.com/yomikiri/yomikiri/db"
)

// gamesAnswer answers GET /api/v1/games.
type gamesAnswer struct {
	Games []Game `json:"games"`
}

//go:embed openapi.json
var openAPI []byte

// document answers with the description of the API.
func (s *Server) document(*request) (reply, error) {
	return reply{body: json.RawMessage(openAPI)}, nil
}

func (s *Server) games(*request) (reply, error) {
	var a gamesAnswer
	for _, x := range s.checks.served {
		g := x.entry
		g.Status = s.checks.of(x)
		a.Games = append(a.Games, g)
	}
	return reply{body: a}, nil
}

func (s *Server) answer(r *request) (reply, error) {
	q, err := r.query()
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(context.Context) (reply, error) {
		a, err := r.database.Answer(q)
		if err != nil {
			return reply{}, err
		}
		s.metrics.positions.Inc()
		return reply{body: a, sum: r.entry.Checksum}, nil
	})
}

func (s *Server) line(r *request) (reply, error) {
	q, err := r.query()
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		line, err := r.database.Line(ctx, q)
		return reply{body: line, sum: r.entry.Checksum}, err
	})
}

// stats answers with the description of a database, which has the counts by value.
func (s *Server) stats(r *request) (reply, error) {
	return reply{body: r.database.Manifest(), sum: r.entry.Checksum}, nil
}

// batchQuestion is the body of POST /api/v1/{game}.
type batchQuestion struct {
	Positions []string `json:"positions"`
	// Line is a game instead: all its positions are asked for.
	Line  *batchLine `json:"line"`
	Moves bool       `json:"moves"` // answer with all moves too
	Board bool       `json:"board"` // describe boards, and what moves do on them
	whole bool       // as in [Query]
}

// batchLine is a position, or startpos, and moves after it.
type batchLine struct {
	Position string   `json:"position"`
	Moves    []string `json:"moves"`
}

// count returns the number of positions asked for.
func (q *batchQuestion) count() int {
	if q.Line != nil {
		return 1 + len(q.Line.Moves)
	}
	return len(q.Positions)
}

// query returns the query for the i-th position. In a line, it follows from the answer before.
func (q *batchQuestion) query(i int, before []db.Answer) Query {
	ask := Query{Board: q.Board, NoMoves: !q.Moves, Whole: q.whole}
	switch {
	case q.Line == nil:
		ask.Position = q.Positions[i]
	case i == 0:
		ask.Position = q.Line.Position
	default:
		ask.Position, ask.Moves = before[i-1].Position, q.Line.Moves[i-1:i]
	}
	return ask
}

// batchAnswer answers a batchQuestion, in the same order. The answers for a line end with
// the game: a move of [games.Finisher] leads to no position.
type batchAnswer struct {
	Answers []db.Answer `json:"answers"`
}

func (s *Server) batch(r *request) (reply, error) {
	q := batchQuestion{whole: r.whole}
	if err := decode(r, &q); err != nil {
		return reply{}, err
	}
	if q.Line != nil && q.Positions != nil {
		return reply{}, badRequest("body: positions and line are given: want one of them")
	}
	if n := q.count(); n == 0 || n > s.Limits.Positions {
		return reply{}, badRequest("%d positions: want 1 to %d", n, s.Limits.Positions)
	}
	return s.limited(r, func(ctx context.Context) (reply, error) { return s.answerAll(ctx, r.database, &q) })
}

func (s *Server) answerAll(ctx context.Context, d Database, q *batchQuestion) (reply, error) {
	list := make([]db.Answer, 0, q.count())
	for i := range cap(list) {
		if err := ctx.Err(); err != nil {
			return reply{}, err
		}
		if q.Line != nil && i > 0 && list[i-1].Finished {
			break
		}
		ask := q.query(i, list)
		found, err := d.Answer(ask)
		switch {
		case errors.Is(err, db.ErrNotHeld) && q.Line == nil:
			found = db.NotHeld(d.Game().Name, ask.Position, err)
		case err != nil:
			return reply{}, fmt.Errorf("position %d: %w", i+1, err)
		}
		list = append(list, *found)
	}
	s.metrics.positions.Add(float64(len(list)))
	return reply{body: batchAnswer{list}}, nil
}
