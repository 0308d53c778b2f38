package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
)

// Quiet makes a Pebble store with these options quiet: its log is discarded, since errors
// are also returned. Only unrecoverable errors, such as a full disk at the wrong moment,
// are not returned: for them the store panics with an error that [Catch] returns.
func Quiet(o *pebble.Options) *pebble.Options {
	o.Logger = quiet{}
	if o.EventListener == nil {
		o.EventListener = &pebble.EventListener{}
	}
	// Without this Pebble ends the process when it finds damage.
	o.EventListener.DataCorruption = func(pebble.DataCorruptionInfo) {}
	return o
}

// Catch calls f and returns its error, or an unrecoverable one of a [Quiet] store. After
// the latter the store must not be used or closed.
func Catch(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtime.Error:
			panic(r)
		case error:
			err = r
		default:
			panic(r)
		}
	}()
	return f()
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, args ...any) {
	f := fatal{text: fmt.Sprintf(format, args...)}
	for _, a := range args {
		if err, ok := a.(error); ok {
			f.cause = err
		}
	}
	panic(f)
}

// fatal is an unrecoverable error of a store.
type fatal struct {
	text  string
	cause error
}

func (f fatal) Error() string { return f.text }
func (f fatal) Unwrap() error { return f.cause }

// ErrDamaged is returned for a store whose files are not as they were written.
var ErrDamaged = errors.New("the store is damaged")

// Opened returns the error of opening a store: [ErrDamaged] with a line of explanation, unless the
// system gave it. Pebble has no kind of its own for what contradicts itself, such as in its options.
func Opened(err error) error {
	system := errors.As(err, new(*fs.PathError)) || errors.As(err, new(syscall.Errno))
	if err == nil || system && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return damaged(err)
}

// Read returns the error of reading a store: [ErrDamaged] with a line of explanation if it says so.
func Read(err error) error {
	if pebble.IsCorruptionError(err) {
		return damaged(err)
	}
	return err
}

func damaged(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%w: %s", ErrDamaged, strings.TrimPrefix(line, "pebble: "))
}
