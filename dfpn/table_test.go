package dfpn

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/memory"
)

// TestTableMemory checks that a table takes memory as it is used, and that entries
// survive the move to huge pages while the table is in use.
func TestTableMemory(t *testing.T) {
	const size = 512 << 20
	before := memory.Resident()
	table, err := NewFixedTable(size)
	require.NoError(t, err)
	if table.collapse == nil {
		t.Skip("this system cannot move memory to huge pages")
	}
	moved := make(chan struct{})
	collapse := table.collapse
	table.collapse = func() { collapse(); close(moved) }

	at := func(i int) position { return position{key: nonzero(uint64(i) * 0x2545f4914f6cdd1d)} }
	store := func(first, last int) {
		for i := first; i < last; i++ {
			table.store(at(i), &entry{kind: open, proof: uint32(i), disproof: 1, amount: 1})
		}
	}
	store(1, 1000)
	require.Less(t, memory.Resident(), before+size/8, "after 1,000 entries")

	const goroutines, each = 4, collapseAt
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() { store(1000+g*each, 1000+(g+1)*each) })
	}
	group.Wait()
	<-moved
	for i := 1; i < 1000+goroutines*each; i++ {
		require.Equal(t, uint32(i), table.lookup(at(i), Unlimited, 1, 1).proof)
	}
}

// TestTableLarge stores entries in all parts of a table of 16 GiB, of which it uses few pages.
func TestTableLarge(t *testing.T) {
	const size, entries = 16 << 30, 2000
	if physical, ok := memory.Physical(); !ok || physical < size+size/8 {
		t.Skip("there is too little memory")
	}
	table, err := NewFixedTable(size)
	require.NoError(t, err)
	if table.collapse == nil {
		t.Skip("this system would use large pages")
	}
	require.Equal(t, int64(size), table.Size())
	at := func(i int) position { return position{key: nonzero(uint64(i) * 0x2545f4914f6cdd1d)} }
	var parts [16]int // entries in each GiB
	for i := 1; i <= entries; i++ {
		parts[table.start(at(i).key)*clusterBytes>>30]++
		table.store(at(i), &entry{kind: open, proof: uint32(i), disproof: 1, amount: 1})
	}
	for part, n := range parts {
		require.Greater(t, n, entries/32, part)
	}
	for i := 1; i <= entries; i++ {
		require.Equal(t, uint32(i), table.lookup(at(i), Unlimited, 1, 1).proof)
	}
	table.Clear()
	require.Zero(t, table.Full())
	require.Equal(t, unknown, table.lookup(at(1), Unlimited, 1, 1).kind)
}
