package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal returns the two ends of a new terminal: what a person has, and what a
// program has.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { person.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(person.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	return person, program
}

// TestPlayTerminal plays on a terminal: lines can be edited and called back, and Ctrl-C
// and signals end the game.
func TestPlayTerminal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "tictactoe", "--db", dir).Run())
	for _, c := range []struct {
		name, keys string
		signal     os.Signal
		want       []string
		code       int
	}{
		{"the arrow key up, and delete", "a9\x7f1\r\x1b[A\r\x04", nil, []string{"a1: draw for you", `move "a1": the square is not empty`}, 0},
		{"Ctrl-C", "b2\x03", nil, []string{"yomikiri: interrupted\r\n"}, 130},
		{"a signal", "b2\r", syscall.SIGTERM, []string{"b2: draw for you", "yomikiri: interrupted\r\n"}, 130},
	} {
		t.Run(c.name, func(t *testing.T) {
			person, program := openTerminal(t)
			before, err := unix.IoctlGetTermios(int(person.Fd()), unix.TCGETS)
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "yomikiri", "play", "tictactoe", "--db", dir, "--color", "never")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
			require.NoError(t, cmd.Start())
			require.NoError(t, program.Close()) // so that reading ends with the command
			var shown bytes.Buffer
			until := func(pattern string) {
				for part := make([]byte, 1000); !regexp.MustCompile("(?s)" + pattern).Match(shown.Bytes()); {
					n, err := person.Read(part)
					require.NoError(t, err, shown.String())
					shown.Write(part[:n])
				}
			}
			until("your move: ")
			_, err = person.WriteString(c.keys)
			require.NoError(t, err)
			if c.signal != nil {
				until("the database plays.*your move: ")
				require.NoError(t, cmd.Process.Signal(c.signal))
			}
			for _, text := range c.want {
				until(regexp.QuoteMeta(text))
			}
			cmd.Wait()
			require.Equal(t, c.code, cmd.ProcessState.ExitCode())
			after, err := unix.IoctlGetTermios(int(person.Fd()), unix.TCGETS)
			require.NoError(t, err)
			require.Equal(t, before, after, "the terminal is left as it was")
		})
	}
}
