package dobutsu

import (
	_ "embed"
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.Features[Position]      = (*Game)(nil)
	_ games.Tactics[Position, Move] = (*Game)(nil)
	_ games.Passer[Position]        = (*Game)(nil)
)

// The features of a side: each animal on the board together with the side's lion, by their
// squares up to mirror images; how many of a kind it has in hand; and to be the side to move.
// Coarse features stand for all places of an animal.
const (
	roles     = int(kindLion) + int(kinds) // animals of its own but the lion, and of the opponent
	handSizes = 2                          // animals of a kind in hand, at most
	handCount = int(kindHen) * handSizes
)

// worth is what an animal is worth to its owner, on the board and in hand.
var worth = [kinds]float32{kindElephant: 200, kindGiraffe: 240, kindChick: 80, kindHen: 260}

const worthInHand = 1.15

// featureTables number the features of a board.
type featureTables struct {
	set   games.FeatureSet
	pairs [32][32]int32 // of two squares, up to mirror images, times roles
	hand  int32         // the first feature of the hands
	mover int32
}

func (t *featureTables) init(b *board, version string) {
	n := int32(0)
	for lion := range b.squares {
		for sq := range b.squares {
			if m := t.pairs[mirrorSquare(lion)][mirrorSquare(sq)]; m != 0 {
				t.pairs[lion][sq] = m
				continue
			}
			t.pairs[lion][sq] = n
			n += int32(roles)
		}
	}
	t.hand = n
	t.mover = n + int32(handCount)
	t.set = games.FeatureSet{Calibration: games.Calibration{Doubt: 0.3}, Version: version, Size: int(t.mover) + 1, Coarse: roles}
	size := int32(t.set.Size)
	t.set.AppendCoarse = func(dst []int32, feature int32) []int32 {
		if feature < t.hand {
			dst = append(dst, size+feature%int32(roles))
		}
		return dst
	}
	t.set.Weights = make([]float32, t.set.Size+t.set.Coarse)
	for k := range kindLion {
		t.set.Weights[t.set.Size+int(k)] = worth[k]
	}
	for k := range kindHen {
		for i := range handSizes {
			t.set.Weights[int(t.hand)+int(k)*handSizes+i] = worth[k] * worthInHand * float32(i+1)
		}
	}
	t.set.Weights[t.mover] = 30
	t.set.Material = t.set.Weights
	if version == learnedVersion {
		t.set.Embed(weightsFile)
	}
}

//go:embed weights.bin
var weightsFile []byte

// learnedVersion is the version whose weights were learned; docs/learning.md says how.
const learnedVersion = "dobutsu-4x3-1"

// FeatureSet implements [games.Features].
func (g *Game) FeatureSet() *games.FeatureSet { return &g.features.set }

// AppendFeatures implements [games.Features].
func (g *Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	dst = g.appendSide(dst, &p, 1)
	q := g.swapped(p)
	dst = g.appendSide(dst, &q, -1)
	return append(dst, games.Feature{Number: g.features.mover, Count: 1})
}

// appendSide appends the features of the side to move.
func (g *Game) appendSide(dst []games.Feature, p *Position, count int32) []games.Feature {
	pairs := &g.features.pairs[p.mine.lion()]
	for k := range kindLion {
		for set := p.mine.board[k]; set != 0; set &= set - 1 {
			dst = append(dst, games.Feature{Number: pairs[bits.TrailingZeros32(set)] + int32(k), Count: count})
		}
	}
	for k := range kinds {
		for set := p.theirs.board[k]; set != 0; set &= set - 1 {
			dst = append(dst, games.Feature{Number: pairs[bits.TrailingZeros32(set)] + int32(kindLion+k), Count: count})
		}
	}
	for k, n := range p.mine.hand {
		if n > 0 {
			dst = append(dst, games.Feature{Number: g.features.hand + int32(k*handSizes+int(n)-1), Count: count})
		}
	}
	return dst
}

// AppendRanks implements [games.Tactics]: the lion's step to the far rank, captures, and chicks
// that become hens.
func (g *Game) AppendRanks(dst []int32, p Position, moves []Move) []int32 {
	theirs := p.theirs.all()
	for _, m := range moves {
		rank := int32(0)
		to := uint32(1) << m.to
		if _, drops := m.dropped(); !drops {
			k := p.mine.kindAt(1 << m.from)
			switch {
			case k == kindLion && to&g.far != 0 && g.try:
				rank = 10_000
			case theirs&to != 0:
				rank = 1000 + int32(10*worth[p.theirs.kindAt(to)]-worth[k])
			case k == kindChick && to&g.far != 0:
				rank = 1
			}
		}
		dst = append(dst, rank)
	}
	return dst
}

// Forced implements [games.Tactics]: the lion of the side to move is attacked.
func (g *Game) Forced(p Position) bool {
	lion := p.mine.lion()
	for k := range kinds {
		if p.theirs.board[k]&g.steps[k][lion] != 0 { // their animals step the other way
			return true
		}
	}
	return false
}

// Pass implements [games.Passer].
func (g *Game) Pass(p Position) (Position, bool) { return g.swapped(p), !g.Forced(p) }
