package ui

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/spf13/cobra"
	"golang.org/x/text/encoding/unicode"

	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// MaxInput is the size of the largest file that is read whole.
const MaxInput = 256 << 20

// InputName returns the name of a file for messages.
func InputName(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}

// IsFile reports whether an argument names a file rather than a position: there is something of
// this name, or the name is that of a PSQ file.
func IsFile(name string) bool {
	_, err := os.Stat(name)
	path := strings.HasPrefix(name, "/") || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
	return name == "-" || path || err == nil || strings.EqualFold(filepath.Ext(name), ".psq")
}

// fileName matches what can only be meant as the name of a file: no game, position or move ends so.
var fileName = regexp.MustCompile(`^[^~\s][^\s]*\.[A-Za-z][A-Za-z0-9]{1,7}$`)

// MeansFile reports whether an argument that is not there looks like the name of a file all the same.
func MeansFile(name string) bool { return fileName.MatchString(name) }

// NoFile is the error for the name of a file that is not there.
func NoFile(name string) error { return Usage(fmt.Errorf("there is no file %s", name)) }

// OpenInput opens a file, or standard input if its name is -.
func OpenInput(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	return Await(cmd.Context(), func() (io.ReadCloser, error) { return os.Open(name) })
}

// OpenText opens a file of text, or standard input if its name is -.
func OpenText(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	in, err := OpenInput(cmd, name)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{TextOf(in), in}, nil
}

// TextOf returns a reader of the text in r without its byte order mark. Text that a mark
// declares to be UTF-16, as some shells write it, becomes UTF-8. It reads no more of r than
// is there.
func TextOf(r io.Reader) io.Reader { return &textReader{in: bufio.NewReader(r)} }

type textReader struct {
	in   *bufio.Reader
	text io.Reader // nil before the first byte
}

func (t *textReader) Read(p []byte) (int, error) {
	if t.text == nil {
		t.text = t.in
		first, _ := t.in.Peek(1)
		mark := map[string]string{"\xef": "\xef\xbb\xbf", "\xff": "\xff\xfe", "\xfe": "\xfe\xff"}[string(first)]
		switch is, _ := t.in.Peek(len(mark)); {
		case mark == "" || string(is) != mark:
		case len(mark) == 3:
			t.in.Discard(len(mark))
		default:
			t.text = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(t.in)
		}
	}
	return t.text.Read(p)
}

// ReadInput reads a file of text, or standard input if its name is -.
func ReadInput(cmd *cobra.Command, name string) ([]byte, error) {
	in, err := OpenText(cmd, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := ReadWhole(cmd.Context(), in)
	if errors.Is(err, ErrUsage) {
		err = Usage(fmt.Errorf("%s: %w", InputName(name), err))
	}
	return data, err
}

// ReadWhole reads to the end.
func ReadWhole(ctx context.Context, in io.Reader) ([]byte, error) {
	return Await(ctx, func() ([]byte, error) {
		data, err := io.ReadAll(io.LimitReader(in, MaxInput+1))
		if err == nil && len(data) > MaxInput {
			err = Usage(tooLarge.Error(MaxInput >> 20))
		}
		return data, err
	})
}

// WriteFile creates or replaces a file. If the new file cannot be written completely, the
// old one is left as it was. Something that is not a regular file, such as a device, is
// written to.
func WriteFile(path string, data []byte) error {
	return WriteWith(context.Background(), path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteWith is [WriteFile] of what a function writes. If ctx ends while a device or a pipe takes nothing, it fails.
func WriteWith(ctx context.Context, path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := Await(ctx, func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0) })
		if err != nil {
			return err
		}
		return errors.Join(write(AwaitedWriter(ctx, f)), f.Close())
	}
	return storage.WriteFile(vfs.Default, filepath.Dir(path), filepath.Base(path), write)
}

// CheckNew fails if a file or a directory is there, in the place of something new that the error asks for.
func CheckNew(path, want string) error {
	if info, err := os.Stat(path); err == nil && (info.IsDir() || info.Mode().IsRegular()) { // no device, to which one writes
		return Usage(fmt.Errorf("%s exists already: name %s", path, want))
	}
	return nil
}

// WritePlot creates or replaces a file with a plot.
func WritePlot(path string, p *plot.Plot) error {
	svg, err := p.SVG()
	if err != nil {
		return err
	}
	return WriteFile(path, svg)
}

// Await makes a call that may block, such as one that opens a pipe or reads from a
// terminal. If ctx ends first, the goroutine that makes the call is left running.
func Await[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := call()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case r := <-done:
		return r.value, r.err
	}
}

// AwaitedWriter returns a writer each of whose writes is a call by [Await].
func AwaitedWriter(ctx context.Context, w io.Writer) io.Writer { return awaited{ctx, w} }

type awaited struct {
	ctx context.Context
	w   io.Writer
}

func (a awaited) Write(data []byte) (int, error) {
	return Await(a.ctx, func() (int, error) { return a.w.Write(data) })
}

// ScanError returns the error of a scanner of lines, or nil after the last line.
func ScanError(s *bufio.Scanner) error {
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return Usage(longLine.Error())
	}
	return s.Err()
}

// ErrNotText is returned for a file that is not text.
var ErrNotText = notText.Error()

// IsText reports whether bytes at the beginning of a file are text: there is no control character
// among them that text does not have.
func IsText(begin []byte) bool {
	return !bytes.ContainsFunc(begin, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1a\x1b", r) })
}
