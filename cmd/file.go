package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// maxInput is the size of the largest file that is read whole.
const maxInput = 256 << 20

// openInput opens a file, or standard input if its name is -.
func openInput(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	return await(cmd.Context(), func() (io.ReadCloser, error) { return os.Open(name) })
}

// readInput reads a file, or standard input if its name is -.
func readInput(cmd *cobra.Command, name string) ([]byte, error) {
	in, err := openInput(cmd, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return await(cmd.Context(), func() ([]byte, error) {
		data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
		if err == nil && len(data) > maxInput {
			err = usageError{fmt.Errorf("%s: more than %d MiB", name, maxInput>>20)}
		}
		return data, err
	})
}

// writeFile creates or replaces a file. If the new file cannot be written completely, the
// old one is left as it was. Something that is not a regular file, such as a device, is
// written to.
func writeFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o644)
	}
	return storage.WriteFile(vfs.Default, filepath.Dir(path), filepath.Base(path), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writePlot creates or replaces a file with a plot.
func writePlot(path string, p *bench.Plot) error {
	svg, err := p.SVG()
	if err != nil {
		return err
	}
	return writeFile(path, svg)
}

// await makes a call that may block, such as one that opens a pipe or reads from a
// terminal. If ctx ends first, the goroutine that makes the call is left running.
func await[T any](ctx context.Context, call func() (T, error)) (T, error) {
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

// scanError returns the error of a scanner of lines, or nil after the last line.
func scanError(s *bufio.Scanner) error {
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return usageError{errors.New("a line of the input is too long")}
	}
	return s.Err()
}
