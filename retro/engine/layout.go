package engine

import (
	"fmt"
	"math/bits"
	"sort"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// region is a range of indices divided among partitions in blocks: the open part of a tier
// or its closed part. The hash of a block's row chooses the partition:
//
//	row       = block >> bits
//	partition = first + (low bits of block, exclusive or spread(row))
//	slot      = row * BlockSize + offset in the block
//
// The blocks of a row go to different partitions, in a different order for each row.
type region struct {
	tier        int
	open        bool // the open part of the tier
	start, size uint64
	bits        uint   // the region has 1<<bits partitions
	mask        uint64 // 1<<bits - 1
	first       int    // number of its first partition
	number      int
	other       *region // the other region of the tier, or itself
}

// spread is a hash of a row of blocks. The multiplier is 2^64 divided by the golden ratio.
func spread(row uint64) uint64 { return row * 0x9e3779b97f4a7c15 >> 32 }

// locate returns the partition and the slot of an index of the region.
func (r *region) locate(index uint64) (partition int, slot uint32) {
	offset := index - r.start
	block := offset / db.BlockSize
	row := block >> (r.bits & 63) // the mask spares a check for large shifts
	partition = r.first + int((block^spread(row))&r.mask)
	return partition, uint32(row*db.BlockSize + offset%db.BlockSize)
}

// index is the inverse of locate. A slot without an index gives a number past the
// end of the region.
func (r *region) index(partition int, slot uint32) uint64 {
	row := uint64(slot / db.BlockSize)
	block := row<<r.bits | (uint64(partition-r.first)^spread(row))&r.mask
	return r.start + block*db.BlockSize + uint64(slot%db.BlockSize)
}

// slots returns the number of slots of each partition of the region.
func (r *region) slots() uint64 {
	blocks := (r.size + db.BlockSize - 1) / db.BlockSize
	return (blocks + r.mask) >> r.bits * db.BlockSize
}

// layout divides the index space of a game among partitions.
type layout struct {
	regions    []region // in order of indices
	partitions int
}

const (
	// partitionSlots is the default size of a partition: its arrays fit into the
	// second-level cache of a core.
	partitionSlots = 1 << 19
	maxPartitions  = 1 << 20
)

// newLayout returns the layout of a universe. The open part of the largest tier gets at
// least the given number of partitions, or, if that is 0, a number that suits the caches.
// Other regions get partitions of about the same size.
func newLayout(u *games.Universe, partitions int) (*layout, error) {
	size := partitionSize(u, partitions)
	l := &layout{}
	for i, s := range u.Tiers {
		l.add(region{tier: i, open: true, start: s.Start, size: s.Open}, size)
		l.add(region{tier: i, start: s.Start + s.Open, size: s.Size - s.Open}, closedSize(size))
	}
	for i := range l.regions {
		r := &l.regions[i]
		r.number, r.other = i, r
		for _, at := range []int{i - 1, i + 1} {
			if at >= 0 && at < len(l.regions) && l.regions[at].tier == r.tier {
				r.other = &l.regions[at]
			}
		}
	}
	if l.partitions > maxPartitions {
		return nil, fmt.Errorf("%d partitions, at most %d", l.partitions, maxPartitions)
	}
	for _, r := range l.regions {
		if r.slots() > 1<<slotBits {
			return nil, fmt.Errorf("partitions of %d positions, at most %d: use more partitions", r.slots(), 1<<slotBits)
		}
	}
	return l, nil
}

// partitionSize returns the number of positions that a partition is meant to have.
func partitionSize(u *games.Universe, partitions int) uint64 {
	if partitions > 0 {
		largest := uint64(1)
		for _, s := range u.Tiers {
			largest = max(largest, s.Open)
		}
		return max((largest+uint64(partitions)-1)/uint64(partitions), db.BlockSize)
	}
	size := uint64(partitionSlots)
	// The number of partitions is limited, so very large games need larger ones.
	for u.Size()/size > maxPartitions/4 {
		size *= 2
	}
	return size
}

// closedSize returns the number of positions in a partition of a closed part. It is larger,
// since a position there takes only one bit, and fewer partitions need fewer outboxes.
func closedSize(partitionSize uint64) uint64 {
	return max(partitionSize, min(8*partitionSize, 1<<(slotBits-1)))
}

// partitionBits returns the binary logarithm of the number of partitions for a region with
// the given number of indices.
func partitionBits(indices, partitionSize uint64) uint {
	if n := (indices + partitionSize - 1) / partitionSize; n > 1 {
		return uint(bits.Len64(n - 1))
	}
	return 0
}

// slotsOf returns the number of slots of all partitions of such a region.
func slotsOf(indices, partitionSize uint64) uint64 {
	bits := partitionBits(indices, partitionSize)
	r := region{size: indices, bits: bits, mask: 1<<bits - 1}
	return r.slots() << bits
}

func (l *layout) add(r region, partitionSize uint64) {
	if r.size == 0 {
		return
	}
	r.first = l.partitions
	r.bits = partitionBits(r.size, partitionSize)
	r.mask = 1<<r.bits - 1
	l.partitions += 1 << r.bits
	l.regions = append(l.regions, r)
}

// openOf returns the open region of a tier, or nil if it has none.
func (l *layout) openOf(tier int) *region {
	for i := range l.regions {
		if r := &l.regions[i]; r.tier == tier && r.open {
			return r
		}
	}
	return nil
}

// mostOpen returns the largest number of partitions of an open region.
func (l *layout) mostOpen() int {
	most := 0
	for i := range l.regions {
		if r := &l.regions[i]; r.open {
			most = max(most, 1<<r.bits)
		}
	}
	return most
}

// find returns the region of an index. It tries hint and its tier first.
func (l *layout) find(index uint64, hint *region) *region {
	if index-hint.start < hint.size {
		return hint
	}
	return l.findElsewhere(index, hint)
}

func (l *layout) findElsewhere(index uint64, hint *region) *region {
	if index-hint.other.start < hint.other.size {
		return hint.other
	}
	if index < hint.start {
		// Most moves that leave the tier lead to one not far before it.
		for i := hint.number - 1; ; i-- {
			if r := &l.regions[i]; index >= r.start {
				return r
			}
		}
	}
	i := sort.Search(len(l.regions), func(i int) bool {
		return index < l.regions[i].start+l.regions[i].size
	})
	return &l.regions[i]
}
