package judge

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/internal/plot/plottest"
	"github.com/yomikiri/yomikiri/play"
)

// resignations are of three games, with factors between 1 and 5.
func resignations() *Resigning {
	r := &Resigning{Games: 3}
	for i, before := range Before {
		var at []Sample
		for g := range 3 {
			at = append(at, Sample{Game: g, Resigned: before == 0, Score: play.Score(-100*i - 50*g), Up: 4.5 - 0.5*float64(i) - 0.2*float64(g), Down: 2})
		}
		r.At = append(r.At, at)
	}
	return r
}

// marks returns the coordinates of the marks of a drawing.
func marks(t *testing.T, d plottest.Drawing) (list []plot.Point) {
	t.Helper()
	for _, e := range d.All {
		if e.Name.Local != "path" {
			continue
		}
		require.Equal(t, "round", plottest.Attribute(e, "stroke-linecap"))
		for _, mark := range strings.Split(strings.TrimPrefix(plottest.Attribute(e, "d"), "M"), "M") {
			var p plot.Point
			_, err := fmt.Sscanf(mark, "%f %fh0", &p.X, &p.Y)
			require.NoError(t, err, mark)
			list = append(list, p)
		}
	}
	return list
}

func TestFigures(t *testing.T) {
	r := resignations()
	m := &Resignation{Predictors: []Predictor{ByUp}, Constant: -0.5, Weights: []float64{0.002}}
	figures, err := r.Figures(m, 1)
	require.NoError(t, err)
	drawings := map[string]plottest.Drawing{}
	for _, f := range figures {
		require.NotContains(t, string(f.SVG), "NaN")
		drawings[f.Name] = plottest.Read(t, f.SVG)
	}
	require.Len(t, drawings, 3)

	factors := drawings["resignation-factors.svg"]
	for _, text := range []string{"b*", "plies from the resignation", "better than even", "worse than even", "-16", "0"} {
		require.Contains(t, factors.Texts, text)
	}
	require.Len(t, factors.Lines, 6) // two means, each within an interval
	for _, i := range []int{0, 3} {
		mean, low, high := plottest.Points(t, factors.Lines[i]), plottest.Points(t, factors.Lines[i+1]), plottest.Points(t, factors.Lines[i+2])
		require.Len(t, mean, len(Before))
		for k := range mean {
			require.LessOrEqual(t, high[k].Y, mean[k].Y) // downwards on the sheet
			require.GreaterOrEqual(t, low[k].Y, mean[k].Y)
		}
	}

	// The axes go from 0 to 100 % and from b* = 1 to 5.
	at := drawings["resignation-at.svg"]
	left, right, top, bottom := at.Frame(t)
	for _, text := range []string{"b*", "win rate, %", "p = 0.2, dashed", "p = 0.5", "0", "100", "5"} {
		require.Contains(t, at.Texts, text)
	}
	positions := r.At[len(Before)-1]
	got := marks(t, at)
	require.Len(t, got, len(positions))
	for i, s := range positions {
		require.InDelta(t, left+play.WinRate(s.Score)*(right-left), got[i].X, 0.06)
		require.InDelta(t, bottom-(s.Up-1)/4*(bottom-top), got[i].Y, 0.06)
	}
	require.Len(t, at.Lines, 2)
	for i, probability := range []float64{0.2, 0.5} {
		for _, q := range plottest.Points(t, at.Lines[i])[10:] {
			rate, b := (q.X-left)/(right-left), 1+4*(bottom-q.Y)/(bottom-top)
			score := play.Score(math.Round(256 * math.Log(rate/(1-rate))))
			require.InDelta(t, probability, m.Probability(&Sample{Score: score, Up: b}), 0.01)
		}
	}

	before := drawings["resignation-before.svg"]
	panels := 0
	for _, e := range before.All[1:] {
		if e.Name.Local == "svg" {
			panels++
		}
	}
	require.Equal(t, 4, panels)
	require.Len(t, marks(t, before), 4*3)
	for _, text := range []string{"16 plies before", "8 plies before", "4 plies before", "2 plies before"} {
		require.Contains(t, before.Texts, text)
	}

	again, err := r.Figures(m, 1)
	require.NoError(t, err)
	require.Equal(t, figures, again)
}

func TestPhasesFigure(t *testing.T) {
	p := &Phases{Games: make([]Phased, 20), Threshold: 2.5, Dissonance: []float64{1, 2, 3, 9}, Reached: []int{20, 20, 2, 1}}
	f, err := p.Figure()
	require.NoError(t, err)
	d := plottest.Read(t, f.SVG)
	require.Contains(t, d.Texts, "E, bits")
	require.Len(t, plottest.Points(t, d.Lines[0]), 3, "a single game of 20 says little")
	threshold := plottest.Points(t, d.Lines[1])
	require.Equal(t, threshold[0].Y, threshold[1].Y)
}
