package ranking

import (
	"math"
	"math/rand/v2"
)

// Matchmaking is a way to choose opponents, so that few games tell how players rank (Sato and Takahashi,
// 「対局に基づいた教師データの重要度の学習」, IPSJ Journal 55 (2014)).
type Matchmaking uint8

// The ways to choose opponents.
const (
	AtRandom  Matchmaking = iota
	ByRanking             // one of about the same rank
	ByResult              // one whose last pair ended alike
	Mixed                 // one of about the same rank whose last pair ended alike; every tenth at random
)

// String returns "random", "ranking", "result" or "mixed".
func (m Matchmaking) String() string {
	return [...]string{"random", "ranking", "result", "mixed"}[m]
}

// Entrant is what matchmaking knows of a player.
type Entrant struct {
	Pairs int // played or arranged
	// Last is 1 if the player won its last pair, -1 if it lost it, and 0 if the pair was even or there is none.
	Last int
	Rank int // from 0 on, by what games have shown
}

// Next chooses two entrants, the first among those with the fewest pairs. There must be at least two.
func (m Matchmaking) Next(rng *rand.Rand, list []Entrant) (first, second int) {
	fewest, same := math.MaxInt, 0
	for i, e := range list {
		if e.Pairs < fewest {
			fewest, same = e.Pairs, 0
		}
		if e.Pairs == fewest {
			if same++; rng.IntN(same) == 0 {
				first = i
			}
		}
	}
	return first, m.Opponent(rng, list, first)
}

// Opponent chooses an opponent of an entrant. There must be at least two entrants.
func (m Matchmaking) Opponent(rng *rand.Rand, list []Entrant, player int) int {
	const random, spread = 10, 10
	if m == Mixed && rng.IntN(random) == 0 {
		m = AtRandom
	}
	alike := false
	if m == ByResult || m == Mixed {
		for i, e := range list {
			alike = alike || i != player && e.Last == list[player].Last
		}
	}
	weights, sum := make([]float64, len(list)), 0.0
	for i, e := range list {
		if i == player || alike && e.Last != list[player].Last {
			continue
		}
		weights[i] = 1
		if m == ByRanking || m == Mixed {
			// The distance of ranks has a normal distribution, whose deviation is a tenth of all ranks. The
			// constant keeps distant ones possible where there is nobody near.
			d := float64(e.Rank-list[player].Rank) * spread / float64(len(list))
			weights[i] = math.Exp(-d*d/2) + 1e-9
		}
		sum += weights[i]
	}
	drawn, last := rng.Float64()*sum, 0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		last = i
		if drawn -= w; drawn < 0 {
			break
		}
	}
	return last
}
