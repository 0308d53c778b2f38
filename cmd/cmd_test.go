package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

func TestExitCode(t *testing.T) {
	wrapped := func(err error) error { return fmt.Errorf("somewhere: %w", err) }
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("any"), 1},
		{os.ErrNotExist, 2},
		{db.ErrNoDatabase, 2},
		{ui.Usage(errors.New("any")), 2},
		{wrapped(ui.Usage(errors.New("any"))), 2},
		{db.ErrNotHeld, 3},
		{solver.ErrLimit, 3},
		{ui.ErrLimit, 3},
		{errAllTried, 3},
		{prooffile.ErrNone, 3},
		{db.ErrCorrupt, 4},
		{verify.ErrFailed, 4},
		{errors.Join(db.ErrCorrupt, syscall.EISDIR), 4},
		{proof.ErrCorrupt, 4},
		{proof.ErrRefused, 4},
		{proof.ErrLimit, 3},
		{plain.ErrRefused, 4},
		{plain.ErrLimit, 3},
		{plain.ErrUnsuited, 2},
		{proof.ErrNotProof, 2},
		{proof.ErrVersion, 2},
		{db.ErrOther, 2},
		{wrapped(retro.ErrOther), 2},
		{manager.ErrOtherTree, 2},
		{manager.ErrNoTree, 2},
		{manager.ErrCorrupt, 4},
		{manager.ErrRefused, 4},
		{solver.ErrUnsuited, 2},
		{cluster.ErrRefused, 2},
		{solver.ErrContradiction, 5},
		{retro.ErrInterrupted, 130},
		{context.Canceled, 130},
		{ui.Interrupted("interrupted"), 130},
		{errors.Join(errors.New("any"), wrapped(context.Canceled)), 130},
	} {
		require.Equal(t, c.want, ui.ExitCode(c.err), "%v", c.err)
		require.Equal(t, c.want, ui.ExitCode(wrapped(c.err)), "%v", c.err)
	}
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 130}, []int{ui.ExitOK, ui.ExitFailure, ui.ExitUsage, ui.ExitUnknown, ui.ExitCorrupt, ui.ExitInternal, ui.ExitInterrupted})
}

// TestLostOutput checks that a command fails if its results cannot be written.
func TestLostOutput(t *testing.T) {
	dir := t.TempDir() + "/db"
	code, _, stderr := run("solve tictactoe --db "+dir, Game("tictactoe"))
	require.Equal(t, ui.ExitOK, code, stderr)
	for _, args := range []string{"", "--help", "--version", "help games", "games", "games --json", "completion bash", "bench",
		"solve tictactoe --db " + dir, "query tictactoe startpos --db " + dir, "play tictactoe --db " + dir, "verify " + dir, "stats " + dir,
		"query tictactoe --value draw --db " + dir, "stats --json " + dir,
		"prove tictactoe", "prove tictactoe --json", "prove gomoku --nodes 10", "usi", "gomocup", "tsume 4k4/9/4P4/9/9/9/9/9/9~b~G", "tsume --nodes 1 --threads 1 9/9/9/9/4k4/9/9/9/9~b~2R2B4G4S",
		"bench retro tictactoe --time 1ms --probes 1"} {
		arguments := append([]string{"yomikiri"}, strings.Fields(args)...)
		for i := range arguments {
			arguments[i] = strings.ReplaceAll(arguments[i], "~", " ")
		}
		var stderr bytes.Buffer
		in := strings.NewReader("usi\nABOUT\n")
		code := Run(context.Background(), arguments, Stdio{in, brokenWriter{}, &stderr}, Game("tictactoe"), Game("gomoku"), Game("shogi"))
		require.Equal(t, ui.ExitFailure, code, "%s: %s", args, &stderr)
		require.Contains(t, stderr.String(), "yomikiri: "+errBroken.Error(), args)
	}
}

// TestLongInput checks that errors do not repeat all of a long input.
func TestLongInput(t *testing.T) {
	long := strings.Repeat("x9/", 40_000)
	for _, args := range []string{"gomoku " + long, "prove gomoku " + long, "tsume " + long, "prove gomoku:" + long, long,
		"prove gomoku startpos moves " + long, "prove gomoku --nodes " + long, "prove gomoku --memory " + long, "check " + long, "prove gomoku --size " + long} {
		code, _, stderr := run(args, Game("gomoku"), Game("shogi"))
		require.Contains(t, []int{ui.ExitUsage, ui.ExitFailure}, code, args[:20])
		require.Less(t, len(stderr), 1000, args[:20])
	}
}

// TestInterruptedWords has no command speak of contexts when it is interrupted.
func TestInterruptedWords(t *testing.T) {
	dir := t.TempDir() + "/db"
	code, _, stderr := run("solve tictactoe --db "+dir, Game("tictactoe"))
	require.Equal(t, ui.ExitOK, code, stderr)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range []string{"solve tictactoe --db " + dir + "2", "play tictactoe --db " + dir, "verify " + dir, "prove tictactoe", "prove gomoku --attack", "gomocup",
		"usi", "bench retro tictactoe --time 1ms --probes 1"} {
		var stderr bytes.Buffer
		in, _ := io.Pipe()
		code := Run(ctx, append([]string{"yomikiri"}, strings.Fields(args)...), Stdio{in, io.Discard, &stderr}, Game("tictactoe"), Game("gomoku"), Game("shogi"))
		require.Equal(t, ui.ExitInterrupted, code, "%s: %s", args, &stderr)
		require.Contains(t, stderr.String(), "yomikiri: interrupted", args)
		require.NotContains(t, stderr.String(), "context", args)
	}
}

// TestName has the program go by another name, as in another module.
func TestName(t *testing.T) {
	var stdout, stderr bytes.Buffer
	list := []Plugin{withOption("mine", "size")}
	require.Equal(t, ui.ExitOK, Run(context.Background(), []string{"/usr/bin/mysolver", "help", "solve"}, Stdio{nil, &stdout, &stderr}, list...))
	require.Contains(t, stdout.String(), "mine:size=a is the same as\nmine --size a. See mysolver games.")
	require.Contains(t, stdout.String(), "Usage:\n  mysolver solve GAME")
	require.NotContains(t, stdout.String(), "yomikiri")
	require.Equal(t, ui.ExitUsage, Run(context.Background(), []string{"mysolver.exe", "sovle"}, Stdio{nil, &stdout, &stderr}, list...))
	require.Equal(t, "mysolver: no command \"sovle\" (did you mean solve?); see mysolver --help\n", stderr.String())
	stderr.Reset()
	require.Equal(t, ui.ExitFailure, Run(context.Background(), []string{"mysolver", "query", "mine", "startpos", "--db", t.TempDir()}, Stdio{nil, &stdout, &stderr}, list...))
	require.NotContains(t, stderr.String(), "yomikiri")
}

// TestWidth requires that helps and the list of games fit into 80 columns.
func TestWidth(t *testing.T) {
	var out bytes.Buffer
	root := newProgram(t, &out)
	root.SetArgs([]string{"games"})
	require.NoError(t, root.Execute())
	var helps func(c *cobra.Command)
	helps = func(c *cobra.Command) {
		if c.Name() == "completion" {
			return // its text is not ours
		}
		out.WriteString("\n" + c.CommandPath() + "\n\n" + ui.WrappedText(c.Long, ui.TextWidth) + "\n")
		if c.HasAvailableSubCommands() {
			out.WriteString(c.UsageString())
		}
		for _, sub := range c.Commands() {
			helps(sub)
		}
	}
	helps(root)
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), ui.TextWidth, line)
	}
}

// TestResumeCommand checks that the command that resumes has each value of a flag that can be given several times.
func TestResumeCommand(t *testing.T) {
	c := &cobra.Command{Use: "yomikiri"}
	c.Flags().StringArray(variantsFlag, nil, "")
	c.Flags().Bool("quiet", false, "")
	require.NoError(t, c.Flags().Parse([]string{"--variants", "my games.ini", "--quiet", "--variants=b.ini"}))
	require.Equal(t, "yomikiri tiny --quiet --variants 'my games.ini' --variants b.ini", resumeCommand(c, []string{"tiny"}))
}
