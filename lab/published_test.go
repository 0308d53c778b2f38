package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

var published = flag.Bool("published", false, "repeat the tables of docs/judging-tables.md with databases that are solved in a minute or two; takes some minutes of both cores and 2 GiB")

// TestPublished repeats commands of a page, and looks for their figures in the tables of the page.
func TestPublished(t *testing.T) {
	if !*published {
		t.Skip("needs -published")
	}
	page, err := os.ReadFile("../docs/judging-tables.md")
	require.NoError(t, err)
	dir := t.TempDir()
	databases := map[string][]string{ // by the names on the page
		"dobutsu.db":  {"dobutsu"},
		"checkers.db": {"checkers", "--pieces", "4"},
	}
	for name, args := range databases {
		// TestMain has made the command.
		out, err := exec.CommandContext(t.Context(), "yomikiri", append(append([]string{"solve"}, args...), "--db", filepath.Join(dir, name), "--quiet")...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	commands := regexp.MustCompile(`lab (judge \w+ --db (\w+\.db) [^\n`+"`"+`]*)`).FindAllStringSubmatch(string(page), -1)
	repeated := 0
	for _, c := range commands {
		if databases[c[2]] == nil {
			continue
		}
		repeated++
		t.Run(c[1], func(t *testing.T) {
			var out, errs bytes.Buffer
			args := strings.Fields(strings.Replace(c[1], c[2], filepath.Join(dir, c[2]), 1))
			require.Equal(t, ui.ExitOK, run(t.Context(), append(args, "--quiet"), &out, &errs), errs.String())
			text := out.String()
			t.Log(text)
			rows := jitterRows(t, text)
			if !strings.Contains(c[1], "--jitter") {
				rows = difficultyFigures(t, text)
			}
			for _, row := range rows {
				require.Regexp(t, row, string(page))
			}
		})
	}
	require.Equal(t, 3, repeated)
}

var (
	jitterLine = regexp.MustCompile(`jitter (\d+) +(\d+) games, (\d+) of them different, (\d+) moves\n +moves that give the result away  (\S+) \[(\S+), (\S+)\](?:, (\S+) \[(\S+), (\S+)\])?`)
	lostLine   = regexp.MustCompile(`(\d+) lost positions; the opponent erred at once after (\d+)`)
	areaLine   = regexp.MustCompile(`(?m)^([a-z-].*?) {2,}(0\.\d{3} \[0\.\d{3}, 0\.\d{3}\])$`)
)

// jitterRows returns the rows of a table of jitters, as regular expressions.
func jitterRows(t *testing.T, text string) (rows []string) {
	percent := func(share string) string {
		v, err := strconv.ParseFloat(share, 64)
		require.NoError(t, err)
		return strings.Replace(fmt.Sprintf("%.1f", 100*v), "-", "−", 1)
	}
	for _, m := range jitterLine.FindAllStringSubmatch(text, -1) {
		moves, err := strconv.ParseUint(m[4], 10, 64)
		require.NoError(t, err)
		row := fmt.Sprintf("| %s | %s of %s | %s | %s %% [%s, %s] | ", m[1], m[3], m[2], ui.Grouped(moves), percent(m[5]), percent(m[6]), percent(m[7]))
		if m[8] != "" && len(rows) > 0 {
			row += fmt.Sprintf("%s [%s, %s] |", percent(m[8]), percent(m[9]), percent(m[10]))
		}
		rows = append(rows, regexp.QuoteMeta(strings.TrimRight(row, " ")))
	}
	return rows
}

// difficultyFigures returns how a page has the areas under curves, as regular expressions: in the row of their predictor.
func difficultyFigures(t *testing.T, text string) (rows []string) {
	names := map[string]string{
		"score": `score`, "-ln b*": `ln b\*`, "ln b* of the other window": `ln b\* of the other window`,
		"score, -ln b*": `score and ln b\*`, "score, ln b* of the other window": `score and ln b\* of the other window`,
	}
	m := lostLine.FindStringSubmatch(text)
	require.NotNil(t, m, text)
	for _, n := range m[1:] {
		v, err := strconv.ParseUint(n, 10, 64)
		require.NoError(t, err)
		rows = append(rows, regexp.QuoteMeta(ui.Grouped(v)))
	}
	areas := areaLine.FindAllStringSubmatch(text, -1)
	require.Len(t, areas, len(names), text)
	for _, m := range areas {
		require.Contains(t, names, m[1])
		rows = append(rows, `(?m)^\| `+regexp.QuoteMeta(names[m[1]])+` \|.* `+regexp.QuoteMeta(m[2])+` \|`)
	}
	return rows
}

// TestPublishedRows checks what TestPublished looks for.
func TestPublishedRows(t *testing.T) {
	rows := jitterRows(t, "jitter 0    3 games, 1 of them different, 1105 moves\n   moves that give the result away  0.085 [0.078, 0.091], +0.0000 [+0.0000, +0.0000] more than the first\n"+
		"jitter 33   3 games, 2 of them different, 12 moves\n   moves that give the result away  0.101 [0.090, 0.110], +0.0160 [-0.0013, +0.0260] more than the first\n")
	require.Len(t, rows, 2)
	require.Regexp(t, rows[0], "| 0 | 1 of 3 | 1,105 | 8.5 % [7.8, 9.1] | |")
	require.Regexp(t, rows[1], "| 33 | 2 of 3 | 12 | 10.1 % [9.0, 11.0] | 1.6 [−0.1, 2.6] |")
	require.NotRegexp(t, rows[1], "| 33 | 2 of 3 | 12 | 10.1 % [9.0, 11.0] | 1.7 [−0.1, 2.6] |")
	rows = difficultyFigures(t, `
6758 lost positions; the opponent erred at once after 848
predictor of the error             area under the curve, interval of 95 %
score                              0.711 [0.693, 0.727]
-ln b*                             0.667 [0.649, 0.684]
ln b* of the other window          0.552 [0.530, 0.574]
score, -ln b*                      0.717 [0.701, 0.732]
score, ln b* of the other window   0.707 [0.688, 0.724]
`)
	page := `finds 6,758 positions, 848
| score | 0.711 [0.693, 0.727] |
| ln b\* | 0.667 [0.649, 0.684] |
| ln b\* of the other window | 0.552 [0.530, 0.574] |
| score and ln b\* | 0.717 [0.701, 0.732] |
| score and ln b\* of the other window | 0.707 [0.688, 0.724] |
`
	require.Len(t, rows, 7)
	for _, row := range rows {
		require.Regexp(t, row, page)
	}
	require.NotRegexp(t, rows[2], strings.Replace(page, "0.711", "0.712", 1))
}
