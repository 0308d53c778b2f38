package server

import (
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// Query asks for a position.
type Query = lookup.Query

const startpos = lookup.Startpos

// query reads the position that a request asks for.
func (r *request) query() (Query, error) { return lookup.ReadQuery(r.values, r.whole) }

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

// anything is for paths that ignore parameters they do not know.
var anything = []string{"*"}

// parameters returns the parameters of a request's URL, each of which may come once.
func parameters(r *http.Request, known ...string) (map[string]string, error) {
	if slices.Equal(known, anything) {
		return nil, nil
	}
	return lookup.Parameters(r.URL.RawQuery, known...)
}

// decode reads the body of a request: one JSON value with known fields only.
func decode(r *request, to any) error {
	body := &limitedBody{Reader: r.Body}
	err := lookup.Decode(body, to)
	if body.tooLarge != nil {
		return body.tooLarge
	}
	return err
}

// limitedBody remembers whether a body was larger than it may be.
type limitedBody struct {
	io.Reader
	tooLarge error
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		b.tooLarge = err
	}
	return n, err
}
