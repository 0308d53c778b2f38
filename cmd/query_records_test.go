package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// TestQueryPDN looks up the positions of each file in testdata. The last positions were
// worked out by hand.
func TestQueryPDN(t *testing.T) {
	list := []Plugin{Game("checkers")}
	dir := filepath.Join(t.TempDir(), "2.db")
	code, _, stderr := run("solve checkers --pieces 2 -q --db "+dir, list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	const opening = "B:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15 unknown" // 11-15 23-19
	want := map[string][]string{
		"colon.pdn":                {"5 B:W18,21,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12 unknown"},
		"games.pdn":                {"6 W:W17,21,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,12,18 unknown", "4 B:W14,K27:B2,13 unknown"},
		"res00.pdn":                {"3 " + opening},
		"setup_fen_h.pdn":          {"2 B:W15:B3 win"},
		"strength.pdn":             {"5 B:W17,19,21,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15 unknown"},
		"tagtwo.pdn":               {"3 " + opening},
		"var_paren_in_comment.pdn": {"3 " + opening},
	}
	files, err := filepath.Glob("testdata/pdn/*.pdn")
	require.NoError(t, err)
	require.Len(t, files, len(want))
	for _, file := range files {
		code, stdout, stderr := run("query checkers --db "+dir+" --file "+file, list...)
		if strings.HasSuffix(file, "games.pdn") {
			require.Equal(t, ui.ExitUsage, code)
			require.Equal(t, "yomikiri: "+file+": game 2: PDN line 9: ply 3: move \"9-14\": not one of the legal moves: 15x22\n"+
				"yomikiri: "+file+": 1 of 3 games could not be read\n", stderr)
		} else {
			require.Equal(t, ui.ExitOK, code, stderr)
			require.Empty(t, stderr)
		}
		var last []string
		positions := map[int]int{}
		for line := range strings.Lines(stdout) {
			var r struct {
				Record, Ply                int
				Played, Position, Category string
			}
			require.NoError(t, json.Unmarshal([]byte(line), &r))
			require.Equal(t, positions[r.Record], r.Ply)
			positions[r.Record]++
			if r.Played == "" {
				last = append(last, fmt.Sprint(positions[r.Record], " ", r.Position, " ", r.Category))
			}
		}
		require.Equal(t, want[filepath.Base(file)], last, file)
	}
}

// TestQueryLines has lines that cannot be read among others, and a byte order mark.
func TestQueryLines(t *testing.T) {
	list := []Plugin{Game("checkers")}
	dir := filepath.Join(t.TempDir(), "2.db")
	code, _, stderr := run("solve checkers --size 4x4 --pieces 2 -q --db "+dir, list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	for _, c := range []struct {
		in     string
		code   int
		lines  []int
		stderr string
	}{
		{"\ufeff\r\nB:W7:B1\r\n\nB:W7:B1 moves 1-3", ui.ExitOK, []int{2, 4}, ""},
		{"B:W7:B1\nB:W7\n" + strings.Repeat("x", 2*maxLine) + "\nB:W7:B2\n", ui.ExitUsage, []int{1, 4},
			"yomikiri: stdin: line 2: position \"B:W7\": want 3 fields, got 2: side to move, White's squares and Black's, as in B:W21,K30:B1,2\n" +
				"yomikiri: stdin: line 3 is longer than 64 KiB\n" +
				"yomikiri: stdin: 2 of 4 positions could not be read\n"},
		{"startpos\n", ui.ExitUnknown, []int{1}, "yomikiri: 1 of 1 position: the database does not hold the position\n"},
		{"startpos\nx", ui.ExitUsage, []int{1}, "yomikiri: stdin: line 2: position \"x\": want 3 fields, got 1: side to move, White's squares and Black's, as in B:W21,K30:B1,2\n" +
			"yomikiri: stdin: 1 of 2 positions could not be read; 1 of 1 position: the database does not hold the position\n"},
		{"{no game}\n", ui.ExitUsage, nil, "yomikiri: stdin: line 1: position \"{no game}\": want 3 fields, got 1: side to move, White's squares and Black's, as in B:W21,K30:B1,2\nyomikiri: stdin: 1 of 1 position could not be read\n"},
		{"", ui.ExitUsage, nil, "yomikiri: stdin: there is no position in it\n"},
		{"\x00\x01\x02", ui.ExitUsage, nil, "yomikiri: stdin: this is not a text file\n"},
	} {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), []string{"yomikiri", "query", "checkers:size=4x4", "-", "--db", dir}, Stdio{strings.NewReader(c.in), &stdout, &stderr}, list...)
		require.Equal(t, c.code, code, c.in)
		require.Equal(t, c.stderr, stderr.String())
		var lines []int
		for line := range strings.Lines(stdout.String()) {
			var a struct {
				LineNumber int `json:"line_number"`
			}
			require.NoError(t, json.Unmarshal([]byte(line), &a))
			lines = append(lines, a.LineNumber)
		}
		require.Equal(t, c.lines, lines)
	}
}

// TestGomokuPSQ searches the last position of each file in testdata.
func TestGomokuPSQ(t *testing.T) {
	list := []Plugin{Game("gomoku")}
	const three = "o14/15/o14/15/o14/15/15/7xxx5/15/15/15/15/15/15/15 x"
	want := map[string]string{"bom.psq": three, "notime.psq": three}
	files, err := filepath.Glob("testdata/psq/*.psq")
	require.NoError(t, err)
	require.Len(t, files, len(want))
	for _, file := range files {
		for _, args := range []string{file, "--psq " + file} {
			code, stdout, stderr := run("gomoku --json "+args, list...)
			require.Equal(t, ui.ExitOK, code, stderr)
			require.Empty(t, stderr)
			var r struct{ Position, Result string }
			require.NoError(t, json.Unmarshal([]byte(stdout), &r))
			require.Equal(t, want[filepath.Base(file)], r.Position)
			require.Equal(t, "win", r.Result)
		}
	}

	// The name of a file that is not there is no position.
	code, _, stderr := run("gomoku nowhere.psq", list...)
	require.Equal(t, ui.ExitUsage, code)
	require.Equal(t, "yomikiri: nowhere.psq: there is no such file or directory\n", stderr)

	// What looks like a move after the end is told.
	data, err := os.ReadFile("testdata/psq/bom.psq")
	require.NoError(t, err)
	var out bytes.Buffer
	in := bytes.NewReader(slices.Concat(data, []byte("player\n2,2,0\n")))
	require.Equal(t, ui.ExitOK, Run(t.Context(), []string{"yomikiri", "gomoku", "-"}, Stdio{in, io.Discard, &out}, list...))
	require.Equal(t, "stdin: line 9 is not read, though it looks like a move: another line before it ends the moves\n", out.String())
}
