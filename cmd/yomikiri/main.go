// Command yomikiri solves games, queries solved ones, and verifies the databases
// that hold them. See "yomikiri help".
package main

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
	"github.com/yomikiri/yomikiri/games"
	_ "github.com/yomikiri/yomikiri/games/awari"
	_ "github.com/yomikiri/yomikiri/games/dobutsu"
	_ "github.com/yomikiri/yomikiri/games/gomoku"
	_ "github.com/yomikiri/yomikiri/games/tictactoe"
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
	exitInterrupted = 130 // interrupted; can be resumed
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs the command and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "yomikiri: %v\n", err)
	return exitCode(err)
}

func exitCode(err error) int {
	var usage usageError
	switch {
	case errors.Is(err, retro.ErrInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, db.ErrCorrupt), errors.Is(err, errVerification), errors.Is(err, proof.ErrCorrupt), errors.Is(err, proof.ErrRefused):
		return exitCorrupt
	case errors.Is(err, db.ErrNotHeld), errors.Is(err, errLimit), errors.Is(err, solver.ErrLimit):
		return exitUnknown
	}
	return exitFailure
}

// usageError is an error in what the user typed.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "yomikiri",
		Short: "Solve games, query solved ones, verify the result",
		Long: `yomikiri solves small games: it finds the value of every position by
partitioned parallel retrograde analysis and keeps them in a database that it
queries and verifies. It also solves mate problems of full shogi by df-pn.

  yomikiri solve dobutsu                  solve Dōbutsu shōgi into ./dobutsu.db
  yomikiri query dobutsu startpos         value, moves best first, best line
  yomikiri play dobutsu                   play against the database
  yomikiri verify dobutsu.db              derive every value again
  yomikiri prove gomoku --size 7x7 --k 4  prove one position, by proof-number search
  yomikiri check FILE                     check a proof by the rules alone
  yomikiri tsume problem.kif              mate or no mate, and how

Exit codes: 0 answered; 1 failure; 2 bad usage or input; 3 answer unknown;
4 verification failed or data damaged; 130 interrupted, can be resumed.`,
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
	root.AddCommand(newSolve(), newQuery(), newPlay(), newVerify(), newStats(), newProve(), newCheck(), newGames(), newGomoku(), newGomocup(), newTsume(), newUSI(), newBench())
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
	return root
}

// help shows the help of a command; asking for that of no command is an error.
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

// arguments wraps a check of arguments so that what it refuses is bad usage.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{fmt.Errorf("%w; usage: %s", err, cmd.UseLine())}
		}
		return nil
	}
}

// openGame opens the game that the user named.
func openGame(spec string) (games.Any, error) {
	g, err := games.Open(spec)
	if err != nil {
		return nil, usageError{err}
	}
	return g, nil
}

// completeGames completes the name of a game.
func completeGames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, info := range games.List() {
		names = append(names, info.Name+"\t"+info.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
