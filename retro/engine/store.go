package engine

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

// store says where a partition has its arrays: in memory ([inMemory]), or on disk ([stored]) with
// room in memory for those of one partition of each worker at a time, the one that is open. The
// engine asks it once a phase, a chunk of positions or a batch of messages; only replies to
// requests for values on disk come one by one. Only the owner of the partition calls it, or the engine while the workers rest.
type store interface {
	// onDisk reports whether the arrays are on disk. A worker then does all it can with a partition
	// before it goes on to another.
	onDisk() bool

	// bytes returns the approximate size on disk, and toMemory moves the arrays into memory.
	bytes(p *partition) uint64
	toMemory(w *worker, p *partition)

	// allocateBits and allocateValues give the partition arrays that are zero; allocateJointly gives it
	// one for counts and codes, if there is a joint one. freeBits frees the bits of expanded positions
	// and, with reached, those of reached ones too.
	allocateBits(p *partition)
	allocateValues(p *partition, wide bool)
	allocateJointly(p *partition)
	freeBits(p *partition, reached bool)

	// open makes the partition the one in memory; worker.close writes it back. The need methods say
	// what is about to be changed, so that it is read and later written back: its bits, the codes
	// or both counts and codes of some slots, or all counts and codes.
	open(w *worker, p *partition)
	needBits(w *worker, p *partition)
	needCodes(w *worker, p *partition, slots []uint32)
	needSlots(w *worker, p *partition, slots []uint32)
	needAll(w *worker, p *partition)

	// accept keeps the messages of a batch, and apply applies all that are kept.
	accept(w *worker, p *partition, b *Batch)
	apply(w *worker, p *partition)

	// While a tier is initialised, remember notes that slots have summaries which lack values of
	// successors, and reply adds one of these. pending reports whether there are such slots. Once
	// all replies are there, eachRemembered calls do for each and forgets it. It may also call do
	// for slots without a position, since on disk no list of the slots is kept.
	remember(p *partition, slots []uint32)
	reply(w *worker, p *partition, slot uint32, v games.Value)
	pending(p *partition) bool
	eachRemembered(w *worker, p *partition, do func(slot uint32))

	// frontier returns the part of the current frontier that is not in memory, nil if there is none:
	// the positions whose predecessors get messages of a kind. advance makes the next frontier the
	// current one.
	frontier(kind messageKind) *list
	advance()

	// appendState appends the state of the partition to a snapshot, and copyCodes copies the codes of
	// a block to low, and their high bytes to high.
	appendState(w *worker, p *partition, dst []byte) []byte
	copyCodes(p *partition, slot uint32, low, high []byte) error
}

// inMemory is the store of a partition whose arrays stay in memory.
type inMemory struct{}

func (inMemory) onDisk() bool { return false }

func (inMemory) bytes(*partition) uint64      { return 0 }
func (inMemory) toMemory(*worker, *partition) {}

func (inMemory) allocateBits(p *partition) {
	words := p.slots() / 64
	p.reached = make([]uint64, words)
	if p.open {
		p.expanded = make([]uint64, words)
	}
}

func (inMemory) allocateValues(p *partition, wide bool) {
	p.count = make([]uint8, p.slots())
	p.allocateCodes(wide)
}

func (inMemory) allocateJointly(p *partition) {
	p.allocateCodes(false)
	p.joint = newJoint()
}

func (inMemory) freeBits(p *partition, reached bool) {
	p.expanded = nil
	if reached {
		p.reached = nil
	}
}

func (inMemory) open(*worker, *partition)                {}
func (inMemory) needBits(*worker, *partition)            {}
func (inMemory) needCodes(*worker, *partition, []uint32) {}
func (inMemory) needSlots(*worker, *partition, []uint32) {}
func (inMemory) needAll(*worker, *partition)             {}

func (inMemory) accept(w *worker, p *partition, b *Batch) {
	p.inbox = append(p.inbox, b)
	if p.waiting >= p.enough(b.kind) && !p.queued {
		p.queued = true
		w.ready = append(w.ready, p)
	}
}

func (inMemory) apply(w *worker, p *partition) {
	if len(p.inbox) > 0 {
		w.warmed |= p.warm(p.inbox[0].kind)
	}
	for i, b := range p.inbox {
		w.deliver(p, b.kind, b.messages)
		w.recycle(b)
		p.inbox[i] = nil
	}
	p.inbox = p.inbox[:0]
	p.waiting = 0
	p.queued = false
}

func (inMemory) remember(p *partition, slots []uint32) {
	if p.remembered == nil && len(slots) > 0 {
		p.remembered = make([]uint64, p.slots()/64)
	}
	for _, slot := range slots {
		p.remembered[slot/64] |= 1 << (slot % 64)
	}
}

func (inMemory) reply(w *worker, p *partition, slot uint32, v games.Value) { w.improve(p, slot, v) }

func (inMemory) pending(p *partition) bool { return p.remembered != nil }

func (inMemory) eachRemembered(_ *worker, p *partition, do func(slot uint32)) {
	for i, set := range p.remembered {
		for ; set != 0; set &= set - 1 {
			do(uint32(i*64 + bits.TrailingZeros64(set)))
		}
	}
	p.remembered = nil
}

func (inMemory) frontier(messageKind) *list { return nil }
func (inMemory) advance()                   {}

func (inMemory) appendState(_ *worker, p *partition, dst []byte) []byte { return p.append(dst) }

func (inMemory) copyCodes(p *partition, slot uint32, low, high []byte) error {
	for i := range low {
		code := p.code(slot + uint32(i))
		low[i], high[i] = byte(code), byte(code>>8)
	}
	return nil
}
