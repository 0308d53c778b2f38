package server

import (
	"context"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/server/lookup"
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

// SetUp implements [Playable].
func (d *database) SetUp(b games.Board) (string, error) { return d.lookup().SetUp(b) }

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

// setUp answers with the position of a board, or why there is none.
func (s *Server) setUp(r *request) (reply, error) {
	var b games.Board
	if err := decode(r, &b); err != nil {
		return reply{}, err
	}
	return s.limited(r, func(context.Context) (reply, error) {
		text, err := r.played.SetUp(b)
		return reply{body: lookup.PositionOfBoard{Position: text}}, err
	})
}
