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
