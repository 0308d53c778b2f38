package server

import (
	"context"
	"io"
)

// Record is a game that was played, as far as it could be read.
type Record struct {
	Title    string `json:"title,omitempty"` // such as its players
	Position string `json:"position"`        // where it begins
	// Hands says how the pieces were read that the record does not show; empty if it shows all.
	Hands string   `json:"hands,omitempty"`
	Moves []string `json:"moves"`
	Error string   `json:"error,omitempty"` // why the rest could not be read
}

// recordsAnswer answers POST /api/v1/{game}/records.
type recordsAnswer struct {
	Records []Record `json:"records"`
}

// records answers with the games of a text, in any notation and encoding that the game reads.
func (s *Server) records(r *request) (reply, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return reply{}, err
	}
	if len(text) == 0 {
		return reply{}, badRequest("body: it is empty, want the text of a game")
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		list, err := r.played.Records(ctx, text)
		return reply{body: recordsAnswer{list}}, err
	})
}

// readRecords calls read, which may be nil.
func readRecords(ctx context.Context, read func(ctx context.Context, text []byte) ([]Record, error), text []byte) ([]Record, error) {
	if read == nil {
		return nil, notFound("the game reads no records")
	}
	list, err := read(ctx, text)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		err = InputError{Err: err}
	}
	return list, err
}

// Records implements [Playable].
func (d *database) Records(ctx context.Context, text []byte) ([]Record, error) {
	return readRecords(ctx, d.Source.Records, text)
}

// Records implements [Playable].
func (s *search) Records(ctx context.Context, text []byte) ([]Record, error) {
	return readRecords(ctx, s.SearchSource.Records, text)
}
