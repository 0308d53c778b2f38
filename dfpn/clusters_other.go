//go:build !linux

package dfpn

// newClusters returns n empty clusters.
func newClusters(n int) ([]cluster, func()) { return make([]cluster, n), nil }
