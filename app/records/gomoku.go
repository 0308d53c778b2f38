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

type playedGomoku = app.Played[gomoku.Position, gomoku.Square]

// Gomoku reads games in SGF, as lists of moves, in PSQ, one in a file, and as libraries of RenLib. It writes the first two.
var Gomoku = []app.Format[*gomoku.Game, gomoku.Position, gomoku.Square]{
	formatSGF(gomoku.NumberSGF, gomoku.OptionsSGF, (*gomoku.Game).SGF, othersGomoku...), moveLists.format(), PSQ, lib,
}

// othersGomoku are the numbers in SGF that some programs give games of gomoku and renju: none, or those of Go and of backgammon.
var othersGomoku = []string{"", "1", "5"}

// moveLists are lines of moves.
var moveLists = &lineFormat[*gomoku.Game, gomoku.Position, gomoku.Square]{
	name: "lists of moves (h8i9g7)", extension: extensionMoves,
	is: gomoku.IsMoveList,
	of: func(line string) bool { return !opensOthello(line) },
	read: func(g *gomoku.Game, line string) (game playedGomoku, err error) {
		game.From = g.Start()
		game.Moves, err = g.ParseMoveList(line)
		return game, err
	},
	write: func(g *gomoku.Game, x *playedGomoku) (string, bool) {
		return string(gomoku.AppendMoveList(nil, x.Moves)), x.From == g.Start() && len(x.Moves) > 0
	},
}

// PSQ is how the Piskvork manager saves a game.
var PSQ = app.Format[*gomoku.Game, gomoku.Position, gomoku.Square]{
	Name:      "PSQ",
	Recognise: func(begin []byte) bool { return gomoku.IsPSQ(string(begin)) },
	Rules: func(text []byte) []string {
		r, _ := gomoku.ParsePSQ(string(text))
		if r == nil {
			return nil
		}
		return []string{fmt.Sprintf("size=%dx%d", r.Rows, r.Columns)}
	},
	Read: func(g *gomoku.Game, text []byte) iter.Seq2[playedGomoku, error] {
		return func(yield func(playedGomoku, error) bool) {
			r, moves, err := readPSQ(g, text)
			game := playedGomoku{Line: 1, From: g.Start(), Moves: moves}
			if r != nil {
				// In SGF the times are in comments.
				tree := g.SGF().New(game.From, moves)
				tree.SetNames(r.Names)
				for ply, ms := range r.Milliseconds {
					if ms > 0 && ply < len(moves) {
						tree.Comment(ply, (time.Duration(ms) * time.Millisecond).String())
					}
				}
				game.Record, game.Title = tree, titleOf(r.Names)
			}
			yield(game, err)
		}
	},
}

// lib is the format of libraries of RenLib, which are read as SGF.
var lib = app.Format[*gomoku.Game, gomoku.Position, gomoku.Square]{
	Name:      "RenLib (.lib)",
	Recognise: gomoku.IsLib,
	Read: func(g *gomoku.Game, data []byte) iter.Seq2[playedGomoku, error] {
		return func(yield func(playedGomoku, error) bool) {
			r, wrong := gomoku.ParseLib(data)
			game, err := playedSGF(g, g.SGF(), r)
			yield(game, cmp.Or(err, wrong))
		}
	},
}

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
