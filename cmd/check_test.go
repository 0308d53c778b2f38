package cmd

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// TestCheckProgress shows how far a check is, unless that is not wanted.
func TestCheckProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "draw.proof")
	code, _, stderr := run("prove -q tictactoe --proof "+path, Game(tictactoe.Family))
	require.Equal(t, exitOK, code, stderr)
	command := &cobra.Command{}
	command.SetContext(t.Context())
	for _, c := range []struct {
		progress *progress
		want     string
	}{
		{&progress{}, `^\d+(\.\d+)? s  [\d,]+ nodes, [\d,]+ replies, [1-9]\d? % of the file\n$`},
		{&progress{json: true}, `^{"nodes":\d+,.*"bytes":\d+,.*}\n$`},
		{&progress{quiet: true}, `^$`},
	} {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		var out bytes.Buffer
		c.progress.w = &out
		result, err := plugins{Game(tictactoe.Family)}.checkProof(command, f, "", c.progress)
		require.NoError(t, err)
		require.Equal(t, "draw", result.Value)
		require.Regexp(t, c.want, out.String())
	}

	// Standard input is a file too.
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var answer strings.Builder
	require.Equal(t, exitOK, Run(t.Context(), []string{"yomikiri", "check", "-", "-q"}, Stdio{bytes.NewReader(data), &answer, io.Discard}, Game(tictactoe.Family)))
	require.Contains(t, answer.String(), "OK: draw\n")

	// The size of what comes through a pipe is not known.
	r, w, err := os.Pipe()
	require.NoError(t, err)
	go func() {
		w.Write(data)
		w.Close()
	}()
	var out bytes.Buffer
	_, err = plugins{Game(tictactoe.Family)}.checkProof(command, r, "", &progress{w: &out})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
	require.NotContains(t, out.String(), "%")
}

// TestCheckDatabase checks proofs that rest on a database of a part of the game.
func TestCheckDatabase(t *testing.T) {
	list := []Plugin{Game(checkers.Family, Checkers), Game(tictactoe.Family)}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, solve := range []string{"checkers --size 4x4 --pieces 3 --db " + in("part.db"), "checkers --size 4x4 --pieces 2 --db " + in("less.db"),
		"tictactoe --db " + in("other.db")} {
		code, _, stderr := run("solve -q "+solve, list...)
		require.Equal(t, exitOK, code, stderr)
	}
	m, err := db.ReadManifest(nil, in("part.db"))
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
		{"won", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "part.db", exitOK, "^OK: win\n(.*\n)*database +" + m.Checksum + ", which is trusted\n", "^$"},
		{"won by White", game, "W:WK7,K8:BK2,K5", "7x4", wins, m.Checksum, "part.db", exitOK, "^OK: win\n", "^$"},
		{"another extent", game + ",pieces=4", "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "part.db", exitOK, "^OK: win\n", "^$"},
		{"held", game, "B:WK3,K4:BK1,K2", "1x6", holds, m.Checksum, "part.db", exitOK, "^OK: win or draw\n", "^$"},
		{"held, not won", game, "B:WK3,K4:BK1,K2", "1x6", wins, m.Checksum, "part.db", exitCorrupt, "^$", `move "1x6" decides the game, a draw for the opponent`},
		{"lost", game, "B:WK3,K4:BK2,K7", "2x5", holds, m.Checksum, "part.db", exitCorrupt, "^$", `move "2x5" decides the game, a win in 3 for the opponent`},
		{"held before", game, "B:WK3,K4:BK1", "1-5", holds, m.Checksum, "part.db", exitCorrupt, "^$", "the game is decided there \\(draw\\)"},
		{"no database given", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "", exitUsage, "^$", "rests on a database with the checksum " + m.Checksum + ": give its directory with --db"},
		{"none needed", game, "B:WK4,K7:BK1,K2", "2x5", wins, "", "part.db", exitUsage, "^$", "the proof rests on no database: leave --db out"},
		{"another database", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "less.db", exitUsage, "^$", "the proof rests on a database with the checksum " + m.Checksum + ", and .*less.db has [0-9a-f]{16}\n$"},
		{"another game", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "other.db", exitUsage, "^$", "other.db is a database of tictactoe, not of checkers:size=4x4"},
		{"another board", "checkers", "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "part.db", exitUsage, "^$", "part.db is a database of checkers:size=4x4,pieces=3, not of checkers"},
		{"no database there", game, "B:WK4,K7:BK1,K2", "2x5", wins, m.Checksum, "nowhere.db", exitUsage, "^$", "no database in .*nowhere.db"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := os.Create(in("some.proof"))
			require.NoError(t, err)
			defer f.Close()
			w, err := proof.NewWriter(f, proof.Header{Game: c.game, Root: c.root, Claims: []proof.Claim{c.claim}, Database: c.checksum})
			require.NoError(t, err)
			number, err := w.Add(&proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte(c.root), Move: []byte(c.move)})
			require.NoError(t, err)
			require.NoError(t, w.EndClaim(number))
			require.NoError(t, w.Close())
			command := "check -q " + in("some.proof")
			if c.db != "" {
				command += " --db " + in(c.db)
			}
			code, stdout, stderr := run(command, list...)
			require.Equal(t, c.code, code, stderr)
			require.Regexp(t, c.stdout, stdout)
			require.Regexp(t, c.stderr, stderr)
		})
	}
}
