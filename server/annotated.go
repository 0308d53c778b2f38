package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/games"
)

// Annotation asks for the record of a game with remarks.
type Annotation struct {
	// Position and Moves are the game. Position may be startpos, and Hands is as in a [Query].
	Position string   `json:"position"`
	Hands    string   `json:"hands"`
	Moves    []string `json:"moves"`
	// Record, if not empty, is a text that has the game instead, as the one with this number, counted from 1. What it says
	// besides the moves remains.
	Record []byte `json:"record"`
	Number int    `json:"number"`
	// Format is one of those in the list of games; if it is empty, that of the record, or the first.
	Format string `json:"format"`
	// Remarks take the place of those that the record has from here; without them those remain.
	Remarks []Remark `json:"remarks"`
}

// Remark is what is said of a move.
type Remark struct {
	Ply     int      `json:"ply"` // the number of moves before the move, or of all moves for one on the end
	Mark    string   `json:"mark"`
	Comment string   `json:"comment"`
	Instead []string `json:"instead"` // how play goes on after a better move
}

// AnnotatedRecord is a file with the record of a game.
type AnnotatedRecord struct {
	Format string `json:"format"` // the extension of the file
	File   []byte `json:"file"`
}

// mostAnnotated is the most moves of a game that is written with remarks: there may be a remark on each.
const mostAnnotated = 2000

// marks are those of remarks.
var marks = []string{"", "?!", "?", "??", "!?", "!", "!!"}

// annotated answers with the record of a game, with remarks.
func (s *Server) annotated(r *request) (reply, error) {
	a := Annotation{Position: startpos, Number: 1}
	if err := decode(r, &a); err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		written, err := r.played.Annotate(ctx, a)
		return reply{body: written}, err
	})
}

// Annotate implements [Playable].
func (d *database) Annotate(ctx context.Context, a Annotation) (*AnnotatedRecord, error) {
	return annotate(ctx, d.whole, a, d.lookup().From)
}

// Annotate implements [Playable].
func (s *search) Annotate(ctx context.Context, a Annotation) (*AnnotatedRecord, error) {
	return annotate(ctx, s.SearchSource.Game, a, func(q Query) (app.Position, error) {
		p, _, err := s.from(q)
		return p, err
	})
}

// annotate writes the record of a game, whose first position from reads.
func annotate(ctx context.Context, g *app.Game, a Annotation, from func(Query) (app.Position, error)) (*AnnotatedRecord, error) {
	if formats := records.Formats(g); a.Format != "" && !slices.Contains(formats, a.Format) {
		return nil, badRequest("format %q: want one of %s", a.Format, strings.Join(formats, ", "))
	}
	played, err := annotatedGame(ctx, g, a, from)
	if err != nil {
		return nil, err
	}
	if len(played.Moves) > mostAnnotated {
		return nil, badRequest("a game of %d moves: want at most %d", len(played.Moves), mostAnnotated)
	}
	x := app.AnnotatedGame{Played: played}
	if a.Remarks != nil {
		x.Remarks = []app.RecordedRemark{}
	}
	p := played.From
	for i := range a.Remarks {
		r := &a.Remarks[i]
		first := 0
		if i > 0 {
			first = a.Remarks[i-1].Ply + 1
		}
		switch {
		case r.Ply < first || r.Ply > len(played.Moves):
			return nil, badRequest("remark %d: ply %d: want %d to %d, one remark on a move, in their order", i+1, r.Ply, first, len(played.Moves))
		case !slices.Contains(marks, r.Mark):
			return nil, badRequest("remark %d: mark %q: want one of %s", i+1, r.Mark, strings.Join(marks[1:], " "))
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		for _, m := range played.Moves[max(first-1, 0):r.Ply] {
			p = g.Play(p, m)
		}
		instead, _, err := games.ParseMoves(g.Board, p, r.Instead)
		if err != nil {
			return nil, badMove(fmt.Errorf("remark %d: %w", i+1, err))
		}
		x.Remarks = append(x.Remarks, app.RecordedRemark{Ply: r.Ply, Mark: r.Mark, Comment: r.Comment, Instead: instead})
	}
	list := []app.AnnotatedGame{x}
	if a.Format == "" {
		if a.Format, err = records.FormatOf(g, "", list); err != nil {
			return nil, err
		}
	}
	return &AnnotatedRecord{a.Format, records.Write(g, a.Format, list)}, nil
}

// annotatedGame returns the game that is asked for.
func annotatedGame(ctx context.Context, g *app.Game, a Annotation, from func(Query) (app.Position, error)) (r app.Recorded, err error) {
	if len(a.Record) == 0 {
		if r.From, err = from(Query{Position: a.Position, Hands: a.Hands}); err != nil {
			return r, err
		}
		if r.Moves, _, err = games.ParseMoves(g.Board, r.From, a.Moves); err != nil {
			err = badMove(err)
		}
		return r, err
	}
	if len(a.Moves) > 0 || a.Position != startpos {
		return r, badRequest("record and the moves of a game are given: want one of them")
	}
	list, err := records.Read(ctx, g, "the record", a.Record)
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil:
		return r, InputError{Err: err}
	case a.Number < 1 || a.Number > len(list):
		return r, badRequest("number %d: want 1 to %d, the games of the record", a.Number, len(list))
	case list[a.Number-1].Err != nil:
		return r, InputError{Err: list[a.Number-1].Err}
	}
	return list[a.Number-1].Recorded, nil
}
