package lookup

import (
	"errors"
	"fmt"
	"strings"
)

// InputError is an error in a request.
type InputError struct {
	Err  error
	Code string // [CodeRequest] if it is empty
}

func (e InputError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e InputError) Unwrap() error { return e.Err }

// Codes of errors, which programs can rely on.
const (
	CodeRequest  = "bad_request"  // of the path, the parameters or the body
	CodePosition = "bad_position" // that is impossible, or cannot be searched
	CodeMove     = "bad_move"
	CodeNotFound = "not_found"
	CodeNotHeld  = "not_held" // by the database
	CodeDamaged  = "damaged"
	CodeCutOff   = "cut_off"
	CodeInternal = "internal"
	// CodeNotLoaded is that of [ErrNotLoaded].
	CodeNotLoaded = "not_loaded"
)

// ErrNotLoaded is the error of a reader in a browser that needs a part of a database and cannot reach the web host.
var ErrNotLoaded = errors.New("the web host cannot be reached")

// BadRequest, BadPosition and BadMove return the errors of those codes.
func BadRequest(format string, args ...any) error {
	return InputError{Err: fmt.Errorf(format, args...)}
}

// BadPosition returns the error for a position.
func BadPosition(err error) error { return InputError{err, CodePosition} }

// BadMove returns the error for a move.
func BadMove(err error) error { return InputError{err, CodeMove} }

// Brief shortens a message, which may repeat what was asked.
func Brief(message string) string {
	const most = 1000
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "..."
	}
	return message
}
