package cmd

import (
	"errors"
	"io"
	"sync"
)

// output is the writer for results. It keeps the first error, since a command may overlook it.
type output struct {
	w   io.Writer
	mu  sync.Mutex
	err error
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.w.Write(text)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// closedOutput is a standard output that was closed when the program started.
type closedOutput struct{}

func (closedOutput) Write([]byte) (int, error) { return 0, errOutputClosed }

var errOutputClosed = errors.New("standard output is closed")
