package ui

import (
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/internal/memory"
)

// byteUnits are the units of a number of bytes.
var byteUnits = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1}, {"", 1},
}

// ParseBytes reads a number of bytes, such as 12GiB or 512M.
func ParseBytes(text string) (uint64, error) {
	for _, unit := range byteUnits {
		digits, ok := strings.CutSuffix(strings.ToLower(text), strings.ToLower(unit.name))
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if bytes := n * unit.bytes; err == nil && bytes >= 1 && bytes < 1<<62 {
			return uint64(bytes), nil
		}
		break
	}
	return 0, notBytes.Error()
}

// MemoryLimit returns how much memory a solve may take by default: nine tenths of the
// machine's memory; 0 if that is not known.
func MemoryLimit() uint64 {
	n, _ := memory.Physical()
	return n / 10 * 9
}

// CheckMemory fails if this machine has less memory than bytes.
func CheckMemory(bytes uint64) error {
	if there, ok := memory.Physical(); ok && bytes > there {
		return lessMemory.Error(Size(there))
	}
	return nil
}
