package dfpn

import (
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

const (
	hugePageBits = 21
	hugePage     = 1 << hugePageBits

	adviseHuge     = 14 // MADV_HUGEPAGE
	adviseNoHuge   = 15 // MADV_NOHUGEPAGE
	adviseCollapse = 25 // MADV_COLLAPSE, since Linux 6.1

	// attempts is how often to try to move a page.
	attempts = 16
)

// newClusters returns n empty clusters, and a function that moves the memory around one of
// them to a huge page, which may be called while they are in use; it is nil if they are not
// to be moved. On small pages a random lookup waits as long for the address translation as
// for the data, but a small search that touches every huge page once fills the whole memory.
// If madvise fails, only speed or memory suffers.
func newClusters(n int) (clusters []cluster, collapse func(cluster int)) {
	clusters = make([]cluster, n)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&clusters[0])), n*clusterBytes)
	skip := int(-uintptr(unsafe.Pointer(&clusters[0])) % hugePage)
	pages := (len(bytes) - skip) / hugePage
	if pages <= 0 {
		return clusters, nil
	}
	bytes = bytes[skip : skip+pages*hugePage]
	bytes[0] = 0 // an untouched page cannot be moved
	if syscall.Madvise(bytes[:hugePage], adviseCollapse) != nil {
		// Pages that are in use would stay small.
		_ = syscall.Madvise(bytes, adviseHuge)
		return clusters, nil
	}
	_ = syscall.Madvise(bytes, adviseNoHuge)
	var begin sync.Once
	tried := make([]atomic.Uint32, pages)
	return clusters, func(cluster int) {
		page := (cluster*clusterBytes - skip) >> hugePageBits
		if page < 0 || page >= pages || tried[page].Load() >= attempts {
			return
		}
		begin.Do(func() { _ = syscall.Madvise(bytes, adviseHuge) })
		// It fails at times, for example while another goroutine moves the page.
		if tried[page].Add(1) <= attempts && syscall.Madvise(bytes[page*hugePage:][:hugePage], adviseCollapse) == nil {
			tried[page].Store(attempts)
		}
	}
}
