package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"
)

// route is a method of a path: all that the server, its description and the proxy before it know of it.
type route struct {
	method, path string
	of           scope         // what the name in the path is one of
	slots        slots         // what the work waits for
	time         time.Duration // after which the work ends; 0 if only the limit of requests holds
	parameters   []string      // of the query
	answer       func(*request) (reply, error)
}

// scope is what a name in a path may mean. Two routes of the same method and path answer for different kinds.
type scope struct {
	what  string // for errors
	kinds []string
}

var (
	nothing  = scope{}
	solved   = scope{"database of a game", []string{kindDatabase}}
	searched = scope{"game", []string{kindSearch, kindGame}}
	playable = scope{"game", []string{kindDatabase, kindSearch, kindGame}}
	proven   = scope{"proof", []string{kindProof}}
)

// slots are what limits how much work runs at a time.
type slots int

const (
	free    slots = iota // nothing
	lookups              // those of lookups
	searches
)

// routes returns the table of routes.
func (s *Server) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	at := func(list ...string) []string { return append([]string{"position", "index", "moves"}, list...) }
	limit := s.Limits.SearchTime
	return []route{
		{get, "/api/v1/games", nothing, free, 0, nil, s.games},
		{get, "/api/v1/openapi.json", nothing, free, 0, nil, s.document},
		{get, "/api/v1/{game}", solved, lookups, 0, at("score", "board"), s.answer},
		{get, "/api/v1/{game}", searched, searches, 0, []string{"position", "hands", "moves", "board", "nodes", "time", "ask", "intended", "rules"}, s.find},
		{post, "/api/v1/{game}", solved, lookups, 0, nil, s.batch},
		{post, "/api/v1/{game}/annotated", playable, lookups, 0, nil, s.annotated},
		{get, "/api/v1/{game}/board", playable, lookups, 0, at("hands", "board"), s.board},
		{post, "/api/v1/{game}/board", playable, lookups, 0, nil, s.setUp},
		{get, "/api/v1/{game}/line", solved, lookups, 0, at(), s.line},
		{get, "/api/v1/{game}/move", playable, searches, 0, at("level", "jitter", "budget", "seed", "lines"), s.choose},
		{get, "/api/v1/{game}/positions", solved, searches, limit, []string{"value", "zugzwang", "limit"}, s.positions},
		{get, "/api/v1/{game}/puzzle", solved, lookups, 0, []string{"level"}, s.puzzle},
		{get, "/api/v1/{game}/random", solved, lookups, limit, nil, s.random},
		{post, "/api/v1/{game}/records", playable, lookups, 0, nil, s.records},
		{get, "/api/v1/{game}/review", playable, searches, limit, at("first"), s.goThrough},
		{get, "/api/v1/{game}/stats", solved, free, 0, nil, s.stats},
		{get, "/api/v1/proof/{name}/line", proven, searches, limit, []string{"path", "claim"}, s.proofLine},
		{get, "/api/v1/proof/{name}/node", proven, lookups, 0, []string{"path", "claim"}, s.proof},
		{get, "/healthz", nothing, free, 0, anything, s.healthz},
		{get, "/metrics", nothing, free, 0, anything, s.metered},
	}
}

// reserved reports whether a path of the API has a name, which nothing that is served may then have.
func reserved(table []route, name string) bool {
	return slices.ContainsFunc(table, func(rt route) bool {
		rest, ok := strings.CutPrefix(rt.path, "/api/v1/")
		return ok && slices.Contains(strings.Split(rest, "/"), name)
	})
}

// request is a request for a route, with what its path names.
type request struct {
	*http.Request
	route  *route
	values map[string]string // of its parameters
	named
	played Playable // a database or a search; of a damaged database, without its values
	search Search
}

// reply is what a route answers: JSON. If the answer comes from a database, which never
// changes, sum identifies the database.
type reply struct {
	body   any
	sum    string
	status int // 0 for 200
	// handler answers instead of body, if it is not nil.
	handler http.Handler
}

// endpoint returns the handler of a path, which the routes of a table with that path share.
func (s *Server) endpoint(table []route, path string) http.HandlerFunc {
	table = slices.DeleteFunc(slices.Clone(table), func(rt route) bool { return rt.path != path })
	counts := map[string]func(int, time.Duration){}
	for _, rt := range table {
		if counts[rt.method] == nil {
			counts[rt.method] = s.metrics.route(rt.method + " " + rt.path)
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		a, err := s.run(table, w, r)
		var status int
		if err == nil {
			status, err = s.write(w, r, a)
		}
		if err != nil {
			status = s.fail(w, r, err)
		}
		if count := counts[methodOf(r)]; count != nil {
			count(status, time.Since(begin))
		}
	}
}

// methodOf returns the method of the route that answers a request.
func methodOf(r *http.Request) string {
	if r.Method == http.MethodHead {
		return http.MethodGet
	}
	return r.Method
}

// run answers a request by one of the routes of its path.
func (s *Server) run(table []route, w http.ResponseWriter, r *http.Request) (a reply, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, stack())
		}
	}()
	ctx, cancel := context.WithTimeout(r.Context(), s.Limits.Time)
	defer cancel()
	r = r.WithContext(ctx)
	r.Body = http.MaxBytesReader(w, r.Body, s.Limits.Body)
	q := &request{Request: r}
	if q.named, err = s.lookUp(r); err != nil {
		return reply{}, err
	}
	if q.route, err = s.routeOf(table, q, w); err != nil {
		return reply{}, err
	}
	if err := s.open(q); err != nil {
		return reply{}, err
	}
	if q.values, err = parameters(r, q.route.parameters...); err != nil {
		return reply{}, err
	}
	return q.route.answer(q)
}

// routeOf returns the route of a path that answers a request: for what its path names, and for its method.
func (s *Server) routeOf(table []route, r *request, w http.ResponseWriter) (*route, error) {
	method := methodOf(r.Request)
	var allowed, kinds []string
	what := ""
	for i := range table {
		rt := &table[i]
		switch fits := rt.of.what == "" || r.served != nil && slices.Contains(rt.of.kinds, r.entry.Kind); {
		case fits && rt.method == method:
			return rt, nil
		case fits && rt.method == http.MethodGet:
			allowed = append(allowed, http.MethodGet, http.MethodHead)
		case fits:
			allowed = append(allowed, rt.method)
		}
		if rt.method == method || what == "" {
			what, kinds = rt.of.what, append(kinds, rt.of.kinds...)
		}
	}
	if len(allowed) > 0 {
		return nil, wrongMethod(w, r.Request, allowed...)
	}
	return nil, notFound("no %s %q; there %s", what, nameIn(r.Request), s.names(kinds...))
}

// open fills in what a request asks. It fails if that cannot be opened, or is known to be damaged.
func (s *Server) open(r *request) error {
	switch x := r.served; {
	case x == nil:
	case x.err != nil && x.entry.Kind == kindProof && isFaulty(x.err):
		return faulty(x.err)
	case x.err != nil:
		return errWithheld
	case x.database != nil && s.checks.of(x).State != Damaged:
		r.played = x.database
	case x.database != nil && r.route.of.what == solved.what:
		return errWithheld
	case x.database != nil:
		r.played = x.database.Bare()
	case x.search != nil:
		r.search = x.search
		if r.rules != "" {
			var err error
			if r.search, err = x.search.With(r.rules); err != nil {
				return err
			}
		}
		r.played = r.search
	}
	return nil
}

// wrongMethod returns the error for a request whose path has other methods.
func wrongMethod(w http.ResponseWriter, r *http.Request, allowed ...string) error {
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return &statusError{http.StatusMethodNotAllowed, codeRequest, fmt.Errorf("method %s of %s: want %s", r.Method, r.URL.Path, strings.Join(allowed, " or "))}
}

// limited calls do when there is a slot for it, as the table of routes says. Pages of other origins cannot take those
// of searches.
func (s *Server) limited(r *request, do func(context.Context) (reply, error)) (reply, error) {
	slots := s.lookups
	if r.route.slots == searches {
		slots = s.searches
		if err := s.admission.costly(r.Request); err != nil {
			return reply{}, err
		}
	}
	select {
	case slots <- struct{}{}:
	default:
		timer := time.NewTimer(s.Limits.Wait)
		defer timer.Stop()
		select {
		case slots <- struct{}{}:
		case <-timer.C:
			return reply{}, &statusError{http.StatusServiceUnavailable, codeBusy, errors.New("too many requests at a time; try again later")}
		case <-r.Context().Done():
			return reply{}, r.Context().Err()
		}
	}
	defer func() { <-slots }()
	ctx := r.Context()
	if r.route.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.route.time)
		defer cancel()
	}
	return do(ctx)
}

func stack() []byte {
	text := make([]byte, 8<<10)
	return text[:runtime.Stack(text, false)]
}
