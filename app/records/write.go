package records

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/movetext"
	"github.com/yomikiri/yomikiri/play/match"
)

// Notation is the format that any game can be written in: that of match --notation, which looks like PGN.
const Notation = "pgn"

// Formats returns the formats in which [Write] writes games, by the extensions of their files, the usual one first.
func Formats(g *app.Game) []string { return append(slices.Clip(g.Formats), Notation) }

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
	if format != Notation {
		return g.WriteRecords(format, list)
	}
	var text []byte
	for _, x := range list {
		text = append(notationOf(g, &x).Append(text), '\n')
	}
	return text
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
		n = match.NewNotation(g.Rules.Whole().String(), "-", names[0], names[1], g.PositionText(x.From), texts(g, x.From, x.Moves))
		if points := pointsOf(&x.Played); points != nil {
			ending := ""
			if x.Resigned {
				ending = string(match.ByResigning)
			}
			n.SetResult(*points, ending)
		}
	}
	for _, m := range x.Remarks {
		if m.Ply >= len(x.Moves) {
			n.Remark(len(x.Moves)-1, "", m.Comment, nil)
			continue
		}
		p := x.From
		for _, made := range x.Moves[:m.Ply] {
			p = g.Play(p, made)
		}
		n.Remark(m.Ply, m.Mark, m.Comment, texts(g, p, m.Instead))
	}
	return n
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

// texts returns moves from a position as text.
func texts(g games.Game[app.Position, app.Move], p app.Position, moves []app.Move) []string {
	list := []string{}
	for _, m := range moves {
		list = append(list, string(g.AppendMove(nil, p, m)))
		p = g.Play(p, m)
	}
	return list
}
