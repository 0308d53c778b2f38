package engine

import (
	"encoding/binary"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// stored is the [store] of a partition whose tier does not fit in memory. Its owner
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
	replies   list                    // to requests: pairs of a slot and a value
	now, next storedFrontier
}

// storedFrontier is the part of a frontier that is not in memory.
type storedFrontier struct{ won, lost list }

// storedSlots is a list of a frontier, in memory and on disk.
type storedSlots struct {
	slots  *[]uint32
	stored *list
}

// resized returns a slice of n bytes, in the memory of b if that is enough.
func resized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// frontiers returns the lists of a stored partition.
func (s *stored) frontiers(p *partition) [4]storedSlots {
	return [...]storedSlots{
		{&p.now.won, &s.now.won}, {&p.now.lost, &s.now.lost},
		{&p.next.won, &s.next.won}, {&p.next.lost, &s.next.lost},
	}
}

// frame has the arrays of the stored partition that is in memory.
type frame struct {
	p                 *partition // nil if there is none
	s                 *stored    // its store
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

func (*stored) onDisk() bool { return true }

func (s *stored) allocateBits(p *partition) { s.reached, s.expanded = true, p.open }

func (s *stored) allocateValues(*partition, bool) { s.values = true }
func (s *stored) allocateJointly(*partition)      { s.values = true }

func (s *stored) freeBits(p *partition, reached bool) {
	p.expanded, s.expanded = nil, false
	if reached {
		p.reached, s.reached = nil, false
	}
}

// open gives the partition arrays in the frame. They are read when they are needed.
func (s *stored) open(w *worker, p *partition) {
	f := &w.frame
	if f.p == p {
		return
	}
	w.close()
	f.p, f.s = p, s
	w.counters.loads.Add(1)
	n := int(p.slots())
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
	if w.e.codes() > 256 {
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
	p, s := w.frame.p, w.frame.s
	if p == nil {
		return
	}
	if s.values {
		s.closeValues(w, p)
	}
	if w.frame.bits == dirty {
		s.eachBits(p, func(bits []uint64, at int64) {
			buffer := w.frame.bytes[:0]
			for _, word := range bits {
				buffer = binary.LittleEndian.AppendUint64(buffer, word)
			}
			w.write(s.file, buffer, at)
			w.frame.bytes = buffer
		})
		s.bitsWritten = true
	}
	for _, f := range s.frontiers(p) {
		w.push(f.stored, *f.slots...)
		*f.slots = nil
	}
	w.detach(p)
}

// detach forgets the arrays of the partition in memory.
func (w *worker) detach(p *partition) {
	w.frame.p, w.frame.s = nil, nil
	p.count, p.narrow, p.wide, p.reached, p.expanded = nil, nil, nil, nil, nil
	p.now, p.next = frontier{}, frontier{}
}

func (s *stored) closeValues(w *worker, p *partition) {
	f := &w.frame
	if p.wide != nil && !s.wide {
		s.needAll(w, p)
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
			w.write(s.file, p.narrow[first:end], s.codesAt(p, first))
			return
		}
		buffer := f.bytes[:0]
		for _, code := range p.wide[first:end] {
			buffer = binary.LittleEndian.AppendUint16(buffer, code)
		}
		w.write(s.file, buffer, s.codesAt(p, first))
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

// codesAt returns the offset of a slot's code in the file.
func (s *stored) codesAt(p *partition, slot int) int64 {
	if s.wide {
		slot *= 2
	}
	return s.at + int64(p.slots()) + int64(slot)
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

// eachBits calls do with each bitmap of a stored partition, and its offset in the file.
func (s *stored) eachBits(p *partition, do func(bits []uint64, at int64)) {
	at := s.at + 3*int64(p.slots())
	do(p.reached, at)
	do(p.expanded, at+int64(p.slots()/8))
}

func (s *stored) needBits(w *worker, p *partition) {
	if p.reached == nil || w.frame.bits != notRead {
		return
	}
	w.frame.bits = dirty
	s.eachBits(p, func(bits []uint64, at int64) {
		if !s.bitsWritten {
			clear(bits)
			return
		}
		buffer := resized(w.frame.bytes, 8*len(bits))
		w.read(s.file, buffer, at)
		for i := range bits {
			bits[i] = binary.LittleEndian.Uint64(buffer[8*i:])
		}
		w.frame.bytes = buffer
	})
}

// need reads the blocks of some slots, to be changed: of counts or of codes.
func (*stored) need(w *worker, p *partition, blocks []blockState, slots []uint32, read func(w *worker, p *partition, first, end int)) {
	if len(slots) >= len(blocks) {
		eachRun(blocks, notRead, func(first, end int) { read(w, p, first, end) })
	}
	for _, slot := range slots {
		block := slot / db.BlockSize
		if blocks[block] == notRead {
			read(w, p, int(block)*db.BlockSize, int(block+1)*db.BlockSize)
		}
		blocks[block] = dirty
	}
}

func (s *stored) needCodes(w *worker, p *partition, slots []uint32) {
	s.need(w, p, w.frame.codes, slots, s.readCodes)
}

func (s *stored) needSlots(w *worker, p *partition, slots []uint32) {
	s.need(w, p, w.frame.counts, slots, s.readCounts)
	s.needCodes(w, p, slots)
}

func (s *stored) needAll(w *worker, p *partition) {
	eachRun(w.frame.counts, notRead, func(first, end int) { s.readCounts(w, p, first, end) })
	eachRun(w.frame.codes, notRead, func(first, end int) { s.readCodes(w, p, first, end) })
}

// readCounts reads the counts of whole blocks of slots.
func (s *stored) readCounts(w *worker, p *partition, first, end int) {
	w.readBlocks(w.frame.counts, s.counts, first, end, func(first, end int, written bool) {
		if written {
			w.read(s.file, p.count[first:end], s.at+int64(first))
		} else {
			clear(p.count[first:end])
		}
	})
}

// readCodes does the same with codes. On disk they may still have one byte.
func (s *stored) readCodes(w *worker, p *partition, first, end int) {
	w.readBlocks(w.frame.codes, s.codes, first, end, func(first, end int, written bool) {
		switch {
		case !written && p.wide == nil:
			clear(p.narrow[first:end])
		case !written:
			clear(p.wide[first:end])
		case p.wide == nil:
			w.read(s.file, p.narrow[first:end], s.codesAt(p, first))
		default:
			width := 1
			if s.wide {
				width = 2
			}
			buffer := resized(w.frame.bytes, width*(end-first))
			w.read(s.file, buffer, s.codesAt(p, first))
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

// pullSlots brings the stored part of a frontier's list into memory, and empties it.
func (w *worker) pullSlots(p *partition, f storedSlots) {
	if f.stored != nil && !f.stored.empty() {
		p.store.open(w, p)
		w.pull(f.stored, func(slots []uint32) { *f.slots = append(*f.slots, slots...) })
	}
}

func (s *stored) accept(w *worker, _ *partition, b *Batch) {
	w.push(&s.inbox[b.kind], b.messages...)
	w.recycle(b)
}

func (s *stored) apply(w *worker, p *partition) {
	s.open(w, p)
	for kind := range s.inbox {
		w.pull(&s.inbox[kind], func(messages []uint32) {
			switch kind := messageKind(kind); kind {
			case kindReach:
				s.needBits(w, p)
			default:
				s.need(w, p, w.frame.counts, messages, s.readCounts)
			}
			w.deliver(p, messageKind(kind), messages)
		})
	}
	p.waiting = 0
}

// Replies are applied all at once, when the partition is in memory anyway. So every slot of the
// partition has a summary until then.
func (*stored) remember(*partition, []uint32) {}

func (s *stored) reply(w *worker, _ *partition, slot uint32, v games.Value) {
	w.push(&s.replies, slot, uint32(uint16(v)))
}

func (*stored) pending(p *partition) bool { return p.open && p.summed < p.initialised }

func (s *stored) eachRemembered(w *worker, p *partition, do func(slot uint32)) {
	s.open(w, p)
	s.needAll(w, p)
	w.frame.setAll(len(w.frame.counts), dirty)
	w.pull(&s.replies, func(words []uint32) {
		for i := 0; i < len(words); i += 2 {
			w.improve(p, words[i], games.Value(int16(words[i+1])))
		}
	})
	for ; p.summed < p.initialised; p.summed++ {
		do(uint32(p.summed))
	}
}

func (s *stored) frontier(kind messageKind) *list {
	if kind == kindDecrement {
		return &s.now.won
	}
	return &s.now.lost
}

func (s *stored) advance() { s.now, s.next = s.next, s.now }

func (s *stored) appendState(w *worker, p *partition, dst []byte) []byte {
	s.open(w, p)
	s.needBits(w, p)
	s.needAll(w, p)
	for _, f := range s.frontiers(p) {
		w.each(f.stored, func(slots []uint32) { *f.slots = append(*f.slots, slots...) })
	}
	dst = p.append(dst)
	p.now, p.next = frontier{}, frontier{} // they still are on disk
	w.close()
	return dst
}

func (s *stored) copyCodes(p *partition, slot uint32, low, high []byte) error {
	clear(low)
	clear(high[:len(low)])
	if !s.codes[slot/db.BlockSize] {
		return nil
	}
	if !s.wide {
		_, err := s.file.ReadAt(low, s.codesAt(p, int(slot)))
		return err
	}
	both := make([]byte, 2*len(low))
	_, err := s.file.ReadAt(both, s.codesAt(p, int(slot)))
	for i := range low {
		low[i], high[i] = both[2*i], both[2*i+1]
	}
	return err
}
