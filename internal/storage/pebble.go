package storage

import (
	"fmt"
	"runtime"

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
