package games

import (
	"math/rand/v2"
	"unsafe"
)

// packing writes positions as a few words of bits. It learns from the positions that it meets: a byte in memory that is the
// same in all of them takes no bits, another as many as number its values. The words of a position stay the same when more is
// learned, but that there may be zeros after them, so nothing is ever packed again.
//
//	bytes of a position    3 0 0 2 7 0 ...  those that have differed have an alphabet
//	                       | |     |
//	alphabets             [3] [0 2 3] [2 7]  values by code; the first position has the codes 0
//	bits in the words          b0 b3   b1    taken one by one, when a code needs one more
//
// Positions whose bytes in memory do not determine them are kept as they are, and packed as their numbers.
type packing[P comparable] struct {
	spans     spans
	base      P           // the first position
	fixed     spans       // bytes that have always been those of base
	alphabets []*alphabet // of other bytes
	masks     []bitMask
	bits      int      // taken by all alphabets
	factors   []uint64 // for the hash of words

	numbers map[P]uint64 // of positions that have no spans
	values  []P
}

// alphabet has the values that a byte has had.
type alphabet struct {
	offset uintptr
	values []byte // by code
	known  [256]bool
	bits   []int // of the code, the lowest first: their numbers in the words
	masks  []int // its masks, one for each word that has bits of it
}

// bitMask has the bits that a byte sets in a word.
type bitMask struct {
	offset uintptr
	word   int
	of     [256]uint64
}

// unknownValue is the mask of a value that is not in an alphabet, which has at most eight bits.
const unknownValue = ^uint64(0)

// newPacking returns a packing that knows a position.
func newPacking[P comparable](first P) *packing[P] {
	c := &packing[P]{spans: spansOf[P](), base: first}
	c.fixed = c.spans
	if len(c.spans) == 0 {
		c.numbers, c.bits = map[P]uint64{}, 64
	}
	c.need()
	return c
}

// width returns how many words a position has.
func (c *packing[P]) width() int { return max(1, (c.bits+63)/64) }

// size returns how many bytes the packing itself takes for each position.
func (c *packing[P]) size() uint64 {
	if c.numbers == nil {
		return 0
	}
	var p P
	return 5 * uint64(unsafe.Sizeof(p)) // a list that is copied when it grows, and a map
}

// need draws a factor for each word.
func (c *packing[P]) need() {
	for len(c.factors) < c.width() {
		c.factors = append(c.factors, rand.Uint64()|1)
	}
}

// hash returns a hash of words, to which zeros add nothing.
func (c *packing[P]) hash(words []uint64) (hash uint64) {
	for i, w := range words {
		hash += w * c.factors[i]
	}
	hash ^= hash >> 32
	return hash * 0x9e3779b97f4a7c15
}

// pack writes the words of a position to dst, which has space for them. It fails if the packing has not learned the position.
func (c *packing[P]) pack(dst []uint64, p *P) bool {
	if c.numbers != nil {
		n, ok := c.numbers[*p]
		dst[0] = n
		return ok
	}
	for _, s := range c.fixed {
		if string(s.of(unsafe.Pointer(p))) != string(s.of(unsafe.Pointer(&c.base))) {
			return false
		}
	}
	clear(dst)
	for i := range c.masks {
		m := &c.masks[i]
		mask := m.of[byteAt(p, m.offset)]
		if mask == unknownValue {
			return false
		}
		dst[m.word] |= mask
	}
	return true
}

// learn makes a position known.
func (c *packing[P]) learn(p *P) {
	defer c.need()
	if c.numbers != nil {
		if _, ok := c.numbers[*p]; !ok {
			c.numbers[*p] = uint64(len(c.values))
			c.values = append(c.values, *p)
		}
		return
	}
	for _, a := range c.alphabets {
		if b := byteAt(p, a.offset); !a.known[b] {
			c.add(a, b)
		}
	}
	fixed := c.fixed
	c.fixed = nil
	for _, s := range fixed {
		for offset := s.offset; offset < s.offset+s.size; offset++ {
			if b := byteAt(p, offset); b != byteAt(&c.base, offset) {
				a := &alphabet{offset: offset}
				c.add(a, byteAt(&c.base, offset))
				c.add(a, b)
				c.alphabets = append(c.alphabets, a)
			} else if last := len(c.fixed) - 1; last >= 0 && c.fixed[last].offset+c.fixed[last].size == offset {
				c.fixed[last].size++
			} else {
				c.fixed = append(c.fixed, span{offset, 1})
			}
		}
	}
}

// add adds a value to an alphabet.
func (c *packing[P]) add(a *alphabet, value byte) {
	code := len(a.values)
	a.values, a.known[value] = append(a.values, value), true
	if code == 1<<len(a.bits) && code > 0 {
		c.take(a)
	}
	for _, i := range a.masks {
		m := &c.masks[i]
		m.of[value] = 0
		for k, bit := range a.bits {
			if code>>k&1 != 0 && bit/64 == m.word {
				m.of[value] |= 1 << (bit % 64)
			}
		}
	}
}

// take gives an alphabet one more bit.
func (c *packing[P]) take(a *alphabet) {
	bit := c.bits
	c.bits++
	a.bits = append(a.bits, bit)
	if last := len(a.masks) - 1; last >= 0 && c.masks[a.masks[last]].word == bit/64 {
		return
	}
	m := bitMask{offset: a.offset, word: bit / 64}
	for value, known := range a.known {
		if !known {
			m.of[value] = unknownValue
		}
	}
	a.masks = append(a.masks, len(c.masks))
	c.masks = append(c.masks, m)
}

// unpack returns the position with the given words.
func (c *packing[P]) unpack(words []uint64) P {
	if c.numbers != nil {
		return c.values[words[0]]
	}
	p := c.base
	for _, a := range c.alphabets {
		code := uint64(0)
		for k, bit := range a.bits {
			code |= words[bit/64] >> (bit % 64) & 1 << k
		}
		*(*byte)(unsafe.Add(unsafe.Pointer(&p), a.offset)) = a.values[code]
	}
	return p
}

func byteAt[P any](p *P, offset uintptr) byte {
	return *(*byte)(unsafe.Add(unsafe.Pointer(p), offset))
}

// packedList is a list of packed positions, in chunks, so that none is copied when the list grows.
type packedList struct {
	chunks [][]uint64
	length int
	width  int
}

const chunkBits = 12 // positions in a chunk

// at returns the words of a position.
func (l *packedList) at(i int) []uint64 {
	at := (i & (1<<chunkBits - 1)) * l.width
	return l.chunks[i>>chunkBits][at : at+l.width : at+l.width]
}

// add makes room for one more position, and returns its number.
func (l *packedList) add() int {
	if l.length>>chunkBits == len(l.chunks) {
		l.chunks = append(l.chunks, make([]uint64, l.width<<chunkBits))
	}
	l.length++
	return l.length - 1
}

// widen gives each position more words.
func (l *packedList) widen(width int) {
	for n, chunk := range l.chunks {
		wide := make([]uint64, width<<chunkBits)
		for i := range 1 << chunkBits {
			copy(wide[i*width:], chunk[i*l.width:(i+1)*l.width])
		}
		l.chunks[n] = wide
	}
	l.width = width
}
