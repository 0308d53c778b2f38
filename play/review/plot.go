package review

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/yomikiri/yomikiri/play"
)

// The layout of a plot: panels of a width and a height, one below the other.
const (
	plotWidth, panelHeight = 800, 140
	plotLeft, plotTop      = 60, 30
	panelGap               = 34
)

// panel is a curve for each side or one for both.
type panel struct {
	title     string
	low, high float64
	curves    [2]func(row *Row) (float64, bool)
}

// WritePlot draws a review as SVG: the win rate of side 1, the branching factor, and, if there is evidence,
// the dissonance of both sides, with the phases marked.
func (v *Review) WritePlot(w io.Writer, title string) error {
	some := func(x float64) (float64, bool) { return x, x != 0 }
	panels := []panel{
		{"win rate of the first player", 0, 1, [2]func(*Row) (float64, bool){func(row *Row) (float64, bool) { return row.rate() }}},
		{"branching factor b*: towards better, towards worse than even", 1, 0, [2]func(*Row) (float64, bool){
			func(row *Row) (float64, bool) { return some(row.Up) }, func(row *Row) (float64, bool) { return some(row.Down) }}},
		{"dissonance E of the first and the second player, bits", 0, 0, [2]func(*Row) (float64, bool){evidence(0), evidence(1)}},
	}
	if len(v.Rows) == 0 || v.Rows[0].Evidence == nil {
		panels = panels[:2]
	}
	var b strings.Builder
	height := plotTop + len(panels)*(panelHeight+panelGap)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth+plotLeft+20, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="18" font-size="14">%s</text>`+"\n", plotLeft, html.EscapeString(title))
	for i, p := range panels {
		v.draw(&b, p, plotTop+panelGap/2+i*(panelHeight+panelGap))
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func evidence(side int) func(row *Row) (float64, bool) {
	return func(row *Row) (float64, bool) {
		if row.Evidence == nil {
			return 0, false
		}
		return row.Evidence[side].E, true
	}
}

// rate returns the win rate of side 1.
func (row *Row) rate() (float64, bool) {
	var rate float64
	switch {
	case row.WinRate != nil:
		rate = *row.WinRate
	case row.Value != nil:
		rate = play.WinRate(play.ScoreOf(*row.Value))
	default:
		return 0, false
	}
	if row.Side == 2 {
		rate = 1 - rate
	}
	return rate, true
}

func (v *Review) draw(b *strings.Builder, p panel, top int) {
	if p.high <= p.low {
		for i := range v.Rows {
			for _, c := range p.curves {
				if c != nil {
					if y, ok := c(&v.Rows[i]); ok {
						p.high = max(p.high, y)
					}
				}
			}
		}
		p.high = max(p.high*1.05, p.low+1)
	}
	x := func(ply int) float64 { return plotLeft + plotWidth*float64(ply)/float64(max(len(v.Rows)-1, 1)) }
	y := func(value float64) float64 { return float64(top) + panelHeight*(p.high-value)/(p.high-p.low) }
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", plotLeft, top-5, p.title)
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#bbb"/>`+"\n", plotLeft, top, plotWidth, panelHeight)
	for _, value := range []float64{p.low, (p.low + p.high) / 2, p.high} {
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%.3g</text>`+"\n", plotLeft-6, y(value)+4, value)
	}
	fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>`+"\n", plotLeft, plotLeft+plotWidth, y((p.low+p.high)/2), y((p.low+p.high)/2))
	for _, border := range []struct {
		ply  int
		name string
	}{{v.Phases.Middle, "middle game"}, {v.Phases.End, "endgame"}} {
		if border.ply > 0 {
			fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#888" stroke-dasharray="4 3"><title>%s from ply %d on</title></line>`+"\n",
				x(border.ply), x(border.ply), top, top+panelHeight, border.name, border.ply)
		}
	}
	for i, c := range p.curves {
		if c == nil {
			continue
		}
		color := [...]string{"#0b5fa5", "#b3541e"}[i]
		var points []string
		flush := func() {
			if len(points) > 0 {
				fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.Join(points, " "), color)
			}
			points = nil
		}
		for j := range v.Rows {
			value, ok := c(&v.Rows[j])
			if !ok {
				flush()
				continue
			}
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(j), y(min(value, p.high))))
		}
		flush()
	}
	for i := range v.Rows {
		row := &v.Rows[i]
		if value, ok := row.rate(); ok && p.high == 1 && row.Mark != "" {
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"><title>%s%s</title></circle>`+"\n", x(i), y(value),
				map[Mark]string{Inaccuracy: "#e0b000", Mistake: "#e07000", Blunder: "#c00000"}[row.Mark], html.EscapeString(row.Title()), row.Mark)
		}
	}
}
