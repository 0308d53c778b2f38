//go:build !linux

package dfpn

// newClusters returns n empty clusters.
func newClusters(n int) []cluster { return make([]cluster, n) }
