//go:build race

// Package race tells tests whether the race detector is on. It makes them ten times as slow, so
// those that run on one goroutine, where there is no race to find, are skipped then.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
