package judge

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/play"
)

// Figure is a drawing as SVG.
type Figure struct {
	Name string // of a file
	SVG  []byte
}

const (
	blue, brown, grey = "#0b5fa5", "#b3541e", "#555555"
	panelWidth        = 430.0
	panelHeight       = 320.0
)

// Figures draws what resignations show, as Takeuchi and Iida do in their figures 2 to 6: the mean
// branching factors before, and those of each position against its win rate, with lines where a
// model of [ByUp] sees a probability of 0.2 and 0.5.
func (r *Resigning) Figures(m *Resignation, seed uint64) ([]Figure, error) {
	factors, err := r.factors(seed)
	if err != nil {
		return nil, err
	}
	most := 1.0
	for _, samples := range r.At {
		for i := range samples {
			most = max(most, samples[i].Up)
		}
	}
	most = math.Ceil(most)
	scatter := func(i int) plot.Plot {
		positions := plot.Series{Color: blue, Marks: true}
		for _, s := range r.At[i] {
			positions.Points = append(positions.Points, plot.Point{X: 100 * play.WinRate(s.Score), Y: s.Up})
		}
		return plot.Plot{
			X: "win rate, %", Y: "b*", XRange: [2]float64{0, 100}, YRange: [2]float64{1, most},
			Series: []plot.Series{positions, contour(m, 0.2, most), contour(m, 0.5, most)},
		}
	}
	var panels []plot.Plot
	last := len(Before) - 1
	for i, before := range Before[:last] {
		p := scatter(i)
		p.Title, p.Width, p.Height = fmt.Sprintf("%d plies before", before), panelWidth, panelHeight
		panels = append(panels, p)
	}
	sheet, err := plot.Sheet(fmt.Sprintf("Win rate and branching factor before the resignation, %d games", len(r.At[0])), 2, panels)
	if err != nil {
		return nil, err
	}
	final := scatter(last)
	final.Title = fmt.Sprintf("Win rate and branching factor at the resignation, %d games", len(r.At[last]))
	at, err := final.SVG()
	return []Figure{{"resignation-factors.svg", factors}, {"resignation-before.svg", sheet}, {"resignation-at.svg", at}}, err
}

// factors draws the mean branching factors, with their intervals.
func (r *Resigning) factors(seed uint64) ([]byte, error) {
	p := plot.Plot{
		Title: "Mean branching factors before the resignation, with intervals of 95 %", X: "plies from the resignation", Y: "b*", YRange: [2]float64{1, 2},
	}
	for _, of := range []struct {
		name, color string
		factor      func(*Sample) float64
	}{
		{"better than even", blue, func(s *Sample) float64 { return s.Up }},
		{"worse than even", brown, func(s *Sample) float64 { return s.Down }},
	} {
		mean := plot.Series{Name: of.name, Color: of.color}
		low, high := plot.Series{Color: of.color, Dashed: true}, plot.Series{Color: of.color, Dashed: true}
		for i, before := range Before {
			x, v := -float64(before), Mean(r.At[i], seed, of.factor)
			low.Points = append(low.Points, plot.Point{X: x, Y: v.Low})
			mean.Points = append(mean.Points, plot.Point{X: x, Y: v.Value})
			high.Points = append(high.Points, plot.Point{X: x, Y: v.High})
		}
		p.Series = append(p.Series, mean, low, high)
	}
	return p.SVG()
}

// contour is where a model sees a probability, by win rate and branching factor up to most.
func contour(m *Resignation, probability, most float64) plot.Series {
	mean, deviation := m.Normal()
	quotient := mean + deviation*distuv.UnitNormal.Quantile(probability)
	s := plot.Series{Name: fmt.Sprintf("p = %.1f", probability), Color: grey}
	if probability < 0.5 {
		s.Name, s.Dashed = s.Name+", dashed", true
	}
	const steps = 60
	for i := range steps + 1 {
		b := 1 + (most-1)*float64(i)/steps
		s.Points = append(s.Points, plot.Point{X: 100 * play.WinRate(play.Score(math.Round(-quotient*math.Log(b)))), Y: b})
	}
	return s
}

// Figure draws the mean dissonance at plies that a tenth of the games reach.
func (r *Phases) Figure() (Figure, error) {
	mean := plot.Series{Name: "mean E", Color: blue}
	for ply, e := range r.Dissonance {
		if 10*r.Reached[ply] >= len(r.Games) {
			mean.Points = append(mean.Points, plot.Point{X: float64(ply), Y: e})
		}
	}
	threshold := plot.Series{Name: "end of the opening", Color: grey, Dashed: true, Points: []plot.Point{{X: 0, Y: r.Threshold}}}
	if n := len(mean.Points); n > 0 {
		threshold.Points = append(threshold.Points, plot.Point{X: mean.Points[n-1].X, Y: r.Threshold})
	}
	p := plot.Plot{
		Title: fmt.Sprintf("Dissonance of the side to move, %d games", len(r.Games)), X: "ply", Y: "E, bits", YRange: [2]float64{r.Threshold - 1, r.Threshold},
		Series: []plot.Series{mean, threshold},
	}
	svg, err := p.SVG()
	return Figure{"phases.svg", svg}, err
}
