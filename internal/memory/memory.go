package memory

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Resident returns the memory that the process occupies, in bytes: what the
// operating system reports, or what the Go runtime has obtained from it.
func Resident() uint64 {
	if n, ok := procBytes("self/status", "VmRSS:"); ok {
		return n
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// Peak returns the most memory that the process has occupied, in bytes.
func Peak() uint64 {
	if n, ok := procBytes("self/status", "VmHWM:"); ok {
		return n
	}
	return Resident()
}

// Physical returns the memory of the machine, or of the container if that has
// less, in bytes, as far as a process can address it. It returns false if neither is known.
func Physical() (uint64, bool) {
	total, ok := procBytes("meminfo", "MemTotal:")
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil && (!ok || n < total) {
			total, ok = n, true
		}
	}
	return min(total, math.MaxInt), ok
}

// Disk formats a number of bytes on disk, in units of 1,000 bytes as other programs show files; [Text] is for memory.
func Disk(n uint64) string {
	switch {
	case n >= 10e12:
		return fmt.Sprintf("%.1f TB", float64(n)/1e12)
	case n >= 10e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return Text(n)
}

// Text formats a number of bytes with a unit that fits.
func Text(n uint64) string {
	switch {
	case n >= 10<<40:
		return fmt.Sprintf("%.1f TiB", float64(n)/(1<<40))
	case n >= 10<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 10<<20, n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	case n >= 10<<10:
		return fmt.Sprintf("%.0f KiB", float64(n)/(1<<10))
	case n >= 1000:
		return fmt.Sprintf("%d,%03d bytes", n/1000, n%1000)
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// procBytes reads a field in kilobytes from a file of Linux's proc file system.
func procBytes(file, name string) (uint64, bool) {
	data, err := os.ReadFile("/proc/" + file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			fields := strings.Fields(rest)
			if len(fields) == 2 {
				n, err := strconv.ParseUint(fields[0], 10, 64)
				return n << 10, err == nil
			}
		}
	}
	return 0, false
}
