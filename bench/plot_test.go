package bench

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// drawing is what an SVG file has.
type drawing struct {
	texts []string
	lines []string // points of the polylines
	all   []xml.StartElement
}

// read reads an SVG file and checks that it is well-formed.
func read(t *testing.T, svg []byte) drawing {
	t.Helper()
	var d drawing
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	depth, inText := 0, false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "%s", svg)
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			d.all = append(d.all, token.Copy())
			if inText = token.Name.Local == "text"; inText {
				d.texts = append(d.texts, "")
			}
			if token.Name.Local == "polyline" {
				d.lines = append(d.lines, attribute(token, "points"))
			}
		case xml.EndElement:
			depth--
			inText = false
		case xml.CharData:
			if inText {
				d.texts[len(d.texts)-1] += string(token)
			}
		}
	}
	require.Zero(t, depth)
	require.Equal(t, xml.Name{Space: "http://www.w3.org/2000/svg", Local: "svg"}, d.all[0].Name)
	return d
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// points returns the coordinates of a polyline.
func points(t *testing.T, text string) []Point {
	t.Helper()
	var list []Point
	for _, pair := range strings.Fields(text) {
		x, y, ok := strings.Cut(pair, ",")
		require.True(t, ok, pair)
		var p Point
		var err error
		p.X, err = strconv.ParseFloat(x, 64)
		require.NoError(t, err)
		p.Y, err = strconv.ParseFloat(y, 64)
		require.NoError(t, err)
		list = append(list, p)
	}
	return list
}

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
	d := read(t, svg)
	for _, text := range []string{"numbers", "across", "up", "rising", "flat", "10", "30", "0", "100"} {
		require.Contains(t, d.texts, text)
	}
	require.Len(t, d.lines, 2)
	const left, right, top, bottom = plotLeft, plotWidth - plotRight, plotTop, plotHeight - plotBottom
	require.Equal(t, []Point{{left, bottom}, {(left + right) / 2, (top + bottom) / 2}, {right, top}}, points(t, d.lines[0]))
	flat := points(t, d.lines[1])
	require.Len(t, flat, 2)
	require.Equal(t, flat[0].Y, flat[1].Y)
	colors := map[string]string{}
	for _, e := range d.all {
		if e.Name.Local == "polyline" {
			colors[attribute(e, "points")] = attribute(e, "stroke")
		}
	}
	require.Equal(t, map[string]string{d.lines[0]: "#112233", d.lines[1]: "red"}, colors)
}

func TestPlotLogarithmic(t *testing.T) {
	p := Plot{LogY: true, Series: []Series{{Points: []Point{{0, 1}, {1, 10}, {2, 100}, {4, 1e6}}}}}
	svg, err := p.SVG()
	require.NoError(t, err)
	d := read(t, svg)
	got := points(t, d.lines[0])
	const top, bottom = plotTop, plotHeight - plotBottom
	for i, exponent := range []float64{0, 1, 2, 6} {
		require.InDelta(t, bottom-exponent/6*(bottom-top), got[i].Y, 0.06, "height of 10^%v", exponent)
	}
	for _, text := range []string{"1", "10", "1e+06"} {
		require.Contains(t, d.texts, text)
	}
	// Values below 1 have their decades too.
	p = Plot{LogY: true, Series: []Series{{Points: []Point{{0, 0.004}, {1, 20}}}}}
	svg, err = p.SVG()
	require.NoError(t, err)
	d = read(t, svg)
	for _, text := range []string{"0.001", "0.1", "100"} {
		require.Contains(t, d.texts, text)
	}
}

// TestPlotText checks that what is written cannot break the file.
func TestPlotText(t *testing.T) {
	nasty := `a<b> & "c" 'd' </text> --> ]]>`
	p := Plot{Title: nasty, X: nasty + "x", Y: nasty + "y", Series: []Series{{Name: nasty + "s", Color: `"/><script/>`, Points: []Point{{1, 1}}}}}
	svg, err := p.SVG()
	require.NoError(t, err)
	d := read(t, svg)
	for _, text := range []string{nasty, nasty + "x", nasty + "y", nasty + "s"} {
		require.Contains(t, d.texts, text)
	}
	for _, e := range d.all {
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
		d := read(t, svg)
		got := points(t, d.lines[0])
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
	require.Equal(t, "", read(t, svg).lines[0])
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
