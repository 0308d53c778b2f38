package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/movetext"
)

// results are the results by the half points of the player who moved first.
var results = [...]string{"0-1", "1/2-1/2", "1-0"}

// WriteRecord writes a game as text: tags in brackets, as in PGN, and the moves in the notation of the
// game.
func WriteRecord[P, M comparable](w io.Writer, g games.Game[P, M], r Record, first, second string) error {
	points := r.Points
	if r.Second {
		first, second, points = second, first, 1-points
	}
	ending := string(r.Ending)
	if r.Forfeit > 0 {
		// The tag names the players of this game.
		ending += ", forfeited by " + [2]string{"First", "Second"}[(r.Forfeit-1)^count(r.Second)] + ":"
	}
	if r.Remark != "" {
		ending += " " + r.Remark
	}
	n := NewNotation(g.Name(), fmt.Sprintf("%d.%d", r.Pair+1, 1+count(r.Second)), first, second, r.From, r.Moves)
	n.SetResult(points, ending)
	_, err := w.Write(append(n.Append(nil), '\n'))
	return err
}

// NewNotation returns a game without a result.
func NewNotation(game, round, first, second, position string, moves []string) *Notation {
	return &Notation{
		Tags: []Tag{{tagGame, game}, {tagRound, round}, {tagFirst, first}, {tagSecond, second}, {tagPosition, position}},
		Game: game, First: first, Second: second, Position: position, Moves: moves, Result: NoResult,
	}
}

// Append appends a game as text: its tags, and the moves with what is beside them.
func (n *Notation) Append(dst []byte) []byte {
	for _, t := range n.Tags {
		dst = fmt.Appendf(dst, "[%s %q]\n", t.Name, t.Value)
	}
	return movetext.Append(dst, 0, n.Moves, &n.Asides, n.Result)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Tag is a line with a name and a value before the moves.
type Tag struct{ Name, Value string }

// The names of tags with a meaning.
const (
	tagGame        = "Game"
	tagRound       = "Round"
	tagFirst       = "First"
	tagSecond      = "Second"
	tagPosition    = "Position"
	tagResult      = "Result"
	tagTermination = "Termination"
)

// NoResult is the result of a game whose end is not known.
const NoResult = "*"

// Notation is a game as text, which [WriteRecord] and [Notation.Append] write.
type Notation struct {
	Line int   // where it begins in its text, from 1
	Tags []Tag // all, in their order
	// Game is the name of the game, First and Second are the players, and Position is where they
	// began.
	Game, First, Second, Position string
	Moves                         []string
	movetext.Asides
	// Result ends the moves: 1-0, 1/2-1/2, 0-1 or [NoResult], or empty if it is missing.
	Result string
	Ending Ending
}

// Points returns those of the player who moved first, 0, 0.5 or 1, and whether there is a result.
func (n *Notation) Points() (float64, bool) {
	i := slices.Index(results[:], n.Result)
	return float64(max(i, 0)) / 2, i >= 0
}

// SetResult sets the result by the points of the player who moved first, and how the game ended, which may be empty.
func (n *Notation) SetResult(points float64, ending string) {
	n.Result = results[int(2*points)]
	n.Tags = append(n.Tags, Tag{tagResult, n.Result})
	if ending != "" {
		n.Tags = append(n.Tags, Tag{tagTermination, ending})
	}
}

// gameTag begins a game.
const gameTag = `[` + tagGame + ` "`

// IsNotation reports whether a text that begins so is one that [WriteRecord] wrote.
func IsNotation(begin []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimSpace(begin), []byte("\n"))
	return bytes.HasPrefix(line, []byte(gameTag)) && bytes.HasPrefix(rest, []byte(`[`+tagRound+` "`))
}

// ReadNotation reads the games that [WriteRecord] wrote. An error says what is wrong with a game, and
// where; the game then has the moves before that.
func ReadNotation(text string) iter.Seq2[Notation, error] {
	return func(yield func(Notation, error) bool) {
		var r notationReader
		number := 0
		for line := range strings.Lines(text) {
			number++
			if strings.HasPrefix(line, gameTag) && r.Line > 0 {
				if !yield(r.finish()) {
					return
				}
				r = notationReader{}
			}
			if line = strings.TrimSpace(line); line != "" {
				r.read(line, number)
			}
		}
		if r.Line > 0 {
			yield(r.finish())
		}
	}
}

// notationReader reads a game line by line.
type notationReader struct {
	Notation
	last int // the last line with something
	err  error
	// aside is a comment or a variation that has begun, empty if none has: depth variations are open, and perhaps a comment.
	aside   []byte
	depth   int
	comment bool
}

func (r *notationReader) fail(number int, err error) {
	if r.err == nil {
		r.err = fmt.Errorf("line %d: %w", number, err)
	}
}

func (r *notationReader) read(line string, number int) {
	if r.Line == 0 {
		r.Line = number
	}
	r.last = number
	if strings.HasPrefix(line, "[") && len(r.aside) == 0 {
		err := r.readTag(line)
		if err == nil && (len(r.Moves) > 0 || r.Result != "") {
			err = fmt.Errorf("%s after the moves, want %s] before the tags of a game", line, gameTag+`..."`)
		}
		if err != nil {
			r.fail(number, err)
		}
		return
	}
	for line != "" && r.err == nil {
		if len(r.aside) > 0 || line[0] == '{' || line[0] == '(' {
			line = strings.TrimSpace(r.readAside(line))
			continue
		}
		end := strings.IndexAny(line, " \t{(")
		if end < 0 {
			end = len(line)
		}
		if err := r.readWord(line[:end]); err != nil {
			r.fail(number, err)
		}
		line = strings.TrimSpace(line[end:])
	}
}

// readWord reads a move, its number, its mark, or the result.
func (r *notationReader) readWord(word string) error {
	move := strings.TrimRight(word, "!?")
	switch {
	case r.Result != "":
		return fmt.Errorf("%q after the result", word)
	case word == NoResult || slices.Contains(results[:], word):
		r.Result = word
	case move == "" || word[0] == '$':
		if len(r.Moves) > 0 {
			r.Marks = movetext.Add(r.Marks, len(r.Moves), word)
		}
	case strings.HasSuffix(word, "."):
		if !strings.HasSuffix(word, "..") && len(r.Moves)%2 == 0 && word != fmt.Sprintf("%d.", len(r.Moves)/2+1) {
			return fmt.Errorf("%s, want move %d", word, len(r.Moves)/2+1)
		}
	default:
		r.Moves = append(r.Moves, move)
		if mark := word[len(move):]; mark != "" {
			r.Marks = movetext.Add(r.Marks, len(r.Moves), mark)
		}
	}
	return nil
}

// readAside reads a comment or a variation, or more of one that goes on, and returns what follows it.
func (r *notationReader) readAside(line string) (rest string) {
	if len(r.aside) > 0 {
		r.aside = append(r.aside, ' ')
	}
	for i := range len(line) {
		switch c := line[i]; {
		case c == '}':
			r.comment = false
		case r.comment:
		case c == '{':
			r.comment = true
		case c == '(':
			r.depth++
		case c == ')':
			r.depth--
		}
		if !r.comment && r.depth == 0 {
			r.keepAside(string(append(r.aside, line[:i+1]...)))
			return line[i+1:]
		}
	}
	r.aside = append(r.aside, line...)
	return ""
}

// keepAside keeps a whole comment or variation.
func (r *notationReader) keepAside(text string) {
	r.aside = r.aside[:0]
	if text[0] == '(' {
		r.Variations = movetext.Add(r.Variations, len(r.Moves), movetext.OneLine(text))
	} else if text = strings.Join(strings.Fields(text[1:len(text)-1]), " "); text != "" {
		r.Comments = movetext.Add(r.Comments, len(r.Moves), text)
	}
}

func (r *notationReader) readTag(line string) error {
	name, value, _ := strings.Cut(strings.TrimSuffix(line[1:], "]"), " ")
	value, err := strconv.Unquote(value)
	if err != nil {
		return fmt.Errorf("%q: want a tag as in [Game \"dobutsu\"]", line)
	}
	r.Tags = append(r.Tags, Tag{name, value})
	switch name {
	case tagGame:
		r.Game = value
	case tagFirst:
		r.First = value
	case tagSecond:
		r.Second = value
	case tagPosition:
		r.Position = value
	case tagTermination:
		for _, e := range []Ending{ByRules, ByResigning, ByRepetition, ByLength, ByDatabase, ByTime, ByIllegal, ByDeclaring, ByCrash} {
			if strings.HasPrefix(value, string(e)) {
				r.Ending = e
			}
		}
	}
	return nil
}

func (r *notationReader) finish() (Notation, error) {
	switch {
	case len(r.aside) > 0:
		r.fail(r.last, fmt.Errorf("the game ends within %.20q: want } after a comment, ) after a variation", r.aside))
	case r.Result == "":
		r.fail(r.last, errors.New("the game has no result (1-0, 1/2-1/2, 0-1 or *) at its end"))
	}
	return r.Notation, r.err
}
