package shogi

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// TestResultsLinear reads files of different sizes.
func TestResultsLinear(t *testing.T) {
	type result struct {
		ID string `json:"id"`
	}
	gametest.Linear(t, 100, func(n int) func() {
		path := filepath.Join(t.TempDir(), "results.jsonl")
		f, err := openResults(path, "test 1", func(result) error { return nil }, nil, `{"id":`)
		require.NoError(t, err)
		for range n {
			require.NoError(t, f.add(result{"a"}))
		}
		require.NoError(t, f.Close())
		return func() {
			count := 0
			f, err := openResults(path, "test 1", func(result) error { count++; return nil }, nil, `{"id":`)
			require.NoError(t, err)
			require.NoError(t, f.Close())
			require.Equal(t, n, count)
		}
	})
}

// TestCutOff has ends of files of results: what a killed run has left is overwritten, and nothing
// else is.
func TestCutOff(t *testing.T) {
	begins := []string{`{"id":`, `{"sfen":`}
	for _, end := range []string{"", "{", `{"i`, `{"id":"a","sf`, `{"sfen":"4k4/`} {
		require.True(t, isCutOff([]byte(end), begins), end)
	}
	for _, end := range []string{"4k4/9/4P4/9/9/9/9/9/9 b 2G", `{"name":1}`, "[", "{}"} {
		require.False(t, isCutOff([]byte(end), begins), end)
	}
}

// TestResultsTorn has lines that are no JSON: where they can be what a fault left of records, they are reported and
// skipped like changed ones, and what is added then is on a line of its own.
func TestResultsTorn(t *testing.T) {
	type result struct {
		ID string `json:"id"`
	}
	path := filepath.Join(t.TempDir(), "results.jsonl")
	open := func() (list []string, changed []string, f *results, err error) {
		f, err = openResults(path, "test 1", func(r result) error {
			list = append(list, r.ID)
			return nil
		}, func(err error) { changed = append(changed, filepath.Base(err.Error())) }, `{"id":`)
		return list, changed, f, err
	}
	_, _, f, err := open()
	require.NoError(t, err)
	for _, id := range []string{"a", "b", "c"} {
		require.NoError(t, f.add(result{id}))
	}
	require.NoError(t, f.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	a, b, c := string(lines[0]), string(lines[1]), string(lines[2])
	const skipped = ": this is not as it was written, and is not taken over"
	for name, x := range map[string]struct {
		text          string
		list, changed []string
	}{
		"torn":           {a + b[:20] + "\n" + c, []string{"a", "c"}, []string{"results.jsonl, line 2" + skipped}},
		"torn first":     {a[:20] + "\n" + b + c, []string{"b", "c"}, []string{"results.jsonl, line 1" + skipped}},
		"run together":   {a + strings.TrimSpace(b) + c, []string{"a"}, []string{"results.jsonl, line 2" + skipped}},
		"torn, together": {a[:20] + b + c, []string{"c"}, []string{"results.jsonl, line 1" + skipped}},
		"no beginning":   {a + b[20:] + c, []string{"a", "c"}, []string{"results.jsonl, line 2" + skipped}},
		"no end":         {a + b + c[20:30], []string{"a", "b"}, []string{"results.jsonl, line 3" + skipped}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, []byte(x.text), 0o600))
			list, changed, f, err := open()
			require.NoError(t, err)
			require.Equal(t, x.list, list)
			require.Equal(t, x.changed, changed)
			require.NoError(t, f.add(result{"d"}))
			require.NoError(t, f.Close())
			list, _, f, err = open()
			require.NoError(t, err)
			require.NoError(t, f.Close())
			require.Equal(t, append(x.list, "d"), list)
		})
	}

	// Another file is not touched.
	for _, other := range []string{"4k4/9/4P4/9/9/9/9/9/9 b 2G", "4k4/9/4P4/9/9/9/9/9/9 b 2G\n" + a, a[20:]} {
		require.NoError(t, os.WriteFile(path, []byte(other), 0o600))
		_, _, _, err := open()
		require.ErrorContains(t, err, `line 1: this is not a record of the format "test 1": name another file`)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, other, string(text))
	}
}

// TestResultsChanged changes each byte of a file of results. No other result than those written is
// taken over.
func TestResultsChanged(t *testing.T) {
	type result struct {
		ID      string `json:"id"`
		Verdict string `json:"verdict"`
	}
	path := filepath.Join(t.TempDir(), "results.jsonl")
	read := func() (list []result, changed []error, err error) {
		f, err := openResults(path, "test 1", func(r result) error {
			list = append(list, r)
			return nil
		}, func(err error) { changed = append(changed, err) }, `{"id":`)
		if err == nil {
			require.NoError(t, f.Close())
		}
		return list, changed, err
	}
	f, err := openResults(path, "test 1", func(result) error { return errors.New("none") }, nil, `{"id":`)
	require.NoError(t, err)
	written := []result{{"a", "sound"}, {`,"sum":"`, "unsound"}}
	for _, r := range written {
		require.NoError(t, f.add(r))
	}
	require.NoError(t, f.Close())
	list, changed, err := read()
	require.NoError(t, err)
	require.Empty(t, changed)
	require.Equal(t, written, list)

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := range text {
		for _, to := range []byte{text[i] ^ 1, 'x', ' ', '"', '\n'} {
			damaged := bytes.Clone(text)
			damaged[i] = to
			require.NoError(t, os.WriteFile(path, damaged, 0o600))
			list, changed, err := read()
			require.Subset(t, written, list)
			if to != text[i] && i != len(text)-1 {
				require.True(t, err != nil || len(changed) > 0 || len(list) < len(written), "byte %d became %q", i, to)
			}
		}
	}

	// Nothing may follow the checksum.
	for _, more := range []string{`,"verdict":"mine"}`, `,"Verdict":"mine"}`, `,"sum":"x"}`, `}{"verdict":"mine"}`} {
		lines := bytes.SplitAfter(text, []byte("\n"))
		first := append(bytes.TrimSuffix(bytes.Clone(lines[0]), []byte("}\n")), more+"\n"...)
		require.NoError(t, os.WriteFile(path, append(first, lines[1]...), 0o600))
		list, changed, err := read()
		require.NotContains(t, list, result{"a", "mine"}, more)
		require.True(t, err != nil || len(changed) == 1, more)
	}

	// A file of another format is refused.
	require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(text, []byte("test 1"), []byte("test 2")), 0o600))
	_, _, err = read()
	require.ErrorContains(t, err, `line 1: this is not a result of the format "test 1": name another file`)
}
