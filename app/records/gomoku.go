package records

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

// Gomoku reads games in PSQ, one in a file, and in SGF, in which it writes them: PSQ has moves only.
var Gomoku = app.RecordReader[*gomoku.Game, gomoku.Position, gomoku.Square]{
	Recognise: func(begin []byte) bool { return gomoku.IsPSQ(string(begin)) || gomoku.IsSGF(string(begin)) },
	Rules: func(text []byte) []string {
		if gomoku.IsSGF(string(text)) {
			list, _ := gomoku.ParseSGF(string(text))
			if len(list) == 0 {
				return nil
			}
			return list[0].Options()
		}
		r, _ := gomoku.ParsePSQ(string(text))
		if r == nil {
			return nil
		}
		return []string{fmt.Sprintf("size=%dx%d", r.Rows, r.Columns)}
	},
	Read: func(g *gomoku.Game, text []byte) iter.Seq2[playedGomoku, error] {
		if gomoku.IsSGF(string(text)) {
			return readSGF(g, string(text))
		}
		return func(yield func(playedGomoku, error) bool) {
			r, moves, err := readPSQ(g, text)
			game := playedGomoku{Line: 1, From: g.Start(), Moves: moves}
			if r != nil {
				game.Record, game.Title = r, titleOf(r.Names)
			}
			yield(game, err)
		}
	},
	Formats: []string{formatSGF},
	Write: func(g *gomoku.Game, _ string, list []app.Annotated[gomoku.Position, gomoku.Square]) (text []byte) {
		for _, x := range list {
			r := sgfOf(g, &x.Played)
			if x.Remarks != nil {
				r.Unremark()
			}
			for _, m := range x.Remarks {
				g.Remark(r, m.Ply, m.Mark, m.Comment, m.Instead)
			}
			text = r.AppendSGF(text)
		}
		return text
	},
}

type playedGomoku = app.Played[gomoku.Position, gomoku.Square]

const formatSGF = "sgf"

// playersOf returns the players in a title of [titleOf], the one who moves first at a place; empty if the title is another.
func playersOf(title string, first int) (names [2]string) {
	if one, other, named := strings.Cut(title, " - "); named {
		names[first], names[1-first] = one, other
	}
	return names
}

// titleOf names a game by its players, empty if the record does not say who they are.
func titleOf(names [2]string) string {
	if names == [2]string{} {
		return ""
	}
	return names[0] + " - " + names[1]
}

// readSGF reads the games of a text in SGF.
func readSGF(g *gomoku.Game, text string) iter.Seq2[playedGomoku, error] {
	return func(yield func(playedGomoku, error) bool) {
		list, wrong := gomoku.ParseSGF(text)
		for i, r := range list {
			from, moves, err := g.ReplaySGF(r)
			if i == len(list)-1 {
				err, wrong = cmp.Or(err, wrong), nil
			}
			if !yield(playedGomoku{Line: r.Line, Title: titleOf(r.Names()), From: from, Moves: moves, Format: formatSGF, Record: r}, err) {
				return
			}
		}
		if wrong != nil {
			yield(playedGomoku{From: g.Start()}, wrong)
		}
	}
}

// sgfOf returns a game in SGF, a copy of its record if it was read there.
func sgfOf(g *gomoku.Game, x *playedGomoku) *gomoku.SGF {
	if r, ok := x.Record.(*gomoku.SGF); ok {
		return r.Clone()
	}
	r := g.NewSGF(x.From, x.Moves)
	r.SetNames(playersOf(x.Title, int(x.From.ToMove())))
	if psq, ok := x.Record.(*gomoku.Record); ok {
		r.SetNames(psq.Names)
		for ply, ms := range psq.Milliseconds {
			if ms > 0 && ply < len(x.Moves) {
				r.Comment(ply, (time.Duration(ms) * time.Millisecond).String())
			}
		}
	}
	return r
}

// ParsePSQ returns the moves of a PSQ file. If one is wrong, it returns those before. The error
// is an [UnreadError] if only lines after the end of the moves look like moves.
func ParsePSQ(g *gomoku.Game, text []byte) ([]gomoku.Square, error) {
	_, moves, err := readPSQ(g, text)
	return moves, err
}

func readPSQ(g *gomoku.Game, text []byte) (*gomoku.Record, []gomoku.Square, error) {
	r, wrong := gomoku.ParsePSQ(string(text))
	if r == nil {
		return nil, nil, wrong
	}
	moves, err := g.Replay(r)
	switch {
	case err != nil:
		return r, moves, err
	case wrong == nil && r.Unread > 0:
		return r, moves, UnreadError(r.Unread)
	}
	return r, moves, wrong
}

// UnreadError is the number of a line that looks like a move, but is not read.
type UnreadError int

// Error implements [error].
func (line UnreadError) Error() string {
	return fmt.Sprintf("line %d is not read, though it looks like a move: another line before it ends the moves", int(line))
}
