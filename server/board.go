package server

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// layoutOf returns the layout of a game's boards, nil if the game is no
// [games.Describer].
func layoutOf[P, M comparable](g games.Game[P, M]) *games.Layout {
	d, ok := g.(games.Describer[P, M])
	if !ok {
		return nil
	}
	l := d.Layout()
	return &l
}

// describe adds the board, and what the moves do on it, to an answer for a position.
func describe[P, M comparable](g games.Game[P, M], p P, a *db.Answer) {
	d, ok := g.(games.Describer[P, M])
	if !ok {
		return
	}
	b := d.Board(p)
	a.Board = &b
	moves := g.AppendMoves(nil, p)
	if f, ok := g.(games.Finisher[P, M]); ok {
		moves = f.AppendFinishing(moves, p)
	}
	traces := map[string]*games.Trace{}
	for _, m := range moves {
		t := d.Trace(p, m)
		traces[string(g.AppendMove(nil, p, m))] = &t
	}
	for i := range a.Moves {
		a.Moves[i].Trace = traces[a.Moves[i].Move]
	}
}

// setUp returns the position of a board.
func setUp[P, M comparable](g games.Game[P, M], b games.Board) (string, error) {
	d, ok := g.(games.Describer[P, M])
	if !ok {
		return "", InputError{fmt.Errorf("%s does not describe its boards; write the position as text", g.Name())}
	}
	p, err := d.SetUp(b)
	if err != nil {
		return "", InputError{err}
	}
	return string(g.AppendPosition(nil, p)), nil
}

// SetUp implements [Database].
func (d *database[P, M]) SetUp(b games.Board) (string, error) { return setUp(d.Whole, b) }

// setUp answers POST /api/v1/{game}/board: the position of a board, or why there is none.
func (s *Server) setUp(w http.ResponseWriter, r *http.Request) {
	d, ok := s.databases[r.PathValue("game")]
	if !ok {
		writeError(w, http.StatusNotFound, fmt.Errorf("no game %q; see /api/v1/games", r.PathValue("game")))
		return
	}
	const mostBytes = 1 << 18
	var b games.Board
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBytes)).Decode(&b); err != nil {
		writeError(w, http.StatusBadRequest, fmt.Errorf("the body is not a board: %w", err))
		return
	}
	text, err := d.SetUp(b)
	if err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"position": text})
}
