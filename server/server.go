package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/gzhttp"
)

// Config says what a server serves, and how.
type Config struct {
	Databases []Database
	Searches  []Search
	Proofs    []Proof
	// Unopened are listed as damaged or refused.
	Unopened []Unopened
	// Version is the version of the program. Browsers ask again for answers of another
	// version.
	Version string
	// Origin is the origin of web pages elsewhere that may read answers, such as
	// https://example.com, or * for all of them; none if it is empty.
	Origin string
	// Loopback says that only this machine can connect. Then requests for other host names
	// are refused, but for Hosts: a web page could have pointed its own name here.
	Loopback bool
	Hosts    []string
	Limits   Limits
	Log      *slog.Logger // for errors; nil for none
}

// Limits are the limits of requests. A field that is 0 has its default.
type Limits struct {
	Body      int64         // bytes of a request; 1 MiB
	Positions int           // in a request; 1,000
	Lookups   int           // lookups and lines at a time; 8 for each processor
	Searches  int           // at a time; one for each processor
	Wait      time.Duration // for a turn; 5 s
	// Time is for a request: from its headers until its answer is known, with the wait for the
	// body and for a turn; 15 s more than Wait and SearchTime together.
	Time time.Duration
	// Connections is how many may be open; 512. Beyond that, those that wait longest for
	// a request are closed.
	Connections int
	// SearchNodes, SearchTime and SearchMemory are for one search: no limit, 10 s, and 64 MiB.
	SearchNodes  uint64
	SearchTime   time.Duration
	SearchMemory uint64
}

// unlimited is a number of nodes that no search reaches.
const unlimited = math.MaxInt64

// ofSearches returns the limits of searches for the list of games.
func (l *Limits) ofSearches() *GivenLimits {
	g := &GivenLimits{Seconds: l.SearchTime.Seconds(), Memory: l.SearchMemory}
	if l.SearchNodes < unlimited {
		g.Nodes = l.SearchNodes
	}
	return g
}

func (l *Limits) setDefaults() {
	procs := runtime.GOMAXPROCS(0)
	l.Body = cmp.Or(l.Body, 1<<20)
	l.Positions = cmp.Or(l.Positions, 1000)
	l.Lookups = cmp.Or(l.Lookups, 8*procs)
	l.Searches = cmp.Or(l.Searches, procs)
	l.Wait = cmp.Or(l.Wait, 5*time.Second)
	l.Connections = cmp.Or(l.Connections, 512)
	l.SearchNodes = cmp.Or(l.SearchNodes, unlimited)
	l.SearchMemory = cmp.Or(l.SearchMemory, 64<<20)
	l.SearchTime = cmp.Or(l.SearchTime, 10*time.Second)
	l.Time = cmp.Or(l.Time, l.Wait+l.SearchTime+15*time.Second)
}

// Server is the handler of all requests.
type Server struct {
	Config
	handler   http.Handler
	admission *admission
	mux       *http.ServeMux
	page      page
	databases map[string]Database
	searchers map[string]Search
	proofs    map[string]Proof
	unopened  map[string]Unopened
	entries   []Game
	lookups   chan struct{} // a token for each lookup that runs
	searches  chan struct{}
	running   atomic.Int64 // requests
	metrics   *metrics
	checks    checks
}

// New returns a server. It fails if two things to serve have the same name.
func New(c Config) (*Server, error) {
	s := &Server{Config: c, mux: http.NewServeMux(), databases: map[string]Database{}, searchers: map[string]Search{}, proofs: map[string]Proof{}, unopened: map[string]Unopened{}}
	s.Limits.setDefaults()
	s.lookups = make(chan struct{}, s.Limits.Lookups)
	s.searches = make(chan struct{}, s.Limits.Searches)
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	var err error
	if s.admission, err = newAdmission(&c); err != nil {
		return nil, err
	}
	if err = cmp.Or(add(s, c.Databases, s.databases), add(s, c.Searches, s.searchers), add(s, c.Proofs, s.proofs), add(s, c.Unopened, s.unopened)); err != nil {
		return nil, err
	}
	s.metrics = newMetrics(s)
	for _, rt := range s.routes() {
		s.mux.HandleFunc(rt.pattern, s.handle(rt))
	}
	s.mux.Handle("GET /metrics", s.metrics.handler)
	if s.page, err = newPage(); err != nil {
		return nil, err
	}
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1400))
	if err != nil {
		return nil, err
	}
	s.handler = compress(http.HandlerFunc(s.serve))
	return s, nil
}

// route is a path of the API.
type route struct {
	pattern string // method and path
	answer  func(*http.Request) (reply, error)
}

// reply is what a route answers: JSON. If the answer comes from a database, which never
// changes, sum identifies the database.
type reply struct {
	body   any
	sum    string
	status int // 0 for 200
}

func (s *Server) routes() []route {
	return []route{
		{"GET /api/v1/games", s.games},
		{"GET /api/v1/openapi.json", s.document},
		{"GET /api/v1/{game}", s.answer},
		{"POST /api/v1/{game}", s.batch},
		{"GET /api/v1/{game}/board", s.board},
		{"POST /api/v1/{game}/board", s.setUp},
		{"GET /api/v1/{game}/line", s.line},
		{"GET /api/v1/{game}/move", s.choose},
		{"GET /api/v1/{game}/positions", s.positions},
		{"GET /api/v1/{game}/random", s.random},
		{"POST /api/v1/{game}/records", s.records},
		{"GET /api/v1/{game}/review", s.goThrough},
		{"GET /api/v1/{game}/stats", s.stats},
		{"GET /api/v1/proof/{name}/line", s.proofLine},
		{"GET /api/v1/proof/{name}/node", s.proof},
		{"GET /healthz", s.healthz},
	}
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.running.Add(1)
	defer s.running.Add(-1)
	s.handler.ServeHTTP(w, r)
}

// serve finds the route of a request. If the mux would answer in plain text or with a
// redirect, serve answers with an error instead.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if err := s.admission.check(r); err != nil {
		s.fail(w, r, err)
		return
	}
	if s.Origin != "" {
		s.allowOrigin(w.Header())
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if s.page.serve(w, r) {
		return
	}
	if _, ok := s.page[r.URL.Path]; ok {
		s.wrongMethod(w, r, http.MethodGet, http.MethodHead)
		return
	}
	_, pattern := s.mux.Handler(r)
	if r.Method == http.MethodPost && !s.takesPosts(r) && s.exists(r) {
		s.wrongMethod(w, r, http.MethodGet, http.MethodHead)
		return
	}
	if pattern == "" || !isClean(r.URL.Path) {
		s.noRoute(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// isClean reports whether the mux takes a path as it is.
func isClean(p string) bool { return strings.HasPrefix(p, "/") && path.Clean(p) == p }

// allowOrigin lets pages of other origins read the answer.
func (s *Server) allowOrigin(h http.Header) {
	h.Set("Access-Control-Allow-Origin", s.Origin)
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	h.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
	h.Set("Access-Control-Max-Age", "86400")
	h.Add("Vary", "Origin")
}

// noRoute answers a request for which there is no route.
func (s *Server) noRoute(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		other := *r
		other.Method = method
		if _, pattern := s.mux.Handler(&other); isClean(r.URL.Path) && pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if !s.takesPosts(r) && len(allowed) == 3 {
		allowed = allowed[:2]
	}
	if len(allowed) > 0 {
		s.wrongMethod(w, r, allowed...)
		return
	}
	s.fail(w, r, s.noPath(r))
}

// takesPosts reports whether a path takes posts, as the mux says of all names of games: only
// databases answer for many positions.
func (s *Server) takesPosts(r *http.Request) bool {
	name, ok := strings.CutPrefix(r.URL.Path, "/api/v1/")
	if !ok || strings.Contains(name, "/") {
		return true
	}
	full, _, err := s.fullName(name)
	return err != nil || s.databases[full] != nil
}

// exists reports whether a path with a game of that name, and nothing after it, is there.
func (s *Server) exists(r *http.Request) bool {
	name, _ := strings.CutPrefix(r.URL.Path, "/api/v1/")
	family, _, _ := strings.Cut(name, ":")
	return name == "games" || name == "openapi.json" || s.searchers[family] != nil
}

// wrongMethod answers a request whose path has other methods.
func (s *Server) wrongMethod(w http.ResponseWriter, r *http.Request, allowed ...string) {
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.fail(w, r, &statusError{http.StatusMethodNotAllowed, codeRequest, fmt.Errorf("method %s of %s: want %s", r.Method, r.URL.Path, strings.Join(allowed, " or "))})
}

// noPath returns the error for a path that does not exist. It names those that do.
func (s *Server) noPath(r *http.Request) error {
	list := []string{"/", "/metrics"}
	for _, rt := range s.routes() {
		_, path, _ := strings.Cut(rt.pattern, " ")
		list = append(list, path)
	}
	slices.Sort(list)
	return notFound("no path %q; there are %s", r.URL.Path, strings.Join(slices.Compact(list), " "))
}

// names lists the names of what is served of the given kinds, for errors.
func (s *Server) names(kinds ...string) string {
	var list []string
	for _, g := range s.entries {
		if slices.Contains(kinds, g.Kind) {
			list = append(list, g.Name)
		}
	}
	if len(list) == 0 {
		return "is none"
	}
	return "are " + strings.Join(list, ", ")
}

// handle returns the handler of a route.
func (s *Server) handle(rt route) http.HandlerFunc {
	count := s.metrics.route(rt.pattern)
	return func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		a, err := s.run(rt, w, r)
		var status int
		if err == nil {
			status, err = s.write(w, r, a)
		}
		if err != nil {
			status = s.fail(w, r, err)
		}
		count(status, time.Since(begin))
	}
}

// run calls the handler of a route.
func (s *Server) run(rt route, w http.ResponseWriter, r *http.Request) (a reply, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, stack())
		}
	}()
	ctx, cancel := context.WithTimeout(r.Context(), s.Limits.Time)
	defer cancel()
	r = r.WithContext(ctx)
	r.Body = http.MaxBytesReader(w, r.Body, s.Limits.Body)
	if game := r.PathValue("game"); game != "" {
		full, whole, err := s.fullName(game)
		if err != nil {
			return reply{}, err
		}
		if r.SetPathValue("game", full); whole {
			r.SetPathValue("whole", game)
		}
		if u, ok := s.unopened[full]; ok && u.Kind == kindDatabase {
			return reply{}, errWithheld
		}
	}
	return rt.answer(r)
}

// fullName returns the name of the only database of a game that has the rule options given, in
// any order; the others may be left out. If there is none it returns the name as it is, and fails
// if there are several. whole says that the name is that of the whole game.
func (s *Server) fullName(game string) (name string, whole bool, err error) {
	if _, unopened := s.unopened[game]; unopened || s.searchers[game] != nil || s.databases[game] != nil {
		return game, false, nil
	}
	for _, g := range s.entries {
		if g.Whole != nil && strings.EqualFold(g.Whole.Name, game) {
			return g.Name, true, nil
		}
	}
	family, options, _ := strings.Cut(strings.ToLower(game), ":")
	var full []string
	for _, g := range s.entries {
		if own, _, _ := strings.Cut(g.Name, ":"); g.Kind != kindDatabase || own != family {
			continue
		}
		has := func(option string) bool {
			name, value, _ := strings.Cut(option, "=")
			return g.Rules[name] == value
		}
		if options == "" || !slices.ContainsFunc(strings.Split(options, ","), func(o string) bool { return !has(o) }) {
			full = append(full, g.Name)
		}
	}
	switch {
	case len(full) == 0 && s.searchers[family] != nil:
		return strings.ToLower(game), false, nil
	case len(full) == 0:
		return game, false, nil
	case len(full) > 1:
		return "", false, notFound("%q is one of %s: say which", game, strings.Join(full, ", "))
	}
	return full[0], false, nil
}

// limited calls do when there is a slot for it. Pages of other origins cannot take those of searches.
func (s *Server) limited(r *http.Request, slots chan struct{}, do func() (reply, error)) (reply, error) {
	if slots == s.searches {
		if err := s.admission.costly(r); err != nil {
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
	return do()
}

func stack() []byte {
	text := make([]byte, 8<<10)
	return text[:runtime.Stack(text, false)]
}

// tag returns the entity tag of an answer that rests on a database: the same for all
// encodings, so a weak one.
func (s *Server) tag(sum string) string {
	return fmt.Sprintf(`W/"%016x"`, xxhash.Sum64String(sum+" "+s.Version))
}

// add adds what is served to the list.
func add[T interface{ Game() Game }](s *Server, list []T, byName map[string]T) error {
	for _, x := range list {
		g := x.Game()
		if g.Kind == kindSearch {
			g.Limits = s.Limits.ofSearches()
		}
		for _, other := range s.entries {
			if other.Name == g.Name && (other.Kind == g.Kind || g.Kind != kindProof && other.Kind != kindProof) {
				return fmt.Errorf("the %s %s and the %s %s both have the name %s: serve one of them",
					other.Kind, cmp.Or(other.Database, other.Title), g.Kind, cmp.Or(g.Database, g.Title), g.Name)
			}
		}
		if slices.Contains([]string{"games", "proof", "board", "line", "move", "positions", "random", "records", "review", "stats", "openapi.json"}, g.Name) {
			return fmt.Errorf("%s %s: the API has a path of this name, so it has to be renamed", g.Kind, g.Name)
		}
		s.entries, byName[g.Name] = append(s.entries, g), x
		s.checks.resources = append(s.checks.resources, newResource(g, x))
	}
	return nil
}
