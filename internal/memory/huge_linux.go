package memory

import (
	"runtime"
	"syscall"
	"unsafe"
)

const (
	hugePage   = 2 << 20
	adviseHuge = 14 // MADV_HUGEPAGE
)

// PreferHuge asks for huge pages for memory that is looked up at random and used throughout: on small
// pages a lookup waits as long for the address translation as for the data. If that fails, only speed
// suffers.
func PreferHuge(bytes []byte) {
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(bytes))) % hugePage)
	if whole := (len(bytes) - skip) / hugePage * hugePage; whole > 0 {
		_ = syscall.Madvise(bytes[skip:skip+whole], adviseHuge)
	}
	runtime.KeepAlive(bytes)
}
