package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/proof"
)

// TestCheckProgress shows how far a check is, unless that is not wanted.
func TestCheckProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "draw.proof")
	code, _, stderr := run("prove -q tictactoe --proof "+path, Game("tictactoe"))
	require.Equal(t, ui.ExitOK, code, stderr)
	command := &cobra.Command{}
	command.SetContext(t.Context())
	for _, c := range []struct {
		progress *ui.Progress
		want     string
	}{
		{&ui.Progress{}, `^\d+(\.\d+)? s  [\d,]+ nodes, [\d,]+ replies, [1-9]\d? % of the file\n$`},
		{&ui.Progress{JSON: true}, `^{"nodes":\d+,.*"bytes":\d+,.*}\n$`},
		{&ui.Progress{Quiet: true}, `^$`},
	} {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		var out bytes.Buffer
		c.progress.Out = &out
		result, err := plugins{Game("tictactoe")}.checkProof(command, f, "", 0, c.progress)
		require.NoError(t, err)
		require.Equal(t, "draw", result.Value)
		require.Regexp(t, c.want, out.String())
	}

	// Standard input is a file too.
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var answer strings.Builder
	require.Equal(t, ui.ExitOK, Run(t.Context(), []string{"yomikiri", "check", "-", "-q"}, Stdio{bytes.NewReader(data), &answer, io.Discard}, Game("tictactoe")))
	require.Contains(t, answer.String(), "OK: draw\n")

	// The size of what comes through a pipe is not known.
	r, w, err := os.Pipe()
	require.NoError(t, err)
	go func() {
		w.Write(data)
		w.Close()
	}()
	var out bytes.Buffer
	_, err = plugins{Game("tictactoe")}.checkProof(command, r, "", 0, &ui.Progress{Out: &out})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
	require.NotContains(t, out.String(), "%")
}

// TestCheckDatabase checks proofs that rest on a database of a part of the game.
func TestCheckDatabase(t *testing.T) {
	list := []Plugin{Game("checkers"), Game("tictactoe")}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, solve := range []string{"checkers --size 4x4 --pieces 3 --db " + in("part.db"), "checkers --size 4x4 --pieces 2 --db " + in("less.db"),
		"tictactoe --db " + in("other.db")} {
		code, _, stderr := run("solve -q "+solve, list...)
		require.Equal(t, ui.ExitOK, code, stderr)
	}
	m, err := store.ReadManifest(nil, in("part.db"))
	require.NoError(t, err)
	const game = "checkers:size=4x4"
	wins, holds := proof.Claim{Side: proof.Mover, Goal: proof.Win}, proof.Claim{Side: proof.Mover, Goal: proof.Hold}
	// The only move takes a piece, and leads to where the database decides.
	for _, c := range []struct {
		name             string
		game, root, move string
		claim            proof.Claim
		checksum, db     string
		code             int
		stdout, stderr   string
	}{
		{"won", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "part.db", ui.ExitOK, "^OK, if the database is right \\(yomikiri verify .*part.db\\): win\n(.*\n)*database +" + m.Checksum + ", not verified\n", "^$"},
		{"won by White", game, "W:WK7,K8:BK2,K5", "7x4", wins, m.Checksum, "part.db", ui.ExitOK, ": win\n", "^$"},
		{"another extent", game + ",pieces=4", "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "part.db", ui.ExitOK, ": win\n", "^$"},
		{"held", game, "B:WK3,K4:BK1,K2", "1x6", holds, m.Checksum, "part.db", ui.ExitOK, ": win or draw\n", "^$"},
		{"a game named otherwise", "checkers:pieces=4,size=4x4", "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "part.db", ui.ExitOK, ": win\ngame +" + game + ",pieces=4\n", "^$"},
		{"held, not won", game, "B:WK3,K4:BK1,K2", "1x6", wins, m.Checksum, "part.db", ui.ExitCorrupt, "^$", `move "1x6" decides the game, a draw for the opponent`},
		{"lost", game, "B:WK3,K4:BK2,K7", "2x5", holds, m.Checksum, "part.db", ui.ExitCorrupt, "^$", `move "2x5" decides the game, a win in 3 for the opponent`},
		{"held before", game, "B:WK3,K4:BK1", "1-5", holds, m.Checksum, "part.db", ui.ExitCorrupt, "^$", "the game is decided there \\(draw\\)"},
		{"no database given", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "", ui.ExitUsage, "^$", "rests on a database with the checksum " + m.Checksum + ": give its directory with --db"},
		{"none needed", game, "B:WK4,K7:BK1,K2", "2x5", wins, "", "part.db", ui.ExitUsage, "^$", "the proof rests on no database: leave --db out"},
		{"another database", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "less.db", ui.ExitUsage, "^$", "the proof rests on a database with the checksum " + m.Checksum + ", and .*less.db has [0-9a-f]{16}\n$"},
		{"another game", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "other.db", ui.ExitUsage, "^$", "other.db is a database of tictactoe, not of checkers:size=4x4"},
		{"another board", "checkers", "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "part.db", ui.ExitUsage, "^$", "part.db is a database of checkers:size=4x4,pieces=3, not of checkers"},
		{"no database there", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "nowhere.db", ui.ExitUsage, "^$", "no database in .*nowhere.db"},
	} {
		t.Run(c.name, func(t *testing.T) {
			oneMove(t, in("some.proof"), proof.Header{Game: c.game, Root: c.root, Claims: []proof.Claim{c.claim}, Database: c.checksum}, c.move)
			command := "check -q " + in("some.proof")
			if c.db != "" {
				command += " --db " + in(c.db)
			}
			code, stdout, stderr := run(command, list...)
			require.Equal(t, c.code, code, stderr)
			require.Regexp(t, c.stdout, stdout)
			require.Regexp(t, c.stderr, stderr)
			// So does the plain checker, in other words, and with the game as the file names it.
			code, plainly, stderr := run(command+" --plain", list...)
			require.Equal(t, c.code, code, stderr)
			require.Equal(t, stdout == "", plainly == "")
			if stdout != "" && !strings.Contains(c.name, "named otherwise") {
				require.Regexp(t, c.stdout, plainly)
			}
		})
	}
}

// oneMove writes a proof of one node, whose move leads to where a database decides.
func oneMove(t *testing.T, path string, h proof.Header, move string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	w, err := proof.NewWriter(f, h)
	require.NoError(t, err)
	number, err := w.Add(&proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte(h.Root), Move: []byte(move)})
	require.NoError(t, err)
	require.NoError(t, w.EndClaim(number))
	require.NoError(t, w.Close())
}

// reseal replaces text in a manifest and gives it the right checksum.
func reseal(t *testing.T, dir, old, changed string) {
	t.Helper()
	path := filepath.Join(dir, db.ManifestName)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(data), old)
	text := bytes.Replace(data[:bytes.LastIndex(data, []byte("xxh64 "))], []byte(old), []byte(changed), 1)
	require.NoError(t, os.WriteFile(path, fmt.Appendf(text, "xxh64 %016x\n", xxhash.Sum64(text)), 0o644))
}

// TestCheckVerified checks a proof over a database that was verified or not, and a false
// proof over one whose draws have become losses.
func TestCheckVerified(t *testing.T) {
	list := []Plugin{Game("checkers")}
	part := filepath.Join(t.TempDir(), "part.db")
	file := filepath.Join(t.TempDir(), "some.proof")
	ok := func(command string) string {
		t.Helper()
		code, stdout, stderr := run(command, list...)
		require.Equal(t, ui.ExitOK, code, stderr)
		require.Empty(t, stderr)
		return stdout
	}
	ok("solve -q checkers --size 4x4 --pieces 3 --db " + part)
	m, err := store.ReadManifest(nil, part)
	require.NoError(t, err)
	check := "check -q " + file + " --db " + part
	h := proof.Header{Game: "checkers:size=4x4", Root: "B:WK4,K7:BK1,K2", Claims: []proof.Claim{{Side: proof.Mover, Goal: proof.Win}}, Database: m.Checksum}
	oneMove(t, file, h, "2x5")
	require.Contains(t, ok(check), "OK, if the database is right (yomikiri verify "+part+"): win\n")
	// A program of another name says what to type with it.
	var own bytes.Buffer
	require.Equal(t, ui.ExitOK, Run(t.Context(), append([]string{"bin/mygames"}, strings.Fields(check)...), Stdio{strings.NewReader(""), &own, io.Discard}, list...))
	require.Contains(t, own.String(), "OK, if the database is right (mygames verify "+part+"): win\n")
	require.Contains(t, ok(check+" --json"), `"verification":{"state":"unverified"},"conditional":true,`)

	require.Contains(t, ok("verify -q "+part+" --json"), `"recorded":true`)
	require.Contains(t, ok(check), "OK, the database was verified: win\n")
	require.Regexp(t, `"verification":{"state":"verified","by":"yomikiri .*","at":"2.*Z"},"nodes"`, ok(check+" --json"))

	h.Root = "B:WK3,K4:BK1,K2" // a draw
	oneMove(t, file, h, "1x6")
	reseal(t, part, `"draw",`, `"loss in 12",`)
	code, stdout, stderr := run(check, list...)
	require.Equal(t, ui.ExitCorrupt, code, "the old logical checksum")
	require.Empty(t, stdout)
	found := regexp.MustCompile(`the logical checksum is ([0-9a-f]{16}), the manifest says ` + m.Checksum).FindStringSubmatch(stderr)
	require.NotNil(t, found, stderr)

	h.Database = found[1]
	oneMove(t, file, h, "1x6")
	reseal(t, part, m.Checksum, found[1])
	require.Regexp(t, `^OK, if the database is right .*: win\n(.*\n)*database .*, not verified: what was verified on .*\n +by .* had other content\n`, ok(check))
	require.Contains(t, ok(check+" --json"), `"verification":{"state":"stale",`)
	code, _, stderr = run("verify -q "+part, list...)
	require.Equal(t, ui.ExitCorrupt, code, stderr)
	require.Contains(t, ok(check), ", not verified\n", "there is no record any more")
}

// TestVerifyUnrecorded verifies a database where no record can be written.
func TestVerifyUnrecorded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t.db")
	code, _, stderr := run("solve -q tictactoe --db "+dir, Game("tictactoe"))
	require.Equal(t, ui.ExitOK, code, stderr)
	require.NoError(t, os.Mkdir(filepath.Join(dir, db.VerificationName), 0o755))
	for flag, wanted := range map[string]string{"": "OK: 627 positions", " --json": `"ok":true,.*"recorded":false`} {
		code, stdout, stderr := run("verify "+dir+flag, Game("tictactoe"))
		require.Equal(t, ui.ExitOK, code, stderr)
		require.Regexp(t, wanted, stdout)
		require.Equal(t, flag == "", strings.Contains(stderr, "this is not recorded: "), stderr)
	}
}
