package db

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/yomikiri/yomikiri/internal/compression"
)

// Compact databases have blocks of units, each of which can be decoded without the others: a lookup decodes one. Codes
// of a unit are coded one by one, as binary decisions: whether sixteen codes go on with the one before, whether a code is
// the one before, whether it is a guess, and otherwise its bits. The probability of a decision does not depend on the
// decisions of other units, but on a model of the whole tier. That has a table for each of some contexts, made of the codes
// before and of those two strides back. The logit of the probability is the sum of one entry of each table.
//
// A block is stored as
//
//	+----------+-------------------------+-------+-----+----------+
//	| encoding | lengths of units, varint | unit | ... | checksum |
//	+----------+-------------------------+-------+-----+----------+
//
// The checksum is that of the key and all bytes before it. The model is stored after the blocks of the tier, as one more:
//
//	+----------+----------------+------------+------------+--------------------+----------+
//	| encoding | table bits, 8  | stride, 16 | stride, 16 | entries, 8 bits    | checksum |
//	+----------+----------------+------------+------------+--------------------+----------+
//
// with the entries, in 16ths, as a zstd frame.
const (
	contexts     = 7
	group        = 16 // codes that one decision can settle
	logitUnit    = 16 // of an entry
	mostLogit    = 11 * logitUnit
	leastTable   = 8 // bits
	mostTable    = 16
	modelHeader  = 1 + 1 + 2 + 2
	leastModel   = 1 << 13 // indices of a tier that has a model
	groupContext = 0x10000
)

// squashes has the probabilities, in 65536ths, of logits from -mostLogit on. They are made of whole numbers, so that
// all machines have the same.
var squashes = func() (list [2*mostLogit + 1]uint16) {
	const one, root = 1 << 32, 4034748382 // root is exp(-1/16)
	for x, power := 0, uint64(one); x <= mostLogit; x++ {
		p := ((1 << 63) / (one + power)) >> 15 // of 16 bits
		list[mostLogit+x] = uint16(min(p, 65535))
		list[mostLogit-x] = uint16(max(65536-p, 1))
		power = power * root >> 32
	}
	return list
}()

// model predicts the codes of a tier.
type model struct {
	strides   [2]int
	tableBits int
	tables    []int8   // one after the other
	codes     []uint16 // by symbol, which count from 1; ascending
	symbolOf  []uint16 // by code: the symbol of the first code that is not smaller
	width     int      // bits of a symbol
}

// alphabet returns the codes that the blocks of a tier can have, ascending.
func (c *Content) alphabet(tier int) []uint16 {
	t := &c.Tiers[tier]
	var list []uint16
	for _, n := range t.Counts {
		if at := slices.Index(c.Values, n.Value); at >= 0 && n.Positions > n.Finished {
			list = append(list, uint16(at+1))
		}
	}
	if anything := t.Compact && c.Positions == "all"; len(list) == 0 || !anything && t.Unfinished < t.Open { // holes and finished positions
		list = append(list, 0)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// setAlphabet sets the codes of the tier.
func (m *model) setAlphabet(list []uint16) {
	m.codes, m.width, m.symbolOf = list, bits.Len(uint(len(list)-1)), nil
	for at, code := range list {
		for len(m.symbolOf) <= int(code) {
			m.symbolOf = append(m.symbolOf, uint16(at+1))
		}
	}
}

// symbols replaces codes by their symbols, a free code that does not occur by the first larger one. It returns false if
// there is none.
func (m *model) symbols(codes []uint16, free []bool) bool {
	for i, code := range codes {
		if int(code) >= len(m.symbolOf) {
			return false
		}
		symbol := m.symbolOf[code]
		if m.codes[symbol-1] != code && (free == nil || !free[i]) {
			return false
		}
		codes[i] = symbol
	}
	return true
}

// modelCodec is for the entries of models.
var modelCodec = compression.NewCodec(contexts<<mostTable,
	zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<19))

// appendStored appends the stored form of a model, whose key is given, to dst.
func (m *model) appendStored(dst, key []byte) []byte {
	begin := len(dst)
	dst = append(dst, encodingModel, byte(m.tableBits))
	for _, s := range m.strides {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(s))
	}
	entries := make([]byte, len(m.tables))
	for i, x := range m.tables {
		entries[i] = byte(x)
	}
	dst = modelCodec.AppendCompressed(dst, entries)
	return binary.LittleEndian.AppendUint64(dst, blockSum(key, dst[begin:]))
}

// Append appends the stored form of the model of a tier to dst, which is stored as a block.
func (m *Model) Append(dst []byte, tier int, block uint64) []byte {
	return m.appendStored(dst, AppendKey(nil, tier, block))
}

// decodeModel is the inverse of appendStored.
func decodeModel(key, stored []byte, alphabet []uint16) (*model, error) {
	damaged := fmt.Errorf("%w: model of %d bytes", ErrCorrupt, len(stored))
	payload, ok := checked(key, stored)
	if !ok || len(payload) < modelHeader || payload[0] != encodingModel || payload[1] < leastTable || payload[1] > mostTable {
		return nil, damaged
	}
	m := &model{tableBits: int(payload[1])}
	for i := range m.strides {
		m.strides[i] = int(binary.LittleEndian.Uint16(payload[2+2*i:]))
		if m.strides[i] < 2 {
			return nil, damaged
		}
	}
	entries, err := modelCodec.AppendDecompressed(nil, payload[modelHeader:])
	if err != nil || len(entries) != contexts<<m.tableBits {
		return nil, damaged
	}
	m.tables = make([]int8, len(entries))
	for i, x := range entries {
		m.tables[i] = int8(x)
	}
	m.setAlphabet(alphabet)
	return m, nil
}

// checked returns what is stored without its checksum, and whether that is right.
func checked(key, stored []byte) (payload []byte, ok bool) {
	at := len(stored) - checksumSize
	if at < 1 {
		return nil, false
	}
	return stored[:at], blockSum(key, stored[:at]) == binary.LittleEndian.Uint64(stored[at:])
}

// coder walks through the codes of a unit, and codes or decodes its decisions, or learns from them.
type coder struct {
	*model
	hashes  [contexts]uint32
	learner *learner // nil unless it learns

	code, run int // the next one in the unit, and how many before it are alike

	decoding  bool
	data      []byte // what is written, or read
	at        int    // what is read so far
	low, high uint32
	window    uint32 // what is decoded
}

var coders = sync.Pool{New: func() any { return new(coder) }}

// appendUnit appends a unit of symbols to dst, after it has chosen those that are free.
func (c *coder) appendUnit(dst []byte, symbols []uint16, free []bool) []byte {
	begin := len(dst)
	c.data, c.decoding, c.low, c.high = dst, false, 0, 1<<32-1
	c.code, c.run = 0, 0
	c.walk(symbols, free, len(symbols))
	if c.low > 0 {
		c.data = append(c.data, byte(c.high>>24))
	}
	for len(c.data) > begin && c.data[len(c.data)-1] == 0 { // the reader goes on with zeros
		c.data = c.data[:len(c.data)-1]
	}
	return c.data
}

// decodeUnit fills symbols from a unit, at least as many as needed.
func (c *coder) decodeUnit(symbols []uint16, unit []byte, needed int) {
	c.data, c.at, c.decoding, c.low, c.high, c.window = unit, 0, true, 0, 1<<32-1, 0
	c.code, c.run = 0, 0
	for range 4 {
		c.window = c.window<<8 | c.next()
	}
	c.walk(symbols, nil, needed)
}

// next returns the next byte, and 0 after the last.
func (c *coder) next() (b uint32) {
	if c.at < len(c.data) {
		b = uint32(c.data[c.at])
		c.at++
	}
	return b
}

// decide codes, decodes or learns a decision. node tells the decisions of a code apart.
func (c *coder) decide(bit bool, node uint32) bool {
	node *= 0x9E3779B1
	if c.learner != nil {
		c.learner.decide(bit, node, &c.hashes)
		return bit
	}
	t, h, size, shift := c.tables, &c.hashes, uint32(1)<<c.tableBits, uint32(32-c.tableBits)&31
	sum := int(t[(h[0]^node)>>shift]) + int(t[(h[1]^node)>>shift+size]) + int(t[(h[2]^node)>>shift+2*size]) + int(t[(h[3]^node)>>shift+3*size]) +
		int(t[(h[4]^node)>>shift+4*size]) + int(t[(h[5]^node)>>shift+5*size]) + int(t[(h[6]^node)>>shift+6*size])
	p := squashes[min(max(sum, -mostLogit), mostLogit)+mostLogit]
	middle := c.low + uint32(uint64(c.high-c.low)*uint64(p)>>16)
	if c.decoding {
		bit = c.window <= middle
	}
	if bit {
		c.high = middle
	} else {
		c.low = middle + 1
	}
	for (c.low^c.high)>>24 == 0 {
		if c.decoding {
			c.window = c.window<<8 | c.next()
		} else {
			c.data = append(c.data, byte(c.high>>24))
		}
		c.low, c.high = c.low<<8, c.high<<8|255
	}
	return bit
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// walk goes through the symbols of a unit, from where it was on, at least as many as needed, and no more if that is a multiple of
// group. Unless it decodes, free ones, if free is not nil, become larger where that is likely to cost less.
func (c *coder) walk(symbols []uint16, free []bool, needed int) {
	s, t := c.strides[0], c.strides[1]
	at := func(i int) uint32 {
		if i < 0 {
			return 0
		}
		return uint32(symbols[i])
	}
	fits := func(i int, symbol uint32) bool {
		return uint32(symbols[i]) == symbol || free != nil && free[i] && symbol >= uint32(symbols[i])
	}
	fixed := following(symbols, free)
	i, run := c.code, c.run
	for ; i < needed; i++ {
		before := at(i - 1)
		if i%group == 0 && run >= group && i+group <= len(symbols) {
			like, likeToo := true, true
			for k := i; k < i+group; k++ {
				like = like && at(min(k-s, i-1)) == before
				likeToo = likeToo && at(min(k-t, i-1)) == before
			}
			all := !c.decoding
			for k := i; all && k < i+group; k++ {
				all = fits(k, before)
			}
			likes := bit(like) | bit(likeToo)<<1
			length := uint32(bits.Len(uint(run)))
			c.hashes = [contexts]uint32{mixed(1, before, length, likes), mixed(2, before, uint32(i), 0), mixed(3, length, likes, 0), mixed(4, before, likes, 0),
				mixed(5, at(i-s), at(min(i-s+group, i)-1), before), mixed(6, at(i-t), at(min(i-t+group, i)-1), before), mixed(7, 0, 0, 0)}
			if c.decide(all, groupContext) {
				for k := i; k < i+group; k++ {
					symbols[k] = uint16(before)
				}
				run += group
				i += group - 1
				continue
			}
		}
		b, d, e := at(i-2), at(i-3), at(i-4)
		x, y, z, u := at(i-s), at(i-s+1), at(i-s-1), at(i-t)
		guess := x
		for _, other := range [...]uint32{y, b, u} {
			if guess == before {
				guess = other
			}
		}
		like := bit(before == b) | bit(before == d)<<1 | bit(before == x)<<2 | bit(before == y)<<3 | bit(before == z)<<4 | bit(x == y)<<5 | bit(before == u)<<6 | bit(x == u)<<7
		c.hashes = [contexts]uint32{
			mixed(1, before, x, u),
			mixed(2, before, b, d<<9|e),
			mixed(3, before, like, uint32(bits.Len(uint(run)))),
			mixed(4, x, y, z<<9|before),
			mixed(5, before, b, x<<9|y),
			mixed(6, x, u, at(i-t+1)<<9|at(i-t-1)),
			mixed(7, before, d, x<<9|at(i-2*s)),
		}
		symbol := uint32(symbols[i])
		if free != nil && free[i] {
			for _, other := range [...]uint32{before, guess, uint32(fixed[i])} {
				if other > 0 && other >= symbol {
					symbol = other
					break
				}
			}
		}
		switch {
		case c.decide(symbol == before, 0):
			symbol = before
			run++
		case guess != before && c.decide(symbol == guess, 1+guess<<8):
			symbol, run = guess, 0
		default:
			node := uint32(1)
			for k := c.width - 1; k >= 0; k-- {
				node = node<<1 | bit(c.decide((symbol-1)>>k&1 == 1, node+2))
			}
			symbol, run = node-1<<c.width+1, 0
		}
		symbols[i] = uint16(symbol)
	}
	c.code, c.run = i, run
}

// mixed returns the hash of a context.
func mixed(context, a, b, c uint32) uint32 {
	return (((context*0x2F0B4C47+a)*0x85EBCA6B+b)*0xC2B2AE35+c)*0x27D4EB2F ^ a<<7
}

// following returns for each symbol the next one from it on that is not free.
func following(symbols []uint16, free []bool) []uint16 {
	if free == nil {
		return nil
	}
	list := make([]uint16, len(symbols))
	after := uint16(0)
	for i := len(symbols) - 1; i >= 0; i-- {
		if !free[i] {
			after = symbols[i]
		}
		list[i] = after
	}
	return list
}

// errNoSymbol is returned for codes that the manifest contradicts.
var errNoSymbol = fmt.Errorf("%w: a code that no position of the tier has", ErrCorrupt)

// appendUnits appends the stored form of a block to dst. Codes become those that were chosen.
func (m *model) appendUnits(dst, key []byte, codes []uint16, free []bool, unit int) ([]byte, error) {
	if !m.symbols(codes, free) {
		return nil, errNoSymbol
	}
	begin := len(dst)
	c := coders.Get().(*coder)
	defer coders.Put(c)
	c.model, c.learner = m, nil
	dst = append(dst, encodingUnits)
	var units []byte
	for first := 0; first < len(codes); first += unit {
		last, before := min(first+unit, len(codes)), len(units)
		var some []bool
		if free != nil {
			some = free[first:last]
		}
		units = c.appendUnit(units, codes[first:last], some)
		dst = binary.AppendUvarint(dst, uint64(len(units)-before))
	}
	for i, symbol := range codes {
		codes[i] = m.codes[symbol-1]
	}
	dst = append(dst, units...)
	return binary.LittleEndian.AppendUint64(dst, blockSum(key, dst[begin:])), nil
}

// symbolBuffers are for decoded units.
var symbolBuffers = sync.Pool{New: func() any { return new([]uint16) }}

// decodeUnits fills codes, of a width in bytes, with those from the unit with number first on, given the payload of a block of
// some positions. The last unit need not be filled: the coder stays where it has stopped. It returns false if the payload is none.
func (c *coder) decodeUnits(codes, payload []byte, first, positions, unit, width int) bool {
	list := symbolBuffers.Get().(*[]uint16)
	defer symbolBuffers.Put(list)
	*list = slices.Grow((*list)[:0], unit)[:unit]
	rest, units := payload, (positions+unit-1)/unit
	for range units {
		_, n := binary.Uvarint(rest)
		if n <= 0 {
			return false
		}
		rest = rest[n:]
	}
	for k := 0; k < units && len(codes) > 0; k++ {
		length, n := binary.Uvarint(payload)
		payload = payload[n:]
		if length > uint64(len(rest)) {
			return false
		}
		if k >= first {
			symbols := (*list)[:min(unit, positions-k*unit)]
			needed := min(len(symbols), len(codes)/width)
			c.decodeUnit(symbols, rest[:length], needed)
			if !c.setCodes(codes[:needed*width], symbols, width) {
				return false
			}
			codes = codes[needed*width:]
		}
		rest = rest[length:]
	}
	return len(codes) == 0
}

// goOn decodes the unit in which the coder has stopped further, given the codes before, which it appends to up to the end, in new
// memory, if the unit has some positions. It returns false if the unit is none.
func (c *coder) goOn(codes []byte, positions, width int) ([]byte, bool) {
	list := symbolBuffers.Get().(*[]uint16)
	defer symbolBuffers.Put(list)
	*list = slices.Grow((*list)[:0], positions)[:positions]
	symbols, begin := *list, len(codes)/width
	for i := range begin {
		symbols[i] = c.symbolOf[CodeAt(codes, i, width)]
	}
	c.walk(symbols, nil, positions)
	all := make([]byte, positions*width)
	copy(all, codes)
	return all, c.setCodes(all[len(codes):], symbols[begin:], width)
}

// setCodes fills codes with those of symbols, and returns false if one is none.
func (m *model) setCodes(codes []byte, symbols []uint16, width int) bool {
	for i, symbol := range symbols[:len(codes)/width] {
		if symbol == 0 || int(symbol) > len(m.codes) {
			return false
		}
		SetCode(codes, i, width, int(m.codes[symbol-1]))
	}
	return true
}
