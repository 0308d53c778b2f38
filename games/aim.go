package games

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Aim is a position of a game with scores, and the question whether the side to move still wins at
// least Points, net. See [Aiming].
type Aim[P comparable] struct {
	Position P
	Points   int16
}

// ErrNoScores is returned for a game that is not a [Scorer].
var ErrNoScores = errors.New("the values of the game are not scores")

// Aiming makes a game of wins and losses of a game with scores. The side to move wins if it gets
// the points that it aims at, and its opponent wins if it does not. So there are no draws, and
// engines that know only wins can answer whether a position is worth at least so much: to prevent n
// points the opponent aims at 1-n. The text of an aim is that of the position, then for example
// " >=-8".
//
// Play without end, which is worth 0, is no win for anybody. So a win is one in g too, but where
// positions may repeat (see [Layerer]) that a side does not win proves nothing.
func Aiming[P, M comparable](g Game[P, M]) (Game[Aim[P], M], error) {
	scorer, ok := g.(Scorer[P, M])
	if !ok {
		return nil, fmt.Errorf("%s: %w", g.Name(), ErrNoScores)
	}
	a := aiming[P, M]{game: g, scorer: scorer, canonical: canonicalOf(g)}
	var weights []float32
	if f, ok := g.(Features[P]); ok {
		for _, w := range f.FeatureSet().Folded(f.FeatureSet().Weights) {
			weights = append(weights, float32(w))
		}
		a.features = f
	}
	const point = 100
	a.set = &FeatureSet{Version: "aim", Size: len(weights) + 1, Weights: append(weights, -point)}
	if layerer, ok := g.(Layerer[P]); ok {
		return layeredAiming[P, M]{a, layerer}, nil
	}
	return a, nil
}

type aiming[P, M comparable] struct {
	game      Game[P, M]
	scorer    Scorer[P, M]
	canonical func(P) P
	features  Features[P] // may be nil
	set       *FeatureSet
}

// layeredAiming is an aiming game that always ends.
type layeredAiming[P, M comparable] struct {
	aiming[P, M]
	layerer Layerer[P]
}

func (a layeredAiming[P, M]) Layer(p Aim[P]) int { return a.layerer.Layer(p.Position) }

func (a aiming[P, M]) Name() string { return a.game.Name() }

// Start asks whether the start position is worth at least a draw.
func (a aiming[P, M]) Start() Aim[P] { return Aim[P]{Position: a.game.Start()} }

// Outcome is decided too if even all points that remain are too few or not needed.
func (a aiming[P, M]) Outcome(p Aim[P]) (Value, bool) {
	v, finished := a.game.Outcome(p.Position)
	remaining := 0
	if finished {
		p.Points -= int16(v)
	} else {
		remaining = a.scorer.Remaining(p.Position)
	}
	switch points := int(p.Points); {
	case points > remaining:
		return Loss(0), true
	case points <= -remaining:
		return Win(0), true
	}
	return Unfinished, false
}

func (a aiming[P, M]) AppendMoves(dst []M, p Aim[P]) []M {
	if _, finished := a.Outcome(p); finished {
		return dst
	}
	return a.game.AppendMoves(dst, p.Position)
}

func (a aiming[P, M]) Play(p Aim[P], m M) Aim[P] {
	gain := int16(a.scorer.Gain(p.Position, m))
	return Aim[P]{a.game.Play(p.Position, m), 1 - (p.Points - gain)}
}

func (a aiming[P, M]) Canonical(p Aim[P]) Aim[P] {
	return Aim[P]{a.canonical(p.Position), p.Points}
}

const aimMark = " >="

func (a aiming[P, M]) AppendPosition(dst []byte, p Aim[P]) []byte {
	dst = append(a.game.AppendPosition(dst, p.Position), aimMark...)
	return strconv.AppendInt(dst, int64(p.Points), 10)
}

func (a aiming[P, M]) ParsePosition(text string) (Aim[P], error) {
	at := strings.LastIndex(text, aimMark)
	if at < 0 {
		return Aim[P]{}, fmt.Errorf("position %q: want the points that the side to move aims at behind it, as in %s4", text, aimMark)
	}
	points, err := strconv.Atoi(text[at+len(aimMark):])
	if err != nil || points < -MaxScore || points > MaxScore || strconv.Itoa(points) != text[at+len(aimMark):] {
		return Aim[P]{}, fmt.Errorf("position %q: want a number of points from %d to %d after %s", text, -MaxScore, MaxScore, aimMark)
	}
	p, err := a.game.ParsePosition(text[:at])
	return Aim[P]{p, int16(points)}, err
}

func (a aiming[P, M]) AppendMove(dst []byte, p Aim[P], m M) []byte {
	return a.game.AppendMove(dst, p.Position, m)
}

func (a aiming[P, M]) ParseMove(p Aim[P], text string) (M, error) {
	return ParseMove(a.game, p.Position, text)
}

// FeatureSet has the features of the game, and last one for each point that is aimed at.
func (a aiming[P, M]) FeatureSet() *FeatureSet { return a.set }

func (a aiming[P, M]) AppendFeatures(dst []Feature, p Aim[P]) []Feature {
	if a.features != nil {
		dst = a.features.AppendFeatures(dst, p.Position)
	}
	return append(dst, Feature{Number: int32(a.set.Size - 1), Count: int32(p.Points)})
}
