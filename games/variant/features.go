package variant

import (
	"math"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.Features[Position]          = (*Game)(nil)
	_ games.CursorMaker[Position, Move] = (*Game)(nil)
)

// Features are the pieces on their squares, as their owner sees the board, those in hand, and to be the side to move.
// Coarse features stand for all squares of a kind.

// newFeatures makes the features of a variant. What pieces are worth comes from how many squares they reach.
func (g *core) newFeatures() *games.FeatureSet {
	n := len(g.kinds)
	s := &games.FeatureSet{
		Version: "variant-" + games.RulesDigest(g.RulesText()), Size: n*g.squares + n + 1, Coarse: n,
	}
	hands := n * g.squares
	s.AppendCoarse = func(dst []int32, feature int32) []int32 {
		if int(feature) < hands {
			dst = append(dst, int32(s.Size)+feature/int32(g.squares))
		}
		return dst
	}
	s.Weights = make([]float32, s.Size+s.Coarse)
	for k := range g.kinds {
		worth := g.worth(k)
		s.Weights[s.Size+k] = worth
		s.Weights[hands+k] = worth * 1.1
	}
	s.Weights[hands+n] = 15
	s.Material = s.Weights
	return s
}

// worth returns what a piece of a kind is worth, with 100 for about a pawn: by the squares that it moves to and captures
// on, where each square that a slide passes is empty with a probability, and more if it is promoted, or if its owner
// wants it gone.
func (g *core) worth(k int) float32 {
	const free = 0.72
	mobility := func(m *motion, from int) (sum float64) {
		if m.leaps != nil {
			sum += float64(m.leaps[from].count())
		}
		for _, r := range m.slides {
			squares := g.lines[r.line].rays[from]
			if r.upto != nil {
				squares = r.upto[from]
			}
			sum += (1 - math.Pow(free, float64(squares.count()))) / (1 - free)
		}
		for _, r := range m.hops {
			if g.lines[r.line].rays[from].count() > 1 {
				sum += 0.8
			}
		}
		for _, l := range m.lames {
			if l.to[from] >= 0 {
				sum += math.Pow(free, float64(l.path[from].count()))
			}
		}
		return sum
	}
	var sum, squares float64
	x := &g.kinds[k]
	for s := g.board; !s.empty(); {
		from := s.pop()
		sum += mobility(&x.motion[0][quiet], from) + mobility(&x.motion[0][capture], from)
		squares++
	}
	worth := float32(30 * sum / squares)
	if x.pawn[0] || x.promoted >= 0 {
		worth += 40
	}
	r := g.rules
	switch {
	case x.slot == king:
		worth = 0
	case r.extinction == win:
		worth = -worth / 2 // who has no pieces left wins
	case x.extinction && r.extinction == loss && !g.extinctionAll:
		worth += 1000
	}
	return max(min(worth, 3000), -3000)
}

// FeatureSet implements [games.Features].
func (g *Game) FeatureSet() *games.FeatureSet { return g.features() }

// feature returns the number of the feature of a piece.
func (g *core) feature(kind, side, s int) int32 {
	if side == 1 {
		s = (g.ranks-1-s/g.files)*g.files + s%g.files
	}
	return int32(kind*g.squares + s)
}

// AppendFeatures implements [games.Features].
func (g *Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	us := int(p.turn)
	for s := range g.squares {
		c := p.cells[s]
		if c < firstMan {
			continue
		}
		side, count := int(c-firstMan)&1, int32(1)
		if side != us {
			count = -1
		}
		dst = append(dst, games.Feature{Number: g.feature(int(g.men[(c-firstMan)>>1].kind), side, s), Count: count})
	}
	hands := int32(len(g.kinds) * g.squares)
	for k := range g.kinds {
		if n := int32(p.hands[us][k]) - int32(p.hands[1-us][k]); n != 0 {
			dst = append(dst, games.Feature{Number: hands + int32(k), Count: n})
		}
	}
	return append(dst, games.Feature{Number: hands + int32(len(g.kinds)), Count: 1})
}
