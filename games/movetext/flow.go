package movetext

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// width is the most that lines have, unless a word is longer: the export format of PGN wants fewer than 80 columns.
const width = 79

// flow is a text of words that can be broken into lines.
type flow struct {
	text   []byte // on one line, but for the end of each comment after a semicolon
	breaks []int  // the blanks of text at which a line may end
	glued  bool   // the next word follows without a blank
	kept   bool   // the next word stays on the line of the last one, a number
}

// word adds a word, which may be empty.
func (f *flow) word(word string) {
	if word == "" {
		return
	}
	n := len(f.text)
	switch begins := mayBegin(word); {
	case n == 0 || f.glued:
	case f.text[n-1] == '\n':
		if !begins {
			f.text = append(f.text, "{} "...)
		}
	default:
		if begins && !f.kept {
			f.breaks = append(f.breaks, n)
		}
		f.text = append(f.text, ' ')
	}
	f.text = append(f.text, word...)
	f.glued, f.kept = false, false
}

// mayBegin reports whether a word may begin a line: the rest of a line that begins with % is not read, and one that begins
// like a tag is taken for one.
func mayBegin(word string) bool {
	return word[0] != '%' && (word[0] != '[' || command.MatchString(word))
}

// command is a command in a comment, such as [%clk 0:10:00].
var command = regexp.MustCompile(`^\[[^"\]]*\]`)

// longestCommand is the number of words up to which a command stays on one line.
const longestCommand = 4

// comment adds a comment.
func (f *flow) comment(text string) {
	words := strings.Fields(text)
	if strings.Contains(text, "}") {
		f.word(";" + strings.Join(words, " ")) // to the end of the line
		f.text = append(f.text, '\n')
		return
	}
	f.word("{")
	f.glued = true
	for len(words) > 0 {
		n := 1
		if words[0][0] == '[' {
			few := words[:min(len(words), longestCommand)]
			n = max(1, 1+slices.IndexFunc(few, func(word string) bool { return strings.Contains(word, "]") }))
		}
		f.word(strings.Join(words[:n], " "))
		words = words[n:]
	}
	f.text = append(f.text, '}')
	f.glued = false
}

// variation adds a variation, in parentheses.
func (f *flow) variation(text string) {
	lastLine := strings.LastIndexByte(text, '\n') + 1
	for i := 0; i < len(text); {
		rest := text[i:]
		c, n := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(c):
		case c == '%' && i > 0 && text[i-1] == '\n':
			line, _, _ := strings.Cut(rest, "\n")
			n = len(line)
		case c == '(':
			f.word("(")
			f.glued = true
		case c == ')':
			f.text = append(f.text, ')')
			f.glued, f.kept = false, false
		case c == ';' && i < lastLine:
			line, _, _ := strings.Cut(rest, "\n")
			n = len(line)
			if strings.TrimSpace(line[1:]) != "" {
				f.comment(line[1:])
			}
		case c == '{':
			inside, _, _ := strings.Cut(rest[1:], "}")
			f.comment(inside)
			n = len(inside) + 2
		default:
			if end := strings.IndexFunc(rest[n:], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(){;", r) }); end >= 0 {
				n += end
			} else {
				n = len(rest)
			}
			f.word(rest[:n])
			f.kept = number.MatchString(rest[:n])
		}
		i += n
	}
}

// number is that of a move, which stays on its line.
var number = regexp.MustCompile(`^[0-9]+(?:\.|…)+$`)

// OneLine returns a variation, in parentheses, on one line, which [Append] breaks again. Comments after a semicolon are in
// braces then, unless they have a closing brace, and lines that begin with % are left out.
func OneLine(variation string) string {
	var f flow
	f.variation(variation)
	return string(f.text)
}

// lines appends the text in lines.
func (f *flow) lines(dst []byte) []byte {
	begin, column := 0, 0
	for _, end := range append(f.breaks, len(f.text)) {
		word := f.text[begin:end]
		begin = end + 1
		first, _, _ := strings.Cut(string(word), "\n")
		if n := utf8.RuneCountInString(first); column > 0 && column+1+n > width {
			dst = append(dst, '\n')
			column = 0
		} else if column > 0 {
			dst = append(dst, ' ')
			column++
		}
		dst = append(dst, word...)
		if at := strings.LastIndexByte(string(word), '\n'); at >= 0 {
			column = 0
			word = word[at+1:]
		}
		column += utf8.RuneCount(word)
	}
	return dst
}
