package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// Status says what has been found out about a database or a proof that is served.
type Status struct {
	// State is one of the constants below.
	State string `json:"state"`
	// Reason says why a proof is refused or unchecked.
	Reason string `json:"reason,omitempty"`
	// Verification says whether the database, or that on which the proof rests, was verified.
	// It is nil until that is known, or if there is none.
	Verification *db.Verification `json:"verification,omitempty"`
}

// States of databases and proofs.
const (
	// Checking means that nothing is known yet.
	Checking = "checking"
	// Intact means that a database fits its checksums. Whether its values are right is
	// another question; see [Status].Verification.
	Intact = "intact"
	// Damaged means that a database does not fit its checksums.
	Damaged = "damaged"
	// Checked means that a proof was checked by the rules. If it rests on a database, it is
	// right if the database is.
	Checked = "checked"
	// Refused means that a proof is wrong.
	Refused = "refused"
	// Unchecked means that a check could not be completed. The log says why.
	Unchecked = "unchecked"
)

// checks is what is found out about everything that is served, in the order of the list of
// games.
type checks struct {
	mu     sync.Mutex
	served []*served
}

// Unopened is a database or a proof file that cannot be opened, because it is damaged. It is listed
// with its state, and its paths answer with an error.
type Unopened struct {
	Kind string // "database" or "proof"
	Name string // as in [Game]
	Err  error  // [db.ErrCorrupt], [proof.ErrCorrupt] or [proof.ErrRefused]
}

// Game describes what is not known.
func (u Unopened) Game() Game {
	return Game{Name: u.Name, Title: u.Name, Kind: u.Kind, Rules: map[string]string{}}
}

// Check checks all that is served. The server is not healthy before. It is meant to run
// beside the requests.
func (s *Server) Check(ctx context.Context) {
	for _, p := range s.checks.served {
		if p.check == nil {
			continue
		}
		v, err := p.check(ctx)
		if ctx.Err() != nil {
			return
		}
		status := statusOf(p.entry.Kind, v, err)
		if err != nil {
			s.Log.Error("check failed", "name", p.path, "state", status.State, "error", err)
		}
		s.checks.set(p, status)
	}
}

// statusOf returns the status after a check of something of a kind, which may have failed.
func statusOf(kind string, v *db.Verification, err error) Status {
	switch {
	case err == nil && kind == kindProof:
		return Status{State: Checked}
	case err == nil:
		return Status{State: Intact, Verification: v}
	case kind == kindDatabase && errors.Is(err, db.ErrCorrupt):
		return Status{State: Damaged}
	case kind == kindProof && isFaulty(err):
		return Status{State: Refused, Reason: lookup.Brief(err.Error())}
	}
	return Status{State: Unchecked}
}

// isFaulty reports whether a proof file is to blame for an error.
func isFaulty(err error) bool {
	return errors.Is(err, proof.ErrRefused) || errors.Is(err, proof.ErrCorrupt)
}

// set records the status of what is served. A database found damaged stays damaged.
func (c *checks) set(p *served, status Status) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.status.State != Damaged {
		p.status = status
	}
}

// damaged records that an answer has found the database with a checksum damaged.
func (c *checks) damaged(checksum string) {
	for _, p := range c.served {
		if p.entry.Kind == kindDatabase && p.entry.Checksum == checksum {
			c.set(p, Status{State: Damaged})
		}
	}
}

// intact reports whether the database with a checksum was found to fit it.
func (c *checks) intact(checksum string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.served, func(p *served) bool {
		return p.entry.Kind == kindDatabase && p.entry.Checksum == checksum && p.status.State == Intact
	})
}

// errWithheld answers a request for values of a database that is known to be damaged.
var errWithheld = &statusError{http.StatusInternalServerError, codeDamaged, errors.New("the database is damaged, so its values are withheld")}

// of returns the status of what is served, nil for a search.
func (c *checks) of(p *served) *Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.check == nil {
		return nil
	}
	status := p.status
	if p.entry.Kind != kindProof || p.entry.Checksum == "" {
		return &status
	}
	for _, base := range c.served {
		if base.entry.Kind != kindDatabase || base.entry.Checksum != p.entry.Checksum {
			continue
		}
		status.Verification = base.status.Verification
		if status.State == Checked && base.status.State != Intact {
			status = Status{State: Unchecked, Reason: "the database that it rests on is " + base.status.State}
		}
	}
	return &status
}

// States of the whole server.
const (
	healthChecking = "checking"
	healthOK       = "ok"
	healthFailed   = "failed"
)

// all returns the state of the whole, and that of each thing that is served, by path.
func (c *checks) all() (whole string, each map[string]*Status) {
	whole, each = healthOK, map[string]*Status{}
	for _, p := range c.served {
		status := c.of(p)
		if status == nil {
			continue
		}
		each[p.path] = status
		switch status.State {
		case Checked, Intact:
		case Checking:
			if whole == healthOK {
				whole = healthChecking
			}
		default:
			whole = healthFailed
		}
	}
	return whole, each
}

// healthAnswer answers GET /healthz.
type healthAnswer struct {
	Status string             `json:"status"` // "checking", "ok" or "failed"
	Games  map[string]*Status `json:"games"`  // by path; searches have none
}

// healthz answers whether the server is healthy: with status 503 until all checksums are
// compared and all proofs checked, or if something is wrong.
func (s *Server) healthz(*request) (reply, error) {
	var a healthAnswer
	a.Status, a.Games = s.checks.all()
	status := http.StatusOK
	if a.Status != healthOK {
		status = http.StatusServiceUnavailable
	}
	return reply{body: a, status: status}, nil
}
