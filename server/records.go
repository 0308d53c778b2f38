package server

import (
	"context"
	"io"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/internal/bilingual"
)

// RecordedGame is a game that was played, as far as it could be read.
type RecordedGame struct {
	Title    string `json:"title,omitempty"` // such as its players
	Position string `json:"position"`        // where it begins
	// Hands says how the pieces were read that the record does not show; empty if it shows all.
	Hands string   `json:"hands,omitempty"`
	Moves []string `json:"moves"`
	// Points are those of the side that moves first, from 0 to 1; nil if the record does not say. Resigned says that the side
	// to move at the end resigned.
	Points   *float64 `json:"points,omitempty"`
	Resigned bool     `json:"resigned,omitempty"`
	// Seconds are what the moves took; missing if the record has no times.
	Seconds []float64 `json:"seconds,omitempty"`
	Error   string    `json:"error,omitempty"` // why the rest could not be read
	// Japanese is the error in Japanese, if it has one.
	Japanese string `json:"japanese,omitempty"`
}

// recordsAnswer answers POST /api/v1/{game}/records.
type recordsAnswer struct {
	Records []RecordedGame `json:"records"`
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

// readRecords reads the games of a text, as analyze does.
func readRecords(ctx context.Context, g *app.Game, text []byte) ([]RecordedGame, error) {
	list, err := records.Read(ctx, g, "the text", text)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, InputError{Err: err}
	}
	answers := make([]RecordedGame, len(list))
	for i, r := range list {
		o := RecordedGame{Title: r.Title, Position: g.PositionText(r.From), Hands: r.Hands, Moves: []string{}, Points: r.Points, Resigned: r.Resigned}
		for _, d := range r.Times {
			o.Seconds = append(o.Seconds, d.Seconds())
		}
		p := r.From
		for _, m := range r.Moves {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			o.Moves = append(o.Moves, g.MoveText(p, m))
			p = g.Play(p, m)
		}
		if r.Err != nil {
			o.Error, o.Japanese = r.Err.Error(), bilingual.Translation(r.Err)
		}
		answers[i] = o
	}
	return answers, nil
}

// Records implements [Playable].
func (d *database) Records(ctx context.Context, text []byte) ([]RecordedGame, error) {
	return readRecords(ctx, d.whole, text)
}

// Records implements [Playable].
func (s *search) Records(ctx context.Context, text []byte) ([]RecordedGame, error) {
	return readRecords(ctx, s.SearchSource.Game, text)
}
