package plot

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// Plot is a plot of some series over one axis.
type Plot struct {
	Title, X, Y string
	LogY        bool // the vertical axis is logarithmic; all values must be positive
	// XRange and YRange are what the axes take in beside all points. The zero YRange is that from 0 on.
	XRange, YRange [2]float64
	// Width and Height are those of the drawing; 0 means 860 and 420.
	Width, Height float64
	Series        []Series
	// Borders are vertical lines.
	Borders []Border
}

// Border is a vertical line of a plot.
type Border struct {
	X     float64
	Title string // shown when the mouse is over it
}

// Series is a line of a plot.
type Series struct {
	Name   string   // shown in the color of the series unless it is empty
	Color  string   // as in CSS
	Points []Point  // where Y is not a number, the line has a gap
	Marks  bool     // draw a mark at each point instead of a line
	Titles []string // of the marks, shown when the mouse is over one; may be nil
	Dashed bool
}

// Point is a point of a series.
type Point struct{ X, Y float64 }

const (
	plotWidth, plotHeight  = 860.0, 420.0
	plotLeft, plotRight    = 90.0, 20.0
	plotTop, plotBottom    = 40.0, 50.0
	ticksWanted            = 8
	legendLeft, legendStep = plotLeft, 90.0
	letterWidth            = 8.0
)

// SVG draws the plot.
func (p *Plot) SVG() ([]byte, error) {
	xMin, xMax, yMin, yMax := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, s := range p.Series {
		for _, q := range s.Points {
			if p.LogY && q.Y <= 0 {
				return nil, fmt.Errorf("plot %q: %v cannot be drawn on a logarithmic axis", p.Title, q.Y)
			}
			if math.IsNaN(q.Y) {
				continue
			}
			xMin, xMax = min(xMin, q.X), max(xMax, q.X)
			yMin, yMax = min(yMin, q.Y), max(yMax, q.Y)
		}
	}
	if xMin > xMax {
		return nil, fmt.Errorf("plot %q: there is nothing to draw", p.Title)
	}
	if p.LogY {
		yMin, yMax = math.Floor(math.Log10(yMin)), math.Ceil(math.Log10(yMax))
	} else {
		yMin, yMax = min(yMin, p.YRange[0]), max(yMax, p.YRange[1])
	}
	if p.XRange != [2]float64{} {
		xMin, xMax = min(xMin, p.XRange[0]), max(xMax, p.XRange[1])
	}
	xMax, yMax = max(xMax, xMin+1), max(yMax, yMin+1)
	width, height := cmp.Or(p.Width, plotWidth), cmp.Or(p.Height, plotHeight)
	right, bottom := width-plotRight, height-plotBottom
	atX := func(x float64) float64 { return plotLeft + (x-xMin)/(xMax-xMin)*(right-plotLeft) }
	atY := func(y float64) float64 { return bottom - (y-yMin)/(yMax-yMin)*(bottom-plotTop) }
	heightOf := func(y float64) float64 {
		if p.LogY {
			y = math.Log10(y)
		}
		return atY(y)
	}
	var out bytes.Buffer
	w := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	w(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", width, height)
	w(`<rect width="%g" height="%g" fill="#ffffff"/>`+"\n", width, height)
	middle, middleY := (plotLeft+right)/2, (plotTop+bottom)/2
	w(`<text x="%g" y="18" text-anchor="middle" font-size="16">%s</text>`+"\n", middle, html.EscapeString(p.Title))
	for _, y := range ticks(yMin, yMax) {
		text := fmt.Sprintf("%g", y)
		if p.LogY {
			text = fmt.Sprintf("%g", math.Pow(10, y))
		}
		w(`<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#dddddd"/>`+"\n", plotLeft, atY(y), right, atY(y))
		w(`<text x="%g" y="%g" text-anchor="end" dominant-baseline="middle">%s</text>`+"\n", plotLeft-6, atY(y), text)
	}
	for _, x := range ticks(xMin, xMax) {
		w(`<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#eeeeee"/>`+"\n", atX(x), bottom, atX(x), plotTop)
		w(`<text x="%g" y="%g" text-anchor="middle">%g</text>`+"\n", atX(x), bottom+16, x)
	}
	w(`<rect x="%g" y="%g" width="%g" height="%g" fill="none" stroke="#444444"/>`+"\n", plotLeft, plotTop, right-plotLeft, bottom-plotTop)
	for _, b := range p.Borders {
		w(`<line x1="%.1f" y1="%g" x2="%.1f" y2="%g" stroke="#888888" stroke-dasharray="4 3"><title>%s</title></line>`+"\n",
			atX(b.X), bottom, atX(b.X), plotTop, html.EscapeString(b.Title))
	}
	legend := legendLeft
	for i := range p.Series {
		s := &p.Series[i]
		s.draw(w, atX, heightOf)
		if s.Name != "" {
			w(`<text x="%g" y="%g" fill="%s" font-weight="bold">%s</text>`+"\n", legend, plotTop-6, html.EscapeString(s.Color), html.EscapeString(s.Name))
			legend += max(legendStep, letterWidth*float64(len(s.Name))+20)
		}
	}
	w(`<text x="%g" y="%g" text-anchor="middle">%s</text>`+"\n", middle, height-12, html.EscapeString(p.X))
	w(`<text x="16" y="%g" text-anchor="middle" transform="rotate(-90 16 %g)">%s</text>`+"\n", middleY, middleY, html.EscapeString(p.Y))
	w("</svg>\n")
	return out.Bytes(), nil
}

// draw draws the points of a series.
func (s *Series) draw(w func(format string, args ...any), atX, atY func(float64) float64) {
	color := html.EscapeString(s.Color)
	if s.Titles != nil {
		for i, q := range s.Points {
			w(`<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"><title>%s</title></circle>`+"\n", atX(q.X), atY(q.Y), color, html.EscapeString(s.Titles[i]))
		}
		return
	}
	if s.Marks {
		var path strings.Builder
		for _, q := range s.Points {
			fmt.Fprintf(&path, "M%.1f %.1fh0", atX(q.X), atY(q.Y)) // a line of no length is as large as its ends are round
		}
		w(`<path fill="none" stroke="%s" stroke-width="3.5" stroke-linecap="round" d="%s"/>`+"\n", color, path.String())
		return
	}
	dashes := ""
	if s.Dashed {
		dashes = ` stroke-dasharray="5 3"`
	}
	for rest := s.Points; ; {
		n := slices.IndexFunc(rest, func(q Point) bool { return math.IsNaN(q.Y) })
		if n < 0 {
			n = len(rest)
		}
		var points []string
		for _, q := range rest[:n] {
			points = append(points, fmt.Sprintf("%.1f,%.1f", atX(q.X), atY(q.Y)))
		}
		if n > 0 || len(s.Points) == 0 {
			w(`<polyline fill="none" stroke="%s" stroke-width="1.5"%s points="%s"/>`+"\n", color, dashes, strings.Join(points, " "))
		}
		if n == len(rest) {
			return
		}
		rest = rest[n+1:]
	}
}

// Sheet draws plots of one size side by side, some of them in each row.
func Sheet(title string, columns int, plots []Plot) ([]byte, error) {
	if len(plots) == 0 {
		return nil, fmt.Errorf("sheet %q: there is nothing to draw", title)
	}
	const top = 36.0
	width, height := cmp.Or(plots[0].Width, plotWidth), cmp.Or(plots[0].Height, plotHeight)
	whole, rows := width*float64(columns), (len(plots)+columns-1)/columns
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif">
<rect width="100%%" height="100%%" fill="#ffffff"/>
<text x="%g" y="24" text-anchor="middle" font-size="18">%s</text>
`, whole, top+height*float64(rows), whole/2, html.EscapeString(title))
	for i := range plots {
		svg, err := plots[i].SVG()
		if err != nil {
			return nil, err
		}
		place := fmt.Sprintf(`<svg x="%g" y="%g" width="%g" height="%g" `, width*float64(i%columns), top+height*float64(i/columns), width, height)
		b.Write(bytes.Replace(svg, []byte("<svg "), []byte(place), 1))
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// ticks returns round numbers between low and high, about ticksWanted of them.
func ticks(low, high float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/ticksWanted)))
	for _, factor := range []float64{2, 2.5, 2} { // 1, 2, 5, 10 times the power of ten
		if (high-low)/step > ticksWanted {
			step *= factor
		}
	}
	step = max(step, 1)
	var list []float64
	for x := math.Ceil(low/step) * step; x <= high; x += step {
		list = append(list, x)
	}
	return list
}
