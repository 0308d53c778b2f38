package ui

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/internal/bilingual"
	"github.com/yomikiri/yomikiri/internal/errno"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// Exit codes.
const (
	ExitOK          = 0
	ExitFailure     = 1
	ExitUsage       = 2   // bad usage or bad input
	ExitUnknown     = 3   // a limit was reached; the answer is not known
	ExitCorrupt     = 4   // verification failed, or data is damaged
	ExitInternal    = 5   // the program contradicts itself
	ExitInterrupted = 130 // interrupted; can be resumed. serve ends with ExitOK instead.
)

// exitCodes are the codes of errors. The first match counts, and any other error is
// ExitFailure.
var exitCodes = []struct {
	code   int
	errors []error
}{
	{ExitInterrupted, []error{retro.ErrInterrupted, context.Canceled}},
	{ExitUsage, []error{ErrUsage, app.ErrInput, db.ErrNoDatabase, db.ErrOther, retro.ErrOther,
		manager.ErrNoTree, manager.ErrOtherTree, proof.ErrNotProof, proof.ErrVersion, plain.ErrUnsuited, solver.ErrUnsuited, cluster.ErrRefused, natscarrier.ErrAddress}},
	{ExitInternal, []error{solver.ErrContradiction, retro.ErrContradiction}},
	{ExitCorrupt, []error{db.ErrCorrupt, manager.ErrCorrupt, manager.ErrRefused, sealed.ErrDamaged, storage.ErrDamaged, proof.ErrCorrupt, proof.ErrRefused, plain.ErrRefused, verify.ErrFailed}},
	{ExitUnknown, []error{db.ErrNotHeld, solver.ErrLimit, proof.ErrLimit, plain.ErrLimit, errUnknown, natscarrier.ErrAbsent, cluster.ErrAbsent}},
	{ExitUsage, []error{fs.ErrNotExist, fs.ErrPermission, syscall.EISDIR, syscall.ENOTDIR}}, // last, since damaged data may cause one
}

// ExitCode returns the exit code of a command that has failed with an error.
func ExitCode(err error) int {
	for _, c := range exitCodes {
		for _, e := range c.errors {
			if errors.Is(err, e) {
				return c.code
			}
		}
	}
	return ExitFailure
}

// marked is an error of a kind, whatever its text.
type marked struct{ err, kind error }

func (e marked) Error() string        { return e.err.Error() }
func (e marked) Unwrap() error        { return e.err }
func (e marked) Is(target error) bool { return target == e.kind }

// What errors of these kinds are to [errors.Is].
var (
	ErrUsage   = errors.New("bad usage")
	errUnknown = errors.New("answer unknown")
)

// Usage returns an error in what the user typed, or in a file of the user.
func Usage(err error) error { return marked{err, ErrUsage} }

// Unknown returns an error for a limit that was reached before the answer was known.
func Unknown(text string) error { return UnknownError(errors.New(text)) }

// UnknownError is Unknown for an error.
func UnknownError(err error) error { return marked{err, errUnknown} }

// ErrLimit is returned when a limit was reached before the answer was known.
var ErrLimit = UnknownError(notSolved.Error())

// Interrupted returns an error that says how much was done before an interrupt, or what goes on from there.
func Interrupted(text string) error { return InterruptedError(errors.New(text)) }

// InterruptedError is Interrupted for an error.
func InterruptedError(err error) error { return marked{err, context.Canceled} }

// Message returns the text of an error for the user.
func Message(err error) string { return message(err, err.Error(), false) }

// Japanese is Message in Japanese, as far as the error and what it wraps are known in it.
func Japanese(err error) string { return message(err, bilingual.Japanese(err), true) }

func message(err error, text string, japanese bool) string {
	if ExitCode(err) == ExitInterrupted {
		text = strings.ReplaceAll(text, context.Canceled.Error(), interrupted.In(japanese))
	}
	// It does not help the user to know which system call failed on a file.
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		text = strings.ReplaceAll(text, e.Error(), fileError(e, japanese))
		text = strings.ReplaceAll(text, e.Path+": "+e.Path+": ", e.Path+": ")
	}
	return Brief(text)
}

// fileError describes an error of a file.
func fileError(e *fs.PathError, japanese bool) string {
	var is bilingual.Message
	switch {
	case e.Path == "":
		return noName.In(japanese)
	case errors.Is(e, fs.ErrNotExist):
		is = noFile
	case errors.Is(e, fs.ErrPermission):
		is = notPermitted
	case errors.Is(e, syscall.EISDIR):
		is = isDirectory
	case errors.Is(e, syscall.ENOTDIR):
		is = isFile
	case errno.DiskFull.Is(e):
		is = diskFull
	default:
		return e.Path + ": " + e.Err.Error()
	}
	return e.Path + ": " + is.In(japanese)
}
