package records

import (
	"fmt"
	"iter"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

// Gomoku reads games in PSQ, one in a file.
var Gomoku = app.RecordReader[*gomoku.Game, gomoku.Position, gomoku.Square]{
	Recognise: func(begin []byte) bool { return gomoku.IsPSQ(string(begin)) },
	Rules: func(text []byte) []string {
		r, _ := gomoku.ParsePSQ(string(text))
		if r == nil {
			return nil
		}
		return []string{fmt.Sprintf("size=%dx%d", r.Rows, r.Columns)}
	},
	Read: func(g *gomoku.Game, text []byte) iter.Seq2[app.Played[gomoku.Position, gomoku.Square], error] {
		return func(yield func(app.Played[gomoku.Position, gomoku.Square], error) bool) {
			moves, err := ParsePSQ(g, text)
			yield(app.Played[gomoku.Position, gomoku.Square]{Line: 1, From: g.Start(), Moves: moves}, err)
		}
	},
}

// ParsePSQ returns the moves of a PSQ file. If one is wrong, it returns those before. The error
// is an [UnreadError] if only lines after the end of the moves look like moves.
func ParsePSQ(g *gomoku.Game, text []byte) ([]gomoku.Square, error) {
	r, wrong := gomoku.ParsePSQ(string(text))
	if r == nil {
		return nil, wrong
	}
	moves, err := g.Replay(r)
	switch {
	case err != nil:
		return moves, err
	case wrong == nil && r.Unread > 0:
		return moves, UnreadError(r.Unread)
	}
	return moves, wrong
}

// UnreadError is the number of a line that looks like a move, but is not read.
type UnreadError int

// Error implements [error].
func (line UnreadError) Error() string {
	return fmt.Sprintf("line %d is not read, though it looks like a move: another line before it ends the moves", int(line))
}
