package server

import (
	"cmp"
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
	lookups   chan struct{} // a token for each lookup that runs
	searches  chan struct{}
	running   atomic.Int64 // requests
	metrics   *metrics
	checks    checks
}

// New returns a server. It fails if two things to serve have the same name.
func New(c Config) (*Server, error) {
	s := &Server{Config: c, mux: http.NewServeMux()}
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
	table := s.routes()
	if err := s.addAll(table); err != nil {
		return nil, err
	}
	s.metrics = newMetrics(s)
	for i, rt := range table {
		if i == 0 || rt.path != table[i-1].path {
			s.mux.HandleFunc(rt.path, s.endpoint(table, rt.path))
		}
	}
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
		s.fail(w, r, wrongMethod(w, r, http.MethodGet, http.MethodHead))
		return
	}
	if _, pattern := s.mux.Handler(r); pattern == "" || !isClean(r.URL.Path) {
		s.fail(w, r, s.noPath(r))
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

// noPath returns the error for a path that does not exist. It names those that do.
func (s *Server) noPath(r *http.Request) error {
	list := []string{"/"}
	for _, rt := range s.routes() {
		list = append(list, rt.path)
	}
	slices.Sort(list)
	return notFound("no path %q; there are %s", r.URL.Path, strings.Join(slices.Compact(list), " "))
}

// tag returns the entity tag of an answer that rests on a database: the same for all
// encodings, so a weak one.
func (s *Server) tag(sum string) string {
	return fmt.Sprintf(`W/"%016x"`, xxhash.Sum64String(sum+" "+s.Version))
}
