package main

import (
	"errors"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd"
	"github.com/yomikiri/yomikiri/cmd/standard"
)

// TestMain makes the command yomikiri, too: experiments begin with its databases and games.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lab": main, "yomikiri": func() { cmd.Main(standard.Games...) }})
}

// TestScripts runs experiments, as docs/ has them. A script has the command exitcode N COMMAND ... too, for a
// command that must end with exit code N.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				got := 0
				if err := ts.Exec(args[1], args[2:]...); err != nil {
					var exit *exec.ExitError
					if !errors.As(err, &exit) {
						ts.Fatalf("%v", err)
					}
					got = exit.ExitCode()
				}
				if got != want {
					ts.Fatalf("exit code %d, want %d", got, want)
				}
			},
		},
	})
}

// TestCommands checks that every command says what it does, and has an example.
func TestCommands(t *testing.T) {
	for _, c := range newRoot().Commands() {
		require.NotEmpty(t, c.Short, c.Name())
		require.NotEmpty(t, c.Long, c.Name())
		require.Contains(t, c.Example, "lab "+c.Name(), c.Name())
	}
}
