package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/solver"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2   // bad usage or bad input
	exitUnknown     = 3   // a limit was reached; the answer is not known
	exitCorrupt     = 4   // verification failed, or data is damaged
	exitInternal    = 5   // the program contradicts itself
	exitInterrupted = 130 // interrupted; can be resumed
)

// Main runs the command of this process with the games of a list, and ends the
// process.
func Main(games ...Plugin) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Run(ctx, os.Args[1:], Stdio{os.Stdin, os.Stdout, os.Stderr}, games...)
	stop()
	os.Exit(code)
}

// Stdio is where a command reads and writes.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run runs a command with the games of a list and returns its exit code. It fails,
// whatever the command, if a game is listed twice, or if a rule option is called like
// a flag of a command.
func Run(ctx context.Context, args []string, stdio Stdio, games ...Plugin) int {
	root, err := newRoot(games)
	if err == nil {
		root.SetArgs(args)
		root.SetIn(stdio.In)
		root.SetOut(stdio.Out)
		root.SetErr(stdio.Err)
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stdio.Err, "yomikiri: %v\n", err)
	return exitCode(err)
}

func exitCode(err error) int {
	var usage usageError
	switch {
	case errors.Is(err, retro.ErrInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, solver.ErrContradiction):
		return exitInternal
	case errors.Is(err, db.ErrCorrupt), errors.Is(err, errVerification), errors.Is(err, proof.ErrCorrupt), errors.Is(err, proof.ErrRefused):
		return exitCorrupt
	case errors.Is(err, db.ErrNotHeld), errors.Is(err, errLimit), errors.Is(err, solver.ErrLimit), errors.Is(err, proof.ErrLimit):
		return exitUnknown
	}
	return exitFailure
}

// usageError is an error in what the user typed.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func newRoot(l plugins) (*cobra.Command, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	root := &cobra.Command{
		Use:   "yomikiri",
		Short: "Solve games, query solved ones, verify the result",
		Long: `yomikiri solves small games. It finds the value of every position by retrograde
analysis and keeps the values in a database, or proves the value of one position by
proof-number search.

  yomikiri games                list the games
  yomikiri solve GAME           solve a game into ./GAME.db
  yomikiri query GAME startpos  value, moves best first, best line
  yomikiri play GAME            play against the database
  yomikiri verify GAME.db       derive every value again
  yomikiri prove GAME           prove one position
  yomikiri check FILE           check a proof by the rules alone

Exit codes: 0 answered; 1 failure; 2 bad usage or input; 3 answer unknown;
4 verification failed or data damaged; 5 internal error, a search contradicts itself;
130 interrupted, can be resumed.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("no command %q; see yomikiri help", args[0])}
			}
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
	})
	root.AddCommand(newSolve(l), newQuery(l), newPlay(l), newVerify(l), newStats(), newProve(l), newCheck(l), newGames(l), newBench(l))
	for _, p := range l {
		for _, command := range p.commands {
			root.AddCommand(command())
		}
	}
	if err := checkRuleFlags(root); err != nil {
		return nil, err
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Run, cmd.RunE = nil, help
		case "completion":
			cmd.Args = arguments(cobra.NoArgs)
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	return root, nil
}

// help shows the help of a command, which must exist.
func help(cmd *cobra.Command, args []string) error {
	asked, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return usageError{fmt.Errorf("no command %q; see yomikiri help", strings.Join(args, " "))}
	}
	asked.InitDefaultHelpFlag()
	asked.InitDefaultVersionFlag()
	return asked.Help()
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return yomikiri.Version + " (" + s.Value + ")"
			}
		}
	}
	return yomikiri.Version
}

// arguments turns the errors of a check of arguments into usage errors.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{fmt.Errorf("%w; usage: %s", err, cmd.UseLine())}
		}
		return nil
	}
}
