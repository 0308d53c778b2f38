package gametest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// settledWhole is the size of the largest tier all of whose moves are counted.
const settledWhole = 5_000

// settle checks that a Settler says of runs of positions what their expansions say, whatever is lost in the tier before.
func (s *suite[P, M]) settle(t *testing.T) {
	var lost []uint64 // at random, holes and finished positions too
	for tier, from := range s.universe.Tiers {
		for range unlessShort(30) {
			n := 1 + s.rng.Uint64N(min(from.Open, 300))
			s.settleRun(t, tier, from.Start+s.rng.Uint64N(from.Open-n+1), n, lost)
		}
		if from.Open <= settledWhole {
			half := from.Open / 2
			settled, counted := s.settleRun(t, tier, from.Start, half, lost)
			more, rest := s.settleRun(t, tier, from.Start+half, from.Open-half, lost)
			require.Equal(t, counted+rest, settled+more, "moves of tier %s", from.Name)
		}
		lost = make([]uint64, (from.Open+63)/64)
		for i := range lost {
			lost[i] = s.rng.Uint64() & s.rng.Uint64() & s.rng.Uint64()
		}
	}
}

// settleRun checks a run of positions, and returns how many moves they have by the Settler and by the Expander.
func (s *suite[P, M]) settleRun(t *testing.T, tier int, first, n uint64, lost []uint64) (settled, counted uint64) {
	if n == 0 {
		return 0, 0
	}
	var out games.Settled
	var x games.Expansion
	s.universe.Settler.Settle(first, int(n), lost, &out)
	require.Len(t, out.Verdicts, int(n))
	var indices []uint64
	for i := range n {
		indices = append(indices, first+i)
	}
	s.universe.Expander.Expand(indices, &x)
	for i, status := range x.Status {
		if want := s.verdict(t, tier, status, x.Of(i), lost); want != out.Verdicts[i] { // a comparison by require would name each position
			require.Equal(t, want, out.Verdicts[i], s.universe.PositionName(indices[i]))
		}
	}
	return out.Moves, uint64(x.Moves)
}

// verdict returns the verdict on a position with some status and successors.
func (s *suite[P, M]) verdict(t *testing.T, tier int, status games.Value, successors []games.Successor, lost []uint64) games.Verdict {
	switch {
	case status == games.Hole:
		return games.NoPosition
	case status != games.Unfinished && status.Result() == games.Lost:
		return games.OverLost
	case status != games.Unfinished:
		require.Equal(t, games.Won, status.Result())
		return games.OverWon
	}
	verdict := games.ToLose
	for _, c := range successors {
		if s.tierOf(c.Index()) != tier-1 {
			require.Equal(t, tier-1, s.tierOf(c.Index()))
		}
		if at := c.Index() - s.universe.Tiers[tier-1].Start; lost[at/64]>>(at%64)&1 != 0 {
			verdict = games.ToWin
		}
	}
	return verdict
}
