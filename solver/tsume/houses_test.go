//go:build !race

package tsume_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

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

// houseProblem is a problem on which a rule of a house decides.
type houseProblem struct {
	house string
	judgedKind
	verdict, point, why string
}

// houseProblems reads testdata/houses.tsv: a house, a position, the intended line, the verdict, the point that decides it,
// and what is special about the problem. They are composed by the published rules.
func houseProblems(t *testing.T) (list []houseProblem) {
	data, err := os.ReadFile("testdata/houses.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, c, 6, line)
		list = append(list, houseProblem{c[0], judgedKind{c[1], c[2], c[4]}, c[3], c[4], c[5]})
	}
	return list
}

// TestHouses judges at least 20 problems by each house, on which its own source decides: but for other points, with the
// contrary grade of the point the verdict is the contrary one. All faults are compared with plainJudge.
func TestHouses(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	count, points := map[string]int{}, map[string]bool{}
	for n, c := range houseProblems(t) {
		count[c.house]++
		points[c.house+" "+c.point] = true
		if testing.Short() && n%6 > 0 {
			continue
		}
		name := c.house + ": " + c.position + " " + c.line
		grade, by := gradeIn(c.house, c.point)
		require.Equal(t, c.house, by, name)
		contrary, opposite := "unsound", tsume.Faulty
		if grade == contrary {
			contrary, opposite = "remark", tsume.Sound
		}
		p, line := c.problem(t)
		rest := c.house // with other points out of the way
		for _, p := range tsume.Points() {
			if p.String() != c.point {
				rest += "," + p.String() + "=remark"
			}
		}
		for i, text := range []string{c.house, rest, rest + "," + c.point + "=" + contrary} {
			rules, err := tsume.ParseRules(text)
			require.NoError(t, err)
			options := tsume.JudgeOptions{Rules: rules, Superfluous: c.point == "superfluous"}
			table.Clear()
			j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, line, table, options)
			require.NoError(t, err, name)
			require.Empty(t, j.Open, name)
			if i > 0 {
				require.Equal(t, i == 1, j.Verdict != opposite, "%s: %v", text, j.Faults)
				continue
			}
			require.Equal(t, c.verdict, j.Verdict.String(), "%s: %v", name, j.Faults)
			has := false
			for _, f := range j.Faults {
				want, who := gradeIn(c.house, f.Point.String())
				require.Equal(t, want, f.Grade.String(), "%s: %v", name, f.Kind)
				require.Equal(t, who, f.By, "%s: %v", name, f.Kind)
				has = has || f.Point.String() == c.point
			}
			require.Equal(t, grade != "allowed", has, "%s: %v", name, j.Faults)
			plain, ok := newPlainJudge(p, rules, 20_000)
			require.True(t, ok, name)
			plain.looks = -1_000_000
			if c.point == "superfluous" {
				squares, ok := plain.superfluous(p, j.Line, 20_000)
				require.True(t, ok && len(squares) > 0, name)
				for _, f := range j.Faults {
					require.True(t, f.Kind != tsume.Superfluous || slices.Contains(squares, f.Square), name)
				}
				j.Faults = slices.DeleteFunc(j.Faults, func(f tsume.Fault) bool { return f.Kind == tsume.Superfluous })
				if j.Verdict = tsume.Sound; len(j.Faults) > 0 && j.Faults[0].Grade == tsume.Unsound {
					j.Verdict = tsume.Faulty
				}
			}
			require.True(t, requireJudgement(t, plain, p, line, j), name)
		}
	}
	for _, house := range tsume.HouseNames() {
		require.GreaterOrEqual(t, count[house], 20, house)
		for _, entry := range strings.Fields(published[house]) {
			point, _, _ := strings.Cut(entry, "=")
			require.True(t, points[house+" "+point], "%s: %s", house, point)
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
