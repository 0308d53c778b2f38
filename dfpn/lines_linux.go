package dfpn

import (
	"syscall"
	"unsafe"
)

// newLines returns n empty lines. It asks for huge pages: a lookup at a random
// place otherwise waits for the translation of its address as long as for the
// data. A refusal changes nothing but the speed.
func newLines(n int) []line {
	const huge, adviseHuge = 2 << 20, 14
	lines := make([]line, n)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&lines[0])), n*lineBytes)
	skip := int(-uintptr(unsafe.Pointer(&lines[0])) % huge)
	if whole := (len(bytes) - skip) / huge * huge; whole > 0 {
		_ = syscall.Madvise(bytes[skip:skip+whole], adviseHuge)
	}
	return lines
}
