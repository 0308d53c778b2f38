package ranking

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// likelihood is the logarithm of that of some ratings.
func (s *Standings) likelihood(elo []float64) (sum float64) {
	add := func(difference, points, games float64) {
		p := chance(difference)
		sum += points*math.Log(p) + (games-points)*math.Log(1-p)
	}
	for a, row := range s.Rows {
		add(elo[a], 1, 2) // the pair drawn with a player of rating 0
		for b, r := range row {
			add(elo[a]-elo[b], float64(r.Half)/2, 2*float64(r.Pairs))
		}
	}
	return sum
}

// TestRatings compares ratings with a slow search for the most likely ones.
// chance is that of a player who is stronger by some Elo points.
func chance(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

func TestRatings(t *testing.T) {
	const players = 7
	rng := rand.New(rand.NewPCG(1, 2))
	var s Standings
	s.Grow(players)
	pairs := [players]int{}
	for range 60 {
		a, b := rng.IntN(players-1), rng.IntN(players-2) // the last does not play
		if b >= a {
			b++
		}
		s.Add(a, b, min(rng.IntN(5)+a/3, 4))
		pairs[a]++
		pairs[b]++
	}
	s.Add(0, 1, 4)
	s.Add(1, 0, 4)
	for i, n := range pairs {
		if i < 2 {
			n += 2
		}
		require.Equal(t, n, s.Pairs(i))
	}
	list := s.Ratings(nil)
	got, elo := make([]float64, players), make([]float64, players)
	for i, r := range list {
		got[i] = r.Elo
	}
	for step := 64.0; step > 1e-4; step /= 2 {
		for moved := true; moved; {
			moved = false
			for i := range elo {
				for _, d := range []float64{step, -step} {
					before := s.likelihood(elo)
					elo[i] += d
					if s.likelihood(elo) > before {
						moved = true
					} else {
						elo[i] -= d
					}
				}
			}
		}
	}
	require.InDeltaSlice(t, elo, got, 0.02)
	require.Zero(t, list[players-1].Elo)
	for i, r := range s.Ratings(list) {
		require.InDelta(t, list[i].Elo, r.Elo, 1e-6, "they stay where they are")
	}
	last := Ranked(list, []int{0, 1, 2, 3, 4, 5, 6})
	for i := range last[1:] {
		require.GreaterOrEqual(t, list[last[i]].Elo, list[last[i+1]].Elo)
	}
	require.Equal(t, []int{2, 0, 1}, Ranked(make([]Rating, 3), []int{2, 0, 1}), "equal ones keep their order")
}

// TestDeviations compares with values computed by hand.
func TestDeviations(t *testing.T) {
	var s Standings
	require.Empty(t, s.Ratings(nil))
	s.Grow(2)
	for range 8 {
		s.Add(1, 0, 2)
	}
	list := s.Ratings(nil)
	s.Deviations(list)
	// 16 games give the difference an information of 16/4, and each drawn pair gives 2/4: the variance of the
	// difference is 2/(2·4+0.5), and that of a half of it is a quarter.
	want := math.Sqrt(1/(2*8.5)) * 400 / math.Ln10
	require.InDelta(t, 0, list[0].Elo, 1e-9)
	require.InDelta(t, want, list[0].Deviation, 1e-6)
	require.InDelta(t, want, list[1].Deviation, 1e-6)

	// All games won: finite.
	for range 100 {
		s.Add(0, 1, 4)
	}
	list = s.Ratings(list)
	require.Greater(t, list[0].Elo, 100.0)
	require.Less(t, list[0].Elo, 1000.0)
}

func TestMatchmaking(t *testing.T) {
	const players = 20
	list := make([]Entrant, players)
	for i := range list {
		list[i] = Entrant{Pairs: 5, Last: i%3 - 1, Rank: i}
	}
	list[11].Pairs, list[4].Pairs = 3, 3
	for m := AtRandom; m <= Mixed; m++ {
		t.Run(m.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(m)))
			const draws = 20_000
			alike, apart := 0, 0
			first := map[int]int{}
			for range draws {
				a, b := m.Next(rng, list)
				first[a]++
				require.NotEqual(t, a, b)
				if list[a].Last == list[b].Last {
					alike++
				}
				apart += max(a-b, b-a)
			}
			require.Len(t, first, 2)
			require.InDelta(t, draws/2, first[4], draws/50, "the fewest pairs first")
			share, distance := float64(alike)/draws, float64(apart)/draws
			// Of the 19 others five ended like player 11, and six like 4.
			switch m {
			case AtRandom:
				require.InDelta(t, 5.5/19, share, 0.02)
				require.Greater(t, distance, 6.0)
			case ByRanking:
				require.Less(t, distance, 2.5)
			case ByResult:
				require.Equal(t, 1.0, share)
				require.Greater(t, distance, 5.0)
			case Mixed:
				require.InDelta(t, 0.9+0.1*5.5/19, share, 0.02)
				require.Less(t, distance, 4.5)
			}
		})
	}
	// Where nobody ended alike, anybody will do.
	alone := []Entrant{{Last: 1}, {Last: 0}, {Last: 0}}
	found := map[int]bool{}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		found[ByResult.Opponent(rng, alone, 0)] = true
	}
	require.Equal(t, map[int]bool{1: true, 2: true}, found)
}
