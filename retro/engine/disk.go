package engine

import (
	"encoding/binary"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
)

// stored is the state on disk of a partition whose tier does not fit in memory. Its owner
// has a frame for the arrays of one partition at a time. Only the blocks of db.BlockSize
// slots that are needed are read, and only those that change are written back.
//
// In the file of its owner and tier a partition of n slots has n bytes for counts, 2n for
// codes of one byte or two, and n bits each for reached and for expanded positions.
type stored struct {
	file        vfs.File
	at          int64 // of the counts
	values      bool  // it has counts and codes
	reached     bool  // it has bits for reached positions, and
	expanded    bool  // for expanded ones
	wide        bool  // codes have two bytes
	bitsWritten bool
	counts      []bool // by block: whether they were written
	codes       []bool

	inbox     [kindDecrement + 1]list // messages by kind
	answers   list                    // to requests: pairs of a slot and a value
	now, next storedFrontier
}

// storedFrontier is the part of a frontier that is not in memory.
type storedFrontier struct{ won, lost list }

// storedSlots is a list of a frontier, in memory and on disk.
type storedSlots struct {
	slots  *[]uint32
	stored *list
}

// frontiers returns the lists of a stored partition.
func (p *partition) frontiers() [4]storedSlots {
	s := p.stored
	return [...]storedSlots{
		{&p.now.won, &s.now.won}, {&p.now.lost, &s.now.lost},
		{&p.next.won, &s.next.won}, {&p.next.lost, &s.next.lost},
	}
}

// frame has the arrays of the stored partition that is in memory.
type frame struct {
	p                 *partition // nil if there is none
	count, narrow     []uint8
	wide              []uint16
	reached, expanded []uint64
	counts, codes     []blockState
	bits              blockState
	bytes             []byte
}

// blockState says how a block in memory differs from that on disk.
type blockState uint8

const (
	notRead blockState = iota
	clean
	dirty
)

// open makes a stored partition the one that is in memory; for a partition that is not
// stored it does nothing. The arrays are read when they are needed.
func (w *worker) open(p *partition) {
	f := &w.frame
	if p.stored == nil || f.p == p {
		return
	}
	w.close()
	f.p = p
	w.counters.loads.Add(1)
	n, s := int(p.slots()), p.stored
	f.setAll(0, notRead)
	f.bits = notRead
	if s.reached {
		f.reached = slices.Grow(f.reached[:0], n/64)
		p.reached = f.reached[:n/64]
	}
	if s.expanded {
		f.expanded = slices.Grow(f.expanded[:0], n/64)
		p.expanded = f.expanded[:n/64]
	}
	if !s.values {
		return
	}
	f.setAll(n/db.BlockSize, notRead)
	f.count = slices.Grow(f.count[:0], n)
	p.count = f.count[:n]
	if s.wide {
		f.wide = slices.Grow(f.wide[:0], n)
		p.wide = f.wide[:n]
		return
	}
	f.narrow = slices.Grow(f.narrow[:0], n)
	p.narrow = f.narrow[:n]
	if len(w.e.state.Codes)+codes > 256 {
		p.widen()
	}
}

// setAll sets the state of the first n blocks.
func (f *frame) setAll(n int, s blockState) {
	f.counts, f.codes = f.counts[:0], f.codes[:0]
	for range n {
		f.counts, f.codes = append(f.counts, s), append(f.codes, s)
	}
}

// close writes back what has changed of the partition in memory, if there is one.
func (w *worker) close() {
	p := w.frame.p
	if p == nil {
		return
	}
	if p.stored.values {
		w.closeValues(p)
	}
	if w.frame.bits == dirty {
		w.eachBits(p, func(bits []uint64, at int64) {
			buffer := w.frame.bytes[:0]
			for _, word := range bits {
				buffer = binary.LittleEndian.AppendUint64(buffer, word)
			}
			w.write(p.stored.file, buffer, at)
			w.frame.bytes = buffer
		})
		p.stored.bitsWritten = true
	}
	for _, f := range p.frontiers() {
		w.push(f.stored, *f.slots...)
		*f.slots = nil
	}
	w.detach(p)
}

// detach forgets the arrays of the partition in memory.
func (w *worker) detach(p *partition) {
	w.frame.p = nil
	p.count, p.narrow, p.wide, p.reached, p.expanded = nil, nil, nil, nil, nil
	p.now, p.next = frontier{}, frontier{}
}

func (w *worker) closeValues(p *partition) {
	f, s := &w.frame, p.stored
	if p.wide != nil && !s.wide {
		w.needAll(p)
		for i := range f.codes {
			f.codes[i] = dirty
		}
		s.wide = true
	}
	eachRun(f.counts, dirty, func(first, end int) {
		w.write(s.file, p.count[first:end], s.at+int64(first))
	})
	eachRun(f.codes, dirty, func(first, end int) {
		if p.wide == nil {
			w.write(s.file, p.narrow[first:end], p.codesAt(first))
			return
		}
		buffer := f.bytes[:0]
		for _, code := range p.wide[first:end] {
			buffer = binary.LittleEndian.AppendUint16(buffer, code)
		}
		w.write(s.file, buffer, p.codesAt(first))
		f.bytes = buffer
	})
	for i := range f.counts {
		s.counts[i] = s.counts[i] || f.counts[i] == dirty
		s.codes[i] = s.codes[i] || f.codes[i] == dirty
	}
	if p.wide != nil {
		f.wide = p.wide
	}
}

// codesAt returns the place of a slot's code in the file.
func (p *partition) codesAt(slot int) int64 {
	if p.stored.wide {
		slot *= 2
	}
	return p.stored.at + int64(p.slots()) + int64(slot)
}

// storedSize returns the room for a partition in the file.
func (p *partition) storedSize() int64 {
	n := int64(p.slots())
	return 3*n + n/4
}

// eachRun calls do with the first slot of each run of blocks in the given state, and with
// the slot after it.
func eachRun(blocks []blockState, s blockState, do func(first, end int)) {
	for first := 0; first < len(blocks); first++ {
		if blocks[first] != s {
			continue
		}
		end := first + 1
		for end < len(blocks) && blocks[end] == s {
			end++
		}
		do(first*db.BlockSize, end*db.BlockSize)
		first = end
	}
}

// eachBits calls do with each bitmap of a stored partition, and its place in the file.
func (w *worker) eachBits(p *partition, do func(bits []uint64, at int64)) {
	at := p.stored.at + 3*int64(p.slots())
	do(p.reached, at)
	do(p.expanded, at+int64(p.slots()/8))
}

// needBits reads the bits of a stored partition in memory, to be changed.
func (w *worker) needBits(p *partition) {
	if p.stored == nil || p.reached == nil || w.frame.bits != notRead {
		return
	}
	w.frame.bits = dirty
	w.eachBits(p, func(bits []uint64, at int64) {
		if !p.stored.bitsWritten {
			clear(bits)
			return
		}
		buffer := resized(w.frame.bytes, 8*len(bits))
		w.read(p.stored.file, buffer, at)
		for i := range bits {
			bits[i] = binary.LittleEndian.Uint64(buffer[8*i:])
		}
		w.frame.bytes = buffer
	})
}

// need reads the blocks of some slots, to be changed: of counts or of codes.
func (w *worker) need(p *partition, blocks []blockState, slots []uint32, read func(p *partition, first, end int)) {
	if len(slots) >= len(blocks) {
		eachRun(blocks, notRead, func(first, end int) { read(p, first, end) })
	}
	for _, slot := range slots {
		block := slot / db.BlockSize
		if blocks[block] == notRead {
			read(p, int(block)*db.BlockSize, int(block+1)*db.BlockSize)
		}
		blocks[block] = dirty
	}
}

// needSlots reads the counts and codes of some slots, to be changed.
func (w *worker) needSlots(p *partition, slots []uint32) {
	if p.stored != nil {
		w.need(p, w.frame.counts, slots, w.readCounts)
		w.need(p, w.frame.codes, slots, w.readCodes)
	}
}

// needAll reads all counts and codes.
func (w *worker) needAll(p *partition) {
	if p.stored != nil {
		eachRun(w.frame.counts, notRead, func(first, end int) { w.readCounts(p, first, end) })
		eachRun(w.frame.codes, notRead, func(first, end int) { w.readCodes(p, first, end) })
	}
}

// readCounts reads the counts of whole blocks of slots.
func (w *worker) readCounts(p *partition, first, end int) {
	w.readBlocks(w.frame.counts, p.stored.counts, first, end, func(first, end int, written bool) {
		if written {
			w.read(p.stored.file, p.count[first:end], p.stored.at+int64(first))
		} else {
			clear(p.count[first:end])
		}
	})
}

// readCodes does the same with codes. On disk they may still have one byte.
func (w *worker) readCodes(p *partition, first, end int) {
	w.readBlocks(w.frame.codes, p.stored.codes, first, end, func(first, end int, written bool) {
		s := p.stored
		switch {
		case !written && p.wide == nil:
			clear(p.narrow[first:end])
		case !written:
			clear(p.wide[first:end])
		case p.wide == nil:
			w.read(s.file, p.narrow[first:end], p.codesAt(first))
		default:
			width := 1
			if s.wide {
				width = 2
			}
			buffer := resized(w.frame.bytes, width*(end-first))
			w.read(s.file, buffer, p.codesAt(first))
			for i := range p.wide[first:end] {
				if s.wide {
					p.wide[first+i] = binary.LittleEndian.Uint16(buffer[2*i:])
				} else {
					p.wide[first+i] = uint16(buffer[i])
				}
			}
			w.frame.bytes = buffer
		}
	})
}

// readBlocks calls read for each run of blocks that were all written, or all not written.
func (w *worker) readBlocks(blocks []blockState, written []bool, first, end int, read func(first, end int, written bool)) {
	for first < end {
		block := first / db.BlockSize
		n := block
		for n < end/db.BlockSize && written[n] == written[block] {
			blocks[n] = clean
			n++
		}
		read(first, n*db.BlockSize, written[block])
		first = n * db.BlockSize
	}
}

// recall brings a list of a frontier into memory.
func (w *worker) recall(p *partition, f storedSlots) {
	if p.stored != nil && !f.stored.empty() {
		w.open(p)
		w.pull(f.stored, func(slots []uint32) { *f.slots = append(*f.slots, slots...) })
	}
}

// copyStored copies the codes of a block to low, and their high bytes to high.
func (p *partition) copyStored(slot uint32, low, high []byte) error {
	s := p.stored
	clear(low)
	clear(high[:len(low)])
	if !s.codes[slot/db.BlockSize] {
		return nil
	}
	if !s.wide {
		_, err := s.file.ReadAt(low, p.codesAt(int(slot)))
		return err
	}
	both := make([]byte, 2*len(low))
	_, err := s.file.ReadAt(both, p.codesAt(int(slot)))
	for i := range low {
		low[i], high[i] = both[2*i], both[2*i+1]
	}
	return err
}
