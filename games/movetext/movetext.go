package movetext

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Asides are what a text has beside the moves. Comments[i] are the comments after i moves, on a line each, Marks[i] the
// marks of the last of these moves, and Variations[i] what may be played instead of it, in parentheses, as [OneLine] has
// it. There may be fewer than moves.
type Asides struct{ Comments, Marks, Variations [][]string }

// Add adds a text to those of a list after a number of moves.
func Add(list [][]string, moves int, text string) [][]string {
	if missing := moves + 1 - len(list); missing > 0 {
		list = append(list, make([][]string, missing)...)
	}
	list[moves] = append(list[moves], text)
	return list
}

// At returns the texts of a list after a number of moves.
func At(list [][]string, moves int) []string {
	if moves < len(list) {
		return list[moves]
	}
	return nil
}

// Clone returns a copy that shares nothing that [Asides.Remark] changes.
func (a *Asides) Clone() Asides {
	clone := func(list [][]string) [][]string {
		list = slices.Clone(list)
		for i := range list {
			list[i] = slices.Clip(list[i])
		}
		return list
	}
	return Asides{clone(a.Comments), clone(a.Marks), clone(a.Variations)}
}

// Remark adds a mark and a comment to a move, and moves that may be played instead. Each may be empty, and a mark or a
// variation that the move has is not added again. ply is the number of moves before it in the text, and before that of
// [Append]. [Asides.Unremark] finds what was added.
func (a *Asides) Remark(before, ply int, mark, comment string, instead []string) {
	if slices.ContainsFunc(At(a.Marks, ply+1), func(has string) bool { return has == mark || glyphs[has] == mark }) {
		mark = ""
	}
	if mark != "" {
		a.Marks = Add(a.Marks, ply+1, mark)
	}
	if mark != "" || comment != "" {
		a.Comments = Add(a.Comments, ply+1, Sign(mark, braces.Replace(comment)))
	}
	if len(instead) == 0 {
		return
	}
	var line []string
	for i, move := range instead {
		line = append(line, numbered(before+ply+i, move, i == 0))
	}
	if text := strings.Join(line, " "); !slices.Contains(At(a.Variations, ply+1), "("+text+")") {
		a.Variations = Add(a.Variations, ply+1, "({"+Author+"} "+text+")")
	}
}

// glyphs are the marks that numeric annotation glyphs of PGN stand for.
var glyphs = map[string]string{"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}

// Unremark removes what [Asides.Remark] has added, also if the text was written and read again. A variation that leaves
// such a line of moves, or a comment in it, was added by somebody else, and keeps the line.
func (a *Asides) Unremark() {
	for i, comments := range a.Comments {
		for _, text := range comments {
			if mark, ours := Signed(text); ours && mark != "" && slices.Contains(At(a.Marks, i), mark) {
				at := len(a.Marks[i]) - 1
				for a.Marks[i][at] != mark {
					at--
				}
				a.Marks[i] = slices.Concat(a.Marks[i][:at], a.Marks[i][at+1:])
			}
		}
		a.Comments[i] = without(comments, func(text string) bool { _, ours := Signed(text); return ours })
	}
	for i, list := range a.Variations {
		a.Variations[i] = without(list, signedLine.MatchString)
	}
}

// signedLine is a variation of [Asides.Remark].
var signedLine = regexp.MustCompile(`^\(\s*\{\s*` + Author + `\s*\}[^(){};]*\)$`)

// without returns a new list of those texts that are not of some kind.
func without(list []string, kind func(text string) bool) (rest []string) {
	for _, text := range list {
		if !kind(text) {
			rest = append(rest, text)
		}
	}
	return rest
}

// numbered returns a move with its number, which that of the second side has only if it is the first or follows an aside.
// ply is the number of moves before it.
func numbered(ply int, move string, first bool) string {
	switch n := strconv.Itoa(ply/2 + 1); {
	case ply%2 == 0:
		return n + ". " + move
	case first:
		return n + "... " + move
	}
	return move
}

// Append appends lines of moves, with what is beside them, and the result. Lines have fewer than 80 columns unless a word has
// more. Comments are in braces, or after a semicolon if they have a closing brace. before is the number of moves in the game
// before the first one, which gives it its number: it is odd if the side that moves second in a game begins.
func Append(dst []byte, before int, moves []string, a *Asides, result string) []byte {
	var text flow
	asides := func(moves int) (some bool) {
		for _, comment := range At(a.Comments, moves) {
			text.comment(comment)
			some = true
		}
		for _, variation := range At(a.Variations, moves) {
			text.variation(variation)
			some = true
		}
		return some
	}
	asides(0)
	first := true
	for i, move := range moves {
		move = numbered(before+i, move, first)
		marks := At(a.Marks, i+1)
		if len(marks) > 0 && marks[0][0] != '$' {
			move, marks = move+marks[0], marks[1:]
		}
		text.word(move)
		for _, mark := range marks {
			text.word(mark)
		}
		first = asides(i + 1)
	}
	text.word(result)
	return append(text.lines(dst), '\n')
}

// braces replaces what a comment in braces cannot have.
var braces = strings.NewReplacer("}", ")", "\r\n", " ", "\n", " ", "\r", " ")
