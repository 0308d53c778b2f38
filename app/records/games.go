package records

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
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

// Read reads the games of a file: in a format of the game's own, or positions with moves, one on each
// line. It fails if no move can be read, nor a game without any, or ctx ends.
func Read(ctx context.Context, g *app.Game, name string, text []byte) ([]Game, error) {
	var list []Game
	if read := In(g, text); read != nil {
		for game, err := range read(text) {
			if game.Title == "" && len(list) > 0 {
				game.Title = fmt.Sprintf("game %d", len(list)+1)
			}
			list = append(list, Game{game, err})
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		return readable(name, list)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from, moves, err := games.ReadGame(g.Board, line)
		if err != nil {
			err = fmt.Errorf("line %d: %w", i+1, err)
		}
		list = append(list, Game{app.Recorded{Line: i + 1, Title: fmt.Sprintf("line %d", i+1), From: from, Moves: moves}, err})
	}
	return readable(name, list)
}

// readable returns the games of a file. If nothing of them could be read it says why.
func readable(name string, list []Game) ([]Game, error) {
	switch {
	case slices.ContainsFunc(list, func(r Game) bool { return r.Shows() }):
		return list, nil
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
	case g.Records != nil && g.Family.Records.Recognise(begin):
		return g.Records
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
