package ranking

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Standings are the results of pairs of games among several players, which are numbered from 0.
type Standings struct {
	// Rows has what player a scored against each player b < a, as Rows[a][b].
	Rows [][]Points
}

// Points are what a player has scored against another.
type Points struct {
	Pairs int
	Half  int // half points
}

// Grow adds players until there are n.
func (s *Standings) Grow(n int) {
	for len(s.Rows) < n {
		s.Rows = append(s.Rows, make([]Points, len(s.Rows)))
	}
}

// Add adds a pair of games of two players, in which the first won a number of half points.
func (s *Standings) Add(first, second, half int) {
	if first < second {
		first, second, half = second, first, 4-half
	}
	p := &s.Rows[first][second]
	p.Pairs++
	p.Half += half
}

// Pairs returns how many pairs a player has played.
func (s *Standings) Pairs(player int) (n int) {
	for _, p := range s.Rows[player] {
		n += p.Pairs
	}
	for _, row := range s.Rows[player+1:] {
		n += row[player].Pairs
	}
	return n
}

// Rating is the strength of a player in Elo points.
type Rating struct {
	Elo float64
	// Deviation is the standard error of the difference to the mean of all players. It takes games as
	// independent and won or lost, so that it is rather too large.
	Deviation float64
}

// eloUnit is how many Elo points multiply the odds by e.
const eloUnit = 400 / math.Ln10

// Ratings returns the most likely ratings, by the model of Bradley and Terry (Biometrika 39 (1952)), in which
// a draw is half a win. Each player is taken to have also drawn a pair of games with one of rating 0, so that
// all ratings are finite. Newton's method begins with the ratings in from; players beyond begin with 0.
func (s *Standings) Ratings(from []Rating) []Rating {
	n := len(s.Rows)
	if n == 0 {
		return nil
	}
	x := make([]float64, n)
	for i := range min(n, len(from)) {
		x[i] = from[i].Elo / eloUnit
	}
	gradient, hessian := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	var factors mat.Cholesky
	const steps, longest, close = 50, 2, 1e-7
	for range steps {
		s.slopes(x, gradient, hessian)
		if !factors.Factorize(hessian) {
			break // impossible, since the drawn pairs make it positive definite
		}
		var step mat.VecDense
		if err := factors.SolveVecTo(&step, gradient); err != nil {
			break
		}
		moved := 0.0
		for i := range x {
			d := min(max(step.AtVec(i), -longest), longest)
			x[i] += d
			moved = max(moved, math.Abs(d))
		}
		if moved < close {
			break
		}
	}
	list := make([]Rating, n)
	for i := range list {
		list[i].Elo = x[i] * eloUnit
	}
	return list
}

// slopes computes the gradient of the logarithm of the likelihood, and its negative second derivatives.
func (s *Standings) slopes(x []float64, gradient *mat.VecDense, hessian *mat.SymDense) {
	gradient.Zero()
	hessian.Zero()
	add := func(v *mat.VecDense, i int, d float64) { v.SetVec(i, v.AtVec(i)+d) }
	for a, row := range s.Rows {
		p := 1 / (1 + math.Exp(-x[a]))
		add(gradient, a, 1-2*p)
		hessian.SetSym(a, a, hessian.At(a, a)+2*p*(1-p))
		for b, r := range row {
			if r.Pairs == 0 {
				continue
			}
			p := 1 / (1 + math.Exp(x[b]-x[a]))
			games := 2 * float64(r.Pairs)
			d := float64(r.Half)/2 - games*p
			add(gradient, a, d)
			add(gradient, b, -d)
			w := games * p * (1 - p)
			hessian.SetSym(a, a, hessian.At(a, a)+w)
			hessian.SetSym(b, b, hessian.At(b, b)+w)
			hessian.SetSym(a, b, -w)
		}
	}
}

// Deviations sets the standard errors of ratings.
func (s *Standings) Deviations(list []Rating) {
	n := len(s.Rows)
	if n == 0 {
		return
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = list[i].Elo / eloUnit
	}
	gradient, hessian := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	s.slopes(x, gradient, hessian)
	var factors mat.Cholesky
	factors.Factorize(hessian)
	var inverse mat.SymDense
	if err := factors.InverseTo(&inverse); err != nil {
		return // the players are too different for the inverse to be exact
	}
	means, mean := make([]float64, n), 0.0
	for i := range means {
		for j := range n {
			means[i] += inverse.At(i, j) / float64(n)
		}
		mean += means[i] / float64(n)
	}
	for i := range list {
		list[i].Deviation = math.Sqrt(max(inverse.At(i, i)-2*means[i]+mean, 0)) * eloUnit
	}
}

// Ranked returns the numbers of players, best first. Of equal ones the lower number is first.
func Ranked(list []Rating, players []int) []int {
	ranked := slices.Clone(players)
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(list[b].Elo, list[a].Elo) })
	return ranked
}
