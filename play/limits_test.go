package play

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBudget has values by hand. The margin is 100 ms.
func TestBudget(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		left, increment, byoyomi, soft, hard time.Duration
		moves                                int
	}{
		{left: 35000 * ms, soft: 900 * ms, hard: 3900 * ms},
		{left: 7000 * ms, increment: 1000 * ms, soft: 850 * ms, hard: 1700 * ms},
		{left: 35000 * ms, byoyomi: 2000 * ms, soft: 1900 * ms, hard: 5900 * ms},
		{byoyomi: 1000 * ms, soft: 900 * ms, hard: 900 * ms}, // all of it
		{left: 350 * ms, byoyomi: 1000 * ms, soft: 940 * ms, hard: 940 * ms},
		{left: 700 * ms, increment: 1000 * ms, soft: 600 * ms, hard: 600 * ms}, // the increment comes too late
		{left: 50 * ms, soft: ms, hard: ms},
		{left: 35000 * ms, moves: 100, soft: 900 * ms, hard: 3900 * ms},
		{left: 10000 * ms, moves: 10, soft: 900 * ms, hard: 3900 * ms},
		{left: 10000 * ms, moves: 2, soft: 4900 * ms, hard: 7400 * ms}, // something is left for the other move
		{left: 10000 * ms, moves: 1, soft: 9900 * ms, hard: 9900 * ms},
	} {
		soft, hard := Clock{c.left, c.increment, c.byoyomi, c.moves, 100 * ms}.budget()
		require.Equal(t, []time.Duration{c.soft, c.hard}, []time.Duration{soft, hard}, "%+v", c)
	}
}
