package db

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"
)

// Codes of compact databases are coded one by one, as binary decisions: whether sixteen codes go
// on with the one before, whether a code is the one before, whether it is a second guess, and
// otherwise its bits. Eight contexts predict each decision, from the codes before it, those two
// strides back, and the longest match. A mixer weighs them, and a range coder spends what the
// decision was worth. See M. Mahoney, Adaptive Weighing of Context Models for Lossless Data
// Compression, 2005, on mixing, and G. Martin, Range encoding, 1979.
//
// The payload is
//
//	+------------+-------------+-------------+-----------+
//	| bits, 8    | stride, 16  | stride, 16  | decisions |   little-endian
//	+------------+-------------+-------------+-----------+
const mixedHeader = 5

const (
	contexts   = 8
	slotBits   = 16
	matchBits  = 14
	matchCodes = 12 // of a match, at least
	mostStride = 4096
	group      = 16 // codes that one decision can settle
	mostSeen   = 30
	weighings  = 4 * 64
)

// squashes has the probabilities p, of 12 bits, whose log(p/(1-p)) is x-2048 256ths; stretches is
// the inverse. They are made of whole numbers, so that all machines have the same.
var stretches, squashes = func() (st [4096]int16, sq [4096]uint16) {
	const one, root = 1 << 32, 4278222805 // root is exp(-1/256)
	var exact [4096]int64                 // of 31 bits
	for x, power := 0, uint64(one); x < 2048; x++ {
		exact[2048+x] = int64((1 << 63) / (one + power))
		exact[2048-x] = 1<<31 - exact[2048+x]
		power = power * root >> 32
	}
	x := 1
	for p := range st {
		for x < 4095 && exact[x] < (2*int64(p)+1)<<18 {
			x++
		}
		st[p], sq[p] = int16(x-2048), uint16(min(max(exact[p]>>19, 1), 4095))
	}
	return st, sq
}()

// steps has how far, in 65536ths of the way, a probability moves after a number of decisions.
var steps = func() (list [mostSeen + 1]int32) {
	for i := range list {
		list[i] = int32(65536 / (float64(i) + 1.6))
	}
	return list
}()

// chance is an adaptive probability. The zero value is 1/2.
type chance struct {
	p    int16 // the probability of 1, in 65536ths, less 1/2
	seen uint8
	tag  uint8 // of the context, among those that share the place
}

func (c *chance) learn(bit int) {
	c.p += int16((int32(bit)*65535 - 32768 - int32(c.p)) * (steps[c.seen] >> 1) >> 15)
	if c.seen < mostSeen {
		c.seen++
	}
}

// mixer codes the decisions of one block, or decodes them.
type mixer struct {
	chances [contexts][1 << slotBits]chance
	groups  [32]chance
	weights [weighings][contexts]int32
	matches [1 << matchBits]int32
	hashes  [contexts]uint32

	decoding  bool
	data      []byte // what is written, or not yet read
	low, high uint32
	window    uint32 // what is decoded
	shifts    int
}

var mixers = sync.Pool{New: func() any { return new(mixer) }}

func (m *mixer) reset(data []byte, decoding bool) {
	clear(m.groups[:])
	clear(m.matches[:])
	for i := range m.chances {
		clear(m.chances[i][:])
	}
	for i := range m.weights {
		for j := range m.weights[i] {
			m.weights[i][j] = 65536 / 5
		}
	}
	m.data, m.decoding, m.low, m.high, m.window, m.shifts = data, decoding, 0, math.MaxUint32, 0, 0
	if decoding {
		for range 4 {
			m.window = m.window<<8 | m.next()
		}
	}
}

// next returns the next byte, and 0 after the last.
func (m *mixer) next() uint32 {
	if len(m.data) == 0 {
		return 0
	}
	b := m.data[0]
	m.data = m.data[1:]
	return uint32(b)
}

// code codes a decision, or decodes it, given the probability of 1 in 65536ths.
func (m *mixer) code(bit int, p uint32) int {
	mid := m.low + uint32(uint64(m.high-m.low)*uint64(p)>>16)
	if m.decoding {
		bit = 0
		if m.window <= mid {
			bit = 1
		}
	}
	if bit == 1 {
		m.high = mid
	} else {
		m.low = mid + 1
	}
	for (m.low^m.high)>>24 == 0 {
		m.shifts++
		if m.decoding {
			m.window = m.window<<8 | m.next()
		} else {
			m.data = append(m.data, byte(m.high>>24))
		}
		m.low, m.high = m.low<<8, m.high<<8|255
	}
	return bit
}

// decide is code of a decision that the contexts predict.
func (m *mixer) decide(bit int, node uint32, weighing int) int {
	var list [contexts]*chance
	var inputs [contexts]int32
	weights := &m.weights[weighing]
	sum := int64(0)
	for i, h := range m.hashes {
		hash := (h + node*0x9E3779B1) * 2654435761
		c := &m.chances[i][hash>>(32-slotBits)]
		if tag := uint8(hash >> (24 - slotBits)); c.tag != tag {
			*c = chance{tag: tag}
		}
		list[i] = c
		inputs[i] = int32(stretches[(int32(c.p)+32768)>>4])
		sum += int64(inputs[i]) * int64(weights[i])
	}
	p := int32(squashes[min(max(sum>>16, -2047), 2047)+2048])
	bit = m.code(bit, uint32(p)<<4)
	wrong := 2 * (int32(bit)<<12 - p)
	for i, c := range list {
		weights[i] += (inputs[i]*wrong + 1<<10) >> 11
		c.learn(bit)
	}
	return bit
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// run codes or decodes a block. When it codes, free codes, if free is not nil, become larger where
// that costs less, and any if they are 0.
func (m *mixer) run(codes []uint16, free []bool, width int, strides [2]int) {
	at := func(i int) uint32 {
		if i < 0 {
			return 0
		}
		return uint32(codes[i])
	}
	fixed := following(codes, free)
	run, match, length := 0, 0, 0
	for i := 0; i < len(codes); i++ {
		before := at(i - 1)
		s, t := strides[0], strides[1]
		if i%group == 0 && run >= group && i+group <= len(codes) {
			like, all := true, true
			for k := i; k < i+group; k++ {
				like = like && at(min(k-s, i-1)) == before
				all = all && (uint32(codes[k]) == before || free != nil && free[k] && before >= uint32(codes[k]))
			}
			c := &m.groups[min(bits.Len(uint(run/group)), 15)+16*int(bit(like))]
			all = m.code(int(bit(all)), uint32(min(max(int32(c.p)+32768, 32), 65504))) == 1
			c.learn(int(bit(all)))
			if all {
				for k := i; k < i+group; k++ {
					codes[k] = uint16(before)
				}
				run += group
				i += group - 1
				match, length = 0, 0
				continue
			}
		}
		match, length = m.match(codes, i, match, length)
		b, c, d := at(i-2), at(i-3), at(i-4)
		x, y, z, u := at(i-s), at(i-s+1), at(i-s-1), at(i-t)
		// Free codes are chosen among the guesses.
		guess, strength := x, uint32(0)
		if x == before {
			if guess = y; y == before {
				guess = b
			}
		}
		expected := uint32(math.MaxUint16)
		if match > 0 {
			expected, strength = uint32(codes[match]), uint32(min(length, 15)+min(length/8, 8))
			if expected != before {
				guess = expected
			}
		}
		ran := uint32(min(bits.Len(uint(run)), 7))
		m.hashes = [contexts]uint32{
			before<<8 + x + 1<<24,
			before<<12 + b<<6 + c + d<<18 + 2<<24,
			before | (bit(before == b)|bit(before == c)<<1|bit(before == x)<<2|bit(before == y)<<3|bit(before == z)<<4|bit(x == y)<<5)<<8 | ran<<16 | 3<<24,
			x<<12 + y<<6 + z + before<<18 + 4<<24,
			expected<<8 + strength + bit(expected == before)<<7 + 6<<24,
			before<<8 + 10<<24,
			x<<8 + bit(expected == x) + 12<<24,
			u + at(i-t+1)<<8 + at(i-t-1)<<16 + 8<<24 + bit(before == u)<<31 + bit(x == u)<<30 + bit(expected == u)<<29,
		}
		for k := range m.hashes {
			m.hashes[k] *= 0x85EBCA6B
		}
		code := uint32(codes[i])
		if free != nil && free[i] {
			switch {
			case before >= code:
				code = before
			case guess >= code:
				code = guess
			case uint32(fixed[i]) >= code:
				code = uint32(fixed[i])
			}
		}
		kind := int(min(strength, 7))*8 + int(ran)
		same := m.decide(int(bit(code == before)), 0, kind) == 1
		switch {
		case same:
			code = before
			run++
		case guess != before && m.decide(int(bit(code == guess)), 1, 64+kind) == 1:
			code, run = guess, 0
		default:
			node := uint32(1)
			for k := width - 1; k >= 0; k-- {
				node = node<<1 | uint32(m.decide(int(code>>k&1), node+2, 128+k))
			}
			code, run = node-1<<width, 0
		}
		codes[i] = uint16(code)
	}
}

// match returns the place of the code that follows the longest match of the codes before i, and
// its length; 0 if there is none.
func (m *mixer) match(codes []uint16, i, match, length int) (int, int) {
	if match > 0 && codes[match] == codes[i-1] {
		match++
		length++
	} else {
		match, length = 0, 0
	}
	if i < matchCodes {
		return 0, 0
	}
	hash := uint32(0)
	for k := i - matchCodes; k < i; k++ {
		hash = (hash + uint32(codes[k]) + 1) * 0x2F0B4C47
	}
	last := &m.matches[hash>>(32-matchBits)]
	if match == 0 {
		match = int(*last)
		for length < min(match, 32) && codes[match-1-length] == codes[i-1-length] {
			length++
		}
		if length < matchCodes {
			match, length = 0, 0
		}
	}
	*last = int32(i)
	return match, length
}

// following returns for each code the next one from it on that is neither free nor 0.
func following(codes []uint16, free []bool) []uint16 {
	if free == nil {
		return nil
	}
	list := make([]uint16, len(codes))
	after := uint16(0)
	for i := len(codes) - 1; i >= 0; i-- {
		if !free[i] && codes[i] > 0 {
			after = codes[i]
		}
		list[i] = after
	}
	return list
}

// stridesOf returns the two strides at which a code that differs from the one before is found most
// often, the second where the first does not find it.
func stridesOf(codes []uint16, free []bool) [2]int {
	strides := [2]int{2, 2}
	for n := range strides {
		var hits [mostStride + 1]int32
		for i, seen := mostStride+1, 0; i < len(codes) && seen < 256; i += 7 {
			if free != nil && free[i] || codes[i] == codes[i-1] || n == 1 && codes[i] == codes[i-strides[0]] {
				continue
			}
			for s := 2; s <= mostStride; s++ {
				if codes[i-s] == codes[i] && codes[i-s-1] == codes[i-1] {
					hits[s]++
				}
			}
			seen++
		}
		for s := range hits {
			if hits[s] > hits[strides[n]] {
				strides[n] = s
			}
		}
	}
	return strides
}

// appendMixed appends codes as the payload of a block, after it has chosen those that are free.
func appendMixed(dst []byte, codes []uint16, free []bool) []byte {
	most := uint16(0)
	for _, c := range codes {
		most = max(most, c)
	}
	width, strides := bits.Len16(most), stridesOf(codes, free)
	dst = append(dst, byte(width))
	for _, s := range strides {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(s))
	}
	m := mixers.Get().(*mixer)
	defer mixers.Put(m)
	m.reset(dst, false)
	m.run(codes, free, width, strides)
	return append(m.data, byte(m.high>>24))
}

// decodeMixed fills codes, of a width in bytes, from the payload of a block. It returns false if
// the payload is none.
func decodeMixed(codes, payload []byte, width int) bool {
	if len(payload) < mixedHeader {
		return false
	}
	n := int(payload[0])
	strides := [2]int{int(binary.LittleEndian.Uint16(payload[1:])), int(binary.LittleEndian.Uint16(payload[3:]))}
	if n > 8*width || min(strides[0], strides[1]) < 2 {
		return false
	}
	m := mixers.Get().(*mixer)
	defer mixers.Put(m)
	m.reset(payload[mixedHeader:], true)
	list := make([]uint16, len(codes)/width)
	m.run(list, nil, n, strides)
	for i, c := range list {
		SetCode(codes, i, width, int(c))
	}
	return m.shifts+1 == len(payload)-mixedHeader
}
