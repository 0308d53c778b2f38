package lookup

import (
	"context"
	"errors"
	"fmt"

	"github.com/yomikiri/yomikiri/db"
)

// BatchQuestion is the body of POST /api/v1/{game}.
type BatchQuestion struct {
	Positions []string `json:"positions"`
	// Line is a game instead: all its positions are asked for.
	Line  *BatchLine `json:"line"`
	Moves bool       `json:"moves"` // answer with all moves too
	Board bool       `json:"board"` // describe boards, and what moves do on them
	Whole bool       `json:"-"`     // as in [Query]
}

// BatchLine is a position, or startpos, and moves after it.
type BatchLine struct {
	Position string   `json:"position"`
	Moves    []string `json:"moves"`
}

// count returns the number of positions asked for.
func (q *BatchQuestion) count() int {
	if q.Line != nil {
		return 1 + len(q.Line.Moves)
	}
	return len(q.Positions)
}

// query returns the query for the i-th position. In a line, it follows from the answer before.
func (q *BatchQuestion) query(i int, before []db.Answer) Query {
	ask := Query{Board: q.Board, NoMoves: !q.Moves, Whole: q.Whole}
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

// BatchAnswer answers a BatchQuestion, in the same order. The answers for a line end with
// the game: a move of [games.Finisher] leads to no position.
type BatchAnswer struct {
	Answers []db.Answer `json:"answers"`
}

// Check fails if a question asks for too much, or contradicts itself.
func (q *BatchQuestion) Check(most int) error {
	if q.Line != nil && q.Positions != nil {
		return BadRequest("body: positions and line are given: want one of them")
	}
	if n := q.count(); n == 0 || n > most {
		return BadRequest("%d positions: want 1 to %d", n, most)
	}
	return nil
}

// Batch answers a question about a game with a name.
func Batch(ctx context.Context, name string, answer func(Query) (*db.Answer, error), q *BatchQuestion) (BatchAnswer, error) {
	list := make([]db.Answer, 0, q.count())
	for i := range cap(list) {
		if err := ctx.Err(); err != nil {
			return BatchAnswer{}, err
		}
		if q.Line != nil && i > 0 && list[i-1].Finished {
			break
		}
		ask := q.query(i, list)
		found, err := answer(ask)
		switch {
		case errors.Is(err, db.ErrNotHeld) && q.Line == nil:
			found = db.NotHeld(name, ask.Position, err)
		case err != nil:
			return BatchAnswer{}, fmt.Errorf("position %d: %w", i+1, err)
		}
		list = append(list, *found)
	}
	return BatchAnswer{list}, nil
}
