package tsume_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func TestHunt(t *testing.T) {
	table, _ := dfpn.NewFixedTable(1 << 22)
	for _, goal := range []tsume.Goal{tsume.Selfmate, tsume.HelpSelfmate} {
		g := goalProblems{rng: rand.New(rand.NewPCG(*goalsSeed, 77)), goal: goal}
		begin := time.Now()
		tried, shown := 0, map[int]int{}
		for time.Since(begin) < 60*time.Second {
			p, ok := g.next()
			if !ok {
				continue
			}
			tried++
			table.Clear()
			s, err := tsume.SolveGoal(t.Context(), tsume.Problem{Position: p}, goal, 8, table, tsume.Options{Nodes: 3000})
			if err != nil {
				t.Fatal(err)
			}
			if s.Outcome == dfpn.Proven && s.Length > 0 {
				if len(g.good[s.Length]) < 2000 {
					g.good[s.Length] = append(g.good[s.Length], p)
				}
				if shown[s.Length]++; shown[s.Length] < 8 || s.Unique() && shown[s.Length] < 40 {
					t.Log(goal, s.Length, s.Unique(), p.SFEN(), lineText(s.Lines[0]), len(s.Cooks), len(s.Equal))
				}
			}
		}
		t.Log(goal, tried, shown)
	}
}
