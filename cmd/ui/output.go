package ui

import (
	"errors"
	"io"
	"os"
	"sync"
)

// Output is the writer for results. It keeps the first error, since a command may overlook it.
type Output struct {
	w      io.Writer
	colour string // when it is coloured
	mu     sync.Mutex
	err    error
}

// NewOutput returns a writer to w.
func NewOutput(w io.Writer) *Output { return &Output{w: w, colour: automatically} }

// Err returns the first error of a write.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

func (o *Output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.w.Write(text)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Stdout returns the standard output. If it was closed when the program started, every write fails.
func Stdout() io.Writer {
	if outputClosed() {
		return closedOutput{}
	}
	return os.Stdout
}

// closedOutput is a standard output that was closed when the program started.
type closedOutput struct{}

func (closedOutput) Write([]byte) (int, error) { return 0, errOutputClosed }

var errOutputClosed = errors.New("standard output is closed")
