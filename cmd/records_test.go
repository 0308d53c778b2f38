package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// TestTsumeRecords reads every file of records through the command, with the number of moves
// that it has, and as a problem.
func TestTsumeRecords(t *testing.T) {
	const dir = "../games/shogi/record/testdata"
	list, err := os.ReadFile(filepath.Join(dir, "expected.tsv"))
	require.NoError(t, err)
	listed := map[string]bool{}
	for line := range strings.Lines(string(list)) {
		if line[0] == '#' {
			continue
		}
		columns := strings.Split(strings.TrimSpace(line), "\t")
		file, _, several := strings.Cut(columns[0], ":")
		listed[file] = true
		for _, ply := range []string{columns[1], "0"} {
			var out, errors bytes.Buffer
			code := Run(t.Context(), []string{"yomikiri", "tsume", "--nodes", "100", "--memory", "1MiB", "--threads", "1", "--json", "--ply", ply, filepath.Join(dir, file)},
				Stdio{nil, &out, &errors}, Game("shogi"))
			if !several || ply == "0" { // the records of a file may have more moves and fewer
				require.Contains(t, []int{ui.ExitOK, ui.ExitUnknown}, code, "%s: %s", columns[0], errors.String())
			}
			if ply == "0" {
				continue
			}
			got := map[string]string{}
			for line := range strings.Lines(out.String()) {
				var r struct{ ID, SFEN string }
				require.NoError(t, json.Unmarshal([]byte(line), &r))
				got[r.ID] = r.SFEN
			}
			require.Equal(t, columns[2], strings.Join(strings.Fields(got[columns[0]])[:2], " "), columns[0])
		}
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, file := range files {
		require.True(t, file.IsDir() || file.Name() == "expected.tsv" || listed[file.Name()], file.Name())
	}
}

// TestTsumeStream answers each line of standard input before the next one comes.
func TestTsumeStream(t *testing.T) {
	in, problems := io.Pipe()
	answers, out := io.Pipe()
	var complaints bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- Run(t.Context(), []string{"yomikiri", "tsume", "-q", "--memory", "1MiB", "-"}, Stdio{in, out, &complaints}, Game("shogi"))
		out.Close()
	}()
	lines := bufio.NewScanner(answers)
	const rest = "    white has the rest of the set in hand"
	for _, c := range []struct{ problem, want, hands string }{
		{"\ufeff# a comment\n\n4k4/9/4P4/9/9/9/9/9/9 b G 1", "stdin:3  mate in 1 ", rest},
		{"4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\tid", "id  mate in 1 ", rest},
		{"nonsense\nposition startpos", "stdin:6  no mate ", ""},
	} {
		_, err := io.WriteString(problems, c.problem+"\n")
		require.NoError(t, err)
		require.True(t, lines.Scan())
		require.Contains(t, lines.Text(), c.want)
		if c.hands != "" {
			require.True(t, lines.Scan())
			require.Equal(t, c.hands, lines.Text())
		}
	}
	require.NoError(t, problems.Close())
	require.False(t, lines.Scan())
	require.Equal(t, ui.ExitUsage, <-code)
	require.Contains(t, complaints.String(), `yomikiri: stdin: line 5: SFEN "nonsense": want`)
	require.Contains(t, complaints.String(), "yomikiri: 1 of 4 problems could not be read\n")
}
