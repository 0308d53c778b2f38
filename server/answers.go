package server

import (
	"context"
	_ "embed" // for openapi.json
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/yomikiri/yomikiri/db"
)

// gamesAnswer answers GET /api/v1/games.
type gamesAnswer struct {
	Games []Game `json:"games"`
}

//go:embed openapi.json
var openAPI []byte

// document answers with the description of the API.
func (s *Server) document(r *http.Request) (reply, error) {
	_, err := parameters(r)
	return reply{body: json.RawMessage(openAPI)}, err
}

func (s *Server) games(r *http.Request) (reply, error) {
	_, err := parameters(r)
	list := slices.Clone(s.entries)
	for i := range list {
		list[i].Status = s.checks.of(s.checks.resources[i].path)
	}
	return reply{body: gamesAnswer{list}}, err
}

// database returns the database that a path names, to answer with its values: unless it is damaged.
func (s *Server) database(r *http.Request) (Database, error) {
	name := r.PathValue("game")
	if d, ok := s.databases[name]; ok {
		if s.withheld(d) {
			return nil, errWithheld
		}
		return d, nil
	}
	return nil, notFound("no database of a game %q; there %s", name, s.names(kindDatabase))
}

// query returns the database that a request names, and the position that it asks for.
func (s *Server) query(r *http.Request, known ...string) (Database, Query, error) {
	d, err := s.database(r)
	if err != nil {
		return nil, Query{}, err
	}
	q, _, err := queryOf(r, known...)
	return d, q, err
}

func (s *Server) answer(r *http.Request) (reply, error) {
	if _, ok := s.databases[r.PathValue("game")]; !ok {
		return s.find(r)
	}
	d, q, err := s.query(r, "position", "index", "moves", "score", "board")
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, s.lookups, func() (reply, error) {
		a, err := d.Answer(q)
		if err != nil {
			return reply{}, err
		}
		s.metrics.positions.Inc()
		return reply{body: a, sum: d.Game().Checksum}, nil
	})
}

func (s *Server) line(r *http.Request) (reply, error) {
	d, q, err := s.query(r, "position", "index", "moves")
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, s.lookups, func() (reply, error) {
		line, err := d.Line(r.Context(), q)
		return reply{body: line, sum: d.Game().Checksum}, err
	})
}

// stats answers with the description of a database, which has the counts by value.
func (s *Server) stats(r *http.Request) (reply, error) {
	d, err := s.database(r)
	if err != nil {
		return reply{}, err
	}
	if _, err := parameters(r); err != nil {
		return reply{}, err
	}
	return reply{body: d.Manifest(), sum: d.Game().Checksum}, nil
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

func (s *Server) batch(r *http.Request) (reply, error) {
	d, err := s.database(r)
	if err != nil {
		return reply{}, err
	}
	if _, err := parameters(r); err != nil {
		return reply{}, err
	}
	q := batchQuestion{whole: isWhole(r)}
	if err := decode(r, &q); err != nil {
		return reply{}, err
	}
	if q.Line != nil && q.Positions != nil {
		return reply{}, badRequest("body: positions and line are given: want one of them")
	}
	if n := q.count(); n == 0 || n > s.Limits.Positions {
		return reply{}, badRequest("%d positions: want 1 to %d", n, s.Limits.Positions)
	}
	return s.limited(r, s.lookups, func() (reply, error) { return s.answerAll(r.Context(), d, &q) })
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
