//go:build unix

package cpu

import (
	"syscall"
	"time"
)

// Time returns the CPU time of the process, and how much of it the kernel took.
func Time() (all, kernel time.Duration) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	kernel = time.Duration(u.Stime.Nano())
	return time.Duration(u.Utime.Nano()) + kernel, kernel
}
