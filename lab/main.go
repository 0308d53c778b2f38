package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], ui.Stdout(), os.Stderr))
}

// run runs a command and returns its exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	results := ui.NewOutput(out)
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(results)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	switch {
	case results.Err() != nil:
		err = results.Err()
	case err == nil:
		return ui.ExitOK
	case ctx.Err() != nil:
		err = ui.Interrupted("interrupted")
	}
	fmt.Fprintf(errs, "lab: %s\n", ui.Message(err))
	return ui.ExitCode(err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "lab",
		Short:         "Repeat experiments of papers about judging positions that are not solved",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          ui.NoArgs,
		RunE:          ui.ShowHelp,

		PersistentPreRunE: ui.CheckFlags,
	}
	root.SetFlagErrorFunc(ui.FlagError)
	root.SetUsageFunc(ui.ShowUsage)
	root.AddCommand(newJudge(), newPhase(), newErrors(), newMatchmaking(), newWeigh(), newWeighed(), newPolicy(), newPlayouts(), newMarks(), newPuzzles())
	return root
}

// usage is an error in what the user typed, or in a file of the user.
func usage(format string, args ...any) error { return ui.Usage(fmt.Errorf(format, args...)) }

// recordFlag adds the flag for a result that is one record.
func recordFlag(flags *pflag.FlagSet, p *ui.Printing) {
	flags.BoolVar(&p.JSON, "json", false, "print the result as a JSON record")
}

// status returns a function that shows how far a task is, and one that clears what it has shown.
func status(c *cobra.Command, o ui.Printing) (show func(format string, args ...any), done func()) {
	p, begin := o.Progress(c), time.Now()
	return func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		p.Show(func() string { return ui.Seconds(time.Since(begin)) + "  " + text }, struct {
			Seconds float64 `json:"seconds"`
			Status  string  `json:"status"`
		}{time.Since(begin).Seconds(), text})
	}, p.Done
}
