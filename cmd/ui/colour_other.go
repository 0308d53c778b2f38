//go:build !windows

package ui

import "os"

// showsColour reports whether a terminal takes escape sequences, as all do but consoles of Windows.
func showsColour(*os.File) bool { return true }
