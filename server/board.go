package server

import (
	"net/http"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// layoutOf returns the layout of a game's boards, nil if the game is not a
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
	a.Board, a.Turn = &b, b.Turn
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
		return "", badRequest("%s does not describe its boards; write the position as text", g.Name())
	}
	p, err := d.SetUp(b)
	if err != nil {
		return "", badPosition(err)
	}
	return string(g.AppendPosition(nil, p)), nil
}

// SetUp implements [Database].
func (d *database[P, M]) SetUp(b games.Board) (string, error) { return setUp(d.Whole, b) }

// setUpAnswer answers POST /api/v1/{game}/board.
type setUpAnswer struct {
	Position string `json:"position"`
}

// setUp answers with the position of a board, or why there is none.
func (s *Server) setUp(r *http.Request) (reply, error) {
	var d interface {
		SetUp(b games.Board) (string, error)
	}
	d, ok := s.databases[r.PathValue("game")]
	if !ok {
		var err error
		if d, err = s.searcher(r); err != nil {
			return reply{}, err
		}
	}
	if _, err := parameters(r); err != nil {
		return reply{}, err
	}
	var b games.Board
	if err := decode(r, &b); err != nil {
		return reply{}, err
	}
	text, err := d.SetUp(b)
	return reply{body: setUpAnswer{text}}, err
}
