package server

import (
	"context"
	"net/http"
	"slices"
	"sync"
)

// health is the status of everything that is served.
type health struct {
	mu    sync.Mutex
	parts []*part
}

// part is something that is served.
type part struct {
	name   string
	what   verifier // nil if there is nothing to verify
	status string
}

// verifier is what can be verified.
type verifier interface {
	// Verify compares what is served with its checksums, and a proof with the rules.
	Verify(ctx context.Context) error
}

const (
	verifying = "verifying"
	verified  = "verified"
	damaged   = "damaged"
)

// Verify verifies all that is served. The server is not healthy before. It is meant to
// run beside the requests.
func (s *Server) Verify(ctx context.Context) {
	for _, p := range s.health.parts {
		if p.what == nil {
			continue
		}
		err := p.what.Verify(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.health.set(p, damaged)
			s.Log.Error("verification failed", "name", p.name, "error", err)
			continue
		}
		s.health.set(p, verified)
	}
}

// set records the status of a part. A part found damaged stays damaged.
func (h *health) set(p *part, status string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.status != damaged {
		p.status = status
	}
}

// damaged records that an answer has found a database damaged.
func (h *health) damaged(name string) {
	// Databases come first: a proof may have the name of one.
	if i := slices.IndexFunc(h.parts, func(p *part) bool { return p.name == name }); i >= 0 {
		h.set(h.parts[i], damaged)
	}
}

// add adds something to verify.
func (h *health) add(name string, what verifier) {
	status := verifying
	if what == nil {
		status = verified
	}
	h.parts = append(h.parts, &part{name, what, status})
}

// all returns the status of all parts, and of the whole: the worst of them.
func (h *health) all() (whole string, parts map[string]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	whole, parts = verified, map[string]string{}
	for _, p := range h.parts {
		parts[p.name] = p.status
		if p.status != verified && whole != damaged {
			whole = p.status
		}
	}
	return whole, parts
}

// healthAnswer answers GET /healthz.
type healthAnswer struct {
	Status string            `json:"status"` // "verifying", "verified" or "damaged"
	Games  map[string]string `json:"games"`  // the same for each
}

// healthz answers whether the server is healthy: with status 503 until all checksums are
// verified, or if one is wrong.
func (s *Server) healthz(*http.Request) (reply, error) {
	var a healthAnswer
	a.Status, a.Games = s.health.all()
	status := http.StatusOK
	if a.Status != verified {
		status = http.StatusServiceUnavailable
	}
	return reply{body: a, status: status}, nil
}
