package static

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoReader is returned by a program that was built without readers where it cannot build them.
var ErrNoReader = errors.New("this program was built without the reader of published sites")

// packageOfReader is the program that becomes a reader.
const packageOfReader = "github.com/yomikiri/yomikiri/cmd/reader"

// HasReaders reports whether the program was built with readers.
func HasReaders() bool { return built() != nil }

// FindReaders returns the readers with which the program was built, by the tag reader. Without that it builds them from the
// source in a directory, by the command go.
func FindReaders(ctx context.Context, source string) (Readers, error) {
	if r := built(); r != nil {
		return r, nil
	}
	return BuildReaders(ctx, source)
}

// BuildReaders builds the readers from the source in a directory: WebAssembly, compressed, and the script of Go that runs it.
// It takes a minute, and seconds the next time.
func BuildReaders(ctx context.Context, source string) (Readers, error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("%w, and there is no command go to build it: install Go, or take a released program", ErrNoReader)
	}
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, tool, args...)
		cmd.Dir = source
		cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil && ctx.Err() == nil {
			line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
			err = fmt.Errorf("go %s: %w: %s", args[0], err, line)
		}
		return out, errors.Join(err, ctx.Err())
	}
	if _, err := run("list", packageOfReader); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w, and cannot build it in %s: %w: run it in the directory of its source, name that with --source, or take a released program", ErrNoReader, source, err)
	}
	root, err := run("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	r := Readers{}
	if r[wasmExec], err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", wasmExec)); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "reader")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, tags := range map[string]string{gamesReader: "", variantsReader: "variants"} {
		out := filepath.Join(dir, name)
		if _, err := run("build", "-tags", tags, "-trimpath", "-ldflags=-s -w", "-o", out, packageOfReader); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(out)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails for unknown levels only
		if _, err := z.Write(data); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		r[name] = b.Bytes()
	}
	return r, nil
}
