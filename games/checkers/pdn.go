package checkers

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Record is a game in PDN (Portable Draughts Notation).
type Record struct {
	Tags   []Tag // in the order of the file, without FEN and Result
	Start  Position
	Moves  []Move
	Result string // 1-0 (the side that began has won), 0-1, 1/2-1/2, or *
}

// Tag is a line such as [Event "Match"] before the moves.
type Tag struct{ Name, Value string }

// Tags whose values are in other fields of a Record.
const (
	tagFEN    = "FEN"
	tagResult = "Result"
)

var results = []string{"1-0", "0-1", "1/2-1/2", "*"}

// ParsePDN reads the first game of a text. Comments in braces or after a semicolon,
// variations in parentheses, and annotations such as $1 or ! are skipped.
func (g *Game) ParsePDN(text string) (*Record, error) {
	r := &Record{Start: g.Start(), Result: "*"}
	rest, err := g.parseTags(r, text)
	if err != nil {
		return nil, err
	}
	p := r.Start
	for len(rest) > 0 {
		var word string
		if word, rest, err = nextWord(rest); err != nil {
			return nil, err
		}
		// A number before a move, perhaps without a space between: 12. or 12...
		if digits := strings.TrimLeft(word, "0123456789"); len(digits) < len(word) && strings.HasPrefix(digits, ".") {
			word = strings.TrimLeft(digits, ".")
		}
		if word = strings.TrimRight(word, "!?"); word == "" || word[0] == '$' {
			continue
		}
		if slices.Contains(results, word) {
			r.Result = word
			break
		}
		m, err := g.ParseMove(p, word)
		if err != nil {
			return nil, fmt.Errorf("ply %d: %w", len(r.Moves)+1, err)
		}
		r.Moves = append(r.Moves, m)
		p = g.Play(p, m)
	}
	return r, nil
}

// parseTags reads the tags and returns what follows them.
func (g *Game) parseTags(r *Record, text string) (string, error) {
	for {
		text = strings.TrimLeft(text, " \t\r\n\ufeff")
		if !strings.HasPrefix(text, "[") {
			return text, nil
		}
		line, rest, _ := strings.Cut(text[1:], "\n")
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		quoted, ok := strings.CutSuffix(strings.TrimSpace(value), "]")
		value, err := strconv.Unquote(strings.TrimSpace(quoted))
		if !ok || err != nil {
			return "", fmt.Errorf("PDN tag %q: want a name and a quoted value, as in [Event \"Match\"]", "["+line)
		}
		switch name {
		case tagFEN:
			if r.Start, err = g.ParsePosition(value); err != nil {
				return "", err
			}
		case tagResult:
			if !slices.Contains(results, value) {
				return "", fmt.Errorf("result %q: want one of %s", value, strings.Join(results, ", "))
			}
			r.Result = value
		default:
			r.Tags = append(r.Tags, Tag{name, value})
		}
		text = rest
	}
}

// nextWord returns the next word of the moves, without comments and variations.
func nextWord(text string) (word, rest string, err error) {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return "", "", nil
		}
		ok := true
		switch text[0] {
		case '{':
			if _, text, ok = strings.Cut(text, "}"); !ok {
				return "", "", errors.New("PDN: a comment is not closed")
			}
		case ';':
			_, text, _ = strings.Cut(text, "\n")
		case '(':
			if text, ok = afterVariation(text); !ok {
				return "", "", errors.New("PDN: a variation is not closed")
			}
		default:
			end := strings.IndexAny(text, " \t\r\n{(;")
			if end < 0 {
				end = len(text)
			}
			return text[:end], text[end:], nil
		}
	}
}

// afterVariation skips a variation, and the variations in it.
func afterVariation(text string) (rest string, ok bool) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[i+1:], true
			}
		}
	}
	return "", false
}

// AppendPDN appends a game as PDN: its tags, then lines of moves and the result.
func (g *Game) AppendPDN(dst []byte, r *Record) []byte {
	for _, tag := range r.Tags {
		dst = fmt.Appendf(dst, "[%s %q]\n", tag.Name, tag.Value)
	}
	dst = fmt.Appendf(dst, "[%s %q]\n", tagResult, r.Result)
	if r.Start != g.Start() {
		dst = fmt.Appendf(dst, "[%s \"%s\"]\n", tagFEN, g.AppendPosition(nil, r.Start))
	}
	dst = append(dst, '\n')
	const width = 80
	begin := len(dst)
	add := func(word string) {
		switch n := len(dst) - begin; {
		case n == 0:
		case n+1+len(word) > width:
			dst = append(dst, '\n')
			begin = len(dst)
		default:
			dst = append(dst, ' ')
		}
		dst = append(dst, word...)
	}
	p := r.Start
	for ply, m := range r.Moves {
		if ply%2 == 0 {
			add(fmt.Sprintf("%d.", ply/2+1))
		}
		add(string(g.AppendMove(nil, p, m)))
		p = g.Play(p, m)
	}
	add(r.Result)
	return append(dst, '\n')
}
