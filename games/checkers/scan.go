package checkers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	byteOrderMark = "\ufeff"
	blanks        = " \t\v\f\n"
)

// transcript is a game as a text has it, before it is known whether its moves are legal.
type transcript struct {
	line   int
	tags   []tagLine
	words  []word
	result string // after the moves, "" if there is none
	// comments are those in braces or after a semicolon, with the number of words before each, marks those of moves, and
	// variations are in parentheses.
	comments, marks, variations []remarked
}

type remarked struct {
	words int
	text  string
}

type tagLine struct {
	Tag
	line int
}

// word is a move, or the number of one without a full stop.
type word struct {
	text    string
	line    int
	squares []int
	named   bool // squares are named as in chess: file and rank from 0, in a byte each
}

// begins reports whether the word is a number that the rest of a move may follow.
func (w *word) begins() bool { return !w.named && len(w.squares) == 1 && w.squares[0] < 100 }

// scanner reads transcripts.
type scanner struct {
	text string // with \n as the end of lines
	at   int
	// The line of some place that has been reached.
	line, lineAt int
	// What was skipped last.
	comments, marks, variations []string
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func newScanner(text string) *scanner {
	return &scanner{text: lineEnds.Replace(strings.TrimPrefix(text, byteOrderMark)), line: 1}
}

// lineOf returns the number of the line of a place, not before that of the last call.
func (s *scanner) lineOf(at int) int {
	s.line += strings.Count(s.text[s.lineAt:at], "\n")
	s.lineAt = at
	return s.line
}

// next returns the next game, nil if there are no more. If something is wrong with it, it also says
// what, at the first place; the game then has the words before that.
func (s *scanner) next() (*transcript, error) {
	var game transcript
	var bad error
	good := 0 // words before what is wrong
	wrong := func(err error) {
		if err != nil && bad == nil {
			bad, good = err, len(game.words)
			if good > 0 && game.words[good-1].begins() {
				good-- // what is wrong is the rest of it
			}
		}
	}
	tags := true // there may be more tags
	for {
		s.comments, s.marks, s.variations = nil, nil, nil
		wrong(s.skip())
		game.comments = remark(game.comments, len(game.words), s.comments)
		game.marks = remark(game.marks, len(game.words), s.marks)
		game.variations = remark(game.variations, len(game.words), s.variations)
		at := s.at
		if at == len(s.text) || s.text[at] == '[' && !tags {
			break
		}
		result := s.result()
		if result != "" && game.line == 0 { // it belongs to no game
			continue
		}
		if result == "" && game.result != "" {
			break
		}
		if game.line == 0 {
			game.line = s.lineOf(at)
		}
		var err error
		tags = s.text[at] == '['
		if result == "" {
			err = s.add(&game)
		} else if game.result == "" || game.result == unknownResult {
			game.result = result
		}
		if err != nil {
			wrong(lineError(s.lineOf(at), err))
		}
	}
	if game.line == 0 {
		return nil, bad
	}
	if bad != nil {
		game.words = game.words[:good]
	}
	return &game, bad
}

// add reads a tag or a move. What it cannot read is skipped.
func (s *scanner) add(game *transcript) error {
	at := s.at
	line := s.lineOf(at)
	if s.text[at] == '[' {
		tag, err := s.tag()
		game.tags = append(game.tags, tagLine{tag, line})
		return err
	}
	squares, named := s.squares()
	if len(squares) == 0 {
		text := unknownWord.FindString(s.text[at:])
		s.at += len(text)
		return fmt.Errorf("%q: want a move, a result, or a comment in braces", text)
	}
	game.words = append(game.words, word{strings.Clone(s.text[at:s.at]), line, squares, named})
	if found := strength.FindString(s.text[s.at:]); found != "" {
		game.marks = append(game.marks, remarked{len(game.words), strings.Clone(found)})
		s.at += len(found)
	}
	return nil
}

// remark appends texts after a number of words.
func remark(list []remarked, words int, texts []string) []remarked {
	for _, text := range texts {
		list = append(list, remarked{words, text})
	}
	return list
}

var (
	unknownWord = regexp.MustCompile(`^(?s:[^\s{}()\[;]+|.)`)
	strength    = regexp.MustCompile(`^[!?*+=#^]+`)
	tagBegins   = regexp.MustCompile(`^[ \t]*\[[ \t]*[^\s"\]]+[ \t]*"`)
)

func lineError(line int, err error) error { return fmt.Errorf("PDN line %d: %w", line, err) }

// skip skips what says nothing of the moves that are played: comments, variations, words,
// marks, numbers of moves, and lines that begin with %.
func (s *scanner) skip() (bad error) {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		n := len(rest) - len(strings.TrimLeft(rest, blanks))
		switch c := rest[0]; {
		case n > 0:
		case c == ';', c == '%' && (s.at == 0 || s.text[s.at-1] == '\n'):
			n = len(untilLineEnd(rest))
			if c == ';' {
				s.comment(rest[1:n])
			}
		case c == '{', c == '(':
			var err error
			if n, err = aside(rest); err != nil && bad == nil {
				bad = lineError(s.lineOf(s.at), err)
			} else if c == '{' {
				s.comment(rest[1 : n-1])
			} else {
				s.variations = append(s.variations, strings.Clone(rest[:n]))
			}
		default:
			if n = len(mark.FindString(rest)); n == 0 {
				n = len(phrase.FindString(rest))
			} else if strings.IndexByte("$!?", c) >= 0 {
				s.marks = append(s.marks, strings.Clone(rest[:n]))
			}
			if n == 0 {
				return bad
			}
		}
		s.at += n
	}
	return bad
}

// comment keeps a comment, on one line.
func (s *scanner) comment(text string) {
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		s.comments = append(s.comments, text)
	}
}

// mark is the number of a move, dots for a move that is left out, or a mark of a move.
var mark = regexp.MustCompile(`^(?:[0-9]{0,3}[ \t]*(?:\.|…)+|\$[0-9]+|[!?]+)`)

// phrase is a word that is no move, since it has no digits, such as "resigns".
var phrase = regexp.MustCompile(`^\pL[^\s\d{}()\[\];]*(?:\s|$)`)

func untilLineEnd(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// aside returns the length of the comment or the variation with which text begins. A
// variation has comments and variations in it. A tag that begins a line is in neither: rather
// an end is missing before.
func aside(text string) (int, error) {
	depth, comment := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n' && tagBegins.MatchString(untilLineEnd(text[i+1:])):
			return i, errNotClosed(text[0])
		case c == '\n' && comment == ';', c == '}' && comment == '{':
			comment = 0
		case comment != 0:
		case c == ';', c == '{':
			comment = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if depth == 0 && comment == 0 {
			return i + 1, nil
		}
	}
	return len(text), errNotClosed(text[0])
}

func errNotClosed(begin byte) error {
	if begin == '{' {
		return errors.New("a comment is not closed")
	}
	return errors.New("a variation is not closed")
}

// tag reads a tag. A quote or a backslash in its value has a backslash before it; programs
// that forget this are understood where it is clear what they mean.
func (s *scanner) tag() (Tag, error) {
	line := untilLineEnd(s.text[s.at:])
	s.at += len(line) // unless the tag ends before
	wrong := fmt.Errorf("tag %q: want a name and a quoted value, as in [Event \"Match\"]", line)
	begin := tagName.FindStringSubmatch(line)
	if begin == nil {
		return Tag{}, wrong
	}
	quoted := begin[2] != ""
	var value []byte
	for i := len(begin[0]); i < len(line); i++ {
		c := line[i]
		switch {
		case c == ']' && !quoted:
			s.at -= len(line) - i - 1
			return Tag{strings.Clone(begin[1]), strings.TrimRight(string(value), " \t")}, nil
		case c == '"' && quoted:
			if end := tagEnd.FindString(line[i:]); end != "" {
				s.at -= len(line) - i - len(end)
				return Tag{strings.Clone(begin[1]), string(value)}, nil
			}
		case c == '\\' && quoted && i+1 < len(line) && (line[i+1] == '\\' || line[i+1] == '"') && !pathEnd.MatchString(line[i:]):
			i++
			c = line[i]
		}
		value = append(value, c)
	}
	return Tag{}, wrong
}

var (
	tagName = regexp.MustCompile(`^\[[ \t]*([^\s"\]]+)[ \t]*("?)`)
	tagEnd  = regexp.MustCompile(`^"[ \t]*\]`)
	// pathEnd is the end of a value whose last character is a backslash, as in C:\games\.
	pathEnd = regexp.MustCompile(`^\\"[ \t]*\][ \t]*(?:\[|$)`)
)

// result reads a text that ends the moves, "" if there is none.
func (s *scanner) result() string {
	found := ending.FindString(s.text[s.at:])
	if found == "" {
		return ""
	}
	text := strings.Join(strings.Fields(found), "")
	if text == "1/2" {
		text += "-1/2"
	}
	if !slices.Contains(results, text) {
		return ""
	}
	s.at += len(found)
	return text
}

var ending = regexp.MustCompile(`^(?:\*|1/2(?:\s*-\s*1/2)?\b|[0-2]\s*-\s*[0-2]\b)`)

// squares reads the squares of a move: numbers, or names as in chess. There are none if no
// move begins here.
func (s *scanner) squares() (list []int, named bool) {
	rest := s.text[s.at:]
	found := numericMove.FindString(rest)
	if found != "" {
		for _, digits := range digitGroups.FindAllString(found, -1) {
			n, err := strconv.Atoi(digits)
			if err != nil {
				return nil, false
			}
			list = append(list, n)
		}
		s.at += len(found)
		return list, false
	}
	found = namedMove.FindString(rest)
	for _, name := range nameGroups.FindAllString(strings.ToLower(found), -1) {
		list = append(list, int(name[0]-'a')<<8|int(name[1]-'1'))
	}
	s.at += len(found)
	return list, true
}

const separator = `\s*(?:[-xX:×–—−]|--)\s*`

var (
	numericMove = regexp.MustCompile(`^[0-9]+(?:` + separator + `[0-9]+)*`)
	digitGroups = regexp.MustCompile(`[0-9]+`)
	namedMove   = regexp.MustCompile(`^[a-hA-H][1-8](?:(?:` + separator + `)?[a-hA-H][1-8])+`)
	nameGroups  = regexp.MustCompile(`[a-h][1-8]`)
)
