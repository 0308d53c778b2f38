package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

var update = flag.Bool("update", false, "write the table and the figure of docs/gomoku-15x15.md")

// readRecords reads JSON records, as commands print them with --json.
func readRecords[T any](t *testing.T, path string) (list []T) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var x T
		err := d.Decode(&x)
		if errors.Is(err, io.EOF) {
			return list
		}
		require.NoError(t, err)
		list = append(list, x)
	}
}

// checked is a record of yomikiri check --json.
type checked struct {
	Position string  `json:"position"`
	Bytes    uint64  `json:"bytes"`
	Seconds  float64 `json:"seconds"`
}

// TestSecondMovesPage compares the table and the figure of docs/gomoku-15x15.md with the
// records of bench second-moves and check.
func TestSecondMovesPage(t *testing.T) {
	g, err := gomoku.New(gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	require.NoError(t, err)
	moves := readRecords[SecondMove](t, "testdata/second-moves.json")
	checks := map[gomoku.Position]checked{}
	for _, c := range readRecords[checked](t, "testdata/second-moves-check.json") {
		p, err := g.ParsePosition(c.Position)
		require.NoError(t, err)
		checks[g.Canonical(p)] = c
	}
	var table bytes.Buffer
	table.WriteString("| answer | | positions | time | proof | check |\n|---|---|--:|--:|--:|--:|\n")
	answers := SecondMoves{Game: g}.answers()
	require.Len(t, moves, len(answers))
	won, seconds, nodes, size, checking := 0, 0.0, uint64(0), uint64(0), 0.0
	byMove := map[string]SecondMove{}
	for _, m := range moves {
		byMove[m.Move] = m
	}
	for _, a := range answers {
		m, ok := byMove[a.Move]
		require.True(t, ok, a.Move)
		c, proven := checks[g.Canonical(a.position)]
		require.Equal(t, m.Won, proven, "%s: won, and its proof checked", a.Move)
		nodes, seconds = nodes+m.Nodes, seconds+m.Seconds
		if !m.Won {
			fmt.Fprintf(&table, "| %s | open | | | | |\n", m.Move)
			continue
		}
		won++
		size, checking = size+c.Bytes, checking+c.Seconds
		fmt.Fprintf(&table, "| %s | won | %d | %.0f s | %d KiB | %.1f s |\n", m.Move, m.Nodes, m.Seconds, c.Bytes>>10, c.Seconds)
	}
	fmt.Fprintf(&table, "| %d of %d | | %d | %.0f s | %.1f MiB | %.0f s |\n", won, len(answers), nodes, seconds, float64(size)/(1<<20), checking)

	const page, begin, end = "../docs/gomoku-15x15.md", "<!-- table -->\n", "<!-- end of the table -->"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok)
	old, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	const figure = "../docs/gomoku-15x15.svg"
	svg := secondMovesFigure(g, answers, byMove)
	if *update {
		old = table.String()
		require.NoError(t, os.WriteFile(page, []byte(before+begin+old+end+after), 0o644))
		require.NoError(t, os.WriteFile(figure, svg, 0o644))
	}
	require.Equal(t, table.String(), old, "go test ./bench -run SecondMovesPage -update writes it")
	drawn, err := os.ReadFile(figure)
	require.NoError(t, err)
	require.Equal(t, string(svg), string(drawn), "go test ./bench -run SecondMovesPage -update writes it")
}

// secondMovesFigure draws the board with the time of each second move: the darker, the
// longer it took. Mirror images have the same colour, and one of them has the number.
func secondMovesFigure(g *gomoku.Game, answers []*secondMove, byMove map[string]SecondMove) []byte {
	const cell, margin = 36, 30
	rules := g.Rules()
	side := 2*margin + cell*rules.Columns
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" text-anchor="middle">`+"\n", side, side)
	fmt.Fprintf(&b, `<title>Seconds to prove that Black wins after h8 and each answer</title>`+"\n"+`<rect width="%d" height="%[1]d" fill="#fff"/>`+"\n", side)
	square := func(s gomoku.Square) (x, y int) {
		return margin + cell*s.Column(), margin + cell*(rules.Rows-1-s.Row())
	}
	least, most := math.Inf(1), 0.0
	for _, m := range byMove {
		if m.Won {
			least, most = min(least, m.Seconds), max(most, m.Seconds)
		}
	}
	for _, a := range answers {
		m := byMove[a.Move]
		fill, ink, label := "#fff", "#b00", "?"
		if m.Won {
			part := math.Log(m.Seconds/least) / math.Log(most/least)
			shade := func(light, dark float64) int { return int(math.Round(light + part*(dark-light))) }
			fill, ink, label = fmt.Sprintf("#%02x%02x%02x", shade(222, 8), shade(235, 69), shade(247, 148)), "#000", fmt.Sprintf("%.0f", m.Seconds)
			if part > 0.5 {
				ink = "#fff"
			}
		}
		white := a.position.Stones(gomoku.White)
		at := white.First()
		seen := map[gomoku.Square]bool{}
		for image := range g.Symmetries() {
			s := g.Image(image, at)
			if seen[s] {
				continue
			}
			seen[s] = true
			x, y := square(s)
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%[3]d" fill="%[4]s" stroke="#888"/>`+"\n", x, y, cell, fill)
			if s == at {
				fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="14" fill="%s">%s</text>`+"\n", x+cell/2, y+cell/2+5, ink, label)
			}
		}
	}
	x, y := square(gomoku.SquareAt(rules.Rows/2, rules.Columns/2))
	fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="%d"/>`+"\n", x+cell/2, y+cell/2, cell*2/5)
	for i := range rules.Columns {
		s := gomoku.SquareAt(i, i)
		x, y := square(s)
		name := s.String()
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="13">%s</text>`+"\n", x+cell/2, side-margin/3, name[:1])
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="13">%s</text>`+"\n", margin/2, y+cell/2+5, name[1:])
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
