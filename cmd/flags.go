package cmd

import (
	"errors"
	"fmt"
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

// checked is a flag whose value is read by [checkFlags].
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

// checkedFlag adds a flag. If its value is wrong, read returns an error that says what
// would be right.
func checkedFlag(flags *pflag.FlagSet, name, kind, value, usage string, read func(text string) error) {
	flags.Var(&checked{value, kind, read}, name, usage)
}

// checkFlags reads the checked flags of a command before it runs, including those that are
// not given but have a default.
func checkFlags(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		c, ok := f.Value.(*checked)
		if !ok || err != nil || c.text == "" && !f.Changed {
			return
		}
		if e := c.read(c.text); e != nil {
			err = fmt.Errorf("--%s %w; see %s --help", f.Name, e, cmd.CommandPath())
			if !errors.As(e, new(syscall.Errno)) {
				err = Usage(err)
			}
		}
	})
	return err
}

// memoryFlag adds a flag for a number of bytes, which must not exceed the memory of this machine.
func memoryFlag(flags *pflag.FlagSet, p *uint64, name, value, usage string) {
	checkedFlag(flags, name, "size", value, usage, func(text string) (err error) {
		if *p, err = parseBytes(text); err == nil {
			err = checkMemory(*p)
		}
		if err == nil && *p < leastMemory {
			err = fmt.Errorf("want at least %s", size(leastMemory))
		}
		if err != nil {
			err = fmt.Errorf("%q: %w", text, err)
		}
		return err
	})
}

// leastMemory is the smallest useful amount of memory.
const leastMemory = 1 << 20

// threadsFlag adds the flag for the number of threads.
func threadsFlag(flags *pflag.FlagSet, p *int, value, usage string) {
	if usage += "; 0 for one a processor"; value == "0" {
		usage += " (default 0)" // which is not shown otherwise
	}
	checkedFlag(flags, "threads", "int", value, usage, func(text string) (err error) {
		if *p, err = wholeNumber(text, 0, mostThreads); *p == 0 {
			*p = runtime.GOMAXPROCS(0)
		}
		return err
	})
}

const (
	mostThreads    = 1024    // of a command
	mostPartitions = 1 << 20 // of a solve, and messages in a batch
)

// wholeNumber reads a number within limits.
func wholeNumber[T int | uint64](text string, low, high T) (T, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < int64(low) || n > int64(high) {
		return 0, fmt.Errorf("%q: want a whole number from %d to %d", text, low, high)
	}
	return T(n), nil
}

// numberFlag adds a flag for a number within limits.
func numberFlag(flags *pflag.FlagSet, p *int, name string, value, low, high int, usage string) {
	checkedFlag(flags, name, "int", strconv.Itoa(value), usage, func(text string) (err error) {
		*p, err = wholeNumber(text, low, high)
		return err
	})
}

// timeFlag adds a flag for a time, 0 or more.
func timeFlag(flags *pflag.FlagSet, p *time.Duration, name, value, usage string) {
	checkedFlag(flags, name, "duration", value, usage, func(text string) (err error) {
		if *p, err = time.ParseDuration(text); err != nil || *p < 0 {
			return fmt.Errorf("%q: want a time, such as 90s or 5m", text)
		}
		return nil
	})
}

// addressFlag adds a flag for an address to listen on.
func addressFlag(flags *pflag.FlagSet, p *string, name, value, usage string) {
	checkedFlag(flags, name, "address", value, usage, func(text string) error {
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

// originFlag adds a flag for the origin of web pages, or * for all; none if it is not given.
func originFlag(flags *pflag.FlagSet, p *string, name, usage string) {
	checkedFlag(flags, name, "origin", "", usage, func(text string) error {
		*p = text
		u, err := url.Parse(text)
		if text != "*" && (err != nil || u.Scheme == "" || u.Hostname() == "" || text != u.Scheme+"://"+u.Host) {
			return fmt.Errorf("%q: want * or SCHEME://HOST[:PORT], such as https://example.com", text)
		}
		return nil
	})
}

// fileFlag adds a flag for a file to write, and checks before the work begins that it can
// be written. Proofs are read again, so they need a regular file.
func fileFlag(flags *pflag.FlagSet, p *string, name string, regular bool, usage string) {
	checkedFlag(flags, name, "file", "", usage, func(text string) error {
		*p = text
		return checkOutput(text, regular)
	})
}

// plotFlag adds the flag for a file to write a plot to, which is SVG.
func plotFlag(flags *pflag.FlagSet, p *string, usage string) {
	checkedFlag(flags, "plot", "file", "", usage+" to a file, as SVG", func(text string) error {
		*p = text
		err := checkOutput(text, false)
		if ext := filepath.Ext(text); err == nil && ext != "" && !strings.EqualFold(ext, ".svg") {
			err = fmt.Errorf("%q: a plot is SVG, want a name that ends with .svg", text)
		}
		return err
	})
}

// checkOutput fails if a file cannot be written.
func checkOutput(path string, regular bool) error {
	info, err := os.Stat(path)
	switch {
	case path == "" || path == "-":
		return fmt.Errorf("%q: want the name of a file", path)
	case err == nil && info.IsDir():
		return fmt.Errorf("%q is a directory: want the name of a file", path)
	case err == nil && regular && !info.Mode().IsRegular():
		return fmt.Errorf("%q: not a regular file", path)
	case err == nil && !info.Mode().IsRegular():
		return nil // such as a device
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".yomikiri-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return fmt.Errorf("%q: cannot write to the directory %s: %w", path, filepath.Dir(path), cause(err))
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

// printing is how a command prints.
type printing struct{ json, quiet bool }

func (p *printing) jsonFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&p.json, "json", false, "print JSON records, one on a line; see docs/json.md")
}

func (p *printing) flags(flags *pflag.FlagSet) {
	p.jsonFlag(flags)
	p.quietFlag(flags)
}

func (p *printing) quietFlag(flags *pflag.FlagSet) {
	flags.BoolVarP(&p.quiet, "quiet", "q", false, quietUsage)
}

const quietUsage = "show no progress, only results"

func (p *printing) progress(cmd *cobra.Command) *progress {
	return newProgress(cmd.ErrOrStderr(), p.json, p.quiet)
}

// result prints a result as a record or as text.
func (p *printing) result(cmd *cobra.Command, v any, text string) error {
	if p.json {
		return record(cmd.OutOrStdout(), v)
	}
	_, err := cmd.OutOrStdout().Write([]byte(text))
	return err
}

// realFlag adds a flag for a number within limits.
func realFlag(flags *pflag.FlagSet, p *float64, name string, value, low, high float64, usage string) {
	checkedFlag(flags, name, "number", strconv.FormatFloat(value, 'g', -1, 64), usage, func(text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= low && x <= high) {
			return fmt.Errorf("%q: want a number from %g to %g", text, low, high)
		}
		*p = x
		return nil
	})
}
