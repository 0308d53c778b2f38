package lookup

import (
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Query asks for a position.
type Query struct {
	Position string   // in the game's notation, or startpos
	Hands    string   // how pieces are read that the position does not show, for searches of mates
	Index    *uint64  // of the position, instead of Position, if it is not nil
	Moves    []string // that follow it
	Score    string   // "S,N": points that the side to move and the opponent have won before
	Board    bool     // describe the board, and what moves do on it
	Whole    bool     // startpos is that of the whole game; if the database has a part of it
	NoMoves  bool     // answer without moves
}

// Startpos stands for the start position.
const Startpos = "startpos"

// ReadQuery reads the position that the parameters of a request ask for. An underscore stands for a space.
func ReadQuery(values map[string]string, whole bool) (q Query, err error) {
	q.Position, q.Hands, q.Score, q.Whole = Spaces(values["position"]), values["hands"], values["score"], whole
	if _, given := values["position"]; !given {
		q.Position = Startpos
	}
	if text, given := values["index"]; given {
		if _, given := values["position"]; given {
			return q, BadRequest("index and position are given: want one of them")
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return q, BadRequest("index %q: want the number of a position", text)
		}
		q.Index = &n
	}
	q.Moves = MoveList(values["moves"])
	switch values["board"] {
	case "", "0":
	case "1":
		q.Board = true
	default:
		return q, BadRequest("board %q: want 1, or 0", values["board"])
	}
	return q, nil
}

// Spaces reads an underscore as a space.
func Spaces(text string) string { return strings.ReplaceAll(text, "_", " ") }

// MoveList reads moves. A + in a move, as for a promotion, need not be escaped: it arrives
// as a space.
func MoveList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(Spaces(strings.ReplaceAll(text, " ", "+")), ",")
}

// Parameters returns the parameters of the query of a request, each of which may come once.
func Parameters(query string, known ...string) (map[string]string, error) {
	if query == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, BadRequest("%w", err)
	}
	list := map[string]string{}
	for name, texts := range values {
		if !slices.Contains(known, name) {
			if len(known) == 0 {
				return nil, BadRequest("parameter %q: none is known here", name)
			}
			return nil, BadRequest("parameter %q: known are %s", name, strings.Join(known, ", "))
		}
		if len(texts) > 1 {
			return nil, BadRequest("parameter %s is given %d times", name, len(texts))
		}
		list[name] = texts[0]
	}
	return list, nil
}

// Decode reads the body of a request: one JSON value with known fields only.
func Decode(body io.Reader, to any) error {
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = errors.New("something follows the first JSON value")
		}
	}
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return BadRequest("body: it is empty, want JSON as described in /api/v1/openapi.json")
	case errors.As(err, &kind):
		return BadRequest("body: want no %s at %q, byte %d; see /api/v1/openapi.json", kind.Value, kind.Field, kind.Offset)
	}
	return BadRequest("body: %w", err)
}
