package records

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/movetext"
	"github.com/yomikiri/yomikiri/play/match"
)

// Notation is the format that any game can be written in: PGN if the game has that, or else what match --notation writes, which
// looks like it.
const Notation = "pgn"

// Formats returns the formats in which [Write] writes games, by the extensions of their files, the usual one first.
func Formats(g *app.Game) []string {
	var list, bare []string
	for _, f := range g.Records {
		switch {
		case f.Write == nil:
		case f.Bare:
			bare = append(bare, f.Extensions...)
		default:
			list = append(list, f.Extensions...)
		}
	}
	if !slices.Contains(list, Notation) {
		list = append(list, Notation)
	}
	return append(list, bare...)
}

// FormatOf returns the format of a file that some games are written to: by the extension of its name, or that in which
// the first game was read if there is no extension, or it is txt. Without games it only checks the name.
func FormatOf(g *app.Game, name string, list []app.AnnotatedGame) (string, error) {
	formats := Formats(g)
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	switch {
	case slices.Contains(formats, format):
		return format, nil
	case format != "" && format != "txt":
		last := len(formats) - 1
		want := formats[last]
		if last > 0 {
			want = strings.Join(formats[:last], ", ") + " or " + want
		}
		return "", fmt.Errorf("%s: games of %s with remarks are written as %s", name, g.Family.Name, want)
	case len(list) > 0 && slices.Contains(formats, list[0].Format):
		return list[0].Format, nil
	}
	return formats[0], nil
}

// Write writes games with remarks in one of [Formats], as a text of their own. Remarks take the place of those that were written
// before, unless they are nil. What else the record of a game has besides its moves remains, as far as the format has a place for it.
func Write(g *app.Game, format string, list []app.AnnotatedGame) []byte {
	list = slices.Clone(list)
	for i := range list {
		remarks := slices.Clone(list[i].Remarks) // nil remains nil
		for j := range remarks {
			remarks[j].Comment = oneLine(remarks[j].Comment)
		}
		list[i].Remarks = remarks
	}
	for _, f := range g.Records {
		if slices.Contains(f.Extensions, format) && !(format == Notation && slices.ContainsFunc(list, isNotation)) {
			return f.Write(format, list)
		}
	}
	var text []byte
	for _, x := range list {
		text = append(notationOf(g, &x).Append(text), '\n')
	}
	return text
}

// isNotation reports whether a game was read in what match --notation writes.
func isNotation(x app.AnnotatedGame) bool {
	_, ok := x.Record.(*match.Notation)
	return ok
}

// oneLine returns a text on one line, without what is no text.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// notationOf returns the notation of a game with remarks.
func notationOf(g *app.Game, x *app.AnnotatedGame) *match.Notation {
	var n *match.Notation
	if known, ok := x.Record.(*match.Notation); ok {
		c := *known
		c.Asides = asidesOf(&known.Asides, x.Remarks != nil)
		n = &c
	} else {
		names := playersOf(x.Title, 0)
		if names == [2]string{} {
			names = [2]string{"?", "?"}
		}
		n = match.NewNotation(g.Rules.Whole().String(), "-", names[0], names[1], g.PositionText(x.From), texts(g, x.From, x.Moves, g.AppendMove))
		if points := pointsOf(&x.Played); points != nil {
			ending := ""
			if x.Resigned {
				ending = string(match.ByResigning)
			}
			n.SetResult(*points, ending)
		}
	}
	addRemarks(&n.Asides, 0, g, x, g.AppendMove)
	return n
}

// addRemarks adds the remarks on a game to what its record has beside the moves. before is that of [movetext.Append], and text
// appends a move as the record has it.
func addRemarks[P, M comparable](a *movetext.Asides, before int, g games.Game[P, M], x *app.Annotated[P, M], text func([]byte, P, M) []byte) {
	for p, r := range remarked(g, x) {
		if r.Ply >= len(x.Moves) {
			a.Remark(before, len(x.Moves)-1, "", r.Comment, nil)
			continue
		}
		a.Remark(before, r.Ply, r.Mark, r.Comment, texts(g, p, r.Instead, text))
	}
}

// remarked returns the remarks on a game, each with the position before its move; that at the end for a remark on the end.
func remarked[G games.Game[P, M], P, M comparable](g G, x *app.Annotated[P, M]) iter.Seq2[P, app.Remark[M]] {
	return func(yield func(P, app.Remark[M]) bool) {
		p, made := x.From, 0
		for _, r := range x.Remarks {
			if r.Ply < made {
				p, made = x.From, 0
			}
			for ; made < min(r.Ply, len(x.Moves)); made++ {
				p = g.Play(p, x.Moves[made])
			}
			if !yield(p, r) {
				return
			}
		}
	}
}

// asidesOf returns a copy of what a record has beside the moves, without the remarks that were written before if new ones
// take their place.
func asidesOf(a *movetext.Asides, replace bool) movetext.Asides {
	c := a.Clone()
	if replace {
		c.Unremark()
	}
	return c
}

// pointsOf returns the points of the side that moved first in a game, nil if the record does not say.
func pointsOf[P, M comparable](x *app.Played[P, M]) *float64 {
	if x.Points != nil || !x.Resigned {
		return x.Points
	}
	points := float64(len(x.Moves) % 2)
	return &points
}

// texts returns moves from a position as text, which text appends.
func texts[P, M comparable](g games.Game[P, M], p P, moves []M, text func([]byte, P, M) []byte) []string {
	list := []string{}
	for _, m := range moves {
		list = append(list, string(text(nil, p, m)))
		p = g.Play(p, m)
	}
	return list
}
