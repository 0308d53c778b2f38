package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/yomikiri/yomikiri/db"
)

// Puzzle is a position of a database in which exactly one move keeps the result; see package puzzle.
type Puzzle struct {
	Position string  `json:"position"`
	Aim      string  `json:"aim"`  // "win", or "save" a draw
	Rank     float64 `json:"rank"` // how hard it is
}

// puzzleLevels is into how many parts puzzles are divided, by their ranks.
const puzzleLevels = 5

// Trainer has puzzles of a database.
type Trainer interface {
	// Puzzle returns one of the puzzles at random: of a level, or of all if that is 0. It fails with [db.ErrNotHeld] if there
	// is none.
	Puzzle(level int) (*Puzzle, error)
}

// Puzzle implements [Trainer].
func (d *database) Puzzle(level int) (*Puzzle, error) {
	list := d.Puzzles // the hardest first
	n := len(list)
	if n == 0 {
		return nil, fmt.Errorf("%w: there are no puzzles of it", db.ErrNotHeld)
	}
	if level > 0 {
		first := n * (puzzleLevels - level) / puzzleLevels
		list = list[first:max(n*(puzzleLevels-level+1)/puzzleLevels, first+1)]
	}
	return &list[rand.IntN(len(list))], nil
}

// puzzle answers GET /api/v1/{game}/puzzle.
func (s *Server) puzzle(r *request) (reply, error) {
	b, ok := r.database.(Trainer)
	if !ok {
		return reply{}, notFound("%s has no puzzles", r.entry.Name)
	}
	level := 0
	if text, given := r.values["level"]; given {
		var err error
		if level, err = strconv.Atoi(text); err != nil || level < 1 || level > puzzleLevels {
			return reply{}, badRequest("level %q: want 1 to %d", text, puzzleLevels)
		}
	}
	return s.limited(r, func(context.Context) (reply, error) {
		p, err := b.Puzzle(level)
		return reply{body: p}, err
	})
}
