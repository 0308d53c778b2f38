package dobutsu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// TestSizes checks the start positions of all boards, how many positions are numbered,
// and how many sequences of moves there are, which another program counted too.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		spec, start string
		size, open  uint64
		perft       []uint64
	}{
		{"dobutsu:size=3x3", "gle/3/ELG b -", 209_898, 64_584, []uint64{5, 10, 26, 98}},
		{"dobutsu", "gle/1c1/1C1/ELG b -", 641_424_258, 249_442_767, []uint64{4, 17, 96, 577}},
		{"dobutsu:size=5x3", "gle/1c1/3/1C1/ELG b -", 6_563_803_572, 3_139_210_404, []uint64{4, 16, 87, 455}},
		{"dobutsu:size=6x3", "gle/1c1/3/3/1C1/ELG b -", 40_028_006_340, 22_015_403_487, []uint64{4, 16, 88, 471}},
	} {
		t.Run(c.spec, func(t *testing.T) {
			g := open(t, c.spec)
			require.Equal(t, c.start, string(g.AppendPosition(nil, g.Start())))
			tier := g.Tiers()[0]
			gametest.Perft[Position, Move](t, g, "startpos", c.perft...)
			require.Equal(t, c.size, tier.Size)
			require.Equal(t, c.open, tier.Open)
		})
	}
}
