package server

import (
	"context"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
)

// layoutOf returns the layout of a game's boards, nil if the game is not a
// [games.Describer].
func layoutOf(g app.Board) *games.Layout {
	d, ok := games.As[games.Describer[app.Position, app.Move]](g)
	if !ok {
		return nil
	}
	l := d.Layout()
	return &l
}

// describe returns the board of a position and what each move, in the game's notation, does
// on it. The board is nil if the game is not a [games.Describer].
func describe(g app.Board, p app.Position) (*games.Board, map[string]*games.Trace) {
	d, ok := games.As[games.Describer[app.Position, app.Move]](g)
	if !ok {
		return nil, nil
	}
	b := d.Board(p)
	moves := g.AppendMoves(nil, p)
	if f, ok := games.As[games.Finisher[app.Position, app.Move]](g); ok {
		moves = f.AppendFinishing(moves, p)
	}
	traces := map[string]*games.Trace{}
	for _, m := range moves {
		t := d.Trace(p, m)
		traces[string(g.AppendMove(nil, p, m))] = &t
	}
	return &b, traces
}

// setUp returns the position of a board.
func setUp(g app.Board, b games.Board) (string, error) {
	d, ok := games.As[games.Describer[app.Position, app.Move]](g)
	if !ok {
		return "", badRequest("%s does not describe its boards; write the position as text", g.Name())
	}
	p, err := d.SetUp(b)
	if err != nil {
		return "", badPosition(err)
	}
	return g.PositionText(p), nil
}

// SetUp implements [Playable].
func (d *database) SetUp(b games.Board) (string, error) { return setUp(d.whole, b) }

// board answers with a position and its moves, without their values.
func (s *Server) board(r *request) (reply, error) {
	q, err := r.query()
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(context.Context) (reply, error) {
		x, err := r.played.Place(q)
		return reply{body: x}, err
	})
}

// setUpAnswer answers POST /api/v1/{game}/board.
type setUpAnswer struct {
	Position string `json:"position"`
}

// setUp answers with the position of a board, or why there is none.
func (s *Server) setUp(r *request) (reply, error) {
	var b games.Board
	if err := decode(r, &b); err != nil {
		return reply{}, err
	}
	return s.limited(r, func(context.Context) (reply, error) {
		text, err := r.played.SetUp(b)
		return reply{body: setUpAnswer{text}}, err
	})
}
