package othello

import (
	"math/bits"
	"runtime/debug"
	"unsafe"
)

// table has results of positions, in pairs of entries: one for the position with more empty
// squares, one for the last. It grows with its contents.
type table struct {
	entries []entry
	shift   uint
	used    int // entries that have a result
}

type entry struct {
	key
	bounds
	empties uint8
}

const entrySize = uint64(unsafe.Sizeof(entry{}))

// leastBits is the logarithm of the number of entries at the beginning, and of the least number.
const leastBits = 10

func newTable(bits uint) table { return table{entries: make([]entry, 1<<bits), shift: 64 - bits} }

func (t *table) bytes() uint64 { return uint64(len(t.entries)) * entrySize }

func (t *table) slot(k key) []entry {
	h := (k.own*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(k.opposite, 29)) * 0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	at := h >> t.shift &^ 1
	return t.entries[at : at+2]
}

func (t *table) look(k key) (bounds, bool) {
	slot := t.slot(k)
	for i := range slot {
		if slot[i].key == k {
			return slot[i].bounds, true
		}
	}
	return bounds{}, false
}

// put adds a result, and reports whether the table should grow.
func (t *table) put(k key, b bounds, empties int) (full bool) {
	slot := t.slot(k)
	at := &slot[1]
	if slot[0].key == k || slot[1].key != k && empties >= int(slot[0].empties) {
		at = &slot[0]
	}
	if at.key == (key{}) {
		t.used++
		full = t.used > len(t.entries)/4*3
	}
	*at = entry{k, b, uint8(empties)}
	return full
}

// grow doubles the table. Until it returns, the old entries take memory too.
func (t *table) grow() {
	next := newTable(64 - t.shift + 1)
	for _, e := range t.entries {
		if e.key != (key{}) {
			next.put(e.key, e.bounds, int(e.empties))
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
