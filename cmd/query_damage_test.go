package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// damage changes the files with values of a database.
func damage(t *testing.T, dir string, change func(table []byte)) {
	tables, err := filepath.Glob(filepath.Join(dir, "store", "*.sst"))
	require.NoError(t, err)
	require.NotEmpty(t, tables)
	for _, table := range tables {
		data, err := os.ReadFile(table)
		require.NoError(t, err)
		change(data)
		require.NoError(t, os.WriteFile(table, data, 0o600))
	}
}

// batchLine is a line that a batch prints.
type batchLine struct {
	Position, Category, Error string
	LineNumber                int `json:"line_number"`
}

func batchLines(t *testing.T, text string) (list []batchLine) {
	for line := range strings.Lines(text) {
		var a batchLine
		require.NoError(t, json.Unmarshal([]byte(line), &a))
		list = append(list, a)
	}
	return list
}

// TestQueryDamaged has a batch meet a damaged block. The lines in it are answered with an error,
// all others as before, however many there are.
func TestQueryDamaged(t *testing.T) {
	list := []Plugin{Game("awari")}
	dir := filepath.Join(t.TempDir(), "a.db")
	code, _, stderr := run("solve awari --stones 7 --positions all -q --db "+dir, list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	var in strings.Builder
	for _, stones := range []string{"0,0,0,0,0,6", "3,3,0,0,0,0", "1,0,0,0,0,2", "0,0,0,0,0,1"} {
		for _, others := range []string{"1,0,0,0,0,0", "0,0,0,0,0,1", "0,0,0,1,0,0", "0,0,0,0,0,4"} {
			in.WriteString(stones + "," + others + "\n")
		}
	}
	query := func(text string) (int, []batchLine, string) {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), []string{"yomikiri", "query", "awari", "-", "--db", dir}, Stdio{strings.NewReader(text), &stdout, &stderr}, list...)
		return code, batchLines(t, stdout.String()), stderr.String()
	}
	_, intact, _ := query(in.String())
	damage(t, dir, func(table []byte) { table[len(table)/2] ^= 0x55 })
	code, damaged, stderr := query(in.String())
	require.Equal(t, ui.ExitCorrupt, code)
	require.Len(t, damaged, len(intact))
	wrong := 0
	for i, a := range damaged {
		if a.Error == "" {
			require.Equal(t, intact[i], a)
			continue
		}
		wrong++
		require.Equal(t, batchLine{intact[i].Position, "unknown", a.Error, i + 1}, a)
		require.Contains(t, a.Error, "damaged data")
	}
	require.Positive(t, wrong)
	require.Less(t, wrong, len(damaged))
	require.Regexp(t, `^yomikiri: \d+ of 16 positions: damaged data\n$`, stderr)
	code, _, stderr = query(in.String() + "x\n")
	require.Equal(t, ui.ExitCorrupt, code, "the damage weighs more than a line that cannot be read")
	require.Contains(t, stderr, "line 17: ")

	// In a batch of 20,000 lines one in a thousand is in the damaged block: each of the others has its answer.
	good := slices.IndexFunc(damaged, func(a batchLine) bool { return a.Error == "" })
	bad := slices.IndexFunc(damaged, func(a batchLine) bool { return a.Error != "" })
	lines := strings.Split(in.String(), "\n")
	in.Reset()
	place := func(i int) int {
		if i%1000 == 16 {
			return bad
		}
		return good
	}
	for i := range 20_000 {
		in.WriteString(lines[place(i)] + "\n")
	}
	code, many, stderr := query(in.String())
	require.Equal(t, ui.ExitCorrupt, code)
	require.Len(t, many, 20_000)
	for i, a := range many {
		want := damaged[place(i)]
		want.LineNumber = a.LineNumber
		if a != want { // 20,000 calls of require take long
			require.Equal(t, want, a)
		}
	}
	require.Equal(t, "yomikiri: 20 of 20,000 positions: damaged data\n", stderr)
}

// TestQueryGamesDamaged does the same with games.
func TestQueryGamesDamaged(t *testing.T) {
	list := []Plugin{Game("checkers")}
	dir := filepath.Join(t.TempDir(), "2.db")
	code, _, stderr := run("solve checkers --pieces 2 -q --db "+dir, list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	damage(t, dir, func(table []byte) {
		for i := range len(table) / 2 {
			table[i] ^= 0x55
		}
	})
	code, stdout, stderr := run("query checkers --db "+dir+" --file testdata/pdn/setup_fen_h.pdn", list...)
	require.Equal(t, ui.ExitCorrupt, code, stderr)
	answers := batchLines(t, stdout)
	require.Len(t, answers, 2)
	for _, a := range answers {
		require.Equal(t, "unknown", a.Category)
		require.Contains(t, a.Error, "damaged data")
	}
	require.Equal(t, "yomikiri: 2 of 2 positions: damaged data\n", stderr)
}
