//go:build !race

package retro_test

import (
	_ "embed" // the published counts
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/retro"
)

//go:embed testdata/endings.tsv
var endingsText string

var (
	endingsPieces   = flag.Int("endings.pieces", 3, "the most pieces of the chess endings of TestEndings")
	endingsGiveaway = flag.Int("endings.giveaway", 2, "the most pieces of those of giveaway, where kings are pieces as others: 3 takes seconds, 4 hours and 4 GiB")
)

// TestEndings compares the counts of all classes of few pieces with published ones, and the longest mates: 10 moves with a
// queen, 16 with a rook, 28 with a pawn, 33 with bishop and knight, 35 with queen against rook, 40 with rook against knight.
func TestEndings(t *testing.T) {
	type row struct{ game, table, side string }
	want := map[row]db.Results{}
	for line := range strings.Lines(endingsText) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "game") {
			continue
		}
		var k row
		var r db.Results
		_, err := fmt.Sscan(line, &k.game, &k.table, &k.side, &r.Won, &r.Drawn, &r.Lost)
		require.NoError(t, err)
		k.table = sortedTable(k.table)
		want[k] = r
	}
	mates := map[string]int{"KQvK": 10, "KRvK": 16, "KPvK": 28, "KBNvK": 33, "KQvKR": 35, "KRvKN": 40}
	for game, pieces := range map[string]int{"chess": *endingsPieces, "giveaway": *endingsGiveaway} {
		t.Run(game, func(t *testing.T) {
			compared := 0
			for _, c := range solvedClasses(t, fmt.Sprintf("%s:pieces=%d", game, pieces)) {
				sides := []int{c.Side}
				if c.Both {
					sides = []int{1, 2}
				}
				for _, side := range sides {
					white, black, _ := strings.Cut(c.Name, "v")
					for turned, table := range []string{white + "v" + black, black + "v" + white} {
						k := row{game, sortedTable(table), []string{"w", "b"}[(side-1)^turned]}
						if r, ok := want[k]; ok {
							require.Equal(t, r, c.Labelled, "%s, %s to move", k.table, k.side)
							compared++
							break
						}
					}
				}
				if moves, ok := mates[c.Name]; ok && game == "chess" && c.Side == 1 {
					require.Equal(t, 2*moves-1, c.Win, c.Name)
				}
			}
			all := 0
			for k := range want {
				if k.game == game && len(k.table)-1 <= pieces {
					all++
				}
			}
			require.NotZero(t, all)
			require.Equal(t, all, compared)
		})
	}
}

// sortedTable writes a table such as KRvKN with the pieces of each side in the order of the alphabet.
func sortedTable(table string) string {
	white, black, _ := strings.Cut(table, "v")
	sorted := func(s string) string { b := []byte(s); slices.Sort(b); return string(b) }
	return sorted(white) + "v" + sorted(black)
}

// solvedClasses solves classes of a variant and counts them.
func solvedClasses(t *testing.T, spec string) []db.ClassCount {
	name, _, _ := strings.Cut(spec, ":")
	g, err := variant.BuiltIn().Family(name, name).Open(spec)
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	dir := t.TempDir()
	_, _, err = retro.Solve(t.Context(), u, dir, retro.Config{Positions: retro.All})
	require.NoError(t, err)
	d, err := store.Open(dir, nil)
	require.NoError(t, err)
	defer d.Close()
	list, err := d.Census(t.Context(), u, db.CensusOptions{})
	require.NoError(t, err)
	return list
}
