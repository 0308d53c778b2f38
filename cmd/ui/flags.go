package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Flags of the same meaning have the same limits in all commands.

// checked is a flag whose value is read by [CheckFlags].
type checked struct {
	text, kind string
	read       func(text string) error
}

func (c *checked) String() string { return c.text }
func (c *checked) Type() string   { return c.kind }

func (c *checked) Set(text string) error {
	c.text = text
	return nil
}

// CheckedFlag adds a flag. If its value is wrong, read returns an error that says what
// would be right.
func CheckedFlag(flags *pflag.FlagSet, name, kind, value, usage string, read func(text string) error) {
	flags.Var(&checked{value, kind, read}, name, usage)
}

// CheckFlags reads the checked flags of a command before it runs, including those that are
// not given but have a default.
func CheckFlags(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		c, ok := f.Value.(*checked)
		if !ok || err != nil || c.text == "" && !f.Changed {
			return
		}
		if e := c.read(c.text); e != nil {
			err = wrongFlag.Error(f.Name, e, cmd.CommandPath())
			if !errors.As(e, new(syscall.Errno)) {
				err = Usage(err)
			}
		}
	})
	return err
}

// MemoryFlag adds a flag for a number of bytes, which must not exceed the memory of this machine.
func MemoryFlag(flags *pflag.FlagSet, p *uint64, name, value, usage string) {
	CheckedFlag(flags, name, "size", value, usage, func(text string) (err error) {
		if *p, err = ParseBytes(text); err == nil {
			err = CheckMemory(*p)
		}
		if err == nil && *p < leastMemory {
			err = littleMemory.Error(Size(leastMemory))
		}
		if err != nil {
			err = fmt.Errorf("%q: %w", text, err)
		}
		return err
	})
}

// leastMemory is the smallest useful amount of memory.
const leastMemory = 1 << 20

// ThreadsFlag adds the flag for the number of threads.
func ThreadsFlag(flags *pflag.FlagSet, p *int, value, usage string) {
	if usage += "; 0 for one a processor"; value == "0" {
		usage += " (default 0)" // which is not shown otherwise
	}
	CheckedFlag(flags, "threads", "int", value, usage, func(text string) (err error) {
		if *p, err = WholeNumber(text, 0, MostThreads); *p == 0 {
			*p = runtime.GOMAXPROCS(0)
		}
		return err
	})
}

// Limits of flags.
const (
	MostThreads    = 1024    // of a command
	MostPartitions = 1 << 20 // of a solve, and messages in a batch
)

// WholeNumber reads a number within limits.
func WholeNumber[T int | uint64](text string, low, high T) (T, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < int64(low) || n > int64(high) {
		return 0, notWhole.Error(text, low, high)
	}
	return T(n), nil
}

// NumberFlag adds a flag for a number within limits.
func NumberFlag(flags *pflag.FlagSet, p *int, name string, value, low, high int, usage string) {
	CheckedFlag(flags, name, "int", strconv.Itoa(value), usage, func(text string) (err error) {
		*p, err = WholeNumber(text, low, high)
		return err
	})
}

// TimeFlag adds a flag for a time, 0 or more.
func TimeFlag(flags *pflag.FlagSet, p *time.Duration, name, value, usage string) {
	CheckedFlag(flags, name, "duration", value, usage, func(text string) (err error) {
		if *p, err = time.ParseDuration(text); err != nil || *p < 0 {
			return notTime.Error(text)
		}
		return nil
	})
}

// WithTimeLimit returns a context that ends after the time of such a flag, with a cause unless that is nil.
func WithTimeLimit(ctx context.Context, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, limit, cause)
}

// AddressFlag adds a flag for an address to listen on.
func AddressFlag(flags *pflag.FlagSet, p *string, name, value, usage string) {
	CheckedFlag(flags, name, "address", value, usage, func(text string) error {
		*p = text
		_, _, err := net.SplitHostPort(text)
		if err == nil {
			_, err = net.ResolveTCPAddr("tcp", text)
		}
		if err != nil {
			return fmt.Errorf("%q: want HOST:PORT, such as 127.0.0.1:8080, or :8080 for all addresses of this machine", text)
		}
		return nil
	})
}

// OriginFlag adds a flag for the origin of web pages, or * for all; none if it is not given.
func OriginFlag(flags *pflag.FlagSet, p *string, name, usage string) {
	CheckedFlag(flags, name, "origin", "", usage, func(text string) error {
		*p = text
		u, err := url.Parse(text)
		if text != "*" && (err != nil || u.Scheme == "" || u.Hostname() == "" || text != u.Scheme+"://"+u.Host) {
			return fmt.Errorf("%q: want * or SCHEME://HOST[:PORT], such as https://example.com", text)
		}
		return nil
	})
}

// FileFlag adds a flag for a file to write, and checks before the work begins that it can
// be written. Proofs are read again, so they need a regular file.
func FileFlag(flags *pflag.FlagSet, p *string, name string, regular bool, usage string) {
	CheckedFlag(flags, name, "file", "", usage, func(text string) error {
		*p = text
		return CheckOutput(text, regular)
	})
}

// WeightsFlag adds the flag for a file of weights.
func WeightsFlag(flags *pflag.FlagSet, p *string) {
	flags.StringVar(p, "weights", "", "`file` of weights, as train writes it, instead of those of the game; or made for those made by hand")
}

// BookFlag adds the flag for the file of an opening book.
func BookFlag(flags *pflag.FlagSet, p *string) {
	flags.StringVar(p, "book", "", "`file` of an opening book, as train writes it, to play by")
}

// SeedFlag adds the flag for what choices at random begin with.
func SeedFlag(flags *pflag.FlagSet, p *uint64) {
	flags.Uint64Var(p, "seed", 0, "of random numbers, by which moves of a book are chosen; 0 for others each time")
}

// PlotFlag adds the flag for a file to write a plot to, which is SVG.
func PlotFlag(flags *pflag.FlagSet, p *string, usage string) {
	CheckedFlag(flags, "plot", "file", "", usage+" to a file, as SVG", func(text string) error {
		*p = text
		err := CheckOutput(text, false)
		if ext := filepath.Ext(text); err == nil && ext != "" && !strings.EqualFold(ext, ".svg") {
			err = fmt.Errorf("%q: a plot is SVG, want a name that ends with .svg", text)
		}
		return err
	})
}

// CheckOutput fails if a file cannot be written.
func CheckOutput(path string, regular bool) error {
	info, err := os.Stat(path)
	switch {
	case path == "" || path == "-":
		return wantName.Error(path)
	case err == nil && info.IsDir():
		return outputDirectory.Error(path)
	case err == nil && regular && !info.Mode().IsRegular():
		return notRegular.Error(path)
	case err == nil && !info.Mode().IsRegular():
		return nil // such as a device
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".yomikiri-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return cannotWrite.Error(path, filepath.Dir(path), cause(err))
	}
	return nil
}

// cause returns the operating system's error, without the call that failed.
func cause(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}

// Printing is how a command prints.
type Printing struct{ JSON, Quiet bool }

// JSONFlag adds the flag --json.
func (p *Printing) JSONFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&p.JSON, "json", false, "print JSON records, one on a line; see docs/json.md")
}

// Flags adds --json and --quiet.
func (p *Printing) Flags(flags *pflag.FlagSet) {
	p.JSONFlag(flags)
	p.QuietFlag(flags)
}

// QuietFlag adds the flag --quiet.
func (p *Printing) QuietFlag(flags *pflag.FlagSet) {
	flags.BoolVarP(&p.Quiet, "quiet", "q", false, QuietUsage)
}

// QuietUsage is the help of --quiet.
const QuietUsage = "show no progress, only results"

// Progress returns how to show the progress of a command.
func (p *Printing) Progress(cmd *cobra.Command) *Progress {
	return NewProgress(cmd.ErrOrStderr(), p.JSON, p.Quiet)
}

// Result prints a result as a record or as text.
func (p *Printing) Result(cmd *cobra.Command, v any, text string) error {
	return p.Write(cmd.OutOrStdout(), v, text)
}

// Write writes a result as a record or as text.
func (p *Printing) Write(w io.Writer, v any, text string) error {
	if p.JSON {
		return WriteRecord(w, v)
	}
	_, err := io.WriteString(w, text)
	return err
}

// RealFlag adds a flag for a number within limits.
func RealFlag(flags *pflag.FlagSet, p *float64, name string, value, low, high float64, usage string) {
	CheckedFlag(flags, name, "number", strconv.FormatFloat(value, 'g', -1, 64), usage, func(text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= low && x <= high) {
			return fmt.Errorf("%q: want a number from %g to %g", text, low, high)
		}
		*p = x
		return nil
	})
}
