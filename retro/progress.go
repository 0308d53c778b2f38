package retro

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Progress is what a solve under way has to tell.
type Progress struct {
	Pass    string        // "reach", "initialise", "levels" or "write"
	Tier    string        // name of the tier, where the game has several
	Level   int           // plies or score, in the pass "levels"
	Counts  Counts        // of this pass
	Done    uint64        // positions gone through or settled in this pass
	Total   uint64        // how many there are, at most; 0 if that is not known
	Time    time.Duration // since the work began, earlier runs included
	Left    time.Duration // estimate for the pass, at most; 0 if there is none
	Memory  uint64        // resident, in bytes
	Elapsed time.Duration // since the pass began
}

// elapsed returns how long the work has taken, earlier runs included.
func (e *engine) elapsed() time.Duration { return e.before + time.Since(e.begin) }

func (e *engine) progress() Progress {
	p := Progress{Time: e.elapsed(), Memory: residentMemory()}
	at := e.at.Load()
	if at == nil {
		return p
	}
	p.Pass, p.Level, p.Total = at.pass, at.level, at.total
	p.Tier = e.universe.Tiers[at.tier].Name
	p.Counts = e.counts().minus(at.before)
	p.Elapsed = time.Since(at.begin)
	p.Done = p.Counts.Positions
	if at.pass == "levels" {
		p.Done = p.Counts.Settled
	}
	p.Left = left(p.Elapsed, p.Done, p.Total-min(at.done, p.Total))
	p.Done += at.done
	return p
}

// left estimates the time that is left when done of total took elapsed.
func left(elapsed time.Duration, done, total uint64) time.Duration {
	if done == 0 || total <= done {
		return 0
	}
	return time.Duration(float64(elapsed) * (float64(total)/float64(done) - 1))
}

// residentMemory returns how much memory the process occupies, in bytes: what
// the operating system says, or else what the runtime has taken from it.
func residentMemory() uint64 {
	if n, ok := procBytes("self/status", "VmRSS:"); ok {
		return n
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// PeakMemory returns the most memory that the process has occupied, in bytes.
func PeakMemory() uint64 {
	if n, ok := procBytes("self/status", "VmHWM:"); ok {
		return n
	}
	return residentMemory()
}

// PhysicalMemory returns how much memory there is for the process, in bytes, and
// false if that cannot be told.
func PhysicalMemory() (uint64, bool) {
	total, ok := procBytes("meminfo", "MemTotal:")
	// A container may have less than the machine.
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil && (!ok || n < total) {
			return n, true
		}
	}
	return total, ok
}

// procBytes reads a line with a number of kilobytes from a file of the proc file
// system, which Linux has.
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
