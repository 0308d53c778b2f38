package ui

import (
	"os"

	"golang.org/x/sys/windows"
)

// showsColour has a console take escape sequences, and reports whether it does.
func showsColour(console *os.File) bool {
	var mode uint32
	handle := windows.Handle(console.Fd())
	if err := windows.GetConsoleMode(handle, &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
