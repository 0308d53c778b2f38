//go:build unix

package cpu

import (
	"syscall"
	"time"
)

// Time returns the CPU time of the process, with that of the kernel.
func Time() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Kernel returns the CPU time that the kernel took for the process.
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
