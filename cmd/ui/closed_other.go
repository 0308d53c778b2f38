//go:build !linux

package ui

// outputClosed reports nothing where the files of other processes are not known.
func outputClosed() bool { return false }
