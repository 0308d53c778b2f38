package othello

import (
	"math/bits"
	"runtime/debug"
	"unsafe"
)

// table has results of positions, in slots of some entries: the last is for the latest position, the
// others for those with more empty squares. It grows with its contents.
type table struct {
	slots []slot
	shift uint
	used  int // entries that have a result
}

// slotEntries is the number of entries that fit into a line of the cache.
const slotEntries = 3

// slot fills a line of the cache.
type slot struct {
	keys    [slotEntries]key
	results [slotEntries]struct {
		bounds
		empties uint8
	}
	_ [4]byte
}

const slotSize = uint64(unsafe.Sizeof(slot{}))

// leastBits is the logarithm of the number of slots at the beginning, and of the least number.
const leastBits = 9

func newTable(bits uint) table { return table{slots: make([]slot, 1<<bits), shift: 64 - bits} }

func (t *table) bytes() uint64 { return uint64(len(t.slots)) * slotSize }

func (t *table) slot(k key) *slot {
	h := (k.own*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(k.opposite, 29)) * 0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return &t.slots[h>>t.shift]
}

func (t *table) look(k key) (bounds, bool) {
	s := t.slot(k)
	for i := range s.keys {
		if s.keys[i] == k {
			return s.results[i].bounds, true
		}
	}
	return bounds{}, false
}

// put adds a result, and reports whether the table should grow.
func (t *table) put(k key, b bounds, empties int) (full bool) {
	s := t.slot(k)
	at := slotEntries - 1
	least := empties
	for i := range s.keys {
		if s.keys[i] == k {
			at = i
			break
		}
		if i < slotEntries-1 && int(s.results[i].empties) <= least {
			at, least = i, int(s.results[i].empties)
		}
	}
	if s.keys[at] == (key{}) {
		t.used++
		full = t.used > len(t.slots)*slotEntries/4*3
	}
	s.keys[at] = k
	s.results[at].bounds, s.results[at].empties = b, uint8(empties)
	return full
}

// grow doubles the table. Until it returns, the old entries take memory too.
func (t *table) grow() {
	next := newTable(64 - t.shift + 1)
	for i := range t.slots {
		s := &t.slots[i]
		for j, k := range s.keys {
			if k != (key{}) {
				next.put(k, s.results[j].bounds, int(s.results[j].empties))
			}
		}
	}
	*t = next
}

// shrink empties the table and halves it. It reports false if it is as small as it can be.
func (t *table) shrink() bool {
	size := 64 - t.shift
	if size == leastBits {
		return false
	}
	*t = table{}
	debug.FreeOSMemory() // or both would take memory
	*t = newTable(size - 1)
	return true
}
