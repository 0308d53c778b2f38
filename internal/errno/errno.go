// Package errno tells what errors of the operating system mean, of which Windows has numbers of its own.
package errno

import (
	"errors"
	"runtime"
	"slices"
	"syscall"
)

// A Kind of error has numbers on Windows and on other systems.
type Kind struct{ windows, others []syscall.Errno }

// Kinds of errors that users can do something about. Package syscall of Windows has none of
// these numbers, or others by the same names.
var (
	Locked     = Kind{windows: []syscall.Errno{32, 33}, others: []syscall.Errno{syscall.EAGAIN}}    // ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION
	DiskFull   = Kind{windows: []syscall.Errno{39, 112}, others: []syscall.Errno{syscall.ENOSPC}}   // ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL
	Disconnect = Kind{windows: []syscall.Errno{10054}, others: []syscall.Errno{syscall.ECONNRESET}} // WSAECONNRESET
)

// Is reports whether an error is of the kind.
func (k Kind) Is(err error) bool { return k.of(runtime.GOOS, err) }

func (k Kind) of(system string, err error) bool {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return false
	}
	if system == "windows" {
		return slices.Contains(k.windows, number)
	}
	return slices.Contains(k.others, number)
}
