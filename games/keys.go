package games

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// A Seed determines the keys by which a search that proves recognises positions. Nobody who
// does not know it can build two positions with the same key.
type Seed uint64

// FixedSeed gives the same keys in every run, so that a search takes the same nodes: for
// benchmarks and tests.
const FixedSeed Seed = 0

var processSeed = DrawSeed()

// ProcessSeed returns the seed of this process, which was drawn when it began.
func ProcessSeed() Seed { return processSeed }

// DrawSeed draws another seed, which is not [FixedSeed].
func DrawSeed() Seed { return Seed(1 + rand.Uint64N(1<<64-1)) }

// Keyer computes 64-bit keys of positions: of their bytes in memory if these determine the
// position, otherwise of their text. Two different positions that were chosen without knowing
// the seed have the same key with probability 2^-64 (multilinear hashing: Lemire & Kaser,
// "Strongly universal string hashing is fast", The Computer Journal 57, 2014). It belongs to
// one goroutine.
type Keyer[P comparable] struct {
	spans   spans
	append  func(dst []byte, p P) []byte
	text    []byte
	random  *rand.PCG
	factors []factor // one for each word, and the first for none
}

// factor is a random number of 128 bits.
type factor struct{ high, low uint64 }

// keyStream distinguishes the numbers that keyers draw from others of the same seed.
const keyStream = 0x6b657973 // "keys"

// NewKeyer returns a keyer for the positions of g.
func NewKeyer[P, M comparable](g Game[P, M], seed Seed) *Keyer[P] {
	k := &Keyer[P]{spans: spansOf[P](), append: g.AppendPosition, random: rand.NewPCG(uint64(seed), keyStream)}
	words := 0
	for _, s := range k.spans {
		words += int(s.size+7) / 8
	}
	k.need(words)
	return k
}

// need draws factors for a number of words.
func (k *Keyer[P]) need(words int) {
	for len(k.factors) <= words {
		k.factors = append(k.factors, factor{k.random.Uint64(), k.random.Uint64()})
	}
}

// Key returns the key of a position.
func (k *Keyer[P]) Key(p *P) uint64 {
	sum := k.factors[0]
	n := 1
	add := func(word uint64) {
		f := &k.factors[n]
		n++
		high, low := bits.Mul64(f.low, word)
		var carry uint64
		sum.low, carry = bits.Add64(sum.low, low, 0)
		sum.high += high + f.high*word + carry
	}
	bytes := func(b []byte) {
		for ; len(b) >= 8; b = b[8:] {
			add(binary.LittleEndian.Uint64(b))
		}
		if len(b) > 0 {
			var rest [8]byte
			copy(rest[:], b)
			add(binary.LittleEndian.Uint64(rest[:]))
		}
	}
	if len(k.spans) == 0 {
		k.text = k.append(k.text[:0], *p)
		k.need(1 + (len(k.text)+7)/8)
		add(uint64(len(k.text))) // texts may differ in nothing but zeros at the end
		bytes(k.text)
	} else {
		for _, s := range k.spans {
			bytes(s.of(unsafe.Pointer(p)))
		}
	}
	return sum.high
}
