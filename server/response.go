package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/bilingual"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// InputError is an error in a request.
type InputError = lookup.InputError

// badRequest, badPosition and badMove return the errors of those codes.
func badRequest(format string, args ...any) error { return lookup.BadRequest(format, args...) }
func badPosition(err error) error                 { return lookup.BadPosition(err) }
func badMove(err error) error                     { return lookup.BadMove(err) }

// statusError is an error with a status of its own.
type statusError struct {
	status int
	code   string
	error
}

func (e *statusError) Unwrap() error { return e.error }

func notFound(format string, args ...any) error {
	return &statusError{http.StatusNotFound, codeNotFound, fmt.Errorf(format, args...)}
}

// Codes of errors, which programs can rely on.
const (
	codeRequest   = lookup.CodeRequest  // of the path, the parameters or the body
	codePosition  = lookup.CodePosition // that is impossible, or cannot be searched
	codeMove      = lookup.CodeMove
	codeNotFound  = lookup.CodeNotFound
	codeNotHeld   = lookup.CodeNotHeld // by the database
	codeTooLarge  = "too_large"
	codeTimeout   = "timeout"   // of a body that does not arrive
	codeForbidden = "forbidden" // to this host name, or from that page
	codeBusy      = "busy"
	codeCutOff    = lookup.CodeCutOff
	codeDamaged   = lookup.CodeDamaged
	codeRefused   = "refused" // of a proof file, which is wrong
	codeInternal  = lookup.CodeInternal
)

// errorAnswer is the answer of all requests that fail.
type errorAnswer struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		// Japanese is the message in Japanese, if it has one.
		Japanese string `json:"japanese,omitempty"`
		// ID identifies the error in the log, if the request is not to blame.
		ID string `json:"id,omitempty"`
	} `json:"error"`
}

// buffers are for answers.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// largeBuffer is the size from which a buffer is not reused.
const largeBuffer = 1 << 20

// write writes a reply. It returns the status, or an error if nothing is written yet.
func (s *Server) write(w http.ResponseWriter, r *http.Request, a reply) (int, error) {
	if a.handler != nil {
		a.handler.ServeHTTP(w, r)
		return http.StatusOK, nil
	}
	h := w.Header()
	if a.sum == "" {
		h.Set("Cache-Control", "no-store")
	} else {
		tag := s.tag(a.sum)
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-cache") // ask whether damage was found
		if s.checks.intact(a.sum) {
			h.Set("Cache-Control", "public, max-age=600")
		}
		if hasTag(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return http.StatusNotModified, nil
		}
	}
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if err := json.NewEncoder(b).Encode(a.body); err != nil {
		return 0, err
	}
	a.status = cmp.Or(a.status, http.StatusOK)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(a.status)
	w.Write(b.Bytes()) // fails if the client has gone
	if b.Cap() < largeBuffer {
		buffers.Put(b)
	}
	return a.status, nil
}

// hasTag reports whether a list of entity tags, or *, has one.
func hasTag(list, tag string) bool {
	for t := range strings.SplitSeq(list, ",") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// fail writes an error. If the request is not to blame, the error goes to the log, and the
// answer has only its id.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) int {
	var a errorAnswer
	var own *statusError
	var input InputError
	var tooLarge *http.MaxBytesError
	status, code := http.StatusInternalServerError, codeInternal
	switch {
	case errors.As(err, &own):
		status, code = own.status, own.code
	case errors.As(err, &tooLarge):
		status, code = http.StatusRequestEntityTooLarge, codeTooLarge
		err = fmt.Errorf("a request of more than %d bytes", tooLarge.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		status, code = http.StatusRequestTimeout, codeTimeout
		err = fmt.Errorf("the request did not arrive within %v", s.Limits.Time)
	case errors.As(err, &input):
		status, code = http.StatusBadRequest, cmp.Or(input.Code, codeRequest)
	case errors.Is(err, db.ErrNotHeld):
		status, code = http.StatusNotFound, codeNotHeld
	case errors.Is(err, context.Canceled):
		status, code = http.StatusServiceUnavailable, codeCutOff
		err = errors.New("the request was cut off")
	case errors.Is(err, context.DeadlineExceeded):
		status, code = http.StatusServiceUnavailable, codeCutOff
		err = errors.New("the request took longer than it may")
	case errors.Is(err, db.ErrCorrupt):
		code = codeDamaged
	}
	a.Error.Code = code
	a.Error.Message = lookup.Brief(err.Error())
	a.Error.Japanese = lookup.Brief(bilingual.Translation(err))
	if status == http.StatusInternalServerError && own == nil {
		a.Error.ID = fmt.Sprintf("%016x", rand.Uint64())
		a.Error.Message = "internal error; the server's log has it under this id"
		if code == codeDamaged {
			a.Error.Message = "the database is damaged; the server's log has the details under this id"
			if x, _ := s.lookUp(r); x.served != nil {
				s.checks.damaged(x.entry.Checksum)
			}
		}
		s.Log.Error(err.Error(), "id", a.Error.ID, "method", r.Method, "url", lookup.Brief(r.URL.String()))
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	status, _ = s.write(w, r, reply{body: a, status: status})
	return status
}
