package shogi

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
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
