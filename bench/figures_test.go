package bench

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/measure"
)

// resignations are of three games, with factors between 1 and 5.
func resignations() *Resigning {
	r := &Resigning{Games: 3}
	for i, before := range Before {
		var at []measure.Sample
		for g := range 3 {
			at = append(at, measure.Sample{Game: g, Resigned: before == 0, Score: play.Score(-100*i - 50*g), Up: 4.5 - 0.5*float64(i) - 0.2*float64(g), Down: 2})
		}
		r.At = append(r.At, at)
	}
	return r
}

// marks returns the coordinates of the marks of a drawing.
func marks(t *testing.T, d drawing) (list []Point) {
	t.Helper()
	for _, e := range d.all {
		if e.Name.Local != "path" {
			continue
		}
		require.Equal(t, "round", attribute(e, "stroke-linecap"))
		for _, mark := range strings.Split(strings.TrimPrefix(attribute(e, "d"), "M"), "M") {
			var p Point
			_, err := fmt.Sscanf(mark, "%f %fh0", &p.X, &p.Y)
			require.NoError(t, err, mark)
			list = append(list, p)
		}
	}
	return list
}

func TestFigures(t *testing.T) {
	r := resignations()
	m := &measure.Resignation{Predictors: []measure.Predictor{measure.ByUp}, Constant: -0.5, Weights: []float64{0.002}}
	figures, err := r.Figures(m, 1)
	require.NoError(t, err)
	drawings := map[string]drawing{}
	for _, f := range figures {
		require.NotContains(t, string(f.SVG), "NaN")
		drawings[f.Name] = read(t, f.SVG)
	}
	require.Len(t, drawings, 3)

	factors := drawings["resignation-factors.svg"]
	for _, text := range []string{"b*", "plies from the resignation", "better than even", "worse than even", "-16", "0"} {
		require.Contains(t, factors.texts, text)
	}
	require.Len(t, factors.lines, 6) // two means, each within an interval
	for _, i := range []int{0, 3} {
		mean, low, high := points(t, factors.lines[i]), points(t, factors.lines[i+1]), points(t, factors.lines[i+2])
		require.Len(t, mean, len(Before))
		for k := range mean {
			require.LessOrEqual(t, high[k].Y, mean[k].Y) // downwards on the sheet
			require.GreaterOrEqual(t, low[k].Y, mean[k].Y)
		}
	}

	// The axes go from 0 to 100 % and from b* = 1 to 5.
	const left, right, top, bottom = plotLeft, plotWidth - plotRight, plotTop, plotHeight - plotBottom
	at := drawings["resignation-at.svg"]
	for _, text := range []string{"b*", "win rate, %", "p = 0.2, dashed", "p = 0.5", "0", "100", "5"} {
		require.Contains(t, at.texts, text)
	}
	positions := r.At[len(Before)-1]
	got := marks(t, at)
	require.Len(t, got, len(positions))
	for i, s := range positions {
		require.InDelta(t, left+play.WinRate(s.Score)*(right-left), got[i].X, 0.06)
		require.InDelta(t, bottom-(s.Up-1)/4*(bottom-top), got[i].Y, 0.06)
	}
	require.Len(t, at.lines, 2)
	for i, probability := range []float64{0.2, 0.5} {
		for _, q := range points(t, at.lines[i])[10:] {
			rate, b := (q.X-left)/(right-left), 1+4*(bottom-q.Y)/(bottom-top)
			score := play.Score(math.Round(256 * math.Log(rate/(1-rate))))
			require.InDelta(t, probability, m.Probability(&measure.Sample{Score: score, Up: b}), 0.01)
		}
	}

	before := drawings["resignation-before.svg"]
	panels := 0
	for _, e := range before.all[1:] {
		if e.Name.Local == "svg" {
			panels++
		}
	}
	require.Equal(t, 4, panels)
	require.Len(t, marks(t, before), 4*3)
	for _, text := range []string{"16 plies before", "8 plies before", "4 plies before", "2 plies before"} {
		require.Contains(t, before.texts, text)
	}

	again, err := r.Figures(m, 1)
	require.NoError(t, err)
	require.Equal(t, figures, again)
}

func TestSheet(t *testing.T) {
	p := Plot{Title: "a & b", Width: 300, Height: 200, Series: []Series{{Points: []Point{{1, 2}, {3, 4}}}}}
	svg, err := Sheet("<all>", 2, []Plot{p, p, p})
	require.NoError(t, err)
	d := read(t, svg)
	require.Equal(t, "0 0 600 436", attribute(d.all[0], "viewBox"))
	require.Equal(t, "<all>", d.texts[0])
	var places []string
	for _, e := range d.all[1:] {
		if e.Name.Local == "svg" {
			places = append(places, attribute(e, "x")+" "+attribute(e, "y")+" "+attribute(e, "width")+" "+attribute(e, "height"))
		}
	}
	require.Equal(t, []string{"0 36 300 200", "300 36 300 200", "0 236 300 200"}, places)
	_, err = Sheet("none", 2, nil)
	require.EqualError(t, err, `sheet "none": there is nothing to draw`)
	_, err = Sheet("empty", 2, []Plot{{Title: "x"}})
	require.EqualError(t, err, `plot "x": there is nothing to draw`)
}

func TestPhasesFigure(t *testing.T) {
	p := &Phases{Games: make([]Phased, 20), Threshold: 2.5, Dissonance: []float64{1, 2, 3, 9}, Reached: []int{20, 20, 2, 1}}
	f, err := p.Figure()
	require.NoError(t, err)
	d := read(t, f.SVG)
	require.Contains(t, d.texts, "E, bits")
	require.Len(t, points(t, d.lines[0]), 3, "a single game of 20 says little")
	threshold := points(t, d.lines[1])
	require.Equal(t, threshold[0].Y, threshold[1].Y)
}
