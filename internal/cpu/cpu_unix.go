//go:build unix

package cpu

import (
	"syscall"
	"time"
)

// Time returns the CPU time of the process, including the time in the kernel.
func Time() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Kernel returns the CPU time that the process has spent in the kernel.
func Kernel() time.Duration {
	u := usage()
	return time.Duration(u.Stime.Nano())
}

func usage() (u syscall.Rusage) {
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return syscall.Rusage{}
	}
	return u
}
