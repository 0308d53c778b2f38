package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd"
	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/retro"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"yomikiri": main, "pbrain-yomikiri": main, "yomikiri-usi": main, "yomikiri-uci": main})
}

// TestScripts runs the command as people do. Besides what testscript knows, the
// scripts have
//
//	exitcode N COMMAND ...  run a command that must end with exit code N
//	flip FILE N             flip a bit of byte N of a file; if N is negative, from the end
//	reseal FILE OLD NEW     replace text in a manifest and give it the right checksum
//	emptydb GAME DIR        make a database of a game that holds no position
//	mutant FILE TO OLD NEW  replace text in the header of a proof, with right checksums
//	isjson FILE [N]         check that each line, of N, is a JSON record; FILE may be stdout
//	isxml FILE              check that a file is well-formed
//
// On a busy machine a command may show progress, in lines that begin with a number: ! stderr '^\D' allows these.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode": cmdExitCode,
			"flip":     cmdFlip,
			"reseal":   cmdReseal,
			"emptydb":  cmdEmptyDB,
			"mutant":   cmdMutant,
			"isjson":   cmdIsJSON,
			"isxml":    cmdIsXML,
		},
	})
}

// wantArgs fails a script unless a command has from least to most arguments.
func wantArgs(ts *testscript.TestScript, neg bool, args []string, least, most int) {
	if neg || len(args) < least || len(args) > most {
		ts.Fatalf("usage: see TestScripts")
	}
}

func cmdExitCode(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 2, 1000)
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
}

func cmdFlip(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 2, 2)
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	at, err := strconv.Atoi(args[1])
	ts.Check(err)
	if at < 0 {
		at += len(data)
	}
	data[at] ^= 1
	ts.Check(os.WriteFile(path, data, 0o644))
}

func cmdReseal(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 3, 3)
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	if !bytes.Contains(data, []byte(args[1])) {
		ts.Fatalf("%s does not have %q", args[0], args[1])
	}
	text := bytes.Replace(data[:bytes.LastIndex(data, []byte("xxh64 "))], []byte(args[1]), []byte(args[2]), 1)
	ts.Check(os.WriteFile(path, fmt.Appendf(text, "xxh64 %016x\n", xxhash.Sum64(text)), 0o644))
}

// universe returns that of a game.
func universe(spec string) (*games.Universe, error) {
	if spec == "tictactoe" {
		return games.UniverseOf(tictactoe.Game{})
	}
	g, err := dobutsu.Family.Open(spec)
	if err != nil {
		return nil, err
	}
	return games.UniverseOf(g)
}

func cmdEmptyDB(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 2, 2)
	u, err := universe(args[0])
	ts.Check(err)
	c := db.Content{Game: u.Name, Order: u.Order.String(), Positions: string(retro.Reachable), Start: u.Start}
	for _, s := range u.Tiers {
		c.Tiers = append(c.Tiers, db.Tier{Name: s.Name, Start: s.Start, Size: s.Size, Open: s.Open})
	}
	dir := ts.MkAbs(args[1])
	ts.Check(os.Mkdir(dir, 0o755))
	nothing := func(_ int, _ uint64, dst []byte) error {
		clear(dst)
		return nil
	}
	ts.Check(store.Write(context.Background(), dir, &db.Manifest{Content: c}, nothing, store.WriteOptions{}))
}

func cmdMutant(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 4, 4)
	in, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer in.Close()
	r, err := proof.NewReader(in)
	ts.Check(err)
	text, err := json.Marshal(r.Header())
	ts.Check(err)
	if !bytes.Contains(text, []byte(args[2])) {
		ts.Fatalf("%s does not have %q", text, args[2])
	}
	var header proof.Header
	ts.Check(json.Unmarshal(bytes.Replace(text, []byte(args[2]), []byte(args[3]), 1), &header))
	out, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	w, err := proof.NewWriter(out, header)
	ts.Check(err)
	for range header.Claims {
		for {
			n, root, err := r.Next()
			ts.Check(err)
			if n == nil {
				ts.Check(w.EndClaim(root))
				break
			}
			_, err = w.Add(n)
			ts.Check(err)
		}
	}
	ts.Check(w.Close())
	ts.Check(out.Close())
}

func cmdIsJSON(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 1, 2)
	lines := bytes.SplitAfter([]byte(ts.ReadFile(args[0])), []byte("\n"))
	if last := lines[len(lines)-1]; len(last) > 0 {
		ts.Fatalf("%s does not end with a newline", args[0])
	}
	lines = lines[:len(lines)-1]
	for _, line := range lines {
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			ts.Fatalf("%s: %v: %s", args[0], err, line)
		}
	}
	if len(args) == 2 && strconv.Itoa(len(lines)) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], len(lines), args[1])
	}
}

func cmdIsXML(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 1, 1)
	decoder := xml.NewDecoder(bytes.NewReader([]byte(ts.ReadFile(args[0]))))
	elements := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		ts.Check(err)
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
	if elements == 0 {
		ts.Fatalf("%s has no elements", args[0])
	}
}

// run runs the command with all games.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return cmd.Run(ctx, append([]string{"yomikiri"}, args...), cmd.Stdio{In: os.Stdin, Out: stdout, Err: stderr}, standard.Games...)
}

// TestRun checks that results and errors go to the writers that they belong to.
func TestRun(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, 0, run(context.Background(), []string{"games"}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "tictactoe")
	require.Empty(t, stderr.String())
	stdout.Reset()
	require.Equal(t, 2, run(context.Background(), []string{"nosuch"}, &stdout, &stderr))
	require.Empty(t, stdout.String())
	require.Equal(t, "yomikiri: no command \"nosuch\"; see yomikiri --help\n", stderr.String())
}

// TestRunCancelled has a context that is over, as after an interrupt.
func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	require.Equal(t, 130, run(ctx, []string{"solve", "tictactoe", "--db", dir}, &stdout, &stderr))
	require.Empty(t, stdout.String())
	require.Contains(t, stderr.String(), "interrupted")
	require.Contains(t, stderr.String(), "to resume: yomikiri solve tictactoe --db "+dir)
	stderr.Reset()
	require.Equal(t, 0, run(context.Background(), []string{"solve", "tictactoe", "--db", dir}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "4b5b81dcc179af92", "the same as without an interruption")
	stdout.Reset()
	require.Equal(t, 130, run(ctx, []string{"verify", dir}, &stdout, &stderr))
	require.Empty(t, stdout.String(), "what was not looked at is not wrong")
	require.Equal(t, 130, run(ctx, []string{"tsume", "-q", "4k4/9/4P4/9/9/9/9/9/9 b G"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "yomikiri: interrupted after 0 of 1 problem\n")
	require.Equal(t, 130, run(ctx, []string{"bench", "tsume", "--totals"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "yomikiri: interrupted after 0 of 100 problems of zuko\n")
	require.Equal(t, 130, run(ctx, []string{"usi"}, &stdout, &stderr))
	require.Empty(t, stdout.String())
	require.Equal(t, 130, run(ctx, []string{"bench", "retro", "tictactoe", "--db", dir, "--time", "1ms"}, &stdout, &stderr))
}

// interrupter is a writer that ends a context.
type interrupter context.CancelFunc

func (w interrupter) Write(text []byte) (int, error) {
	w()
	return len(text), nil
}

// TestRunCancelledInput has problems on standard input, so that it is not known how many there are.
func TestRunCancelledInput(t *testing.T) {
	for _, args := range [][]string{{"--shortest"}, {"--judge"}, {"--brinkmate", "1"}} {
		ctx, cancel := context.WithCancel(t.Context())
		in, input := io.Pipe()
		go io.WriteString(input, "4k4/9/4P4/9/9/9/9/9/9 b G\n")
		var stderr bytes.Buffer
		args = append([]string{"yomikiri", "tsume", "-q", "--threads", "1", "-"}, args...)
		require.Equal(t, 130, cmd.Run(ctx, args, cmd.Stdio{In: in, Out: interrupter(cancel), Err: &stderr}, standard.Games...))
		require.Equal(t, "yomikiri: interrupted after 1 problem\n", stderr.String())
	}
}
