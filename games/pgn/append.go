package pgn

import (
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games/movetext"
)

// Text is a game to be written.
type Text struct {
	Tags   []Tag
	Result string
	// Start is the position in which the game begins, empty for that of the game.
	Start string
	// Before is the number of moves in the game before the first of Moves, which gives it its number.
	Before int
	Moves  []string
	movetext.Asides
}

// Append appends a game: its tags, then lines of moves with what is beside them, and the result. Tags of the result and of Start
// are added if there are none. A line break in the value of a tag becomes a blank.
func (n *Notation) Append(dst []byte, t *Text) []byte {
	has := func(name string) bool {
		return slices.ContainsFunc(t.Tags, func(t Tag) bool { return strings.EqualFold(t.Name, name) })
	}
	tags := t.Tags[:len(t.Tags):len(t.Tags)]
	if !has(TagResult) {
		tags = append(tags, Tag{TagResult, t.Result})
	}
	if t.Start != "" && !has(TagFEN) {
		tags = append(tags, Tag{TagSetUp, "1"}, Tag{TagFEN, t.Start})
	}
	for _, t := range tags {
		dst = append(dst, '[')
		dst = append(dst, t.Name...)
		dst = append(dst, ` "`...)
		dst = append(dst, tagEscapes.Replace(t.Value)...)
		dst = append(dst, "\"]\n"...)
	}
	dst = append(dst, '\n')
	result := t.Result
	if !slices.Contains(n.Results, result) {
		result = Unknown
	}
	return movetext.Append(dst, t.Before, t.Moves, &t.Asides, result)
}

var tagEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r\n", " ", "\n", " ", "\r", " ")
