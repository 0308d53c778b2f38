//go:build !linux

package memory

// PreferHuge does nothing where huge pages cannot be asked for.
func PreferHuge([]byte) {}
