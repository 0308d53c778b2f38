package server

import (
	"context"
	"errors"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// Browser goes through the positions of a database.
type Browser = lookup.Browser

// Indexed is an answer with the number of its position.
type Indexed = lookup.Indexed

// Random implements [Browser].
func (d *database) Random(ctx context.Context) (*Indexed, error) { return d.lookup().Random(ctx) }

// Find implements [Browser].
func (d *database) Find(ctx context.Context, v games.Value, zugzwang bool, limit int, found func(Indexed)) error {
	return d.lookup().Find(ctx, v, zugzwang, limit, found)
}

// browser returns the database that a request names.
func (r *request) browser() (Browser, error) {
	b, ok := r.database.(Browser)
	if !ok {
		return nil, notFound("%s cannot be browsed", r.entry.Name)
	}
	return b, nil
}

// random answers GET /api/v1/{game}/random.
func (s *Server) random(r *request) (reply, error) {
	b, err := r.browser()
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		a, err := b.Random(ctx)
		return reply{body: a}, err
	})
}

// positions lists positions of a value. It reads the database from its beginning, so it takes the
// slot of a search, and its time.
func (s *Server) positions(r *request) (reply, error) {
	b, err := r.browser()
	if err != nil {
		return reply{}, err
	}
	q, err := lookup.ReadPositions(r.values, r.entry.Name, r.database.Manifest(), r.entry.Layout)
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		a, err := lookup.Positions(ctx, b, q)
		if errors.Is(err, context.DeadlineExceeded) && r.Context().Err() == nil {
			err = nil // the list is not complete, and says so
		}
		return reply{body: a}, err
	})
}
