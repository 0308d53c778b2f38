package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/memory"
)

func TestMemory(t *testing.T) {
	resident := memory.Resident()
	require.Greater(t, resident, uint64(1<<20))
	require.GreaterOrEqual(t, memory.Peak(), resident/2)
	if physical, ok := memory.Physical(); ok {
		require.Greater(t, physical, resident)
	}
}

func TestText(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 bytes", 1: "1 byte", 10_239: "10,239 bytes", 10 << 10: "10 KiB", 1 << 20: "1 MiB", 10<<20 - 1: "10240 KiB",
		10 << 20: "10 MiB", 10<<30 - 1<<20: "10239 MiB", 10 << 30: "10.0 GiB", 178 << 30: "178.0 GiB",
	} {
		require.Equal(t, want, memory.Text(n), "%d", n)
	}
}

func TestDisk(t *testing.T) {
	for n, want := range map[uint64]string{
		1: "1 byte", 999: "999 bytes", 3_210: "3.2 kB", 49_900: "49.9 kB", 1_000_000: "1.0 MB", 64_210_000: "64.2 MB", 12_300_000_000: "12.3 GB", 18_040_000_000_000: "18.0 TB",
	} {
		require.Equal(t, want, memory.Disk(n), "%d", n)
	}
}
