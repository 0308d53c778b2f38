package plot

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/plot/plottest"
)

func TestPlot(t *testing.T) {
	p := Plot{
		Title: "numbers", X: "across", Y: "up",
		Series: []Series{
			{Name: "rising", Color: "#112233", Points: []Point{{10, 0}, {20, 50}, {30, 100}}},
			{Name: "flat", Color: "red", Points: []Point{{10, 25}, {25, 25}}},
		},
	}
	svg, err := p.SVG()
	require.NoError(t, err)
	d := plottest.Read(t, svg)
	for _, text := range []string{"numbers", "across", "up", "rising", "flat", "10", "30", "0", "100"} {
		require.Contains(t, d.Texts, text)
	}
	require.Len(t, d.Lines, 2)
	const left, right, top, bottom = plotLeft, plotWidth - plotRight, plotTop, plotHeight - plotBottom
	require.Equal(t, []plottest.Point{{X: left, Y: bottom}, {X: (left + right) / 2, Y: (top + bottom) / 2}, {X: right, Y: top}}, plottest.Points(t, d.Lines[0]))
	flat := plottest.Points(t, d.Lines[1])
	require.Len(t, flat, 2)
	require.Equal(t, flat[0].Y, flat[1].Y)
	colors := map[string]string{}
	for _, e := range d.All {
		if e.Name.Local == "polyline" {
			colors[plottest.Attribute(e, "points")] = plottest.Attribute(e, "stroke")
		}
	}
	require.Equal(t, map[string]string{d.Lines[0]: "#112233", d.Lines[1]: "red"}, colors)
}

func TestPlotLogarithmic(t *testing.T) {
	p := Plot{LogY: true, Series: []Series{{Points: []Point{{0, 1}, {1, 10}, {2, 100}, {4, 1e6}}}}}
	svg, err := p.SVG()
	require.NoError(t, err)
	d := plottest.Read(t, svg)
	got := plottest.Points(t, d.Lines[0])
	const top, bottom = plotTop, plotHeight - plotBottom
	for i, exponent := range []float64{0, 1, 2, 6} {
		require.InDelta(t, bottom-exponent/6*(bottom-top), got[i].Y, 0.06, "height of 10^%v", exponent)
	}
	for _, text := range []string{"1", "10", "1e+06"} {
		require.Contains(t, d.Texts, text)
	}
	// Values below 1 have their decades too.
	p = Plot{LogY: true, Series: []Series{{Points: []Point{{0, 0.004}, {1, 20}}}}}
	svg, err = p.SVG()
	require.NoError(t, err)
	d = plottest.Read(t, svg)
	for _, text := range []string{"0.001", "0.1", "100"} {
		require.Contains(t, d.Texts, text)
	}
}

// TestPlotText checks that what is written cannot break the file.
func TestPlotText(t *testing.T) {
	nasty := `a<b> & "c" 'd' </text> --> ]]>`
	p := Plot{Title: nasty, X: nasty + "x", Y: nasty + "y", Series: []Series{{Name: nasty + "s", Color: `"/><script/>`, Points: []Point{{1, 1}}}}}
	svg, err := p.SVG()
	require.NoError(t, err)
	d := plottest.Read(t, svg)
	for _, text := range []string{nasty, nasty + "x", nasty + "y", nasty + "s"} {
		require.Contains(t, d.Texts, text)
	}
	for _, e := range d.All {
		require.NotEqual(t, "script", e.Name.Local)
	}
}

// TestPlotEdges draws what has hardly any extent. All must stay on the sheet.
func TestPlotEdges(t *testing.T) {
	for name, c := range map[string]struct {
		log    bool
		points []Point
	}{
		"a point":                      {false, []Point{{5, 7}}},
		"a point, logarithmic":         {true, []Point{{5, 7}}},
		"the origin":                   {false, []Point{{0, 0}}},
		"one, logarithmic":             {true, []Point{{0, 1}}},
		"a vertical line":              {false, []Point{{3, 1}, {3, 9}}},
		"a horizontal line":            {false, []Point{{1, 4}, {9, 4}}},
		"below zero":                   {false, []Point{{-5, -3}, {-4, -30}}},
		"very large":                   {false, []Point{{0, 1e12}, {1e9, 3e14}}},
		"very large, logarithmic":      {true, []Point{{0, 1}, {16_000, 1e18}}},
		"very small":                   {false, []Point{{0, 0.001}, {0.002, 0.003}}},
		"powers of ten, logarithmic":   {true, []Point{{0, 100}, {1, 1000}}},
		"not in order of the abscissa": {false, []Point{{9, 1}, {1, 2}, {5, 3}}},
	} {
		p := Plot{LogY: c.log, Series: []Series{{Points: c.points}}}
		svg, err := p.SVG()
		require.NoError(t, err, name)
		d := plottest.Read(t, svg)
		got := plottest.Points(t, d.Lines[0])
		require.Len(t, got, len(c.points), name)
		for _, q := range got {
			require.GreaterOrEqual(t, q.X, plotLeft, name)
			require.LessOrEqual(t, q.X, plotWidth-plotRight, name)
			require.GreaterOrEqual(t, q.Y, plotTop, name)
			require.LessOrEqual(t, q.Y, plotHeight-plotBottom, name)
		}
		require.NotContains(t, string(svg), "NaN", name)
		require.NotContains(t, string(svg), "Inf", name)
	}
}

func TestPlotErrors(t *testing.T) {
	for _, c := range []struct {
		plot Plot
		want string
	}{
		{Plot{Title: "empty"}, `plot "empty": there is nothing to draw`},
		{Plot{Title: "empty series", Series: []Series{{Name: "a"}, {Name: "b"}}}, `plot "empty series": there is nothing to draw`},
		{Plot{Title: "zero", LogY: true, Series: []Series{{Points: []Point{{1, 5}, {2, 0}}}}}, `plot "zero": 0 cannot be drawn on a logarithmic axis`},
		{Plot{Title: "less", LogY: true, Series: []Series{{Points: []Point{{1, -2.5}}}}}, `plot "less": -2.5 cannot be drawn on a logarithmic axis`},
	} {
		svg, err := c.plot.SVG()
		require.EqualError(t, err, c.want)
		require.Nil(t, svg)
	}
	// Without the logarithm these are fine, and an empty series beside another.
	p := Plot{Series: []Series{{Name: "empty"}, {Points: []Point{{1, -2.5}, {2, 0}}}}}
	svg, err := p.SVG()
	require.NoError(t, err)
	require.Equal(t, "", plottest.Read(t, svg).Lines[0])
}

// TestGaps draws a line with gaps, marks with titles and borders.
func TestGaps(t *testing.T) {
	gap := Point{3, math.NaN()}
	p := Plot{
		Series: []Series{
			{Points: []Point{{0, 1}, {1, 2}, gap, gap, {4, 1}, gap}},
			{Points: []Point{{1, 2}, {4, 1}}, Titles: []string{"a < b", "c"}},
		},
		Borders: []Border{{2, "the <middle>"}},
	}
	svg, err := p.SVG()
	require.NoError(t, err)
	d := plottest.Read(t, svg)
	require.Len(t, d.Lines, 2)
	require.Len(t, plottest.Points(t, d.Lines[0]), 2)
	require.Len(t, plottest.Points(t, d.Lines[1]), 1)
	require.Contains(t, string(svg), "<title>a &lt; b</title>")
	require.Contains(t, string(svg), "<title>the &lt;middle&gt;</title>")
	require.NotContains(t, string(svg), "NaN")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []float64
	}{
		{0, 8, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}},
		{0, 9, []float64{0, 2, 4, 6, 8}},
		{0, 17, []float64{0, 5, 10, 15}},
		{0, 173, []float64{0, 50, 100, 150}},
		{0, 100, []float64{0, 20, 40, 60, 80, 100}},
		{3, 27, []float64{5, 10, 15, 20, 25}},
		{-16, 16, []float64{-15, -10, -5, 0, 5, 10, 15}},
		{0, 1, []float64{0, 1}},
		{0.2, 0.8, nil},
		{0, 8e6, []float64{0, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6, 8e6}},
	} {
		require.Equal(t, c.want, ticks(c.low, c.high), fmt.Sprint(c.low, " to ", c.high))
	}
	for high := 1.0; high < 1e9; high *= 1.3 {
		n := len(ticks(0, high))
		require.GreaterOrEqual(t, n, 2, "0 to %v", high)
		require.LessOrEqual(t, n, ticksWanted+1, "0 to %v", high)
	}
}

func TestSheet(t *testing.T) {
	p := Plot{Title: "a & b", Width: 300, Height: 200, Series: []Series{{Points: []Point{{1, 2}, {3, 4}}}}}
	svg, err := Sheet("<all>", 2, []Plot{p, p, p})
	require.NoError(t, err)
	d := plottest.Read(t, svg)
	require.Equal(t, "0 0 600 436", plottest.Attribute(d.All[0], "viewBox"))
	require.Equal(t, "<all>", d.Texts[0])
	var places []string
	for _, e := range d.All[1:] {
		if e.Name.Local == "svg" {
			places = append(places, plottest.Attribute(e, "x")+" "+plottest.Attribute(e, "y")+" "+plottest.Attribute(e, "width")+" "+plottest.Attribute(e, "height"))
		}
	}
	require.Equal(t, []string{"0 36 300 200", "300 36 300 200", "0 236 300 200"}, places)
	_, err = Sheet("none", 2, nil)
	require.EqualError(t, err, `sheet "none": there is nothing to draw`)
	_, err = Sheet("empty", 2, []Plot{{Title: "x"}})
	require.EqualError(t, err, `plot "x": there is nothing to draw`)
}
