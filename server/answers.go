package server

import (
	"context"
	_ "embed" // for openapi.json
	"encoding/json"

	"github.com/yomikiri/yomikiri/server/lookup"
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

func (s *Server) batch(r *request) (reply, error) {
	q := lookup.BatchQuestion{Whole: r.whole}
	if err := decode(r, &q); err != nil {
		return reply{}, err
	}
	if err := q.Check(s.Limits.Positions); err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		a, err := lookup.Batch(ctx, r.database.Game().Name, r.database.Answer, &q)
		s.metrics.positions.Add(float64(len(a.Answers)))
		return reply{body: a}, err
	})
}
