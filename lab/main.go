package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/storage"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130 // repeat the command to go on
)

// run runs a command and returns its exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errs)
	switch err := root.ExecuteContext(ctx); {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintln(errs, "lab: interrupted")
		return exitInterrupted
	default:
		fmt.Fprintf(errs, "lab: %v\n", err)
		for _, bad := range []error{app.ErrInput, db.ErrNoDatabase, os.ErrNotExist} {
			if errors.Is(err, bad) {
				return exitUsage
			}
		}
		return exitFailure
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "lab",
		Short:         "Repeat experiments of papers about judging positions that are not solved",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return app.InputError{Err: err} })
	root.AddCommand(newJudge(), newErrors(), newMatchmaking(), newWeigh(), newWeighed(), newPolicy(), newPlayouts())
	for _, c := range root.Commands() {
		check := c.Args
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return app.InputError{Err: err}
			}
			return nil
		}
	}
	return root
}

// usage is an error in what the user typed, or in a file of the user.
func usage(format string, args ...any) error { return app.InputError{Err: fmt.Errorf(format, args...)} }

// limited is a flag for a number within limits.
type limited[T int | float64] struct {
	p         *T
	low, high T
	parse     func(text string) (T, error)
	kind      string
}

func (f *limited[T]) String() string {
	if f.p == nil {
		return ""
	}
	return fmt.Sprint(*f.p)
}

func (f *limited[T]) Type() string { return f.kind }

func (f *limited[T]) Set(text string) error {
	x, err := f.parse(text)
	if err != nil || !(x >= f.low && x <= f.high) {
		return fmt.Errorf("want a number from %v to %v", f.low, f.high)
	}
	*f.p = x
	return nil
}

func wholeFlag(flags *pflag.FlagSet, p *int, name string, value, low, high int, usage string) {
	*p = value
	flags.Var(&limited[int]{p, low, high, strconv.Atoi, "int"}, name, usage)
}

func realFlag(flags *pflag.FlagSet, p *float64, name string, value, low, high float64, usage string) {
	*p = value
	flags.Var(&limited[float64]{p, low, high, func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }, "number"}, name, usage)
}

// printing are the flags that say how to print.
type printing struct{ json, quiet bool }

func (o *printing) addFlags(flags *pflag.FlagSet, json bool) {
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "do not show progress")
	if json {
		flags.BoolVar(&o.json, "json", false, "print the result as a JSON record")
	}
}

// result prints a result, as text or as a record.
func (o *printing) result(c *cobra.Command, r any, text string) error {
	if o.json {
		return json.NewEncoder(c.OutOrStdout()).Encode(r)
	}
	_, err := io.WriteString(c.OutOrStdout(), text)
	return err
}

// status returns a function that shows how far a task is, every few seconds, as a line on the standard error.
func (o *printing) status(c *cobra.Command) func(format string, args ...any) {
	begin := time.Now()
	last := begin
	return func(format string, args ...any) {
		const every = 5 * time.Second
		if o.quiet || time.Since(last) < every {
			return
		}
		last = time.Now()
		fmt.Fprintf(c.ErrOrStderr(), "%v  %s\n", time.Since(begin).Round(time.Second), fmt.Sprintf(format, args...))
	}
}

// writeFile creates or replaces a file.
func writeFile(path string, data []byte) error {
	return storage.WriteFile(vfs.Default, filepath.Dir(path), filepath.Base(path), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
