//go:build !linux

package dfpn

// newLines returns n empty lines.
func newLines(n int) []line { return make([]line, n) }
