package review

import (
	"math"

	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/play"
)

// Plot draws a review as SVG: the win rate of side 1 with the marks, the branching factors, and, if
// there is evidence, the dissonance of both sides. A border is where the opening is over.
func (v *Review) Plot(title string) ([]byte, error) {
	const first, second = "#0b5fa5", "#b3541e"
	rates := v.curve("", first, func(row *Row) float64 { return 100 * row.rate() })
	plots := []plot.Plot{
		{Title: "Win rate of the first player", Y: "%", YRange: [2]float64{0, 100}, Series: append([]plot.Series{rates}, v.marks()...)},
		{Title: "Branching factor b*", Y: "b*", Series: []plot.Series{
			v.curve("better than even", first, func(row *Row) float64 { return known(row.Up) }),
			v.curve("worse than even", second, func(row *Row) float64 { return known(row.Down) }),
		}},
	}
	if len(v.Rows) > 0 && v.Rows[0].Evidence != nil {
		plots = append(plots, plot.Plot{Title: "Dissonance E", Y: "bits", Series: []plot.Series{
			v.curve("first player", first, func(row *Row) float64 { return row.evidence(0) }),
			v.curve("second player", second, func(row *Row) float64 { return row.evidence(1) }),
		}})
	}
	var borders []plot.Border
	if v.OpeningEnds > 0 {
		borders = append(borders, plot.Border{X: float64(v.OpeningEnds), Title: "the opening is over"})
	}
	var shown []plot.Plot
	for _, p := range plots {
		p.X, p.Width, p.Height, p.Borders = "ply", 880, 230, borders
		p.XRange = [2]float64{0, float64(len(v.Rows))}
		if hasPoints(&p) {
			shown = append(shown, p)
		}
	}
	return plot.Sheet(title, 1, shown)
}

// curve is a value of each row, or a gap.
func (v *Review) curve(name, color string, of func(row *Row) float64) plot.Series {
	s := plot.Series{Name: name, Color: color}
	for i := range v.Rows {
		s.Points = append(s.Points, plot.Point{X: float64(v.Rows[i].Ply), Y: of(&v.Rows[i])})
	}
	return s
}

// marks are the marked moves, at their win rates.
func (v *Review) marks() (list []plot.Series) {
	for _, kind := range []struct {
		mark  Mark
		color string
	}{{Inaccuracy, "#e0b000"}, {Mistake, "#e07000"}, {Blunder, "#c00000"}} {
		s := plot.Series{Color: kind.color}
		for i := range v.Rows {
			row := &v.Rows[i]
			if y := 100 * row.rate(); row.Mark == kind.mark && !math.IsNaN(y) {
				s.Points = append(s.Points, plot.Point{X: float64(row.Ply), Y: y})
				s.Titles = append(s.Titles, row.Title()+string(row.Mark))
			}
		}
		if s.Points != nil {
			list = append(list, s)
		}
	}
	return list
}

func hasPoints(p *plot.Plot) bool {
	for _, s := range p.Series {
		for _, q := range s.Points {
			if !math.IsNaN(q.Y) {
				return true
			}
		}
	}
	return false
}

// known is a branching factor, not a number if there is none.
func known(factor float64) float64 {
	if factor == 0 {
		return math.NaN()
	}
	return factor
}

func (row *Row) evidence(side int) float64 {
	if row.Evidence == nil {
		return math.NaN()
	}
	return row.Evidence[side].E
}

// rate is the win rate of side 1, not a number if it is not known.
func (row *Row) rate() float64 {
	var rate float64
	switch {
	case row.WinRate != nil:
		rate = *row.WinRate
	case row.Value != nil:
		rate = play.WinRate(play.ScoreOf(row.Value.Lower))
	default:
		return math.NaN()
	}
	if row.Side == 2 {
		rate = 1 - rate
	}
	return rate
}
