package dfpn

import (
	"runtime"
	"syscall"
	"unsafe"
)

const (
	hugePage = 2 << 20

	adviseHuge     = 14 // MADV_HUGEPAGE
	adviseNoHuge   = 15 // MADV_NOHUGEPAGE
	adviseCollapse = 25 // MADV_COLLAPSE, since Linux 6.1
)

// newClusters returns n empty clusters, and a function that moves them to huge pages,
// which may be called while they are in use; it is nil if there is nothing to move. On
// small pages a random lookup waits as long for the address translation as for the
// data, but on huge pages a small search that touches each page once fills the whole
// memory. If madvise fails, only speed or memory suffers.
func newClusters(n int) (clusters []cluster, collapse func()) {
	clusters = make([]cluster, n)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&clusters[0])), n*clusterBytes)
	skip := int(-uintptr(unsafe.Pointer(&clusters[0])) % hugePage)
	whole := (len(bytes) - skip) / hugePage * hugePage
	if whole <= 0 {
		return clusters, nil
	}
	bytes = bytes[skip : skip+whole]
	bytes[0] = 0 // an untouched page cannot be moved
	if syscall.Madvise(bytes[:hugePage], adviseCollapse) != nil {
		// Pages that are in use would stay small.
		_ = syscall.Madvise(bytes, adviseHuge)
		return clusters, nil
	}
	_ = syscall.Madvise(bytes, adviseNoHuge)
	return clusters, func() {
		_ = syscall.Madvise(bytes, adviseHuge)
		for ; len(bytes) > 0; bytes = bytes[hugePage:] {
			_ = syscall.Madvise(bytes[:hugePage], adviseCollapse)
		}
		runtime.KeepAlive(clusters)
	}
}
