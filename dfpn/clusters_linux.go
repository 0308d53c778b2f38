package dfpn

import (
	"syscall"
	"unsafe"
)

// newClusters returns n empty clusters. It asks for huge pages, because a random
// lookup otherwise waits as long for the address translation as for the data. If
// madvise fails, only speed suffers.
func newClusters(n int) []cluster {
	const huge, adviseHuge = 2 << 20, 14
	clusters := make([]cluster, n)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&clusters[0])), n*clusterBytes)
	skip := int(-uintptr(unsafe.Pointer(&clusters[0])) % huge)
	if whole := (len(bytes) - skip) / huge * huge; whole > 0 {
		_ = syscall.Madvise(bytes[skip:skip+whole], adviseHuge)
	}
	return clusters
}
