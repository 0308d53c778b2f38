package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

func TestSolveLine(t *testing.T) {
	for _, c := range []struct {
		progress retro.Progress
		want     string
	}{
		{retro.Progress{Pass: "reach", Done: 1234567, Time: 1500 * time.Millisecond, Memory: 300 << 20},
			"1.5 s  reach: 1,234,567 positions, 300 MiB"},
		{retro.Progress{Pass: "levels", Tier: "20", Level: 17, Done: 5, Total: 1000, Time: 75 * time.Second, Memory: 12 << 30,
			Counts: retro.Counts{Moves: 30_000_000}, Elapsed: 2 * time.Second, Left: 8 * time.Second},
			"75 s, about 8.0 s left  levels 20 17: 5 of 1,000 positions, 12.0 GiB, 15.0 M moves/s"},
		{retro.Progress{Pass: "write", Counts: retro.Counts{Moves: 1e9}, Elapsed: time.Millisecond},
			"0.0 s  write: 0 positions, 0 bytes"}, // too early to tell how fast it is
	} {
		require.Equal(t, c.want, solveLine(c.progress))
	}
}

func TestSolveRecord(t *testing.T) {
	text, err := json.Marshal(solveRecord(retro.Progress{
		Pass: "levels", Tier: "20", Level: 17, Done: 5, Total: 1000, Time: 75 * time.Second, Memory: 12, Left: 8 * time.Second,
		Counts: retro.Counts{Moves: 1, Messages: 2, Batches: 3, Bytes: 4},
	}))
	require.NoError(t, err)
	require.JSONEq(t, `{"seconds":75,"pass":"levels","slice":"20","level":17,"done":5,"total":1000,
		"moves":1,"messages":2,"batches":3,"bytes":4,"seconds_left":8,"memory":12}`, string(text))
}

// manifest describes a database of two tiers, of distances or of scores.
func manifest(order games.Order) *db.Manifest {
	m := &db.Manifest{Content: db.Content{
		Game: "sowing:stones=2", Order: order.String(), Positions: "all", StartValue: games.Draw,
		Tiers: []db.Tier{
			{Name: "1", Size: 1000, Open: 1000, Unfinished: 700, Counts: []db.Count{
				{Value: games.Win(3), Positions: 600}, {Value: games.Draw, Positions: 100}, {Value: games.Loss(0), Positions: 300, Finished: 300}}},
			{Name: "2", Start: 1000, Size: 5, Open: 5, Unfinished: 3, Counts: []db.Count{
				{Value: games.Win(3), Positions: 1}, {Value: games.Draw, Positions: 3, Finished: 2}, {Value: games.Loss(4), Positions: 1}}},
		},
	}}
	if order == games.ByScore {
		for i := range m.Content.Tiers {
			counts := m.Content.Tiers[i].Counts
			counts[0].Value, counts[2].Value = games.Score(2), games.Score(-1)
		}
	}
	return m
}

func TestStatsOfTiers(t *testing.T) {
	var csv bytes.Buffer
	require.Equal(t, `sowing:stones=2, all positions; start position: draw

tier 1
value               positions   of them over  percent
win in 3                  600              0   60.000
draw                      100              0   10.000
loss in 0                 300            300   30.000
all                     1,000            300

tier 2
value               positions   of them over  percent
win in 3                    1              0   20.000
draw                        3              2   60.000
loss in 4                   1              0   20.000
all                         5              2

tier all
value               positions   of them over  percent
win in 3                  601              0   59.801
draw                      103              2   10.249
loss in 4                   1              0    0.100
loss in 0                 300            300   29.851
all                     1,005            302
`, statsTable(&manifest(games.ByDistance).Content, true))
	require.NoError(t, statsCSV(&csv, &manifest(games.ByDistance).Content))
	require.Equal(t, `slice,result,plies,score,positions,finished
1,win,3,,600,0
1,draw,,,100,0
1,loss,0,,300,300
2,win,3,,1,0
2,draw,,,3,2
2,loss,4,,1,0
`, csv.String())
	csv.Reset()
	require.NoError(t, statsCSV(&csv, &manifest(games.ByScore).Content))
	require.Equal(t, `slice,result,plies,score,positions,finished
1,win,,2,600,0
1,draw,,0,100,0
1,loss,,-1,300,300
2,win,,2,1,0
2,draw,,0,3,2
2,loss,,-1,1,0
`, csv.String())
	require.ErrorIs(t, statsCSV(brokenWriter{}, &manifest(games.ByDistance).Content), errBroken)
}

func TestPlotStats(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plot.svg")
	for _, c := range []struct {
		order games.Order
		want  []string
		lines int
	}{
		{games.ByDistance, []string{"sowing:stones=2: positions by distance", "plies to the end", "won", "lost"}, 2},
		{games.ByScore, []string{"sowing:stones=2: positions by score", "score"}, 1},
	} {
		require.NoError(t, ui.WritePlot(path, statsPlot(manifest(c.order))))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, want := range c.want {
			require.Contains(t, string(text), ">"+want+"<")
		}
		require.Equal(t, c.lines, strings.Count(string(text), "<polyline"))
	}
	draws := manifest(games.ByDistance)
	for i := range draws.Content.Tiers {
		draws.Content.Tiers[i].Counts = []db.Count{{Value: games.Draw, Positions: 1}}
	}
	require.ErrorContains(t, ui.WritePlot(path, statsPlot(draws)), "there is nothing to draw")
}

// TestGames says once what a rule option is if it is not given.
func TestGames(t *testing.T) {
	code, stdout, _ := run("games", inputGames...)
	require.Equal(t, ui.ExitOK, code)
	require.Equal(t, 1, strings.Count(stdout, "15x15 if not given"))
	_, stdout, _ = run("help gomoku", inputGames...)
	require.Contains(t, strings.Join(strings.Fields(stdout), " "), "2 to 20 each (default 15x15)")
}

func TestSummary(t *testing.T) {
	m := manifest(games.ByDistance)
	m.Checksum = "0123456789abcdef"
	m.Built = db.Built{Time: 61*time.Second + 250*time.Millisecond, Threads: 4, Memory: 3 << 30}
	m.Files = []db.File{{Size: 1_000_000}, {Size: 250_000}}
	m.Content.Longest = &db.Example{Value: games.Win(3), Index: 7} // that of tic-tac-toe's position
	m.Content.Tiers[0].Moves, m.Content.Tiers[1].Moves = 12_000, 345
	g, err := Game("tictactoe").Open("tictactoe")
	require.NoError(t, err)
	require.Equal(t, `game             sowing:stones=2
start position   draw
positions        1,005 (all)
  finished       302: 2 draw, 300 loss in 0
  not finished   703: 601 won, 101 drawn, 1 lost
moves            12,345
longest          win in 3: .../.../xo.
time             61.2 s, 4 threads
peak memory      3072 MiB
database         here.db, 1.2 MB, 14224.75 bits for each position not finished
checksum         0123456789abcdef
`, summary(g, "here.db", m))
	m.Files = []db.File{{Size: 49_940}}
	require.Contains(t, summary(g, "here.db", m), "here.db, 49.9 kB, ")
	m.Content.Longest.Value = games.Draw // the only value
	require.NotContains(t, summary(g, "here.db", m), "longest")
}

// TestLongLine checks that a long line of moves is broken between moves, and that
// nothing of it is lost.
func TestLongLine(t *testing.T) {
	a := db.Answer{Position: "here", Verdict: db.Verdict{Value: games.Win(99)}}
	for i := range 99 {
		a.Line = append(a.Line, fmt.Sprintf("move%d", i))
	}
	text := string((&lookedUp{Answer: &a}).text("a.db", nil, false))
	_, line, ok := strings.Cut(text, "\nline      ")
	require.True(t, ok, text)
	require.Equal(t, a.Line, strings.Fields(line))
	lines := strings.Split(text[strings.Index(text, "line  "):], "\n")
	require.Greater(t, len(lines), 8)
	for _, line := range lines[:len(lines)-1] {
		require.Less(t, len(line), 80, "it fits on a terminal")
		require.True(t, strings.HasPrefix(line, "line      ") || strings.HasPrefix(line, "          move"), line)
	}
}

// TestNodesTable fits on a terminal.
func TestNodesTable(t *testing.T) {
	const much = 24*time.Hour + time.Minute
	text := nodesTable(&retro.NodesReport{CPU: much, Passes: []retro.Pass{{Name: "initialise", Counts: retro.Counts{
		Positions: 279_871_768_995, Messages: 2_798_717_689_950, Sent: 9_999, Packets: 9_999_999, CPU: much, Messaging: much}}}})
	require.Contains(t, text, "initialise")
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len(line), 80, line)
	}
}

// brokenWriter is a writer that fails.
type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }
