package server

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/yomikiri/yomikiri/db"
)

// Config says what a server serves.
type Config struct {
	Databases []Database
	Log       *slog.Logger // nil for none
}

// Server is the handler of all requests.
type Server struct {
	mux       *http.ServeMux
	databases map[string]Database
	games     []Game
	log       *slog.Logger
}

//go:embed web
var web embed.FS

// New returns a server. It fails if two things to serve have the same name.
func New(c Config) (*Server, error) {
	s := &Server{mux: http.NewServeMux(), databases: map[string]Database{}, log: c.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	for _, d := range c.Databases {
		g := d.Game()
		if s.databases[g.Name] != nil {
			return nil, fmt.Errorf("there are two databases of %s", g.Name)
		}
		s.databases[g.Name] = d
		s.games = append(s.games, g)
	}
	files, err := fs.Sub(web, "web")
	if err != nil {
		return nil, err
	}
	s.mux.Handle("GET /", page(http.FileServerFS(files)))
	s.mux.HandleFunc("GET /api/v1/games", s.listGames)
	s.mux.HandleFunc("GET /api/v1/{game}", s.answer)
	s.mux.HandleFunc("POST /api/v1/{game}/board", s.setUp)
	return s, nil
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// policy lets the page load what is embedded, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// page adds the headers of the web page.
func page(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		files.ServeHTTP(w, r)
	})
}

func (s *Server) listGames(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string][]Game{"games": s.games})
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	d, ok := s.databases[r.PathValue("game")]
	if !ok {
		writeError(w, http.StatusNotFound, fmt.Errorf("no game %q; see /api/v1/games", r.PathValue("game")))
		return
	}
	a, err := d.Answer(queryOf(r))
	var input InputError
	switch {
	case errors.As(err, &input):
		writeError(w, http.StatusBadRequest, err)
	case errors.Is(err, db.ErrNotHeld):
		writeError(w, http.StatusNotFound, err)
	case err != nil:
		s.log.Error(err.Error())
		writeError(w, http.StatusInternalServerError, errors.New("internal error"))
	default:
		writeJSON(w, http.StatusOK, a)
	}
}

// writeJSON writes an answer.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, status int, err error) {
	writeJSON(w, status, map[string]any{"error": map[string]string{"message": err.Error()}})
}
