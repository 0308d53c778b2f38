package alphabeta

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
)

var (
	fewer     = flag.String("fewer", "", "database of checkers for searches of positions with more pieces")
	truth     = flag.String("truth", "", "database of checkers on the same board with their values")
	positions = flag.Int("positions", 10_000, "number of positions to search")
)

// openEndings opens a database of checkers.
func openEndings(t *testing.T, dir string) (*db.DB, *checkers.Game) {
	d, err := store.Open(dir, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	g, err := checkers.Family.Open(d.Manifest().Content.Game)
	require.NoError(t, err)
	return d, g
}

// TestCheckers searches random positions of one database over another with fewer pieces:
// no bound excludes the value.
func TestCheckers(t *testing.T) {
	if *fewer == "" || *truth == "" {
		t.Skip("needs -fewer and -truth, databases of yomikiri solve checkers --pieces N")
	}
	small, part := openEndings(t, *fewer)
	large, all := openEndings(t, *truth)
	prober, err := db.NewProber(large, all)
	require.NoError(t, err)
	few, err := db.NewProber(small, part)
	require.NoError(t, err)
	for _, nodes := range []uint64{100, 5_000} {
		s, err := New(all, Config[checkers.Position]{Nodes: nodes, Memory: 32 << 20, Database: db.NewEndgame(few)})
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, nodes))
		end := func(tiers []games.Tier) uint64 { return tiers[len(tiers)-1].Start + tiers[len(tiers)-1].Size }
		first, past := end(part.Tiers()), end(all.Tiers()) // of the positions with more pieces
		var bounded, known, wrong, right, unsure int
		for range *positions {
			p, _ := all.Position(first + rng.Uint64N(past-first))
			want, err := prober.Probe(p)
			require.NoError(t, err)
			r, err := s.Search(t.Context(), p)
			require.NoError(t, err)
			require.True(t, r.Lower <= want.Result() && want.Result() <= r.Upper, "%s is worth %v, not %v to %v",
				all.AppendPosition(nil, p), want, r.Lower, r.Upper)
			switch {
			case r.Known():
				known++
				if r.Moved {
					v, err := prober.Probe(all.Play(p, r.Move))
					require.NoError(t, err)
					require.Equal(t, want.Result(), -v.Result(), "%s: move %s", all.AppendPosition(nil, p), all.AppendMove(nil, p, r.Move))
				}
			case r.Lower > games.Lost || r.Upper < games.Won:
				bounded++
			case want == games.Draw || r.Score == 0:
				unsure++
			case (r.Score > 0) == (want > games.Draw):
				right++
			default:
				wrong++
			}
		}
		t.Logf("%d nodes a position: %d values and %d more bounds proven; of the other scores %d have the right sign, %d the wrong one, %d are draws",
			nodes, known, bounded, right, wrong, unsure)
	}
}
