package bench

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"math"
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
}

// Series is a line of a plot.
type Series struct {
	Name   string // shown in the color of the series unless it is empty
	Color  string // as in CSS
	Points []Point
	Marks  bool // draw a mark at each point instead of a line
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

// tick is a mark on an axis.
type tick struct {
	At   float64
	Text string
}

var plotTemplate = template.Must(template.New("plot").Parse(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.W}} {{.H}}" font-family="sans-serif" font-size="12">
<rect width="{{.W}}" height="{{.H}}" fill="#ffffff"/>
<text x="{{.Middle}}" y="18" text-anchor="middle" font-size="16">{{.Plot.Title}}</text>
{{range .YTicks}}<line x1="{{$.Left}}" y1="{{.At}}" x2="{{$.Right}}" y2="{{.At}}" stroke="#dddddd"/>
<text x="{{$.YText}}" y="{{.At}}" text-anchor="end" dominant-baseline="middle">{{.Text}}</text>
{{end}}{{range .XTicks}}<line x1="{{.At}}" y1="{{$.Bottom}}" x2="{{.At}}" y2="{{$.Top}}" stroke="#eeeeee"/>
<text x="{{.At}}" y="{{$.XText}}" text-anchor="middle">{{.Text}}</text>
{{end}}<rect x="{{.Left}}" y="{{.Top}}" width="{{.Width}}" height="{{.Height}}" fill="none" stroke="#444444"/>
{{range .Lines}}{{if .Marks}}<path fill="none" stroke="{{.Color}}" stroke-width="3.5" stroke-linecap="round" d="{{.Points}}"/>
{{else}}<polyline fill="none" stroke="{{.Color}}" stroke-width="1.5"{{if .Dashed}} stroke-dasharray="5 3"{{end}} points="{{.Points}}"/>
{{end}}{{if .Name}}<text x="{{.At}}" y="{{$.Legend}}" fill="{{.Color}}" font-weight="bold">{{.Name}}</text>
{{end}}{{end}}<text x="{{.Middle}}" y="{{.XTitle}}" text-anchor="middle">{{.Plot.X}}</text>
<text x="16" y="{{.MiddleY}}" text-anchor="middle" transform="rotate(-90 16 {{.MiddleY}})">{{.Plot.Y}}</text>
</svg>
`))

// SVG draws the plot.
func (p *Plot) SVG() ([]byte, error) {
	xMin, xMax, yMin, yMax := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, s := range p.Series {
		for _, q := range s.Points {
			if p.LogY && q.Y <= 0 {
				return nil, fmt.Errorf("plot %q: %v cannot be drawn on a logarithmic axis", p.Title, q.Y)
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
	type line struct {
		Series
		Points string
		At     float64
	}
	var lines []line
	legend := legendLeft
	for _, s := range p.Series {
		form := "%.1f,%.1f "
		if s.Marks {
			form = "M%.1f %.1fh0" // a line of no length is as large as its ends are round
		}
		var b strings.Builder
		for _, q := range s.Points {
			y := q.Y
			if p.LogY {
				y = math.Log10(y)
			}
			fmt.Fprintf(&b, form, atX(q.X), atY(y))
		}
		lines = append(lines, line{s, strings.TrimSpace(b.String()), legend})
		if s.Name != "" {
			legend += max(legendStep, letterWidth*float64(len(s.Name))+20)
		}
	}
	var xTicks, yTicks []tick
	for _, x := range ticks(xMin, xMax) {
		xTicks = append(xTicks, tick{atX(x), fmt.Sprintf("%g", x)})
	}
	for _, y := range ticks(yMin, yMax) {
		text := fmt.Sprintf("%g", y)
		if p.LogY {
			text = fmt.Sprintf("%g", math.Pow(10, y))
		}
		yTicks = append(yTicks, tick{atY(y), text})
	}
	var out bytes.Buffer
	err := plotTemplate.Execute(&out, map[string]any{
		"Plot": p, "W": width, "H": height, "Left": plotLeft, "Right": right, "Top": plotTop, "Bottom": bottom,
		"Width": right - plotLeft, "Height": bottom - plotTop, "Middle": (plotLeft + right) / 2, "MiddleY": (plotTop + bottom) / 2,
		"YText": plotLeft - 6, "XText": bottom + 16, "XTitle": height - 12, "Legend": plotTop - 6,
		"XTicks": xTicks, "YTicks": yTicks, "Lines": lines,
	})
	return out.Bytes(), err
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
`, whole, top+height*float64(rows), whole/2, template.HTMLEscapeString(title))
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
