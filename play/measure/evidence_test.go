package measure

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOpeningEnds has the figures of half boards: for 9×9 those of Esaki and Hashiyama (E 2.95), the
// others were computed by another program.
func TestOpeningEnds(t *testing.T) {
	for _, c := range []struct {
		columns, rows int
		want          float64
	}{{3, 4, 0.594}, {8, 8, 2.517}, {9, 9, 2.952}, {15, 15, 4.278}} {
		require.InDelta(t, c.want, OpeningEnds(c.columns, c.rows), 0.0005, fmt.Sprint(c.columns, "x", c.rows))
	}
	half := make([]uint8, 81)
	for i := 36; i < 81; i++ {
		half[i] = 1
	}
	e := EvidenceOf(half, 9)
	require.InDelta(t, 1.524, e.N, 0.0005)
	require.InDelta(t, 3.171, e.C, 0.0005)
}

// TestEvidence compares with values computed by hand, and with the definition.
func TestEvidence(t *testing.T) {
	require.Equal(t, Evidence{}, EvidenceOf(make([]uint8, 9), 3))
	// One square attacked, 2×2: the square and the block count 1 each, and meet.
	require.Equal(t, Evidence{N: 1, E: 0, C: 1}, EvidenceOf([]uint8{1, 0, 0, 0}, 2))
	for seed := range uint8(40) {
		columns, rows := 1+int(seed)%5, 1+int(seed)/5
		attacks := make([]uint8, columns*rows)
		for i := range attacks {
			attacks[i] = uint8((i*i*7 + i*int(seed)*13 + int(seed)) % 5)
		}
		want, got := slow(attacks, columns), EvidenceOf(attacks, columns)
		require.InDelta(t, want.N, got.N, 1e-9)
		require.InDelta(t, want.E, got.E, 1e-9)
		require.InDelta(t, want.C, got.C, 1e-9)
	}
}

// slow computes evidence by the definition, with regions as sets of squares.
func slow(attacks []uint8, columns int) (e Evidence) {
	type region map[int]bool
	var list []region
	for at := range attacks {
		list = append(list, region{at: true})
		if at%columns+1 < columns && at+columns < len(attacks) {
			list = append(list, region{at: true, at + 1: true, at + columns: true, at + columns + 1: true})
		}
	}
	mass, sum := make([]float64, len(list)), 0.0
	for i, r := range list {
		for at := range r {
			mass[i] += float64(attacks[at])
		}
		sum += mass[i]
	}
	if sum == 0 {
		return e
	}
	for i, r := range list {
		if mass[i] == 0 {
			continue
		}
		plausible := 0.0
		for j, other := range list {
			for at := range r {
				if other[at] {
					plausible += mass[j]
					break
				}
			}
		}
		m := mass[i] / sum
		e.N += m * math.Log2(float64(len(r)))
		e.E -= m * math.Log2(plausible/sum)
		e.C -= m * math.Log2(mass[i]/plausible)
	}
	return e
}

func TestPhasesOf(t *testing.T) {
	var list [][2]float64
	for _, e := range []float64{1, 3.2, 2, 2.5, 3.1, 3.4, 3.3, 2.2, 2.6, 2.5} {
		list = append(list, [2]float64{e, 1})
	}
	require.Equal(t, Phases{Middle: 4, End: 7}, PhasesOf(list, 3, 3))
	require.Equal(t, Phases{Middle: 1, End: 2}, PhasesOf(list, 3, 0))
	require.Equal(t, Phases{}, PhasesOf(list, 4, 0))
}
