//go:build !race

package solver

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	secondrules "github.com/yomikiri/yomikiri/proof/rules"
)

func TestDepthFirstTicTacToe(t *testing.T) {
	g := tictactoe.Game{}
	n := 0
	eachTicTacToe(func(p tictactoe.Position, want games.Result) {
		n++
		cfg := Config{Method: DepthFirst, Memory: tables[1+n%3]}
		require.Equal(t, expected(want), answers(t, g, p, cfg))
		r, _ := solve(t, g, p, g, cfg)
		require.Equal(t, want, r.Value, "%s", g.AppendPosition(nil, p))
	})
	// Hashed by text, the search is the same.
	byText := textual[tictactoe.Position, tictactoe.Move]{g}
	cfg := Config{Method: DepthFirst, Memory: 1 << 20}
	r, report := solve(t, byText, byText.Start(), g, cfg)
	require.Equal(t, games.Drawn, r.Value)
	_, byBytes := solve(t, g, g.Start(), g, cfg)
	require.Equal(t, byBytes, report)
}

// TestDepthFirstDobutsu compares positions of Dōbutsu shōgi with values found by
// retrograde analysis, as far as a few nodes decide them, and checks proofs of
// wins.
func TestDepthFirstDobutsu(t *testing.T) {
	g := dobutsu.New()
	text, err := os.ReadFile("../dfpn/testdata/dobutsu.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if testing.Short() {
		lines = lines[:len(lines)/10]
	}
	decided, longest := map[string]int{}, uint64(0)
	for i, line := range lines {
		text, value, _ := strings.Cut(line, "\t")
		p, err := g.ParsePosition(text)
		require.NoError(t, err)
		s, err := New(g, branchers(g), p, Config{Method: DepthFirst, Memory: tables[3-i%8/7], Nodes: 1500})
		require.NoError(t, err)
		r, err := s.Solve(context.Background())
		if !r.Known {
			require.ErrorIs(t, err, ErrLimit)
			for _, c := range r.Claims {
				require.Equal(t, proof.Claim{Side: proof.Other, Goal: proof.Hold}, c)
				require.NotEqual(t, "win", value)
			}
			continue
		}
		require.NoError(t, err)
		require.Equal(t, value, r.Value.String(), text)
		decided[value]++
		if r.Value != games.Drawn {
			longest = max(longest, checkProof(t, s, r, g).Ranks[0])
		}
	}
	t.Log(decided, longest)
	require.Greater(t, decided["win"], len(lines)/10)
	require.Greater(t, decided["loss"], 0)
	require.Greater(t, longest, uint64(8))
}

// TestDepthFirstShogi solves mates by the rules of shogi alone, and has the proofs
// checked by other rules.
func TestDepthFirstShogi(t *testing.T) {
	for _, c := range []struct {
		position string
		want     games.Result
		rank     int // of the proof, at least
	}{
		{"4k4/9/4P4/9/9/9/9/9/9 b G", games.Won, 1},
		{"4k4/9/4P4/9/9/9/9/9/9 b RSr2b3g3s4n4l17p", games.Won, 3},
		{"9/9/3B3G1/6+p1n/7+p1/7k1/5BL1p/7G1/7+R+r b N2P2g4s2n3l13p", games.Won, 21},
		{"4k4/9/4P4/9/9/9/9/9/9 b P", games.Lost, 1}, // no check is left after it
	} {
		g := shogi.Checking(shogi.Black)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		plain, err := secondrules.Open(g.Name(), c.position)
		require.NoError(t, err)
		r, report := solve(t, g, p, plain, Config{Method: DepthFirst, Memory: 1 << 22})
		require.Equal(t, c.want, r.Value, c.position)
		require.GreaterOrEqual(t, int(report.Ranks[0]), c.rank)
		t.Logf("%+v; %+v", r.Questions, report)
	}
}

// TestDepthFirstBoards solves boards of gomoku; see TestBoards.
func TestDepthFirstBoards(t *testing.T) {
	for _, c := range []struct {
		rules  gomoku.Rules
		want   games.Result
		memory uint64
	}{
		{gomoku.Rules{Rows: 3, Columns: 3, K: 3}, games.Drawn, 1 << 12},
		{gomoku.Rules{Rows: 2, Columns: 9, K: 3}, games.Drawn, 1 << 12},
		{gomoku.Rules{Rows: 3, Columns: 4, K: 3}, games.Won, 1 << 12},
		{gomoku.Rules{Rows: 4, Columns: 4, K: 3}, games.Won, 1 << 20},
		{gomoku.Rules{Rows: 4, Columns: 4, K: 4}, games.Drawn, 1 << 20},
		{gomoku.Rules{Rows: 4, Columns: 5, K: 4}, games.Drawn, 1 << 20},
		{gomoku.Rules{Rows: 4, Columns: 6, K: 4}, games.Drawn, 1 << 14},
		{gomoku.Rules{Rows: 5, Columns: 5, K: 4}, games.Drawn, 1 << 20},
		{gomoku.Rules{Rows: 5, Columns: 6, K: 4}, games.Won, 1 << 20},
		{gomoku.Rules{Rows: 6, Columns: 6, K: 4}, games.Won, 1 << 20},
		{gomoku.Rules{Rows: 7, Columns: 7, K: 4}, games.Won, 1 << 20},
		{gomoku.Rules{Rows: 5, Columns: 5, K: 5}, games.Drawn, 1 << 20},
		{gomoku.Rules{Rows: 5, Columns: 6, K: 5}, games.Drawn, 1 << 20},
		{gomoku.Rules{Rows: 6, Columns: 6, K: 5}, games.Drawn, 1 << 20},
		{gomoku.Rules{Rows: 4, Columns: 5, K: 3, Exact: true}, games.Won, 1 << 20},
		{gomoku.Rules{Rows: 4, Columns: 7, K: 4}, games.Drawn, 1 << 20},
		{gomoku.Rules{Rows: 7, Columns: 7, K: 5}, games.Drawn, 1 << 20},
	} {
		if testing.Short() && (c.rules.Columns == 7 && c.want == games.Drawn) {
			continue // takes some seconds
		}
		g, plain := newGomoku(t, c.rules)
		r, report := solve(t, g, g.Start(), plain, Config{Method: DepthFirst, Memory: c.memory})
		require.Equal(t, c.want, r.Value, "%+v", c.rules)
		t.Logf("%+v: %+v; %+v", c.rules, r.Questions, report)
	}
}

// TestDepthFirstDeterminism solves twice: the same nodes.
func TestDepthFirstDeterminism(t *testing.T) {
	g, plain := newGomoku(t, gomoku.Rules{Rows: 5, Columns: 5, K: 4})
	cfg := Config{Method: DepthFirst, Memory: 1 << 14}
	r1, report1 := solve(t, g, g.Start(), plain, cfg)
	r2, report2 := solve(t, g, g.Start(), plain, cfg)
	require.Equal(t, r1.Questions[0].Nodes, r2.Questions[0].Nodes)
	require.Equal(t, report1, report2)
}

func ExampleSolver_depthFirst() {
	g := dobutsu.New()
	p, _ := g.ParsePosition("G1l/LGh/2e/E1C b -")
	s, _ := New(g, branchers(g), p, Config{Method: DepthFirst, Memory: 1 << 20})
	r, _ := s.Solve(context.Background())
	fmt.Println(r.Value, r.Claims)

	var file bytes.Buffer
	w, _ := proof.NewWriter(&file, s.Header())
	fmt.Println(s.WriteProof(context.Background(), w), w.Close())
	// Output:
	// win [mover wins]
	// <nil> <nil>
}
