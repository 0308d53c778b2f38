package pgn

import (
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games/movetext"
)

// Text is a game to be written.
type Text struct {
	Tags   []Tag // apart from that of the result
	Result string
	// Start is the position in which the game begins, empty for that of the game.
	Start string
	Moves []string
	// Late says that the side that moves second in a game moves first in this one, and has its number.
	Late bool
	movetext.Asides
}

// Append appends a game: its tags, then lines of moves with what is beside them, and the result. A line break in the value of
// a tag becomes a blank.
func (n *Notation) Append(dst []byte, t *Text) []byte {
	tag := func(name, value string) {
		dst = append(dst, '[')
		dst = append(dst, name...)
		dst = append(dst, ` "`...)
		dst = append(dst, tagEscapes.Replace(value)...)
		dst = append(dst, "\"]\n"...)
	}
	for _, t := range t.Tags {
		tag(t.Name, t.Value)
	}
	tag(TagResult, t.Result)
	if t.Start != "" {
		tag(TagSetUp, "1")
		tag(TagFEN, t.Start)
	}
	dst = append(dst, '\n')
	result := t.Result
	if !slices.Contains(n.Results, result) {
		result = Unknown
	}
	before := 0
	if t.Late {
		before = 1
	}
	return movetext.Append(dst, before, t.Moves, &t.Asides, result)
}

var tagEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r\n", " ", "\n", " ", "\r", " ")
