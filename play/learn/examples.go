package learn

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/yomikiri/yomikiri/games"
)

// Loss says how an example is judged.
type Loss uint8

// The losses.
const (
	Result     Loss = iota // cross entropy of the target and 1/(1+exp(-sum/256))
	Points                 // square of the difference of sum and target, in points
	Comparison             // 1/(1+exp(-sum/40))
)

const (
	scale           = 256 // of scores; see [play.WinRate]
	comparisonScale = 40
	point           = 100
)

// Example is a sum of weights and what it should be.
type Example struct {
	Group    int // see [Game]
	Loss     Loss
	Features []games.Feature
	// Offset is added to the sum of the weights.
	Offset float32
	// Target is a share of wins for Result, and a score for Points.
	Target float32
	// Weight is how much the example counts.
	Weight float32
	// Part is the number of the part of the data that the example belongs to; see [Config].
	Part int
}

// Examples are what a fit learns from.
type Examples struct {
	set   *games.FeatureSet
	terms []term
	list  []example
}

type example struct {
	end            int // of its terms, which begin at that of the example before
	group          int32
	loss           Loss
	offset, target float32
	weight         float32
	part           int32
}

// term is a feature and its count, which takes the last 8 bits. Greater counts take several.
type term uint32

const mostFeatures = 1 << 24

func (t term) feature() int32  { return int32(t >> 8) }
func (t term) count() float32  { return float32(int8(t)) }
func (x *Examples) Len() int   { return len(x.list) }
func (x *Examples) Terms() int { return len(x.terms) }
func (x *Examples) begin(i int) int {
	if i == 0 {
		return 0
	}
	return x.list[i-1].end
}

// NewExamples returns no examples, for a set of features. It fails if there are too many features.
func NewExamples(set *games.FeatureSet) (*Examples, error) {
	if set.Size > mostFeatures {
		return nil, fmt.Errorf("%d features are too many to learn: want at most %d", set.Size, mostFeatures)
	}
	return &Examples{set: set}, nil
}

// Add adds an example.
func (x *Examples) Add(e Example) {
	for _, f := range e.Features {
		for n := f.Count; n != 0; {
			part := min(max(n, math.MinInt8), math.MaxInt8)
			x.terms = append(x.terms, term(f.Number)<<8|term(uint8(part)))
			n -= part
		}
	}
	x.list = append(x.list, example{len(x.terms), int32(e.Group), e.Loss, e.Offset, e.Target, e.Weight, int32(e.Part)})
}

// Parts returns the number of parts of the data: one more than the highest number of a part.
func (x *Examples) Parts() (n int) {
	for i := range x.list {
		n = max(n, int(x.list[i].part)+1)
	}
	return n
}

// Signature returns a hash of all examples.
func (x *Examples) Signature() uint64 {
	h := xxhash.New()
	fmt.Fprint(h, x.set.Version, len(x.list))
	if len(x.terms) > 0 {
		h.Write(unsafe.Slice((*byte)(unsafe.Pointer(&x.terms[0])), 4*len(x.terms)))
	}
	var b []byte
	for _, e := range x.list {
		b = binary.LittleEndian.AppendUint64(b[:0], uint64(e.end))
		b = append(binary.LittleEndian.AppendUint32(b, uint32(e.group)), byte(e.loss))
		for _, v := range []float32{e.offset, e.target, e.weight} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		h.Write(binary.LittleEndian.AppendUint32(b, uint32(e.part)))
	}
	return h.Sum64()
}

// model computes sums of weights and their gradients. Weights are in units of the scale.
type model struct {
	*Examples
	parts []float64 // weights of the parts of the data; nil if all are 1
	// The coarse features of feature i are coarse[starts[i]:starts[i+1]].
	starts, coarse []int32
	weights        []float32
	gradient       []float64
}

func newModel(x *Examples, weights []float32) *model {
	m := &model{Examples: x, starts: make([]int32, 1, x.set.Size+1), gradient: make([]float64, len(weights))}
	for i := range x.set.Size {
		if x.set.AppendCoarse != nil {
			m.coarse = x.set.AppendCoarse(m.coarse, int32(i))
		}
		m.starts = append(m.starts, int32(len(m.coarse)))
	}
	for _, w := range weights {
		m.weights = append(m.weights, w/scale)
	}
	return m
}

// sum returns the sum of example i, in units of the scale.
func (m *model) sum(i int) float64 {
	sum := m.list[i].offset / scale
	for _, t := range m.terms[m.begin(i):m.list[i].end] {
		f := t.feature()
		w := m.weights[f]
		for _, c := range m.coarse[m.starts[f]:m.starts[f+1]] {
			w += m.weights[c]
		}
		sum += w * t.count()
	}
	return float64(sum)
}

// loss returns the loss of example i and its derivative by the sum.
func (m *model) loss(i int) (loss, slope float64) {
	e := &m.list[i]
	sum, weight, target := m.sum(i), float64(e.weight), float64(e.target)
	if m.parts != nil {
		weight *= m.parts[e.part]
	}
	switch e.loss {
	case Points:
		const unit = float64(scale) / point
		d := (sum - target/scale) * unit
		return weight * d * d / 2, weight * d * unit
	case Comparison:
		const unit = float64(scale) / comparisonScale
		s := sigmoid(sum * unit)
		return weight * s, weight * s * (1 - s) * unit
	}
	// The entropy of the target is subtracted, so that a perfect prediction has the loss 0.
	p := sigmoid(sum)
	return weight * (math.Max(sum, 0) + math.Log1p(math.Exp(-math.Abs(sum))) - target*sum - entropy(target)), weight * (p - target)
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log(p) - (1-p)*math.Log(1-p)
}

// add adds the gradient of the loss of example i to that of the features, not the coarse ones, and
// returns the loss.
func (m *model) add(i int) float64 {
	loss, slope := m.loss(i)
	for _, t := range m.terms[m.begin(i):m.list[i].end] {
		m.gradient[t.feature()] += slope * float64(t.count())
	}
	return loss
}

// spread adds the gradients of the features to those of their coarse features.
func (m *model) spread() {
	for f := range m.set.Size {
		if g := m.gradient[f]; g != 0 {
			for _, c := range m.coarse[m.starts[f]:m.starts[f+1]] {
				m.gradient[c] += g
			}
		}
	}
}
