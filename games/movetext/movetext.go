package movetext

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Asides are what a text has beside the moves. Comments[i] are the comments after i moves, on a line each, Marks[i] the
// marks of the last of these moves, and Variations[i] what may be played instead of it, in parentheses, as the text has
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
// variation that the move has is not added again. ply is the number of moves before it. [Asides.Unremark] finds what was added.
func (a *Asides) Remark(ply int, mark, comment string, instead []string) {
	if slices.Contains(At(a.Marks, ply+1), mark) {
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
	if line := strings.Join(numbered(ply, instead), " "); !slices.Contains(At(a.Variations, ply+1), "("+line+")") {
		a.Variations = Add(a.Variations, ply+1, "({"+Author+"} "+line+")")
	}
}

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

// numbered returns moves with their numbers. ply is the number of moves before them.
func numbered(ply int, moves []string) []string {
	list := slices.Clone(moves)
	for i := range list {
		switch n := strconv.Itoa((ply+i)/2 + 1); {
		case (ply+i)%2 == 0:
			list[i] = n + ". " + list[i]
		case i == 0:
			list[i] = n + "... " + list[i]
		}
	}
	return list
}

// width is that of lines, unless something longer is on one.
const width = 80

// Append appends lines of moves, with what is beside them, and the result. Comments are in braces, or after a semicolon if they
// have a closing brace. before is the number of moves before the first one, 1
// if the side that moves second in a game begins.
func Append(dst []byte, before int, moves []string, a *Asides, result string) []byte {
	begin := len(dst)
	add := func(text string) {
		switch n := len(dst) - begin; {
		case n == 0:
		case n+1+len(text) > width:
			dst = append(dst, '\n')
			begin = len(dst)
		default:
			dst = append(dst, ' ')
		}
		dst = append(dst, text...)
	}
	asides := func(moves int) {
		for _, text := range At(a.Comments, moves) {
			if !strings.Contains(text, "}") {
				add("{" + lineBreaks.Replace(text) + "}")
				continue
			}
			add(";" + lineBreaks.Replace(text)) // to the end of the line
			dst = append(dst, '\n')
			begin = len(dst)
		}
		for _, text := range At(a.Variations, moves) {
			add(text)
		}
	}
	asides(0)
	for i, move := range numbered(before, moves) {
		marks := At(a.Marks, i+1)
		if len(marks) > 0 && marks[0][0] != '$' {
			move, marks = move+marks[0], marks[1:]
		}
		add(move)
		for _, text := range marks {
			add(text)
		}
		asides(i + 1)
	}
	add(result)
	return append(dst, '\n')
}

var (
	lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")
	braces     = strings.NewReplacer("}", ")", "\r\n", " ", "\n", " ", "\r", " ") // what a comment in braces cannot have
)
