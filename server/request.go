package server

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/app"
)

// Query asks for a position.
type Query struct {
	Position string   // in the game's notation, or startpos
	Hands    string   // how pieces are read that the position does not show, see [app.Finder]
	Index    *uint64  // of the position, instead of Position, if it is not nil
	Moves    []string // that follow it
	Score    string   // "S,N": points that the side to move and the opponent have won before
	Board    bool     // describe the board, and what moves do on it
	Whole    bool     // startpos is that of the whole game; see [WholeGame]
	NoMoves  bool     // answer without moves
}

const startpos = "startpos"

// query reads the position that a request asks for. An underscore stands for a space.
func (r *request) query() (q Query, err error) {
	values := r.values
	q.Position, q.Hands, q.Score, q.Whole = spaces(values["position"]), values["hands"], values["score"], r.whole
	if _, given := values["position"]; !given {
		q.Position = startpos
	}
	if text, given := values["index"]; given {
		if _, given := values["position"]; given {
			return q, badRequest("index and position are given: want one of them")
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return q, badRequest("index %q: want the number of a position", text)
		}
		q.Index = &n
	}
	q.Moves = moveList(values["moves"])
	switch values["board"] {
	case "", "0":
	case "1":
		q.Board = true
	default:
		return q, badRequest("board %q: want 1, or 0", values["board"])
	}
	return q, nil
}

// parse reads a position.
func parse(g app.Board, text string) (app.Position, error) {
	if text == startpos {
		return g.Start(), nil
	}
	p, err := g.ParsePosition(text)
	if err != nil {
		err = badPosition(err)
	}
	return p, err
}

func spaces(text string) string { return strings.ReplaceAll(text, "_", " ") }

// moveList reads moves. A + in a move, as for a promotion, need not be escaped: it arrives
// as a space.
func moveList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(spaces(strings.ReplaceAll(text, " ", "+")), ",")
}

// anything is for paths that ignore parameters they do not know.
var anything = []string{"*"}

// parameters returns the parameters of a request's URL, each of which may come once.
func parameters(r *http.Request, known ...string) (map[string]string, error) {
	if r.URL.RawQuery == "" || slices.Equal(known, anything) {
		return nil, nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badRequest("%w", err)
	}
	list := map[string]string{}
	for name, texts := range values {
		if !slices.Contains(known, name) {
			if len(known) == 0 {
				return nil, badRequest("parameter %q: none is known here", name)
			}
			return nil, badRequest("parameter %q: known are %s", name, strings.Join(known, ", "))
		}
		if len(texts) > 1 {
			return nil, badRequest("parameter %s is given %d times", name, len(texts))
		}
		list[name] = texts[0]
	}
	return list, nil
}

// decode reads the body of a request: one JSON value with known fields only.
func decode(r *request, to any) error {
	d := json.NewDecoder(r.Body)
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
	var tooLarge *http.MaxBytesError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &tooLarge):
		return err
	case errors.Is(err, io.EOF):
		return badRequest("body: it is empty, want JSON as described in /api/v1/openapi.json")
	case errors.As(err, &kind):
		return badRequest("body: want no %s at %q, byte %d; see /api/v1/openapi.json", kind.Value, kind.Field, kind.Offset)
	}
	return badRequest("body: %w", err)
}
