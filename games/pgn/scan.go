package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games/movetext"
)

const (
	// ByteOrderMark may stand at the beginning of a text, and Blanks between its words.
	ByteOrderMark = "\ufeff"
	Blanks        = " \t\v\f\n"
)

// Notation is what texts of one game, or of several, have of their own.
type Notation struct {
	// Name is that of the notation, for errors.
	Name string
	// Move returns the length of the move with which a text begins, 0 if there is none.
	Move func(text string) int
	// Mark is what may stand after a move, and says nothing of it; it matches at the beginning of a text.
	Mark *regexp.Regexp
	// Judgement is what judges a position, such as +-, followed by something else; nil for nothing. It matches at the
	// beginning of a text, and Glyphs are the marks that are read instead.
	Judgement *regexp.Regexp
	Glyphs    map[string]string
	// Ending is a text that ends the moves, which matches at the beginning of a text, and Results are those that it stands
	// for, without Blanks.
	Ending  *regexp.Regexp
	Results []string
	// Begins reports whether what stands after a word may be the rest of the same move. It is nil if that cannot be.
	Begins func(word string) bool
}

// Unknown is the result of a game that has none.
const Unknown = "*"

// Tags that all games have.
const (
	TagFEN    = "FEN"
	TagSetUp  = "SetUp"
	TagResult = "Result"
)

// Game is a game as a text has it, before it is known whether its moves are legal.
type Game struct {
	Line   int // of the text, where the game begins; 1 is the first
	Tags   []TagLine
	Words  []Word
	Result string // after the moves, "" if there is none
	// Comments are those in braces or after a semicolon, Marks those of moves, such as ?! or $6, and Variations what is in
	// parentheses, as [movetext.OneLine] has it, in the order of the text.
	Comments, Marks, Variations []Aside
}

// Aside is what stands beside the moves, and the number of words before it.
type Aside struct {
	Words int
	Text  string
}

// Place returns what stands beside the moves by the number of moves before it. made are the numbers of moves that words stand
// for, of which a game has some: what comes after these is left out. A mark belongs to a word that ends a move.
func (g *Game) Place(made []int, moves int) movetext.Asides {
	place := func(asides []Aside, ofMoves bool) (list [][]string) {
		for _, x := range asides {
			if x.Words >= len(made) || made[x.Words] > moves {
				break
			}
			if ofMoves && (x.Words == 0 || made[x.Words] == made[x.Words-1]) {
				continue
			}
			list = movetext.Add(list, made[x.Words], x.Text)
		}
		return list
	}
	return movetext.Asides{Comments: place(g.Comments, false), Marks: place(g.Marks, true), Variations: place(g.Variations, false)}
}

// Tag is a line such as [Event "Match"] before the moves.
type Tag struct{ Name, Value string }

// TagLine is a tag, and where it stands.
type TagLine struct {
	Tag
	Line int
}

// Word is a move, or the number of one without a full stop.
type Word struct {
	Text string
	Line int
}

// scanner reads games.
type scanner struct {
	*Notation
	text string // with \n as the end of lines
	at   int
	// The line of some place that has been reached.
	line, lineAt int
	// What was skipped last.
	comments, marks, variations []string
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Games returns the games of a text, one after another. The moves of variations in parentheses are not looked at, and lines that
// begin with % are skipped. A game that is not written well comes with an error that names the line, and with what
// stands before that. The next one begins with its first tag, or after the result of the bad one.
func (n *Notation) Games(text string) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		s := newScanner(n, text)
		for {
			game, err := s.next()
			if err == nil && game == nil || !yield(game, err) {
				return
			}
		}
	}
}

func newScanner(n *Notation, text string) *scanner {
	return &scanner{Notation: n, text: lineEnds.Replace(strings.TrimPrefix(text, ByteOrderMark)), line: 1}
}

// lineOf returns the number of the line of a place, not before that of the last call.
func (s *scanner) lineOf(at int) int {
	s.line += strings.Count(s.text[s.lineAt:at], "\n")
	s.lineAt = at
	return s.line
}

// next returns the next game, nil if there are no more. If something is wrong with it, it also says
// what, at the first place; the game then has the words before that.
func (s *scanner) next() (*Game, error) {
	var game Game
	var bad error
	good := 0 // words before what is wrong
	wrong := func(err error) {
		if err != nil && bad == nil {
			bad, good = err, len(game.Words)
			if good > 0 && s.Begins != nil && s.Begins(game.Words[good-1].Text) {
				good-- // what is wrong is the rest of it
			}
		}
	}
	tags := true // there may be more tags
	for {
		s.comments, s.marks, s.variations = nil, nil, nil
		end := s.at
		wrong(s.skip())
		game.Comments = game.asides(game.Comments, s.comments)
		game.Marks = game.asides(game.Marks, s.marks)
		game.Variations = game.asides(game.Variations, s.variations)
		at := s.at
		if at == len(s.text) || s.text[at] == '[' && (!tags || game.again(s.text[end:])) {
			break
		}
		result := s.result()
		if result != "" && game.Line == 0 { // it belongs to no game
			continue
		}
		if result == "" && game.Result != "" {
			break
		}
		if game.Line == 0 {
			game.Line = s.lineOf(at)
		}
		var err error
		tags = s.text[at] == '['
		if result == "" {
			err = s.add(&game)
		} else if game.Result == "" || game.Result == Unknown {
			game.Result = result
		}
		if err != nil {
			wrong(s.LineError(s.lineOf(at), err))
		}
	}
	if game.Line == 0 {
		return nil, bad
	}
	if bad != nil {
		game.Words = game.Words[:good]
	}
	return &game, bad
}

// mostAgain is how many tags of a game may show that another one begins.
const mostAgain = 64

// again reports whether a text with a tag, after a game that has only tags so far, begins another game: with a tag that the game
// has, after an empty line.
func (g *Game) again(text string) bool {
	at := strings.IndexByte(text, '[')
	if strings.Count(text[:at], "\n") < 2 {
		return false
	}
	name := tagName.FindStringSubmatch(text[at:])
	return name != nil && slices.ContainsFunc(g.Tags[:min(len(g.Tags), mostAgain)], func(t TagLine) bool { return t.Name == name[1] })
}

// add reads a tag or a move. What it cannot read is skipped.
func (s *scanner) add(game *Game) error {
	at := s.at
	line := s.lineOf(at)
	if s.text[at] == '[' {
		tag, err := s.tag()
		game.Tags = append(game.Tags, TagLine{tag, line})
		return err
	}
	n := s.Move(s.text[at:])
	if n == 0 {
		text := unknownWord.FindString(s.text[at:])
		s.at += len(text)
		return fmt.Errorf("%q: want a move, a result, or a comment in braces", text)
	}
	s.at += n
	game.Words = append(game.Words, Word{strings.Clone(s.text[at:s.at]), line})
	if found := s.Mark.FindString(s.text[s.at:]); found != "" {
		game.Marks = game.asides(game.Marks, []string{strings.Clone(found)})
		s.at += len(found)
	}
	return nil
}

// asides appends texts that stand after the words so far.
func (g *Game) asides(list []Aside, texts []string) []Aside {
	for _, text := range texts {
		list = append(list, Aside{len(g.Words), text})
	}
	return list
}

var (
	unknownWord = regexp.MustCompile(`^(?s:[^\s{}()\[;]+|.)`)
	tagBegins   = regexp.MustCompile(`^[ \t]*\[[ \t]*[^\s"\]]+[ \t]*"`)
)

// LineError says in which line of a text something is wrong.
func (n *Notation) LineError(line int, err error) error {
	return fmt.Errorf("%s line %d: %w", n.Name, line, err)
}

// skip skips what says nothing of the moves that are played: comments, variations, words,
// marks, numbers of moves, and lines that begin with %.
func (s *scanner) skip() (bad error) {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		n := len(rest) - len(strings.TrimLeft(rest, Blanks))
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
				bad = s.LineError(s.lineOf(s.at), err)
			} else if c == '{' {
				s.comment(rest[1 : n-1])
			} else {
				s.variations = append(s.variations, movetext.OneLine(rest[:n]))
			}
		default:
			if n = len(mark.FindString(rest)); n > 0 {
				if strings.IndexByte("$!?", c) >= 0 {
					s.marks = append(s.marks, strings.Clone(rest[:n]))
				}
			} else if s.Move(rest) == 0 {
				if word := remark.FindStringSubmatch(rest); word != nil {
					n = len(word[1])
				} else if s.Judgement != nil && !s.Ending.MatchString(rest) {
					if word = s.Judgement.FindStringSubmatch(rest); word != nil {
						n = len(word[1])
						if glyph := s.Glyphs[word[1]]; glyph != "" {
							s.marks = append(s.marks, glyph)
						}
					}
				}
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

// remark is a word that is no move, since it has no digits, such as "resigns".
var remark = regexp.MustCompile(`^(\pL[^\s\d{}()\[\];]*)(?:[\s{(;]|$)`)

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
		case c == '%' && i > 0 && text[i-1] == '\n':
			comment = ';'
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
	if text, ok := bytes.CutSuffix(bytes.TrimRight(value, " \t"), []byte("]")); ok && quoted && !bytes.ContainsAny(text, `"[]`) {
		return Tag{strings.Clone(begin[1]), string(text)}, nil // the second quote is missing
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
	found := s.Ending.FindString(s.text[s.at:])
	if found == "" {
		return ""
	}
	text := ResultOf(strings.Join(strings.Fields(found), ""))
	if !slices.Contains(s.Results, text) {
		return ""
	}
	s.at += len(found)
	return text
}

// ResultOf returns a result as it is written, such as 1/2-1/2 for ½-½: a game that is won since the other side was not there
// (+-- and --+) is won. Other texts remain.
func ResultOf(text string) string {
	plain := sameSigns.Replace(strings.Join(strings.Fields(text), ""))
	switch plain {
	case "1/2":
		return "1/2-1/2"
	case "+--":
		return "1-0"
	case "--+":
		return "0-1"
	case Unknown, "1-0", "0-1", "1/2-1/2":
		return plain
	}
	return text
}

// sameSigns writes other dashes, a colon between numbers and a half as PGN has them.
var sameSigns = strings.NewReplacer("½", "1/2", "–", "-", "—", "-", "−", "-", ":", "-")
