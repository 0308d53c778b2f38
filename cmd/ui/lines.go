package ui

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Lines reads the lines that a person types after a prompt: with line editing and a
// history on a terminal.
type Lines struct {
	prompt   string
	out      io.Writer
	scanner  *bufio.Scanner
	terminal *term.Terminal // nil if there is none
	keys     *keys
}

// keys is a terminal in raw mode, in which Ctrl-C is an ordinary key.
type keys struct {
	*os.File
	interrupted bool
}

func (k *keys) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	const ctrlC = 3
	k.interrupted = k.interrupted || bytes.IndexByte(p[:n], ctrlC) >= 0
	return n, err
}

func NewLines(in io.Reader, out io.Writer, prompt string) *Lines {
	l := &Lines{prompt: prompt, out: out, scanner: bufio.NewScanner(TextOf(in))}
	if f, ok := in.(*os.File); ok && isTerminal(f) && isTerminal(out) {
		l.keys = &keys{File: f}
		l.terminal = term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{l.keys, out}, prompt)
	}
	return l
}

// isTerminal reports whether w, which may be a reader or a writer, is a terminal.
func isTerminal(w any) bool {
	if o, ok := w.(*Output); ok {
		w = o.w
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Read returns the next line, [io.EOF] after the last. If ctx ends first, the goroutine
// that reads is left running.
func (l *Lines) Read(ctx context.Context) (string, error) {
	next := l.scan
	if l.terminal != nil {
		next = l.edit
		fd := int(l.keys.Fd())
		if width, height, err := term.GetSize(fd); err == nil {
			l.terminal.SetSize(width, height)
		}
		state, err := term.MakeRaw(fd)
		if err != nil {
			return "", err
		}
		defer term.Restore(fd, state)
	} else if _, err := fmt.Fprint(l.out, l.prompt); err != nil {
		return "", err
	}
	return Await(ctx, next)
}

func (l *Lines) scan() (string, error) {
	if l.scanner.Scan() {
		return l.scanner.Text(), nil
	}
	if err := ScanError(l.scanner); err != nil {
		return "", err
	}
	return "", io.EOF
}

func (l *Lines) edit() (string, error) {
	line, err := l.terminal.ReadLine()
	if err == io.EOF && l.keys.interrupted {
		err = Interrupted("interrupted")
	}
	return line, err
}
