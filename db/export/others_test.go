package export_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/export"
)

// readers are programs that read Parquet. A program prints, of the file that stands for FILE, the number of rows, of wins, of
// rows without a distance, and the sums of distances and indices.
var readers = map[string]struct {
	there, count []string
}{
	"DuckDB": {[]string{"duckdb", "-version"}, []string{"duckdb", "-list", "-noheader", "-c",
		"select concat_ws(' ', count(*), count(*) filter (value = 'win'), count(*) filter (distance is null), sum(distance), sum(\"index\")) from 'FILE'"}},
	"DuckDB for Python": {[]string{"python3", "-c", "import duckdb"}, []string{"python3", "-c", `import duckdb
print(*duckdb.sql("select count(*), count(*) filter (value = 'win'), count(*) filter (distance is null), sum(distance), sum(\"index\") from 'FILE'").fetchone())`}},
	"pandas": {[]string{"python3", "-c", "import pandas, pyarrow"}, []string{"python3", "-c", `import pandas
t = pandas.read_parquet('FILE')
print(len(t), (t.value == 'win').sum(), t.distance.isna().sum(), int(t.distance.sum()), t['index'].sum())`}},
}

// TestOtherReaders reads a file by other programs.
func TestOtherReaders(t *testing.T) {
	for name, reader := range readers {
		t.Run(name, func(t *testing.T) {
			if err := exec.Command(reader.there[0], reader.there[1:]...).Run(); err != nil {
				t.Skipf("%s is not there: %v", name, err)
			}
			file := filepath.Join(t.TempDir(), "made.parquet")
			require.NoError(t, os.WriteFile(file, write(t, synthetic(600_000), export.Options{Format: export.Parquet}), 0o600))
			var args []string
			for _, a := range reader.count {
				args = append(args, strings.ReplaceAll(a, "FILE", file))
			}
			out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Equal(t, "600000 200000 200000 1000000 179999700000", strings.TrimSpace(string(out)))
		})
	}
}
