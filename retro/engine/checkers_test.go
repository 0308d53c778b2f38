package engine

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/internal/race"
)

var moreCheckers = flag.Bool("checkers", false, "compare endings of checkers with one or two pieces more")

func openCheckers(t *testing.T, spec string) (*checkers.Game, *games.Universe) {
	t.Helper()
	g, err := checkers.Family.Open(spec)
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	return g, u
}

// checkersCounts are counts of positions by number of pieces, of both sides together,
// either of which may be to move but is the same. They are from a small program of its
// own. Of king against king on 8×8, 230 won, 654 drawn, 108 lost and 11 plies at most are
// published too, and the sums follow from the numbers of squares.
var checkersCounts = []struct {
	size                        string
	pieces                      int
	positions, won, lost, drawn uint64
	longest                     int
}{
	{"8x8", 2, 3_488, 716, 402, 2_370, 13},
	{"8x8", 3, 196_032, 100_250, 87_305, 8_477, 62},
	{"8x8", 4, 6_209_316, 2_574_304, 1_917_090, 1_717_922, 109},
	{"6x6", 2, 1_029, 256, 125, 648, 9},
	{"6x6", 3, 30_126, 15_579, 12_640, 1_907, 46},
	{"6x6", 4, 481_755, 216_518, 149_847, 115_390, 59},
	{"6x6", 5, 5_276_874, 2_714_672, 2_046_704, 515_498, 89},
}

// TestCheckers compares counts with those of another program, and all values of few
// pieces with an oracle that has rules and boards of its own.
func TestCheckers(t *testing.T) {
	if race.Enabled {
		t.Skip("the oracle takes long")
	}
	for _, size := range []struct {
		name                string
		side, pieces, plain int
	}{{"8x8", 8, 3, 3}, {"6x6", 6, 4, 4}} {
		switch {
		case *moreCheckers:
			size.pieces, size.plain = size.pieces+1, size.plain+1
		case testing.Short():
			size.pieces, size.plain = size.pieces-1, size.plain-1
		}
		g, u := openCheckers(t, fmt.Sprintf("checkers:size=%s,pieces=%d", size.name, size.pieces))
		s, err := analyze(t.Context(), u, Config{Positions: All})
		require.NoError(t, err)
		compared := 0
		for _, want := range checkersCounts {
			if want.size == size.name && want.pieces <= size.pieces {
				got := want
				got.positions, got.won, got.lost, got.drawn, got.longest = countPieces(s, want.pieces)
				require.Equal(t, want, got)
				compared++
			}
		}
		require.Equal(t, size.pieces-1, compared)
		plain := plainCheckers{size.side}
		list, values := plain.solve(size.plain)
		for i := range list[1:] {
			text := plain.text(&list[i+1])
			position, err := g.ParsePosition(text)
			if err != nil {
				require.NoError(t, err)
			}
			v, finished := g.Outcome(position)
			if !finished {
				index, _ := g.Index(position)
				v, _ = s.Value(index)
			}
			if v != values[i+1] {
				require.Equal(t, values[i+1], v, text)
			}
		}
		if size.plain == size.pieces {
			require.EqualValues(t, u.Size(), len(list))
		}
	}
}

// countPieces counts the positions with a number of pieces.
func countPieces(s *Solution, pieces int) (positions, won, lost, drawn uint64, longest int) {
	for i, tier := range s.Universe.Tiers {
		if strings.Count(tier.Name, "K")+strings.Count(tier.Name, "M") != pieces {
			continue
		}
		positions += tier.Size
		for v, n := range s.Tiers[i].Values {
			switch v.Result() {
			case games.Won:
				won += n
			case games.Lost:
				lost += n
			default:
				drawn += n
			}
			if plies, ok := v.Plies(); ok {
				longest = max(longest, plies)
			}
		}
	}
	return positions, won, lost, drawn, longest
}

// TestCheckersChecksum solves with several numbers of threads, partitions and messages in
// a batch, and with interruptions.
func TestCheckersChecksum(t *testing.T) {
	_, u := openCheckers(t, "checkers:size=6x6,pieces=3")
	checksum := func(ctx context.Context, u *games.Universe, cfg Config) (string, error) {
		cfg.Positions = All
		_, m, err := Solve(ctx, u, "db", cfg)
		if err != nil {
			return "", err
		}
		return m.Checksum, nil
	}
	want, err := checksum(t.Context(), u, Config{FS: vfs.NewMem()})
	require.NoError(t, err)
	for _, cfg := range []Config{{Threads: 1}, {Threads: 3, Partitions: 7}, {Threads: 2, Partitions: 40, BatchSize: 5}} {
		cfg.FS = vfs.NewMem()
		got, err := checksum(t.Context(), u, cfg)
		require.NoError(t, err)
		require.Equal(t, want, got, "%d threads", cfg.Threads)
	}
	fs := vfs.NewMem()
	interrupted := 0
	for n := int64(20); ; n += 30 {
		ctx, cancel := context.WithCancel(t.Context())
		got, err := checksum(ctx, withCounter(t, u, n, cancel), Config{FS: fs, Partitions: 3, Threads: 1 + int(n)%3})
		cancel()
		if err == nil {
			require.Equal(t, want, got)
			break
		}
		require.ErrorIs(t, err, ErrInterrupted)
		interrupted++
	}
	require.Greater(t, interrupted, 2)
}
