//go:build unix

package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/cpu"
)

func TestTime(t *testing.T) {
	before := cpu.Time()
	for {
		kernel := cpu.Kernel()
		all := cpu.Time()
		require.LessOrEqual(t, kernel, all)
		if all > before {
			return
		}
	}
}
