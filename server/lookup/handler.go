package lookup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Handler answers the requests of the API that are about one database, with the same JSON as package server, but without
// HTTP: a page in a browser asks it.
type Handler struct {
	Name     string // of the game, as in paths
	Manifest *db.Manifest
	Layout   *games.Layout // nil if the game does not describe its boards
	Solved   Solved
	// Warm, if it is not nil, fetches at once the blocks that an answer will look up. Whatever fails, fails again there.
	Warm func(ctx context.Context, q Query)
}

// Request is a request of the API.
type Request struct {
	Method string // GET or POST
	Path   string // after /api/v1/, escaped
	Query  string
	Body   []byte
}

// mostPositions is the most positions of a request.
const mostPositions = 1000

// Serve answers a request: with a status of HTTP, and JSON.
func (h *Handler) Serve(ctx context.Context, r Request) (status int, answer []byte) {
	a, err := h.answer(ctx, r)
	status = 200
	if err != nil {
		status, a = refused(err)
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(a); err != nil {
		return 500, nil
	}
	return status, b.Bytes()
}

// refusal is the answer of a request that fails, as that of package server.
type refusal struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// errNoPath is returned for a path that does not exist.
var errNoPath = errors.New("there is no such path")

func refused(err error) (status int, r refusal) {
	status, r.Error.Code = 500, CodeInternal
	var input InputError
	switch {
	case errors.As(err, &input):
		status, r.Error.Code = 400, cmp.Or(input.Code, CodeRequest)
	case errors.Is(err, errNoPath):
		status, r.Error.Code = 404, CodeNotFound
	case errors.Is(err, db.ErrNotHeld):
		status, r.Error.Code = 404, CodeNotHeld
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		status, r.Error.Code = 503, CodeCutOff
	case errors.Is(err, ErrNotLoaded):
		status, r.Error.Code = 503, CodeNotLoaded
	case errors.Is(err, db.ErrCorrupt):
		r.Error.Code = CodeDamaged
	}
	r.Error.Message = Brief(err.Error())
	return status, r
}

// endpoint is a method of a path about a database.
type endpoint struct {
	method, path string
	parameters   []string
	answer       func(h *Handler, ctx context.Context, values map[string]string, r *Request) (any, error)
}

// looked is the answer of an endpoint for a position.
func looked[T any](look func(h *Handler, ctx context.Context, q Query) (T, error)) func(*Handler, context.Context, map[string]string, *Request) (any, error) {
	return func(h *Handler, ctx context.Context, values map[string]string, _ *Request) (any, error) {
		q, err := ReadQuery(values, false)
		if err != nil {
			return nil, err
		}
		return look(h, ctx, q)
	}
}

// endpoints are those of package server that need only the database.
var endpoints = []endpoint{
	{"GET", "", []string{"position", "index", "moves", "score", "board"}, looked(func(h *Handler, ctx context.Context, q Query) (*db.Answer, error) {
		if h.Warm != nil {
			h.Warm(ctx, q)
		}
		return h.Solved.Answer(q)
	})},
	{"GET", "/line", []string{"position", "index", "moves"}, looked(func(h *Handler, ctx context.Context, q Query) (*db.LineAnswer, error) {
		return h.Solved.Line(ctx, q)
	})},
	{"GET", "/board", []string{"position", "index", "moves", "hands", "board"}, looked(func(h *Handler, _ context.Context, q Query) (*Place, error) {
		return h.Solved.Place(q)
	})},
	{"GET", "/stats", nil, func(h *Handler, _ context.Context, _ map[string]string, _ *Request) (any, error) {
		return h.Manifest, nil
	}},
	{"GET", "/random", nil, func(h *Handler, ctx context.Context, _ map[string]string, _ *Request) (any, error) {
		return h.Solved.Random(ctx)
	}},
	{"GET", "/positions", []string{"value", "zugzwang", "limit"}, func(h *Handler, ctx context.Context, values map[string]string, _ *Request) (any, error) {
		q, err := ReadPositions(values, h.Name, h.Manifest, h.Layout)
		if err != nil {
			return nil, err
		}
		return Positions(ctx, h.Solved, q)
	}},
	{"POST", "/board", nil, func(h *Handler, _ context.Context, _ map[string]string, r *Request) (any, error) {
		var b games.Board
		if err := Decode(bytes.NewReader(r.Body), &b); err != nil {
			return nil, err
		}
		text, err := h.Solved.SetUp(b)
		return PositionOfBoard{text}, err
	}},
	{"POST", "", nil, func(h *Handler, ctx context.Context, _ map[string]string, r *Request) (any, error) {
		var q BatchQuestion
		if err := Decode(bytes.NewReader(r.Body), &q); err != nil {
			return nil, err
		}
		if err := q.Check(mostPositions); err != nil {
			return nil, err
		}
		return Batch(ctx, h.Name, func(q Query) (*db.Answer, error) {
			if h.Warm != nil {
				h.Warm(ctx, q)
			}
			return h.Solved.Answer(q)
		}, &q)
	}},
}

func (h *Handler) answer(ctx context.Context, r Request) (any, error) {
	name, path := r.Path, ""
	if i := strings.IndexByte(name, '/'); i >= 0 {
		name, path = name[:i], name[i:]
	}
	if name, err := url.PathUnescape(name); err != nil || name != h.Name {
		return nil, fmt.Errorf("%w: %q", errNoPath, r.Path)
	}
	for i := range endpoints {
		e := &endpoints[i]
		if e.method != r.Method || e.path != path {
			continue
		}
		values, err := Parameters(r.Query, e.parameters...)
		if err != nil {
			return nil, err
		}
		return e.answer(h, ctx, values, &r)
	}
	return nil, fmt.Errorf("%w: %s %q", errNoPath, r.Method, r.Path)
}
