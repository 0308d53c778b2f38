//go:build !race

package tsume_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

var updateHouses = flag.Int("houses", 0, "number of problems of each point to find for testdata/houses.tsv, which is written again")

// published are the grades that the sources of each house give, by point; docs/tsume-houses.md quotes them. Houses
// say nothing about the points that are missing here.
var published = map[string]string{
	"phone":    "one-move=unsound last-move=remark last-move-pieces=remark mirror=remark square=remark promotion=remark detour=blemish pieces-left=unsound equal=remark equal-at-end=remark superfluous=unsound",
	"suzukou":  "last-move=remark pieces-left=unsound longer=unsound longer-pieces=unsound longer-by-two=unsound equal=blemish equal-at-end=remark equal-pieces=remark",
	"classics": "pieces-left=remark longer=remark longer-pieces=remark longer-by-two=remark",
	"katsuaki": "last-move=remark last-move-pieces=unsound square=blemish detour=blemish longer-by-two=unsound",
	"strict":   "one-move=unsound last-move=unsound last-move-pieces=unsound mirror=unsound square=unsound promotion=unsound detour=unsound longer=unsound longer-pieces=unsound longer-by-two=unsound equal=unsound equal-at-end=unsound equal-pieces=remark equal-choice=unsound",
	"default":  "one-move=unsound last-move=blemish last-move-pieces=blemish mirror=remark square=blemish promotion=remark detour=blemish pieces-left=unsound longer=unsound longer-pieces=unsound longer-by-two=blemish equal=blemish equal-at-end=remark equal-pieces=remark equal-choice=blemish futile=blemish two-kings=allowed superfluous=blemish",
}

// TestHouses judges problems of our own by each house: at least 20 that its source decides. A line of
// testdata/houses.tsv has a position, an intended line, and the points on which it is open to objection.
func TestHouses(t *testing.T) {
	const file = "testdata/houses.tsv"
	if *updateHouses > 0 {
		require.NoError(t, os.WriteFile(file, []byte(findHouses(t, *updateHouses)), 0o644))
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	decided := map[string]int{}
	number := 0
	for line := range strings.Lines(string(data)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, columns, 3, line)
		p, err := shogi.ParseSFEN(columns[0])
		require.NoError(t, err)
		moves := movesOf(t, p, columns[1])
		points := strings.Fields(columns[2])
		for i, house := range tsume.HouseNames() {
			if number++; testing.Short() && (number+i)%5 > 0 {
				continue
			}
			rules, err := tsume.ParseRules(house)
			require.NoError(t, err)
			table.Clear()
			j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, moves, table, tsume.JudgeOptions{Rules: rules, Superfluous: slices.Contains(points, "superfluous")})
			require.NoError(t, err, line)
			want, by := verdictOf(house, points)
			require.Equal(t, want, j.Verdict, "%s: %s", house, line)
			var got []string
			for _, f := range j.Faults {
				grade, decides := gradeIn(house, f.Point.String())
				require.Equal(t, grade, f.Grade.String(), "%s: %v %v", house, f.Kind, line)
				require.Equal(t, decides, f.By, "%s: %v %v", house, f.Kind, line)
				if !slices.Contains(got, f.Point.String()) {
					got = append(got, f.Point.String())
				}
			}
			for _, point := range points {
				if others, _ := verdictOf(house, slices.DeleteFunc(slices.Clone(points), func(p string) bool { return p == "superfluous" })); point == "superfluous" && others == tsume.Faulty {
					continue // pieces of sound problems only are asked about
				}
				grade, _ := gradeIn(house, point)
				require.Equal(t, grade != "allowed", slices.Contains(got, point), "%s: %s: %v", house, line, got)
			}
			if by {
				decided[house]++
			}
		}
	}
	t.Log(decided)
	if !testing.Short() {
		for _, house := range tsume.HouseNames() {
			require.GreaterOrEqual(t, decided[house], 20, house)
		}
	}
}

// gradeIn returns what a house says about a point, and who says it.
func gradeIn(house, point string) (grade, by string) {
	for _, name := range []string{house, "default"} {
		for _, entry := range strings.Fields(published[name]) {
			if p, g, _ := strings.Cut(entry, "="); p == point {
				return g, name
			}
		}
	}
	return "unsound", ""
}

// verdictOf returns the verdict of a house, and whether its own source says something about a point.
func verdictOf(house string, points []string) (v tsume.Verdict, own bool) {
	v = tsume.Sound
	for _, point := range points {
		grade, by := gradeIn(house, point)
		own = own || by == house
		if grade == "unsound" {
			v = tsume.Faulty
		}
	}
	return v, own
}

// findHouses finds problems without faults that all houses agree on, at least count for each point that occurs.
func findHouses(t *testing.T, count int) string {
	rng := rand.New(rand.NewPCG(5, 6))
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	found := map[tsume.Point]int{}
	seen := map[string]bool{}
	var lines []string
	most := len(tsume.Points()) * count
	for tries := 0; tries < 15_000 && len(lines) < most; tries++ {
		p, ok := randomProblem(rng)
		switch rng.IntN(4) {
		case 0:
			p, ok = symmetricProblem(rng)
		case 1:
			p, ok = changedKind(rng)
		}
		if ok {
			p, ok = moreInHand(rng, p)
		}
		if !ok {
			continue
		}
		table.Clear()
		s, err := tsume.Solve(t.Context(), tsume.Problem{Position: p}, table, tsume.Options{Nodes: 1_000})
		if err != nil || s.Outcome != dfpn.Proven || s.Length > 9 || s.Cut || len(s.Line) == 0 || seen[p.SFEN()] {
			continue
		}
		seen[p.SFEN()] = true
		for _, line := range [][]shogi.Move{nil, s.Line} {
			j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, line, table, tsume.JudgeOptions{Nodes: 3_000, Superfluous: rng.IntN(16) == 0})
			if err != nil || len(j.Open) > 0 || len(j.Line) == 0 || len(j.Faults) == 0 || j.Unfinished {
				continue
			}
			var points []string
			wanted := false
			for _, f := range j.Faults {
				if f.Point == tsume.NoPoint {
					points = nil
					break
				}
				if !slices.Contains(points, f.Point.String()) {
					points = append(points, f.Point.String())
					wanted = wanted || found[f.Point] < count && len(points) < 3
				}
			}
			if !wanted || len(points) == 0 || len(points) > 3 {
				continue
			}
			for _, point := range points {
				for _, p := range tsume.Points() {
					if p.String() == point {
						found[p]++
					}
				}
			}
			slices.Sort(points)
			lines = append(lines, fmt.Sprintf("%s\t%s\t%s\n", p.SFEN(), plainLine(j.Line), strings.Join(points, " ")))
			break
		}
	}
	t.Log(found)
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// TestHouseSources compares the houses and their pages with docs/tsume-houses.md.
func TestHouseSources(t *testing.T) {
	page, err := os.ReadFile("../../docs/tsume-houses.md")
	require.NoError(t, err)
	for name := range published {
		rules, err := tsume.ParseRules(name)
		require.NoError(t, err)
		house, sources := rules.House()
		require.Equal(t, name, house)
		require.Equal(t, name == tsume.DefaultHouse, len(sources) == 0, name)
		require.Contains(t, string(page), "`"+name+"`")
		for _, source := range sources {
			require.Contains(t, string(page), "("+source+")", name)
		}
	}
}
