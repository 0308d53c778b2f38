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
	result := results[int(2*points)]
	ending := string(r.Ending)
	if r.Forfeit > 0 {
		// The tag names the players of this game.
		ending += ", forfeited by " + [2]string{"First", "Second"}[(r.Forfeit-1)^count(r.Second)] + ":"
	}
	if r.Remark != "" {
		ending += " " + r.Remark
	}
	var b strings.Builder
	for _, tag := range [][2]string{
		{"Game", g.Name()}, {"Round", fmt.Sprintf("%d.%d", r.Pair+1, 1+count(r.Second))},
		{"First", first}, {"Second", second}, {"Position", r.From}, {"Result", result}, {"Termination", ending},
	} {
		fmt.Fprintf(&b, "[%s %q]\n", tag[0], tag[1])
	}
	line := ""
	for i, m := range append(r.Moves[:len(r.Moves):len(r.Moves)], result) {
		if i%2 == 0 && i < len(r.Moves) {
			m = fmt.Sprintf("%d. %s", i/2+1, m)
		}
		if len(line)+1+len(m) > 80 {
			b.WriteString(line + "\n")
			line = ""
		}
		line = strings.TrimSpace(line + " " + m)
	}
	b.WriteString(line + "\n\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Notation is a game that [WriteRecord] wrote.
type Notation struct {
	Line int // where it begins in its text, from 1
	// Game is the name of the game, First and Second are the players, and Position is where they
	// began.
	Game, First, Second, Position string
	Moves                         []string
	// Points are those of the player who moved first: 0, 0.5 or 1.
	Points float64
	Ending Ending
}

// gameTag begins a game.
const gameTag = `[Game "`

// IsNotation reports whether a text that begins so is one that [WriteRecord] wrote.
func IsNotation(begin []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimSpace(begin), []byte("\n"))
	return bytes.HasPrefix(line, []byte(gameTag)) && bytes.HasPrefix(rest, []byte(`[Round "`))
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
	result string // empty before it
	last   int    // the last line with something
	err    error
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
	if strings.HasPrefix(line, "[") {
		err := r.readTag(line)
		if err == nil && (len(r.Moves) > 0 || r.result != "") {
			err = fmt.Errorf("%s after the moves, want %s] before the tags of a game", line, gameTag+`..."`)
		}
		if err != nil {
			r.fail(number, err)
		}
		return
	}
	for word := range strings.FieldsSeq(line) {
		switch {
		case r.err != nil:
			return
		case r.result != "":
			r.fail(number, fmt.Errorf("%q after the result", word))
		case slices.Contains(results[:], word):
			r.result = word
		case len(r.Moves)%2 == 0 && strings.HasSuffix(word, ".") && word != fmt.Sprintf("%d.", len(r.Moves)/2+1):
			r.fail(number, fmt.Errorf("%s, want move %d", word, len(r.Moves)/2+1))
		case !strings.HasSuffix(word, "."):
			r.Moves = append(r.Moves, word)
		}
	}
}

func (r *notationReader) readTag(line string) error {
	name, value, _ := strings.Cut(strings.TrimSuffix(line[1:], "]"), " ")
	value, err := strconv.Unquote(value)
	if err != nil {
		return fmt.Errorf("%q: want a tag as in [Game \"dobutsu\"]", line)
	}
	switch name {
	case "Game":
		r.Game = value
	case "First":
		r.First = value
	case "Second":
		r.Second = value
	case "Position":
		r.Position = value
	case "Termination":
		for _, e := range []Ending{ByRules, ByResigning, ByRepetition, ByLength, ByDatabase, ByTime, ByIllegal, ByDeclaring, ByCrash} {
			if strings.HasPrefix(value, string(e)) {
				r.Ending = e
			}
		}
	}
	return nil
}

func (r *notationReader) finish() (Notation, error) {
	if r.result == "" {
		r.fail(r.last, errors.New("the game has no result (1-0, 1/2-1/2 or 0-1) at its end"))
	}
	r.Points = float64(max(slices.Index(results[:], r.result), 0)) / 2
	return r.Notation, r.err
}
