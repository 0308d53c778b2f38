package ui

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// TextWidth is the number of columns that text is wrapped at, except help on a terminal.
const TextWidth = 80

// Wrapped wraps a line at blanks, and indents what follows by hang. A word that is too long, such
// as a path, keeps a line of its own.
func Wrapped(line string, hang int) string { return wrapped(line, hang, TextWidth) }

func wrapped(line string, hang, columns int) string {
	var b strings.Builder
	column := 0
	for rest := line; rest != ""; {
		blanks := len(rest) - len(strings.TrimLeft(rest, " "))
		word, after, _ := strings.Cut(rest[blanks:], " ")
		if after != "" || strings.HasSuffix(rest[blanks:], " ") {
			after = " " + after
		}
		width := utf8.RuneCountInString(word)
		if column > hang && column+blanks+width > columns {
			b.WriteString("\n" + strings.Repeat(" ", hang))
			column, blanks = hang, 0
		}
		b.WriteString(strings.Repeat(" ", blanks) + word)
		column += blanks + width
		rest = after
	}
	return b.String()
}

// listItem matches an indented line with a name, its description further right, as in a list.
var listItem = regexp.MustCompile(`^( +\S+(?: \S+)* {2,})\S`)

// WrappedText wraps paragraphs, and the descriptions of indented lists, at a number of columns.
func WrappedText(text string, columns int) string {
	var lines []string
	hang := -1 // where the last line goes on; -1 if nothing may be joined to it
	for line := range strings.SplitSeq(text, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if line != "" && indent == hang {
			lines[len(lines)-1] += " " + line[indent:]
			continue
		}
		lines = append(lines, line)
		switch item := listItem.FindStringSubmatch(line); {
		case line == "":
			hang = -1
		case indent == 0:
			hang = 0
		case item != nil:
			hang = len(item[1])
		default:
			hang = -1
		}
	}
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if item := listItem.FindStringSubmatch(line); item != nil {
			indent = len(item[1])
		}
		lines[i] = wrapped(line, indent, columns)
	}
	return strings.Join(lines, "\n")
}
