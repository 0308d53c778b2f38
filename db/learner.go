package db

import (
	"math"
	"slices"
)

// Sample is some codes of a tier in a row, and which of them are free; Free may be nil.
type Sample struct {
	Codes []uint16
	Free  []bool
}

const (
	passes     = 4 // over the sample
	mostStride = 4096
	finer      = 4  // steps of a logit's unit that a learner tells apart
	modelShare = 16 // a model takes at most about one part in so many of its tier
)

// Model is a model of the codes of a tier; see [LearnModel].
type Model struct{ model }

// LearnModel learns a model of a tier from some of its codes. The same sample gives the same model on every machine.
func (c *Content) LearnModel(tier int, samples []Sample) (*Model, error) {
	m := &Model{}
	m.setAlphabet(c.alphabet(tier))
	samples = slices.Clone(samples)
	for i := range samples {
		s := &samples[i]
		if s.Codes = slices.Clone(s.Codes); !m.symbols(s.Codes, s.Free) {
			return nil, errNoSymbol
		}
	}
	m.strides = stridesOf(samples, c.UnitSize/2)
	// A first pass over a part of the sample, with a small table, tells about how large the tier becomes.
	part, codes := samples[:(len(samples)+3)/4], 0
	for _, s := range part {
		codes += len(s.Codes)
	}
	l := newLearner(leastTable + 4)
	l.pass(&m.model, part, c.UnitSize, 0)
	bytes := l.cost / 8 * c.Tiers[tier].Open / uint64(max(codes, 1)) / costUnit
	m.tableBits = leastTable
	for m.tableBits < mostTable && contexts<<(m.tableBits+1) <= bytes/modelShare {
		m.tableBits++
	}
	l = newLearner(m.tableBits)
	for pass := range passes {
		l.pass(&m.model, samples, c.UnitSize, pass)
	}
	m.tables = make([]int8, len(l.entries))
	for i, x := range l.entries {
		m.tables[i] = int8(min(max(math.Round(float64(x)*logitUnit), -127), 127))
	}
	return m, nil
}

// learner learns the entries of tables by gradient descent. Its arithmetic is the same on all machines: products are rounded
// before they are added.
type learner struct {
	tableBits int
	entries   []float32
	squared   []float32 // sums of the squares of gradients
	rate      float32
	cost      uint64 // of decisions, in parts of a bit
}

func newLearner(tableBits int) *learner {
	return &learner{tableBits: tableBits, entries: make([]float32, contexts<<tableBits), squared: make([]float32, contexts<<tableBits)}
}

// pass learns from all samples.
func (l *learner) pass(m *model, samples []Sample, unit, pass int) {
	l.rate = 0.3 / float32(2+pass)
	c := &coder{model: m, learner: l}
	symbols := make([]uint16, unit)
	for _, s := range samples {
		for first := 0; first < len(s.Codes); first += unit {
			last := min(first+unit, len(s.Codes))
			var free []bool
			if s.Free != nil {
				free = s.Free[first:last]
			}
			n := copy(symbols, s.Codes[first:last])
			c.code, c.run = 0, 0
			c.walk(symbols[:n], free, n)
		}
	}
}

// decide learns from a decision.
func (l *learner) decide(bit bool, node uint32, hashes *[contexts]uint32) {
	var places [contexts]int
	sum, shift := float32(0), 32-l.tableBits
	for i, h := range hashes {
		places[i] = i<<l.tableBits + int((h^node)>>shift)
		sum += l.entries[places[i]]
	}
	gradient := -probabilities[min(max(int(sum*(logitUnit*finer)), -finer*mostLogit), finer*mostLogit)+finer*mostLogit]
	if bit {
		gradient++
	}
	l.cost += costs[int(min(max(gradient, -gradient), 1)*1024)]
	square := float32(gradient * gradient)
	for _, k := range places {
		l.squared[k] += square
		l.entries[k] += float32(l.rate*gradient) / float32(math.Sqrt(float64(l.squared[k])+0.1))
	}
}

// probabilities has those of logits from -mostLogit on, in finer steps.
var probabilities = func() (list [2*finer*mostLogit + 1]float32) {
	const one, root = 1 << 32, 4228380000 // root is exp(-1/64)
	for x, power := 0, uint64(one); x <= finer*mostLogit; x++ {
		p := float32(uint64((1<<63)/(one+power))>>7) / (1 << 24)
		list[finer*mostLogit+x], list[finer*mostLogit-x] = p, 1-p
		power = power * root >> 32
	}
	return list
}()

const costUnit = 1 << 12

// costs has those of decisions by the gradient, in 1024ths.
var costs = func() (list [1025]uint64) {
	for i := range list {
		list[i] = uint64(costUnit * -math.Log2(1-min((float64(i)+0.5)/1024, 1023.5/1024)))
	}
	return list
}()

// stridesOf returns the two strides at which a code that differs from the one before is found most
// often, the second where the first does not find it.
func stridesOf(samples []Sample, most int) [2]int {
	const seen = 64 // of a sample
	most = min(most, mostStride)
	strides := [2]int{2, 2}
	for n := range strides {
		hits := make([]int, most+1)
		for _, sample := range samples {
			codes := sample.Codes
			for i, left := most+1, seen; i < len(codes) && left > 0; i += 7 {
				if sample.Free != nil && sample.Free[i] || codes[i] == codes[i-1] || n == 1 && codes[i] == codes[i-strides[0]] {
					continue
				}
				for s := 2; s <= most; s++ {
					if codes[i-s] == codes[i] && codes[i-s-1] == codes[i-1] {
						hits[s]++
					}
				}
				left--
			}
		}
		for s := range hits {
			if hits[s] > hits[strides[n]] {
				strides[n] = s
			}
		}
	}
	return strides
}
