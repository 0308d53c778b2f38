package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

func TestLocateIsABijection(t *testing.T) {
	for _, size := range []uint64{1, 4095, 4096, 4097, 100_000, 3_000_000, 11_878_227} {
		for _, partitions := range []int{0, 1, 2, 5, 64, 1000} {
			u := &games.Universe{Tiers: []games.Tier{{Size: 2 * size, Open: size}}}
			l, err := newLayout(u, partitions)
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(size, uint64(partitions)))
			for range 2000 {
				index := rng.Uint64N(2 * size)
				r := l.find(index, &l.regions[rng.IntN(len(l.regions))])
				number, slot := r.locate(index)
				whole := slot%db.BlockSize == uint32((index-r.start)%db.BlockSize) // a block stays together
				if r.open != (index < size) || number < r.first || number >= r.first+1<<r.bits || uint64(slot) >= r.slots() ||
					r.index(number, slot) != index || !whole {
					t.Fatalf("index %d of %d is in slot %d of partition %d of %+v", index, size, slot, number, r)
				}
			}
		}
	}
}

// TestLoadIsEven checks that no partition has much more than its share.
func TestLoadIsEven(t *testing.T) {
	u := &games.Universe{Tiers: []games.Tier{{Size: 249_442_767, Open: 249_442_767}}}
	l, err := newLayout(u, 0)
	require.NoError(t, err)
	r := &l.regions[0]
	// Blocks whose low bits are those of their row or the opposite, and blocks of a multiple of every power of
	// two, as digits of an index have.
	strides := []uint64{1<<r.bits + 1, 1<<r.bits - 1}
	for shift := range 8 {
		strides = append(strides, 1<<shift)
	}
	for _, stride := range strides {
		counts := make([]int, 1<<r.bits)
		n := 0
		for block := uint64(0); block < r.size/db.BlockSize; block += stride {
			number, _ := r.locate(block * db.BlockSize)
			counts[number]++
			n++
		}
		for number, count := range counts {
			if most := 2*n/len(counts) + 10; count > most {
				t.Fatalf("partition %d has %d of every %d-th block, at most %d expected", number, count, stride, most)
			}
		}
	}
}

func TestLayoutRefuses(t *testing.T) {
	u := &games.Universe{Tiers: []games.Tier{{Size: 1 << 44, Open: 1 << 44}}}
	_, err := newLayout(u, 1)
	require.EqualError(t, err, fmt.Sprintf("partitions of %d positions, at most %d: use more partitions", uint64(1)<<44, 1<<24))
	_, err = newLayout(u, 1<<21)
	require.ErrorContains(t, err, "partitions, at most")
	_, err = newLayout(u, 0)
	require.ErrorContains(t, err, "use more partitions")
}

// TestLargestLayout deals out more positions than any machine has memory for.
func TestLargestLayout(t *testing.T) {
	_, u := openAwari(t, "", 48)
	l, err := newLayout(u, 0)
	require.NoError(t, err)
	last := &l.regions[len(l.regions)-1]
	require.Equal(t, uint64(279_871_768_995), last.size)
	index := last.start + last.size - 1
	partition, slot := last.locate(index)
	require.Equal(t, index, last.index(partition, slot))
}
