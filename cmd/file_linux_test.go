package cmd

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// TestInterruptInput interrupts commands that wait for their input.
func TestInterruptInput(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, line := range []string{
		"tsume -", "bench tsume -", "gomoku --psq -", "gomoku --board -", "check -",
		"tsume " + pipe, "check " + pipe,
	} {
		t.Run(line, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			in, writer := io.Pipe() // nobody writes
			defer writer.Close()
			done := make(chan int, 1)
			var stderr strings.Builder
			go func() {
				done <- Run(ctx, append([]string{"yomikiri"}, strings.Fields(line)...), Stdio{in, io.Discard, &stderr}, inputGames...)
			}()
			select {
			case code := <-done:
				require.Equal(t, ui.ExitInterrupted, code)
				require.Equal(t, "yomikiri: interrupted\n", stderr.String())
			case <-time.After(time.Minute):
				require.Fail(t, "it waits for its input for ever")
			}
		})
	}
}

// TestInterruptLine interrupts a batch in the middle of a line.
func TestInterruptLine(t *testing.T) {
	in, writer := io.Pipe()
	defer writer.Close()
	go writer.Write([]byte("one\nand a part of an"))
	ctx, cancel := context.WithCancel(t.Context())
	b := batch{ctx: ctx, lines: bufio.NewReaderSize(in, maxLine), out: bufio.NewWriter(io.Discard)}
	done := make(chan error, 1)
	go func() {
		done <- b.run(func(int, string) error {
			time.AfterFunc(time.Millisecond, cancel)
			return nil
		})
	}()
	select {
	case err := <-done:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(time.Minute):
		require.Fail(t, "it waits for the rest of the line for ever")
	}
}

// TestInterruptParse interrupts the reading of a long file, at whose end there is an error.
func TestInterruptParse(t *testing.T) {
	name := filepath.Join(t.TempDir(), "long")
	require.NoError(t, os.WriteFile(name, []byte(strings.Repeat("4k4/9/4P4/9/9/9/9/9/9 b G\n", 300_000)+"x"), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	var stderr strings.Builder
	require.Equal(t, ui.ExitInterrupted, Run(ctx, []string{"yomikiri", "tsume", name}, Stdio{strings.NewReader(""), io.Discard, &stderr}, inputGames...))
	require.Equal(t, "yomikiri: interrupted\n", stderr.String())
}

func TestInputTooLarge(t *testing.T) {
	name := filepath.Join(t.TempDir(), "large")
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	require.NoError(t, os.Truncate(name, ui.MaxInput+1))
	code, _, stderr := run("tsume "+name, inputGames...)
	require.Equal(t, ui.ExitUsage, code)
	require.Equal(t, "yomikiri: "+name+": more than 256 MiB\n", stderr)
}

func TestLineTooLong(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t.db")
	code, _, _ := run("solve tictactoe --db "+dir, inputGames...)
	require.Equal(t, ui.ExitOK, code)
	for _, line := range []string{"play tictactoe --db " + dir, "usi", "gomocup"} {
		var stderr strings.Builder
		in := strings.NewReader(strings.Repeat("x", 2<<20))
		code := Run(t.Context(), append([]string{"yomikiri"}, strings.Fields(line)...), Stdio{in, io.Discard, &stderr}, inputGames...)
		require.Equal(t, ui.ExitUsage, code, line)
		require.Equal(t, "yomikiri: a line of the input is too long\n", stderr.String(), line)
	}
}
