package records

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/play/match"
)

// Game is a game and why the rest of it could not be read, nil if it was.
type Game struct {
	app.Recorded
	Err error
}

// Shows reports whether there is anything to go through.
func (r *Game) Shows() bool { return r.Err == nil || len(r.Moves) > 0 }

// ReadFile reads a file of games; see [Read].
func ReadFile(g *app.Game, name string) ([]Game, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Read(context.Background(), g, name, text)
}

// Read reads the games of a file, in any of the formats of the game; see [Reads]. It fails if no move can be read, nor a game
// without any, or ctx ends.
func Read(ctx context.Context, g *app.Game, name string, text []byte) ([]Game, error) {
	read := In(g, text)
	known := read != nil
	if !known {
		lines := positionLines()
		read = func(text []byte) iter.Seq2[app.Recorded, error] { return lines.games(g.Board, text) }
		_, known = firstPosition(g, text)
	}
	var list []Game
	for game, err := range read(text) {
		if game.Title == "" && len(list) > 0 {
			game.Title = fmt.Sprintf("game %d", len(list)+1)
		}
		list = append(list, Game{game, err})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	list, err := readable(name, list, len(bytes.TrimSpace(text)) == 0)
	if err != nil && !known && firstLine(text) != "" {
		err = fmt.Errorf("%w; it is in none of the formats of %s: %s", err, g.Family.Name, strings.Join(Reads(g.Family), ", "))
	}
	return list, err
}

// positionLines are lines of positions with moves, which every game has.
func positionLines() *lineFormat[games.Game[app.Position, app.Move], app.Position, app.Move] {
	return &lineFormat[games.Game[app.Position, app.Move], app.Position, app.Move]{is: func(string) bool { return false }}
}

// firstPosition returns the first line of a text, and whether it begins with a position of the game.
func firstPosition(g *app.Game, text []byte) (line string, is bool) {
	line = firstLine(text)
	position, _, _ := strings.Cut(line+" ", " moves ")
	_, err := games.ReadPosition(g.Board, position)
	return line, err == nil
}

// Reads returns the names of the formats in which some games are read.
func Reads(list ...*app.Family) (names []string) {
	for _, f := range list {
		for _, r := range f.Records {
			if !slices.Contains(names, r.Name) {
				names = append(names, r.Name)
			}
		}
	}
	return append(names, "lines of positions with moves (startpos moves ...)", "what match --notation writes")
}

// readable returns the games of a file. If nothing of them could be read it says why.
func readable(name string, list []Game, empty bool) ([]Game, error) {
	switch {
	case slices.ContainsFunc(list, func(r Game) bool { return r.Shows() }):
		return list, nil
	case empty:
		return nil, fmt.Errorf("%s is empty", name)
	case len(list) == 0:
		return nil, fmt.Errorf("%s has no game", name)
	}
	return nil, fmt.Errorf("%s: %w", name, list[0].Err)
}

// In reads the games of a text, of a match or in a notation of the game's own. It is nil for a
// text of neither.
func In(g *app.Game, begin []byte) func(text []byte) iter.Seq2[app.Recorded, error] {
	switch {
	case match.IsNotation(begin):
		return func(text []byte) iter.Seq2[app.Recorded, error] { return matchNotation(g, text) }
	}
	for _, f := range g.Records {
		if f.Recognise(begin) {
			return f.Read
		}
	}
	return nil
}

// matchNotation reads the games that match --notation wrote, or [Write] in [Notation].
func matchNotation(g *app.Game, text []byte) iter.Seq2[app.Recorded, error] {
	return func(yield func(app.Recorded, error) bool) {
		for n, err := range match.ReadNotation(string(text)) {
			r := app.Recorded{Line: n.Line, Title: titleOf([2]string{n.First, n.Second}), Resigned: n.Ending == match.ByResigning, Format: Notation, Record: &n}
			rules, wrong := g.Family.Info.Rules(n.Game)
			switch {
			case wrong != nil || rules.Whole().String() != g.Rules.Whole().String():
				err = cmp.Or(err, fmt.Errorf("line %d: this is a game of %s, not of %s", n.Line, n.Game, g.Rules.Whole()))
			default:
				if r.From, wrong = g.ParsePosition(n.Position); wrong == nil {
					r.Moves, _, wrong = games.ParseMoves(g.Board, r.From, n.Moves)
				}
				if wrong != nil {
					err = cmp.Or(err, fmt.Errorf("the game of line %d: %w", n.Line, wrong))
				}
				if points, known := n.Points(); known && err == nil && !n.Ending.Forfeits() {
					r.Points = &points
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// IsBinary reports whether a file that begins so has games in a format that is no text.
func IsBinary(begin []byte) bool { return gomoku.IsLib(begin) }
