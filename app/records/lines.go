package records

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/movetext"
)

// extensionMoves is the extension of files with the moves of a game on each line.
const extensionMoves = "moves"

// lineFormat is a format with a game on each line. Lines that begin with # are comments on the game after them, and a tab ends
// a game.
type lineFormat[G games.Game[P, M], P, M comparable] struct {
	name, extension string
	// is reports whether a line looks like a game, which may be wrong.
	is func(line string) bool
	// of reports whether a line is of this game rather than of another; nil if only this game has such lines.
	of func(line string) bool
	// read reads a game; a line that is none is a position with moves.
	read func(g G, line string) (app.Played[P, M], error)
	// write writes a game, if it can be written so.
	write func(g G, x *app.Played[P, M]) (string, bool)
}

// lineRecord is what is known of a game on a line besides its moves.
type lineRecord struct {
	comments []string // on lines before it
	rest     string   // after the tab
	after    []string // comments on lines after the last game
	game     any      // what the reader of the line knows
}

// format returns the format.
func (f *lineFormat[G, P, M]) format() app.Format[G, P, M] {
	x := app.Format[G, P, M]{
		Name:       f.name,
		Recognise:  func(begin []byte) bool { return f.is(firstLine(begin)) },
		Read:       f.games,
		Extensions: []string{f.extension},
		Bare:       true,
		Write:      f.append,
	}
	if f.of != nil {
		x.Of = func(text []byte) bool { return f.of(firstLine(text)) }
	}
	return x
}

// gameLine is a line with a game.
type gameLine struct {
	number   int
	text     string   // up to a tab
	rest     string   // after it
	comments []string // on lines before it
}

// gameLines splits a text, and returns the comments after the last game.
func gameLines(text []byte) (list []gameLine, after []string) {
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		switch line = strings.TrimSpace(line); {
		case line == "":
		case line[0] == '#':
			after = append(after, strings.TrimSpace(line[1:]))
		default:
			line, rest, _ := strings.Cut(line, "\t")
			list = append(list, gameLine{number, strings.TrimSpace(line), rest, after})
			after = nil
		}
	}
	return list, after
}

// mostFirst is how much of a text may be the first line. No game is as long, and every game tries to read it.
const mostFirst = 1 << 18

// firstLine returns the first line of a text with a game, which may be cut off.
func firstLine(text []byte) string {
	text = text[:min(len(text), mostFirst)]
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			line, _, _ = strings.Cut(line, "\t")
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// games reads the games of a text.
func (f *lineFormat[G, P, M]) games(g G, text []byte) iter.Seq2[app.Played[P, M], error] {
	return func(yield func(app.Played[P, M], error) bool) {
		list, after := gameLines(text)
		for i, line := range list {
			game, err := f.game(g, line.text)
			if err != nil {
				err = fmt.Errorf("line %d: %w", line.number, err)
			}
			r := &lineRecord{comments: line.comments, rest: line.rest, game: game.Record}
			if i == len(list)-1 {
				r.after = after
			}
			game.Line, game.Record = line.number, r
			if game.Title == "" {
				game.Title = r.title()
			}
			if !yield(game, err) {
				return
			}
		}
	}
}

// game reads the game of a line.
func (f *lineFormat[G, P, M]) game(g G, line string) (app.Played[P, M], error) {
	if f.is(line) {
		return f.read(g, line)
	}
	from, moves, err := games.ReadGame(games.Game[P, M](g), line)
	return app.Played[P, M]{From: from, Moves: moves}, err
}

// title is the first comment of somebody else.
func (r *lineRecord) title() string {
	for _, text := range r.comments {
		if _, ours := movetext.Signed(text); !ours && text != "" {
			return text
		}
	}
	return ""
}

// append writes games. If one of them cannot be written as the format wants it, all are positions with moves.
func (f *lineFormat[G, P, M]) append(g G, _ string, list []app.Annotated[P, M]) (text []byte) {
	lines := make([]string, len(list))
	for i := range list {
		line, can := f.write(g, &list[i].Played)
		if !can {
			for i := range list {
				lines[i] = positionLine(g, &list[i].Played)
			}
			break
		}
		lines[i] = line
	}
	for i := range list {
		x := &list[i]
		r := new(lineRecord)
		if known, ok := x.Record.(*lineRecord); ok {
			*r = *known
		} else if names := playersOf(x.Title, 0); names != [2]string{} {
			r.comments = []string{strings.TrimSpace(x.Title)}
		}
		if x.Remarks != nil {
			r.comments = slices.DeleteFunc(slices.Clone(r.comments), func(text string) bool { _, ours := movetext.Signed(text); return ours })
		}
		for _, comment := range append(r.comments, remarkLines(g, x)...) {
			text = append(text, "# "+comment+"\n"...)
		}
		if r.rest != "" {
			lines[i] += "\t" + r.rest
		}
		text = append(text, lines[i]+"\n"...)
		for _, comment := range r.after {
			text = append(text, "# "+comment+"\n"...)
		}
	}
	return text
}

// remarkLines returns the remarks on a game as comments, which name the moves by their numbers.
func remarkLines[G games.Game[P, M], P, M comparable](g G, x *app.Annotated[P, M]) (list []string) {
	for p, r := range remarked(g, x) {
		text := r.Comment
		if r.Ply < len(x.Moves) {
			text = strings.TrimSpace(fmt.Sprintf("%d. %s%s %s", r.Ply+1, g.AppendMove(nil, p, x.Moves[r.Ply]), r.Mark, r.Comment))
		}
		if len(r.Instead) > 0 {
			text += " (" + strings.Join(texts(games.Game[P, M](g), p, r.Instead, g.AppendMove), " ") + ")"
		}
		list = append(list, movetext.Sign("", text))
	}
	return list
}

// positionLine returns a game as a position with its moves.
func positionLine[G games.Game[P, M], P, M comparable](g G, x *app.Played[P, M]) string {
	line := games.StartPosition
	if x.From != g.Start() {
		line = string(g.AppendPosition(nil, x.From))
	}
	if len(x.Moves) > 0 {
		line += " moves " + strings.Join(texts(games.Game[P, M](g), x.From, x.Moves, g.AppendMove), " ")
	}
	return line
}
