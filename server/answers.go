package server

import (
	"context"
	_ "embed" // for openapi.json
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

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
	return reply{body: gamesAnswer{s.entries}}, err
}

// database returns the database that a path names.
func (s *Server) database(r *http.Request) (Database, error) {
	name := r.PathValue("game")
	if d, ok := s.databases[name]; ok {
		return d, nil
	}
	return nil, notFound("no database of a game %q; see /api/v1/games", name)
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

// Line is best play from a position.
type Line struct {
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Moves    []string `json:"moves"`
	// Positions are those after each move. A move that ends the game from a finished
	// position has none; see [games.Finisher].
	Positions []string `json:"positions"`
}

func (s *Server) line(r *http.Request) (reply, error) {
	d, q, err := s.query(r, "position", "index", "moves")
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, s.searches, func() (reply, error) {
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
	Moves     bool     `json:"moves"` // answer with all moves too
}

// batchAnswer answers it, in the same order.
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
	var q batchQuestion
	if err := decode(r, &q); err != nil {
		return reply{}, err
	}
	if len(q.Positions) == 0 || len(q.Positions) > s.Limits.Positions {
		return reply{}, InputError{fmt.Errorf("%d positions: want 1 to %d", len(q.Positions), s.Limits.Positions)}
	}
	return s.limited(r, s.lookups, func() (reply, error) { return s.answerAll(r.Context(), d, &q) })
}

func (s *Server) answerAll(ctx context.Context, d Database, q *batchQuestion) (reply, error) {
	a := batchAnswer{make([]db.Answer, len(q.Positions))}
	for i, text := range q.Positions {
		if err := ctx.Err(); err != nil {
			return reply{}, err
		}
		found, err := d.Answer(Query{Position: text, NoMoves: !q.Moves})
		switch {
		case errors.Is(err, db.ErrNotHeld):
			found = NotHeld(d.Game().Name, text, err)
		case err != nil:
			return reply{}, fmt.Errorf("position %d: %w", i+1, err)
		}
		a.Answers[i] = *found
	}
	s.metrics.positions.Add(float64(len(q.Positions)))
	return reply{body: a}, nil
}
