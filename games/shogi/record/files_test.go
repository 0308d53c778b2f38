package record

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// TestFiles reads every file of testdata: all its records have the legal moves and lead to the
// positions that expected.tsv lists.
func TestFiles(t *testing.T) {
	want := map[string]string{}
	for line := range strings.Lines(string(readFile(t, "expected.tsv"))) {
		if columns := strings.SplitN(strings.TrimSpace(line), "\t", 2); line[0] != '#' {
			want[columns[0]] = columns[1]
		}
	}
	got := map[string]string{}
	files, err := os.ReadDir("testdata")
	require.NoError(t, err)
	for _, file := range files {
		if file.IsDir() || file.Name() == "expected.tsv" {
			continue
		}
		list, err := Parse(readFile(t, file.Name()), shogi.UsualHands)
		require.NoError(t, err, file.Name())
		for i, r := range list {
			name := file.Name()
			if len(list) > 1 {
				name += ":" + strconv.Itoa(i+1)
			}
			p := r.Final()
			fields := strings.Fields(p.SFEN())
			got[name] = fmt.Sprintf("%d\t%s %s", len(r.Moves), fields[0], fields[1])
			if name == "ends_illegally.kif" {
				require.ErrorContains(t, r.Err, "line 14, column 3: move")
				require.Equal(t, Illegal, r.Ending)
				require.Equal(t, WhiteWins, r.Result)
			} else {
				require.NoError(t, r.Err, name)
			}
			again := parseOne(t, r.AppendKIF(nil, UTF8))
			r.Err = nil
			require.Equal(t, r, again, name)
		}
	}
	require.Equal(t, want, got)
}
